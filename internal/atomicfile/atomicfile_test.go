package atomicfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"vitrine/internal/atomicfile"
)

func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a[b]*")
	text := func(s string) func(*os.File) error {
		return func(f *os.File) error {
			_, err := f.WriteString(s)
			return err
		}
	}
	for _, s := range []string{"first", "second"} {
		if err := atomicfile.Write(path, ".", 0o640, text(s)); err != nil {
			t.Fatal(err)
		}
	}
	refused := errors.New("refused")
	err := atomicfile.Write(path, ".", 0o640, func(f *os.File) error { return errors.Join(text("third")(f), refused) })
	if !errors.Is(err, refused) {
		t.Errorf("error %v, want the error of the function", err)
	}
	if got, err := os.ReadFile(path); string(got) != "second" {
		t.Errorf("the file has %q, %v", got, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the file has %v, %v", info, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("the directory has %v, %v, want only the file", entries, err)
	}
}

func TestWriteNeedsAFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing", "file")
	if err := atomicfile.Write(path, "", 0o600, func(*os.File) error { return nil }); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want ErrNotExist", err)
	}
}
