package quality_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

// small are the minimum sizes of the small catalogue.
var small = atLeast{evmChains: 1, otherChains: 1, categories: 1, navGroups: 1, menus: 1, cards: 1, cardsOfApps: 1,
	descriptionLongest: 140, aboutChainLongest: 240}

// smallGlossary has the terms and avoided words of the small catalogue.
var smallGlossary = []term{{
	Forms: map[string]string{"en": "wallet", "ja": "ウォレット"},
	Avoid: map[string][]string{"en": {"purse"}, "ja": {"財布"}},
}}

// in returns a text in both locales of the small catalogue.
func in(en, ja string) domain.Text {
	return domain.Text{{Locale: "en", Value: en}, {Locale: "ja", Value: ja}}
}

func described() domain.Text {
	return in("It says enough about the record.", "この記録について十分なことを述べている文章である。")
}

// aboutSmall returns a description of a chain.
func aboutSmall() domain.Text {
	return in("It says enough about the chain, and in a second clause what it is for.", "この鎖が何であり、何のためにあるのかを述べている文章である。")
}

// smallCatalogue passes all bars. Every dimension has two categories: the first records
// have the first, the second records the second.
func smallCatalogue() *domain.Catalog {
	c := &domain.Catalog{Title: in("Small", "小"), DefaultLocale: "en", Locales: []string{"en", "ja"}}
	answers := map[domain.Module][2][]string{}
	for _, module := range domain.Modules() {
		for _, group := range dimensions[module] {
			c.Groups = append(c.Groups, domain.Group{Key: group, Module: module, Name: in(group, "群")})
			pair := answers[module]
			for i, key := range answersTo(group) {
				c.Categories = append(c.Categories, smallCategory(key, module, group))
				pair[i] = append(pair[i], key)
			}
			answers[module] = pair
		}
	}
	figure := domain.Figure{Value: 1, Source: "defillama", AsOf: "2025-01-01"}
	menu := domain.Menu{PathSlug: "tools", Title: in("Tools", "道具"), Description: described(),
		Standalone: []domain.Item{
			{Slug: "more", Type: domain.ItemLink, Name: in("More", "他"), Cards: []domain.Card{smallCard("more", "item_use-a")}},
			{Slug: "app", Type: domain.ItemLink, Name: in("App", "応用"), Cards: []domain.Card{{App: "m"}}},
		}}
	c.Apps = []domain.App{smallApp("m")}
	for i := range 2 {
		c.Chains = append(c.Chains, domain.Chain{Slug: fmt.Sprint("c", i), Name: domain.Text{{Locale: "en", Value: "C"}},
			ChainID: []string{"1", "cosmos:c"}[i], Description: aboutSmall(), Categories: answers[domain.ModuleChain][i], TVL: &figure})
		c.Accounts = append(c.Accounts, &domain.Account{Handle: fmt.Sprint("a", i), Description: described(),
			Categories: answers[domain.ModuleTwitter][i], Followers: &figure})
		c.Channels = append(c.Channels, domain.Channel{ChannelID: fmt.Sprint("y", i), Description: described(),
			Categories: answers[domain.ModuleYouTube][i]})
		group := domain.MenuGroup{Slug: fmt.Sprint("g", i), Name: in("Group", "群")}
		for _, key := range answers[domain.ModuleItem][i] {
			group.Items = append(group.Items, domain.Item{Slug: key, Type: domain.ItemCategory, Name: in(key, "類"),
				Description: described(), Cards: []domain.Card{smallCard(strings.ReplaceAll(key, "_", "-"), key)}})
		}
		menu.Groups = append(menu.Groups, group)
	}
	c.Menus = []domain.Menu{menu}
	c.NavGroups = []domain.NavGroup{{Key: "nav", Name: in("Nav", "案内"), Description: described(), Menus: []string{"tools"}}}
	return c
}

// answersTo returns two categories of a dimension. The layers have the names that the
// bars expect.
func answersTo(group string) [2]string {
	if group == "chain_layer" {
		return [2]string{"layer-2", "layer-3"}
	}
	return [2]string{group + "-a", group + "-b"}
}

func smallCategory(key string, module domain.Module, group string) domain.Category {
	return domain.Category{Key: key, Name: in(key, "類"), Description: described(), Scopes: []domain.Module{module},
		Groups: []domain.ModuleGroups{{Module: module, Keys: []string{group}}}}
}

// smallCard returns a card whose title is the name of its site.
func smallCard(name, category string) domain.Card {
	return domain.Card{Title: domain.Text{{Locale: "en", Value: "Site " + name}}, Description: described(),
		Link: "https://site-" + name + ".example/", Categories: []string{category}}
}

func smallApp(key string) domain.App {
	return domain.App{Key: key, Title: domain.Text{{Locale: "en", Value: "App " + strings.ToUpper(key)}}, Description: described(),
		Link: "https://app-" + key + ".example/", Categories: []string{"item_use-a"}}
}

// cardOfApp is the card of the one app.
func cardOfApp(c *domain.Catalog) *domain.Card { return &c.Menus[0].Standalone[1].Cards[0] }

// bad are catalogues that each fail one bar.
var bad = []struct {
	bar    string
	record string
	spoil  func(*domain.Catalog)
}{
	{"sizes of chains", whole, func(c *domain.Catalog) { c.Chains[1].ChainID = "2" }},
	{"sizes of chains", whole, func(c *domain.Catalog) { c.Chains[0].ChainID = "one" }},
	{"one network type", "chain c0", func(c *domain.Catalog) { c.Chains = append(c.Chains, chainWith("c0")) }},
	{"one answer to a question", "chain c2", func(c *domain.Catalog) {
		c.Chains = append(c.Chains, chainWith("c2", "chain_network-a", "chain_network-b"))
	}},
	{"one answer to a question", "chain c2", func(c *domain.Catalog) {
		c.Chains = append(c.Chains, chainWith("c2", "chain_network-a", "chain_vm-a", "chain_vm-b"))
	}},
	{"what settles on a chain has it as its parent", "chain c9", func(c *domain.Catalog) {
		c.Chains = append(c.Chains, chainWith("c9", "layer-2", "settles-on-ethereum"))
	}},
	{"settlement is of layers above", "chain c2", func(c *domain.Catalog) {
		c.Chains = append(c.Chains, chainWith("c2", "chain_network-a", "chain_settlement-a"))
	}},
	{"chain names are in all locales or in one", "chain c0", func(c *domain.Catalog) {
		c.Locales = append(c.Locales, "es")
		everywhere(c)
		c.Chains[0].Name = in("C", "シー")
	}},
	{"chain names are names", "chain c0", func(c *domain.Catalog) { c.Chains[0].Name = in("C - Mainnet", "C") }},
	{"chain names are names", "chain c1", func(c *domain.Catalog) { c.Chains[1].Name = in("C (c-1)", "C") }},
	{"figures have source and date", "chain c0", func(c *domain.Catalog) { c.Chains[0].TVL = &domain.Figure{Value: 1} }},
	{"figures have source and date", "chain c1", func(c *domain.Catalog) { c.Chains[1].Platforms = &domain.Figure{Value: 1} }},
	{"figures have source and date", "account a0", func(c *domain.Catalog) { c.Accounts[0].Followers = &domain.Figure{Value: 1} }},
	{"figures are of a source that NOTICE names", "chain c1", func(c *domain.Catalog) {
		c.Chains[1].TVL = &domain.Figure{Value: 1, Source: "hearsay", AsOf: "2025-01-01"}
	}},
	{"figures are not of the future", "account a0", func(c *domain.Catalog) {
		c.Accounts[0].Followers = &domain.Figure{Value: 1, Source: "defillama", AsOf: "2026-11-22"}
	}},
	{"chains that ended say why", "chain c0", func(c *domain.Catalog) { c.Chains[0].StatusSince = "2025-01-02" }},
	{"an end is not the day of an archive", "chain c0", func(c *domain.Catalog) {
		c.Chains[0].StatusSince, c.Chains[0].StatusNote = "2025-01-02", in("L2BEAT has listed it as archived since 2 January 2025.", "アーカイブ済み。")
	}},
	{"large mainnets say what they are", "chain c1", func(c *domain.Catalog) { c.Chains[1].Description = nil }},
	{"logos are content addresses", "chain c0", func(c *domain.Catalog) { c.Chains[0].Logo = "https://pictures.example/ipfs/x" }},
	{"sizes of the registry", whole, func(c *domain.Catalog) { c.Categories, c.Chains = nil, nil }},
	{"every question has answers", "dimension empty", func(c *domain.Catalog) {
		c.Groups = append(c.Groups, domain.Group{Key: "empty", Module: domain.ModuleChain, Name: in("Empty", "空")})
	}},
	{"categories are used", "category idle", func(c *domain.Catalog) {
		c.Categories = append(c.Categories, smallCategory("idle", domain.ModuleChain, "chain_vm"))
	}},
	{"categories are used", "category idle", func(c *domain.Catalog) {
		c.Categories = append(c.Categories, smallCategory("idle", domain.ModuleItem, "item_use"))
		c.Categories[0].Parent = "idle" // a chain's: that is another scope
	}},
	{"accounts and channels say what they are and what about", "account a2", func(c *domain.Catalog) {
		a := *c.Accounts[0]
		a.Handle, a.Categories = "a2", []string{"twitter_kind-a"}
		c.Accounts = append(c.Accounts, &a)
	}},
	{"accounts and channels say what they are and what about", "channel y2", func(c *domain.Catalog) {
		ch := c.Channels[0]
		ch.ChannelID, ch.Categories = "y2", []string{"youtube_topic-a"}
		c.Channels = append(c.Channels, ch)
	}},
	{"items of cards are categories", "item tools/own", func(c *domain.Catalog) { addItem(c, "own", domain.ItemCategory) }},
	{"items of cards are categories", "item tools/item_use-a", func(c *domain.Catalog) {
		addItem(c, "item_use-a", domain.ItemLink)
	}},
	{"an item is called as its category", "item tools/item_use-a", func(c *domain.Catalog) {
		c.Menus[0].Groups[0].Items[0].Name = in("item_use-a", "別名")
	}},
	{"texts are in all locales", whole, func(c *domain.Catalog) { c.Title = c.Title[:1] }},
	{"texts are in all locales", "dimension chain_vm", func(c *domain.Catalog) { c.Groups[2].Name = c.Groups[2].Name[:1] }},
	{"texts are in all locales", "nav group nav", func(c *domain.Catalog) { c.NavGroups[0].Name = c.NavGroups[0].Name[:1] }},
	{"texts are in all locales", "group tools/g0", func(c *domain.Catalog) { c.Menus[0].Groups[0].Name = in("Group", "")[:1] }},
	{"texts are in all locales", "item tools/more", func(c *domain.Catalog) { c.Menus[0].Standalone[0].Name = in("More", "")[:1] }},
	{"texts are in all locales", "account a0", func(c *domain.Catalog) { c.Accounts[0].Description = described()[:1] }},
	{"texts are in all locales", "chain c0", func(c *domain.Catalog) { c.Chains[0].Description = aboutSmall()[:1] }},
	{"plain titles are names", "card tools https://site-more.example/", func(c *domain.Catalog) { retitle(c, "Site documentation") }},
	{"plain titles are names", "card tools https://site-more.example/", func(c *domain.Catalog) { retitle(c, "Wallets") }},
	{"plain titles are names", "card tools https://site-more.example/", func(c *domain.Catalog) {
		retitle(c, "More")
		c.Menus[0].Title = in("More", "他")
	}},
	{"plain titles are names", "card tools https://site-more.example/", func(c *domain.Catalog) {
		c.Locales = append(c.Locales, "es")
		everywhere(c)
		c.Menus[0].Standalone[0].Cards[0].Title = in("More sites", "他のサイト")
	}},
	{"descriptions are there", "category chain_vm-a", func(c *domain.Catalog) { c.Categories[4].Description = nil }},
	{"descriptions are there", "menu tools", func(c *domain.Catalog) { c.Menus[0].Description = nil }},
	{"descriptions are there", "item tools/item_use-a", func(c *domain.Catalog) { c.Menus[0].Groups[0].Items[0].Description = nil }},
	{"descriptions are there", "channel y1", func(c *domain.Catalog) { c.Channels[1].Description = nil }},
	{"descriptions have a good length", "card tools https://site-more.example/", func(c *domain.Catalog) { redescribe(c, in("Too short.", described()[1].Value)) }},
	{"descriptions have a good length", "card tools https://site-more.example/", func(c *domain.Catalog) {
		redescribe(c, in(described()[0].Value, "短いと言える文だ。"))
	}},
	{"descriptions have a good length", "card tools https://site-more.example/", func(c *domain.Catalog) {
		redescribe(c, append(described(), domain.Translation{Locale: "zh-hans", Value: "太短的句子。"}))
	}},
	{"descriptions have a good length", "card tools https://site-more.example/", func(c *domain.Catalog) {
		redescribe(c, in(described()[0].Value, strings.Repeat("長いかな", 35)+"。"))
	}},
	{"descriptions have a good length", "chain c0", func(c *domain.Catalog) {
		c.Chains[0].Description = in("One line is not enough of a chain.", aboutSmall()[1].Value)
	}},
	{"descriptions have a good length", "chain c0", func(c *domain.Catalog) {
		c.Chains[0].Description = in(aboutSmall()[0].Value, "一行では鎖のことは分からない。")
	}},
	{"descriptions have a good length", "chain c0", func(c *domain.Catalog) {
		c.Chains[0].Description = append(aboutSmall(), domain.Translation{Locale: "zh-hans", Value: "一行说不清一条链。"})
	}},
	{"descriptions have a good length", "chain c0", func(c *domain.Catalog) {
		c.Chains[0].Description = in(aboutSmall()[0].Value, strings.Repeat("長いかな", 60)+"。")
	}},
	{"descriptions end with a full stop", "card tools https://site-more.example/", func(c *domain.Catalog) {
		redescribe(c, in("It says enough about the record", described()[1].Value))
	}},
	{"descriptions end with a full stop", "card tools https://site-more.example/", func(c *domain.Catalog) {
		redescribe(c, in(described()[0].Value, "この記録について十分なことを述べている文章である."))
	}},
	{"descriptions end with a full stop", "chain c1", func(c *domain.Catalog) {
		c.Chains[1].Description = in(strings.TrimSuffix(aboutSmall()[0].Value, "."), aboutSmall()[1].Value)
	}},
	{"descriptions are written in their language", "card tools https://site-more.example/", func(c *domain.Catalog) {
		redescribe(c, in("It says 十分なこと about the record.", described()[1].Value))
	}},
	{"descriptions are written in their language", "card tools https://site-more.example/", func(c *domain.Catalog) {
		redescribe(c, in(described()[0].Value, "It says enough about the record。"))
	}},
	{"descriptions are translated", "card tools https://site-more.example/", func(c *domain.Catalog) {
		redescribe(c, in(described()[0].Value, described()[0].Value))
	}},
	{"descriptions are translated", "category chain_network-a", func(c *domain.Catalog) {
		c.Locales = append(c.Locales, "es")
		everywhere(c)
	}},
	{"the two scripts of Chinese are kept apart", "chain c0", func(c *domain.Catalog) {
		c.Chains[0].Name = domain.Text{{Locale: "en", Value: "C"}, {Locale: "zh-hans", Value: "區塊鏈"}}
	}},
	{"the two scripts of Chinese are kept apart", "menu tools", func(c *domain.Catalog) {
		c.Menus[0].Title = append(c.Menus[0].Title, domain.Translation{Locale: "zh-hant", Value: "工具与钱包"})
	}},
	{"texts keep to the glossary", "menu tools", func(c *domain.Catalog) { c.Menus[0].Title = in("Purses", "道具") }},
	{"texts keep to the glossary", "chain c0", func(c *domain.Catalog) { c.Chains[0].Name[0].Value = "The Purse" }},
	{"texts keep to the glossary", "app m", func(c *domain.Catalog) {
		c.Apps[0].Description = in(described()[0].Value, "財布について十分なことを述べている文章である。")
	}},
	{"texts keep to the glossary", "chain c1", func(c *domain.Catalog) {
		c.Chains[1].Description = in("It keeps a purse. "+aboutSmall()[0].Value, aboutSmall()[1].Value)
	}},
	{"names are those of the glossary", "menu tools", func(c *domain.Catalog) { c.Menus[0].Title = in("Wallets", "道具") }},
	{"sizes of the navigation", whole, func(c *domain.Catalog) { c.NavGroups, c.Menus, c.Categories, c.Chains = nil, nil, nil, nil }},
	{"menus have groups and standalone items", "menu tools", func(c *domain.Catalog) { c.Menus[0].Standalone = nil }},
	{"menus have groups and standalone items", "group tools/g2", func(c *domain.Catalog) {
		c.Menus[0].Groups = append(c.Menus[0].Groups, domain.MenuGroup{Slug: "g2", Name: in("Group", "群")})
	}},
	{"every menu is in a group", "menu tools", func(c *domain.Catalog) { c.NavGroups[0].Menus = []string{"others"} }},
	{"every menu is in a group", "nav group empty", func(c *domain.Catalog) {
		c.NavGroups = append(c.NavGroups, domain.NavGroup{Key: "empty", Name: in("Empty", "空"), Description: described()})
	}},
	{"items of cards have cards", "item tools/item_use-a", func(c *domain.Catalog) { c.Menus[0].Groups[0].Items[0].Cards = nil }},
	{"sizes of the apps", whole, func(c *domain.Catalog) { c.Menus[0].Standalone = c.Menus[0].Standalone[:1] }},
	{"apps are in the order of their keys", "app b", func(c *domain.Catalog) { c.Apps = append(c.Apps, smallApp("b")) }},
	{"apps say what they are", "app m", func(c *domain.Catalog) { c.Apps[0].Categories = nil }},
	{"an app has a link of its own", "app n", func(c *domain.Catalog) {
		c.Apps = append(c.Apps, smallApp("n"))
		c.Apps[1].Link = c.Apps[0].Link
	}},
	{"a card does not repeat its app", "card tools https://app-m.example/", func(c *domain.Catalog) { cardOfApp(c).Link = c.Apps[0].Link }},
	{"a card does not repeat its app", "card tools https://app-m.example/", func(c *domain.Catalog) { cardOfApp(c).Description = described() }},
	{"a card does not repeat its app", "card tools https://app-m.example/", func(c *domain.Catalog) {
		c.Apps[0].Platforms, cardOfApp(c).Platforms = []domain.Platform{"web"}, []domain.Platform{"web"}
	}},
	{"cards say what they are", "card tools https://site-more.example/", func(c *domain.Catalog) {
		c.Menus[0].Standalone[0].Cards[0].Categories = nil
	}},
	{"cards say what they are", "card tools https://site-item-use-a.example/", func(c *domain.Catalog) {
		c.Menus[0].Groups[0].Items[0].Cards[0].Categories = []string{"item_build-a"}
	}},
	{"texts are in all locales", "app m", func(c *domain.Catalog) { c.Apps[0].Description = described()[:1] }},
	{"descriptions are there", "app m", func(c *domain.Catalog) { c.Apps[0].Description = nil }},
	{"plain titles are names", "app m", func(c *domain.Catalog) { c.Apps[0].Title[0].Value = "Some good app" }},
	{"links are plain", "app m", func(c *domain.Catalog) { c.Apps[0].Links = []domain.Link{{Type: "docs", URL: "http://app-m.example/"}} }},
	{"links are plain", "card tools http://site.example/", func(c *domain.Catalog) { addLink(c, "http://site.example/") }},
	{"links are plain", "card tools https://site.example/?lang=en", func(c *domain.Catalog) { addLink(c, "https://site.example/?lang=en") }},
	{"one card for a site", "card tools https://app.site-more.example/", func(c *domain.Catalog) {
		c.Menus[0].Standalone[0].Cards[0].Link = "https://docs.site-more.example/"
		addLink(c, "https://app.site-more.example/")
	}},
	{"one card for a site", "card tools https://www.site-more.example/other", func(c *domain.Catalog) {
		addLink(c, "https://www.site-more.example/other")
	}},
}

// chainWith is a chain with some categories and otherwise like the first.
func chainWith(slug string, categories ...string) domain.Chain {
	return domain.Chain{Slug: slug, Name: domain.Text{{Locale: "en", Value: "C"}}, ChainID: "9", Categories: categories}
}

// everywhere copies all texts of the first locale to the last, except names of chains
// and titles of cards.
func everywhere(c *domain.Catalog) {
	last := c.Locales[len(c.Locales)-1]
	fill := func(t *domain.Text) { *t = append(*t, domain.Translation{Locale: last, Value: (*t)[0].Value}) }
	fill(&c.Title)
	for i := range c.Groups {
		fill(&c.Groups[i].Name)
	}
	for i := range c.Categories {
		fill(&c.Categories[i].Name)
		fill(&c.Categories[i].Description)
	}
	for i := range 2 {
		fill(&c.Accounts[i].Description)
		fill(&c.Chains[i].Description)
		fill(&c.Channels[i].Description)
		fill(&c.Menus[0].Groups[i].Name)
		fillItems(c.Menus[0].Groups[i].Items, fill)
	}
	fill(&c.Apps[0].Description)
	fill(&c.NavGroups[0].Name)
	fill(&c.NavGroups[0].Description)
	fill(&c.Menus[0].Title)
	fill(&c.Menus[0].Description)
	fillItems(c.Menus[0].Standalone, fill)
}

func fillItems(items []domain.Item, fill func(*domain.Text)) {
	for i := range items {
		fill(&items[i].Name)
		if items[i].Description != nil {
			fill(&items[i].Description)
		}
		for j := range items[i].Cards {
			if items[i].Cards[j].Description != nil {
				fill(&items[i].Cards[j].Description)
			}
		}
	}
}

func retitle(c *domain.Catalog, title string) {
	c.Menus[0].Standalone[0].Cards[0].Title = domain.Text{{Locale: "en", Value: title}}
}

func redescribe(c *domain.Catalog, text domain.Text) {
	c.Menus[0].Standalone[0].Cards[0].Description = text
}

func addItem(c *domain.Catalog, slug string, kind domain.ItemType) {
	c.Menus[0].Standalone = append(c.Menus[0].Standalone, domain.Item{Slug: slug, Type: kind,
		Name: in(slug, "類"), Description: described(), Cards: []domain.Card{smallCard("added", "item_use-a")}})
}

func addLink(c *domain.Catalog, link string) {
	card := smallCard("site", "item_use-a")
	card.Link = link
	c.Menus[0].Standalone = append(c.Menus[0].Standalone, domain.Item{Slug: "added", Type: domain.ItemLink,
		Name: in("Added", "追加"), Cards: []domain.Card{card}})
}

func TestBarsCanFail(t *testing.T) {
	all := bars(small, smallGlossary)
	if wrong := judge(smallCatalogue(), all, nil); wrong != nil {
		t.Fatalf("the small catalogue misses bars:\n%s", strings.Join(wrong, "\n"))
	}
	tried := map[string]bool{}
	for i, tt := range bad {
		tried[tt.bar] = true
		t.Run(fmt.Sprintf("%s/%d", tt.bar, i), func(t *testing.T) {
			c := smallCatalogue()
			tt.spoil(c)
			if !slices.ContainsFunc(judge(c, all, nil), func(msg string) bool {
				return strings.HasPrefix(msg, tt.bar+": "+tt.record+": ")
			}) {
				t.Errorf("no finding about %q; all: %q", tt.record, judge(c, all, nil))
			}
		})
	}
	for _, b := range all {
		if !tried[b.name] {
			t.Errorf("no bad catalogue for the bar %q", b.name)
		}
	}
}

func TestNames(t *testing.T) {
	for title, link := range map[string]string{
		"MetaMask": "https://metamask.io/", "Bank of Japan": "https://www.boj.or.jp/", "viem": "https://viem.sh/",
		"gTrade": "https://gains.trade/", "CAIPs": "https://chainagnostic.org/", "1inch": "https://1inch.io/",
	} {
		if !named(title, link) {
			t.Errorf("%q of %s is not recognised as a name", title, link)
		}
	}
	for title, link := range map[string]string{
		"Developer documentation": "https://developer.example/", "Documentation": "https://site.example/",
		"the site": "https://other.example/", "网站": "https://site.example/", "7 站": "https://site.example/",
	} {
		if named(title, link) {
			t.Errorf("%q of %s is mistaken for a name", title, link)
		}
	}
}

func TestExceptions(t *testing.T) {
	all := []bar{{"a bar", func(*domain.Catalog) []finding { return []finding{{"x", "low"}, {"y", "low"}} }}}
	got := judge(&domain.Catalog{}, all, []exception{
		{"a bar", "x", "so"}, {"a bar", "z", "so"}, {"another bar", "y", "so"}, {"a bar", "x", "so"}, {Bar: "a bar", Record: "y"},
	})
	want := []string{
		"exception a bar: x stands there twice",
		"exception a bar: y has no reason",
		"exception a bar: z is not needed any more",
		"exception another bar: y is not needed any more",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("judgement (-want +got):\n%s", diff)
	}
}
