// Package publish turns a catalogue directory, or the editors' layer of an old revision,
// into the next revision of a store, or returns why it does not.
//
// It knows stores and directories, not servers, watchers or the display of outcomes. It
// keeps no state: its functions are safe for concurrent use if the store is.
package publish

import (
	"context"
	"errors"
	"fmt"

	"vitrine/internal/bundle"
	"vitrine/internal/contain"
	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// attempts bounds the attempts of a publish that conflicts with others.
const attempts = 5

// Outcome is the result of a publish that was not refused.
type Outcome struct {
	Revision  store.Revision // the new one or, if nothing was published, the head
	Published bool           // false if there was nothing to publish
	Changes   []domain.Change
	Notes     []string        // see [Plan]
	Warnings  []string        // see [Plan]
	Findings  []string        // of the gate that only warn; see [Plan.Warned]
	Serves    *domain.Catalog // see [Plan]; nil if nothing was published
}

// Directory publishes dir if it changes what is served. note has the time, actor and message of the
// revision; the rest of it is set. If the gate holds it, the error is
// a [*HeldError]; if dir has errors, a [*RefusedError]; any other error is the store's, or a
// [*contain.Error]. If another process publishes at the same time, Directory plans again, a
// few times.
func Directory(ctx context.Context, s store.Store, dir *bundle.Directory, from From, note store.Note) (Outcome, error) {
	if err := refuse(dir); err != nil {
		return Outcome{}, err
	}
	return again(func() (Outcome, error) { return directory(ctx, s, dir, from, note) })
}

// again repeats a publish while another process publishes first, a few times.
func again(publish func() (Outcome, error)) (Outcome, error) {
	for range attempts {
		outcome, err := publish()
		if !errors.Is(err, store.ErrConflict) {
			return outcome, err
		}
	}
	return Outcome{}, store.ErrConflict
}

func directory(ctx context.Context, s store.Store, dir *bundle.Directory, from From, note store.Note) (_ Outcome, err error) {
	defer contain.Panic(&err, publishing)
	head, err := s.Head(ctx)
	if err != nil && !errors.Is(err, store.ErrEmpty) {
		return Outcome{}, err
	}
	if err == nil && head.Op == store.OpImport && head.Digest == dir.Digest {
		return Outcome{Revision: head}, nil // unchanged
	}
	plan, err := Import(ctx, s, dir, from)
	if err != nil {
		return Outcome{}, err
	}
	return plan.Publish(ctx, s, note)
}

// publishing is the message for a panic.
func publishing(cause string) string {
	return fmt.Sprintf("publishing failed (%s), which is a fault of vitrine; please report it", cause)
}

// Counts are the numbers of changed records of a kind. A changed order of a list counts as
// a change.
type Counts struct {
	Kind                    domain.Kind
	Added, Changed, Removed int
}

// Count counts changes, which are ordered by kind. Kinds without changes are left out.
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
