// Package history determines the origin of a record: which revision set each of its values, which
// candidate of a figure is served and why the others are not, and which revisions changed or removed
// a record.
// It must not know how results are printed.
package history

import (
	"context"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/fold"
	"vitrine/internal/store"
)

// Record is a record of a revision.
type Record struct {
	Kind  domain.Kind
	Key   string // in the spelling of the revision; see [Keys]
	State *store.State
	Index int // index in its list of State.Merged
}

// Find returns the record with a key, or else one whose key differs in case only. ok is false for
// none.
func Find(state *store.State, kind domain.Kind, key string) (Record, bool) {
	want := store.RecordKey(kind, key)
	folded := Record{Index: -1}
	for i, written := range Keys(state.Merged(), kind) {
		record := Record{Kind: kind, Key: written, State: state, Index: i}
		switch written = store.RecordKey(kind, written); {
		case written == want:
			return record, true
		case strings.EqualFold(written, want):
			folded = record
		}
	}
	return folded, folded.Index >= 0
}

// FindFormer returns the record that had a key before, the first one if there are several. ok is
// false for none.
func FindFormer(state *store.State, kind domain.Kind, key string) (Record, bool) {
	d, want := domain.Describe(kind), store.RecordKey(kind, key)
	c := state.Merged()
	for i := range d.Size(c) {
		for _, former := range d.FormerKeys(d.Record(c, i)) {
			if store.RecordKey(kind, former) == want {
				return Record{Kind: kind, Key: d.Key(d.Record(c, i)), State: state, Index: i}, true
			}
		}
	}
	return Record{}, false
}

// Keys returns the keys of the records of a kind, in the catalogue's order, as
// differences name them. The catalogue itself is called by its kind.
func Keys(c *domain.Catalog, kind domain.Kind) []string {
	if kind == domain.KindCatalog {
		return []string{string(kind)}
	}
	return domain.Describe(kind).Keys(c)
}

// Named returns the keys of the records of a kind that people call by a name, in any case, in the
// catalogue's order; nil for none.
func Named(c *domain.Catalog, kind domain.Kind, name string) []string {
	d := domain.Describe(kind)
	var keys []string
	for i := range d.Size(c) {
		record := d.Record(c, i)
		if slices.ContainsFunc(d.Shape.Fields, func(f *domain.Field) bool { return f.Names && isNamed(f, record, fold.Text(name)) }) {
			keys = append(keys, d.Key(record))
		}
	}
	return keys
}

// isNamed reports whether a field of a record has a folded name.
func isNamed(f *domain.Field, record any, name string) bool {
	switch {
	case f.Type == domain.TypeText:
		return slices.ContainsFunc(*f.Text(record), func(t domain.Translation) bool { return fold.Text(t.Value) == name })
	case f.Type == domain.TypeLines:
		return slices.ContainsFunc(f.Lines(record), func(line string) bool { return fold.Text(line) == name })
	}
	return f.IsLine() && fold.Text(*f.Line(record)) == name
}

// Removal is the removal of a record.
type Removal struct {
	Revision store.Revision // the revision that removed it
	Before   int64          // the last revision with the record, 0 if it was pruned or the record was purged
}

// RemovalOf returns the removal of a record that a revision lacks. ok is false if no kept revision
// had it.
func RemovalOf(ctx context.Context, s store.Store, kind domain.Kind, key string, revision int64) (Removal, bool, error) {
	versions, err := s.Versions(ctx, kind, store.RecordKey(kind, key), revision)
	if err != nil || len(versions) == 0 || versions[0].Row.Body != nil {
		return Removal{}, false, err
	}
	oldest, err := oldest(ctx, s)
	if err != nil {
		return Removal{}, false, err
	}
	removal := Removal{Revision: versions[0].Revision}
	if removal.Revision.Op == store.OpPurge {
		return removal, true, nil
	}
	if before := removal.Revision.Number - 1; before >= oldest {
		removal.Before = before
	}
	return removal, true, nil
}

// oldest returns the number of the oldest kept revision.
func oldest(ctx context.Context, s store.Store) (int64, error) {
	revisions, err := s.History(ctx, 0)
	if err != nil {
		return 0, err
	}
	return revisions[len(revisions)-1].Number, nil
}
