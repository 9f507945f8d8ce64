// Package domain defines catalogues: their records, which catalogues are valid ([Check]), how two
// of them differ ([Diff]), and how the editors' layer and the observed figures are merged
// ([Merge]).
//
// It must not know how a catalogue is written (package bundle), stored (package store) or served
// (package snapshot): it has no struct tags, no file positions and no I/O.
//
// A *Catalog is immutable once it is complete, and safe to share.
package domain

import (
	"cmp"
	"iter"
	"slices"
	"time"
)

// Module is a domain that categories classify. It is also the value of the parameters `scope` and
// `module`.
type Module string

// The modules, as docs/api.md#categories names them.
const (
	ModuleChain   Module = "chain"
	ModuleTwitter Module = "twitter"
	ModuleYouTube Module = "youtube"
	ModuleItem    Module = "item"
)

// Modules returns all modules in the order of responses.
func Modules() []Module {
	return []Module{ModuleChain, ModuleTwitter, ModuleYouTube, ModuleItem}
}

// Catalog is a complete catalogue. Every slice has the order of the editors; package snapshot
// sorts the lists that responses sort.
type Catalog struct {
	Title         Text
	DefaultLocale string
	Locales       []string // as spelled by the editors; includes DefaultLocale
	Licences      []Licence
	Sources       []Source
	EditURL       string   // template of addresses for editing records, "" for none (see [EditLink])
	LinkSchemes   []string // allowed URL schemes of links in addition to http(s), lower case
	Search        *SearchRules
	Roles         *Roles // nil for none
	Site          *Site  // nil for the defaults
	MaxAge        *MaxAges
	Accept        []Acceptance
	Gate          *GateSettings // nil for the defaults
	Expect        []Expectation
	PastIDs       []PastID // oldest first; publishing maintains them (see [KeepIDs])

	Groups     []Group
	Categories []Category
	Chains     []Chain
	Apps       []App
	Accounts   []*Account
	Channels   []Channel
	NavGroups  []NavGroup
	Menus      []Menu // in the order of PathSlug
	Assets     []Asset
}

// Licence is a licence under which the catalogue may be used.
type Licence struct {
	Name  string // such as an SPDX identifier
	URL   string // of its text, "" for none
	Scope string // what it covers, "" for everything
}

// Source is where figures or facts are from.
type Source struct {
	Key     string // which figures have as source
	Name    string
	URL     string // "" for none
	Licence string // "" if none is stated
}

// Roles are the categories and dimension groups with a meaning to the program. So the program
// depends on none by its key.
type Roles struct {
	EVM     []string // keys of categories whose chains run the Ethereum Virtual Machine
	Summary []string // keys of groups of chains that lists show next to names, in this order
	Testnet []string // keys of categories of test networks, which are counted apart from mainnets
}

// Site is how the site presents the catalogue. Empty fields have the defaults of the program.
type Site struct {
	Lead    Text   // line below the title of the first page
	Footer  Text   // line in the footer of every page
	Imprint string // address of the imprint
	Accent  string // colour of links and bars, as #rrggbb
	Icon    string // picture of browser tabs, as in Chain.Logo
	Words   []Word
}

// Word replaces words of the interface in a locale.
type Word struct {
	Locale string // a locale of the catalogue
	Key    string // as package words has it
	Text   string
}

// SearchRules demote records in search results (docs/api.md#relevance).
type SearchRules struct {
	Demote []string // keys of categories
}

// Acceptance is the editors' acceptance of warnings of a rule. Each non-empty field narrows the
// accepted warnings.
type Acceptance struct {
	Rule   Rule
	Kind   Kind
	Key    string // of a record, as [Change] has it
	Locale string // of a missing translation
	Reason string // the reason, for readers; has no effect
}

// Text is one text in several languages, sorted by Locale, with one entry per locale and no empty
// values. nil means no text.
type Text []Translation

// Translation is a text in one locale, trimmed and never empty.
type Translation struct {
	Locale string // as declared in Catalog.Locales
	Value  string
}

// Group is a dimension group: the categories of one module that answer the same question. Key is
// unique within its module.
type Group struct {
	Key      string
	Module   Module
	Name     Text
	Priority float64
}

// Category is one entry of the category registry.
type Category struct {
	Key         string
	Name        Text
	Description Text
	Parent      string // key of another category, "" for none
	Priority    float64
	Scopes      []Module
	Groups      []ModuleGroups // at most one entry a module, in the order written
	Aliases     []string
	Former      []string // former keys
}

// ModuleGroups has the dimension groups of a category in one module. The first is the `groupKey`
// of the category in that scope.
type ModuleGroups struct {
	Module Module
	Keys   []string
}

// Chain is a blockchain.
type Chain struct {
	Slug        string
	Name        Text
	ChainID     string // never empty in a valid catalogue; digits or a CAIP-2 reference
	ID          string // "" if derived: see [Chain.StableID]
	Logo        string
	Description Text
	Categories  []string
	TVL         *Figure // USD; nil if unknown
	Platforms   *Figure // number of apps; nil if unknown
	Aliases     []string
	Launched    Date
	Status      Status
	StatusSince Date
	StatusNote  Text
	Successor   string // slug of another chain
	Website     string
	Links       []Link
	RPC         []Endpoint
	Currency    *Currency
	Parent      string // slug of the chain that it settles on, belongs to, or is a test network of
	Former      []string
	Sources     JSON // of fields, by name: see [JSON.Strings]
	Extra       JSON
}

// Status is the status of a chain or an app. "" is [StatusLive], which is not written.
type Status string

// The statuses, as docs/directory.md#chains names them.
const (
	StatusLive     Status = "live"
	StatusUpcoming Status = "upcoming"
	StatusRetired  Status = "retired"
)

// Statuses returns all statuses in chronological order.
func Statuses() []Status { return []Status{StatusLive, StatusUpcoming, StatusRetired} }

// Retired reports whether lists hide the record by default.
func (s Status) Retired() bool { return s == StatusRetired }

// String returns the status as responses have it, never "".
func (s Status) String() string { return string(cmp.Or(s, StatusLive)) }

// LinkType is the type of a link's target.
type LinkType string

// LinkTypes returns the types of links in the order in which readers look for them
// (docs/directory.md#chains).
func LinkTypes() []LinkType {
	return []LinkType{"website", "docs", "source", "explorer", "faucet", "bridge", "status", "social", "other"}
}

// Link is a link to another site, other than the website.
type Link struct {
	Type LinkType
	Name string // "" for none
	URL  string
}

// Endpoint is a public JSON-RPC endpoint of a chain.
type Endpoint struct {
	URL  string
	Note string // "" for none

	Reached Reached // observed, never written (see [Merge])
}

// Currency is the currency of a chain's fees.
type Currency struct {
	Name, Symbol string
	Decimals     float64 // a whole number
}

// JSON is a JSON object as the editors wrote it, without white space; members keep their order
// and numbers their digits. It is stored and served uninterpreted. "" means none.
type JSON string

// App is an application or a service, independent of menus. A card that names it has its values
// where the card has none: see [Card.Of].
type App struct {
	Key         string
	Title       Text
	Description Text
	Link        string
	Image       string // "" for none
	Categories  []string
	Chains      []string // slugs
	Platforms   []Platform
	Aliases     []string
	Launched    Date
	Status      Status
	StatusSince Date
	StatusNote  Text
	Successor   string // key of another app
	Links       []Link
	Former      []string
	Sources     JSON
	Extra       JSON
}

// Platform is a platform of an app.
type Platform string

// Platforms returns all platforms (docs/directory.md#apps).
func Platforms() []Platform {
	return []Platform{"web", "ios", "android", "desktop", "extension", "cli"}
}

// Account is a Twitter/X account.
type Account struct {
	Handle      string // without the leading @
	Name        string
	Description Text
	Categories  []string
	Followers   *Figure // nil if unknown: lists hide the account
	Website     string
	Links       []Link
	Former      []string // former handles
	Sources     JSON
	Extra       JSON
}

// Channel is a YouTube channel.
type Channel struct {
	ChannelID   string
	Name        string
	Description Text
	Categories  []string
	Subscribers *Figure // nil when unknown
	Website     string
	Links       []Link
	Sources     JSON
	Extra       JSON
}

// NavGroup is a group of menus.
type NavGroup struct {
	Key         string
	Slug        string // Key by default; never empty
	Name        Text
	Description Text
	Menus       []string // path slugs
	Former      []string // former slugs
}

// Menu is a navigation menu.
type Menu struct {
	PathSlug    string
	Title       Text
	Description Text
	OGImage     string
	BlogSlugs   []string
	Aliases     []string
	Former      []string // former path slugs
	Groups      []MenuGroup
	Standalone  []Item
}

// MenuGroup is a sidebar group of a menu. Slug is unique within its menu.
type MenuGroup struct {
	Slug  string
	ID    string // "" if derived
	Name  Text
	Items []Item
}

// ItemType is the type of an item: a category of cards or a single link.
type ItemType string

// The item types (docs/api.md#navigation-menus).
const (
	ItemCategory ItemType = "category"
	ItemLink     ItemType = "link"
)

// Item is a category of cards or a link. An item of type link has one card.
type Item struct {
	Slug        string
	ID          string   // "" if derived
	Name        Text     //
	Type        ItemType // ItemCategory by default; never empty
	Description Text
	Cards       []Card
}

// Card is a card of an app. A card with a key of an app has only the values that differ from the
// app.
type Card struct {
	Title       Text
	ID          string // "" if derived
	Description Text
	Link        string
	Image       string // "" for none
	App         string // key of an app, "" for none
	Categories  []string
	Chains      []string // slugs
	Platforms   []Platform
	Aliases     []string
	Extra       JSON
}

// Of returns the card with the values of its app where it has none, by field. A text is taken
// with all its locales, and aliases together with the title. A nil app changes nothing.
func (c Card) Of(app *App) Card {
	if app == nil {
		return c
	}
	if len(c.Title) == 0 {
		c.Title = app.Title
		if len(c.Aliases) == 0 {
			c.Aliases = app.Aliases
		}
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
	c.Link, c.Image, c.Extra = cmp.Or(c.Link, app.Link), cmp.Or(c.Image, app.Image), cmp.Or(c.Extra, app.Extra)
	return c
}

// AppsByKey returns the apps of a catalogue by their keys.
func (c *Catalog) AppsByKey() map[string]*App {
	apps := make(map[string]*App, len(c.Apps))
	for i := range c.Apps {
		apps[c.Apps[i].Key] = &c.Apps[i]
	}
	return apps
}

// Cards yields the cards of all menus as written, in the order of menus, groups and items. Cards
// of standalone items come last in a menu.
func (c *Catalog) Cards() iter.Seq[*Card] {
	return func(yield func(*Card) bool) {
		for i := range c.Menus {
			for card := range c.Menus[i].Cards() {
				if !yield(card) {
					return
				}
			}
		}
	}
}

// Cards yields the cards of the menu as written, in the order of groups and items. Cards of
// standalone items come last.
func (m *Menu) Cards() iter.Seq[*Card] {
	return func(yield func(*Card) bool) {
		for _, items := range m.itemLists() {
			for j := range items {
				for k := range items[j].Cards {
					if !yield(&items[j].Cards[k]) {
						return
					}
				}
			}
		}
	}
}

// itemLists yields the items of each group with the slug of the group, then the standalone ones
// with "".
func (m *Menu) itemLists() iter.Seq2[string, []Item] {
	return func(yield func(string, []Item) bool) {
		for _, g := range m.Groups {
			if !yield(g.Slug, g.Items) {
				return
			}
		}
		yield("", m.Standalone)
	}
}

// clone returns a copy of the menu that shares texts and lists of strings with m.
func (m Menu) clone() Menu {
	items := func(items []Item) []Item {
		items = slices.Clone(items)
		for i := range items {
			items[i].Cards = slices.Clone(items[i].Cards)
		}
		return items
	}
	m.Groups = slices.Clone(m.Groups)
	for i := range m.Groups {
		m.Groups[i].Items = items(m.Groups[i].Items)
	}
	m.Standalone = items(m.Standalone)
	return m
}

// Complete returns a copy of the menu in which each card has the values of its app. The copy
// shares texts and lists of strings with m, which is not modified.
func (m Menu) Complete(apps map[string]*App) Menu {
	m = m.clone()
	for _, items := range m.itemLists() {
		for _, item := range items {
			for i, card := range item.Cards {
				item.Cards[i] = card.Of(apps[card.App])
			}
		}
	}
	return m
}

// Date is a calendar date as YYYY-MM-DD, so dates sort as strings.
type Date string

// DateOf returns the day of a time in UTC.
func DateOf(t time.Time) Date { return Date(t.UTC().Format(time.DateOnly)) }

// Figure is a number with its source. A figure without Source and AsOf is a bare figure of the
// editors, which takes precedence over all observations (docs/figures.md#precedence).
type Figure struct {
	Value  float64 // finite, 0 or more
	Source string  // "" exactly when AsOf is ""
	AsOf   Date
}

// Bare reports whether the figure is an editor's number without a source.
func (f Figure) Bare() bool { return f.AsOf == "" }

// Equal reports whether two figures have the same values. nil is an unknown figure.
func (f *Figure) Equal(g *Figure) bool {
	if f == nil || g == nil {
		return f == g
	}
	return *f == *g
}

// FigureName is the name of a figure in the directory and in the meta operation.
type FigureName string

// The figures of a catalogue.
const (
	FigureTVL       FigureName = "llama_tvl"
	FigurePlatforms FigureName = "platforms"
	FigureFollowers FigureName = "followers_count"

	FigureSubscribers FigureName = "subscriber_count"
)

// In returns the text in one locale, without any fallback.
func (t Text) In(locale string) (string, bool) {
	for _, tr := range t {
		if tr.Locale == locale {
			return tr.Value, true
		}
	}
	return "", false
}

// Resolve returns the text in the first locale of chain that has one, "" for none. chain is the
// result of locale.Set.Fallback: fallback is per text, not per record (docs/api.md#languages).
func (t Text) Resolve(chain []string) string {
	for _, loc := range chain {
		if v, ok := t.In(loc); ok {
			return v
		}
	}
	return ""
}
