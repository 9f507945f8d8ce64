package storetest

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

func revisions(t *testing.T, s store.Store) {
	const n = 5
	for i := range n {
		publish(t, s, int64(i), store.Draft{Catalog: numbered(i + 1), Note: store.Note{Message: fmt.Sprint(i + 1)}})
	}
	for number := int64(1); number <= n; number++ {
		state := load(t, s, number)
		equal(t, "revision", store.Revision{Number: number, Message: fmt.Sprint(number)}, state.Revision)
		equal(t, "records", numbered(int(number)), state.Editors())
	}
	for _, number := range []int64{-1, n + 1} {
		if _, err := s.Load(t.Context(), number); !errors.Is(err, store.ErrNoRevision) {
			t.Errorf("Load(%d) error = %v, want ErrNoRevision", number, err)
		}
	}
	for limit, want := range map[int][]int64{0: {5, 4, 3, 2, 1}, 1: {5}, 2: {5, 4}, 9: {5, 4, 3, 2, 1}} {
		history, err := s.History(t.Context(), limit)
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		for _, rev := range history {
			got = append(got, rev.Number)
			equal(t, "revision", store.Revision{Number: rev.Number, Message: fmt.Sprint(rev.Number)}, rev)
		}
		equal(t, fmt.Sprintf("History(%d)", limit), want, got)
	}
}

func changes(t *testing.T, s store.Store) {
	publish(t, s, 0, draft(Rich()))
	publish(t, s, 1, draft(numbered(2)))
	observe(t, s, 2, tvl("chain", 5, "2026-01-01"))
	publish(t, s, 3, draft(Rich()))
	observe(t, s, 4, tvl("chain", 6, "2026-01-02"), tvl("base", 7, "2026-01-02"))
	want := Bytes(t, load(t, s, 0))
	for since := int64(1); since <= 5; since++ {
		state := load(t, s, since)
		before := Bytes(t, state)
		changes, err := s.Changes(t.Context(), since)
		if err != nil {
			t.Fatal(err)
		}
		applied, err := state.Apply(changes)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, fmt.Sprintf("the head from revision %d", since), want, Bytes(t, applied))
		equal(t, "the state before the changes", before, Bytes(t, state))
	}
	for _, since := range []int64{-1, 0, 6} {
		if _, err := s.Changes(t.Context(), since); !errors.Is(err, store.ErrNoRevision) {
			t.Errorf("Changes(%d) error = %v, want ErrNoRevision", since, err)
		}
	}
}

func tvl(slug string, value float64, day domain.Date) store.Observation {
	return store.Observation{
		Observation: domain.Observation{
			Kind: domain.KindChain, Key: slug, Figure: domain.FigureTVL, Value: value, Source: "s", AsOf: day,
		},
		UpstreamID: "upstream " + slug,
	}
}

func observe(t *testing.T, s store.Store, base int64, observations ...store.Observation) store.Revision {
	t.Helper()
	rev, err := s.Observe(t.Context(), base, observations, store.Note{Op: store.OpSync, Digest: "ignored"})
	if err != nil {
		t.Fatalf("Observe(%d): %v", base, err)
	}
	return rev
}

func winners(t *testing.T, s store.Store) {
	publish(t, s, 0, store.Draft{Catalog: numbered(1), Note: store.Note{Digest: "d"}})
	followers := store.Observation{Observation: domain.Observation{
		Kind: domain.KindAccount, Key: "OpenAI", Figure: domain.FigureFollowers, Value: 1e15 + 0.5, Source: "X", AsOf: "2026-01-01",
	}}
	steps := [][]store.Observation{
		{tvl("b", 1, "2026-01-02"), tvl("A", 2, "2026-01-02"), followers},
		{tvl("a", 3, "2026-01-01")},                            // older: loses
		{tvl("a", 4, "2026-01-02"), tvl("a", 5, "2026-01-02")}, // the same day: the later one wins
		{tvl("a", 5, "2026-01-02")},                            // the same again
		{tvl("b", 0, "2026-01-03"), tvl("b", 9, "2026-01-01")}, // 0 is a value
		{},
	}
	steps[3][0].UpstreamID = "" // the last known one stays
	steps[4][1].UpstreamID = "new id of b"
	for i, observations := range steps {
		rev := observe(t, s, int64(i+1), observations...)
		equal(t, "revision", store.Revision{Number: int64(i + 2), Op: store.OpSync, Digest: "d"}, rev)
	}
	for number, want := range map[int64]string{1: "", 2: "a=2 b=1", 3: "a=2 b=1", 4: "a=5 b=1", 5: "a=5 b=1", 6: "a=5 b=0", 7: "a=5 b=0"} {
		if want != "" {
			want += " openai=1e+15"
		}
		equal(t, fmt.Sprintf("winners of revision %d", number), want, figures(load(t, s, number).Observed()))
	}
	for since, want := range map[int64]string{6: "", 5: "b=0", 4: "b=0", 3: "a=5 b=0", 2: "a=5 b=0", 1: "a=5 b=0 openai=1e+15"} {
		changes, err := s.Changes(t.Context(), since)
		if err != nil {
			t.Fatal(err)
		}
		state, err := load(t, s, 1).Apply(&store.Changes{Since: 1, Observed: changes.Observed}) // sorts them
		if err != nil {
			t.Fatal(err)
		}
		equal(t, fmt.Sprintf("figures that changed since %d", since), want, figures(state.Observed()))
	}
	observed, err := s.Observations(t.Context(), domain.KindAccount, "OPENAI", 0)
	if err != nil {
		t.Fatal(err)
	}
	for source, want := range map[string]map[string]string{"s": {"a": "upstream a", "b": "new id of b"}, "X": {}} {
		ids, err := s.UpstreamIDs(t.Context(), domain.KindChain, source)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "UpstreamIDs of "+source, want, ids)
	}
	followers.Key = "openai"
	equal(t, "Observations()", []store.Observed{{
		Revision: store.Revision{Number: 2, Op: store.OpSync, Digest: "d"}, Observation: followers,
	}}, observed)
	for until, want := range map[int64]string{0: "5 5 4 3 2", 4: "5 4 3 2", 3: "3 2", 1: ""} {
		observed, err := s.Observations(t.Context(), domain.KindChain, "a", until)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, o := range observed {
			got += fmt.Sprintf(" %v", o.Observation.Value)
		}
		equal(t, fmt.Sprintf("observations until %d", until), want, trim(got))
	}
}

func figures(observed []domain.Observation) string {
	text := ""
	for _, o := range observed {
		text += fmt.Sprintf(" %s=%.4g", o.Key, o.Value)
	}
	return trim(text)
}

func trim(s string) string {
	if s == "" {
		return s
	}
	return s[1:]
}

func refusedObservations(t *testing.T, s store.Store) {
	publish(t, s, 0, draft(numbered(1)))
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
		bad := tvl("a", 1, "2026-01-01")
		change(&bad)
		if _, err := s.Observe(t.Context(), 1, []store.Observation{tvl("b", 1, "2026-01-01"), bad}, store.Note{}); err == nil {
			t.Errorf("%s: it was accepted", name)
		}
	}
	state := load(t, s, 0)
	equal(t, "revision", 1, state.Revision.Number)
	equal(t, "winners", 0, len(state.Observed()))
	observe(t, s, 1, tvl("a", math.Copysign(0, -1), "2026-01-01"))
	if got := load(t, s, 0).Observed()[0].Value; got != 0 || math.Signbit(got) {
		t.Errorf("-0 is %v, want 0", got)
	}
	up := domain.ObserveReach(domain.KindChain, "a", "rpc", "https://a.example/", domain.Reached{Reach: domain.ReachUp, Since: "2026-01-01"})
	observe(t, s, 2, store.Observation{Observation: up})
	equal(t, "the observed reach", up, load(t, s, 0).Observed()[1])
}

func layers(t *testing.T, s store.Store) {
	publish(t, s, 0, draft(numbered(1)))
	observe(t, s, 1, tvl("chain", 5, "2026-01-01"))
	without := numbered(1)
	without.Chains = nil
	publish(t, s, 2, draft(without))
	publish(t, s, 3, draft(numbered(2)))
	equal(t, "winners", "chain=5", figures(load(t, s, 3).Observed()))
	state := load(t, s, 0)
	equal(t, "Editors()", numbered(2), state.Editors())
	want := numbered(2)
	want.Chains[0].TVL = &domain.Figure{Value: 5, Source: "s", AsOf: "2026-01-01"}
	equal(t, "Merged()", want, state.Merged())
}

func prunes(t *testing.T, s store.Store) {
	without := numbered(3)
	without.Chains = nil
	publish(t, s, 0, store.Draft{Catalog: numbered(1), Note: store.Note{Message: "first"}})
	observe(t, s, 1, tvl("chain", 1, "2026-01-01"), tvl("other", 2, "2026-01-01"))
	publish(t, s, 2, draft(without))
	observe(t, s, 3, tvl("chain", 3, "2026-01-03"), tvl("chain", 4, "2026-01-02"))
	publish(t, s, 4, draft(without))
	publish(t, s, 5, draft(numbered(1)))
	kept := [][]byte{Bytes(t, load(t, s, 5)), Bytes(t, load(t, s, 6))}
	pruned, err := s.Prune(t.Context(), 5)
	if err != nil {
		t.Fatal(err)
	}
	// Versions: the chain and the title of 1, the tombstone of 3. Observations: of the chain in 2,
	// and the losing one of 4.
	pruned.Freed = 0 // depends on the engine
	equal(t, "Prune(5)", store.Pruned{Revisions: 4, Versions: 3, Observations: 2}, pruned)
	for i, want := range kept {
		equal(t, fmt.Sprintf("revision %d", i+5), want, Bytes(t, load(t, s, int64(i+5))))
	}
	for number := int64(1); number < 5; number++ {
		if _, err := s.Load(t.Context(), number); !errors.Is(err, store.ErrNoRevision) {
			t.Errorf("Load(%d) error = %v, want ErrNoRevision", number, err)
		}
		if _, err := s.Changes(t.Context(), number); !errors.Is(err, store.ErrNoRevision) {
			t.Errorf("Changes(%d) error = %v, want ErrNoRevision", number, err)
		}
	}
	history, err := s.History(t.Context(), 0)
	if err != nil || len(history) != 2 || history[1].Number != 5 {
		t.Errorf("History() = %v, %v, want revisions 6 and 5", history, err)
	}
	observed, err := s.Observations(t.Context(), domain.KindChain, "other", 0)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "an observation of a pruned revision", []store.Observed{{
		Revision: store.Revision{Number: 2, Op: store.OpSync}, Observation: tvl("other", 2, "2026-01-01"),
	}}, observed)
	if pruned, err = s.Prune(t.Context(), 5); err != nil || pruned != (store.Pruned{}) {
		t.Errorf("again, Prune(5) = %v, %v, want nothing", pruned, err)
	}
	publish(t, s, 6, draft(numbered(7)))
	equal(t, "records after a prune", numbered(7), load(t, s, 0).Editors())
}

func prunesNoHead(t *testing.T, s store.Store) {
	for i := range 3 {
		publish(t, s, int64(i), draft(numbered(i)))
	}
	for _, before := range []int64{-1, 0, 1} {
		if pruned, err := s.Prune(t.Context(), before); err != nil || pruned != (store.Pruned{}) {
			t.Errorf("Prune(%d) = %v, %v, want nothing", before, pruned, err)
		}
	}
	pruned, err := s.Prune(t.Context(), math.MaxInt64)
	if err != nil {
		t.Fatal(err)
	}
	pruned.Freed = 0
	equal(t, "Prune()", store.Pruned{Revisions: 2, Versions: 4}, pruned)
	equal(t, "records", numbered(2), load(t, s, 0).Editors())
	equal(t, "revision", 4, publish(t, s, 3, draft(numbered(4))).Number)
}
