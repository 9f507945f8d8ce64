package parallel

import (
	"fmt"
	"iter"
	"runtime/debug"
)

// Ahead yields the values of seq in order. It runs seq on another goroutine, some hundred values
// ahead, so that producing and using values each take a processor. When the loop ends, early or not,
// seq has ended. A panic of seq panics in the loop, unless the loop has ended before.
func Ahead[K, V any](seq iter.Seq2[K, V]) iter.Seq2[K, V] {
	type pair struct {
		key   K
		value V
	}
	const batch, batches = 256, 4
	return func(yield func(K, V) bool) {
		made := make(chan []pair, batches)
		enough := make(chan struct{})
		var panicked string
		go func() {
			defer close(made)
			defer func() {
				if cause := recover(); cause != nil {
					panicked = fmt.Sprintf("%v\n%s", cause, debug.Stack())
				}
			}()
			var next []pair
			send := func() bool {
				select {
				case made <- next:
					next = make([]pair, 0, batch)
					return true
				case <-enough:
					return false
				}
			}
			for k, v := range seq {
				next = append(next, pair{k, v})
				if len(next) == batch && !send() {
					return
				}
			}
			send()
		}()
		defer func() {
			close(enough)
			for range made { // until it has ended
			}
		}()
		for pairs := range made {
			for _, p := range pairs {
				if !yield(p.key, p.value) {
					return
				}
			}
		}
		if panicked != "" {
			panic(panicked)
		}
	}
}
