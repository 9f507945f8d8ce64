package snapshot

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/query"
)

// dimensions are the dimension groups of a module and their categories, for what
// goes by them: match=groups (docs/api.md#tags) and facets (docs/api.md#facets).
type dimensions struct {
	groups []dimension
	of     map[string]int    // the place in groups of the first group of each category
	now    map[string]string // from former keys of categories to present ones
}

type dimension struct {
	key        string
	name       domain.Text
	categories []*domain.Category // whose first group it is, as the registry lists them
}

// dimensions returns those of a module. Categories are in the order of the registry.
func (c *compiler) newDimensions(module domain.Module, categories []domain.Category, now map[string]string) *dimensions {
	d := &dimensions{of: map[string]int{}, now: now}
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

// present returns the keys that slugs stand for today.
func (d *dimensions) present(slugs []string) []string {
	if !slices.ContainsFunc(slugs, func(slug string) bool { return d.now[slug] != "" }) {
		return slugs
	}
	out := slices.Clone(slugs)
	for i, slug := range out {
		if now, ok := d.now[slug]; ok {
			out[i] = now
		}
	}
	return out
}

// selection is what a query selects in a list. Its sets are shared and read only; nil
// is all records.
type selection struct {
	base     *roaring.Bitmap // by all conditions but the tags
	selected *roaring.Bitmap
}

// selection answers the conditions of a query, and others, nil for none.
func (l *list[R]) selection(q query.List, others ...*roaring.Bitmap) selection {
	var base []*roaring.Bitmap
	if set, ok := l.statuses[q.Status]; ok {
		base = append(base, set)
	}
	base = append(base, others...)
	tagged := l.tagged(q)
	hopeless := slices.ContainsFunc(slices.Concat(base, tagged), (*roaring.Bitmap).IsEmpty)
	if len(q.Terms) > 0 && (q.Facets || !hopeless) {
		base = append(base, l.index.Find(q.Terms))
	}
	s := selection{base: intersection(base)}
	if s.base != nil {
		tagged = append(tagged, s.base)
	}
	s.selected = intersection(tagged)
	return s
}

// tagged returns the conditions of the tags of a query.
func (l *list[R]) tagged(q query.List) []*roaring.Bitmap {
	if len(q.Tags) == 0 {
		return nil
	}
	tags := l.module.present(q.Tags)
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

// byGroup returns the places of the groups that tags are of, and the records that
// have any of the tags of each. A tag of no group is a condition that nothing meets,
// of the place -1.
func (l *list[R]) byGroup(tags []string) (places []int, sets []*roaring.Bitmap) {
	alternatives := map[int][]string{}
	for _, slug := range tags {
		place, ok := l.module.of[slug]
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

// anyOf returns the records that have any of the tags. The set is shared and read
// only.
func (l *list[R]) anyOf(slugs []string) *roaring.Bitmap {
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

// intersection returns the records that are in all sets, nil, which is all, where
// there is no set. With one set it is shared.
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

// facets encodes how many records a query would find with each category alone chosen
// in its group, the other conditions staying (docs/api.md#facets): the member that
// follows the list.
func (l *list[R]) facets(q query.List, base *roaring.Bitmap, resolve func(domain.Text) string) []byte {
	places, sets := l.byGroup(l.module.present(q.Tags))
	w := writer{buf: []byte{'['}} // so that a comma stands first
	w.buf = append(w.buf, "]"...)
	array(&w, "facets", ascending[int](len(l.module.groups)), func(place int) {
		group := &l.module.groups[place]
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
		w.open('{')
		w.text("group", group.key)
		w.text("name", resolve(group.name))
		w.key("categories")
		w.open('[')
		for _, category := range group.categories {
			if count := l.count(category.Key, left); count > 0 {
				w.comma()
				w.open('{')
				w.text("key", category.Key)
				w.text("name", resolve(category.Name))
				w.number("count", float64(count))
				w.close('}')
			}
		}
		w.close(']')
		w.close('}')
	})
	return w.buf[len("[]"):]
}

// count returns how many records of a set, nil for all, have a category.
func (l *list[R]) count(slug string, set *roaring.Bitmap) uint64 {
	tagged, ok := l.tags[slug]
	switch {
	case !ok:
		return 0
	case set == nil:
		return tagged.GetCardinality()
	}
	return tagged.AndCardinality(set)
}

// ranked returns the numbers on a page of the selected records by relevance, and in
// the order o where they are as relevant.
func (l *list[R]) ranked(q query.List, selected *roaring.Bitmap, total int, o *order) []uint32 {
	parts := func(yield func(part) bool) {
		for class := range l.index.Ranked(q.Terms, q.Phrase, selected) {
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

// in returns how texts read in a locale.
func (l *list[R]) in(id locale.ID) func(domain.Text) string {
	return func(t domain.Text) string { return l.texts.in(t, id) }
}
