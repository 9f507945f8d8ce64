package sqlite_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
	"vitrine/internal/store"
	"vitrine/internal/store/sqlite"
)

func observation() store.Observation {
	return store.Observation{Observation: domain.Observation{
		Kind: domain.KindChain, Key: "base", Figure: domain.FigureTVL, Value: 1, Source: "s", AsOf: "2026-01-01",
	}}
}

// fill creates a database with some revisions, closes it and returns its bytes.
func fill(t *testing.T, path string) []byte {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path)
	do(t, err)
	for i := range 3 {
		c := rich()
		c.Chains[1].Aliases = []string{strings.Repeat("x", i)}
		_, err := s.Publish(t.Context(), int64(i), store.Draft{Catalog: c})
		do(t, err)
	}
	_, err = s.Observe(t.Context(), 3, []store.Observation{observation()}, store.Note{})
	do(t, err)
	do(t, s.Close())
	data, err := os.ReadFile(path)
	do(t, err)
	return data
}

// TestDamagedFiles checks that a flipped bit or a truncation is detected, or has no effect on what
// is read.
func TestDamagedFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vitrine.db")
	sound := fill(t, path)
	want := everything(t, open(t, path))
	random := rand.New(rand.NewPCG(1, 2))
	noticed := 0
	for n := range 150 {
		data := append([]byte(nil), sound...)
		if n%5 == 0 {
			data = data[:1+random.IntN(len(data)-1)]
		} else {
			data[random.IntN(len(data))] ^= 1 << random.IntN(8)
		}
		path := filepath.Join(t.TempDir(), "vitrine.db")
		do(t, os.WriteFile(path, data, 0o600))
		s, err := sqlite.Open(t.Context(), path)
		if err != nil {
			noticed++
			continue
		}
		states, err := read(t, s)
		s.Close()
		if err != nil {
			noticed++
			continue
		}
		if diff := cmp.Diff(want, states); diff != "" {
			t.Fatalf("damage %d was served (-want +got):\n%s", n, diff)
		}
	}
	t.Logf("noticed %d of 150", noticed)
	if noticed < 30 {
		t.Errorf("only %d of 150 damages were noticed", noticed)
	}
}

func everything(t *testing.T, s *sqlite.Store) []string {
	t.Helper()
	states, err := read(t, s)
	do(t, err)
	return states
}

// read returns all revisions of the history.
func read(t *testing.T, s *sqlite.Store) ([]string, error) {
	t.Helper()
	var states []string
	head, err := s.Head(t.Context())
	if err != nil {
		return nil, err
	}
	for number := head.Number; number > 0; number-- {
		state, err := s.Load(t.Context(), number)
		if err != nil {
			return nil, err
		}
		states = append(states, contentOf(t, state))
	}
	return states, nil
}

// contentOf returns a state as text.
func contentOf(t *testing.T, s *store.State) string {
	text := fmt.Sprintf("%+v %+v\n", s.Revision, s.Observed())
	for row, err := range store.Rows(s.Editors(), nil) {
		do(t, err)
		text += fmt.Sprintf("%s %q %d %s\n", row.Kind, row.Key, row.Position, row.Body)
	}
	return text
}

func TestPutAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vitrine.db")
	sound := fill(t, path)
	if _, err := sqlite.PutAside(path); err == nil || !strings.Contains(err.Error(), "it is sound") {
		t.Errorf("an intact file: error %v", err)
	}
	if _, err := sqlite.PutAside(path + ".missing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: error %v", err)
	}
	damaged := append([]byte(nil), sound[:len(sound)/2]...)
	do(t, os.WriteFile(path, damaged, 0o600))
	do(t, os.WriteFile(path+"-wal", []byte("log"), 0o600))
	aside, err := sqlite.PutAside(path)
	do(t, err)
	if !strings.HasPrefix(aside, path+".corrupt-2") {
		t.Errorf("it was renamed to %s", aside)
	}
	if bytesOf(aside) != string(damaged) {
		t.Error("the renamed file has other bytes")
	}
	for _, removed := range []string{path, path + "-wal", path + "-shm"} {
		if _, err := os.Stat(removed); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there: %v", removed, err)
		}
	}
	publish(t, open(t, path), 0)
	if _, err := sqlite.PutAside(path); err == nil {
		t.Error("the new file was renamed")
	}
}

func TestPutAsideOverwritesNothing(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "vitrine.db")
	names := map[string]bool{}
	for range 20 {
		do(t, os.WriteFile(path, []byte("no database at all, but long enough to be looked at"), 0o600))
		name, err := sqlite.PutAside(path)
		do(t, err)
		names[name] = true
	}
	if len(names) != 20 {
		t.Errorf("%d names, want 20", len(names))
	}
}

// TestEmptyFileBesideALogIsDamage checks a case in which SQLite would create a new database and
// discard the log, which may have all revisions.
func TestEmptyFileBesideALogIsDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vitrine.db")
	s := open(t, path)
	publish(t, s, 0)
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Head(t.Context()); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("Head() error = %v, want ErrCorrupt: the file was truncated", err)
	}
	if again, err := sqlite.Open(t.Context(), path); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("Open() error = %v, want ErrCorrupt", err)
		if err == nil {
			again.Close()
		}
	}
}

// TestPruneRefusesADamagedHead checks that a prune keeps the rows that a repair may need.
func TestPruneRefusesADamagedHead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vitrine.db")
	s := open(t, path)
	publish(t, s, 0)
	publish(t, s, 1)
	statements(`UPDATE record SET body = replace(body, 'Base', 'Case') WHERE key = 'base'`)(t, path)
	if _, err := s.Prune(t.Context(), 2); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("Prune() error = %v, want ErrCorrupt", err)
	}
	if history, err := s.History(t.Context(), 0); err != nil || len(history) != 2 {
		t.Errorf("%d revisions, %v; want 2", len(history), err)
	}
}
