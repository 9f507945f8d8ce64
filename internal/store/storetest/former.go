package storetest

import (
	_ "embed"
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// FormerSchema are the statements that put into tables of schema 4 what a program
// of that schema wrote.
//
//go:embed testdata/schema4.sql
var FormerSchema string

// Migrated checks that a store reads as it was written with [FormerSchema], and
// that nothing has to be published again: [Rich], a change of it, and a rollback.
func Migrated(t *testing.T, s store.Store) {
	t.Helper()
	changed := Rich()
	changed.Chains = changed.Chains[1:]
	changed.NavGroups[0].Name = domain.Text{{Locale: "en", Value: "Renamed"}}
	for number, want := range map[int64]*domain.Catalog{1: Rich(), 2: changed, 3: Rich(), 0: Rich()} {
		state, err := s.Load(t.Context(), number)
		if err != nil {
			t.Fatal(err)
		}
		if diff := domain.Diff(want, state.Editors()); diff != nil {
			t.Errorf("revision %d differs from what was written: %v", number, diff)
		}
	}
	versions, err := s.Versions(t.Context(), domain.KindNavGroup, "tools", 0)
	if err != nil || len(versions) != 3 || string(versions[0].Row.Body) != string(versions[2].Row.Body) {
		t.Errorf("versions of a record that was rolled back: %v, %v", versions, err)
	}
	if _, err := s.Publish(t.Context(), 3, store.Draft{Catalog: Rich(), Note: store.Note{Op: store.OpImport}}); err != nil {
		t.Fatal(err)
	}
	changes, err := s.Changes(t.Context(), 3)
	if err != nil || len(changes.Rows) != 0 {
		t.Errorf("publishing the same again writes %d rows, %v", len(changes.Rows), err)
	}
}
