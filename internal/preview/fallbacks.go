package preview

import (
	"cmp"
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

// fieldIn is a field in a locale.
type fieldIn struct {
	kind   int // in the order of the kinds
	field  string
	locale int
}

// fallbacks returns the fields in which the number of such texts changes, or which have other ones, and
// counts the records and locales of new ones.
func (c *comparison) fallbacks() ([]Fallback, FallingBack) {
	all := map[fieldIn]*Fallback{}
	n, locales := FallingBack{}, map[int]bool{}
	for kind, d := range domain.Descriptions() {
		before, after := c.fallingBack(d, c.base, false), c.fallingBack(d, c.head, true)
		for address, texts := range after {
			isNew := false
			for at, n := range texts {
				of := c.fallback(all, kind, d.Kind, at)
				of.After += n
				if n > before[address][at] {
					isNew, locales[at.locale] = true, true
					of.New.Total++
					of.New.Examples = append(of.New.Examples, Row{Key: address})
				}
			}
			if isNew {
				n.Records++
			}
		}
		for _, texts := range before {
			for at, n := range texts {
				c.fallback(all, kind, d.Kind, at).Before += n
			}
		}
	}
	var changed []fieldIn
	for at, of := range all {
		if of.New.Total > 0 || of.Before != of.After {
			changed = append(changed, at)
		}
	}
	slices.SortFunc(changed, func(a, b fieldIn) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.field, b.field), cmp.Compare(a.locale, b.locale))
	})
	out := make([]Fallback, len(changed))
	for i, at := range changed {
		out[i] = *all[at]
		slices.SortFunc(out[i].New.Examples, func(a, b Row) int { return cmp.Compare(a.Key, b.Key) })
		out[i].New.Examples = slices.Clip(out[i].New.Examples[:min(maxExamples, len(out[i].New.Examples))])
	}
	n.Locales = len(locales)
	return out, n
}

// textAt is a field of a record in one of the compared locales.
type textAt struct {
	field  string
	locale int
}

func (c *comparison) fallback(all map[fieldIn]*Fallback, kind int, name domain.Kind, at textAt) *Fallback {
	key := fieldIn{kind, at.field, at.locale}
	if all[key] == nil {
		all[key] = &Fallback{Kind: name, Field: at.field, Locale: c.locales[at.locale].name}
	}
	return all[key]
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
