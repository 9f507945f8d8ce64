//go:build unix

package bundle

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// TestSpecialFiles checks that files that would block or never end are rejected without being
// opened.
func TestSpecialFiles(t *testing.T) {
	dir := t.TempDir()
	for name, data := range base(t) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "chains", "pipe.ndjson"), 0o644); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"up.yaml": "../../../../../../../../etc/passwd", "zero.json": "/dev/zero", "piped.yaml": "pipe.ndjson"} {
		if err := os.Symlink(target, filepath.Join(dir, "chains", link)); err != nil {
			t.Fatal(err)
		}
	}
	fsys, done, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	d, err := Read(context.Background(), fsys, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := places(d.Problems)
	want := []string{
		"chains/pipe.ndjson:1:1 unreadable-file", "chains/piped.yaml:1:1 unreadable-file",
		"chains/up.yaml:1:1 unreadable-file", "chains/zero.json:1:1 unreadable-file",
	}
	if !slices.Equal(got, want) {
		t.Errorf("problems %q, want %q", got, want)
	}
}
