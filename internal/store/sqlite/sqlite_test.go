package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"vitrine/internal/domain"
	"vitrine/internal/store"
	"vitrine/internal/store/sqlite"
	"vitrine/internal/store/sqlstore"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

func open(t *testing.T, path string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// rich returns a catalogue with records that tests damage.
func rich() *domain.Catalog {
	text := func(value string) domain.Text { return domain.Text{{Locale: "en", Value: value}} }
	return &domain.Catalog{
		Title: text("Rich"), DefaultLocale: "en", Locales: []string{"en"},
		Chains:    []domain.Chain{{Slug: "ethereum", ChainID: "1", Name: text("Ethereum")}, {Slug: "base", ChainID: "8453", Name: text("Base")}},
		Channels:  []domain.Channel{{ChannelID: "UCx", Name: "A channel"}},
		NavGroups: []domain.NavGroup{{Key: "tools", Slug: "tools", Name: text("Tools")}, {Key: "empty", Slug: "empty", Name: text("Empty")}},
	}
}

func publish(t *testing.T, s store.Store, base int64) {
	t.Helper()
	if _, err := s.Publish(t.Context(), base, store.Draft{Catalog: rich()}); err != nil {
		t.Fatal(err)
	}
}

func TestConcurrentOpensOfANewFile(t *testing.T) {
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
		name    string
		make    func(t *testing.T, path string)
		want    string
		corrupt bool
	}{
		{"a short text file", content("hello\n"), "it is not a SQLite database; choose another path", true},
		{"a long text file", content(strings.Repeat("slug: ethereum\n", 10_000)), "it is not a SQLite database; choose another path", true},
		{"a directory", func(t *testing.T, path string) { mkdir(t, path) }, "it is not a regular file", false},
		{"another program's database", statements(`CREATE TABLE bookmarks (url TEXT)`), "the database of another program", false},
		{"another program's empty database", statements(`PRAGMA application_id = 7`), "the database of another program", false},
		{"a newer schema", schemaVersion(9, 9), "a newer Vitrine wrote it (schema 9, for programs that know schema 9; this one knows up to 2)", false},
		{"an invalid schema version", schemaVersion(0, 0), "its schema version is 0", false},
		{"a schema without a version", both(schemaVersion(1, 1), statements(`DELETE FROM schema_version`)), "its schema has no version", false},
		{"no table with the version", statements(`PRAGMA application_id = 0x56697472`), "no such table: schema_version", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "it.db")
			tt.make(t, path)
			before := bytesOf(path)
			s, err := sqlite.Open(t.Context(), path)
			if err == nil {
				s.Close()
				t.Fatal("the file was opened")
			}
			if got := err.Error(); !strings.Contains(got, tt.want) || !strings.HasPrefix(got, "open "+path) {
				t.Errorf("error %q, want one with the path and %q", got, tt.want)
			}
			if errors.Is(err, store.ErrCorrupt) != tt.corrupt {
				t.Errorf("%v: errors.Is(err, ErrCorrupt) = %t", err, !tt.corrupt)
			}
			if diff := cmp.Diff(before, bytesOf(path)); diff != "" {
				t.Errorf("the file was changed (-before +after):\n%s", diff)
			}
		})
	}
}

// TestNewerCompatibleSchema checks that a newer compatible schema, with unknown columns and
// tables, is used unchanged.
func TestNewerCompatibleSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "it.db")
	running := open(t, path)
	publish(t, running, 0)
	statements(
		`UPDATE schema_version SET version = 9, min_reader = 1`,
		`ALTER TABLE record ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'`,
		`ALTER TABLE revision ADD COLUMN signature BLOB`,
		`ALTER TABLE observation ADD COLUMN quality REAL`,
		`CREATE TABLE stamp (id INTEGER PRIMARY KEY) STRICT`,
	)(t, path)
	for i, s := range []*sqlite.Store{running, open(t, path)} {
		publish(t, s, int64(i+1))
		if err := s.Check(t.Context()); err != nil {
			t.Error(err)
		}
	}
	statements(`UPDATE schema_version SET min_reader = 9`)(t, path)
	if _, err := running.Load(t.Context(), 0); err == nil || !strings.Contains(err.Error(), "a newer Vitrine wrote it") {
		t.Errorf("Load() error = %v", err)
	}
	if _, err := running.Publish(t.Context(), 3, store.Draft{Catalog: rich()}); err == nil || !strings.Contains(err.Error(), "a newer Vitrine wrote it") {
		t.Errorf("Publish() error = %v", err)
	}
}

// TestOpenAs checks that opening an existing store creates none.
func TestOpenAs(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.db")
	do(t, os.WriteFile(empty, nil, 0o600))
	for _, path := range []string{empty, filepath.Join(dir, "none.db"), filepath.Join(dir, "no", "folder.db")} {
		for _, mode := range []sqlstore.Mode{sqlstore.Read, sqlstore.Write} {
			s, err := sqlite.OpenAs(t.Context(), path, mode)
			if s != nil || !errors.Is(err, fs.ErrNotExist) || err.Error() != "there is no store at "+path {
				t.Errorf("%s: %v, %v", path, s, err)
			}
		}
	}
	if found, err := filepath.Glob(dir + "/*"); err != nil || len(found) != 1 || len(bytesOf(empty)) != 0 {
		t.Errorf("found %v (%v), want only %s", found, err, empty)
	}
}

// TestFilesArePrivate checks that new files are private whatever the umask, also after
// [sqlite.PutAside]. Existing files keep their mode.
func TestFilesArePrivate(t *testing.T) {
	for _, tt := range []struct{ before, want fs.FileMode }{{0, 0o600}, {0o640, 0o640}} {
		dir := t.TempDir()
		path := filepath.Join(dir, "it.db")
		if tt.before != 0 {
			do(t, os.WriteFile(path, nil, tt.before))
			do(t, os.Chmod(path, tt.before))
		}
		s := open(t, path)
		publish(t, s, 0)
		if modes := modesIn(t, dir); len(modes) != 3 || !allAre(modes, tt.want) { // the database, its log and its index
			t.Errorf("modes %v, want three of %v", modes, tt.want)
		}
		do(t, s.Close())
		do(t, os.WriteFile(path, []byte(strings.Repeat("no database", 100)), tt.want))
		if _, err := sqlite.PutAside(path); err != nil {
			t.Error(err)
		}
		if modes := modesIn(t, dir); len(modes) == 0 || !allAre(modes, tt.want) {
			t.Errorf("renamed: modes %v, want %v", modes, tt.want)
		}
	}
}

func allAre(modes map[string]fs.FileMode, want fs.FileMode) bool {
	for _, mode := range modes {
		if mode != want {
			return false
		}
	}
	return true
}

func modesIn(t *testing.T, dir string) map[string]fs.FileMode {
	t.Helper()
	files, err := os.ReadDir(dir)
	do(t, err)
	modes := map[string]fs.FileMode{}
	for _, file := range files {
		info, err := file.Info()
		do(t, err)
		modes[file.Name()] = info.Mode().Perm()
	}
	return modes
}

func TestOpenNeedsAFolderAndAName(t *testing.T) {
	_, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "missing", "vitrine.db"))
	if err == nil || !strings.Contains(err.Error(), "see that its folder exists") {
		t.Errorf("error %v, want one with the remedy", err)
	}
	if _, err := sqlite.Open(t.Context(), ""); err == nil {
		t.Error("an empty path was opened")
	}
}

func TestMissingOrReplacedFile(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(t *testing.T, path string)
		want string
	}{
		{"removed", func(t *testing.T, path string) { do(t, os.Remove(path)) }, "the file of the store is gone"},
		{"renamed", func(t *testing.T, path string) { do(t, os.Rename(path, path+".old")) }, "the file of the store is gone"},
		{"replaced", func(t *testing.T, path string) {
			do(t, os.Rename(path, path+".old"))
			open(t, path)
		}, "was replaced after the store was opened"},
		{"removed and created again", func(t *testing.T, path string) {
			do(t, os.Remove(path))
			do(t, os.WriteFile(path, nil, 0o600))
		}, "was replaced after the store was opened"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "vitrine.db")
			s := open(t, path)
			publish(t, s, 0)
			tt.do(t, path)
			_, headErr := s.Head(t.Context())
			_, loadErr := s.Load(t.Context(), 0)
			_, publishErr := s.Publish(t.Context(), 1, store.Draft{Catalog: rich()})
			for method, err := range map[string]error{"Head": headErr, "Load": loadErr, "Publish": publishErr, "Check": s.Check(t.Context())} {
				if err == nil || !strings.Contains(err.Error(), tt.want) || errors.Is(err, store.ErrCorrupt) {
					t.Errorf("%s() error = %v, want one with %q", method, err, tt.want)
				}
			}
		})
	}
}

// TestLockedFile checks that waiting for a lock ends with the context, before SQLite's timeout.
func TestLockedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vitrine.db")
	s := open(t, path)
	publish(t, s, 0)
	other, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	lock, err := other.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if _, err := lock.ExecContext(t.Context(), `BEGIN IMMEDIATE`); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := s.Publish(ctx, 1, store.Draft{Catalog: rich()}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Publish() error = %v, want context.DeadlineExceeded", err)
	}
	t.Logf("Publish() took %v", time.Since(start))
	if _, err := s.Load(t.Context(), 0); err != nil {
		t.Errorf("a reader waits for a writer: %v", err)
	}
	if _, err := lock.ExecContext(t.Context(), `ROLLBACK`); err != nil {
		t.Fatal(err)
	}
	publish(t, s, 1)
}

func TestDamagedRecordsAreCorrupt(t *testing.T) {
	for name, statement := range map[string]string{
		"another letter":          `UPDATE record SET body = replace(body, 'Base', 'Case') WHERE key = 'base'`,
		"another key":             `UPDATE record SET key = 'case' WHERE key = 'base'`,
		"another revision":        `UPDATE record SET revision = 0 WHERE key = 'base'`,
		"a body that is not JSON": `UPDATE record SET body = '{' WHERE kind = 'chains'`,
		"no catalogue row":        `DELETE FROM record WHERE kind = 'catalog'`,
		"a missing nav group":     `DELETE FROM record WHERE key = 'tools'`,
		"an unknown kind":         `UPDATE record SET kind = 'stamps' WHERE kind = 'youtube'`,
		"another value":           `UPDATE observation SET value = 2`,
		"another date":            `UPDATE observation SET as_of = '2026-01-02'`,
		"another time":            `UPDATE revision SET published_at = 7`,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "vitrine.db")
			s := open(t, path)
			publish(t, s, 0)
			if _, err := s.Observe(t.Context(), 1, []store.Observation{observation()}, store.Note{}); err != nil {
				t.Fatal(err)
			}
			if err := s.Check(t.Context()); err != nil {
				t.Fatal(err)
			}
			statements(statement)(t, path)
			if _, err := s.Load(t.Context(), 0); !errors.Is(err, store.ErrCorrupt) {
				t.Errorf("Load() error = %v, want ErrCorrupt", err)
			}
			if err := s.Check(t.Context()); !errors.Is(err, store.ErrCorrupt) {
				t.Errorf("Check() error = %v, want ErrCorrupt", err)
			}
		})
	}
}

// TestPublishRepairsRecords checks that the next publish rewrites damaged records of the head.
func TestPublishRepairsRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vitrine.db")
	s := open(t, path)
	publish(t, s, 0)
	statements(
		`UPDATE record SET body = '{' WHERE key = 'base'`, `UPDATE record SET key = 'case' WHERE key = 'ethereum'`,
		`UPDATE record SET kind = 'stamps' WHERE kind = 'youtube'`,
	)(t, path)
	publish(t, s, 1)
	if _, err := s.Load(t.Context(), 2); err != nil {
		t.Error(err)
	}
	if _, err := s.Load(t.Context(), 1); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("Load(1) error = %v, want ErrCorrupt", err)
	}
}

// TestPublishReadsOnlyChangedRecords checks that a publish with a delta neither reads nor rewrites
// other records, unless the head is not the base of the delta.
func TestPublishReadsOnlyChangedRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vitrine.db")
	s := open(t, path)
	publish(t, s, 0)
	base, err := s.Head(t.Context())
	do(t, err)
	old, new := rich(), rich()
	new.Chains[0].Website = "https://changed.example"
	key := new.Chains[len(new.Chains)-1].Slug
	statements(`UPDATE record SET body = '{' WHERE key = '`+key+`'`)(t, path)
	for number, versions := range []int{1, 2} { // the second time, the base is not the head
		draft := store.Draft{Catalog: new, Delta: domain.DeltaOf(old, new), Base: base}
		rev, err := s.Publish(t.Context(), int64(number+1), draft)
		do(t, err)
		db, err := sql.Open("sqlite", path)
		do(t, err)
		n := 0
		do(t, db.QueryRowContext(t.Context(), `SELECT count(*) FROM record WHERE key = $1`, key).Scan(&n))
		do(t, db.Close())
		if n != versions {
			t.Errorf("revision %d: %d versions of a damaged record that did not change, want %d", rev.Number, n, versions)
		}
	}
}

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func content(text string) func(t *testing.T, path string) {
	return func(t *testing.T, path string) { do(t, os.WriteFile(path, []byte(text), 0o600)) }
}

func mkdir(t *testing.T, path string) { do(t, os.Mkdir(path, 0o700)) }

func both(first, second func(t *testing.T, path string)) func(t *testing.T, path string) {
	return func(t *testing.T, path string) {
		first(t, path)
		second(t, path)
	}
}

// schemaVersion creates a database with another version of the schema.
func schemaVersion(version, minReader int) func(t *testing.T, path string) {
	return func(t *testing.T, path string) {
		s, err := sqlite.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		do(t, s.Close())
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		_, err = db.ExecContext(t.Context(), `UPDATE schema_version SET version = $1, min_reader = $2`, version, minReader)
		do(t, err)
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

// bytesOf returns the content of a file, "" for a directory.
func bytesOf(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(data)
}

// TestSourceIsChecked checks that the checksum covers commit and publisher.
func TestSourceIsChecked(t *testing.T) {
	for _, change := range []string{`source = 'c0ffee'`, `source = ''`, `publisher = 'other'`} {
		path := filepath.Join(t.TempDir(), "it.db")
		s := open(t, path)
		note := store.Note{At: time.UnixMilli(1), Op: store.OpImport, Actor: "ann", Commit: "c0ffee", Modified: true, Publisher: "serve a:/b"}
		_, err := s.Publish(t.Context(), 0, store.Draft{Note: note, Catalog: rich()})
		do(t, err)
		statements(`UPDATE revision SET `+change)(t, path)
		if _, err := s.Head(t.Context()); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("%s: %v", change, err)
		}
	}
}
