// Package query turns the query string of a request into a typed request, by
// the rules of docs/api.md for parameters, locales, search terms, tags and pages.
//
// It is pure: it knows no HTTP, no catalogue and no status codes. What a client
// did wrong comes back as an [*Error] that names the parameter.
package query

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine/internal/domain"
	"vitrine/internal/fold"
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

// ParseLocalized reads `locale`.
func ParseLocalized(raw string, locales *locale.Set) (Localized, error) {
	p, err := scan(raw, LocalizedParameters)
	if err != nil {
		return Localized{}, err
	}
	return Localized{Locale: p.locale(locales)}, nil
}

// ParseCategories reads `locale`, `scope` and `includeI18n`.
func ParseCategories(raw string, locales *locale.Set) (Categories, error) {
	p, err := scan(raw, CategoriesParameters)
	if err != nil {
		return Categories{}, err
	}
	scope, err := enum(p, "scope", domain.Modules(), "")
	if err != nil {
		return Categories{}, err
	}
	full, err := p.switched("includeI18n")
	if err != nil {
		return Categories{}, err
	}
	return Categories{Locale: p.locale(locales), Scope: scope, Full: full}, nil
}

// ParseCategoryGroups reads `locale` and `module`, which is required.
func ParseCategoryGroups(raw string, locales *locale.Set) (CategoryGroups, error) {
	p, err := scan(raw, CategoryGroupsParameters)
	if err != nil {
		return CategoryGroups{}, err
	}
	module, err := enum(p, "module", domain.Modules(), "")
	if err != nil {
		return CategoryGroups{}, err
	}
	if module == "" {
		allowed := names(domain.Modules())
		return CategoryGroups{}, &Error{
			Parameter: "module",
			Detail:    "module is required: one of " + strings.Join(allowed, ", "),
			Allowed:   allowed,
		}
	}
	return CategoryGroups{Locale: p.locale(locales), Module: module}, nil
}

// ParseList reads `locale`, `q`, `tag`, `match`, `status`, `facets`, `sort`, which
// may be relevance alone, `limit` and `offset`.
func ParseList(raw string, locales *locale.Set) (List, error) {
	p, err := scan(raw, ListParameters)
	if err != nil {
		return List{}, err
	}
	sort, err := enum(p, "sort", []Sort{SortRelevance}, "")
	if err != nil {
		return List{}, err
	}
	return p.list(locales, sort)
}

// ParseChains reads what [ParseList] reads with more sorts, and `sortDir`.
func ParseChains(raw string, locales *locale.Set) (Chains, error) {
	p, err := scan(raw, ChainsParameters)
	if err != nil {
		return Chains{}, err
	}
	sort, err := enum(p, "sort", ChainSorts(), SortTVL)
	if err != nil {
		return Chains{}, err
	}
	dir, err := enum(p, "sortDir", []string{"asc", "desc"}, "desc")
	if err != nil {
		return Chains{}, err
	}
	list, err := p.list(locales, sort)
	if err != nil {
		return Chains{}, err
	}
	if sort == SortRelevance { // by which nothing is sorted in another direction
		return Chains{List: list, Sort: SortTVL}, nil
	}
	return Chains{List: list, Sort: sort, Ascending: dir == "asc"}, nil
}

// ParseCards reads what [ParseList] reads with more sorts, `menu` and `chain`.
func ParseCards(raw string, locales *locale.Set) (Cards, error) {
	p, err := scan(raw, CardsParameters)
	if err != nil {
		return Cards{}, err
	}
	sort, err := enum(p, "sort", CardSorts(), SortMenu)
	if err != nil {
		return Cards{}, err
	}
	list, err := p.list(locales, sort)
	if err != nil {
		return Cards{}, err
	}
	if sort == SortRelevance {
		sort = SortMenu
	}
	return Cards{List: list, Sort: sort, Menu: Slug(p.first("menu")), Chain: Slug(p.first("chain"))}, nil
}

// ParseApps reads what [ParseList] reads with one more sort, `chain` and `platform`.
func ParseApps(raw string, locales *locale.Set) (Apps, error) {
	p, err := scan(raw, AppsParameters)
	if err != nil {
		return Apps{}, err
	}
	sort, err := enum(p, "sort", AppSorts(), SortTitle)
	if err != nil {
		return Apps{}, err
	}
	platform, err := enum(p, "platform", domain.Platforms(), "")
	if err != nil {
		return Apps{}, err
	}
	list, err := p.list(locales, sort)
	if err != nil {
		return Apps{}, err
	}
	return Apps{List: list, Chain: Slug(p.first("chain")), Platform: platform}, nil
}

// ParseSearch reads `q`, which is required, `kind`, `locale`, `limit` and `offset`.
func ParseSearch(raw string, locales *locale.Set) (Search, error) {
	p, err := scan(raw, SearchParameters)
	if err != nil {
		return Search{}, err
	}
	search, err := p.search()
	if err != nil {
		return Search{}, err
	}
	if search == "" {
		return Search{}, &Error{Parameter: "q", Detail: "q is required: the words to search for"}
	}
	kinds, named, err := p.kinds()
	if err != nil {
		return Search{}, err
	}
	page, err := p.page(MaxResults)
	if err != nil {
		return Search{}, err
	}
	page.On, page.Limit = true, cmp.Or(page.Limit, Results)
	q := ForLabel(search, p.locale(locales))
	q.Kinds, q.AppCards, q.Page = kinds, named && slices.Contains(kinds, KindCard), page
	return q, nil
}

// ForName returns the search for the records that a name may mean, which stands in a
// path and has dashes for spaces. A long one is cut.
func ForName(name string, id locale.ID) Search {
	return ForLabel(strings.NewReplacer("-", " ", "_", " ").Replace(name[:min(len(name), MaxSearch)]), id)
}

// ForLabel returns the search for the records that are called something.
func ForLabel(words string, id locale.ID) Search {
	q := Search{Locale: id, Search: words, Terms: sortedTerms(words), Phrase: fold.Phrase(words), Kinds: Kinds()}
	if written := strings.Join(strings.Fields(words), " "); written != q.Phrase {
		q.Written = written
	}
	return q
}

// kinds reads `kind`, a list with commas. Where it is absent, these are all kinds, and
// named is false.
func (p params) kinds() (kinds []Kind, named bool, err error) {
	asked := items(p.first("kind"))
	if len(asked) == 0 {
		return Kinds(), false, nil
	}
	for _, kind := range asked {
		if !slices.Contains(Kinds(), Kind(kind)) {
			list := names(Kinds())
			return nil, false, &Error{Parameter: "kind", Detail: "kind must be some of " + strings.Join(list, ", ") + ", with commas", Allowed: list}
		}
	}
	return slices.DeleteFunc(Kinds(), func(k Kind) bool { return !slices.Contains(asked, string(k)) }), true, nil
}

func (p params) locale(locales *locale.Set) locale.ID {
	return locales.Match(p.first("locale"))
}

// search returns `q`.
func (p params) search() (string, error) {
	search := p.first("q")
	if utf8.RuneCountInString(search) > MaxSearch {
		return "", &Error{Parameter: "q", Detail: fmt.Sprintf("q is too long: at most %d characters", MaxSearch)}
	}
	return search, nil
}

// sortedTerms returns the terms of a search. All must match, in whatever order.
func sortedTerms(search string) []string {
	terms := fold.Terms(search)
	slices.Sort(terms)
	return terms
}

// matchAny is the same as no match.
const matchAny Match = "any"

// list reads what all lists know but for `sort`, which it is given.
func (p params) list(locales *locale.Set, sort Sort) (List, error) {
	search, err := p.search()
	if err != nil {
		return List{}, err
	}
	page, err := p.page(MaxLimit)
	if err != nil {
		return List{}, err
	}
	match, err := enum(p, "match", []Match{matchAny, MatchGroups, MatchAll}, "")
	if err != nil {
		return List{}, err
	}
	status, err := enum(p, "status", Statuses(), "")
	if err != nil {
		return List{}, err
	}
	facets, err := p.switched("facets")
	if err != nil {
		return List{}, err
	}
	slugs := tags(p.all("tag"))
	if match == matchAny || len(slugs) == 0 { // where nothing is to go together
		match = ""
	}
	list := List{
		Locale: p.locale(locales), Search: search, Terms: sortedTerms(search), Tags: slugs,
		Match: match, Status: status, Facets: facets, Page: page,
	}
	if sort == SortRelevance && len(list.Terms) > 0 {
		list.Relevance, list.Phrase = true, fold.Phrase(search)
	}
	return list, nil
}

// tags makes one list of all `tag` parameters (docs/api.md#tags).
func tags(values []string) []string {
	var slugs []string
	for _, value := range values {
		for _, item := range items(value) {
			slugs = append(slugs, Slug(item))
		}
	}
	slices.Sort(slugs)
	return slices.Compact(slugs)
}

// items returns the items of a list with commas, trimmed, without empty ones.
func items(value string) []string {
	var items []string
	for item := range strings.SplitSeq(value, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// Slug returns a slug or key in the form in which filters, paths and tools look it up: in
// lower case and without surrounding spaces.
func Slug(value string) string { return strings.ToLower(strings.TrimSpace(value)) }

// page reads `limit`, which is most at most, and `offset`.
func (p params) page(most int) (Page, error) {
	limit, offset := p.first("limit"), p.first("offset")
	page := Page{On: limit != "" || offset != ""}
	if limit != "" {
		n, ok := natural(limit)
		if !ok || n < 1 || n > most {
			return Page{}, &Error{
				Parameter: "limit",
				Detail:    fmt.Sprintf("limit must be a whole number from 1 to %d", most),
			}
		}
		page.Limit = n
	}
	if offset != "" {
		n, ok := natural(offset)
		if !ok {
			return Page{}, &Error{Parameter: "offset", Detail: "offset must be a whole number, 0 or more"}
		}
		page.Offset = n
	}
	return page, nil
}

// natural reads a decimal number of digits only. A number too large for an int
// is still a number: it comes back as the largest int.
func natural(s string) (int, bool) {
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		if n > (math.MaxInt-9)/10 {
			n = math.MaxInt
			continue
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

// switched reads a parameter that is on or off, and off where it is absent.
func (p params) switched(name string) (bool, error) {
	value, err := enum(p, name, []string{"1", "true", "0", "false"}, "0")
	return value == "1" || value == "true", err
}

// enum returns the value of a parameter that must be one of allowed, absent
// when the request does not have it.
func enum[T ~string](p params, name string, allowed []T, absent T) (T, error) {
	value := p.first(name)
	if value == "" {
		return absent, nil
	}
	if i := slices.Index(allowed, T(value)); i >= 0 {
		return allowed[i], nil // not a piece of the request, which may be long
	}
	list := names(allowed)
	return "", &Error{
		Parameter: name,
		Detail:    fmt.Sprintf("%s must be one of %s", name, strings.Join(list, ", ")),
		Allowed:   list,
	}
}

func names[T ~string](values []T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}
