package preview

import (
	"cmp"
	"maps"
	"slices"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
)

// Fallback are the texts of a field that readers of a locale get in another one.
type Fallback struct {
	Kind   domain.Kind `json:"kind"`
	Field  string      `json:"field"` // `name`, `groups.items.cards.title`
	Locale string      `json:"locale"`
	Before int         `json:"before"`
	After  int         `json:"after"`
	New    Rows        `json:"new,omitzero"` // records with more such texts than before
}

// textAt is a field in one of the compared locales.
type textAt struct {
	field  string
	locale int
}

// fallbacks returns the fields in which the number of such texts changes, or which have other ones, and
// counts the records and locales of new ones.
func (c *comparison) fallbacks() ([]Fallback, FallingBack) {
	out, n, locales := []Fallback{}, FallingBack{}, map[int]bool{}
	for _, d := range domain.Descriptions() {
		all := map[textAt]*Fallback{}
		of := func(at textAt) *Fallback {
			if all[at] == nil {
				all[at] = &Fallback{Kind: d.Kind, Field: at.field, Locale: c.locales[at.locale].name}
			}
			return all[at]
		}
		before, after := c.fallingBack(d, c.base, false), c.fallingBack(d, c.head, true)
		for address, texts := range after {
			isNew := false
			for at, n := range texts {
				of(at).After += n
				if n > before[address][at] {
					isNew, locales[at.locale] = true, true
					of(at).New.Total++
					of(at).New.Examples = append(of(at).New.Examples, Row{Key: address})
				}
			}
			if isNew {
				n.Records++
			}
		}
		for _, texts := range before {
			for at, n := range texts {
				of(at).Before += n
			}
		}
		out = append(out, changedFallbacks(all)...)
	}
	n.Locales = len(locales)
	return out, n
}

// changedFallbacks returns the fallbacks of a kind that change, by field and locale.
func changedFallbacks(all map[textAt]*Fallback) []Fallback {
	maps.DeleteFunc(all, func(_ textAt, f *Fallback) bool { return f.New.Total == 0 && f.Before == f.After })
	var changed []Fallback
	for _, at := range slices.SortedFunc(maps.Keys(all), func(a, b textAt) int {
		return cmp.Or(cmp.Compare(a.field, b.field), cmp.Compare(a.locale, b.locale))
	}) {
		rows := &all[at].New
		slices.SortFunc(rows.Examples, func(a, b Row) int { return cmp.Compare(a.Key, b.Key) })
		rows.Examples = slices.Clip(rows.Examples[:min(maxExamples, len(rows.Examples))])
		changed = append(changed, *all[at])
	}
	return changed
}

// fallingBack counts the texts of each record of a kind that fall back, by address of the record.
func (c *comparison) fallingBack(d *domain.Description, v Version, head bool) map[string]map[textAt]int {
	all := map[string]map[textAt]int{}
	for i := range d.Size(v.Catalog) {
		record := d.Record(v.Catalog, i)
		found := map[textAt]int{}
		d.Shape.EachText(record, func(field string, t domain.Text) {
			for j, in := range c.locales {
				if fallsBack(t, in.name, v.Snapshot.Locales(), in.in(head)) {
					found[textAt{field, j}]++
				}
			}
		})
		if len(found) > 0 {
			all[d.Identity(d.Address(record))] = found
		}
	}
	return all
}

func (in inLocale) in(head bool) locale.ID {
	if head {
		return in.head
	}
	return in.base
}

// fallsBack reports whether readers of a locale get a text in another one. A catalogue that does not
// declare the locale has no texts in it.
func fallsBack(t domain.Text, name string, locales *locale.Set, id locale.ID) bool {
	if len(t) == 0 {
		return false
	}
	_, written := t.In(name)
	return !written || locales.Name(id) != name
}
