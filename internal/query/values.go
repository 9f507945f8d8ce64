package query

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine/internal/fold"
	"vitrine/internal/locale"
)

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
