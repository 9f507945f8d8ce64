package history_test

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"vitrine/internal/changelog"
	"vitrine/internal/domain"
	"vitrine/internal/history"
	"vitrine/internal/store"
	"vitrine/internal/store/sqlite"
)

// TestChangesEqualTheStates compares the changes since each revision of random histories with those
// between the two states alone: read at once, read revision by revision, and read with gaps. There are
// no renames, which only single revisions tell from a removal and an addition.
func TestChangesEqualTheStates(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := opened(t)
		var gradual, sparse *changelog.Log
		var states []*store.State
		for n := range rapid.IntRange(2, 8).Draw(r, "revisions") {
			step(t, r, s, int64(n))
			state, err := s.Load(t.Context(), 0)
			if err != nil {
				t.Fatal(err)
			}
			states = append(states, state)
			gradual = logged(t, s, gradual, state)
			if rapid.Bool().Draw(r, "follows") {
				sparse = logged(t, s, sparse, state)
			}
		}
		last := states[len(states)-1]
		for name, log := range map[string]*changelog.Log{
			"at once": logged(t, s, nil, last), "revision by revision": gradual, "with gaps": logged(t, s, sparse, last),
		} {
			for _, from := range states {
				if from.Revision.Number < log.Oldest().Number {
					continue
				}
				want := between(from, last)
				got := outline(log.Since(from.Revision.Number, all))
				if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
					r.Fatalf("%s, from %d to %d (-want +got):\n%s", name, from.Revision.Number, last.Revision.Number, diff)
				}
			}
		}
	})
}

func all(domain.Kind, string) bool { return true }

func opened(t *testing.T) store.Store {
	s, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "vitrine.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func logged(t *testing.T, s store.Store, log *changelog.Log, state *store.State) *changelog.Log {
	t.Helper()
	log, err := history.Changes(t.Context(), s, log, state)
	if err != nil {
		t.Fatal(err)
	}
	if newest := log.Newest(); newest.Number != state.Revision.Number || !newest.PublishedAt.Equal(state.Revision.PublishedAt) {
		t.Fatalf("the log ends with revision %d, want %d", newest.Number, state.Revision.Number)
	}
	return log
}

// step publishes a random catalogue of few records, or observes figures of them.
func step(t *testing.T, r *rapid.T, s store.Store, base int64) {
	t.Helper()
	note := store.Note{At: time.Unix(1_800_000_000+base, 0)}
	var err error
	if base > 0 && rapid.IntRange(0, 2).Draw(r, "observes") == 0 {
		note.Op = store.OpSync
		_, err = s.Observe(t.Context(), base, randomObservations(r), note)
	} else {
		note.Op = store.OpImport
		_, err = s.Publish(t.Context(), base, store.Draft{Catalog: randomCatalog(r), Note: note})
	}
	if err != nil {
		t.Fatal(err)
	}
}

var slugs = []string{"a", "b", "c"}

func randomObservations(r *rapid.T) []store.Observation {
	var all []store.Observation
	for range rapid.IntRange(0, 3).Draw(r, "observations") {
		o := domain.Observation{
			Kind: domain.KindChain, Key: rapid.SampledFrom(slugs).Draw(r, "chain"), Figure: domain.FigureTVL,
			Value: float64(rapid.IntRange(0, 2).Draw(r, "value")), Source: "x",
			AsOf: domain.Date(fmt.Sprintf("2026-01-0%d", rapid.IntRange(1, 3).Draw(r, "day"))),
		}
		switch rapid.IntRange(0, 3).Draw(r, "of") {
		case 0:
			o.Kind, o.Figure = domain.KindAccount, domain.FigureFollowers
		case 1:
			o.Figure = domain.ReachFigure("rpc", "https://rpc.example.org/")
		case 2:
			o.Kind, o.Figure, o.Key = domain.KindChannel, domain.FigureSubscribers, "UCa"
		}
		all = append(all, store.Observation{Observation: o})
	}
	return all
}

func randomCatalog(r *rapid.T) *domain.Catalog {
	name := func() domain.Text {
		return domain.Text{{Locale: "en", Value: rapid.SampledFrom([]string{"One", "Two"}).Draw(r, "name")}}
	}
	some := func(what string) []string {
		return slices.DeleteFunc(slices.Clone(slugs), func(string) bool { return rapid.Bool().Draw(r, "lacks "+what) })
	}
	c := &domain.Catalog{Title: name(), DefaultLocale: "en", Locales: []string{"en"}}
	for _, slug := range some("chain") {
		chain := domain.Chain{Slug: slug, ChainID: slug, Name: name(), RPC: []domain.Endpoint{{URL: "https://rpc.example.org/"}}}
		if rapid.IntRange(0, 3).Draw(r, "figure") == 0 {
			chain.TVL = &domain.Figure{Value: 5, Source: "editor", AsOf: "2026-01-02"}
		}
		c.Chains = append(c.Chains, chain)
	}
	for _, handle := range some("account") {
		c.Accounts = append(c.Accounts, &domain.Account{Handle: handle, Name: "N"})
	}
	if rapid.Bool().Draw(r, "has the channel") {
		c.Channels = []domain.Channel{{ChannelID: "UCa", Name: "Channel"}}
	}
	for _, key := range some("app") {
		c.Apps = append(c.Apps, domain.App{Key: key, Title: name(), Link: "https://" + key + ".example.org/"})
	}
	for _, slug := range some("menu") {
		c.Menus = append(c.Menus, domain.Menu{PathSlug: slug, Title: name(), Standalone: []domain.Item{{
			Slug: "item", Name: name(), Type: domain.ItemCategory,
			Cards: []domain.Card{{App: rapid.SampledFrom(slugs).Draw(r, "app")}, {Title: name(), Link: "https://example.org/"}},
		}}})
	}
	return c
}

// between returns the changes from one state to another, compared as a whole.
func between(from, to *store.State) []string {
	revision := to.Revision.Number
	before, after := from.Merged(), to.Merged()
	entries := slices.Concat(
		changelog.Compare(revision, before, after),
		changelog.CompareCards(revision, changelog.Menus{Menus: before.Menus, Apps: before.AppsByKey()}, changelog.Menus{Menus: after.Menus, Apps: after.AppsByKey()}),
	)
	log := changelog.New(changelog.Revision{Number: from.Revision.Number}).Append(changelog.Revision{Number: revision, Entries: entries})
	return outline(log.Since(from.Revision.Number, all))
}

// outline returns changes as text, without their revision and names.
func outline(changes []changelog.Change) []string {
	var lines []string
	for _, c := range changes {
		slices.Sort(c.Fields)
		lines = append(lines, fmt.Sprintf("%s %s/%s was %q: %s %v", c.Kind, c.Menu, c.Key, c.Was, c.Op, c.Fields))
	}
	slices.SortFunc(lines, cmp.Compare)
	return lines
}

// TestChangesAfterAPurge checks that a purged record is reported as removed, without its title, and
// that earlier entries forget it.
func TestChangesAfterAPurge(t *testing.T) {
	s := past(t) // celo was added, changed, observed, removed and restored
	state, err := s.Load(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	log := logged(t, s, nil, state)
	if _, err := s.Purge(t.Context(), 5, domain.KindChain, []string{"celo"}, store.Note{At: time.Unix(9, 0)}); err != nil {
		t.Fatal(err)
	}
	if state, err = s.Load(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	for name, log := range map[string]*changelog.Log{"followed": logged(t, s, log, state), "read at once": logged(t, s, nil, state)} {
		for since := range int64(5) {
			changes := log.Since(since+1, all)
			if len(changes) != 1 || changes[0].Op != domain.Removed || changes[0].Key != "celo" || changes[0].Title != nil {
				t.Errorf("%s, since %d: %+v, want the removal of celo without a title", name, since+1, changes)
			}
		}
	}
}

// TestChangesOfAPrunedRevision checks that the log begins with the oldest kept revision.
func TestChangesOfAPrunedRevision(t *testing.T) {
	s := past(t)
	state, err := s.Load(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	old := logged(t, s, nil, state)
	if state, err = s.Load(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Prune(t.Context(), 4); err != nil {
		t.Fatal(err)
	}
	for name, log := range map[string]*changelog.Log{"none": nil, "one of a pruned revision": old} {
		if got := logged(t, s, log, state).Oldest().Number; got != 4 {
			t.Errorf("from %s, the log begins with %d, want 4", name, got)
		}
	}
}
