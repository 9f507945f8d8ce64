package follow

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vitrine/internal/store"
)

// Time limits of calls to the store.
const (
	headLimit    = 3 * time.Second  // one row
	openLimit    = time.Minute      // may wait for migrations of other processes
	loadLimit    = 2 * time.Minute  // hundreds of thousands of rows from a busy database
	publishLimit = 10 * time.Minute // as many rows to write
	closeLimit   = 5 * time.Second
	grace        = time.Second
	// slowAfter is how long a call may take before it is reported as slow.
	slowAfter = 5 * time.Second
)

// Opener opens the store. It is called after every failure, so the store may be missing, damaged
// or replaced by another one.
type Opener func(ctx context.Context) (store.Store, error)

// Source is the part of a store that a [Follower] reads; see [store.Store] for the methods.
type Source interface {
	Head(ctx context.Context) (store.Revision, error)
	Load(ctx context.Context, number int64) (*store.State, error)
	Changes(ctx context.Context, since int64) (*store.Changes, error)
	History(ctx context.Context, limit int) ([]store.Revision, error)
	Close() error
}

// closer is what a [connection] connects to.
type closer interface{ Close() error }

// connection is a connection to a store, or another source. It opens the store on demand, limits the time
// of each call, and closes the store only between calls. A connection is for one goroutine.
type connection[S closer] struct {
	open  func(ctx context.Context) (S, error)
	slow  func() // called when a call takes long; nil for none
	guard guard
	store S // nil while closed
}

func newConnection[S closer](open func(ctx context.Context) (S, error)) connection[S] {
	return connection[S]{open: open, guard: guard{grace: grace}}
}

// do calls question with the store, which it opens if necessary. If the store file was replaced,
// as by a restore, it opens the store again and retries once. A question that hangs may still run
// after do has returned, so it must not use variables that its caller changes. After an error the
// caller decides whether to close the store; see [connection.drop].
func do[S closer, T any](ctx context.Context, l *connection[S], limit time.Duration, question func(context.Context, S) (T, error)) (T, error) {
	answer, err := doOnce(ctx, l, limit, question)
	if errors.Is(err, store.ErrReplaced) {
		l.drop(ctx)
		return doOnce(ctx, l, limit, question)
	}
	return answer, err
}

func doOnce[S closer, T any](ctx context.Context, l *connection[S], limit time.Duration, question func(context.Context, S) (T, error)) (T, error) {
	var none T
	if err := l.connect(ctx); err != nil {
		return none, fmt.Errorf("open the store: %w", err)
	}
	asked := l.store
	answer, err := run(ctx, &l.guard, call[T]{
		limit:     limit,
		do:        func(ctx context.Context) (T, error) { return question(ctx, asked) },
		late:      func(T) { asked.Close() }, // the error cannot be reported any more
		slow:      l.slow,
		slowAfter: slowAfter,
	})
	if l.guard.stuck != nil {
		l.forget() // the late call closes it
	}
	return answer, err
}

func (l *connection[S]) connect(ctx context.Context) error {
	if any(l.store) != nil {
		return nil
	}
	opened, err := run(ctx, &l.guard, call[S]{
		limit: openLimit,
		do:    l.open,
		late: func(s S) {
			if any(s) != nil {
				s.Close()
			}
		},
		slow:      l.slow,
		slowAfter: slowAfter,
	})
	if err != nil {
		return err
	}
	if any(opened) == nil {
		return errors.New("there is none")
	}
	l.store = opened
	return nil
}

// drop closes the store if it is open, also when ctx is done. The next call opens it again.
func (l *connection[S]) drop(ctx context.Context) {
	if any(l.store) == nil {
		return
	}
	dropped := l.store
	l.forget()
	// The reason for closing was reported already, so an error of Close adds nothing.
	_, _ = run(context.WithoutCancel(ctx), &l.guard, call[struct{}]{
		limit: closeLimit,
		do:    func(context.Context) (struct{}, error) { return struct{}{}, dropped.Close() },
	})
}

func (l *connection[S]) forget() {
	var none S
	l.store = none
}
