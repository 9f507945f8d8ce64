package publish

import (
	"iter"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// editorial are the fields in which two records differ, as [differing] returns them,
// without ids, which publishing assigns, and without figures unless they are asked for.
func editorial(d *domain.Description, a, b any, figures bool) []*domain.Field {
	return slices.DeleteFunc(differing(d, a, b), func(f *domain.Field) bool {
		return f.Name == "id" || f.Name == "past_ids" || f.Type == domain.TypeFigure && !figures
	})
}

// differing returns the fields in which two records differ, all of them if only one of the
// two is there; an empty list for none.
func differing(d *domain.Description, a, b any) []*domain.Field {
	fields := []*domain.Field{}
	for _, f := range d.Shape.Fields {
		if !sameField(f, a, b) {
			fields = append(fields, f)
		}
	}
	return fields
}

// sameField reports whether two records have a field alike, or both are not there.
func sameField(f *domain.Field, a, b any) bool {
	if a == nil || b == nil {
		return a == b
	}
	return f.Equal(a, b)
}

// undone is how a draft stands to what changed between an old state and the head.
type undone struct {
	back []string // records, as `KIND KEY`, with values of the old state that were replaced
	lost int      // of those, records that the draft does not have
	kept int      // records with values that replaced those of the old state
}

// holds reports whether a draft derives from the old state rather than from the head. If
// that is known, any value that returns shows that it was not brought up to date.
func (u undone) holds(known bool) bool { return len(u.back) > 0 && (known || len(u.back) > u.kept) }

// compareWith compares a draft with an old state and the head by value, as rollbacks are
// (see [comparison]). The number of a figure may come back on another date: a figure
// returns with its source and date. Figures are left out where it is not known yet that
// the draft derives from the old state: a converter may have written those that the
// head has.
func compareWith(old, head *store.State, draft *domain.Catalog, figures bool) undone {
	var u undone
	before, now, next := newLookup(old.Editors()), newLookup(head.Editors()), newLookup(draft)
	for _, d := range domain.Descriptions() {
		for key := range keysOf(d, before, now) {
			was := before.record(d, key)
			served := now.find(d, key)
			if was == nil && before.hasFormerOf(d, served) {
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
				u.back = append(u.back, strings.TrimSpace(string(d.Kind)+" "+nameOfKey(d, key)))
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

// reordered reports whether two neighbours of an ordered kind, which changed places
// between an old state and the head, stand in a draft as in the old state.
func reordered(d *domain.Description, old, head, draft *lookup) bool {
	var last string
	for i := range d.Size(old.catalog) {
		key := store.KeyOf(d, d.Record(old.catalog, i))
		if head.record(d, key) == nil {
			continue
		}
		if last != "" && head.stands(d, key, last) && draft.stands(d, last, key) {
			return true
		}
		last = key
	}
	return false
}

// keysOf yields the keys of the records of two catalogues, each once.
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

// nameOfKey returns a key as messages have it: the catalogue's own record has none.
func nameOfKey(d *domain.Description, key string) string {
	if d.Kind == domain.KindCatalog {
		return ""
	}
	return key
}
