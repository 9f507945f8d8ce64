package operations_test

// Fields of random records other than names, and the requests that use them.

import (
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/domain"
)

// extraPool has JSON that a decoder may change.
var extraPool = []domain.JSON{
	`{}`, `{"big":9007199254740993,"one":1.0,"huge":1e400,"tiny":-0.0E-9}`, `{"__proto__":{"x":[]},"constructor":null}`,
	`{"s":"</script><!--","a":"\u0041 & < >"}`, `{"z":1,"a":[null,true,{"b":""}],"":0}`, `{"k":"é 以 \"said\" \\ "}`,
	`{"` + domain.JSON(strings.Repeat("k", 5000)) + `":[[[[[[[[[[[[]]]]]]]]]]]]}`,
}

func (g generator) extra() domain.JSON {
	if g.chance(70) {
		return ""
	}
	return pick(g, extraPool)
}

func (g generator) date() domain.Date {
	return pick(g, []domain.Date{"", "", "2015-07-30", "2024-02-29", "2031-01-01"})
}

func (g generator) status() domain.Status {
	return pick(g, []domain.Status{"", "", "", domain.StatusUpcoming, domain.StatusRetired, domain.StatusLive})
}

// since returns the date of a status for a record that was launched on a day.
func (g generator) since(status domain.Status, launched domain.Date) domain.Date {
	switch status {
	case domain.StatusUpcoming:
		return g.date()
	case domain.StatusRetired:
		return max(launched, g.date())
	}
	return ""
}

func (g generator) website() string {
	return pick(g, []string{"", "", "https://example.org/", "http://example.org/?q=a&b=1"})
}

func (g generator) links() []domain.Link {
	var links []domain.Link
	for i := range g.IntN(4) {
		links = append(links, domain.Link{
			Type: pick(g, domain.LinkTypes()), Name: pick(g, []string{"", "Explorer & <more>", "区块浏览器"}), URL: fmt.Sprintf("https://link%d.example.org/", i),
		})
	}
	return links
}

// describeChain sets the fields of a chain that only its details have. Parents and successors are
// earlier chains, so there are no cycles.
func (g generator) describeChain(c *domain.Catalog, chain *domain.Chain, i int) {
	chain.Description, chain.Launched = g.optionalText(c), g.date()
	chain.Status, chain.StatusNote = g.status(), g.optionalText(c)
	chain.StatusSince = g.since(chain.Status, chain.Launched)
	chain.Website, chain.Links, chain.Extra = g.website(), g.links(), g.extra()
	if g.chance(50) {
		chain.RPC = []domain.Endpoint{{URL: "https://rpc.example.org/"}, {URL: "wss://rpc.example.org/ws", Note: "no <tracking>"}}[:1+g.IntN(2)]
		for i := range chain.RPC {
			if g.chance(50) {
				chain.RPC[i].Reached.Reach = pick(g, []domain.Reach{domain.ReachUnknown, domain.ReachUp, domain.ReachDown, domain.ReachWrongChain})
				chain.RPC[i].Reached.Since = "2026-11-20"
			}
		}
	}
	if g.chance(50) {
		chain.Currency = &domain.Currency{Name: "Ether", Symbol: "ETH", Decimals: pick(g, []float64{0, 6, 18})}
	}
	if i > 0 && g.chance(40) {
		chain.Parent = pick(g, c.Chains).Slug
	}
	if i > 0 && chain.Status.Retired() && g.chance(60) {
		chain.Successor = pick(g, c.Chains).Slug
	}
	for j := range g.IntN(3) {
		chain.Former = append(chain.Former, fmt.Sprintf("was-%d.%d", i, j))
	}
}

// slugs returns random slugs of chains.
func (g generator) slugs(c *domain.Catalog) []string {
	var slugs []string
	for _, chain := range some(g, c.Chains, 3) {
		slugs = append(slugs, chain.Slug)
	}
	return slugs
}

func (g generator) platforms() []domain.Platform { return some(g, domain.Platforms(), 3) }

func (g generator) link() string {
	return pick(g, []string{
		"https://example.org/?a=1&b=<2>", "/chains", "http://example.org", "https://App.Example.COM:8443/x", "celo://wallet/pay", "https://xn--bcher-kva.example/",
	})
}

func (g generator) addApps(c *domain.Catalog) {
	c.LinkSchemes = []string{"celo"}
	for i := range g.IntN(6) {
		app := domain.App{
			Key: fmt.Sprintf("app%d", i), Title: g.text(c), Aliases: g.aliases(), Description: g.optionalText(c), Link: g.link(),
			Categories: g.categories(c, domain.ModuleItem), Chains: g.slugs(c), Platforms: g.platforms(), Launched: g.date(),
			Status: g.status(), StatusNote: g.optionalText(c), Links: g.links(), Extra: g.extra(),
		}
		app.StatusSince = g.since(app.Status, app.Launched)
		if g.chance(50) {
			app.Image = "https://example.org/app.png"
		}
		if g.chance(30) {
			app.Former = []string{fmt.Sprintf("was-app%d", i)}
		}
		if i > 0 && app.Status == domain.StatusRetired && g.chance(60) {
			app.Successor = fmt.Sprintf("app%d", g.IntN(i))
		}
		c.Apps = append(c.Apps, app)
	}
}

// ofApp usually makes a card one of an app, with few values of its own.
func (g generator) ofApp(c *domain.Catalog, card *domain.Card) {
	card.Categories, card.Chains, card.Platforms, card.Aliases, card.Extra = g.categories(c, domain.ModuleItem), g.slugs(c), g.platforms(), g.aliases(), g.extra()
	if len(c.Apps) == 0 || g.chance(30) {
		return
	}
	card.App = pick(g, c.Apps).Key
	for _, drop := range some(g, []func(){
		func() { card.Title = nil }, func() { card.Description = nil }, func() { card.Link = "" }, func() { card.Image = "" },
		func() { card.Categories = nil }, func() { card.Chains = nil }, func() { card.Platforms = nil }, func() { card.Aliases = nil }, func() { card.Extra = "" },
	}, 9) {
		drop()
	}
}

// demote selects the categories that come last.
func (g generator) demote(c *domain.Catalog) {
	if g.chance(30) {
		return
	}
	c.Search = new(domain.SearchRules)
	for _, category := range some(g, c.Categories, 2) {
		c.Search.Demote = append(c.Search.Demote, category.Key)
	}
	if len(c.Search.Demote) == 0 {
		c.Search = nil
	}
}

// earlier returns a possible predecessor of c: some records are missing, some differ, and some
// exist that c lacks.
func (g generator) earlier(c *domain.Catalog) *domain.Catalog {
	other := g.catalog()
	before := *c
	before.Chains = mixed(g, c.Chains, other.Chains, func(c domain.Chain) string { return c.Slug })
	before.Accounts = mixed(g, c.Accounts, other.Accounts, func(a *domain.Account) string { return strings.ToLower(a.Handle) })
	before.Channels = mixed(g, c.Channels, other.Channels, func(c domain.Channel) string { return c.ChannelID })
	before.Apps = mixed(g, c.Apps, other.Apps, func(a domain.App) string { return a.Key })
	if g.chance(50) {
		before.Search = nil
	}
	if g.chance(50) {
		before.Categories = shuffle(g, c.Categories)
		before.Categories[0].Name = g.text(c)
	}
	if g.chance(30) && len(c.Menus) > 0 {
		before.Menus = mixed(g, c.Menus, other.Menus, func(m domain.Menu) string { return m.PathSlug })
		before.NavGroups = nil
	}
	return &before
}

// mixed returns the records of a list, with some replaced by records of another list.
func mixed[R any](g generator, records, others []R, key func(R) string) []R {
	var all []R
	seen := map[string]bool{}
	for _, r := range append(shuffle(g, others)[:min(len(others), g.IntN(3))], records...) {
		if !seen[key(r)] && !g.chance(5) {
			all = append(all, r)
		}
		seen[key(r)] = true
	}
	return all
}

// recordPath returns the path of a record below /api/open/ in one of its spellings, or a path
// without a record.
func (g generator) recordPath(c *domain.Catalog) string {
	switch g.IntN(6) {
	case 2:
		return "apps/" + pick(g, []string{"app0", "app1", "app2", "app5", "APP0", "was-app0", "was-app1", "Was-App2", "ap0", "nothing", "app%30"})
	case 0:
		names := append([]string{"nobody", "vitalik", "OpenAI", "was_0", "Was_1", "WAS_2"}, g.anyHandle(c)...)
		for _, account := range c.Accounts {
			names = append(names, inPathOr(account.Name, account.Handle))
		}
		return "twitter/users/" + pick(g, names)
	case 1:
		ids := []string{"UCnothing"}
		for _, channel := range c.Channels {
			ids = append(ids, channel.ChannelID, strings.ToLower(channel.ChannelID), inPathOr(channel.Name, channel.ChannelID))
		}
		return "youtube/channels/" + pick(g, ids)
	}
	chain := pick(g, c.Chains)
	names := append(slices.Clone(chain.Former), chain.Slug, strings.ToUpper(chain.Slug), chain.ID, strings.ToUpper(chain.ID), chain.ChainID,
		strings.ToUpper(chain.ChainID), "arb", "arb-1", "mian-3", "eip155:7", "eip155%3A7", "eip155%3a1", "EIP155:1", "0x7", "0X7", "0xffffffffffffffff", "nothing-at-all",
		"cosmoshub-4", "arbitrm", "arb%2D1", "%3A", "x:y", "7", "8", "1")
	if id := strings.ReplaceAll(chain.ChainID, ":", "%3A"); id != chain.ChainID {
		names = append(names, id, id)
	}
	name := pick(g, names)
	if g.chance(30) {
		name = inPathOr(pick(g, append(values(chain.Name), chain.Aliases...)), name)
	}
	if !isASCII(name) {
		name = chain.Slug
	}
	return "chains/" + name
}

// inPathOr returns a label as paths write it, with dashes for spaces; other if a path cannot have
// it.
func inPathOr(label, other string) string {
	if label = strings.ReplaceAll(label, " ", "-"); isASCII(label) && !strings.ContainsAny(label, "/%?#<>\"\\") {
		return label
	}
	return other
}

func isASCII(s string) bool { return !strings.ContainsFunc(s, func(r rune) bool { return r > '~' }) }

func (g generator) anyHandle(c *domain.Catalog) []string {
	var handles []string
	for _, account := range c.Accounts {
		handles = append(handles, account.Handle, strings.ToUpper(account.Handle))
	}
	return handles
}

// misspelt changes one or two letters of an existing text.
func (g generator) misspelt(c *domain.Catalog) string {
	text := []rune(pick(g, append(values(pick(g, c.Chains).Name), "Arbitrum One", "mainnet beta", "openai", "Optimism", "c1", "kategorien", "m0")))
	for range 1 + g.IntN(3) {
		i := g.IntN(len(text))
		switch g.IntN(4) {
		case 0:
			text = slices.Delete(slices.Clone(text), i, i+1)
		case 1:
			text = slices.Insert(slices.Clone(text), i, pick(g, []rune("aeоrи5以")))
		case 2:
			text[i] = pick(g, []rune("aeоrи以m"))
		case 3:
			j := min(i+1, len(text)-1)
			text[i], text[j] = text[j], text[i]
		}
		if len(text) == 0 {
			return "x"
		}
	}
	return strings.TrimFunc(string(text), func(r rune) bool { return r < ' ' })
}

// idText returns a chain id, or a part of one, as users search for it.
func (g generator) idText(c *domain.Catalog) string {
	id := pick(g, spellings(pick(g, c.Chains).ChainID))
	switch g.IntN(5) {
	case 0:
		return strings.ToUpper(id)
	case 1:
		return id[:(len(id)+1)/2]
	case 2:
		return id + " " + pick(g, []string{"arb", "a", id})
	}
	return id
}
