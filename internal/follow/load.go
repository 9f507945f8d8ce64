package follow

import (
	"context"
	"errors"
	"slices"

	"vitrine/internal/store"
)

// farBehind is how many revisions the head may be ahead before everything is loaded instead of the
// changes.
const farBehind = 10_000

// load returns the state of the head: the served state with the changes since, or the whole state.
func (f *Follower) load(ctx context.Context, head store.Revision) (*store.State, error) {
	if f.state == nil || head.Number <= f.state.Revision.Number || head.Number-f.state.Revision.Number > farBehind {
		return f.loadAll(ctx)
	}
	since := f.state.Revision.Number
	changes, err := ask(ctx, &f.line, loadLimit, func(ctx context.Context, s store.Store) (*store.Changes, error) {
		return s.Changes(ctx, since)
	})
	if errors.Is(err, store.ErrNoRevision) {
		return f.loadAll(ctx) // the served revision was pruned or replaced
	}
	if err != nil {
		return nil, err
	}
	follows, err := f.follows(ctx, changes.Revision)
	if err != nil {
		return nil, err
	}
	if !follows {
		return f.loadAll(ctx)
	}
	state, err := f.state.Apply(changes)
	if err != nil {
		return f.loadAll(ctx) // reports an error of the store
	}
	return state, nil
}

func (f *Follower) loadAll(ctx context.Context) (*store.State, error) {
	return ask(ctx, &f.line, loadLimit, func(ctx context.Context, s store.Store) (*store.State, error) {
		return s.Load(ctx, 0)
	})
}

// follows reports whether the store still has the served revision, so that the changes since its
// number apply. Another store, or a restored copy that continued from an older revision, may have
// another revision of that number. It runs after the changes were read, so that it notices a
// replacement in between.
func (f *Follower) follows(ctx context.Context, to store.Revision) (bool, error) {
	const margin = 16 // for revisions published in between
	limit := int(to.Number-f.state.Revision.Number) + 1 + margin
	revisions, err := ask(ctx, &f.line, loadLimit, func(ctx context.Context, s store.Store) ([]store.Revision, error) {
		return s.History(ctx, limit)
	})
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(revisions, func(r store.Revision) bool { return same(r, f.state.Revision) }), nil
}
