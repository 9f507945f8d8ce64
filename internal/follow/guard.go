package follow

import (
	"context"
	"errors"
	"time"

	"vitrine/internal/contain"
)

// errTimeout reports that a call timed out. Its text has no figures, so that it is reported once.
var errTimeout = errors.New("no answer in time")

// guard runs calls that may never return, such as queries of a stopped database. It abandons a
// call after its time limit, and starts no other before the abandoned call has returned, so
// hanging calls cost one goroutine. A guard is for one goroutine.
type guard struct {
	// grace is how long a call may take to return after it was cancelled.
	grace time.Duration
	// stuck is closed when the abandoned call has returned; nil for none.
	stuck <-chan struct{}
}

// panicked is the message for a panic.
func panicked(cause string) string {
	return "panic: " + cause + ", which is a fault of vitrine; please report it"
}

// stackOf returns the log attribute of the stack of a panic, nil for other errors.
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
	// late gets the value of an abandoned call that returned, in its own goroutine; nil to discard
	// it.
	late func(T)
	// slow is called once if the call takes longer than slowAfter; nil for no call.
	slow      func()
	slowAfter time.Duration
}

// result is the result of a call.
type result[T any] struct {
	value T
	err   error
}

// run runs a call until its end or limit. The error is that of the call, a [*contain.Error] after
// a panic, and wraps errSilent after the limit.
func run[T any](ctx context.Context, g *guard, c call[T]) (T, error) {
	var none T
	if g.hangs() {
		return none, errTimeout
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
		return none, errTimeout
	}
	if r.err != nil && ctx.Err() == nil && limited.Err() != nil {
		return none, timeoutError{r.err}
	}
	return r.value, r.err
}

func (c call[T]) make(ctx context.Context) (r result[T]) {
	defer contain.Panic(&r.err, panicked)
	r.value, r.err = c.do(ctx)
	return r
}

// wait returns the result of a call; ok is false if the call did not return in time.
func wait[T any](ctx context.Context, g *guard, c call[T], results <-chan result[T]) (result[T], bool) {
	if c.slow != nil {
		select {
		case r := <-results:
			return r, true
		case <-time.After(c.slowAfter):
			c.slow()
		case <-ctx.Done():
		}
	}
	select {
	case r := <-results:
		return r, true
	case <-ctx.Done():
	}
	select {
	case r := <-results:
		return r, true
	case <-time.After(g.grace):
		return result[T]{}, false
	}
}

// hangs reports whether an abandoned call has not returned yet.
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

// timeoutError is the error of a call that hit its limit. The call's own error differs each time and
// adds nothing.
type timeoutError struct{ error }

func (s timeoutError) Error() string   { return errTimeout.Error() }
func (s timeoutError) Unwrap() []error { return []error{errTimeout, s.error} }
