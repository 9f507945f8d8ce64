// Package query turns the query string of a request into a typed request, by
// the rules of docs/api.md for parameters, locales, search terms, tags and pages.
//
// It is pure: it knows no HTTP, no catalogue and no status codes. What a client
// did wrong comes back as an [*Error] that names the parameter.
package query

import (
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
	MaxSearch = 200  // code points of `q`
	MaxLimit  = 1000 // records of a page
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

// List is a request for accounts or channels.
type List struct {
	Locale locale.ID
	Search string   // `q` as the client wrote it, "" for none
	Terms  []string // folded, sorted, distinct; none finds all
	Tags   []string // lower case, sorted, distinct; none finds all
	Page   Page
}

// Page is the part of a list that a client asked for.
type Page struct {
	On     bool // limit or offset was given
	Limit  int  // 1 to MaxLimit; 0 when none was given
	Offset int  // 0 and more
}

// Sort names an order of the chains.
type Sort string

// The orders of the chains, as docs/api.md#chains names them.
const (
	SortName      Sort = "name"
	SortChainID   Sort = "chainId"
	SortPlatforms Sort = "platforms"
	SortTVL       Sort = "tvl"
)

// Sorts returns all orders, as docs/api.md#chains lists them.
func Sorts() []Sort { return []Sort{SortName, SortChainID, SortPlatforms, SortTVL} }

// Chains is a request for chains.
type Chains struct {
	List
	Sort      Sort
	Ascending bool // sortDir; descending is the default for every sort
}

// ParseLocalized reads `locale`.
func ParseLocalized(raw string, locales *locale.Set) (Localized, error) {
	p, err := scan(raw, "locale")
	if err != nil {
		return Localized{}, err
	}
	return Localized{Locale: p.locale(locales)}, nil
}

// ParseCategories reads `locale`, `scope` and `includeI18n`.
func ParseCategories(raw string, locales *locale.Set) (Categories, error) {
	p, err := scan(raw, "locale", "scope", "includeI18n")
	if err != nil {
		return Categories{}, err
	}
	scope, err := enum(p, "scope", domain.Modules(), "")
	if err != nil {
		return Categories{}, err
	}
	include, err := enum(p, "includeI18n", []string{"1", "true", "0", "false"}, "0")
	if err != nil {
		return Categories{}, err
	}
	full := include == "1" || include == "true"
	return Categories{Locale: p.locale(locales), Scope: scope, Full: full}, nil
}

// ParseCategoryGroups reads `locale` and `module`, which is required.
func ParseCategoryGroups(raw string, locales *locale.Set) (CategoryGroups, error) {
	p, err := scan(raw, "locale", "module")
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

// ParseList reads `locale`, `q`, `tag`, `limit` and `offset`.
func ParseList(raw string, locales *locale.Set) (List, error) {
	p, err := scan(raw, "locale", "q", "tag", "limit", "offset")
	if err != nil {
		return List{}, err
	}
	return p.list(locales)
}

// ParseChains reads what [ParseList] reads, `sort` and `sortDir`.
func ParseChains(raw string, locales *locale.Set) (Chains, error) {
	p, err := scan(raw, "locale", "q", "tag", "sort", "sortDir", "limit", "offset")
	if err != nil {
		return Chains{}, err
	}
	sort, err := enum(p, "sort", Sorts(), SortTVL)
	if err != nil {
		return Chains{}, err
	}
	dir, err := enum(p, "sortDir", []string{"asc", "desc"}, "desc")
	if err != nil {
		return Chains{}, err
	}
	list, err := p.list(locales)
	if err != nil {
		return Chains{}, err
	}
	return Chains{List: list, Sort: sort, Ascending: dir == "asc"}, nil
}

func (p params) locale(locales *locale.Set) locale.ID {
	return locales.Match(p.first("locale"))
}

func (p params) list(locales *locale.Set) (List, error) {
	search := p.first("q")
	if utf8.RuneCountInString(search) > MaxSearch {
		return List{}, &Error{Parameter: "q", Detail: fmt.Sprintf("q is too long: at most %d characters", MaxSearch)}
	}
	page, err := p.page()
	if err != nil {
		return List{}, err
	}
	terms := fold.Terms(search)
	slices.Sort(terms) // all must match, in whatever order
	return List{
		Locale: p.locale(locales),
		Search: search,
		Terms:  terms,
		Tags:   tags(p.all("tag")),
		Page:   page,
	}, nil
}

// tags makes one list of all `tag` parameters (docs/api.md#tags).
func tags(values []string) []string {
	var slugs []string
	for _, value := range values {
		for item := range strings.SplitSeq(value, ",") {
			if slug := strings.ToLower(strings.TrimSpace(item)); slug != "" {
				slugs = append(slugs, slug)
			}
		}
	}
	slices.Sort(slugs)
	return slices.Compact(slugs)
}

func (p params) page() (Page, error) {
	limit, offset := p.first("limit"), p.first("offset")
	page := Page{On: limit != "" || offset != ""}
	if limit != "" {
		n, ok := natural(limit)
		if !ok || n < 1 || n > MaxLimit {
			return Page{}, &Error{
				Parameter: "limit",
				Detail:    fmt.Sprintf("limit must be a whole number from 1 to %d", MaxLimit),
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
