package sqlite_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"vitrine/internal/store/storetest"
)

// TestPurgeLeavesNoBytes checks that no file of the store has a value of a purged record, also while
// the store is open.
func TestPurgeLeavesNoBytes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "it.db")
	storetest.PurgeAccount(t, open(t, path))
	files, err := filepath.Glob(path + "*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte(storetest.PurgedValue)) {
			t.Errorf("%s has the value", file)
		}
	}
}
