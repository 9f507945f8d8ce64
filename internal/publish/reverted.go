package publish

import (
	"iter"
	"slices"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// editorial returns the fields in which two records differ, as [differing] does, without ids,
// which publishing assigns. It includes figures only if figures is set.
func editorial(d *domain.Description, a, b any, figures bool) []*domain.Field {
	return slices.DeleteFunc(differing(d, a, b), func(f *domain.Field) bool {
		return f.Name == "id" || f.Name == "past_ids" || f.Type == domain.TypeFigure && !figures
	})
}

// differing returns the fields in which two records differ. If only one of them exists, these
// are all fields. The result is never nil.
func differing(d *domain.Description, a, b any) []*domain.Field {
	fields := []*domain.Field{}
	for _, f := range d.Shape.Fields {
		if !sameField(f, a, b) {
			fields = append(fields, f)
		}
	}
	return fields
}

// sameField reports whether a field is equal in two records, or neither record exists.
func sameField(f *domain.Field, a, b any) bool {
	if a == nil || b == nil {
		return a == b
	}
	return f.Equal(a, b)
}

// reverted counts which changes between an old state and the head a draft reverts, and which
// it keeps.
type reverted struct {
	back []string // records, as `KIND KEY`, with values of the old state that were replaced
	lost int      // of those, records that the draft does not have
	kept int      // records with values that replaced those of the old state
}

// holds reports whether a draft derives from the old state and reverts something. If known is
// set, the draft is known to derive from it. Otherwise it does if it reverts more records
// than it keeps.
func (u reverted) holds(known bool) bool { return len(u.back) > 0 && (known || len(u.back) > u.kept) }

// compareWith compares a draft with an old state and the head by value, as [comparison] does
// for rollbacks. A figure returns only with its source and date: its number alone may be
// equal by chance. Without figures set, figures are not compared, because a converter may
// have written those of the head into a directory of another origin.
func compareWith(old, head *store.State, draft *domain.Catalog, figures bool) reverted {
	var u reverted
	before, now, next := newLookup(old.Editors()), newLookup(head.Editors()), newLookup(draft)
	for _, d := range domain.Descriptions() {
		for key := range keysOf(d, before, now) {
			was := before.record(d, key)
			served := now.find(d, key)
			if was == nil && slices.ContainsFunc(served, func(r any) bool { return before.hasFormerOf(d, r) }) {
				continue // renamed since: compared under its old key
			}
			var is any
			if len(served) > 0 {
				is = served[0]
			}
			fields := editorial(d, was, is, figures)
			if len(fields) == 0 {
				continue
			}
			own := next.follow(d, key, served)
			had, has := valuesOf(d, served, fields), valuesOf(d, own, fields)
			back, kept := false, false
			for _, v := range domain.Reversals(d.NewValues(was, fields), d.NewValues(is, fields)) {
				switch {
				case v.Number && !v.Missing:
				case in(v, has):
					back = back || !in(v, had)
				case v.Before == "":
					kept = kept || domain.Agree(v.Path, had, has)
				}
			}
			if back && len(own) == 0 {
				u.lost++
			}
			if back {
				u.back = append(u.back, nameOf(d, key))
			}
			if kept {
				u.kept++
			}
		}
		if d.Ordered && reordered(d, before, now, next) {
			u.back = append(u.back, "the order of "+d.Plural)
		}
	}
	return u
}

// reordered reports whether two neighbours of an ordered kind have the order of the old state
// in the draft and the opposite order in the head.
func reordered(d *domain.Description, old, head, draft *lookup) bool {
	var last string
	for i := range d.Size(old.catalog) {
		key := store.KeyOf(d, d.Record(old.catalog, i))
		if head.record(d, key) == nil {
			continue
		}
		if last != "" && head.precedes(d, key, last) && draft.precedes(d, last, key) {
			return true
		}
		last = key
	}
	return false
}

// keysOf yields the keys of the records of two catalogues, each once: those of a in order,
// then those that only b has.
func keysOf(d *domain.Description, a, b *lookup) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range d.Size(a.catalog) {
			if !yield(store.KeyOf(d, d.Record(a.catalog, i))) {
				return
			}
		}
		for i := range d.Size(b.catalog) {
			if key := store.KeyOf(d, d.Record(b.catalog, i)); a.record(d, key) == nil && !yield(key) {
				return
			}
		}
	}
}

// nameOf returns a record in a message, without the key of the catalogue itself.
func nameOf(d *domain.Description, key string) string {
	if d.Kind == domain.KindCatalog {
		return string(d.Kind)
	}
	return string(d.Kind) + " " + key
}
