package follow

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vitrine/internal/store"
)

// How long a store may take.
const (
	headLimit    = 3 * time.Second  // for one row
	openLimit    = time.Minute      // migrates, and may have to wait for others that do
	loadLimit    = 2 * time.Minute  // hundreds of thousands of rows from a busy database
	publishLimit = 10 * time.Minute // as many rows to it
	closeLimit   = 5 * time.Second
	grace        = time.Second
	// patience is how long anything of this may take before somebody should
	// hear of it.
	patience = 5 * time.Second
)

// Opener opens the store. It is called again after every failure, so it must
// not assume that what it opens is there, is well, or is what it was before.
type Opener func(ctx context.Context) (store.Store, error)

// line is a connection to a store that may fail in any way. It opens the store
// when that is needed, bounds every call in time, and closes a store only when
// no call is under way. A line is for one goroutine.
type line struct {
	open  Opener
	slow  func() // told when a call takes long; nil for nobody
	guard guard
	store store.Store // nil while it is not open
}

func newLine(open Opener) line {
	return line{open: open, guard: guard{grace: grace}}
}

// ask opens the store if it is not open, and asks it something. A store that was
// replaced, as a restore does, is opened again and asked once more. After an error
// the caller decides whether the store is worth keeping, see [line.drop].
func ask[T any](ctx context.Context, l *line, limit time.Duration, question func(context.Context, store.Store) (T, error)) (T, error) {
	answer, err := askOnce(ctx, l, limit, question)
	if errors.Is(err, store.ErrReplaced) {
		l.drop(ctx)
		return askOnce(ctx, l, limit, question)
	}
	return answer, err
}

func askOnce[T any](ctx context.Context, l *line, limit time.Duration, question func(context.Context, store.Store) (T, error)) (T, error) {
	var none T
	if err := l.connect(ctx); err != nil {
		return none, fmt.Errorf("open the store: %w", err)
	}
	asked := l.store
	answer, err := run(ctx, &l.guard, call[T]{
		limit:    limit,
		do:       func(ctx context.Context) (T, error) { return question(ctx, asked) },
		late:     func(T) { asked.Close() }, // there is nobody left to tell of an error
		slow:     l.slow,
		patience: patience,
	})
	if l.guard.stuck != nil {
		l.store = nil // closed when the call comes back
	}
	return answer, err
}

func (l *line) connect(ctx context.Context) error {
	if l.store != nil {
		return nil
	}
	opened, err := run(ctx, &l.guard, call[store.Store]{
		limit: openLimit,
		do:    l.open,
		late: func(s store.Store) {
			if s != nil {
				s.Close()
			}
		},
		slow:     l.slow,
		patience: patience,
	})
	if err != nil {
		return err
	}
	if opened == nil {
		return errors.New("there is none")
	}
	l.store = opened
	return nil
}

// drop closes the store, if it is open: the next question opens it anew. It
// does so also when ctx is done.
func (l *line) drop(ctx context.Context) {
	if l.store == nil {
		return
	}
	dropped := l.store
	l.store = nil
	// The store is given up for a reason that was reported; that it does not even
	// close says nothing new.
	_, _ = run(context.WithoutCancel(ctx), &l.guard, call[struct{}]{
		limit: closeLimit,
		do:    func(context.Context) (struct{}, error) { return struct{}{}, dropped.Close() },
	})
}
