// Package publish turns a catalogue directory that has been read, or the
// editors' layer of an old revision, into the next revision of a store, or
// says why it does not.
//
// It knows stores and directories; it must not know who serves, how often a
// directory is looked at, or how an outcome is shown. It keeps no state: its
// functions are safe for concurrent use where the store is.
package publish

import (
	"context"
	"errors"
	"time"

	"vitrine/internal/bundle"
	"vitrine/internal/catalog"
	"vitrine/internal/store"
)

// attempts bounds how often a publish that lost to another one is tried again.
const attempts = 5

// Store is what publishing needs of a store.
type Store interface {
	Head(ctx context.Context) (store.Revision, error)
	Load(ctx context.Context, number int64) (*store.State, error)
	History(ctx context.Context, limit int) ([]store.Revision, error)
	Publish(ctx context.Context, base int64, d store.Draft) (store.Revision, error)
}

// Note goes with a publish into the revision.
type Note struct {
	At      time.Time
	Actor   string // "" when not known
	Message string
}

// Outcome says what came of a publish that was not refused.
type Outcome struct {
	// Revision is the new one or, if nothing was published, the head.
	Revision store.Revision
	// Published is false when there was nothing to publish.
	Published bool
	// Changes is what the revision changed in what is served.
	Changes []catalog.Change
}

// Directory publishes dir if it differs from the directory that was imported
// last (contract, section 5) and from what is served, so that neither a
// rollback nor a sync is undone by looking at the same directory again, nor by
// one that says the same in other words. When somebody else publishes
// meanwhile, it looks again. A directory with errors is refused with a
// [*RefusedError]; any other error is the store's.
func Directory(ctx context.Context, s Store, dir *bundle.Directory, note Note) (Outcome, error) {
	if err := refuse(dir); err != nil {
		return Outcome{}, err
	}
	for range attempts {
		outcome, err := directory(ctx, s, dir, note)
		if !errors.Is(err, store.ErrConflict) {
			return outcome, err
		}
		// Somebody was faster, perhaps with this very directory.
	}
	return Outcome{}, store.ErrConflict
}

func directory(ctx context.Context, s Store, dir *bundle.Directory, note Note) (Outcome, error) {
	head, err := s.Head(ctx)
	if err != nil && !errors.Is(err, store.ErrEmpty) {
		return Outcome{}, err
	}
	if err == nil && head.Digest == dir.Digest {
		return Outcome{Revision: head}, nil
	}
	plan, err := Import(ctx, s, dir)
	if err != nil {
		return Outcome{}, err
	}
	if len(plan.Changes) > 0 {
		same, err := plan.saysWhatWasImported(ctx, s)
		if err != nil {
			return Outcome{}, err
		}
		if same {
			return Outcome{Revision: plan.Head}, nil
		}
	}
	return plan.Publish(ctx, s, note)
}

// First publishes dir if the store is empty; if it is not, the outcome is its
// head. So a demonstration fills a new store and never touches one that is
// used. Errors are those of [Directory].
func First(ctx context.Context, s Store, dir *bundle.Directory, note Note) (Outcome, error) {
	if err := refuse(dir); err != nil {
		return Outcome{}, err
	}
	outcome, err := newPlan(store.Revision{}, nil, nil, importOf(dir)).Publish(ctx, s, note)
	if !errors.Is(err, store.ErrConflict) {
		return outcome, err
	}
	head, err := s.Head(ctx)
	return Outcome{Revision: head}, err
}
