package snapshot

import (
	"cmp"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/domain"
	"vitrine/internal/query"
)

// dimensions has the dimension groups of a module and their categories, for match=groups
// (docs/api.md#tags) and facets (docs/api.md#facets).
type dimensions struct {
	groups []dimension
	of     map[string]int    // the index in groups of the first group of each category
	now    map[string]string // from keys of categories, including former ones, to current ones
}

type dimension struct {
	key        string
	name       domain.Text
	categories []*domain.Category // with this first group, in the order of the registry
}

// newDimensions returns the dimensions of a module. Categories are in the order of the registry.
func (c *compiler) newDimensions(module domain.Module, categories []domain.Category) *dimensions {
	d := &dimensions{of: map[string]int{}, now: c.keys[query.KindCategory]}
	place := map[string]int{}
	for _, group := range groupsOf(c.catalog, module) {
		place[group.Key] = len(d.groups)
		d.groups = append(d.groups, dimension{key: group.Key, name: group.Name})
	}
	for i := range categories {
		category := &categories[i]
		keys := groupKeys(*category, module)
		if len(keys) == 0 {
			continue
		}
		if at, ok := place[keys[0]]; ok {
			d.of[category.Key] = at
			d.groups[at].categories = append(d.groups[at].categories, category)
		}
	}
	return d
}

// present returns the current keys for slugs.
func (d *dimensions) present(slugs []string) []string {
	out := slices.Clone(slugs)
	for i, slug := range out {
		out[i] = cmp.Or(d.now[slug], slug)
	}
	return out
}

// matches returns the records that a query selects. Values of its filters and names are keys.
func (l *list[R, V]) matches(q query.List) matches[R, V] {
	var base []*roaring.Bitmap
	if set, ok := l.statuses[q.Status]; ok {
		base = append(base, set)
	}
	if l.listed != nil && !q.Unlisted && len(q.Names) == 0 {
		base = append(base, l.listed)
	}
	if len(q.Names) > 0 {
		base = append(base, l.withKeys(q.Names))
	}
	for _, f := range q.Filters {
		base = append(base, orEmpty(l.filters[f.Name][f.Value]))
	}
	tagged := l.tagged(q)
	hopeless := slices.ContainsFunc(slices.Concat(base, tagged), (*roaring.Bitmap).IsEmpty)
	if len(q.Terms) > 0 && (q.Facets || !hopeless) {
		base = append(base, l.index().Matches(q.Terms))
	}
	m := matches[R, V]{list: l, q: q, base: intersection(base), total: len(l.byKey)}
	if m.base != nil {
		tagged = append(tagged, m.base)
	}
	if m.selected = intersection(tagged); m.selected != nil {
		m.total = int(m.selected.GetCardinality())
	}
	return m
}

// tagged returns the sets for the tags of a query.
func (l *list[R, V]) tagged(q query.List) []*roaring.Bitmap {
	if len(q.Tags) == 0 {
		return nil
	}
	tags := l.dimensions.present(q.Tags)
	switch q.Match {
	case query.MatchAll:
		sets := make([]*roaring.Bitmap, len(tags))
		for i, slug := range tags {
			sets[i] = orEmpty(l.tags[slug])
		}
		return sets
	case query.MatchGroups:
		_, sets := l.byGroup(tags)
		return sets
	}
	return []*roaring.Bitmap{l.anyOf(tags)}
}

// byGroup returns the indices of the groups of tags, and for each the records with any of its
// tags. A tag without a group has the index -1 and matches no record.
func (l *list[R, V]) byGroup(tags []string) (places []int, sets []*roaring.Bitmap) {
	alternatives := map[int][]string{}
	for _, slug := range tags {
		place, ok := l.dimensions.of[slug]
		if !ok {
			place = -1
		}
		if alternatives[place] == nil {
			places = append(places, place)
		}
		alternatives[place] = append(alternatives[place], slug)
	}
	for _, place := range places {
		if place < 0 {
			sets = append(sets, roaring.New())
		} else {
			sets = append(sets, l.anyOf(alternatives[place]))
		}
	}
	return places, sets
}

// anyOf returns the records with any of the tags. The set is shared and must not be modified.
func (l *list[R, V]) anyOf(slugs []string) *roaring.Bitmap {
	var sets []*roaring.Bitmap
	for _, slug := range slugs {
		if set, ok := l.tags[slug]; ok {
			sets = append(sets, set)
		}
	}
	if len(sets) == 1 {
		return sets[0]
	}
	return roaring.FastOr(sets...)
}

// intersection returns the records in all sets; nil, which means all, without sets. The result
// may share a set.
func intersection(sets []*roaring.Bitmap) *roaring.Bitmap {
	switch len(sets) {
	case 0:
		return nil
	case 1:
		return sets[0]
	}
	both := roaring.And(sets[0], sets[1])
	for _, set := range sets[2:] {
		both.And(set)
	}
	return both
}

func orEmpty(set *roaring.Bitmap) *roaring.Bitmap {
	if set == nil {
		return roaring.New()
	}
	return set
}

// facets returns the number of matches of a query for each category, if it were the only one of
// its group, under the other conditions of the query (docs/api.md#facets). Categories without
// matches are omitted.
func (l *list[R, V]) facets(q query.List, base *roaring.Bitmap) []Facet {
	places, sets := l.byGroup(l.dimensions.present(q.Tags))
	facets := make([]Facet, len(l.dimensions.groups))
	in := language{localizer: l.texts, id: q.Locale}
	for place := range l.dimensions.groups {
		group := &l.dimensions.groups[place]
		var others []*roaring.Bitmap
		for i, other := range places {
			if other != place {
				others = append(others, sets[i])
			}
		}
		if base != nil {
			others = append(others, base)
		}
		left := intersection(others)
		facet := Facet{Group: group.key, Name: in.text(group.name)}
		for _, category := range group.categories {
			if count := l.count(category.Key, left); count > 0 {
				facet.Categories = append(facet.Categories, FacetCount{category.Key, in.text(category.Name), count})
			}
		}
		facets[place] = facet
	}
	return facets
}

// filterCounts is [Snapshot.FilterCounts].
func (l *list[R, V]) filterCounts(q query.List, filter string) map[string]int {
	counts, selected := map[string]int{}, l.matches(q).selected
	for value, set := range l.filters[filter] {
		if selected == nil {
			counts[value] = int(set.GetCardinality())
		} else if n := set.AndCardinality(selected); n > 0 {
			counts[value] = int(n)
		}
	}
	return counts
}

// count returns the number of records of a set, nil for all, with a category.
func (l *list[R, V]) count(slug string, set *roaring.Bitmap) int {
	tagged, ok := l.tags[slug]
	switch {
	case !ok:
		return 0
	case set == nil:
		return int(tagged.GetCardinality())
	}
	return int(tagged.AndCardinality(set))
}

// ranked returns the numbers on a page of the selected records by relevance. o is the order of
// ties.
func (l *list[R, V]) ranked(q query.List, selected *roaring.Bitmap, total int, o *order) []uint32 {
	parts := func(yield func(part) bool) {
		for class := range l.index().Ranked(q.Terms, q.Phrase, selected) {
			for _, set := range halves(class, l.demoted) {
				if !yield(part{order: o, set: set}) {
					return
				}
			}
		}
	}
	from, to := window(q.Page, total)
	numbers := make([]uint32, 0, to-from)
	for _, some := range cut(parts, q.Page, total) {
		numbers = append(numbers, some...)
	}
	return numbers
}
