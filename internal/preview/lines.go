package preview

import (
	"strings"

	"vitrine/internal/domain"
)

// withElements replaces members of lists of texts by members of their elements, so that a removed
// element does not look like another value. before and after are the record.
func (r *Row) withElements(d *domain.Description, before, after any) {
	members := r.Members
	r.Members = nil
	for _, m := range members {
		f := d.Shape.Field(m.Name)
		if f == nil || f.Type != domain.TypeLines {
			r.add(m)
			continue
		}
		r.addElements(m, f.Lines(before), f.Lines(after))
	}
}

// addElements adds the elements that only one list has, or m if they have another order.
func (r *Row) addElements(m Member, before, after []string) {
	gone, come := without(before, after), without(after, before)
	switch {
	case len(gone)+len(come) == 0:
		r.add(Member{m.Name + " (order)", m.Before, m.After})
	case len(gone) == 1 && len(come) == 1, len(before) == 0, len(after) == 0:
		a, b := around(strings.Join(gone, ", "), strings.Join(come, ", "))
		r.add(Member{m.Name, a, b})
	default:
		for _, element := range gone {
			r.add(Member{Name: m.Name, Before: window([]rune(element), 0)})
		}
		for _, element := range come {
			r.add(Member{Name: m.Name, After: window([]rune(element), 0)})
		}
	}
}
