package query

import (
	"cmp"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/fold"
	"vitrine/internal/locale"
)

// ParseLocalized reads a query with [LocalizedParameters], of which only the locale matters.
func ParseLocalized(raw string, locales *locale.Set) (locale.ID, error) {
	v, err := LocalizedParameters.parse(raw)
	return locales.Match(v.get("locale")), err
}

// ParseCategories reads a query with [CategoriesParameters].
func ParseCategories(raw string, locales *locale.Set) (Categories, error) {
	v, err := CategoriesParameters.parse(raw)
	if err != nil {
		return Categories{}, err
	}
	return Categories{
		Locale: locales.Match(v.get("locale")), Scope: domain.Module(v.get("scope")), Full: v.on("includeI18n"),
	}, nil
}

// ParseCategoryGroups reads a query with [CategoryGroupsParameters].
func ParseCategoryGroups(raw string, locales *locale.Set) (CategoryGroups, error) {
	v, err := CategoryGroupsParameters.parse(raw)
	if err != nil {
		return CategoryGroups{}, err
	}
	return CategoryGroups{Locale: locales.Match(v.get("locale")), Module: domain.Module(v.get("module"))}, nil
}

// ParseList reads a query with the [ListParameters] of a kind.
func ParseList(kind Kind, raw string, locales *locale.Set) (List, error) {
	v, err := ListParameters(kind).parse(raw)
	if err != nil {
		return List{}, err
	}
	search := v.get("q")
	q := List{
		Kind: kind, Locale: locales.Match(v.get("locale")), Search: search, Terms: sortedTerms(search), Tags: v.keys("tag"),
		Status: Status(v.get("status")), Facets: v.on("facets"), Sort: Sort(v.get("sort")), Ascending: v.get("sortDir") == "asc", Page: v.page(),
		Names: v.items("id"), Details: v.get("view") == "full", Unlisted: v.get("followers") == "any",
	}
	if len(q.Names) > 0 && q.Status == "" {
		q.Status = StatusAll
	}
	if q.Details {
		if q.Page, err = detailsPage(q.Page); err != nil {
			return List{}, err
		}
	}
	if match := Match(v.get("match")); match != matchAny && len(q.Tags) > 0 {
		q.Match = match
	}
	if q.Sort == SortRelevance { // has no direction, and needs a search
		q.Sort, q.Ascending = Sort(v.known.Find("sort").Default), false
		if len(q.Terms) > 0 {
			q.Relevance, q.Phrase = true, fold.Phrase(search)
		}
	}
	for _, p := range v.known {
		if value := Slug(v.get(p.Name)); p.Filter && value != "" {
			q.Filters = append(q.Filters, Filter{p.Name, value})
		}
	}
	return q, nil
}

// detailsPage returns the page of a request for details, which is never the whole list.
func detailsPage(page Page) (Page, error) {
	if page.Limit > MaxDetails {
		return Page{}, limitParameter.wrong("must be a whole number from %d to %d with view=full", limitParameter.Min, MaxDetails)
	}
	return Page{On: true, Limit: cmp.Or(page.Limit, MaxDetails), Offset: page.Offset}, nil
}

// ParseSearch reads a query with [SearchParameters].
func ParseSearch(raw string, locales *locale.Set) (Search, error) {
	v, err := SearchParameters.parse(raw)
	if err != nil {
		return Search{}, err
	}
	q := ForLabel(v.get("q"), locales.Match(v.get("locale")))
	q.Page = v.page()
	q.Page.On = true
	if asked := items(v.get("kind")); len(asked) > 0 {
		q.Kinds = slices.DeleteFunc(q.Kinds, func(k Kind) bool { return !slices.Contains(asked, string(k)) })
		q.AppCards = slices.Contains(q.Kinds, KindCard)
	}
	return q, nil
}

// ParseChanges reads a query with [ChangesParameters].
func ParseChanges(raw string, locales *locale.Set) (Changes, error) {
	v, err := ChangesParameters.parse(raw)
	if err != nil {
		return Changes{}, err
	}
	q := Changes{Locale: locales.Match(v.get("locale")), Kinds: ChangeKinds(), Page: v.page()}
	q.Revision, q.Time, _ = moment(v.get("since"))
	q.Page.On = true
	if asked := items(v.get("kind")); len(asked) > 0 {
		q.Kinds = slices.DeleteFunc(q.Kinds, func(k Kind) bool { return !slices.Contains(asked, string(k)) })
	}
	return q, nil
}

// Revision returns the revision of which a query of these parameters wants a page, 0 for none. It is
// 0 for an invalid value, too, for which the parser of the operation has the error.
func (known Parameters) Revision(raw string) int64 {
	if known.Find(revisionParameter.Name) == nil {
		return 0
	}
	v, err := Parameters{revisionParameter}.parse(raw)
	if err != nil {
		return 0
	}
	n, _ := natural(v.get(revisionParameter.Name))
	return int64(n)
}

// ForName returns the search for the records that a path segment may name, with dashes
// for spaces. It cuts long names.
func ForName(name string, id locale.ID) Search {
	return ForLabel(strings.NewReplacer("-", " ", "_", " ").Replace(name[:min(len(name), MaxSearch)]), id)
}

// ForLabel returns the search for the records that have a label.
func ForLabel(words string, id locale.ID) Search {
	q := Search{Locale: id, Search: words, Terms: sortedTerms(words), Phrase: fold.Phrase(words), Kinds: Kinds()}
	if written := strings.Join(strings.Fields(words), " "); written != q.Phrase {
		q.Written = written
	}
	return q
}

// sortedTerms returns the terms of a search, which match in any order.
func sortedTerms(search string) []string {
	terms := fold.Terms(search)
	slices.Sort(terms)
	return terms
}

// Check returns the error of the first invalid parameter of a query.
func (known Parameters) Check(raw string) error {
	_, err := known.parse(raw)
	return err
}
