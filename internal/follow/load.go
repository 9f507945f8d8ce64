package follow

import (
	"context"
	"errors"
	"slices"

	"vitrine/internal/changelog"
	"vitrine/internal/distribution"
	"vitrine/internal/history"
	"vitrine/internal/store"
)

// farBehind is how many revisions the head may be ahead before everything is loaded instead of the
// changes.
const farBehind = 10_000

// loaded is a state of a store and the log of the changes up to it. Both are nil for none. If the log of a
// distribution cannot be read, log begins with the state, and fault is the error.
type loaded struct {
	state *store.State
	log   *changelog.Log
	fault error
}

// load returns the state of the head of a store, with its log, from those of an earlier revision.
func load(ctx context.Context, s Source, known loaded) (loaded, error) {
	state, err := current(ctx, s, known.state)
	if err != nil {
		return loaded{}, err
	}
	return withChanges(ctx, s, known.log, state)
}

// logged is a source that is not a store and has a log of changes. Its log of the revision that was
// loaded last is nil if there is none.
type logged interface {
	ChangeLog(ctx context.Context, revision int64) (*changelog.Log, error)
}

// withChanges returns a state and the log up to it. known is nil or an earlier log.
func withChanges(ctx context.Context, s Source, known *changelog.Log, state *store.State) (loaded, error) {
	switch s := s.(type) {
	case store.Store:
		log, err := history.Changes(ctx, s, known, state)
		return loaded{state: state, log: log}, err
	case logged:
		log, err := s.ChangeLog(ctx, state.Revision.Number)
		if errors.Is(err, distribution.ErrLog) {
			first := changelog.Revision{Number: state.Revision.Number, PublishedAt: state.Revision.PublishedAt}
			return loaded{state, changelog.New(first), err}, nil
		}
		return loaded{state: state, log: log}, err
	}
	return loaded{state: state}, nil
}

// current returns the state of the head of a store: known with the changes since, or the whole
// state if known is nil or the store no longer has its revision. The cost is proportional to the
// changes.
func current(ctx context.Context, s Source, known *store.State) (*store.State, error) {
	if known == nil {
		return s.Load(ctx, 0)
	}
	head, err := s.Head(ctx)
	if err != nil {
		return nil, err
	}
	if same(known.Revision, head) {
		return known, nil
	}
	since := known.Revision.Number
	if head.Number <= since || head.Number-since > farBehind {
		return s.Load(ctx, 0)
	}
	changes, err := s.Changes(ctx, since)
	if errors.Is(err, store.ErrNoRevision) {
		return s.Load(ctx, 0) // the known revision was pruned or replaced
	}
	if err != nil {
		return nil, err
	}
	follows, err := follows(ctx, s, known.Revision, changes.Revision)
	if err != nil {
		return nil, err
	}
	if !follows {
		return s.Load(ctx, 0)
	}
	state, err := known.Apply(changes)
	if err != nil {
		return s.Load(ctx, 0) // reports an error of the store
	}
	return state, nil
}

// follows reports whether the store still has a revision, so that the changes since its number
// apply. Another store, or a restored copy that continued from an older revision, may have another
// revision of that number. It runs after the changes were read, so that it notices a replacement
// in between.
func follows(ctx context.Context, s Source, from, to store.Revision) (bool, error) {
	const margin = 16 // for revisions published in between
	revisions, err := s.History(ctx, int(to.Number-from.Number)+1+margin)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(revisions, func(r store.Revision) bool { return same(r, from) }), nil
}

// remembered is a store that loads its head from the served state, so that a publish reads only the
// changes since. Other calls go to the store.
type remembered struct {
	store.Store
	served func() *store.State // returns nil for none; nil if nothing is served
}

// Load implements [store.Store].
func (r remembered) Load(ctx context.Context, number int64) (*store.State, error) {
	if number != 0 || r.served == nil {
		return r.Store.Load(ctx, number)
	}
	return current(ctx, r.Store, r.served())
}
