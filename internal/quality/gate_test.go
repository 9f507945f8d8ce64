package quality_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/publish"
	"vitrine/internal/store"
	"vitrine/internal/store/sqlite"
)

// change is one edit of the bundled catalogue, which the gate must hold by rules that begin with
// held, or must let pass where held is "".
type change struct {
	name string
	held string
	edit func(c *domain.Catalog)
}

func eachChain(edit func(i int, c *domain.Chain)) func(*domain.Catalog) {
	return func(c *domain.Catalog) {
		for i := range c.Chains {
			edit(i, &c.Chains[i])
		}
	}
}

func eachApp(edit func(i int, a *domain.App)) func(*domain.Catalog) {
	return func(c *domain.Catalog) {
		for i := range c.Apps {
			edit(i, &c.Apps[i])
		}
	}
}

func chainOf(c *domain.Catalog, slug string) *domain.Chain {
	i := slices.IndexFunc(c.Chains, func(c domain.Chain) bool { return c.Slug == slug })
	if i < 0 {
		panic("no chain " + slug)
	}
	return &c.Chains[i]
}

func appOf(c *domain.Catalog, key string) *domain.App {
	i := slices.IndexFunc(c.Apps, func(a domain.App) bool { return a.Key == key })
	if i < 0 {
		panic("no app " + key)
	}
	return &c.Apps[i]
}

func menuOf(c *domain.Catalog, slug string) *domain.Menu {
	i := slices.IndexFunc(c.Menus, func(m domain.Menu) bool { return m.PathSlug == slug })
	if i < 0 {
		panic("no menu " + slug)
	}
	return &c.Menus[i]
}

func deleteMenu(c *domain.Catalog, slug string) {
	menuOf(c, slug)
	c.Menus = slices.DeleteFunc(slices.Clone(c.Menus), func(m domain.Menu) bool { return m.PathSlug == slug })
	for i := range c.NavGroups {
		c.NavGroups[i].Menus = slices.DeleteFunc(slices.Clone(c.NavGroups[i].Menus), func(s string) bool { return s == slug })
	}
}

// keep removes the other cards of a menu.
func keep(m *domain.Menu, kept func(domain.Card) bool) {
	items := func(items []domain.Item) []domain.Item {
		items = slices.Clone(items)
		for i := range items {
			items[i].Cards = slices.DeleteFunc(slices.Clone(items[i].Cards), func(c domain.Card) bool { return !kept(c) })
		}
		return items
	}
	m.Groups, m.Standalone = slices.Clone(m.Groups), items(m.Standalone)
	for i := range m.Groups {
		m.Groups[i].Items = items(m.Groups[i].Items)
	}
}

// relink changes the links of the cards of a menu that have one of their own.
func relink(m *domain.Menu, link func(string) string) {
	keep(m, func(domain.Card) bool { return true }) // copies the cards
	for card := range m.Cards() {
		if card.Link != "" {
			card.Link = link(card.Link)
		}
	}
}

// keepCards keeps one of every n cards of a menu.
func keepCards(c *domain.Catalog, slug string, n int) {
	i := 0
	keep(menuOf(c, slug), func(domain.Card) bool { i++; return i%n == 0 })
}

func times(f *domain.Figure, factor float64) *domain.Figure {
	if f == nil {
		return nil
	}
	g := *f
	g.Value *= factor
	return &g
}

func without(t domain.Text, locales ...string) domain.Text {
	return slices.DeleteFunc(slices.Clone(t), func(tr domain.Translation) bool { return slices.Contains(locales, tr.Locale) })
}

func english(name string) domain.Text { return domain.Text{{Locale: "en", Value: name}} }

func dropLocales(locales ...string) func(*domain.Catalog) {
	return func(c *domain.Catalog) {
		c.Locales = slices.DeleteFunc(slices.Clone(c.Locales), func(l string) bool { return slices.Contains(locales, l) })
		for i := range c.Chains {
			c.Chains[i].Name, c.Chains[i].Description = without(c.Chains[i].Name, locales...), without(c.Chains[i].Description, locales...)
		}
		for i := range c.Apps {
			c.Apps[i].Title, c.Apps[i].Description = without(c.Apps[i].Title, locales...), without(c.Apps[i].Description, locales...)
		}
		for i := range c.Categories {
			c.Categories[i].Name, c.Categories[i].Description = without(c.Categories[i].Name, locales...), without(c.Categories[i].Description, locales...)
		}
	}
}

func isTestnet(c *domain.Chain) bool { return slices.Contains(c.Categories, "testnet") }

func badChanges() []change {
	return []change{
		{"every RPC host is replaced", "bulk:chains.rpc", eachChain(func(i int, c *domain.Chain) {
			if len(c.RPC) > 0 {
				c.RPC = []domain.Endpoint{{URL: fmt.Sprintf("https://rpc%d.evil.example/", i)}}
			}
		})},
		{"every RPC host is one host", "identical:chains.rpc", eachChain(func(i int, c *domain.Chain) {
			if len(c.RPC) > 0 {
				c.RPC = []domain.Endpoint{{URL: "https://rpc.evil.example/"}}
			}
		})},
		{"all chain ids are shifted by one record", "moved:chains.chain_id", func(c *domain.Catalog) {
			last := c.Chains[len(c.Chains)-1].ChainID
			for i := len(c.Chains) - 1; i > 0; i-- {
				c.Chains[i].ChainID = c.Chains[i-1].ChainID
			}
			c.Chains[0].ChainID = last
		}},
		{"all chain ids plus one", "bulk:chains.chain_id", eachChain(func(_ int, c *domain.Chain) { c.ChainID += "1" })},
		{"two slugs are swapped", "moved:chains.chain_id", func(c *domain.Catalog) {
			a, b := chainOf(c, "arbitrum-one"), chainOf(c, "op-mainnet")
			a.Slug, b.Slug = b.Slug, a.Slug
		}},
		{"two names are swapped", "moved:chains.name", func(c *domain.Catalog) {
			a, b := chainOf(c, "arbitrum-one"), chainOf(c, "op-mainnet")
			a.Name, b.Name = b.Name, a.Name
		}},
		{"two apps swap links", "moved:apps.link", func(c *domain.Catalog) {
			a, b := appOf(c, "metamask"), appOf(c, "trezor")
			a.Link, b.Link = b.Link, a.Link
		}},
		{"two apps swap keys", "moved:apps.", func(c *domain.Catalog) {
			a, b := appOf(c, "metamask"), appOf(c, "trezor")
			a.Key, b.Key = b.Key, a.Key
		}},
		{"all decimals are 6", "bulk:chains.native_currency.decimals", eachChain(func(_ int, c *domain.Chain) {
			if c.Currency != nil {
				currency := *c.Currency
				currency.Decimals = 6
				c.Currency = &currency
			}
		})},
		{"decimals of one known chain", "currency:chains", func(c *domain.Catalog) {
			chain := chainOf(c, "ethereum-mainnet")
			currency := *chain.Currency
			currency.Decimals = 8
			chain.Currency = &currency
		}},
		{"symbol of one known chain", "currency:chains", func(c *domain.Catalog) {
			chain := chainOf(c, "ethereum-mainnet")
			currency := *chain.Currency
			currency.Symbol = "USDC"
			chain.Currency = &currency
		}},
		{"all currencies are Ether", "identical:chains.native_currency.symbol", eachChain(func(_ int, c *domain.Chain) {
			if c.Currency != nil {
				c.Currency = &domain.Currency{Name: "Ether", Symbol: "ETH", Decimals: 18}
			}
		})},
		{"every chain is retired", "shrink:chains", eachChain(func(_ int, c *domain.Chain) { c.Status = domain.StatusRetired })},
		{"every app is retired", "shrink:apps", eachApp(func(_ int, a *domain.App) { a.Status = domain.StatusRetired })},
		{"all retired chains live again", "bulk:chains.status", eachChain(func(_ int, c *domain.Chain) { c.Status = "" })},
		{"TVL times 1000", "jump:llama_tvl", eachChain(func(_ int, c *domain.Chain) { c.TVL = times(c.TVL, 1000) })},
		{"TVL divided by 1000", "jump:llama_tvl", eachChain(func(_ int, c *domain.Chain) { c.TVL = times(c.TVL, .001) })},
		{"TVL of a small chain leads the list", "jump:llama_tvl", func(c *domain.Catalog) {
			chain := chainOf(c, "base")
			chain.TVL = times(chain.TVL, 1e4)
		}},
		{"every TVL is gone", "emptied:chains.llama_tvl", eachChain(func(_ int, c *domain.Chain) { c.TVL = nil })},
		{"every TVL is 0", "emptied:chains.llama_tvl", eachChain(func(_ int, c *domain.Chain) { c.TVL = times(c.TVL, 0) })},
		{"every TVL is the same", "identical:chains.llama_tvl", eachChain(func(_ int, c *domain.Chain) {
			if c.TVL != nil {
				c.TVL = &domain.Figure{Value: 5e9, Source: c.TVL.Source, AsOf: c.TVL.AsOf}
			}
		})},
		{"dates of figures go back", "backwards:llama_tvl", eachChain(func(_ int, c *domain.Chain) {
			if c.TVL != nil {
				c.TVL = &domain.Figure{Value: c.TVL.Value, Source: c.TVL.Source, AsOf: "2024-01-01"}
			}
		})},
		{"followers times 1000", "jump:followers_count", func(c *domain.Catalog) {
			for i := range c.Accounts {
				c.Accounts[i].Followers = times(c.Accounts[i].Followers, 1000)
			}
		}},
		{"every follower count is gone", "shrink:twitter", func(c *domain.Catalog) {
			for i := range c.Accounts {
				c.Accounts[i].Followers = nil
			}
		}},
		{"mainnets and testnets are exchanged", "category:testnet", eachChain(func(_ int, c *domain.Chain) {
			if isTestnet(c) {
				c.Categories = slices.DeleteFunc(slices.Clone(c.Categories), func(k string) bool { return k == "testnet" })
			} else {
				c.Categories = append(slices.Clone(c.Categories), "testnet")
			}
		})},
		{"all mainnets become testnets", "category:", eachChain(func(_ int, c *domain.Chain) { c.Categories = []string{"testnet"} })},
		{"all categories are gone from apps", "category:", eachApp(func(_ int, a *domain.App) { a.Categories = nil })},
		{"all names are Chain", "identical:chains.name.en", eachChain(func(_ int, c *domain.Chain) { c.Name = english("Chain") })},
		{"all titles are numbered", "bulk:apps.title.en", eachApp(func(i int, a *domain.App) { a.Title = english(fmt.Sprint("App ", i)) })},
		{"all descriptions are one", "identical:apps.description.en", eachApp(func(_ int, a *domain.App) { a.Description = english("An app") })},
		{"four of five locales are removed", "emptied:locale.ja", dropLocales("es", "ja", "zh-hans", "zh-hant")},
		{"one locale loses its texts but stays declared", "emptied:categories.name.ja", func(c *domain.Catalog) {
			for i := range c.Categories {
				c.Categories[i].Name = without(c.Categories[i].Name, "ja")
			}
		}},
		{"all menus are unlisted", "shrink:menus", func(c *domain.Catalog) {
			for i := range c.NavGroups {
				c.NavGroups[i].Menus = nil
			}
		}},
		{"the navigation is gone", "shrink:nav", func(c *domain.Catalog) { c.NavGroups = nil }},
		{"half of the menus are gone", "shrink:menus", func(c *domain.Catalog) { c.Menus = c.Menus[:len(c.Menus)/2] }},
		{"cards of every menu are gone", "shrink:cards", func(c *domain.Catalog) {
			for i := range c.Menus {
				c.Menus[i].Groups, c.Menus[i].Standalone = nil, nil
			}
		}},
		{"a whole menu is deleted", "shrink:cards", func(c *domain.Catalog) { deleteMenu(c, "defi") }},
		{"nine tenths of the cards of a menu are gone", "shrink:cards", func(c *domain.Catalog) { keepCards(c, "defi", 10) }},
		{"every second card of a menu is gone", "shrink:cards", func(c *domain.Catalog) { keepCards(c, "wallets", 2) }},
		{"the cards of a menu lead to another site", "bulk:cards.link", func(c *domain.Catalog) {
			relink(menuOf(c, "learning"), func(link string) string { return "https://other.example/" + link })
		}},
		{"a third of the chains is gone", "shrink:chains", func(c *domain.Catalog) { c.Chains = c.Chains[len(c.Chains)/3:] }},
		{"all categories are renamed without former", "shrink:categories", func(c *domain.Catalog) {
			for i := range c.Categories {
				c.Categories[i].Key = "x-" + c.Categories[i].Key
			}
		}},
		{"all slugs are renamed without former", "shrink:chains", eachChain(func(_ int, c *domain.Chain) { c.Slug = "x-" + c.Slug })},
		{"ids are exchanged", "moved:chains.id", func(c *domain.Catalog) {
			a, b := chainOf(c, "arbitrum-one"), chainOf(c, "op-mainnet")
			a.ID, b.ID = b.StableID(), a.StableID()
		}},
		{"another chain takes a chain id", "moved:chains.chain_id", func(c *domain.Catalog) {
			a, b := chainOf(c, "arbitrum-one"), chainOf(c, "op-mainnet")
			a.ChainID, b.ChainID = "424242", a.ChainID
		}},
		{"a chain gets the endpoint of another one", "moved:chains.rpc", func(c *domain.Catalog) {
			a, b := chainOf(c, "arbitrum-one"), chainOf(c, "avalanche-c-chain")
			a.RPC = append(slices.Clone(a.RPC), b.RPC[0])
		}},
		{"a chain gets all endpoints of a chain with the same parent", "moved:chains.rpc", func(c *domain.Catalog) {
			chainOf(c, "arbitrum-one").RPC = chainOf(c, "base").RPC
		}},
		{"a chain gets an endpoint with the name of another one", "moved:chains.rpc", func(c *domain.Catalog) {
			a := chainOf(c, "arbitrum-one")
			a.RPC = append(slices.Clone(a.RPC), domain.Endpoint{URL: "https://solana.rpc.provider.com/"})
		}},
		{"a slug is reused for another chain", "replaced:chains", func(c *domain.Catalog) {
			a := chainOf(c, "base")
			*a = domain.Chain{Slug: "base", Name: english("Base Camp"), ChainID: "99887766", Website: "https://basecamp.example/"}
		}},
		{"an app key is reused", "replaced:apps", func(c *domain.Catalog) {
			a := appOf(c, "metamask")
			a.Title, a.Link = english("Fox Runner"), "https://foxrunner.example/"
		}},
		{"a website of another chain", "moved:chains.website", func(c *domain.Catalog) {
			a, b := chainOf(c, "bitcoin"), chainOf(c, "solana")
			a.Website, b.Website = "https://bitcoin.example/", a.Website
		}},
		{"a link one letter off", "lookalike:apps.link", func(c *domain.Catalog) { appOf(c, "metamask").Link = "https://metamsk.io/" }},
		{"a link with rn for m", "lookalike:apps.link", func(c *domain.Catalog) { appOf(c, "metamask").Link = "https://metarnask.io/" }},
		{"a punycode link", "lookalike:apps.link", func(c *domain.Catalog) { appOf(c, "metamask").Link = "https://xn--metmask-5nf.io/" }},
		{"a new app with a look-alike host", "lookalike:apps.link", func(c *domain.Catalog) {
			c.Apps = append(slices.Clip(c.Apps), domain.App{Key: "uniswap-airdrop", Title: english("Airdrop of Uniswap"), Link: "https://un1swap.org/"})
		}},
		{"a new app with the name of another one in its host", "lookalike:apps.link", func(c *domain.Catalog) {
			c.Apps = append(c.Apps, domain.App{Key: "uniswap-v4", Title: english("Uniswap v4"), Link: "https://app.uniswap-v4.org/", Categories: []string{"decentralised-exchange"}})
		}},
		{"a link with the name of its app and a word", "lookalike:apps.link", func(c *domain.Catalog) { appOf(c, "aave").Link = "https://aave-rewards.com/" }},
		{"a card with the name of an app in its host", "lookalike:cards.link", func(c *domain.Catalog) {
			m := menuOf(c, "exchanges")
			m.Groups = slices.Clone(m.Groups)
			m.Groups[0].Items = slices.Clone(m.Groups[0].Items)
			item := &m.Groups[0].Items[0]
			item.Cards = append(slices.Clip(item.Cards), domain.Card{Title: english("Airdrop"), Link: "https://uniswap-airdrop.com/"})
		}},
		{"three of the largest chains retire", "shrink:chains", func(c *domain.Catalog) {
			for _, slug := range []string{"base", "arbitrum-one", "solana"} {
				chainOf(c, slug).Status = domain.StatusRetired
			}
		}},
		{"a chain id with two digits exchanged", "replaced:chains", func(c *domain.Catalog) { chainOf(c, "base").ChainID = "8543" }},
		{"all Japanese descriptions of apps are in English", "emptied:apps.description.ja", eachApp(func(_ int, a *domain.App) {
			english, _ := a.Description.In("en")
			a.Description = slices.Clone(a.Description)
			for i := range a.Description {
				if a.Description[i].Locale == "ja" {
					a.Description[i].Value = english
				}
			}
		})},
		{"a look-alike website of a chain", "lookalike:chains.website", func(c *domain.Catalog) { chainOf(c, "solana").Website = "https://so1ana.com/" }},
		{"all websites are gone", "emptied:chains.website", eachChain(func(_ int, c *domain.Chain) { c.Website = "" })},
		{"all endpoints are gone", "emptied:chains.rpc", eachChain(func(_ int, c *domain.Chain) { c.RPC = nil })},
		{"all links of apps lead to one host", "identical:apps.link", eachApp(func(i int, a *domain.App) { a.Link = fmt.Sprintf("https://go.example/%d", i) })},
		{"all logos are gone", "emptied:chains.logo", eachChain(func(_ int, c *domain.Chain) { c.Logo = "" })},
		{"all descriptions of chains are gone", "emptied:chains.description.en", eachChain(func(_ int, c *domain.Chain) { c.Description = nil })},
		{"all launch dates are one day", "identical:chains.launched", eachChain(func(_ int, c *domain.Chain) {
			if c.Launched != "" {
				c.Launched = "2024-01-01"
			}
		})},
		{"all chains of apps are gone", "emptied:apps.chains", eachApp(func(_ int, a *domain.App) { a.Chains = nil })},
		{"all aliases are gone", "emptied:chains.aliases", eachChain(func(_ int, c *domain.Chain) { c.Aliases = nil })},
		{"all parents are Ethereum", "bulk:chains.parent", eachChain(func(_ int, c *domain.Chain) {
			if c.Parent != "" {
				c.Parent = "bitcoin"
			}
		})},
		{"half of the apps move to another chain", "bulk:apps.chains", eachApp(func(i int, a *domain.App) {
			if len(a.Chains) > 0 && i%2 == 0 {
				a.Chains = []string{"bitcoin"}
			}
		})},
		{"all platforms of chains times ten", "jump:platforms", eachChain(func(_ int, c *domain.Chain) { c.Platforms = times(c.Platforms, 10) })},
		{"all channels get other ids", "shrink:youtube", func(c *domain.Catalog) {
			for i := range c.Channels {
				c.Channels[i].ChannelID = strings.ToLower(c.Channels[i].ChannelID)
			}
		}},
	}
}

// honestChanges are changes that editors make. One that needs an acceptance names its rule.
func honestChanges() []change {
	return []change{
		{"a new locale", "", func(c *domain.Catalog) {
			c.Locales = append(slices.Clone(c.Locales), "fr")
			for i := range c.Chains {
				c.Chains[i].Name = append(slices.Clone(c.Chains[i].Name), domain.Translation{Locale: "fr", Value: "Réseau"})
			}
		}},
		{"a category is renamed with former", "", func(c *domain.Catalog) {
			for i := range c.Categories {
				if c.Categories[i].Key == "testnet" {
					c.Categories[i].Key, c.Categories[i].Former = "test-network", []string{"testnet"}
				}
			}
			c.Search = &domain.SearchRules{Demote: []string{"test-network"}}
			for i := range c.Chains {
				if isTestnet(&c.Chains[i]) {
					keys := slices.Clone(c.Chains[i].Categories)
					keys[slices.Index(keys, "testnet")] = "test-network"
					c.Chains[i].Categories = keys
				}
			}
		}},
		{"all categories are renamed with former", "", func(c *domain.Catalog) {
			for i := range c.Categories {
				c.Categories[i].Former = []string{c.Categories[i].Key}
				c.Categories[i].Key = "x-" + c.Categories[i].Key
			}
			rename := func(keys []string) []string {
				keys = slices.Clone(keys)
				for i := range keys {
					keys[i] = "x-" + keys[i]
				}
				return keys
			}
			for i := range c.Chains {
				c.Chains[i].Categories = rename(c.Chains[i].Categories)
			}
			for i := range c.Apps {
				c.Apps[i].Categories = rename(c.Apps[i].Categories)
			}
			for i := range c.Accounts {
				c.Accounts[i].Categories = rename(c.Accounts[i].Categories)
			}
			for i := range c.Channels {
				c.Channels[i].Categories = rename(c.Channels[i].Categories)
			}
		}},
		{"all slugs are renamed with former", "", eachChain(func(_ int, c *domain.Chain) { c.Former, c.Slug = []string{c.Slug}, "x-"+c.Slug })},
		{"300 new chains", "", func(c *domain.Catalog) {
			for i := range 300 {
				c.Chains = append(c.Chains, domain.Chain{
					Slug: fmt.Sprintf("new-chain-%d", i), Name: english(fmt.Sprintf("New Chain %d", i)), ChainID: fmt.Sprint(7_000_000 + i),
					RPC: []domain.Endpoint{{URL: fmt.Sprintf("https://rpc.newchain%d.example/", i)}}, Website: fmt.Sprintf("https://newchain%d.example/", i),
					Currency: &domain.Currency{Name: "New", Symbol: "NEW", Decimals: 18},
				})
			}
		}},
		{"300 new chains by one provider", "", func(c *domain.Catalog) {
			for i := range 300 {
				c.Chains = append(c.Chains, domain.Chain{
					Slug: fmt.Sprintf("new-chain-%d", i), Name: english(fmt.Sprintf("New Chain %d", i)), ChainID: fmt.Sprint(7_000_000 + i),
					RPC: []domain.Endpoint{{URL: fmt.Sprintf("https://rpc.ankr.com/new%d", i)}}, Website: "https://newchains.example/",
				})
			}
		}},
		{"a new source of TVL", "", eachChain(func(i int, c *domain.Chain) {
			if c.TVL != nil {
				c.TVL = &domain.Figure{Value: c.TVL.Value * (0.7 + float64(i%7)/10), Source: "another", AsOf: "2026-11-01"}
			}
		})},
		{"a new recording half a year later", "", eachChain(func(i int, c *domain.Chain) {
			if c.TVL != nil {
				c.TVL = &domain.Figure{Value: c.TVL.Value * []float64{0.2, 0.5, 0.9, 1.3, 2, 4}[i%6], Source: c.TVL.Source, AsOf: "2026-11-20"}
			}
		})},
		{"new follower counts", "", func(c *domain.Catalog) {
			for i := range c.Accounts {
				if f := c.Accounts[i].Followers; f != nil {
					c.Accounts[i].Followers = &domain.Figure{Value: f.Value * 1.1, Source: f.Source, AsOf: "2026-11-20"}
				}
			}
		}},
		{"a cleaned-up list: names without their network", "", eachChain(func(i int, c *domain.Chain) {
			name, _ := c.Name.In("en")
			if i%10 == 0 {
				c.Name = english(strings.TrimSuffix(strings.TrimSuffix(name, " Mainnet"), " Network"))
			}
		})},
		{"a cleaned-up list: dead endpoints go", "", eachChain(func(_ int, c *domain.Chain) {
			if len(c.RPC) > 2 {
				c.RPC = c.RPC[:len(c.RPC)*2/5+1]
			}
		})},
		{"a cleaned-up list: a tenth of the chains is retired", "", eachChain(func(i int, c *domain.Chain) {
			if i%10 == 0 {
				c.Status = domain.StatusRetired
			}
		})},
		{"retired chains lose their endpoints", "", eachChain(func(i int, c *domain.Chain) {
			if i%10 == 0 {
				c.Status, c.RPC, c.Website = domain.StatusRetired, nil, ""
			}
		})},
		{"a fifth of the apps is removed", "", func(c *domain.Catalog) { c.Apps = c.Apps[:len(c.Apps)*4/5+1] }},
		{"one chain is removed", "", func(c *domain.Catalog) { c.Chains = slices.Delete(c.Chains, 7, 8) }},
		{"one chain is renamed with former", "", func(c *domain.Catalog) {
			chain := chainOf(c, "base")
			chain.Slug, chain.Former = "base-mainnet", []string{"base"}
		}},
		{"one chain is renamed without former", "", func(c *domain.Catalog) { chainOf(c, "base").Slug = "base-mainnet" }},
		{"a chain gets a new name", "", func(c *domain.Catalog) { chainOf(c, "base").Name = english("Base Chain") }},
		{"a chain moves its website", "", func(c *domain.Catalog) { chainOf(c, "solana").Website = "https://solana.foundation/" }},
		{"an app moves to another top-level domain", "", func(c *domain.Catalog) { appOf(c, "metamask").Link = "https://metamask.com/" }},
		{"an app gets a new name", "", func(c *domain.Catalog) { appOf(c, "metamask").Title = english("Fox Wallet") }},
		{"all cards lead to other pages of their sites", "", func(c *domain.Catalog) {
			for i := range c.Menus {
				relink(&c.Menus[i], func(link string) string { return link + "?ref=vitrine" })
			}
		}},
		{"all descriptions are rewritten", "", eachApp(func(_ int, a *domain.App) {
			a.Description = slices.Clone(a.Description)
			for i := range a.Description {
				a.Description[i].Value += " (new)"
			}
		})},
		{"all Japanese names are rewritten", "", func(c *domain.Catalog) {
			for i := range c.Categories {
				c.Categories[i].Name = append(without(c.Categories[i].Name, "ja"), domain.Translation{Locale: "ja", Value: fmt.Sprint("カテゴリ", i)})
				slices.SortFunc(c.Categories[i].Name, func(a, b domain.Translation) int { return strings.Compare(a.Locale, b.Locale) })
			}
		}},
		{"all logos move to one host", "", eachChain(func(i int, c *domain.Chain) { c.Logo = fmt.Sprintf("https://logos.example/%d.svg", i) })},
		{"every chain gets a description", "", eachChain(func(i int, c *domain.Chain) {
			if c.Description == nil {
				c.Description = english(fmt.Sprint("A network, number ", i))
			}
		})},
		{"every app gets chains", "", eachApp(func(_ int, a *domain.App) {
			if len(a.Chains) == 0 {
				a.Chains = []string{"ethereum-mainnet"}
			}
		})},
		{"a new category for half of the chains", "", func(c *domain.Catalog) {
			c.Categories = append(c.Categories, domain.Category{Key: "fast", Name: english("Fast"), Scopes: []domain.Module{domain.ModuleChain}})
			for i := range c.Chains {
				if i%2 == 0 {
					c.Chains[i].Categories = append(slices.Clone(c.Chains[i].Categories), "fast")
				}
			}
		}},
		{"a category is split", "", func(c *domain.Catalog) {
			n := 0
			for i := range c.Apps {
				if j := slices.Index(c.Apps[i].Categories, "mobile-wallet"); j >= 0 {
					if n++; n%6 == 0 {
						c.Apps[i].Categories = append(slices.Delete(slices.Clone(c.Apps[i].Categories), j, j+1), "hardware-wallet")
					}
				}
			}
		}},
		{"a menu is unlisted", "", func(c *domain.Catalog) {
			c.NavGroups[0].Menus = c.NavGroups[0].Menus[1:]
		}},
		{"menus are reordered", "", func(c *domain.Catalog) {
			for i := range c.NavGroups {
				menus := slices.Clone(c.NavGroups[i].Menus)
				slices.Reverse(menus)
				c.NavGroups[i].Menus = menus
			}
		}},
		{"a menu is tidied up", "", func(c *domain.Catalog) {
			n := 0
			keep(menuOf(c, "defi"), func(domain.Card) bool { n++; return n%5 != 0 })
		}},
		{"a menu is merged into another", "", func(c *domain.Catalog) {
			from, to := *menuOf(c, "cover-and-risk"), menuOf(c, "defi")
			to.Groups = append(slices.Clip(to.Groups), from.Groups...)
			to.Standalone = append(slices.Clip(to.Standalone), from.Standalone...)
			deleteMenu(c, "cover-and-risk")
		}},
		{"a menu is renamed with former", "", func(c *domain.Catalog) {
			menuOf(c, "defi").Former, menuOf(c, "defi").PathSlug = []string{"defi"}, "decentralised-finance"
			for i := range c.NavGroups {
				c.NavGroups[i].Menus = slices.Clone(c.NavGroups[i].Menus)
				if j := slices.Index(c.NavGroups[i].Menus, "defi"); j >= 0 {
					c.NavGroups[i].Menus[j] = "decentralised-finance"
				}
			}
		}},
		{"navigation groups are merged", "", func(c *domain.Catalog) {
			c.NavGroups[0].Menus = append(slices.Clone(c.NavGroups[0].Menus), c.NavGroups[1].Menus...)
			c.NavGroups = slices.Delete(c.NavGroups, 1, 2)
		}},
		{"upcoming chains start", "", func(c *domain.Catalog) {
			n := 0
			for i := range c.Chains {
				if c.Chains[i].Status == domain.StatusUpcoming {
					if n++; n <= 5 {
						c.Chains[i].Status = ""
					}
				}
			}
		}},
		{"a test network is renumbered", "", func(c *domain.Catalog) {
			i := slices.IndexFunc(c.Chains, func(c domain.Chain) bool { return isTestnet(&c) })
			old := c.Chains[i]
			c.Chains[i].ChainID = "987654321"
			old.Slug += "-1"
			c.Chains = append(c.Chains, old)
		}},
		{"parents of test networks are filled in", "", eachChain(func(_ int, c *domain.Chain) {
			if isTestnet(c) && c.Parent == "" {
				c.Parent = "ethereum-mainnet"
			}
		})},
		{"aliases are added", "", eachChain(func(i int, c *domain.Chain) { c.Aliases = append(slices.Clip(c.Aliases), fmt.Sprint("alias ", i)) })},
		{"endpoints are added", "", eachChain(func(i int, c *domain.Chain) {
			c.RPC = append(slices.Clip(c.RPC), domain.Endpoint{URL: fmt.Sprintf("https://rpc.provider.example/%d", i)})
		})},
		{"currencies are filled in", "", eachChain(func(_ int, c *domain.Chain) {
			if c.Currency == nil {
				c.Currency = &domain.Currency{Name: "Coin", Symbol: "COIN", Decimals: 18}
			}
		})},
		{"a symbol changes", "currency:chains", func(c *domain.Catalog) {
			chain := chainOf(c, "polygon-mainnet")
			currency := *chain.Currency
			currency.Symbol = "POL2"
			chain.Currency = &currency
		}},
		{"a locale is given up", "emptied:locale.es", dropLocales("es")},
		{"accounts are added without followers", "", func(c *domain.Catalog) {
			for i := range 200 {
				c.Accounts = append(c.Accounts, &domain.Account{Handle: fmt.Sprint("handle", i), Name: fmt.Sprint("Account ", i), Website: fmt.Sprintf("https://project%d.example/", i)})
			}
		}},
	}
}

// publishedBundle returns a store with the bundled catalogue, and the served catalogue.
func publishedBundle(t *testing.T) (store.Store, *domain.Catalog) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), t.TempDir()+"/vitrine.db")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	c := readBundled(t).Catalog
	publishNow(t, planOf(t, s, c), s)
	return s, c
}

// loadedOnce is a store with one revision, which it reads once: planning does not change states.
type loadedOnce struct {
	store.Store
	state *store.State
}

func (s *loadedOnce) Load(ctx context.Context, number int64) (*store.State, error) {
	if s.state != nil && (number == 0 || number == s.state.Revision.Number) {
		return s.state, nil
	}
	state, err := s.Store.Load(ctx, number)
	if err == nil {
		s.state = state
	}
	return state, err
}

// planOf plans an import of a catalogue.
func planOf(t *testing.T, s store.Store, c *domain.Catalog) *publish.Plan {
	t.Helper()
	plan, err := publish.Import(t.Context(), s, &bundle.Directory{Catalog: c, Digest: "of a test"}, publish.From{})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func publishNow(t *testing.T, plan *publish.Plan, s store.Store) {
	t.Helper()
	if _, err := plan.Publish(t.Context(), s, store.Note{At: time.Now()}); err != nil {
		t.Fatal(err)
	}
}

// Honest changes are published at once or with one acceptance.
func TestImportsOfHonestChangesPass(t *testing.T) {
	s, served := publishedBundle(t)
	s = &loadedOnce{Store: s}
	for _, honest := range honestChanges() {
		t.Run(honest.name, func(t *testing.T) {
			plan := planOf(t, s, edited(served, honest.edit))
			if len(plan.Changes) == 0 {
				t.Fatal("it changes nothing")
			}
			if honest.held != "" {
				if needless := plan.Accept([]string{honest.held}); needless != nil {
					t.Errorf("%s does not hold it", honest.held)
				}
			}
			if err := plan.Held(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestImportsOfBadChangesAreHeld(t *testing.T) {
	s, served := publishedBundle(t)
	s = &loadedOnce{Store: s}
	for _, bad := range badChanges() {
		t.Run(bad.name, func(t *testing.T) {
			plan := planOf(t, s, edited(served, bad.edit))
			held, _ := errors.AsType[*publish.HeldError](plan.Held())
			if held == nil || !slices.ContainsFunc(held.Holds, func(h publish.Hold) bool { return strings.HasPrefix(h.Rule, bad.held) }) {
				t.Errorf("not held by %s: %v", bad.held, plan.Held())
			}
		})
	}
}

func TestImportsHoldGradualLoss(t *testing.T) {
	s, served := publishedBundle(t)
	for publishes := range 8 {
		served = edited(served, func(c *domain.Catalog) {
			left := len(c.Chains) * 77 / 100
			c.Chains = slices.DeleteFunc(c.Chains, func(chain domain.Chain) bool { // the largest chains stay
				gone := left < 0 && (chain.TVL == nil || chain.TVL.Value < 1e8)
				left--
				return gone
			})
		})
		plan := planOf(t, s, served)
		held, _ := errors.AsType[*publish.HeldError](plan.Held())
		if held == nil {
			publishNow(t, plan, s)
			continue
		}
		if publishes < 1 || !strings.Contains(held.Rules(), "shrink:chains") || !strings.Contains(held.Error(), "within the window") {
			t.Errorf("import %d is held by %v", publishes, held)
		}
		plan.Accept([]string{"shrink:chains"})
		publishNow(t, plan, s)
		one := edited(served, func(c *domain.Catalog) { c.Chains = c.Chains[1:] })
		if err := planOf(t, s, one).Held(); err != nil {
			t.Errorf("after the acceptance, one more loss is held: %v", err)
		}
		return
	}
	t.Error("eight losses of 23 % each are never held")
}

// edited returns a copy of a catalogue with an edit, which may change records but must not write
// into what they hold.
func edited(served *domain.Catalog, edit func(*domain.Catalog)) *domain.Catalog {
	c := *served
	c.Chains, c.Apps, c.Accounts, c.Channels = slices.Clone(c.Chains), slices.Clone(c.Apps), slices.Clone(c.Accounts), slices.Clone(c.Channels)
	c.Categories, c.Groups, c.NavGroups, c.Menus = slices.Clone(c.Categories), slices.Clone(c.Groups), slices.Clone(c.NavGroups), slices.Clone(c.Menus)
	for i, a := range c.Accounts {
		own := *a
		c.Accounts[i] = &own
	}
	edit(&c)
	return &c
}
