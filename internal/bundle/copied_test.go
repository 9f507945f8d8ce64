package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// hooked calls a function before it opens a file.
type hooked struct {
	fs.FS
	before func(name string)
}

func (h hooked) Open(name string) (fs.File, error) {
	h.before(name)
	return h.FS.Open(name)
}

func (h hooked) Stat(name string) (fs.FileInfo, error)      { return fs.Stat(h.FS, name) }
func (h hooked) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(h.FS, name) }

// openHooked opens a directory with a hook.
func openHooked(t *testing.T, dir string, before func(name string)) fs.FS {
	t.Helper()
	fsys, closeDir, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeDir() })
	return hooked{fsys, before}
}

// TestReadingWhileItChanges checks that a directory that changes during decoding is read from a
// consistent copy.
func TestReadingWhileItChanges(t *testing.T) {
	dir := t.TempDir()
	writeSide(t, dir, "left")
	changes := 0
	opts := Options{Progress: func(file string, _ int) {
		if file == "chains/part-15.ndjson" { // half of the files are decoded
			changes++
			writeSide(t, dir, []string{"left", "right"}[changes%2])
		}
	}}
	d, err := ReadSettled(t.Context(), dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	if side := sideOf(t, d); side != "right" || changes != 2 {
		t.Errorf("it is the side %q after %d changes", side, changes)
	}
	fsys, closeDir, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer closeDir()
	if now, err := Fingerprint(fsys); err != nil || now == d.Fingerprint {
		t.Errorf("the directory has the fingerprint of the copy: %v", err)
	}
}

// TestCopiesAreConsistent checks that changes during the copy are detected, for any pair of changed and
// copied file.
func TestCopiesAreConsistent(t *testing.T) {
	for name, change := range map[string]func(dir string) error{
		"a file is written":  func(dir string) error { return write(dir, "chains/part-03.ndjson", "{\"slug\":\"c-3\"") },
		"a file grows":       func(dir string) error { return appendTo(dir, "chains/part-29.ndjson", "\n") },
		"a file is replaced": func(dir string) error { return replaced(filepath.Join(dir, "chains/part-03.ndjson")) },
		"a file is new":      func(dir string) error { return write(dir, "chains/part-99.ndjson", "") },
		"a file is gone":     func(dir string) error { return os.Remove(filepath.Join(dir, "chains/part-03.ndjson")) },
		"a folder is moved":  func(dir string) error { return away(filepath.Join(dir, "chains")) },
	} {
		for _, at := range []string{"catalog.yaml", "chains/part-02.ndjson", "chains/part-03.ndjson", "chains/part-29.ndjson"} {
			t.Run(fmt.Sprintf("%s before %s is opened", name, filepath.Base(at)), func(t *testing.T) {
				dir := t.TempDir()
				writeSide(t, dir, "left")
				done := false
				fsys := openHooked(t, dir, func(name string) {
					if name == at && !done {
						done = true
						if err := change(dir); err != nil {
							t.Error(err)
						}
					}
				})
				if d, err := readIn(t.Context(), fsys, Options{}, nil, true); !errors.Is(err, ErrChanging) {
					t.Errorf("it was read: %v, %v", d, err)
				}
			})
		}
	}
}

// TestCopiesReadTheSame checks that a copy has the same catalogue, problems and places as the
// directory.
func TestCopiesReadTheSame(t *testing.T) {
	dir := t.TempDir()
	writeSide(t, dir, "left")
	for name, text := range map[string]string{
		"chains/part-05.ndjson": "{\"slug\":\"c 5\",\"name\":\"left\",\"chain_id\":\"5\"}\n{", "apps.yml": "x", "nav.yaml": "\xff",
	} {
		if err := write(dir, name, text); err != nil {
			t.Fatal(err)
		}
	}
	fsys := openHooked(t, dir, func(string) {})
	plain, err := readIn(t.Context(), fsys, Options{}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	copied, err := readIn(t.Context(), fsys, Options{}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	if plain.Digest != copied.Digest || plain.Fingerprint != copied.Fingerprint || fmt.Sprint(plain.Problems) != fmt.Sprint(copied.Problems) || plain.Errors() == 0 {
		t.Errorf("plain %v %v, copied %v %v", plain.Digest, plain.Problems, copied.Digest, copied.Problems)
	}
}

func write(dir, name, text string) error {
	return os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o644)
}

func appendTo(dir, name, text string) error {
	f, err := os.OpenFile(filepath.Join(dir, filepath.FromSlash(name)), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
