package operations_test

// Random catalogues and requests for the comparison with the oracle. The seed of the generator
// determines all of them.

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vitrine/internal/domain"
)

// nastyTexts has texts that have revealed bugs: composed and decomposed accents, ligatures,
// scripts without spaces, camel case, digits, emoji, marks without a letter.
var nastyTexts = []string{
	"OpenAI", "AI Arena", "Mainnet", "mainnet beta", "0G Galileo", "Web3Auth", "zkSync Era", "iOS 17",
	"Zürich", "Zu\u0308rich", "Éclair", "E\u0301clair", "naïve", "ﬁnance ﬁrst", "Straße", "STRASSE", "İstanbul", "ΣΊΣΥΦΟΣ", "Σίσυφος", "ᾠδή ΐ",
	"Ёлка", "йод", "שָׁלוֹם", "مُحَمَّد", "हिन्दी", "ไทยแลนด์", "한국어", "한국", "日本語", "カタカナ", "ｶﾞｷﾞ", "がぎぐ", "以太坊", "币安智能链", "Ａｒｂ Ｏｎｅ",
	"@vitalik", "a@b c", "$DOGE", "🚀 Moon", "🚀🌕", "👩‍💻 dev", "C++ & <Rust>", `say "hi" \ bye`, "x", "Z", "å", "ä", "ø", "Ñandú", "o'clock",
	"  x", "double  space", "non\u00a0breaking", "ª ordinal", "½ half", "Ⅷ eight", "٣ three", "ǅungla", "ŉ", "e\u0301B2c", "\u0301lead", "क्\u200dष",
	"l·l", "co-op", "snake_case", "v2.0", "1inch", "BNB48", "THORChain", "Optimism", "Arbitrum One", "Arbitrum Nova", "arb",
}

var localePool = []string{"en", "en-gb", "zh-hans", "zh-hant", "pt", "pt-BR", "ja", "de", "fr", "sv", "es", "sr-Latn"}

// localeValues has values of locale with a defined meaning (docs/api.md#languages).
var localeValues = []string{
	"", "en", "EN", "en_US", "en-GB", "en-AU", "zh", "zh-CN", "zh_tw", "zh-HK", "zh-Hant-MO", "ZH-HANS", "zh-SG", "zh-hant", "pt", "pt-PT", "pt_br",
	"pt-AO", "de", "de-AT", "de_DE.UTF-8", "de-", "ja", "ja-x-private", "x-private", "und", "und-Hans", "und-CN", "gl", "es-AR", "es", "fr-CA", "sv-FI",
	"nb", "sr", "sr-Latn", "sr-Cyrl", "ms", "xx", "a", "-", "*", "日本", "en-u-ca-buddhist", "-de", "de--AT", "i-klingon", "zh-yue", "zh-Latn",
	strings.Repeat("a", 65), longLocale("zh", 64), longLocale("zh", 65), longLocale("en", 64), longLocale("en", 65),
}

var chainIDPool = []string{
	"1", "007", "7", "0", "00", "10", "9", "18446744073709551616", "18446744073709551615", "340282366920938463463374607431768211456",
	"eip155:1", "cosmos:cosmoshub-4", "bip122:000000000019d6689c085ae165831e93", "Solana:mainnet", "٣", "1a",
}

// longLocale returns a well-formed tag of size bytes.
func longLocale(language string, size int) string {
	return (language + "-x-" + strings.Repeat("abcdefg-", 10))[:size-1] + "z"
}

type generator struct{ *rand.Rand }

func newGenerator(seed uint64) generator { return generator{rand.New(rand.NewPCG(seed, 24))} }

func pick[T any](g generator, from []T) T { return from[g.IntN(len(from))] }

// some returns up to most distinct values in random order.
func some[T any](g generator, from []T, most int) []T {
	shuffled := slices.Clone(from)
	g.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	return shuffled[:g.IntN(min(most, len(from))+1)]
}

func (g generator) chance(percent int) bool { return g.IntN(100) < percent }

func (g generator) phrase() string {
	phrase := pick(g, nastyTexts)
	if g.chance(30) {
		phrase += pick(g, []string{" ", "-", "", " · ", "/"}) + pick(g, nastyTexts)
	}
	return strings.TrimSpace(phrase)
}

// catalog returns a valid catalogue.
func (g generator) catalog() *domain.Catalog {
	locales := some(g, localePool, 5)
	if len(locales) < 3 {
		locales = []string{"en", "zh-hans", "zh-hant"}
	}
	c := &domain.Catalog{DefaultLocale: pick(g, locales), Locales: locales}
	c.Title = g.text(c)
	g.addRegistry(c)
	g.demote(c)
	g.ages(c)
	g.addChains(c)
	g.addApps(c)
	g.addPeople(c)
	g.addMenus(c)
	g.addPlain(c)
	g.describe(c)
	return c
}

// text returns a text that always has a value in the default locale.
func (g generator) text(c *domain.Catalog) domain.Text {
	var text domain.Text
	for _, locale := range c.Locales {
		if locale == c.DefaultLocale || g.chance(50) {
			text = append(text, domain.Translation{Locale: locale, Value: g.phrase()})
		}
	}
	slices.SortFunc(text, func(a, b domain.Translation) int { return strings.Compare(a.Locale, b.Locale) })
	return text
}

func (g generator) optionalText(c *domain.Catalog) domain.Text {
	if g.chance(40) {
		return nil
	}
	return g.text(c)
}

func (g generator) priority() float64 { return pick(g, []float64{0, 0, 1, 1, 2, 10, -1, 1.5}) }

func (g generator) addRegistry(c *domain.Catalog) {
	groupKeys := map[domain.Module][]string{}
	for _, name := range moduleNames() {
		module := domain.Module(name)
		for i := range 1 + g.IntN(3) {
			key := fmt.Sprintf("g%d", i) // the same keys in every module
			groupKeys[module] = append(groupKeys[module], key)
			group := domain.Group{Key: key, Module: module, Name: g.text(c), Priority: g.priority()}
			c.Groups = append(c.Groups, group)
		}
	}
	for i := range 3 + g.IntN(10) {
		category := domain.Category{
			Key:         fmt.Sprintf("c%d", i),
			Name:        g.text(c),
			Aliases:     g.aliases(),
			Description: g.optionalText(c),
			Priority:    g.priority(),
			Scopes:      []domain.Module{pick(g, domain.Modules())},
		}
		if scopes := some(g, domain.Modules(), 4); len(scopes) > 0 {
			category.Scopes = scopes
		}
		if g.chance(30) {
			category.Former = []string{fmt.Sprintf("was-c%d", i), fmt.Sprintf("old-c%d", i)}[:1+g.IntN(2)]
		}
		if i > 0 && g.chance(30) {
			category.Parent = g.parent(c, category.Scopes)
		}
		for _, module := range category.Scopes {
			keys := some(g, groupKeys[module], 2)
			if len(keys) == 0 {
				keys = groupKeys[module][:1]
			}
			category.Groups = append(category.Groups, domain.ModuleGroups{Module: module, Keys: keys})
		}
		g.Shuffle(len(category.Groups), func(i, j int) {
			category.Groups[i], category.Groups[j] = category.Groups[j], category.Groups[i]
		})
		c.Categories = append(c.Categories, category)
	}
}

// parent returns the key of a category that shares a scope, "" for none.
func (g generator) parent(c *domain.Catalog, scopes []domain.Module) string {
	candidate := pick(g, c.Categories)
	for _, scope := range scopes {
		if slices.Contains(candidate.Scopes, scope) {
			return candidate.Key
		}
	}
	return ""
}

// categories returns random keys of categories of a scope.
func (g generator) categories(c *domain.Catalog, scope domain.Module) []string {
	var keys []string
	for _, category := range c.Categories {
		if slices.Contains(category.Scopes, scope) {
			keys = append(keys, category.Key)
		}
	}
	if len(keys) == 0 {
		return nil
	}
	return some(g, keys, 3)
}

// figure returns nil, 0, or a value that is equal to others or unusual.
func (g generator) figure(whole bool) *domain.Figure {
	if g.chance(25) {
		return nil
	}
	f := &domain.Figure{Value: pick(g, []float64{0, 0, 1, 7, 7, 1000, 93518925875, 1 << 53})}
	if !whole && g.chance(40) {
		f.Value = pick(g, []float64{0.5, 93518925875.6537, 1e-7, 1e20, 1e21, 123456789.125})
	}
	if g.chance(70) {
		f.Source = pick(g, []string{"defillama", "x", "a recording"})
		f.AsOf = pick(g, []domain.Date{"2025-08-17", "2024-02-29", "2023-10-16"})
	}
	return f
}

// aliases returns up to two aliases.
func (g generator) aliases() []string {
	var aliases []string
	for range g.IntN(3) {
		aliases = append(aliases, g.phrase())
	}
	return aliases
}

func (g generator) addChains(c *domain.Catalog) {
	for i := range 5 + g.IntN(30) {
		chain := domain.Chain{
			Slug:       fmt.Sprintf("%s-%d", pick(g, []string{"arb", "ai", "zk", "main"}), i),
			ID:         fmt.Sprintf("id%d", i),
			Name:       g.text(c),
			ChainID:    pick(g, chainIDPool),
			Categories: g.categories(c, domain.ModuleChain),
			TVL:        g.figure(false),
			Platforms:  g.figure(true),
		}
		if g.chance(50) {
			chain.Logo = fmt.Sprintf("https://example.org/%d.svg?a=1&b=2", i)
		}
		chain.Aliases = g.aliases()
		g.describeChain(c, &chain, i)
		c.Chains = append(c.Chains, chain)
	}
}

func (g generator) addPeople(c *domain.Catalog) {
	for i := range g.IntN(25) {
		var former []string
		if g.chance(30) {
			former = []string{fmt.Sprintf("Was_%d", i)}
		}
		c.Accounts = append(c.Accounts, &domain.Account{
			Former:      former,
			Handle:      fmt.Sprintf("%s%d", pick(g, []string{"Vitalik", "vitalik", "OpenAI", "_x", "0xAI"}), i),
			Name:        g.phrase(),
			Description: g.optionalText(c),
			Categories:  g.categories(c, domain.ModuleTwitter),
			Followers:   g.figure(true),
			Website:     g.website(),
			Links:       g.links(),
			Extra:       g.extra(),
		})
	}
	for i := range g.IntN(25) {
		c.Channels = append(c.Channels, domain.Channel{
			ChannelID:   fmt.Sprintf("UC%022d", g.IntN(1000)*100+i),
			Name:        g.phrase(),
			Description: g.optionalText(c),
			Categories:  g.categories(c, domain.ModuleYouTube),
			Subscribers: g.figure(true),
			Website:     g.website(),
			Links:       g.links(),
			Extra:       g.extra(),
		})
	}
}

func (g generator) addMenus(c *domain.Catalog) {
	for i := range g.IntN(6) {
		menu := domain.Menu{
			PathSlug:    fmt.Sprintf("m%d", i),
			Title:       g.text(c),
			Aliases:     g.aliases(),
			Description: g.optionalText(c),
			BlogSlugs:   some(g, []string{"first-post", "second-post"}, 2),
			Standalone:  g.items(c, fmt.Sprintf("m%d", i)),
		}
		if g.chance(50) {
			menu.OGImage = "https://example.org/og.png"
		}
		if g.chance(40) {
			menu.Former = []string{fmt.Sprintf("was-m%d", i)}
		}
		for j := range g.IntN(3) {
			slug := fmt.Sprintf("s%d", j)
			group := domain.MenuGroup{Slug: slug, ID: fmt.Sprintf("m%d-%s", i, slug), Name: g.text(c)}
			group.Items = g.items(c, group.ID)
			menu.Groups = append(menu.Groups, group)
		}
		c.Menus = append(c.Menus, menu)
	}
	next := 0
	for i := range g.IntN(4) {
		key := fmt.Sprintf("n%d", 9-i)
		group := domain.NavGroup{Key: key, Slug: key, Name: g.text(c), Description: g.optionalText(c)}
		if g.chance(30) {
			group.Slug = "slug-" + key
			group.Former = []string{key}
		}
		for next < len(c.Menus) && g.chance(60) {
			group.Menus = append(group.Menus, c.Menus[next].PathSlug)
			next++
		}
		slices.Reverse(group.Menus)
		c.NavGroups = append(c.NavGroups, group)
	}
}

func (g generator) items(c *domain.Catalog, under string) []domain.Item {
	var items []domain.Item
	for i := range g.IntN(3) {
		item := domain.Item{
			Slug:        fmt.Sprintf("i%d", i),
			ID:          fmt.Sprintf("%s-i%d", under, i),
			Name:        g.text(c),
			Type:        domain.ItemCategory,
			Description: g.optionalText(c),
		}
		cards := g.IntN(3)
		if g.chance(30) {
			item.Type, cards = domain.ItemLink, 1
		}
		for j := range cards {
			card := domain.Card{
				Title:       g.text(c),
				ID:          fmt.Sprintf("%s-c%d", item.ID, j),
				Description: g.optionalText(c),
				Link:        g.link(),
			}
			if g.chance(50) {
				card.Image = "https://example.org/card.png"
			}
			g.ofApp(c, &card)
			item.Cards = append(item.Cards, card)
		}
		items = append(items, item)
	}
	return items
}

// request returns a path and a raw query.
func (g generator) request(c *domain.Catalog) (path, rawQuery string) {
	operation := pick(g, append(g.plainPaths(c),
		"chains", "chains", "chains", "chains", "twitter/users", "twitter/users", "youtube/channels", "youtube/channels",
		"nav/cards", "nav/cards", "nav/cards", "apps", "apps", "apps", "search", "search", "search", "search", "record", "record", "record", "categories", "category-groups", "nav/groups", "nav/groups/", "nav/menus/", "meta", "",
	))
	switch operation {
	case "nav/groups/":
		operation += pick(g, []string{"n9", "n8", "n7", "slug-n9", "slug-n8", "nobody"})
	case "record":
		operation = g.recordPath(c)
		if ends := subLists(operation); len(ends) > 0 && g.chance(30) {
			operation += pick(g, ends)
		}
	case "nav/menus/":
		operation += pick(g, []string{"m0", "m1", "m2", "m3", "was-m0", "was-m1", "nothing"})
	}
	var pairs []string
	for range g.IntN(6) {
		pairs = append(pairs, g.parameter(c))
	}
	if operation == "category-groups" && g.chance(80) {
		pairs = append(pairs, "module="+pick(g, moduleNames()))
	}
	if operation == "search" && g.chance(90) {
		pairs = append(pairs, "q="+url.QueryEscape(g.value(c, "q")))
	}
	g.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	if operation == "" {
		return pick(g, []string{"/", "/api/open", "/api/open/"}), strings.Join(pairs, "&")
	}
	return "/api/open/" + operation, strings.Join(pairs, "&")
}

// parameter returns one raw parameter, usually a valid one.
func (g generator) parameter(c *domain.Catalog) string {
	if g.chance(6) {
		return pick(g, []string{
			"", "&", "=", "=x", "q", "q=", "locale=", "sort=", "tag=", "limit=", "scope=", "module=", "unknown=%zz", "%zz=1", "q=%zz", "q=%", "q=%ff",
			"q=a%00b", "tag=%0a", "locale=%7f", "q=a;b", "q=;", "a;q=x", "%71=arb", "q=%C2%85", "limit=%31", "Q=arb", "q=" + strings.Repeat("a", 201),
			"q=" + strings.Repeat("%C3%A9", 200), "q=" + strings.Repeat("%C3%A9", 201), "sort=%74vl", "limit=007", "offset=00",
			"limit=2&limit=", "q=a&q=", "q=&q=a", "tag=&tag=c1", "limit=%2B5", "sortDir=asc&sortDir=asc", "tag=+c1+,+c2", "locale=&locale=de", "locale=en%ff", "tag=c1%2Cc2", "tag=%ff", "unknown=%ff",
			"match=all&match=all", "kind=chain&kind=user", "platform=web&platform=web", "platform=%ff", "kind=%ff", "menu=%00", "facets=&facets=1", "status=%6Cive", "id=&id=arb", "id=%ff", "id=%00", "id=" + strings.Repeat("x,", 101),
			"id=" + distinctItems(100), "id=" + distinctItems(101), "view=full&view=full", "followers=any&followers=any",
		})
	}
	name := pick(g, []string{
		"locale", "locale", "q", "q", "q", "tag", "tag", "sort", "sort", "sortDir", "limit", "offset", "scope", "includeI18n", "module", "utm_source",
		"match", "match", "status", "status", "facets", "facets", "menu", "chain", "platform", "kind", "id", "id", "view", "view", "followers", "revision",
	})
	return name + "=" + url.QueryEscape(g.value(c, name))
}

func (g generator) value(c *domain.Catalog, name string) string {
	switch name {
	case "locale":
		return pick(g, append(localeValues, c.Locales...))
	case "q":
		return g.searchText(c)
	case "tag":
		return pick(g, []string{"c0", "c1", "c2", "C1", " c1 ", "c1,c2", "c1, ,C3,", ",", " ", "unknown", "c4,unknown", ",,c5", "é", "c1;c2",
			"was-c0", "WAS-C1,c2", "old-c0,was-c0", "c0,c1,c2,c3", "c2,c3,c4,c5,c6", "c7,was-c3"})
	case "sort":
		return pick(g, []string{"name", "chainId", "platforms", "tvl", "tvl", "relevance", "relevance", "relevance", "relevance", "relevance", "menu", "title", "title", "Name"})
	case "match":
		return pick(g, []string{"any", "all", "groups", "groups", "ALL"})
	case "status":
		return pick(g, []string{"live", "retired", "all", "all", "upcoming", "ended"})
	case "facets":
		return pick(g, []string{"1", "true", "1", "true", "0", "false", "yes"})
	case "menu":
		return pick(g, []string{"m0", "m1", " M2 ", "was-m0", "was-m1", "nothing", " "})
	case "chain":
		if chain := pick(g, c.Chains); g.chance(40) {
			names := slices.Concat(chainIDs(chain.ChainID), values(chain.Name), chain.Aliases, chain.Former, []string{chain.ID})
			return strings.TrimFunc(pick(g, names), unicode.IsControl)
		}
		return pick(g, append(g.slugs(c), pick(g, c.Chains).Slug, strings.ToUpper(pick(g, c.Chains).Slug), "was-0.0", "was-1.0", "WAS-2.1", "nothing", " "))
	case "platform":
		return pick(g, []string{"web", "ios", "android", "desktop", "extension", "cli", "web", "iOS", "web,ios", "windows", " "})
	case "kind":
		return pick(g, append(kindNames(), "chain,user", "category, menu", "card,,card", "app,card", ",", " ", "Chain", "chains", "menu,chain,user,channel,card,category",
			"menu,chain,app,user,channel,category", "menu,chain,app,user,channel,card,category"))
	case "sortDir":
		return pick(g, []string{"asc", "desc", "asc", "desc", "ASC"})
	case "limit":
		return pick(g, []string{"1", "2", "5", "1000", "10", "1001", "0", "-1", "x", "1.0", "99999999999999999999", " 5", "٣"})
	case "offset":
		return pick(g, []string{"0", "1", "3", "7", "100", "99999999999999999999", "-1", "x", "1e3"})
	case "id":
		var names []string
		for range 1 + g.IntN(8) {
			names = append(names, g.name(c))
		}
		return strings.Join(names, pick(g, []string{",", ",", ", ", ",,"}))
	case "view":
		return pick(g, []string{"full", "full", "full", "slim"})
	case "revision":
		return pick(g, []string{"42", "41", "43", "042", "999999999999999", "1000000000000000", "0", "-1", "x", "4.2"})
	case "followers":
		return pick(g, []string{"any", "any", "any", "known"})
	case "scope", "module":
		return pick(g, append(moduleNames(), "Chain", "chains"))
	case "includeI18n":
		return pick(g, []string{"1", "true", "0", "false", "1", "yes", "TRUE"})
	}
	return g.phrase()
}

// distinctItems returns n items of a list.
func distinctItems(n int) string {
	items := make([]string, n)
	for i := range items {
		items[i] = fmt.Sprintf("x%d", i)
	}
	return strings.Join(items, ",")
}

// name returns a name of a record of any kind, or one that no record has. A record may have a name
// with a comma, which is several in a list of names.
func (g generator) name(c *domain.Catalog) string {
	switch g.IntN(6) {
	case 0:
		return g.value(c, "chain")
	case 1:
		return pick(g, []string{"app0", "app1", "app2", "APP0", "was-app0", "Was-App1", "nothing", "m0-i0-c0", "m1-i0-c1", "M0-I0-C0", "arb", "@Vitalik0", "@", ","})
	case 2:
		if len(c.Apps) > 0 {
			app := pick(g, c.Apps)
			return cleaned(pick(g, slices.Concat([]string{app.Key}, values(app.Title), app.Aliases, app.Former)))
		}
	case 3:
		if len(c.Channels) > 0 {
			channel := pick(g, c.Channels)
			return cleaned(pick(g, []string{channel.ChannelID, channel.ChannelID, strings.ToLower(channel.ChannelID), channel.Name}))
		}
	case 4:
		if len(c.Accounts) > 0 {
			account := pick(g, c.Accounts)
			return cleaned(pick(g, append([]string{account.Handle, "@" + account.Handle, strings.ToUpper(account.Handle), account.Name}, account.Former...)))
		}
	}
	return pick(g, c.Chains).Slug
}

func cleaned(name string) string { return strings.TrimFunc(name, unicode.IsControl) }

// searchText returns a changed spelling of a part of a text, so that searches have results.
func (g generator) searchText(c *domain.Catalog) string {
	switch g.IntN(10) {
	case 0:
		return g.misspelt(c)
	case 1:
		return g.idText(c)
	case 2:
		return g.wholeWords(c)
	case 3, 4:
		return g.question(c)
	}
	text := []rune(pick(g, append(nastyTexts, values(pick(g, c.Chains).Name)...)))
	from := g.IntN(len(text))
	if g.chance(50) {
		from = 0
	}
	piece := string(text[from:min(len(text), from+1+g.IntN(4))])
	switch g.IntN(9) {
	case 0:
		piece = strings.ToUpper(piece)
	case 1:
		piece = strings.ToLower(piece)
	case 2:
		piece = "@" + piece
	case 3:
		piece += " " + pick(g, []string{"a", "AI", "main", "@", "0", "é"})
	case 4:
		piece = pick(g, []string{"arb", "ai", "AI", "m", "0", "id", "zk", "1", "007", "openai", "eip155:1", "@@", " ", "\u0301", "$", "🚀", "以", "が", "ｶﾞ", "ﬁ", "ß", "ss"})
	case 5:
		piece = norm.NFD.String(piece)
	case 6:
		piece = withoutMarks(piece)
	}
	return strings.TrimFunc(piece, func(r rune) bool { return r < ' ' })
}

// question joins words as users do who know names but not texts: with unknown, misspelt and
// function words, punctuation, and without spaces.
// that nothing has, misspelt ones, function words, punctuation, and without spaces.
func (g generator) question(c *domain.Catalog) string {
	words := func() string {
		switch g.IntN(6) {
		case 0:
			return pick(g, []string{"how to", "what is", "xyzzy", "Qwerty", "的", "の", "怎么", "是什么", "とは", "フオー", "钱包", "ｘｙｚ", "wallet", "网络"})
		case 1:
			return g.misspelt(c)
		case 2:
			if chain := pick(g, c.Chains); chain.Currency != nil {
				return chain.Currency.Symbol
			}
		}
		return g.wholeWords(c)
	}
	if g.chance(10) {
		name := pick(g, values(pick(g, c.Chains).Name))
		return pick(g, []string{"what is " + name + "?", "¿Qué es " + name, name + " 是什么", name + "とは"})
	}
	text := words()
	for range g.IntN(4) {
		text += pick(g, []string{" ", " ", "", "\u3000", "? ", " ¿"}) + words()
	}
	return string([]rune(text)[:min(utf8.RuneCountInString(text), 60)])
}

// wholeWords returns some words of a text, so that relevance differs between records.
func (g generator) wholeWords(c *domain.Catalog) string {
	words := strings.Fields(pick(g, append(nastyTexts, values(pick(g, c.Chains).Name)...)))
	if picked := some(g, words, 3); len(picked) > 0 {
		return strings.Join(picked, " ")
	}
	return words[0]
}

func withoutMarks(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(s))
}
