package operations_test

// The oracle's details of records, and its cards.

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"vitrine/internal/domain"
)

type wholeChain struct {
	chainSlim
	Description    string          `json:"description,omitempty"`
	Launched       string          `json:"launched,omitempty"`
	Status         string          `json:"status"`
	StatusSince    string          `json:"statusSince,omitempty"`
	StatusNote     string          `json:"statusNote,omitempty"`
	Successor      string          `json:"successor,omitempty"`
	Website        string          `json:"website,omitempty"`
	Links          []link          `json:"links,omitempty"`
	RPC            []endpoint      `json:"rpc,omitempty"`
	NativeCurrency *currency       `json:"nativeCurrency,omitempty"`
	Parent         string          `json:"parent,omitempty"`
	Children       []string        `json:"children,omitempty"`
	Aliases        []string        `json:"aliases,omitempty"`
	Former         []string        `json:"former,omitempty"`
	SameID         []string        `json:"sameId,omitempty"`
	Sources        json.RawMessage `json:"sources,omitempty"`
	Platforms      *float64        `json:"platforms,omitempty"`
	Figures        members         `json:"figures,omitempty"`
	Extra          json.RawMessage `json:"extra,omitempty"`
}

type link struct {
	Type string `json:"type"`
	Name string `json:"name,omitempty"`
	URL  string `json:"url"`
}

type endpoint struct {
	URL  string `json:"url"`
	Note string `json:"note,omitempty"`

	State      string `json:"state,omitempty"`
	StateSince string `json:"stateSince,omitempty"`
}

type currency struct {
	Name     string  `json:"name"`
	Symbol   string  `json:"symbol"`
	Decimals float64 `json:"decimals"`
}

type origin struct {
	Value     float64 `json:"value"`
	Source    string  `json:"source,omitempty"`
	SourceURL string  `json:"sourceUrl,omitempty"`
	AsOf      string  `json:"asOf,omitempty"`
}

type wholeUser struct {
	twitterUser
	person
}

type wholeChannel struct {
	youTubeChannel
	person
}

// person has the members of the details of accounts and channels that lists lack.
type person struct {
	Website string          `json:"website,omitempty"`
	Links   []link          `json:"links,omitempty"`
	Former  []string        `json:"former,omitempty"`
	Sources json.RawMessage `json:"sources,omitempty"`
	Figures members         `json:"figures,omitempty"`
	Extra   json.RawMessage `json:"extra,omitempty"`
}

type listedCard struct {
	navCard
	Menu          string          `json:"menu"`
	Item          string          `json:"item"`
	App           string          `json:"app,omitempty"`
	CategorySlugs []string        `json:"categorySlugs,omitempty"`
	Chains        []string        `json:"chains,omitempty"`
	Platforms     []string        `json:"platforms,omitempty"`
	Status        string          `json:"status,omitempty"`
	Links         []link          `json:"links,omitempty"`
	Extra         json.RawMessage `json:"extra,omitempty"`
}

func links(links []domain.Link) []link {
	var all []link
	for _, l := range links {
		all = append(all, link{string(l.Type), l.Name, l.URL})
	}
	return all
}

func asJSON(extra domain.JSON) json.RawMessage {
	if extra == "" {
		return nil
	}
	return json.RawMessage(extra)
}

func (o oracle) figure(name string, f *domain.Figure) members {
	if f == nil {
		return nil
	}
	return members{{name, origin{f.Value, f.Source, o.sourceURL(f), string(f.AsOf)}}}
}

// sourceURL returns the address of the source of a figure, "" for none.
func (o oracle) sourceURL(f *domain.Figure) string {
	for _, s := range o.catalog.Sources {
		if s.Key == f.Source {
			return s.URL
		}
	}
	return ""
}

// chain returns the answer for the chain with a name.
func (o oracle) chain(name string, query oracleQuery) answer {
	if len(*query.bad) > 0 {
		return badRequest(query)
	}
	locale := resolveLocale(o.catalog, query.value("locale"))
	slug, ok := o.chainKey(name)
	if !ok {
		return answer{status: 404, keys: keysOf(o.chainNames())}
	}
	return o.found("chains/", name, slug, query, func() any { return o.wholeChain(slug, locale) })
}

func (o oracle) chainKey(name string) (string, bool) { return resolve(o.chainNames(), name) }

// found returns the answer for a record that a request names.
func (o oracle) found(path, name, key string, query oracleQuery, whole func() any) answer {
	locale := resolveLocale(o.catalog, query.value("locale"))
	a := answer{status: 200, language: locale, body: encode(o.whole(path, whole(), locale))}
	if name != key {
		a.location = "/api/open/" + path + key
		if query.value("locale") != "" {
			a.location += "?locale=" + locale
		}
	}
	return a
}

// wholeChain returns a chain with the figures that lists hide.
func (o oracle) wholeChain(slug, locale string) wholeChain {
	c := o.catalog.Chains[slices.IndexFunc(o.catalog.Chains, func(c domain.Chain) bool { return c.Slug == slug })]
	whole := wholeChain{
		chainSlim: o.chainSlim(c, locale), Description: inLocale(o.catalog, c.Description, locale), Launched: string(c.Launched),
		Status: cmp.Or(string(c.Status), "live"), StatusSince: string(c.StatusSince), StatusNote: inLocale(o.catalog, c.StatusNote, locale),
		Successor: c.Successor, Website: c.Website, Links: links(c.Links), Parent: c.Parent, Aliases: c.Aliases, Former: c.Former,
		Figures: append(o.figure("llama_tvl", c.TVL), o.figure("platforms", c.Platforms)...), Sources: asJSON(c.Sources), Extra: asJSON(c.Extra),
	}
	for _, e := range c.RPC {
		state := map[domain.Reach]string{domain.ReachUp: "up", domain.ReachDown: "down", domain.ReachWrongChain: "down"}[e.Reached.Reach]
		since := string(e.Reached.Since)
		if state == "" {
			since = ""
		}
		whole.RPC = append(whole.RPC, endpoint{e.URL, e.Note, state, since})
	}
	if c.Currency != nil {
		whole.NativeCurrency = &currency{c.Currency.Name, c.Currency.Symbol, c.Currency.Decimals}
	}
	for _, other := range o.catalog.Chains {
		if other.Parent == c.Slug {
			whole.Children = append(whole.Children, other.Slug)
		}
		if other.Slug != c.Slug && comparable(other.ChainID) == comparable(c.ChainID) {
			whole.SameID = append(whole.SameID, other.Slug)
		}
	}
	slices.Sort(whole.Children)
	slices.Sort(whole.SameID)
	if c.Platforms != nil {
		whole.Platforms = &c.Platforms.Value
	}
	return whole
}

// user returns the answer for the account with a name, also if lists hide it.
func (o oracle) user(name string, query oracleQuery) answer {
	if len(*query.bad) > 0 {
		return badRequest(query)
	}
	locale := resolveLocale(o.catalog, query.value("locale"))
	handle, ok := o.accountKey(name)
	if !ok {
		return answer{status: 404, keys: keysOf(o.accountNames())}
	}
	return o.found("twitter/users/", name, handle, query, func() any { return o.wholeUser(handle, locale) })
}

func (o oracle) accountKey(name string) (string, bool) {
	return resolve(o.accountNames(), strings.TrimPrefix(name, "@"))
}

func (o oracle) wholeUser(handle, locale string) wholeUser {
	a := o.catalog.Accounts[slices.IndexFunc(o.catalog.Accounts, func(a *domain.Account) bool { return a.Handle == handle })]
	return wholeUser{o.twitterUser(a, locale), person{a.Website, links(a.Links), a.Former, asJSON(a.Sources), o.figure("followers_count", a.Followers), asJSON(a.Extra)}}
}

func (o oracle) channel(name string, query oracleQuery) answer {
	if len(*query.bad) > 0 {
		return badRequest(query)
	}
	locale := resolveLocale(o.catalog, query.value("locale"))
	id, ok := o.channelKey(name)
	if !ok {
		return answer{status: 404, keys: keysOf(o.channelNames())}
	}
	return o.found("youtube/channels/", name, id, query, func() any { return o.wholeChannel(id, locale) })
}

func (o oracle) channelKey(name string) (string, bool) { return resolve(o.channelNames(), name) }

func (o oracle) wholeChannel(id, locale string) wholeChannel {
	c := o.catalog.Channels[slices.IndexFunc(o.catalog.Channels, func(c domain.Channel) bool { return c.ChannelID == id })]
	return wholeChannel{o.youTubeChannel(c, locale), person{c.Website, links(c.Links), nil, asJSON(c.Sources), o.figure("subscriber_count", c.Subscribers), asJSON(c.Extra)}}
}

func (o oracle) cards(query oracleQuery) answer {
	query.oneOf("sort", "menu", "title", "relevance")
	locale := resolveLocale(o.catalog, query.value("locale"))
	all, parameters := o.cardRecords(locale), url.Values{}
	if menu := strings.ToLower(strings.TrimSpace(query.value("menu"))); menu != "" {
		now := menu
		for _, m := range o.catalog.Menus {
			if slices.Contains(m.Former, menu) {
				now = m.PathSlug
			}
		}
		parameters.Set("menu", now)
		all = slices.DeleteFunc(all, func(r record[listedCard]) bool { return r.row.Menu != now })
	}
	if chain := o.chainNamed(query, parameters); chain != "" {
		all = slices.DeleteFunc(all, func(r record[listedCard]) bool { return !slices.Contains(r.row.Chains, chain) })
	}
	if query.value("sort") == "title" {
		parameters.Set("sort", "title")
		collator := collate.New(language.Make(locale))
		slices.SortStableFunc(all, func(a, b record[listedCard]) int {
			return collator.CompareString(a.row.Title, b.row.Title)
		})
	}
	return list(o, query, listed{name: "cards", module: domain.ModuleItem}, all, parameters)
}

// chainNamed returns the slug of the chain that a request filters by, as links have it: an
// unknown name is unchanged, "" for none.
func (o oracle) chainNamed(query oracleQuery, parameters url.Values) string {
	chain := strings.ToLower(strings.TrimSpace(query.value("chain")))
	if chain == "" {
		return ""
	}
	if now, ok := resolve(o.chainNames(), chain); ok {
		chain = now
	}
	parameters.Set("chain", chain)
	return chain
}

// menus returns the menus of the groups in their order, then the other menus by path slug.
func (o oracle) menus() []domain.Menu {
	var listed []string
	for _, g := range o.catalog.NavGroups {
		listed = append(listed, g.Menus...)
	}
	place := func(m domain.Menu) int {
		if i := slices.Index(listed, m.PathSlug); i >= 0 {
			return i
		}
		return len(listed)
	}
	menus := slices.Clone(o.catalog.Menus)
	slices.SortFunc(menus, func(a, b domain.Menu) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.PathSlug, b.PathSlug))
	})
	return menus
}

// cardRecords returns the cards of all menus in default order.
func (o oracle) cardRecords(locale string) []record[listedCard] {
	var all []record[listedCard]
	for _, m := range o.menus() {
		items := []domain.Item{}
		for _, g := range m.Groups {
			items = append(items, g.Items...)
		}
		for _, i := range append(items, m.Standalone...) {
			for _, c := range i.Cards {
				all = append(all, o.cardRecord(m, i, c, locale))
			}
		}
	}
	return all
}

func (o oracle) cardRecord(m domain.Menu, i domain.Item, c domain.Card, locale string) record[listedCard] {
	card, app := o.withApp(c)
	row := listedCard{
		navCard: o.navCard(c, locale), Menu: m.PathSlug, Item: i.Slug, App: c.App,
		CategorySlugs: card.Categories, Chains: card.Chains, Links: links(app.Links), Extra: asJSON(card.Extra),
	}
	for _, platform := range card.Platforms {
		row.Platforms = append(row.Platforms, string(platform))
	}
	if c.App != "" {
		row.Status = cmp.Or(string(app.Status), "live")
	}
	texts := values(card.Description)
	if u, err := url.Parse(card.Link); err == nil {
		texts = append(texts, u.Hostname())
	}
	chainLabels, chainIDs := o.ofChains(card.Chains)
	mainLabels, mainIDs := o.ofChains(card.Chains[:min(1, len(card.Chains))])
	return record[listedCard]{
		title: card.Title, chainLabels: chainLabels, chainIDs: chainIDs, mainLabels: mainLabels, mainIDs: mainIDs,
		labels: append(values(card.Title), card.Aliases...), texts: texts, categories: card.Categories, status: app.Status, row: row,
		hit: result{"card", c.ID, row.Title, row.Description, card.Image, card.Link, "/api/open/nav/menus/" + m.PathSlug, nil, ""},
	}
}

// withApp returns a card with the values of its app, and the app; an empty app for none.
func (o oracle) withApp(c domain.Card) (domain.Card, domain.App) {
	var app domain.App
	for _, a := range o.catalog.Apps {
		if a.Key == c.App {
			app = a
		}
	}
	if len(c.Title) == 0 && len(c.Aliases) == 0 {
		c.Aliases = app.Aliases
	}
	if len(c.Title) == 0 {
		c.Title = app.Title
	}
	if len(c.Description) == 0 {
		c.Description = app.Description
	}
	if len(c.Categories) == 0 {
		c.Categories = app.Categories
	}
	if len(c.Chains) == 0 {
		c.Chains = app.Chains
	}
	if len(c.Platforms) == 0 {
		c.Platforms = app.Platforms
	}
	if c.Link == "" {
		c.Link = app.Link
	}
	if c.Image == "" {
		c.Image = app.Image
	}
	if c.Extra == "" {
		c.Extra = app.Extra
	}
	return c, app
}

func (o oracle) navCard(c domain.Card, locale string) navCard {
	c, _ = o.withApp(c)
	return navCard{
		ID:          c.ID,
		Title:       inLocale(o.catalog, c.Title, locale),
		Description: inLocale(o.catalog, c.Description, locale),
		Link:        c.Link,
		Image:       nullable(c.Image),
	}
}
