package snapshot_test

import (
	"maps"
	"sync"
	"testing"

	"vitrine/internal/domain/domaintest"
	"vitrine/internal/snapshot"
)

// TestFinishBesideRequests checks that responses are the same before, beside and after Finish.
func TestFinishBesideRequests(t *testing.T) {
	c := domaintest.Valid(24).Example(1)
	compiled := func() *snapshot.Snapshot {
		s, err := snapshot.Compile(nil, c, revision)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	finished := compiled()
	finished.Finish()
	want := served(finished, c)
	s := compiled()
	var working sync.WaitGroup
	working.Go(s.Finish)
	for range 3 {
		working.Go(func() {
			if got := served(s, c); !maps.Equal(got, want) {
				t.Error("responses beside Finish differ from those after it")
			}
		})
	}
	working.Wait()
}
