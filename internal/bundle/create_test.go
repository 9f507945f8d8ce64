package bundle

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"vitrine/internal/domain"
)

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// unusableDir reports whether reading a directory reports an error.
func unusableDir(t *testing.T, dir string) bool {
	t.Helper()
	fsys, done, err := Open(dir)
	if err != nil {
		return true
	}
	defer done()
	d, err := Read(context.Background(), fsys, Options{})
	return err != nil || d.Errors() > 0
}

// TestInterruptedWritesAreNoCatalogue checks that a process killed at any moment of writing leaves no
// valid catalogue.
func TestInterruptedWritesAreNoCatalogue(t *testing.T) {
	last := document{"catalog.yaml", []byte("title: A\ndefault_locale: en\nlocales: [en]\n")}
	for _, there := range []bool{false, true} {
		top := t.TempDir()
		dir := filepath.Join(top, "out")
		if there {
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		looked := 0
		err := create(dir, func(root *os.Root) error {
			for _, name := range []string{"nav/a.yaml", "chains.ndjson"} {
				if err := writeFile(root, name, []byte("title: A\n")); err != nil {
					return err
				}
				for _, name := range append(names(t, top), "out") {
					looked++
					if !unusableDir(t, filepath.Join(top, name)) {
						t.Errorf("there: %t: %s can be read before it is whole", there, name)
					}
				}
			}
			return nil
		}, last)
		if err != nil || looked < 4 || !slices.Equal(names(t, top), []string{"out"}) {
			t.Errorf("there: %t: error %v, %d looks, left: %q", there, err, looked, names(t, top))
		}
		if got := names(t, dir); !slices.Equal(got, []string{"catalog.yaml", "chains.ndjson", "nav"}) {
			t.Errorf("there: %t: wrote %q", there, got)
		}
		if info, err := os.Stat(dir); err != nil || there != (info.Mode().Perm() == 0o700) {
			t.Errorf("there: %t: mode %v, %v", there, info.Mode(), err)
		}
	}
}

func TestFailedWriteLeavesNothing(t *testing.T) {
	broken := &domain.Catalog{
		Title: domain.Text{{Locale: "en", Value: "A"}}, DefaultLocale: "en", Locales: []string{"en"},
		Menus: []domain.Menu{{PathSlug: "good"}, {PathSlug: "../bad"}},
	}
	top := t.TempDir()
	if err := Write(broken, filepath.Join(top, "deep", "out")); err == nil {
		t.Error("no error")
	}
	if got := names(t, filepath.Join(top, "deep")); got != nil {
		t.Errorf("left: %q", got)
	}
}

func TestAbandonedAreSwept(t *testing.T) {
	top := t.TempDir()
	old := time.Now().Add(-2 * time.Hour)
	for _, name := range []string{".out.new-0123abcd", ".out.new-89abcdef", ".out.new-mine", ".other.new-0123abcd"} {
		if err := os.MkdirAll(filepath.Join(top, name, "nav"), 0o755); err != nil {
			t.Fatal(err)
		}
		if name != ".out.new-89abcdef" {
			if err := os.Chtimes(filepath.Join(top, name), old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	c := &domain.Catalog{Title: domain.Text{{Locale: "en", Value: "A"}}, DefaultLocale: "en", Locales: []string{"en"}}
	if err := Write(c, filepath.Join(top, "out")); err != nil {
		t.Fatal(err)
	}
	want := []string{".other.new-0123abcd", ".out.new-89abcdef", ".out.new-mine", "out"}
	if got := names(t, top); !slices.Equal(got, want) {
		t.Errorf("left %q, want %q", got, want)
	}
	if err := Write(c, filepath.Join(top, "out")); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("a second time: %v", err)
	}
}
