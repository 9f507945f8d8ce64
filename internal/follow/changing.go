package follow

import (
	"context"
	"errors"
	"time"

	"vitrine/internal/bundle"
	"vitrine/internal/store"
)

// maxInterruptions is the number of consecutive failed attempts after which a directory that
// keeps changing is published as it was read. An attempt fails if the check finds a
// change, or if a change interrupts the reading or the publish.
const maxInterruptions = 10

// busyLooks is the number of consecutive looks that find a change for the same: about as long, since
// these looks follow each other at half the interval.
const busyLooks = 2 * maxInterruptions

// overdue reports whether the directory has been changing for too long to wait longer.
func (w *Watcher) overdue() bool { return w.busy >= busyLooks || w.late >= maxInterruptions }

// headNumber returns the number of the newest revision, 0 for an empty store.
func (w *Watcher) headNumber(ctx context.Context) (int64, error) {
	head, err := do(ctx, &w.conn, publishLimit, func(ctx context.Context, s store.Store) (store.Revision, error) { return s.Head(ctx) })
	if errors.Is(err, store.ErrEmpty) {
		err = nil
	}
	return head.Number, err
}

// interrupted counts an attempt that a change interrupted.
func (w *Watcher) interrupted(err error) {
	if errors.Is(err, bundle.ErrChanging) || errors.Is(err, errChanged) {
		w.late++
	}
}

// outrun records whether the directory changed during its publish. It logs the start and end of
// that state.
func (w *Watcher) outrun(revision int64) {
	now, err := fingerprint(w.config.Dir)
	if err != nil {
		return // the next look reports it
	}
	if now == w.readAt {
		w.caughtUp(revision)
		return
	}
	news := w.changing.String() == ""
	w.changing.set("it changes faster than it can be published: the published state is complete but already outdated; publishing continues")
	if news {
		w.config.Log.Warn("the catalogue directory keeps changing; an earlier state of it was published", "dir", w.config.Dir,
			"revision", revision, "attempts", maxInterruptions, "looked_every", w.config.Every.Round(time.Millisecond))
	}
}

// caughtUp records that the present state of the directory is published.
func (w *Watcher) caughtUp(revision int64) {
	if w.changing.clear() {
		w.config.Log.Info("the published catalogue matches the directory again", "dir", w.config.Dir, "revision", revision)
	}
}
