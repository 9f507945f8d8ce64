package storetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// database opens a database; each call is like another process.
type database func(ctx context.Context) (store.Store, error)

// Open opens the database, and closes it when the test ends.
func (d database) Open(t *testing.T) store.Store {
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

// run runs the suite. create returns an empty database, which is removed when the test ends. steps
// is the length of each random history.
func run(t *testing.T, steps int, create func(t *testing.T) database) {
	for _, tt := range []struct {
		name string
		test func(t *testing.T, s store.Store)
	}{
		{"a new store is empty", empty},
		{"publish and load", roundTrip},
		{"one of several publishers wins", oneWins},
		{"a failed publish leaves no trace", failure},
		{"a reader sees one revision", oneRevision},
		{"a cancelled context", cancelled},
		{"invalid observations are rejected", refusedObservations},
		{"API keys", keys},
		{"an API key expires", expiringKeys},
		{"an API key is replaced", replacedKeys},
		{"the last use of an API key is recorded", usedKeys},
		{"a task has one owner", tasks},
		{"texts are never SQL", texts},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(t, create(t).Open(t)) })
	}
	t.Run("an interrupted publish is complete or has no effect", func(t *testing.T) { cutOff(t, create(t)) })
	t.Run("processes share a database", func(t *testing.T) { processes(t, create(t)) })
	if testing.Short() {
		steps /= 4 // a history is long and has one goroutine
	}
	for seed := range uint64(3) {
		t.Run(fmt.Sprintf("random history %d", seed), func(t *testing.T) {
			play(t, create(t), seed, steps)
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
	if _, err := s.Purge(t.Context(), 0, domain.KindAccount, []string{"person"}, store.Note{}); !errors.Is(err, store.ErrEmpty) {
		t.Errorf("Purge() error = %v, want ErrEmpty", err)
	}
	for _, base := range []int64{-1, 1, 7} {
		if _, err := s.Publish(t.Context(), base, draft(numbered(1))); !errors.Is(err, store.ErrConflict) {
			t.Errorf("Publish(%d) error = %v, want ErrConflict", base, err)
		}
	}
}

func roundTrip(t *testing.T, s store.Store) {
	at := time.Date(2026, 11, 21, 9, 46, 0, 123_456_789, time.FixedZone("CET", 3600))
	note := store.Note{At: at, Op: store.OpImport, Actor: "Zoë", Message: "first ✓", Digest: "d1g35t", Commit: "c0ffee", Modified: true}
	want := store.Revision{
		Number: 1, PublishedAt: time.Date(2026, 11, 21, 8, 46, 0, 123_000_000, time.UTC),
		Op: store.OpImport, Actor: "Zoë", Message: "first ✓", Digest: "d1g35t", Commit: "c0ffee", Modified: true,
	}
	rev := publish(t, s, 0, store.Draft{Note: note, Catalog: rich()})
	equal(t, "Publish()", want, rev)
	returns(t, "Head()", want)(s.Head(t.Context()))
	state := load(t, s, 0)
	equal(t, "the revision of Load()", want, state.Revision)
	equal(t, "Editors()", sorted(rich()), state.Editors())
	equal(t, "Merged()", sorted(rich()), state.Merged())
	equal(t, "Observed()", 0, len(state.Observed()))
}

func refusedObservations(t *testing.T, s store.Store) {
	publish(t, s, 0, draft(numbered(1)))
	good := observation(domain.KindChain, "a", domain.FigureTVL)
	for name, change := range map[string]func(o *store.Observation){
		"no key":                   func(o *store.Observation) { o.Key = "" },
		"no source":                func(o *store.Observation) { o.Source = "" },
		"no date":                  func(o *store.Observation) { o.AsOf = "" },
		"NaN":                      func(o *store.Observation) { o.Value = math.NaN() },
		"infinite":                 func(o *store.Observation) { o.Value = math.Inf(1) },
		"below 0":                  func(o *store.Observation) { o.Value = -1 },
		"of a menu":                func(o *store.Observation) { o.Kind = domain.KindMenu },
		"a figure of another kind": func(o *store.Observation) { o.Figure = domain.FigureFollowers },
		"the reach of no field":    func(o *store.Observation) { o.Figure = "none:https://a.example/" },
		"not UTF-8":                func(o *store.Observation) { o.Source = "\xff" },
		"a NUL":                    func(o *store.Observation) { o.UpstreamID = "\x00" },
	} {
		bad := good
		change(&bad)
		if _, err := s.Observe(t.Context(), 1, []store.Observation{good, bad}, store.Note{}); err == nil {
			t.Errorf("%s: it was accepted", name)
		}
	}
	state := load(t, s, 0)
	equal(t, "revision", 1, state.Revision.Number)
	equal(t, "winners", 0, len(state.Observed()))
	good.Value = math.Copysign(0, -1)
	up := domain.ObserveReach(domain.KindChain, "a", "rpc", "https://a.example/", domain.Reached{Reach: domain.ReachUp, Since: "2026-01-01"})
	if _, err := s.Observe(t.Context(), 1, []store.Observation{good, {Observation: up}}, store.Note{}); err != nil {
		t.Fatal(err)
	}
	observed := load(t, s, 0).Observed()
	if got := observed[0].Value; got != 0 || math.Signbit(got) {
		t.Errorf("-0 is %v, want 0", got)
	}
	equal(t, "the observed reach", up, observed[1])
}

func publish(t testing.TB, s store.Store, base int64, d store.Draft) store.Revision {
	t.Helper()
	rev, err := s.Publish(t.Context(), base, d)
	if err != nil {
		t.Fatalf("Publish(%d): %v", base, err)
	}
	return rev
}

func load(t testing.TB, s store.Store, number int64) *store.State {
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

// returns returns a function that compares the result of a call.
func returns[T any](t *testing.T, what string, want T) func(got T, err error) {
	return func(got T, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		equal(t, what, want, got)
	}
}

// bytesOf returns all of a state as text, which is equal for equal states.
func bytesOf(t *testing.T, s *store.State) []byte {
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
