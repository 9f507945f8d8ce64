// Package publish turns a catalogue directory that has been read into the next
// revision of a store, or says why it does not.
//
// It knows stores and directories; it must not know who serves, how often a
// directory is looked at, or how an outcome is shown. It keeps no state: its
// functions are safe for concurrent use where the store is.
package publish

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vitrine/internal/bundle"
	"vitrine/internal/store"
)

// attempts bounds how often a publish that lost to another one is tried again.
const attempts = 5

// Store is what publishing needs of a store.
type Store interface {
	Head(ctx context.Context) (store.Revision, error)
	Publish(ctx context.Context, base int64, d store.Draft) (store.Revision, error)
}

// Note goes with a publish into the revision.
type Note struct {
	At      time.Time
	Message string
}

// Outcome says what came of a publish that was not refused.
type Outcome struct {
	// Revision is the new one or, if nothing was published, the head.
	Revision store.Revision
	// Published is false when the directory is the one that was imported last.
	Published bool
}

// RefusedError says that a directory has errors and was not published.
type RefusedError struct {
	Errors, Warnings int
	Problems         []bundle.Problem // all of them, in the directory's order
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("the catalogue directory is broken (errors: %d, warnings: %d)", e.Errors, e.Warnings)
}

// Directory publishes dir unless its digest is that of the directory which was
// imported last (contract, section 5), so that neither a rollback nor a sync
// is undone by looking at the same directory again. A directory with errors is
// refused with a [*RefusedError]; any other error is the store's.
func Directory(ctx context.Context, s Store, dir *bundle.Directory, note Note) (Outcome, error) {
	if err := refuse(dir); err != nil {
		return Outcome{}, err
	}
	for range attempts {
		head, err := s.Head(ctx)
		if err != nil && !errors.Is(err, store.ErrEmpty) {
			return Outcome{}, err
		}
		if err == nil && head.Digest == dir.Digest {
			return Outcome{Revision: head}, nil
		}
		rev, err := s.Publish(ctx, head.Number, draft(dir, note))
		if err == nil {
			return Outcome{Revision: rev, Published: true}, nil
		}
		if !errors.Is(err, store.ErrConflict) {
			return Outcome{}, err
		}
		// Somebody was faster, perhaps with this very directory: look again.
	}
	return Outcome{}, store.ErrConflict
}

// First publishes dir if the store is empty; if it is not, the outcome is its
// head. So a demonstration fills a new store and never touches one that is
// used. Errors are those of [Directory].
func First(ctx context.Context, s Store, dir *bundle.Directory, note Note) (Outcome, error) {
	if err := refuse(dir); err != nil {
		return Outcome{}, err
	}
	rev, err := s.Publish(ctx, 0, draft(dir, note))
	if err == nil {
		return Outcome{Revision: rev, Published: true}, nil
	}
	if !errors.Is(err, store.ErrConflict) {
		return Outcome{}, err
	}
	head, err := s.Head(ctx)
	return Outcome{Revision: head}, err
}

func refuse(dir *bundle.Directory) error {
	if n := dir.Errors(); n > 0 {
		return &RefusedError{Errors: n, Warnings: dir.Warnings(), Problems: dir.Problems}
	}
	return nil
}

func draft(dir *bundle.Directory, note Note) store.Draft {
	return store.Draft{Catalog: dir.Catalog, PublishedAt: note.At, Digest: dir.Digest, Message: note.Message}
}
