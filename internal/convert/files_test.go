package convert

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestWriteFileRemovesAbandoned checks that WriteFile removes only old temporary files of its own file.
func TestWriteFileRemovesAbandoned(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-2 * time.Hour)
	for name, modified := range map[string]time.Time{
		".out.ndjson.tmp-123": old, ".out.ndjson.tmp-456": time.Now(), ".out.ndjson.tmp-mine": old,
		".out.ndjson.bak": old, ".other.tmp-123": old, "out.ndjson.tmp-1": old,
	} {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, nil, 0o600))
		must(t, os.Chtimes(path, modified, modified))
	}
	must(t, WriteFile(filepath.Join(dir, "out.ndjson"), nil))
	var left []string
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	want := []string{".other.tmp-123", ".out.ndjson.bak", ".out.ndjson.tmp-456", ".out.ndjson.tmp-mine", "out.ndjson", "out.ndjson.tmp-1"}
	if diff := cmp.Diff(want, left); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}
