package parallel

import (
	"fmt"
	"iter"
	"runtime/debug"
)

// Ahead yields what seq yields, in its order, while seq runs on another
// goroutine and some hundred values ahead: making a value and using it take a
// processor each. When the loop over it ends, early or not, seq has ended, too.
// A panic of seq is one of the loop, unless the loop was left before.
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
