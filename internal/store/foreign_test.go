package store_test

import (
	"os"
	"path/filepath"
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/domain/domaintest"
	"vitrine/internal/store"
)

// TestWriteLastGoodLeavesOtherFilesAlone checks that a wrong path does not overwrite a file.
func TestWriteLastGoodLeavesOtherFilesAlone(t *testing.T) {
	c := new(domain.Catalog)
	domaintest.AddFull(c, domain.Describe(domain.KindChain))
	rows := []store.Row{}
	for row, err := range store.Rows(c, nil) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	state, err := store.NewState(store.Revision{Number: 1}, rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(path, []byte("my notes"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := store.WriteLastGood(path, store.LastGood{State: state}); err == nil {
		t.Error("a foreign file was overwritten")
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "my notes" {
		t.Errorf("the file has %q, %v", got, err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // an empty file, then a last good file
		if err := store.WriteLastGood(path, store.LastGood{State: state}); err != nil {
			t.Error(err)
		}
	}
}
