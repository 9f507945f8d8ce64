package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

func oneWins(t *testing.T, s store.Store) { race(t, 8, func(int) store.Store { return s }) }

func processes(t *testing.T, db database) {
	stores := []store.Store{db.Open(t), db.Open(t), db.Open(t)}
	race(t, 12, func(i int) store.Store { return stores[i%len(stores)] })
	publish(t, stores[0], 1, draft(numbered(100)))
	if rev, err := stores[1].Head(t.Context()); err != nil || rev.Number != 2 {
		t.Errorf("Head() = %+v, %v, want revision 2", rev, err)
	}
	if _, err := stores[2].Publish(t.Context(), 1, draft(rich())); !errors.Is(err, store.ErrConflict) {
		t.Errorf("error %v, want ErrConflict", err)
	}
	equal(t, "records", numbered(100), load(t, stores[2], 0).Editors())
}

// race starts concurrent publishers of the first revision.
func race(t *testing.T, publishers int, of func(i int) store.Store) {
	errs := make([]error, publishers)
	var wg sync.WaitGroup
	for i := range publishers {
		wg.Go(func() {
			_, errs[i] = of(i).Publish(t.Context(), 0, store.Draft{Catalog: numbered(i), Note: store.Note{Message: fmt.Sprint(i)}})
		})
	}
	wg.Wait()
	winner := -1
	for i, err := range errs {
		switch {
		case err == nil && winner < 0:
			winner = i
		case err == nil:
			t.Errorf("publishers %d and %d both won", winner, i)
		case !errors.Is(err, store.ErrConflict):
			t.Errorf("publisher %d: %v, want ErrConflict", i, err)
		}
	}
	if winner < 0 {
		t.Fatal("no publisher won")
	}
	state := load(t, of(0), 0)
	equal(t, "the message of the winner", fmt.Sprint(winner), state.Revision.Message)
	equal(t, "the records of the winner", numbered(winner), state.Editors())
}

func failure(t *testing.T, s store.Store) {
	publish(t, s, 0, store.Draft{Catalog: numbered(1), Note: store.Note{Digest: "kept"}})
	twice := numbered(2)
	twice.Chains = append(twice.Chains, twice.Chains...)
	unencodable := numbered(3)
	unencodable.Chains = append(make([]domain.Chain, 0), unencodable.Chains[0], domain.Chain{Slug: "late", Logo: "\xff"})
	nul := numbered(4)
	nul.Chains[0].Slug = "a\x00b"
	for name, d := range map[string]store.Draft{
		"a duplicate slug":    draft(twice),
		"not UTF-8":           draft(unencodable),
		"a NUL in a key":      draft(nul),
		"no catalogue":        {},
		"a binary message":    {Catalog: numbered(5), Note: store.Note{Message: "\xff"}},
		"an actor with a NUL": {Catalog: numbered(6), Note: store.Note{Actor: "\x00"}},
	} {
		if _, err := s.Publish(t.Context(), 1, d); err == nil || errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrCorrupt) {
			t.Errorf("%s: error %v, want an error of the draft", name, err)
		}
	}
	state := load(t, s, 0)
	equal(t, "revision", store.Revision{Number: 1, Digest: "kept"}, state.Revision)
	equal(t, "records", numbered(1), state.Editors())
}

// oneRevision loads while revisions are published, and checks that each load has the records of
// its revision.
func oneRevision(t *testing.T, s store.Store) {
	const revisions = 20
	publish(t, s, 0, draft(numbered(1)))
	done := make(chan error, 1)
	go func() {
		for base := int64(1); base < revisions; base++ {
			if _, err := s.Publish(t.Context(), base, draft(numbered(int(base)+1))); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	follower := load(t, s, 0)
	for running := true; running; {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			running = false
		default:
		}
		state := load(t, s, 0)
		changes, err := s.Changes(t.Context(), follower.Revision.Number)
		if err != nil {
			t.Fatal(err)
		}
		if follower, err = follower.Apply(changes); err != nil {
			t.Fatal(err)
		}
		for what, state := range map[string]*store.State{"loaded": state, "followed": follower} {
			if diff := cmp.Diff(numbered(int(state.Revision.Number)), state.Merged()); diff != "" {
				t.Fatalf("%s revision %d (-want +got):\n%s", what, state.Revision.Number, diff)
			}
		}
	}
	equal(t, "the last revision", revisions, follower.Revision.Number)
}

func cancelled(t *testing.T, s store.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	calls := map[string]func() error{
		"Head":    func() error { _, err := s.Head(ctx); return err },
		"Load":    func() error { _, err := s.Load(ctx, 0); return err },
		"Changes": func() error { _, err := s.Changes(ctx, 1); return err },
		"Publish": func() error { _, err := s.Publish(ctx, 0, draft(rich())); return err },
		"Observe": func() error { _, err := s.Observe(ctx, 1, nil, store.Note{}); return err },
		"History": func() error { _, err := s.History(ctx, 0); return err },
		"Prune":   func() error { _, err := s.Prune(ctx, 1); return err },
		"Keys":    func() error { _, err := s.Keys(ctx); return err },
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s() error = %v, want context.Canceled", name, err)
		}
	}
	if _, err := s.Head(t.Context()); !errors.Is(err, store.ErrEmpty) {
		t.Errorf("afterwards Head() error = %v, want ErrEmpty", err)
	}
}

// cutOff cancels publishes at different times. The head must be the previous or the new revision,
// with its own records.
func cutOff(t *testing.T, db database) {
	s := db.Open(t)
	publish(t, s, 0, draft(large(1)))
	start := time.Now()
	number := publish(t, s, 1, draft(large(2))).Number
	took := time.Since(start)
	for n := range 20 {
		ctx, cancel := context.WithTimeout(t.Context(), took*time.Duration(n)/15)
		_, err := s.Publish(ctx, number, draft(large(int(number)+1)))
		cancel()
		if n%5 == 4 {
			s = db.Open(t)
		}
		state := load(t, s, 0)
		if err == nil && state.Revision.Number != number+1 {
			t.Fatalf("revision %d was published, the head is %d", number+1, state.Revision.Number)
		}
		if state.Revision.Number != number && state.Revision.Number != number+1 {
			t.Fatalf("after revision %d the head is %d", number, state.Revision.Number)
		}
		number = state.Revision.Number
		if diff := cmp.Diff(large(int(number)), state.Editors()); diff != "" {
			t.Fatalf("revision %d (-want +got):\n%s", number, diff)
		}
	}
}
