package sqlite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/store"
	"vitrine/internal/store/sqlite"
)

// publishBulky publishes a revision of a megabyte that shares no record with others.
func publishBulky(t *testing.T, s store.Store, base int64) {
	t.Helper()
	c := &domain.Catalog{Title: domain.Text{{Locale: "en", Value: "x"}}, DefaultLocale: "en", Locales: []string{"en"}}
	for i := range 100 {
		c.Chains = append(c.Chains, domain.Chain{Slug: fmt.Sprint("c", i), ChainID: fmt.Sprint(i), Name: domain.Text{{
			Locale: "en", Value: fmt.Sprint(base, strings.Repeat("x", 10_000)),
		}}})
	}
	if _, err := s.Publish(t.Context(), base, store.Draft{Note: store.Note{Op: store.OpImport}, Catalog: c}); err != nil {
		t.Fatal(err)
	}
}

// TestPruneShrinksTheFile checks that a prune shrinks the file while another process reads it.
func TestPruneShrinksTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vitrine.db")
	s := open(t, path)
	for base := range int64(10) {
		publishBulky(t, s, base)
	}
	follower := open(t, path)
	if head, err := follower.Head(t.Context()); err != nil || head.Number != 10 {
		t.Fatalf("head %+v, %v", head, err)
	}
	bytes := func() int64 {
		var sum int64
		for _, name := range []string{path, path + "-wal"} {
			if info, err := os.Stat(name); err == nil {
				sum += info.Size()
			}
		}
		return sum
	}
	before := bytes()
	pruned, err := s.Prune(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}
	after := bytes()
	if pruned.Freed != before-after || after > before/4 {
		t.Errorf("%d bytes before, %d after, %d reported as freed", before, after, pruned.Freed)
	}
	for _, s := range []*sqlite.Store{s, follower} {
		if state, err := s.Load(t.Context(), 0); err != nil || state.Revision.Number != 10 {
			t.Errorf("loaded %+v, %v", state, err)
		}
		if err := s.Check(t.Context()); err != nil {
			t.Error(err)
		}
	}
	publishBulky(t, s, 10)
	if head, err := follower.Head(t.Context()); err != nil || head.Number != 11 {
		t.Errorf("after it, head %+v, %v", head, err)
	}
}
