//go:build unix

package distribution_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"vitrine/internal/distribution"
)

// TestPublic checks that only files of a distribution can be opened.
func TestPublic(t *testing.T) {
	dir := t.TempDir()
	files := distribution.Public(filepath.Join(dir, "dist"))
	if _, err := files.Open("entry.json"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a folder: %v", err)
	}
	must(t, os.MkdirAll(filepath.Join(dir, "dist", "files", "folder"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "secret"), []byte("secret"), 0o600))
	for _, name := range []string{"entry.json", "files/chains-1.ndjson.zst", ".lock", "other", "files/.temporary"} {
		must(t, os.WriteFile(filepath.Join(dir, "dist", name), []byte("old"), 0o600))
	}
	must(t, os.Symlink("../../secret", filepath.Join(dir, "dist", "files", "outside")))
	must(t, os.Symlink("chains-1.ndjson.zst", filepath.Join(dir, "dist", "files", "inside")))
	must(t, syscall.Mkfifo(filepath.Join(dir, "dist", "files", "pipe"), 0o600))
	for _, name := range []string{
		".", "files", "files/folder", ".lock", "other", "files/.temporary", "../secret", "files/../entry.json", "files/../../secret",
		"/entry.json", "files/outside", "files/inside", "files/pipe", "files/none", "entry.json.minisig", "files/UPPER",
	} {
		if file, err := files.Open(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, %v; want that it does not exist", name, file, err)
		}
	}
	file, err := files.Open("entry.json")
	must(t, err)
	defer file.Close()
	must(t, os.WriteFile(filepath.Join(dir, "new"), []byte("new"), 0o600))
	must(t, os.Rename(filepath.Join(dir, "new"), filepath.Join(dir, "dist", "entry.json")))
	if content, err := io.ReadAll(file); err != nil || string(content) != "old" {
		t.Errorf("an open file has %q, %v after it was replaced", content, err)
	}
	must(t, os.RemoveAll(filepath.Join(dir, "dist", "files")))
	must(t, os.Symlink("..", filepath.Join(dir, "dist", "files")))
	if file, err := files.Open("files/secret"); err == nil {
		t.Errorf("a symbolic link leads outside: %v", file)
	}
}
