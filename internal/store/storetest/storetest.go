// Package storetest holds what every engine of package store must do, as one
// suite of tests, so that an engine's own tests are only about its files and
// connections. Only tests import it.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/catalog"
	"vitrine/internal/store"
)

// Store is what an engine offers.
type Store interface {
	Head(ctx context.Context) (store.Revision, error)
	Load(ctx context.Context) (*catalog.Catalog, store.Revision, error)
	Publish(ctx context.Context, base int64, d store.Draft) (store.Revision, error)
}

// Run runs the suite. Open gives an empty store, which it also closes when
// the test ends.
func Run(t *testing.T, open func(t *testing.T) Store) {
	for _, tt := range []struct {
		name string
		test func(t *testing.T, s Store)
	}{
		{"a new store is empty", empty},
		{"what is published is loaded", roundTrip},
		{"a publish replaces all records", replaces},
		{"only the head can be followed", conflict},
		{"of many publishers one wins", oneWins},
		{"a failed publish leaves no trace", failure},
		{"a reader sees one revision", oneRevision},
		{"a context that is done stops", cancelled},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(t, open(t)) })
	}
}

func empty(t *testing.T, s Store) {
	if rev, err := s.Head(t.Context()); !errors.Is(err, store.ErrEmpty) {
		t.Errorf("Head() = %v, %v, want ErrEmpty", rev, err)
	}
	if _, _, err := s.Load(t.Context()); !errors.Is(err, store.ErrEmpty) {
		t.Errorf("Load() error = %v, want ErrEmpty", err)
	}
}

func roundTrip(t *testing.T, s Store) {
	at := time.Date(2026, 11, 21, 9, 46, 0, 123_000_000, time.UTC)
	rev := publish(t, s, 0, store.Draft{Catalog: Rich(), PublishedAt: at, Digest: "d1g35t", Message: "first ✓"})
	want := store.Revision{Number: 1, PublishedAt: at, Digest: "d1g35t", Message: "first ✓"}
	if diff := cmp.Diff(want, rev); diff != "" {
		t.Errorf("Publish() (-want +got):\n%s", diff)
	}
	head, err := s.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, head); diff != "" {
		t.Errorf("Head() (-want +got):\n%s", diff)
	}
	loaded, rev := load(t, s)
	if diff := cmp.Diff(want, rev); diff != "" {
		t.Errorf("Load() revision (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Rich(), loaded); diff != "" {
		t.Errorf("Load() catalogue (-want +got):\n%s", diff)
	}
}

func replaces(t *testing.T, s Store) {
	publish(t, s, 0, store.Draft{Catalog: Rich()})
	next := Rich()
	next.Chains = next.Chains[1:]
	next.Accounts = nil
	next.Menus[0].Standalone = nil
	next.Categories[0], next.Categories[1] = next.Categories[1], next.Categories[0]
	publish(t, s, 1, store.Draft{Catalog: next})
	got, rev := load(t, s)
	if rev.Number != 2 {
		t.Errorf("revision %d, want 2", rev.Number)
	}
	if diff := cmp.Diff(next, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func conflict(t *testing.T, s Store) {
	d := store.Draft{Catalog: numbered(1)}
	for _, base := range []int64{-1, 1, 7} {
		if _, err := s.Publish(t.Context(), base, d); !errors.Is(err, store.ErrConflict) {
			t.Errorf("on an empty store, base %d: error %v, want ErrConflict", base, err)
		}
	}
	publish(t, s, 0, d)
	publish(t, s, 1, d)
	for _, base := range []int64{-1, 0, 1, 3} {
		if _, err := s.Publish(t.Context(), base, store.Draft{Catalog: Rich()}); !errors.Is(err, store.ErrConflict) {
			t.Errorf("on revision 2, base %d: error %v, want ErrConflict", base, err)
		}
	}
	got, rev := load(t, s)
	if diff := cmp.Diff(numbered(1), got); diff != "" || rev.Number != 2 {
		t.Errorf("after refused publishes, revision %d (-want +got):\n%s", rev.Number, diff)
	}
}

func oneWins(t *testing.T, s Store) {
	const publishers = 8
	errs := make([]error, publishers)
	var wg sync.WaitGroup
	for i := range publishers {
		wg.Go(func() {
			_, errs[i] = s.Publish(t.Context(), 0, store.Draft{Catalog: numbered(i), Message: fmt.Sprint(i)})
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
		t.Fatal("nobody won")
	}
	got, rev := load(t, s)
	if diff := cmp.Diff(numbered(winner), got); diff != "" || rev.Message != fmt.Sprint(winner) {
		t.Errorf("publisher %d won, the store has that of %s (-want +got):\n%s", winner, rev.Message, diff)
	}
}

func failure(t *testing.T, s Store) {
	publish(t, s, 0, store.Draft{Catalog: numbered(1), Digest: "kept"})
	twice := numbered(2)
	twice.Chains = append(twice.Chains, twice.Chains...)
	unencodable := numbered(3)
	unencodable.Chains[0].Logo = "\xff"
	for name, c := range map[string]*catalog.Catalog{"a slug twice": twice, "not UTF-8": unencodable} {
		if _, err := s.Publish(t.Context(), 1, store.Draft{Catalog: c}); err == nil || errors.Is(err, store.ErrConflict) {
			t.Errorf("%s: error %v, want one of the record", name, err)
		}
	}
	got, rev := load(t, s)
	if diff := cmp.Diff(numbered(1), got); diff != "" || rev.Number != 1 || rev.Digest != "kept" {
		t.Errorf("after failed publishes, %+v (-want +got):\n%s", rev, diff)
	}
}

// oneRevision loads while revisions are published: number and records must
// belong together.
func oneRevision(t *testing.T, s Store) {
	const revisions = 20
	publish(t, s, 0, store.Draft{Catalog: numbered(1)})
	done := make(chan error, 1)
	go func() {
		for base := int64(1); base < revisions; base++ {
			if _, err := s.Publish(t.Context(), base, store.Draft{Catalog: numbered(int(base) + 1)}); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	for {
		c, rev := load(t, s)
		if diff := cmp.Diff(numbered(int(rev.Number)), c); diff != "" {
			t.Fatalf("revision %d (-want +got):\n%s", rev.Number, diff)
		}
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			return
		default:
		}
	}
}

func cancelled(t *testing.T, s Store) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Publish(ctx, 0, store.Draft{Catalog: Rich()}); !errors.Is(err, context.Canceled) {
		t.Errorf("Publish() error = %v, want context.Canceled", err)
	}
	if _, err := s.Head(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Head() error = %v, want context.Canceled", err)
	}
	if _, err := s.Head(t.Context()); !errors.Is(err, store.ErrEmpty) {
		t.Errorf("afterwards Head() error = %v, want ErrEmpty", err)
	}
}

func publish(t *testing.T, s Store, base int64, d store.Draft) store.Revision {
	t.Helper()
	rev, err := s.Publish(t.Context(), base, d)
	if err != nil {
		t.Fatalf("Publish(%d): %v", base, err)
	}
	return rev
}

func load(t *testing.T, s Store) (*catalog.Catalog, store.Revision) {
	t.Helper()
	c, rev, err := s.Load(t.Context())
	if err != nil {
		t.Fatalf("Load(): %v", err)
	}
	return c, rev
}

// numbered returns a small valid catalogue that tells its number.
func numbered(n int) *catalog.Catalog {
	return &catalog.Catalog{
		Title:         catalog.Text{{Locale: "en", Value: fmt.Sprintf("Number %d", n)}},
		DefaultLocale: "en",
		Locales:       []string{"en"},
		Chains: []catalog.Chain{{
			Slug: "chain", Name: catalog.Text{{Locale: "en", Value: "Chain"}}, ChainID: fmt.Sprint(n),
		}},
	}
}
