package follow

import (
	"context"
	"errors"
	"slices"

	"vitrine/internal/store"
)

// farBehind is how many revisions the head may be ahead of what is served
// before all is loaded, rather than what changed.
const farBehind = 10_000

// load returns the state of the store's head, which was seen to be head: what
// is served brought up to date, or all of it where there is nothing to start
// from.
func (f *Follower) load(ctx context.Context, head store.Revision) (*store.State, error) {
	if f.state == nil || head.Number <= f.state.Revision.Number || head.Number-f.state.Revision.Number > farBehind {
		return f.loadAll(ctx)
	}
	since := f.state.Revision.Number
	changes, err := ask(ctx, &f.line, loadLimit, func(ctx context.Context, s store.Store) (*store.Changes, error) {
		return s.Changes(ctx, since)
	})
	if errors.Is(err, store.ErrNoRevision) {
		return f.loadAll(ctx) // pruned, or never there
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
		return f.loadAll(ctx) // which says what is wrong, if it is the store
	}
	return state, nil
}

func (f *Follower) loadAll(ctx context.Context) (*store.State, error) {
	return ask(ctx, &f.line, loadLimit, func(ctx context.Context, s store.Store) (*store.State, error) {
		return s.Load(ctx, 0)
	})
}

// follows reports whether the store still has the revision that is served, so
// that changes since its number are changes of what is served. Another store in
// its place, or an older copy of it that went on from there, may have the
// number, and would be mixed with what is in memory. It is asked after the
// changes were read, so that a replacement between the two is noticed.
func (f *Follower) follows(ctx context.Context, to store.Revision) (bool, error) {
	const margin = 16 // for revisions that are published meanwhile
	limit := int(to.Number-f.state.Revision.Number) + 1 + margin
	revisions, err := ask(ctx, &f.line, loadLimit, func(ctx context.Context, s store.Store) ([]store.Revision, error) {
		return s.History(ctx, limit)
	})
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(revisions, func(r store.Revision) bool { return same(r, f.state.Revision) }), nil
}
