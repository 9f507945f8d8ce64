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
	"fmt"
	"time"

	"vitrine/internal/bundle"
	"vitrine/internal/contain"
	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// attempts bounds how often a publish that lost to another one is tried again.
const attempts = 5

// Store is what publishing needs of a store.
type Store interface {
	Head(ctx context.Context) (store.Revision, error)
	Load(ctx context.Context, number int64) (*store.State, error)
	Versions(ctx context.Context, kind domain.Kind, key string, until int64) ([]store.Version, error)
	History(ctx context.Context, limit int) ([]store.Revision, error)
	Retracted(ctx context.Context, yield func(store.Retraction) error) error
	Released(ctx context.Context) ([]store.Release, error)
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
	Changes []domain.Change
	// Notes are those of the plan that was published; see [Plan].
	Notes []string
	// Warnings are those of the [Plan] that was published.
	Warnings []string
}

// Directory publishes dir if readers would notice a difference to what is
// served. What the gate holds, such as what would undo a rollback, is not
// published: the error is a [*HeldError]. When somebody else publishes
// meanwhile, it looks again. A directory with errors is refused with a
// [*RefusedError]; any other error is the store's, or a [*contain.Error].
func Directory(ctx context.Context, s Store, dir *bundle.Directory, from From, note Note) (Outcome, error) {
	if err := refuse(dir); err != nil {
		return Outcome{}, err
	}
	for range attempts {
		outcome, err := directory(ctx, s, dir, from, note)
		if !errors.Is(err, store.ErrConflict) {
			return outcome, err
		}
		// Somebody was faster, perhaps with this very directory.
	}
	return Outcome{}, store.ErrConflict
}

func directory(ctx context.Context, s Store, dir *bundle.Directory, from From, note Note) (_ Outcome, err error) {
	defer contain.Panic(&err, publishing)
	head, err := s.Head(ctx)
	if err != nil && !errors.Is(err, store.ErrEmpty) {
		return Outcome{}, err
	}
	if err == nil && head.Op == store.OpImport && head.Digest == dir.Digest {
		return Outcome{Revision: head}, nil // it is what was published last
	}
	plan, err := Import(ctx, s, dir, from)
	if err != nil {
		return Outcome{}, err
	}
	return plan.Publish(ctx, s, note)
}

// publishing is what is said of a panic.
func publishing(cause string) string {
	return fmt.Sprintf("publishing failed (%s), which is a fault of vitrine; please report it", cause)
}

// Counts are what changed of the records of a kind. A list whose order changed
// is a change.
type Counts struct {
	Kind                    domain.Kind
	Added, Changed, Removed int
}

// Count counts changes by kind, for the kinds that have any, in the order of the
// changes, which is by kind.
func Count(changes []domain.Change) []Counts {
	var all []Counts
	for _, c := range changes {
		if len(all) == 0 || all[len(all)-1].Kind != c.Kind {
			all = append(all, Counts{Kind: c.Kind})
		}
		switch last := &all[len(all)-1]; c.Op {
		case domain.Added:
			last.Added++
		case domain.Removed:
			last.Removed++
		default:
			last.Changed++
		}
	}
	return all
}
