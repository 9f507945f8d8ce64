package history_test

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
	"vitrine/internal/history"
	"vitrine/internal/store"
	"vitrine/internal/store/sqlite"
)

// past returns a store with this history:
//
//	1 the chain celo, at a.yaml:1, with a figure
//	2 another name, at a.yaml:9
//	3 observations of the figure
//	4 the chain is removed
//	5 a rollback to 2
func past(t *testing.T) store.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "vitrine.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	publish := func(base int64, op store.Op, origin, name string) {
		t.Helper()
		c := &domain.Catalog{Title: domain.Text{{Locale: "en", Value: "Shop"}}}
		if name != "" {
			c.Chains = []domain.Chain{{
				Slug: "celo", Name: domain.Text{{Locale: "en", Value: name}}, Logo: "https://example.org/c.png",
				TVL: &domain.Figure{Value: 1, Source: "y", AsOf: "2025-01-01"},
			}}
		}
		draft := store.Draft{Catalog: c, Note: store.Note{At: time.Unix(base, 0), Op: op}}
		if origin != "" {
			draft.Origin = func(domain.Kind, int) string { return origin }
		}
		if _, err := s.Publish(t.Context(), base, draft); err != nil {
			t.Fatal(err)
		}
	}
	publish(0, store.OpImport, "a.yaml:1", "Celo")
	publish(1, store.OpImport, "a.yaml:9", "CELO")
	observed := []store.Observation{tvl(6, "slow", "2024-01-01"), tvl(7, "quick", "2026-01-01")}
	if _, err := s.Observe(t.Context(), 2, observed, store.Note{Op: store.OpSync}); err != nil {
		t.Fatal(err)
	}
	publish(3, store.OpImport, "a.yaml:1", "")
	publish(4, store.OpRollback, "", "CELO")
	return s
}

func tvl(value float64, source string, asOf domain.Date) store.Observation {
	return store.Observation{UpstreamID: "celo-1", Observation: domain.Observation{
		Kind: domain.KindChain, Key: "celo", Figure: domain.FigureTVL, Value: value, Source: source, AsOf: asOf,
	}}
}

func explain(t *testing.T, s store.Store, revision int64, key string) *history.Explanation {
	t.Helper()
	state, err := s.Load(t.Context(), revision)
	if err != nil {
		t.Fatal(err)
	}
	record, found := history.Find(state, domain.KindChain, key)
	if !found {
		t.Fatalf("revision %d has no %s", revision, key)
	}
	e, err := history.Explain(t.Context(), s, record)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func sinceText(s history.Since) string {
	orBefore := ""
	if s.OrBefore {
		orBefore = " or before"
	}
	return fmt.Sprintf("%s, %d%s", cmp.Or(s.Origin, "unknown"), s.Revision.Number, orBefore)
}

func TestValues(t *testing.T) {
	s := past(t)
	for revision, want := range map[int64][]string{
		1: {"name.en Celo: a.yaml:1, 1", "logo https://example.org/c.png: a.yaml:1, 1"},
		2: {"name.en CELO: a.yaml:9, 2", "logo https://example.org/c.png: a.yaml:1, 1"},
		5: {"name.en CELO: a.yaml:9, 5", "logo https://example.org/c.png: a.yaml:9, 5"}, // all values returned together
	} {
		var got []string
		for _, v := range explain(t, s, revision, "CELO").Values { // found with different case
			got = append(got, fmt.Sprintf("%s %s: %s", v.Path, v.Text, sinceText(v.Since)))
		}
		slices.Sort(got)
		slices.Sort(want)
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("values of revision %d (-want +got):\n%s", revision, diff)
		}
	}
}

func TestFigures(t *testing.T) {
	s := past(t)
	for revision, want := range map[int64][]string{
		2: {"1: a.yaml:1, 1"},
		3: {"7 of celo-1: unknown, 3", "1: a.yaml:1, 1, lost: an observation is newer", "6 of celo-1: unknown, 3, lost: the served one is of 2026-01-01"},
	} {
		var got []string
		for _, f := range explain(t, s, revision, "celo").Figures {
			for _, c := range f.Candidates {
				line := fmt.Sprint(c.Value)
				if c.Layer == history.Observed {
					line += " of " + c.UpstreamID
				}
				line += ": " + sinceText(c.Since)
				if c.Lost != "" {
					line += ", lost: " + c.Lost
				}
				got = append(got, line)
			}
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("figures of revision %d (-want +got):\n%s", revision, diff)
		}
	}
}

func TestAfterAPrune(t *testing.T) {
	s := past(t)
	if _, err := s.Prune(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	for _, v := range explain(t, s, 3, "celo").Values {
		if !v.Since.OrBefore {
			t.Errorf("%s has this value since %s, want OrBefore", v.Path, sinceText(v.Since))
		}
	}
}

func TestRemoval(t *testing.T) {
	s := past(t)
	for _, tt := range []struct {
		key      string
		revision int64
		found    bool
	}{
		{"celo", 4, true},
		{"celo", 5, false},
		{"celo", 3, false},
		{"base", 4, false},
	} {
		removal, found, err := history.RemovalOf(t.Context(), s, domain.KindChain, tt.key, tt.revision)
		if err != nil || found != tt.found {
			t.Errorf("%s in revision %d: %v, %v, want %v", tt.key, tt.revision, found, err, tt.found)
		}
		if found && (removal.Revision.Number != 4 || removal.Before != 3) {
			t.Errorf("removed in %d, last in %d, want 4 and 3", removal.Revision.Number, removal.Before)
		}
	}
	if _, err := s.Prune(t.Context(), 4); err != nil {
		t.Fatal(err)
	}
	removal, found, err := history.RemovalOf(t.Context(), s, domain.KindChain, "celo", 4)
	if err != nil || found && removal.Before != 0 {
		t.Errorf("after a prune: %+v, %v", removal, err)
	}
}
