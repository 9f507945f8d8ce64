// Package storetest is the conformance suite of the engines of package store. The tests of an
// engine cover only its files and connections. Only tests import it.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// Database opens a database; each call is like another process.
type Database func(ctx context.Context) (store.Store, error)

// Open opens the database, and closes it when the test ends.
func (d Database) Open(t *testing.T) store.Store {
	t.Helper()
	s, err := d(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c := &closing{Store: s}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// closing is a store that can be closed twice: during a test and at its end.
type closing struct {
	store.Store
	once sync.Once
	err  error
}

func (c *closing) Close() error {
	c.once.Do(func() { c.err = c.Store.Close() })
	return c.err
}

// Run runs the suite. create returns an empty database, which is removed when the test ends. steps
// is the length of each random history.
func Run(t *testing.T, steps int, create func(t *testing.T) Database) {
	for _, tt := range []struct {
		name string
		test func(t *testing.T, s store.Store)
	}{
		{"a new store is empty", empty},
		{"publish and load", roundTrip},
		{"a publish replaces all records", replaces},
		{"a publish without changes is a revision", nothingNew},
		{"only changed records are written", onlyChanges},
		{"only nav groups have positions", positions},
		{"a removed record can be restored", resurrection},
		{"an origin is stored and not compared", origins},
		{"a publish must be based on the head", conflict},
		{"one of several publishers wins", oneWins},
		{"a failed publish leaves no trace", failure},
		{"a reader sees one revision", oneRevision},
		{"a cancelled context", cancelled},
		{"every revision can be read", revisions},
		{"changes applied to a revision give the head", changes},
		{"the newest observation wins", winners},
		{"invalid observations are rejected", refusedObservations},
		{"layers are independent", layers},
		{"a prune keeps what kept revisions need", prunes},
		{"the head is never pruned", prunesNoHead},
		{"API keys", keys},
		{"an API key expires", expiringKeys},
		{"an API key is replaced", replacedKeys},
		{"the last use of an API key is recorded", usedKeys},
		{"a task has one owner", tasks},
		{"a purge removes a record from all revisions", purges},
		{"texts are never SQL", texts},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(t, create(t).Open(t)) })
	}
	t.Run("a revision survives reopening", func(t *testing.T) { reopening(t, create(t)) })
	t.Run("an interrupted publish is complete or has no effect", func(t *testing.T) { cutOff(t, create(t)) })
	t.Run("processes share a database", func(t *testing.T) { processes(t, create(t)) })
	for seed := range uint64(3) {
		t.Run(fmt.Sprintf("random history %d", seed), func(t *testing.T) {
			Play(t, create(t), seed, steps)
		})
	}
}

func empty(t *testing.T, s store.Store) {
	if rev, err := s.Head(t.Context()); !errors.Is(err, store.ErrEmpty) {
		t.Errorf("Head() = %v, %v, want ErrEmpty", rev, err)
	}
	if _, err := s.Load(t.Context(), 0); !errors.Is(err, store.ErrEmpty) {
		t.Errorf("Load(0) error = %v, want ErrEmpty", err)
	}
	if _, err := s.Load(t.Context(), 1); !errors.Is(err, store.ErrNoRevision) {
		t.Errorf("Load(1) error = %v, want ErrNoRevision", err)
	}
	for _, since := range []int64{-1, 0, 1} {
		if _, err := s.Changes(t.Context(), since); !errors.Is(err, store.ErrNoRevision) {
			t.Errorf("Changes(%d) error = %v, want ErrNoRevision", since, err)
		}
	}
	if history, err := s.History(t.Context(), 0); err != nil || len(history) != 0 {
		t.Errorf("History() = %v, %v, want none", history, err)
	}
	if versions, err := s.Versions(t.Context(), domain.KindChain, "base", 0); err != nil || len(versions) != 0 {
		t.Errorf("Versions() = %v, %v, want none", versions, err)
	}
	if observed, err := s.Observations(t.Context(), domain.KindChain, "base", 0); err != nil || len(observed) != 0 {
		t.Errorf("Observations() = %v, %v, want none", observed, err)
	}
	if pruned, err := s.Prune(t.Context(), 7); err != nil || pruned != (store.Pruned{}) {
		t.Errorf("Prune() = %v, %v, want nothing", pruned, err)
	}
	if _, err := s.Observe(t.Context(), 0, nil, store.Note{}); !errors.Is(err, store.ErrEmpty) {
		t.Errorf("Observe() error = %v, want ErrEmpty", err)
	}
}

func roundTrip(t *testing.T, s store.Store) {
	at := time.Date(2026, 11, 21, 9, 46, 0, 123_456_789, time.FixedZone("CET", 3600))
	note := store.Note{At: at, Op: store.OpImport, Actor: "Zoë", Message: "first ✓", Digest: "d1g35t", Commit: "c0ffee", Modified: true}
	want := store.Revision{
		Number: 1, PublishedAt: time.Date(2026, 11, 21, 8, 46, 0, 123_000_000, time.UTC),
		Op: store.OpImport, Actor: "Zoë", Message: "first ✓", Digest: "d1g35t", Commit: "c0ffee", Modified: true,
	}
	rev := publish(t, s, 0, store.Draft{Note: note, Catalog: Rich()})
	equal(t, "Publish()", want, rev)
	head, err := s.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "Head()", want, head)
	state := load(t, s, 0)
	equal(t, "the revision of Load()", want, state.Revision)
	equal(t, "Editors()", sorted(Rich()), state.Editors())
	equal(t, "Merged()", sorted(Rich()), state.Merged())
	equal(t, "Observed()", 0, len(state.Observed()))
	known := store.StateOf(rev, Rich())
	equal(t, "StateOf().Editors()", state.Editors(), known.Editors())
	equal(t, "StateOf().Merged()", state.Merged(), known.Merged())
}

func replaces(t *testing.T, s store.Store) {
	publish(t, s, 0, draft(Rich()))
	next := Rich()
	next.Chains = next.Chains[1:]
	next.Accounts = nil
	next.Menus[0].Standalone = nil
	next.Categories[0], next.Categories[1] = next.Categories[1], next.Categories[0]
	next.LinkSchemes = nil
	publish(t, s, 1, draft(next))
	state := load(t, s, 0)
	equal(t, "revision", 2, state.Revision.Number)
	equal(t, "Editors()", sorted(next), state.Editors())
}

func nothingNew(t *testing.T, s store.Store) {
	publish(t, s, 0, draft(Rich()))
	shuffled := Rich()
	shuffled.Chains[0], shuffled.Chains[1] = shuffled.Chains[1], shuffled.Chains[0]
	rev := publish(t, s, 1, draft(shuffled))
	equal(t, "revision", 2, rev.Number)
	got, err := s.Changes(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "Changes()", &store.Changes{Since: 1, Revision: rev}, got)
}

func onlyChanges(t *testing.T, s store.Store) {
	publish(t, s, 0, draft(Rich()))
	next := Rich()
	next.Accounts = append([]*domain.Account{{Handle: "aaa"}}, next.Accounts...)
	next.Accounts[1].Handle = "OPENAI" // still the same account
	next.Categories = next.Categories[1:]
	next.Title = nil
	publish(t, s, 1, draft(next))
	got, err := s.Changes(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	written := map[string]bool{}
	for _, row := range got.Rows {
		written[fmt.Sprintf("%s %s %t", row.Kind, row.Key, row.Body != nil)] = true
	}
	equal(t, "rows", map[string]bool{
		"catalog catalog true": true, "twitter aaa true": true, "twitter openai true": true, "categories layer-1 false": true,
	}, written)
}

func positions(t *testing.T, s store.Store) {
	order := func(keys ...string) *domain.Catalog {
		c := numbered(1)
		for _, key := range keys {
			c.NavGroups = append(c.NavGroups, domain.NavGroup{Key: key, Slug: key})
		}
		return c
	}
	lists := []*domain.Catalog{order("b", "a", "c"), order("c", "b", "a"), order("c", "new", "b", "a"), order("new"), order(), order("a", "b")}
	for i, c := range lists {
		publish(t, s, int64(i), draft(c))
	}
	for i, c := range lists {
		equal(t, fmt.Sprintf("nav groups of revision %d", i+1), c.NavGroups, load(t, s, int64(i+1)).Editors().NavGroups)
	}
	versions, err := s.Versions(t.Context(), domain.KindNavGroup, "a", 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range versions {
		got = append(got, fmt.Sprintf("%d: %d %t", v.Revision.Number, v.Row.Position, v.Row.Body != nil))
	}
	equal(t, "versions of a", []string{"6: 0 true", "4: 0 false", "3: 3 true", "2: 2 true", "1: 1 true"}, got)
}

func resurrection(t *testing.T, s store.Store) {
	without := numbered(1)
	without.Chains = nil
	publish(t, s, 0, draft(numbered(1)))
	publish(t, s, 1, draft(without))
	publish(t, s, 2, draft(without))
	publish(t, s, 3, draft(numbered(1)))
	for number, want := range map[int64]*domain.Catalog{1: numbered(1), 2: without, 3: without, 4: numbered(1)} {
		equal(t, fmt.Sprintf("revision %d", number), want, load(t, s, number).Editors())
	}
	for until, want := range map[int64][]int64{0: {4, 2, 1}, 4: {4, 2, 1}, 3: {2, 1}, 1: {1}} {
		versions, err := s.Versions(t.Context(), domain.KindChain, "chain", until)
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		for _, v := range versions {
			got = append(got, v.Revision.Number)
			equal(t, "version is a tombstone", v.Revision.Number == 2, v.Row.Body == nil)
		}
		equal(t, fmt.Sprintf("versions until %d", until), want, got)
	}
}

func origins(t *testing.T, s store.Store) {
	from := func(file string) func(domain.Kind, int) string {
		return func(kind domain.Kind, index int) string { return fmt.Sprintf("%s/%s:%d", kind, file, index+1) }
	}
	publish(t, s, 0, store.Draft{Catalog: Rich(), Origin: from("a.yaml")})
	moved := Rich()
	moved.Accounts[0].Name = "Changed"
	publish(t, s, 1, store.Draft{Catalog: moved, Origin: from("\xff\x00.yaml")})
	publish(t, s, 2, store.Draft{Catalog: moved})
	for handle, want := range map[string][]string{
		"OpenAI": {"twitter/\uFFFD\uFFFD.yaml:1", "twitter/a.yaml:1"}, "held_back": {"twitter/a.yaml:2"},
	} {
		versions, err := s.Versions(t.Context(), domain.KindAccount, handle, 0)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, v := range versions {
			got = append(got, v.Row.Origin)
		}
		equal(t, "origins of "+handle, want, got)
	}
}

func reopening(t *testing.T, db Database) {
	first := db.Open(t)
	want := publish(t, first, 0, store.Draft{Catalog: Rich(), Note: store.Note{Digest: "d", Message: "m"}})
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	state := load(t, db.Open(t), 0)
	equal(t, "revision", want, state.Revision)
	equal(t, "Editors()", sorted(Rich()), state.Editors())
}

func publish(t *testing.T, s store.Store, base int64, d store.Draft) store.Revision {
	t.Helper()
	rev, err := s.Publish(t.Context(), base, d)
	if err != nil {
		t.Fatalf("Publish(%d): %v", base, err)
	}
	return rev
}

func load(t *testing.T, s store.Store, number int64) *store.State {
	t.Helper()
	state, err := s.Load(t.Context(), number)
	if err != nil {
		t.Fatalf("Load(%d): %v", number, err)
	}
	return state
}

func draft(c *domain.Catalog) store.Draft { return store.Draft{Catalog: c} }

func equal[T any](t *testing.T, what string, want, got T) {
	t.Helper()
	if reflect.DeepEqual(want, got) { // nearly always, and much cheaper
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// Bytes returns all of a state as text, which is equal for equal states.
func Bytes(t *testing.T, s *store.State) []byte {
	t.Helper()
	text := fmt.Appendf(nil, "%+v\n", s.Revision)
	for row, err := range store.Rows(s.Editors(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		text = fmt.Appendf(text, "%s %q %d %s\n", row.Kind, row.Key, row.Position, row.Body)
	}
	for _, o := range s.Observed() {
		text = fmt.Appendf(text, "%+v\n", o)
	}
	return text
}

// numbered returns a small valid catalogue with a number in its title.
func numbered(n int) *domain.Catalog {
	return &domain.Catalog{
		Title:         domain.Text{{Locale: "en", Value: fmt.Sprintf("Number %d", n)}},
		DefaultLocale: "en",
		Locales:       []string{"en"},
		Chains: []domain.Chain{{
			Slug: "chain", Name: domain.Text{{Locale: "en", Value: "Chain"}}, ChainID: fmt.Sprint(n),
		}},
	}
}
