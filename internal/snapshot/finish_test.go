package snapshot_test

import (
	"maps"
	"sync"
	"testing"

	"vitrine/internal/domain/domaintest"
	"vitrine/internal/snapshot"
)

// TestFinishBesideRequests checks that responses are the same beside and after Finish, also those of a
// snapshot whose previous one is unfinished.
func TestFinishBesideRequests(t *testing.T) {
	first := domaintest.Valid(24).Example(1)
	second := domaintest.Edited(first).Example(1)
	compiled := func() (*snapshot.Snapshot, *snapshot.Snapshot) {
		s, err := snapshot.Compile(nil, first, revision)
		if err != nil {
			t.Fatal(err)
		}
		next, err := snapshot.Compile(s, second, revision)
		if err != nil {
			t.Fatal(err)
		}
		return s, next
	}
	s, next := compiled()
	s.Finish()
	next.Finish()
	want, wantNext := served(s, first), served(next, second)
	s, next = compiled()
	var working sync.WaitGroup
	working.Go(s.Finish)
	working.Go(next.Finish)
	for range 2 {
		working.Go(func() { compareBeside(t, served(s, first), want) })
		working.Go(func() { compareBeside(t, served(next, second), wantNext) })
	}
	working.Wait()
}

func compareBeside(t *testing.T, got, want map[string]string) {
	if !maps.Equal(got, want) {
		t.Error("responses beside Finish differ from those after it")
	}
}
