// Package history says where a record of a store comes from: since which
// revision each of its values reads as it does, which of the known values of a
// figure is served and why the others are not, and who removed a record that is
// gone. It must not know how that is printed.
package history

import (
	"context"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// Record is a record as a revision has it.
type Record struct {
	Kind  domain.Kind
	Key   string // as the revision writes it, see [Keys]
	State *store.State
	Index int // among those of its kind in State.Merged
}

// Find returns the record of a key. Where none has exactly that key, one that
// has it in other case is found. It reports false if there is none.
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

// Keys returns the keys of the records of a kind, in the catalogue's order, as
// differences name them. The catalogue itself is called by its kind.
func Keys(c *domain.Catalog, kind domain.Kind) []string {
	if kind == domain.KindCatalog {
		return []string{string(kind)}
	}
	return domain.Describe(kind).Keys(c)
}

// Removal is how a record went.
type Removal struct {
	Revision store.Revision // the one that removed it
	Before   int64          // the number of the last one that has it, 0 where that was pruned
}

// RemovalOf returns how a record went that a revision does not have. It reports
// false where none is known to have had it.
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
	if before := removal.Revision.Number - 1; before >= oldest {
		removal.Before = before
	}
	return removal, true, nil
}

// oldest returns the number of the oldest revision of a store that has one.
func oldest(ctx context.Context, s store.Store) (int64, error) {
	revisions, err := s.History(ctx, 0)
	if err != nil {
		return 0, err
	}
	return revisions[len(revisions)-1].Number, nil
}
