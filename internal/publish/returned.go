package publish

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// A rollback holds by value. It removed the values in which the records that it changed differ
// (see [domain.Reversals]), and the order of nav groups. A draft returns a value if its record has
// the value in the draft and not in the head.
//
//   - A URL counts in every spelling and in every link field of the record, but not in
//     another record.
//   - A list element that the rollback restored is not missing if it moved within the record
//     or was replaced by a third one.
//   - A record that was renamed with former is the same record. So is a chain with the same
//     `_id`, even after its former name is removed.
//   - A new record also counts if the record with the value was removed and no record of the
//     kind in the head has the value.

// returned has the values of one rollback that a draft returns.
type returned struct {
	rollback store.Revision
	values   int      // without those inside others
	missing  int      // of values: those that would be missing again
	named    []string // the first of them, formatted
	releases []store.Release
}

// returnedBy returns the removed values that a draft would return, by rollback. A nil head has
// none.
func returnedBy(ctx context.Context, s store.Store, head *store.State, draft *domain.Catalog) ([]returned, error) {
	if head == nil {
		return nil, nil
	}
	c := comparison{head: newLookup(head.Editors()), draft: newLookup(draft)}
	err := s.Retracted(ctx, c.retraction)
	if err != nil {
		return nil, err
	}
	c.finish()
	if len(c.found)+len(c.elsewhere) == 0 {
		return nil, nil
	}
	released, err := s.Released(ctx)
	if err != nil {
		return nil, err
	}
	return c.result(released), nil
}

// found is a removed value that a draft returns.
type found struct {
	rollback int // index in comparison.rollbacks
	kind     domain.Kind
	key      string // of the record that had the value
	renamed  string // key of the record in the draft that has the value, if it differs
	value    domain.Reversal
	spelled  string // path of the value in the draft, if it differs
	same     bool   // the whole record returns as it was: the store knows it as released
}

func (f found) id() [32]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%s %q %s", f.kind, f.key, f.value.ID()))
}

// comparison compares a head and a draft with the values that rollbacks removed. It visits
// the retractions of a store in order, rollback by rollback.
type comparison struct {
	head, draft *lookup
	rollbacks   []store.Revision
	nav         []store.Retraction // nav groups of the last rollback
	found       []found
	elsewhere   []found // in new records, unless the head has the value
}

func (c *comparison) retraction(r store.Retraction) error {
	if n := len(c.rollbacks); n == 0 || c.rollbacks[n-1].Number != r.Rollback.Number {
		c.finish()
		c.rollbacks = append(c.rollbacks, r.Rollback)
	}
	d := domain.Describe(r.Taken.Kind)
	if d != nil && d.Ordered && r.Taken.Body != nil && r.Restored.Body != nil {
		c.nav = append(c.nav, r)
	}
	if d == nil || string(r.Taken.Body) == string(r.Restored.Body) {
		return nil
	}
	before := c.head.find(d, r.Taken.Key)
	if len(before) == 0 && d.Kind == domain.KindChain && r.Restored.Body != nil {
		record, err := r.Restored.Record()
		if err != nil {
			return err
		}
		before = c.head.chainOf(record.(*domain.Chain).StableID()) // renamed since, without a former name now
	}
	after := c.draft.follow(d, r.Taken.Key, before)
	if unchanged(d, before, after) && (len(after) > 0 || !c.newcomers(d)) {
		return nil
	}
	if err := c.record(d, r, before, after); err != nil {
		return fmt.Errorf("read the records that revision %d changed: %w", r.Rollback.Number, err)
	}
	return nil
}

// unchanged reports whether the head and the draft have the same version of a record.
func unchanged(d *domain.Description, before, after []any) bool {
	return len(before) == len(after) && len(before) <= 1 && (len(before) == 0 || d.Shape.Equal(before[0], after[0]))
}

func (c *comparison) record(d *domain.Description, r store.Retraction, before, after []any) error {
	taken, err := r.Taken.Record()
	if err != nil {
		return err
	}
	restored, err := r.Restored.Record()
	if err != nil {
		return err
	}
	same := !d.Ordered && (len(after) == 1 && taken != nil && d.Shape.Equal(taken, after[0]) || len(after) == 0 && taken == nil)
	fields := differing(d, taken, restored)
	old, new := d.NewValues(taken, fields), d.NewValues(restored, fields)
	reversals := domain.Reversals(old, new)
	if slices.ContainsFunc(reversals, func(v domain.Reversal) bool { return v.Link != "" }) {
		fields = withLinks(d, fields) // a link may return in another field
		new = d.NewValues(restored, fields)
	}
	had, has := valuesOf(d, before, fields), valuesOf(d, after, fields)
	replaced := replacedLists(reversals, old, had, has)
	for _, v := range reversals {
		f := found{rollback: len(c.rollbacks) - 1, kind: d.Kind, key: r.Taken.Key, value: v, same: same}
		switch {
		case in(v, has):
			if !in(v, had) && !(v.Missing && replaced[v.List]) {
				c.found = append(c.found, f)
			}
		case v.Missing || v.Before != "":
		case v.Link != "" && new.Element(v.Value) == "" && pathIn(had, (*domain.Values).Element, v.Value) == "" && pathIn(has, (*domain.Values).Element, v.Value) != "":
			f.spelled = pathIn(has, (*domain.Values).Element, v.Value)
			c.found = append(c.found, f)
		case v.Link != "" && new.HasLink(v.Link) != "": // it only moved within the record
		case len(after) == 0:
			if !v.Free {
				continue
			}
			if f.renamed = c.draft.newcomer(d, v.Value, c.head); f.renamed != "" {
				c.elsewhere = append(c.elsewhere, f)
			}
		case v.Link != "" && pathIn(had, (*domain.Values).HasLink, v.Link) == "":
			if f.spelled = pathIn(has, (*domain.Values).HasLink, v.Link); f.spelled != "" {
				c.found = append(c.found, f)
			}
		}
	}
	return nil
}

// replacedLists returns the paths of the lists in which the rollback exchanged elements and
// the draft has replaced the restored elements by others: at least as many new elements as
// it lacks restored ones. A replaced element is not missing.
func replacedLists(reversals []domain.Reversal, taken *domain.Values, had, has []*domain.Values) map[string]bool {
	exchanged, lacks := map[string]bool{}, map[string]int{}
	for _, v := range reversals {
		switch {
		case v.List == "" || v.Before != "":
		case !v.Missing:
			exchanged[v.List] = true
		case in(v, has):
			lacks[v.List]++
		}
	}
	replaced := map[string]bool{}
	for list, n := range lacks {
		if !exchanged[list] {
			continue
		}
		for _, record := range has {
			for _, element := range record.Elements(list) {
				known := slices.ContainsFunc(append(slices.Clip(had), taken), func(r *domain.Values) bool { return r.Element(element) != "" })
				if !known {
					n--
				}
			}
		}
		replaced[list] = n <= 0
	}
	return replaced
}

// withLinks returns fields together with all fields of the kind that may hold links.
func withLinks(d *domain.Description, fields []*domain.Field) []*domain.Field {
	for _, f := range d.Shape.Fields {
		if f.HasLinks() && !slices.Contains(fields, f) {
			fields = append(fields, f)
		}
	}
	return fields
}

// pathIn returns the first path that is not "" of some records, "" for none. pathOf returns the path of a value in
// one record, as [domain.Values.Element] and [domain.Values.HasLink] do.
func pathIn[V any](records []*domain.Values, pathOf func(*domain.Values, V) string, value V) string {
	for _, r := range records {
		if path := pathOf(r, value); path != "" {
			return path
		}
	}
	return ""
}

// newcomers reports whether the draft has records of a kind that the head lacks.
func (c *comparison) newcomers(d *domain.Description) bool {
	return len(c.draft.newcomersOf(d, c.head)) > 0
}

// in reports whether records reverse a change of a rollback. They are the places where one
// record is now, possibly under several names. A value is back if one of them has it. A
// missing value is missing again if none of them has it; a list element, if it is nowhere in
// the record. Without any record, only the record itself is missing.
func in(v domain.Reversal, records []*domain.Values) bool {
	if !v.Missing {
		return slices.ContainsFunc(records, v.In)
	}
	return (len(records) > 0 || v.Path == "") && !slices.ContainsFunc(records, func(r *domain.Values) bool {
		return !v.In(r) || v.List != "" && r.Element(v.Value) != ""
	})
}

func valuesOf(d *domain.Description, records []any, fields []*domain.Field) []*domain.Values {
	all := make([]*domain.Values, len(records))
	for i, r := range records {
		all[i] = d.NewValues(r, fields)
	}
	return all
}

// finish ends a rollback and compares the order of its nav groups.
func (c *comparison) finish() {
	nav := c.nav
	c.nav = nil
	if len(nav) < 2 {
		return
	}
	slices.SortFunc(nav, func(a, b store.Retraction) int { return a.Taken.Position - b.Taken.Position })
	for i := 1; i < len(nav); i++ {
		a, b := nav[i-1], nav[i]
		if a.Restored.Position < b.Restored.Position {
			continue
		}
		d := domain.Describe(a.Taken.Kind)
		if c.draft.precedes(d, a.Taken.Key, b.Taken.Key) && !c.head.precedes(d, a.Taken.Key, b.Taken.Key) {
			c.found = append(c.found, found{
				rollback: len(c.rollbacks) - 1, kind: d.Kind, key: a.Taken.Key, value: domain.Reversal{Before: b.Taken.Key},
			})
		}
	}
}

// result returns the found values that were not released, by rollback.
func (c *comparison) result(releases []store.Release) []returned {
	known := make(map[store.Release]bool, len(releases))
	for _, r := range releases {
		known[r] = true
	}
	all := make([]returned, len(c.rollbacks))
	var last found
	outer := map[string]bool{} // named paths in the record of the last value
	for _, f := range append(c.found, c.notServed()...) {
		r := &all[f.rollback]
		r.rollback = c.rollbacks[f.rollback]
		release := store.Release{Rollback: r.rollback.Number, Value: f.id()}
		if known[release] {
			continue
		}
		if !f.same {
			r.releases = append(r.releases, release)
		}
		if !f.sameRecord(last) {
			clear(outer)
		}
		last = f
		if f.value.Within(outer) {
			continue // inside a named value, which comes first
		}
		if f.value.Holds() {
			outer[f.value.Path] = true
		}
		if f.value.Missing {
			r.missing++
		}
		if r.values++; len(r.named) < named {
			r.named = append(r.named, f.String())
		}
	}
	return slices.DeleteFunc(all, func(r returned) bool { return r.values == 0 })
}

// sameRecord reports whether two values belong to the same record and rollback.
func (f found) sameRecord(other found) bool {
	return f.rollback == other.rollback && f.kind == other.kind && f.key == other.key && f.renamed == other.renamed
}

// notServed returns the values of new records that no record of their kind in the head has.
func (c *comparison) notServed() []found {
	wanted := map[domain.Kind]map[freeValue]bool{}
	for _, f := range c.elsewhere {
		if wanted[f.kind] == nil {
			wanted[f.kind] = map[freeValue]bool{}
		}
		wanted[f.kind][freeValueOf(f.value.Value)] = true
	}
	for kind, values := range wanted {
		d := domain.Describe(kind)
		for i := range d.Size(c.head.catalog) {
			for _, v := range d.NewValues(d.Record(c.head.catalog, i), nil).All() {
				delete(values, freeValueOf(v))
			}
		}
	}
	return slices.DeleteFunc(c.elsewhere, func(f found) bool { return !wanted[f.kind][freeValueOf(f.value.Value)] })
}

// String describes the value: record, path and text.
func (f found) String() string {
	var b strings.Builder
	b.WriteString(nameOf(domain.Describe(f.kind), f.key))
	if f.renamed != "" {
		b.WriteString(" (now " + f.renamed + ")")
	}
	v := f.value
	if f.spelled == v.Path {
		f.spelled = ""
	}
	if v.Path != "" {
		b.WriteString(" " + short(v.Path))
	}
	switch {
	case v.Before != "":
		b.WriteString(" before " + short(v.Before))
	case v.Missing:
		b.WriteString(" missing")
	case v.Text != "":
		b.WriteString(" " + strconv.Quote(short(v.Text)))
	case v.Path == "":
		b.WriteString(" (the whole record)")
	}
	if f.spelled != "" {
		b.WriteString(" (as " + short(f.spelled) + ")")
	}
	return b.String()
}

// short cuts a text that is too long for a message.
func short(s string) string {
	const longest = 80
	if runes := []rune(s); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return s
}
