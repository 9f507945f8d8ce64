package parallel_test

import (
	"iter"
	"strings"
	"sync/atomic"
	"testing"

	"vitrine/internal/parallel"
)

func TestEachOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 1000} {
		counts := make([]atomic.Int32, n)
		parallel.Do(n, func(i int) { counts[i].Add(1) })
		for i := range counts {
			if got := counts[i].Load(); got != 1 {
				t.Errorf("of %d: call %d ran %d times", n, i, got)
			}
		}
	}
}

func TestSharesCoverAll(t *testing.T) {
	for _, n := range []int{0, 1, 5, 1000, 1001} {
		counts := make([]atomic.Int32, n)
		parallel.Shares(n, 5, func(share, from, to int) {
			if share < 0 || share >= parallel.SharesOf(n, 5) {
				t.Errorf("share %d of %d", share, parallel.SharesOf(n, 5))
			}
			for i := from; i < to; i++ {
				counts[i].Add(1)
			}
		})
		for i := range counts {
			if got := counts[i].Load(); got != 1 {
				t.Errorf("of %d: index %d was covered %d times", n, i, got)
			}
		}
	}
}

func TestPanicsReachTheCaller(t *testing.T) {
	defer func() {
		what, _ := recover().(string)
		if !strings.Contains(what, "seven is odd") || !strings.Contains(what, "parallel_test.go") {
			t.Errorf("recovered %.200q, want the cause and where it was", what)
		}
	}()
	parallel.Do(1000, func(i int) {
		if i == 7 {
			panic("seven is odd")
		}
	})
	t.Error("the panic was lost")
}

func count(n int, ended *bool) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		defer func() { *ended = true }()
		for i := range n {
			if !yield(i, i*i) {
				return
			}
		}
	}
}

func TestAheadYieldsTheSame(t *testing.T) {
	for _, n := range []int{0, 1, 255, 256, 257, 5000} {
		ended, next := false, 0
		for i, square := range parallel.Ahead(count(n, &ended)) {
			if i != next || square != i*i {
				t.Fatalf("of %d: got %d, %d, want %d and its square", n, i, square, next)
			}
			next++
		}
		if next != n || !ended {
			t.Errorf("got %d of %d, ended %t", next, n, ended)
		}
	}
}

// TestAheadEndsWithTheLoop checks that seq has ended after the loop, so that its source can be closed.
func TestAheadEndsWithTheLoop(t *testing.T) {
	for _, at := range []int{0, 1, 300, 4000} {
		ended := false
		for i := range parallel.Ahead(count(1_000_000, &ended)) {
			if i == at {
				break
			}
		}
		if !ended {
			t.Errorf("the loop ended at %d and the sequence continues", at)
		}
	}
}

func TestAheadPanics(t *testing.T) {
	defer func() {
		if what, _ := recover().(string); !strings.Contains(what, "no more") {
			t.Errorf("recovered %.200q", what)
		}
	}()
	for range parallel.Ahead(func(yield func(int, int) bool) {
		yield(1, 1)
		panic("no more")
	}) {
	}
	t.Error("the panic was lost")
}
