// Package query turns the query string of a request into a typed request, by
// the rules of docs/api.md for parameters, locales, search terms, tags and pages.
//
// It is pure: it knows no HTTP, no catalogue and no status codes. What a client
// did wrong comes back as an [*Error] that names the parameter.
package query

import (
	"vitrine/internal/domain"
	"vitrine/internal/locale"
)

// The bounds of docs/api.md.
const (
	MaxSearch  = 200  // code points of `q`
	MaxLimit   = 1000 // records of a page
	MaxResults = 100  // of a search over everything
	Results    = 20   // of one that says no limit
)

// Error says which parameter is wrong and what it may be. Detail is a sentence
// for the caller, Allowed the values of an enumeration, nil for the others.
type Error struct {
	Parameter string
	Detail    string
	Allowed   []string
}

func (e *Error) Error() string { return e.Detail }

// Localized is the request of the operations that take nothing but a locale.
type Localized struct {
	Locale locale.ID
}

// Categories is a request for the category registry.
type Categories struct {
	Locale locale.ID
	Scope  domain.Module // "" for all
	Full   bool          // includeI18n
}

// CategoryGroups is a request for the dimension groups of a module.
type CategoryGroups struct {
	Locale locale.ID
	Module domain.Module
}

// List is a request for records of one list.
type List struct {
	Locale    locale.ID
	Search    string   // `q` as the client wrote it, "" for none
	Terms     []string // folded, sorted, distinct; none finds all
	Phrase    string   // of what is asked for by relevance: the folded terms as they were written; else ""
	Tags      []string // lower case, sorted, distinct; none finds all
	Match     Match    // "" where there are no tags
	Status    Status
	Facets    bool
	Relevance bool // sort=relevance, and there is a term
	Page      Page
}

// Match says how several tags go together. "" is that a record has any of them.
type Match string

// The other ways in which tags go together, as docs/api.md#tags names them.
const (
	MatchGroups Match = "groups" // it has one of each dimension group
	MatchAll    Match = "all"    // it has all of them
)

// Status says which records are asked for. "" is all but those that are retired.
type Status string

// The other statuses that lists are filtered by, as docs/api.md#status names them.
const (
	StatusLive     Status = "live"
	StatusUpcoming Status = "upcoming"
	StatusRetired  Status = "retired"
	StatusAll      Status = "all"
)

// Statuses returns the statuses that a request may name, as docs/api.md#status lists them.
func Statuses() []Status { return []Status{StatusLive, StatusUpcoming, StatusRetired, StatusAll} }

// Page is the part of a list that a client asked for.
type Page struct {
	On     bool // limit or offset was given
	Limit  int  // 1 to MaxLimit; 0 when none was given
	Offset int  // 0 and more
}

// Sort names an order of a list.
type Sort string

// The orders, as docs/api.md names them. SortRelevance orders by what was searched
// (docs/api.md#relevance); where nothing was, a list has its default order.
const (
	SortName      Sort = "name"
	SortChainID   Sort = "chainId"
	SortPlatforms Sort = "platforms"
	SortTVL       Sort = "tvl"
	SortMenu      Sort = "menu"
	SortTitle     Sort = "title"
	SortRelevance Sort = "relevance"
)

// ChainSorts returns the orders of the chains, as docs/api.md#chains lists them.
func ChainSorts() []Sort {
	return []Sort{SortName, SortChainID, SortPlatforms, SortTVL, SortRelevance}
}

// CardSorts returns the orders of the cards, as docs/api.md#cards lists them.
func CardSorts() []Sort { return []Sort{SortMenu, SortTitle, SortRelevance} }

// Chains is a request for chains.
type Chains struct {
	List
	Sort      Sort
	Ascending bool // sortDir; descending is the default for every sort
}

// Cards is a request for cards.
type Cards struct {
	List
	Sort  Sort
	Menu  string // path slug, lower case; "" for all
	Chain string // slug, lower case; "" for all
}

// AppSorts returns the orders of the apps, as docs/api.md#apps lists them.
func AppSorts() []Sort { return []Sort{SortTitle, SortRelevance} }

// Apps is a request for apps. They are ordered by title, unless Relevance is set.
type Apps struct {
	List
	Chain    string          // slug, lower case; "" for all
	Platform domain.Platform // "" for all
}

// Kind names what a search over everything finds.
type Kind string

// The kinds of results, as docs/api.md#search-over-everything names them.
const (
	KindChain    Kind = "chain"
	KindApp      Kind = "app"
	KindUser     Kind = "user"
	KindChannel  Kind = "channel"
	KindCard     Kind = "card"
	KindMenu     Kind = "menu"
	KindCategory Kind = "category"
)

// Kinds returns all kinds in the order in which equal matches are listed.
func Kinds() []Kind {
	return []Kind{KindChain, KindApp, KindUser, KindChannel, KindCard, KindMenu, KindCategory}
}

// Search is a request for a search over everything.
type Search struct {
	Locale  locale.ID
	Search  string   // `q` as the client wrote it, never ""
	Terms   []string // as in List
	Phrase  string   // the folded terms as they were written
	Written string   // the words of `q` if they are not the same as Phrase, else ""
	Kinds   []Kind   // in the order of [Kinds], at least one
	Page    Page     // always asked for, and with a limit

	// AppCards says that cards which have an app are results, too: `kind` names card.
	// Otherwise such an app is one result, whatever number of cards it has.
	AppCards bool
}
