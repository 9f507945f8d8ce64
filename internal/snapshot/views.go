package snapshot

import (
	"vitrine/internal/domain"
	"vitrine/internal/query"
)

// The types below are the views of records: the content of responses, pages and tools in one
// locale. The tag json has the names of members and when they are omitted (omitempty: if empty;
// omitzero: if nil). The tag encode marks exceptions: null (an empty string is written as null),
// and text, labels and keys, which rows leave out (see [row]). The field with keys follows the
// one with labels.
//
// Slices of views may be shared with the catalogue and must not be modified.

// Page is the part of a list that a query selects.
type Page[Row any] struct {
	Rows   []Row
	Facets []Facet // nil unless the query requests facets
	Total  int     // all matches of the query
}

// Facet is a dimension group with the number of matches of each of its categories.
type Facet struct {
	Group      string       `json:"group"`
	Name       string       `json:"name"`
	Categories []FacetCount `json:"categories"`
}

// FacetCount is the number of matches of a category.
type FacetCount struct {
	Key   string `json:"key"`
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Object is a JSON object whose members have one type, in the order of the members.
type Object[T any] []Member[T]

// Member is a member of an [Object].
type Member[T any] struct {
	Name  string
	Value T
}

// Get returns the value of a member. ok is false if there is no such member.
func (o Object[T]) Get(name string) (value T, ok bool) {
	for _, m := range o {
		if m.Name == name {
			return m.Value, true
		}
	}
	return value, false
}

// Link is a link of a record.
type Link struct {
	Type domain.LinkType `json:"type"`
	Name string          `json:"name,omitempty"`
	URL  string          `json:"url"`
}

// Figure is a number with its source and date, which are empty for a bare figure.
type Figure struct {
	Value  float64 `json:"value"`
	Source string  `json:"source,omitempty"`
	// SourceURL is that of the source, if the catalogue declares it.
	SourceURL string      `json:"sourceUrl,omitempty"`
	AsOf      domain.Date `json:"asOf,omitempty"`
}

// ChainRow is a chain in a list.
type ChainRow struct {
	ID         string   `json:"_id"`
	Slug       string   `json:"slug"`
	Name       string   `json:"name"`
	Logo       string   `json:"logo,omitempty"`
	ChainID    string   `json:"chain_id"`
	Categories []string `json:"categorySlugs,omitempty"`
	TVL        *float64 `json:"llama_tvl,omitempty"`
}

// Chain is a chain with all its details.
type Chain struct {
	ChainRow
	Description string         `json:"description,omitempty"`
	Launched    domain.Date    `json:"launched,omitempty"`
	Status      domain.Status  `json:"status"`
	StatusSince domain.Date    `json:"statusSince,omitempty"`
	StatusNote  string         `json:"statusNote,omitempty"`
	Successor   string         `json:"successor,omitempty"`
	Website     string         `json:"website,omitempty"`
	Links       []Link         `json:"links,omitempty"`
	RPC         []Endpoint     `json:"rpc,omitempty"`
	Currency    *Currency      `json:"nativeCurrency,omitempty"`
	Parent      string         `json:"parent,omitempty"`
	Children    []string       `json:"children,omitempty"`
	Aliases     []string       `json:"aliases,omitempty"`
	Former      []string       `json:"former,omitempty"`
	SameID      []string       `json:"sameId,omitempty"`
	Sources     domain.JSON    `json:"sources,omitempty"`
	Platforms   *float64       `json:"platforms,omitempty"`
	Figures     Object[Figure] `json:"figures,omitempty"`
	Extra       domain.JSON    `json:"extra,omitempty"`
}

// Endpoint is a JSON-RPC endpoint of a chain.
type Endpoint struct {
	URL        string      `json:"url"`
	Note       string      `json:"note,omitempty"`
	State      string      `json:"state,omitempty"` // up or down; "" if unknown
	StateSince domain.Date `json:"stateSince,omitempty"`
}

// Currency is the currency of a chain, with the members of EIP-3085.
type Currency struct {
	Name     string  `json:"name"`
	Symbol   string  `json:"symbol"`
	Decimals float64 `json:"decimals"`
}

// AccountRow is a Twitter account in a list.
type AccountRow struct {
	Handle      string   `json:"handle"`
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty" encode:"text"`
	Labels      []string `json:"twitterCategory" encode:"labels"` // of Categories
	Categories  []string `json:"categorySlugs" encode:"keys"`
	Followers   *float64 `json:"followers_count,omitempty"`
}

// Account is a Twitter account with all its details.
type Account struct {
	AccountRow
	Website string         `json:"website,omitempty"`
	Links   []Link         `json:"links,omitempty"`
	Former  []string       `json:"former,omitempty"`
	Sources domain.JSON    `json:"sources,omitempty"`
	Figures Object[Figure] `json:"figures,omitempty"`
	Extra   domain.JSON    `json:"extra,omitempty"`
}

// ChannelRow is a YouTube channel in a list.
type ChannelRow struct {
	ChannelID   string   `json:"channelId"`
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty" encode:"text"`
	Labels      []string `json:"youtubeCategory" encode:"labels"` // of Categories
	Categories  []string `json:"categorySlugs" encode:"keys"`
}

// Channel is a YouTube channel with all its details.
type Channel struct {
	ChannelRow
	Website string         `json:"website,omitempty"`
	Links   []Link         `json:"links,omitempty"`
	Sources domain.JSON    `json:"sources,omitempty"`
	Figures Object[Figure] `json:"figures,omitempty"`
	Extra   domain.JSON    `json:"extra,omitempty"`
}

// AppRow is an app in a list.
type AppRow struct {
	Key         string            `json:"key"`
	Title       string            `json:"title"`
	Description string            `json:"description,omitempty" encode:"text"`
	Link        string            `json:"link"`
	Image       string            `json:"image,omitempty"`
	Categories  []string          `json:"categorySlugs,omitempty"`
	Chains      []string          `json:"chains,omitempty"`
	Platforms   []domain.Platform `json:"platforms,omitempty"`
	Status      domain.Status     `json:"status"`
}

// App is an app with all its details.
type App struct {
	AppRow
	Launched    domain.Date `json:"launched,omitempty"`
	StatusSince domain.Date `json:"statusSince,omitempty"`
	StatusNote  string      `json:"statusNote,omitempty"`
	Successor   string      `json:"successor,omitempty"`
	Links       []Link      `json:"links,omitempty"`
	Menus       []AppPlace  `json:"menus,omitempty"`
	Aliases     []string    `json:"aliases,omitempty"`
	Former      []string    `json:"former,omitempty"`
	Sources     domain.JSON `json:"sources,omitempty"`
	Extra       domain.JSON `json:"extra,omitempty"`
}

// AppPlace is an item of a menu that has a card of an app.
type AppPlace struct {
	Menu string `json:"menu"` // path slug
	Item string `json:"item"` // slug
	Href string `json:"href"` // of the menu
}

// MenuCard is a card in its menu.
type MenuCard struct {
	ID          string `json:"id"`
	Title       string `json:"title"`
	Description string `json:"description,omitempty" encode:"text"`
	Link        string `json:"link"`
	Image       string `json:"image" encode:"null"`
}

// CardRow is a card in the list of the cards of all menus.
type CardRow struct {
	MenuCard
	Menu       string            `json:"menu"` // path slug
	Item       string            `json:"item"` // slug
	App        string            `json:"app,omitempty"`
	Categories []string          `json:"categorySlugs,omitempty"`
	Chains     []string          `json:"chains,omitempty"`
	Platforms  []domain.Platform `json:"platforms,omitempty"`
	Status     domain.Status     `json:"status,omitempty"` // of the app, "" without one
	Links      []Link            `json:"links,omitempty"`  // of the app
	Extra      domain.JSON       `json:"extra,omitempty"`
}

// Menu is a menu with its items and cards.
type Menu struct {
	Slug        string      `json:"menuSlug"`
	Title       string      `json:"title"`
	Description string      `json:"description,omitempty"`
	OGImage     string      `json:"ogImage,omitempty"`
	Groups      []MenuGroup `json:"groups"`
	Standalone  []MenuItem  `json:"standalone"`
	BlogSlugs   []string    `json:"blogSlugs"`
}

// MenuGroup is a group of items of a menu.
type MenuGroup struct {
	ID    string     `json:"id"`
	Name  string     `json:"name"`
	Slug  string     `json:"slug"`
	Items []MenuItem `json:"items"`
}

// MenuItem is an item of a menu.
type MenuItem struct {
	ID          string          `json:"id"`
	Name        string          `json:"name"`
	Slug        string          `json:"slug"`
	Type        domain.ItemType `json:"type"`
	Description string          `json:"description,omitempty"`
	Cards       []MenuCard      `json:"cards"`
}

// NavGroups are all nav groups, with totals.
type NavGroups struct {
	Groups      []NavGroup `json:"groups"`
	TotalGroups int        `json:"totalGroups"`
	TotalMenus  int        `json:"totalMenus"`
}

// NavGroup is a nav group with its menus.
type NavGroup struct {
	Key         string    `json:"key"`
	Slug        string    `json:"slug"`
	Name        string    `json:"name"`
	Description string    `json:"description,omitempty"`
	Navs        []NavMenu `json:"navs"`
}

// NavMenu is a menu in its nav group.
type NavMenu struct {
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
	Href        string `json:"href"` // /nav/ and the path slug
}

// Category is a category in the short form of the registry.
type Category struct {
	Key      string          `json:"key"`
	Name     string          `json:"name"`
	Parent   string          `json:"parent" encode:"null"`
	Priority float64         `json:"priority"`
	Scopes   []domain.Module `json:"scopes,omitzero"` // nil in the registry of one scope
}

// FullCategory is a category in the full form of the registry, with all translations.
type FullCategory struct {
	Key             string           `json:"key"`
	Names           Object[string]   `json:"i18n"` // by locale
	Descriptions    Object[string]   `json:"descriptionI18n,omitzero"`
	Parent          string           `json:"parent" encode:"null"`
	Priority        float64          `json:"priority"`
	Scopes          []domain.Module  `json:"scopes"`
	ModuleGroupKeys Object[[]string] `json:"moduleGroupKeys,omitzero"` // by module; nil in the registry of one scope
	GroupKey        string           `json:"groupKey,omitempty"`       // in the registry of one scope
}

// CategoryGroups are the dimension groups of a module.
type CategoryGroups struct {
	Module domain.Module   `json:"module"`
	Groups []CategoryGroup `json:"groups"`
}

// CategoryGroup is a dimension group.
type CategoryGroup struct {
	Key      string         `json:"key"`
	Name     string         `json:"name"`
	Names    Object[string] `json:"i18n"` // by locale
	Priority float64        `json:"priority"`
}

// Meta describes the catalogue.
type Meta struct {
	Title         string         `json:"title"`
	DefaultLocale string         `json:"defaultLocale"`
	Locales       []string       `json:"locales"`
	Revision      int64          `json:"revision"`
	PublishedAt   string         `json:"publishedAt"` // RFC 3339
	Counts        Counts         `json:"counts"`
	ChainStatus   ChainStatus    `json:"chainStatus"`
	ChainNetworks *ChainNetworks `json:"chainNetworks,omitempty"`
	Figures       []FigureAge    `json:"figures"`
	Demonstration bool           `json:"demonstration,omitempty"`
	Bulk          *Bulk          `json:"bulk,omitempty"`
}

// Bulk is the catalogue as files.
type Bulk struct {
	Href string `json:"href"` // path of the pointer
}

// Counts are the numbers of records that lists have by default.
type Counts struct {
	Categories int `json:"categories"`
	Users      int `json:"users"`
	Chains     int `json:"chains"`
	Channels   int `json:"channels"`
	Menus      int `json:"menus"`
	Apps       int `json:"apps"`
}

// ChainStatus is the number of chains of each status.
type ChainStatus struct {
	Live     int `json:"live"`
	Upcoming int `json:"upcoming"`
	Retired  int `json:"retired"`
}

// ChainNetworks are the numbers of live chains that are test networks and that are not, and of
// upcoming chains.
type ChainNetworks struct {
	Mainnets int `json:"mainnets"`
	Testnets int `json:"testnets"`
	Upcoming int `json:"upcoming"`
}

// FigureAge sums up the figures of one name and source.
type FigureAge struct {
	Figure    domain.FigureName `json:"figure"`
	Source    string            `json:"source"`
	SourceURL string            `json:"sourceUrl,omitempty"` // as in [Figure]
	Records   int               `json:"records"`
	Oldest    domain.Date       `json:"oldest,omitempty"`
	Newest    domain.Date       `json:"newest,omitempty"`
	Older     int               `json:"older,omitempty"` // records with a figure older than max_age
}

// SearchResults are the results of a search over everything.
type SearchResults struct {
	Results    []SearchResult `json:"results"`
	Totals     Object[int]    `json:"totals"` // by kind
	DidYouMean []string       `json:"didYouMean"`
	Corrected  string         `json:"corrected,omitempty"`
	Relaxed    []string       `json:"relaxed,omitempty"`
	Total      int            `json:"-"` // results of the kinds of the query, on this page or not
}

// SearchResult is a record in the results of a search over everything.
type SearchResult struct {
	Kind        query.Kind `json:"kind"`
	Key         string     `json:"key"`
	Title       string     `json:"title"`
	Description string     `json:"description,omitempty"`
	Image       string     `json:"image,omitempty"`
	URL         string     `json:"url,omitempty"`
	Href        string     `json:"href"`
	Menus       []string   `json:"menus,omitzero"` // path slugs of the menus of an app; nil for other kinds
	Matched     string     `json:"matched,omitempty"`
}

// Changes are the changes of records between two revisions.
type Changes struct {
	From    int64    `json:"from"`
	To      int64    `json:"to"`
	Changes []Change `json:"changes"`
	Total   int      `json:"-"` // changes of the query, on this page or not
}

// Change is the change of a record.
type Change struct {
	Kind        query.Kind `json:"kind"`
	Key         string     `json:"key"`
	Was         string     `json:"was,omitempty"` // the key before a rename
	Change      domain.Op  `json:"change"`
	Fields      []string   `json:"fields,omitempty"` // members of responses that changed
	Revision    int64      `json:"revision"`         // the last one that changed the record
	PublishedAt string     `json:"publishedAt"`      // RFC 3339
	Title       string     `json:"title"`
	Href        string     `json:"href,omitempty"` // "" for a removed record
}
