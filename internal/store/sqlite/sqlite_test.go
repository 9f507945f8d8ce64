package sqlite_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"vitrine/internal/store"
	"vitrine/internal/store/sqlite"
	"vitrine/internal/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestConformance(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Store {
		return open(t, filepath.Join(t.TempDir(), "vitrine.db"))
	})
}

func open(t *testing.T, path string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestRevisionSurvivesReopening(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vitrine.db")
	first, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := first.Publish(t.Context(), 0, store.Draft{Catalog: storetest.Rich(), Digest: "d", Message: "m"})
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	got, rev, err := open(t, path).Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, rev); diff != "" {
		t.Errorf("revision (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(storetest.Rich(), got); diff != "" {
		t.Errorf("catalogue (-want +got):\n%s", diff)
	}
}

func TestTwoProcessesShareAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vitrine.db")
	one, two := open(t, path), open(t, path)
	if _, err := one.Publish(t.Context(), 0, store.Draft{Catalog: storetest.Rich()}); err != nil {
		t.Fatal(err)
	}
	if _, err := two.Publish(t.Context(), 0, store.Draft{Catalog: storetest.Rich()}); !errors.Is(err, store.ErrConflict) {
		t.Errorf("error %v, want ErrConflict", err)
	}
	if _, err := two.Publish(t.Context(), 1, store.Draft{Catalog: storetest.Rich()}); err != nil {
		t.Error(err)
	}
	if rev, err := one.Head(t.Context()); err != nil || rev.Number != 2 {
		t.Errorf("Head() = %+v, %v, want revision 2", rev, err)
	}
}

func TestManyOpenANewFileAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vitrine.db")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			s, err := sqlite.Open(t.Context(), path)
			if err != nil {
				t.Error(err)
				return
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestPathsAreTakenAsTheyAre(t *testing.T) {
	for _, name := range []string{"a b.db", "100%25.db", "what?mode=memory", "#hash", "ünïcode.db", ":memory:"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			if _, err := open(t, path).Head(t.Context()); !errors.Is(err, store.ErrEmpty) {
				t.Errorf("error %v, want ErrEmpty", err)
			}
			if _, err := os.Stat(path); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, tt := range []struct {
		name string
		make func(t *testing.T, path string)
		want string
	}{
		{"a short text file", content("hello\n"), "it is not a SQLite database; choose another path"},
		{"a long text file", content(strings.Repeat("slug: ethereum\n", 10_000)), "it is not a SQLite database; choose another path"},
		{"a directory", func(t *testing.T, path string) { mkdir(t, path) }, "it cannot be opened or created"},
		{"another program's database", statements(`CREATE TABLE bookmarks (url TEXT)`), "the database of another program"},
		{"another program's empty database", statements(`PRAGMA application_id = 7`), "the database of another program"},
		{
			"a newer schema", statements(`PRAGMA application_id = 0x56697472`, `PRAGMA user_version = 2`),
			"written by a newer Vitrine (schema 2, this one knows up to 1)",
		},
		{
			"a schema version that never was", statements(`PRAGMA application_id = 0x56697472`, `PRAGMA user_version = -1`),
			"its schema version is -1",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "it.db")
			tt.make(t, path)
			before := bytesOf(path)
			s, err := sqlite.Open(t.Context(), path)
			if err == nil {
				s.Close()
				t.Fatal("it was opened")
			}
			if got := err.Error(); !strings.Contains(got, tt.want) || !strings.HasPrefix(got, "open "+path) {
				t.Errorf("error %q, want one with the path and %q", got, tt.want)
			}
			if diff := cmp.Diff(before, bytesOf(path)); diff != "" {
				t.Errorf("the file was changed (-before +after):\n%s", diff)
			}
		})
	}
}

func TestOpenNeedsAFolderAndAName(t *testing.T) {
	_, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "missing", "vitrine.db"))
	if err == nil || !strings.Contains(err.Error(), "see that its folder exists") {
		t.Errorf("error %v, want one that says what to do", err)
	}
	if _, err := sqlite.Open(t.Context(), ""); err == nil {
		t.Error("an empty path was opened")
	}
}

func TestDamagedRecordsAreAnError(t *testing.T) {
	for name, statement := range map[string]string{
		"a body that is not JSON": `UPDATE record SET body = '{' WHERE kind = 'chains' AND position = 1`,
		"no catalogue row":        `DELETE FROM record WHERE kind = 'catalog'`,
		"an unknown kind":         `UPDATE record SET kind = 'stamps' WHERE kind = 'youtube'`,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "vitrine.db")
			s := open(t, path)
			if _, err := s.Publish(t.Context(), 0, store.Draft{Catalog: storetest.Rich()}); err != nil {
				t.Fatal(err)
			}
			statements(statement)(t, path)
			if _, _, err := s.Load(t.Context()); err == nil || !strings.Contains(err.Error(), "load revision 1: ") {
				t.Errorf("error %v, want one that names the revision", err)
			}
			if _, err := s.Publish(t.Context(), 1, store.Draft{Catalog: storetest.Rich()}); err != nil {
				t.Errorf("the next publish does not mend it: %v", err)
			}
		})
	}
}

func content(text string) func(t *testing.T, path string) {
	return func(t *testing.T, path string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func mkdir(t *testing.T, path string) {
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

func statements(all ...string) func(t *testing.T, path string) {
	return func(t *testing.T, path string) {
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		for _, statement := range all {
			if _, err := db.ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// bytesOf returns what is in a file, "" for a directory.
func bytesOf(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(data)
}
