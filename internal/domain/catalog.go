// Package domain holds the domain: what a catalogue is, which catalogues are
// valid ([Check]), how two of them differ ([Diff]) and how the editors' layer
// and the observed figures become one ([Merge]).
//
// It must not know how a catalogue is written down (package bundle), kept
// (package store) or sent (package snapshot): there are no struct tags here,
// no positions in files and no I/O.
//
// A *Catalog that has left its maker is read only and safe to share.
package domain

import "time"

// Module is a domain that categories classify; it is also the value of the
// parameters `scope` and `module`.
type Module string

// The modules, as docs/api.md#categories names them.
const (
	ModuleChain   Module = "chain"
	ModuleTwitter Module = "twitter"
	ModuleYouTube Module = "youtube"
	ModuleItem    Module = "item"
)

// Modules returns all modules in the order in which responses list
// them.
func Modules() []Module {
	return []Module{ModuleChain, ModuleTwitter, ModuleYouTube, ModuleItem}
}

// Catalog is one whole catalogue. The order of every slice is the order in
// which the editors wrote it; lists that responses sort are sorted by package
// snapshot, never here.
type Catalog struct {
	Title         Text
	DefaultLocale string
	Locales       []string // as spelled by the editors; holds DefaultLocale
	LinkSchemes   []string // URL schemes beside http(s) that links may have, lower case
	Accept        []Acceptance

	Groups     []Group
	Categories []Category
	Chains     []Chain
	Accounts   []Account
	Channels   []Channel
	NavGroups  []NavGroup
	Menus      []Menu // in the order of PathSlug
}

// Acceptance says that the editors have seen warnings of a rule and let them
// stand. Each field that is not empty narrows what it is of.
type Acceptance struct {
	Rule   Rule
	Kind   Kind
	Key    string // of a record, as [Change] has it
	Locale string // that a translation is missing in
	Reason string // why, for people; narrows nothing
}

// Text is one text in several languages, sorted by Locale, one entry a
// locale, no empty values. Nil means that there is no text.
type Text []Translation

// Translation is a text in one locale, trimmed and never empty.
type Translation struct {
	Locale string // as declared in Catalog.Locales
	Value  string
}

// Group is a dimension group: a set of categories of one module that answer
// the same question. Key is unique within its module.
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
}

// ModuleGroups names the dimension groups of a category in one module; the
// first is the category's `groupKey` for that scope.
type ModuleGroups struct {
	Module Module
	Keys   []string
}

// Chain is a blockchain.
type Chain struct {
	Slug       string
	Name       Text
	ChainID    string // never empty in a valid catalogue; digits or a CAIP-2 reference
	ID         string // "" when the editors gave none: see [Chain.StableID]
	Logo       string
	Categories []string
	TVL        *Figure // USD; nil when unknown
	Platforms  *Figure // number of apps; nil when unknown
	Aliases    []string
}

// Account is a Twitter/X account.
type Account struct {
	Handle      string // without a leading @
	Name        string
	Description Text
	Categories  []string
	Followers   *Figure // nil when unknown: the account is held back from the list
}

// Channel is a YouTube channel.
type Channel struct {
	ChannelID   string
	Name        string
	Description Text
	Categories  []string
}

// NavGroup is a group of menus.
type NavGroup struct {
	Key         string
	Slug        string // equal to Key unless the editors said otherwise; never empty
	Name        Text
	Description Text
	Menus       []string // path slugs
}

// Menu is the tree of one navigation menu.
type Menu struct {
	PathSlug    string
	Title       Text
	Description Text
	OGImage     string
	BlogSlugs   []string
	Groups      []MenuGroup
	Standalone  []Item
}

// MenuGroup is a sidebar group of a menu. Slug is unique within its menu.
type MenuGroup struct {
	Slug  string
	ID    string // "" when the editors gave none
	Name  Text
	Items []Item
}

// ItemType tells a category of cards from a single link.
type ItemType string

// The item types (docs/api.md#navigation-menus).
const (
	ItemCategory ItemType = "category"
	ItemLink     ItemType = "link"
)

// Item is a category of cards or a link. An item of type link has one card.
type Item struct {
	Slug        string
	ID          string   // "" when the editors gave none
	Name        Text     //
	Type        ItemType // ItemCategory unless the editors said otherwise; never empty
	Description Text
	Cards       []Card
}

// Card is an app card.
type Card struct {
	Title       Text
	ID          string // "" when the editors gave none
	Description Text
	Link        string
	Image       string // "" for none
}

// Date is a calendar date as YYYY-MM-DD, so that dates order as strings do.
type Date string

// DateOf returns the day of a time in UTC.
func DateOf(t time.Time) Date { return Date(t.UTC().Format(time.DateOnly)) }

// Figure is a number and where it comes from. A figure without Source and AsOf
// is the editors' bare word, which wins over every observation
// (docs/publishing.md#two-layers).
type Figure struct {
	Value  float64 // finite, 0 or more
	Source string  // "" exactly when AsOf is ""
	AsOf   Date
}

// Bare reports whether the figure is an editor's number without a source.
func (f Figure) Bare() bool { return f.AsOf == "" }

// Equal reports whether two figures read the same; nil is a figure that is not
// known.
func (f *Figure) Equal(g *Figure) bool {
	if f == nil || g == nil {
		return f == g
	}
	return *f == *g
}

// FigureName names a figure as the directory and the meta operation do.
type FigureName string

// The figures of a catalogue.
const (
	FigureTVL       FigureName = "llama_tvl"
	FigurePlatforms FigureName = "platforms"
	FigureFollowers FigureName = "followers_count"
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

// Resolve returns the text in the first locale of chain that has one, ""
// where none has. Chain is what locale.Set.Fallback returns: fallback is per
// text, not per record (docs/api.md#languages).
func (t Text) Resolve(chain []string) string {
	for _, loc := range chain {
		if v, ok := t.In(loc); ok {
			return v
		}
	}
	return ""
}
