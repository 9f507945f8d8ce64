// Package parallel divides work among the processors.
//
// It must not know the work. It has no state.
package parallel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Do calls f for every number from 0 to n-1, on as many goroutines as there are
// processors, in no particular order, and returns when all calls have returned. If a
// call panics, Do skips the remaining calls and panics with the value and stack of
// the first panic, so the caller can recover it.
func Do(n int, f func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	if workers <= 1 {
		for i := range n {
			f(i)
		}
		return
	}
	var (
		next    atomic.Int64
		first   atomic.Pointer[string]
		working sync.WaitGroup
	)
	for range workers {
		working.Go(func() {
			defer func() {
				if cause := recover(); cause != nil {
					what := fmt.Sprintf("%v\n%s", cause, debug.Stack())
					first.CompareAndSwap(nil, &what)
				}
			}()
			for first.Load() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				f(i)
			}
		})
	}
	working.Wait()
	if what := first.Load(); what != nil {
		panic(*what)
	}
}

// Shares calls f for ranges [from, below) that cover 0 to n-1 once, concurrently as
// [Do]. There are a few ranges for every processor, or one if n is at most least.
func Shares(n, least int, f func(share, from, to int)) {
	shares := SharesOf(n, least)
	Do(shares, func(i int) { f(i, i*n/shares, (i+1)*n/shares) })
}

// SharesOf returns the number of ranges of [Shares].
func SharesOf(n, least int) int {
	if n <= least {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}
