package follow

import (
	"context"
	"errors"
	"time"

	"vitrine/internal/contain"
)

// errSilent says that something did not answer in time. Its text has no
// figures: it is reported once per change.
var errSilent = errors.New("no answer in time")

// guard runs calls that may never return: a stopped database, a disk that is
// gone. A call is given up when its time is over, and there is no other one
// before it came back after all; so what hangs costs one goroutine, however
// often it is tried. A guard is for one goroutine.
type guard struct {
	// grace is how long a call may take to notice that it was given up.
	grace time.Duration
	// stuck is closed when the call that was given up last has come back; nil if
	// there was none.
	stuck <-chan struct{}
}

// panicked is what is said of a panic.
func panicked(cause string) string {
	return "panic: " + cause + ", which is a fault of vitrine; please report it"
}

// stackOf returns the attribute of a log line that says where an error panicked,
// nil for one that did not.
func stackOf(err error) []any {
	if failed, ok := errors.AsType[*contain.Error](err); ok {
		return []any{"stack", failed.Stack}
	}
	return nil
}

// call is one call under a guard.
type call[T any] struct {
	limit time.Duration
	do    func(ctx context.Context) (T, error)
	// late takes the value of a call that came back after it was given up; nil
	// where nothing is to be done with it. It runs beside everything else.
	late func(T)
	// slow is called once if the call takes longer than patience; nil for not
	// at all.
	slow     func()
	patience time.Duration
}

// result is what came of a call.
type result[T any] struct {
	value T
	err   error
}

// run makes a call and waits for its end or limit. The error is that of the
// call, a [*contain.Error] if it panicked, and wraps errSilent where time was over.
func run[T any](ctx context.Context, g *guard, c call[T]) (T, error) {
	var none T
	if g.hangs() {
		return none, errSilent
	}
	limited, cancel := context.WithTimeout(ctx, c.limit)
	defer cancel()
	results, givenUp, back := make(chan result[T]), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(back)
		r := c.make(limited)
		select {
		case results <- r:
		case <-givenUp:
			if c.late != nil {
				c.late(r.value)
			}
		}
	}()
	r, ok := wait(limited, g, c, results)
	if !ok {
		close(givenUp)
		g.stuck = back
		return none, errSilent
	}
	if r.err != nil && ctx.Err() == nil && limited.Err() != nil {
		return none, silence{r.err}
	}
	return r.value, r.err
}

func (c call[T]) make(ctx context.Context) (r result[T]) {
	defer contain.Panic(&r.err, panicked)
	r.value, r.err = c.do(ctx)
	return r
}

// wait returns the result of a call, false if there is none in time.
func wait[T any](ctx context.Context, g *guard, c call[T], results <-chan result[T]) (result[T], bool) {
	if c.slow != nil {
		patience := time.NewTimer(c.patience)
		defer patience.Stop()
		select {
		case r := <-results:
			return r, true
		case <-patience.C:
			c.slow()
		case <-ctx.Done():
		}
	}
	select {
	case r := <-results:
		return r, true
	case <-ctx.Done():
	}
	grace := time.NewTimer(g.grace)
	defer grace.Stop()
	select {
	case r := <-results:
		return r, true
	case <-grace.C:
		return result[T]{}, false
	}
}

// hangs reports whether a call that was given up has not come back yet.
func (g *guard) hangs() bool {
	if g.stuck == nil {
		return false
	}
	select {
	case <-g.stuck:
		g.stuck = nil
		return false
	default:
		return true
	}
}

// silence is the error of a call that ended because its time was over. What
// the call says of that differs from time to time, and tells nobody anything.
type silence struct{ error }

func (s silence) Error() string   { return errSilent.Error() }
func (s silence) Unwrap() []error { return []error{errSilent, s.error} }
