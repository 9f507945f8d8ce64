// Package query turns the query string of a request into a typed request, by the
// descriptions of the parameters and the rules of docs/api.md for locales, search terms,
// tags and pages.
//
// It must not know HTTP, catalogues or status codes. An error that a client made is an
// [*Error] that names the parameter.
package query

import (
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
)

// The bounds of docs/api.md.
const (
	MaxSearch  = 200  // code points of `q`
	MaxLimit   = 1000 // records of a page
	MaxDetails = 100  // records of a page with all their details
	MaxNames   = 100  // distinct values of `id`
	MaxResults = 100  // of a search over everything
	Results    = 20   // the default limit
	MaxChanges = 1000 // of a page of changes

	usualChanges = 100                 // the default limit of changes
	maxRevision  = 999_999_999_999_999 // the largest Integer of a structured field
)

// TimeFormat is the form of times in responses, which are in UTC.
const TimeFormat = time.RFC3339

// Error names an invalid parameter. Detail is a sentence for the client. Allowed has the
// values of an enumeration, nil for other types.
type Error struct {
	Parameter string
	Detail    string
	Allowed   []string
}

func (e *Error) Error() string { return e.Detail }

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
	Kind      Kind // of the records; see [ListParameters]
	Locale    locale.ID
	Search    string   // `q` as the client wrote it, "" for none
	Terms     []string // folded, sorted, distinct; none matches all records
	Phrase    string   // the folded terms as they were written if Relevance is set, else ""
	Tags      []string // lower case, sorted, distinct; none matches all records
	Match     Match    // "" if there are no tags
	Status    Status
	Names     []string // of the requested records, as the client wrote them, sorted, distinct; none matches all records
	Filters   []Filter // in the order of the parameters
	Facets    bool
	Details   bool // rows have all details
	Unlisted  bool // also records that the list hides
	Sort      Sort // "" or an unknown one is the standard order of the list
	Ascending bool // for lists with sortDir
	Relevance bool // sort=relevance, and there is a term
	Page      Page
}

// Filter is the value of a parameter that restricts a list, in lower case and not empty.
type Filter struct{ Name, Value string }

// Match says how several tags are combined. "" means that a record has any of them.
type Match string

// The values of Match, as docs/api.md#tags defines them.
const (
	MatchGroups Match = "groups" // one tag of each dimension group
	MatchAll    Match = "all"
	matchAny    Match = "any" // becomes ""
)

// Status filters records by status. "" means all but retired ones.
type Status string

// The values of Status, as docs/api.md#status defines them.
const (
	StatusLive     Status = "live"
	StatusUpcoming Status = "upcoming"
	StatusRetired  Status = "retired"
	StatusAll      Status = "all"
)

// Statuses returns the values of `status`.
func Statuses() []Status { return []Status{StatusLive, StatusUpcoming, StatusRetired, StatusAll} }

// Page is the requested part of a list.
type Page struct {
	On     bool // limit or offset was given
	Limit  int  // 0 for no limit
	Offset int
}

// Sort names an order of a list.
type Sort string

// The orders, as docs/api.md defines them. SortRelevance orders matches of a search
// (docs/api.md#relevance); without a search, it is the standard order of the list.
const (
	SortName      Sort = "name"
	SortChainID   Sort = "chainId"
	SortPlatforms Sort = "platforms"
	SortTVL       Sort = "tvl"
	SortMenu      Sort = "menu"
	SortTitle     Sort = "title"
	SortRelevance Sort = "relevance"
)

// Changes is a request for what changed since a revision or a time.
type Changes struct {
	Locale   locale.ID
	Revision int64     // 0 if Time is set
	Time     time.Time // zero if Revision is set
	Kinds    []Kind    // in the order of [ChangeKinds], at least one
	Page     Page      // always on, with a limit
}

// Search is a request for a search over everything.
type Search struct {
	Locale  locale.ID
	Search  string   // `q` as the client wrote it, never ""
	Terms   []string // as in List
	Phrase  string   // the folded terms as they were written
	Written string   // the words of `q` if they differ from Phrase, else ""
	Kinds   []Kind   // in the order of [Kinds], at least one
	Page    Page     // always on, with a limit

	// AppCards includes cards that have an app: `kind` names card. Without it, such an app is
	// one result, however many cards it has.
	AppCards bool
}
