package follow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"vitrine/internal/bundle"
	"vitrine/internal/contain"
	"vitrine/internal/domain"
	"vitrine/internal/publish"
	"vitrine/internal/store"
)

// mostNotes is the maximum number of notes of a publish in the log.
const mostNotes = 10

// WatcherConfig configures a [Watcher]. Fields are required unless they say otherwise.
type WatcherConfig struct {
	Dir string
	// Open opens the store, and creates it if it does not exist. The watcher closes it after each
	// publish.
	Open    Opener
	Every   time.Duration // interval of looks at the directory
	Log     *slog.Logger
	Metrics *Metrics
	// Actor is the actor of revisions; "" for the author of the commit of Dir, else User.
	Actor, User string
	// Command is the command that publishes Dir manually, without --accept.
	Command string
	// Publisher identifies the publisher in revisions (see [store.Revision]).
	Publisher string
}

// Watcher publishes a catalogue directory at its start and after each change. A broken, missing or
// held directory is reported once per change and leaves the store unchanged. Run must be called
// once.
type Watcher struct {
	config   WatcherConfig
	failure  failure
	held     atomic.Pointer[Held] // nil if the gate holds nothing
	rival    failure              // another directory is published to the same store
	changing failure              // it changes faster than it can be published
	events   eventLog

	// Set by the follower of the same store, if any:
	follower atomic.Pointer[servedBy]
	again    atomic.Bool                    // the store was lost: publish an unchanged directory too
	served   atomic.Pointer[store.Revision] // a newly served revision from any publisher; nil for none
	// positions are those of the last directory that is served, if its pages link to them; else nil.
	positions atomic.Pointer[bundle.Positions]

	// Used only by Run:
	conn    connection[store.Store]
	backoff backoff

	// Fingerprints:
	last string // of the last look
	done string // published, already in the store, or rejected
	busy int    // consecutive looks that found a change
	late int    // consecutive readings and publishes that a change interrupted
	// planned was processed before. It is only planned again to see whether the gate holds it now.
	planned string

	begun  bool  // the directory was processed once
	behind int64 // the older revision that it equalled at the start, 0 for none

	// decoded are the records of the last directory that is served, nil for none; since is the revision
	// that has them.
	decoded *bundle.Decoded
	since   int64

	uncommitted string // why the commit was unknown at the last reading, "" if it was known

	// waiting was read at the fingerprint readAt but not stored yet; nil for none.
	waiting *bundle.Directory
	readAt  string
	// pinned is the head before waiting was read, if waiting is to be published although the
	// directory changes; -1 otherwise.
	pinned int64
}

// NewWatcher returns a watcher that has not looked yet.
func NewWatcher(config WatcherConfig) *Watcher {
	return &Watcher{
		config:  config,
		conn:    newConnection[store.Store](config.Open),
		backoff: backoff{usual: config.Every},
	}
}

// Run watches the directory until ctx is done. Then it returns within seconds, even if calls hang.
func (w *Watcher) Run(ctx context.Context) {
	// The first look has no earlier one to compare with. Waiting for a second look would delay the
	// start.
	w.last, _ = fingerprint(w.config.Dir)
	repeat(ctx, nil, w.look)
}

// look publishes the directory if necessary, and returns the pause before the next look.
func (w *Watcher) look(ctx context.Context) time.Duration {
	if w.again.Swap(false) {
		w.done, w.planned = "", ""
	}
	if news := w.served.Swap(nil); news != nil {
		w.reconsider(*news)
	}
	w.remember()
	w.watch(ctx)
	w.logEdits()
	if w.waiting != nil {
		return w.backoff.failed() // the store failed
	}
	usual := w.backoff.well()
	if w.busy > 0 && !w.overdue() { // the sooner the next look confirms that it is complete, the sooner it is served
		return usual / 2
	}
	return usual
}

func (w *Watcher) watch(ctx context.Context) {
	now, err := fingerprint(w.config.Dir)
	if err != nil {
		w.last, w.done = "", "" // a restored directory counts as new
		var remedy []any
		if errors.Is(err, fs.ErrNotExist) {
			remedy = []any{"remedy", "check --catalog; the directory is published once it exists"}
		}
		w.failed(ctx, err, remedy...)
		return
	}
	w.busy++
	if now == w.last {
		w.busy = 0
	}
	w.last = now
	if w.quiet() && now != w.done {
		w.readAndPublish(ctx, now)
	}
}

// quiet reports whether to read the directory now: it has not changed since the last look. A
// directory that keeps changing is read anyway after a while, and the reading detects changes.
func (w *Watcher) quiet() bool { return w.busy == 0 || w.overdue() }

func (w *Watcher) readAndPublish(ctx context.Context, now string) {
	if w.waiting == nil || w.readAt != now {
		w.pinned = -1
		if w.overdue() {
			head, err := w.headNumber(ctx)
			w.conn.drop(ctx)
			if err != nil {
				w.failed(ctx, fmt.Errorf("publish %s: %s", w.config.Dir, describe(err)), stackOf(err)...)
				return
			}
			w.pinned = head
		}
		dir, err := bundle.ReadSettled(ctx, w.config.Dir, bundle.Options{Today: domain.DateOf(time.Now()), Decoded: w.decoded})
		if err != nil {
			w.interrupted(err)
			w.failed(ctx, err)
			return
		}
		if dir.Fingerprint != now && !w.overdue() {
			return // it changed before the reading; the next look checks again
		}
		w.waiting, w.readAt = dir, dir.Fingerprint
		w.events.read(dir)
		w.commitUnknown(dir.CommitProblem)
	}
	w.publish(ctx)
}

func (w *Watcher) publish(ctx context.Context) {
	dir, at := w.waiting, w.readAt
	to := unlessChanged{dir: w.config.Dir, at: at, planOnly: at == w.planned, pinned: w.pinned}
	from := publish.From{Publisher: w.config.Publisher, Starting: !w.begun || w.behind != 0 && w.held.Load().is(at), Behind: w.behind}
	note := store.Note{At: time.Now(), Message: cmp.Or(dir.Commit.Subject, "import of "+w.config.Dir), Actor: cmp.Or(w.config.Actor, dir.Commit.Author, w.config.User)}
	outcome, err := do(ctx, &w.conn, publishLimit, func(ctx context.Context, s store.Store) (publish.Outcome, error) {
		to := to // the question may be asked again
		to.Store = remembered{s, w.state}
		return publish.Directory(ctx, to, dir, from, note)
	})
	if !errors.Is(err, errChanged) {
		w.late = 0
	}
	opened := w.conn.store != nil
	w.conn.drop(ctx)
	var refused *publish.RefusedError
	var held *publish.HeldError
	var panicked *contain.Error
	switch {
	case errors.As(err, &refused):
		w.refused(refused)
	case errors.As(err, &held):
		w.holds(held)
	case opened && errors.As(err, &panicked): // the publish panicked, and would panic again without a change
		w.failed(ctx, panicked)
	case errors.Is(err, errPlanned): // the gate does not hold it, and it needs no publish
		w.released()
	case errors.Is(err, errChanged):
		w.waiting = nil // the next look reads the directory again
		w.interrupted(err)
		return
	case err != nil:
		w.failed(ctx, fmt.Errorf("publish %s: %s", w.config.Dir, describe(err)), stackOf(err)...)
		return // the next look tries again
	default:
		w.place(dir)
		w.succeeded(outcome)
		w.decoded, w.since = dir.Decoded(), outcome.Revision.Number
		if w.pinned < 0 {
			w.caughtUp(outcome.Revision.Number)
		} else {
			w.outrun(outcome.Revision.Number)
		}
	}
	w.done, w.waiting, w.begun = w.readAt, nil, true
}

// remember takes the records of the last directory from the served state, so that reading the next one
// only decodes what changed.
func (w *Watcher) remember() {
	if w.decoded == nil {
		return
	}
	start := time.Now()
	if served := w.state(); served != nil && served.Revision.Number >= w.since {
		w.decoded = w.decoded.In(served.Editors())
	}
	releaseMemory(time.Since(start))
}

// errPlanned reports that a directory could be published but was only planned.
var errPlanned = errors.New("the directory was only planned")

// errChanged reports that a directory changed after it was read.
var errChanged = errors.New("the directory has changed since it was read")

// unlessChanged is a store that publishes only while dir has the fingerprint at, and never if the
// directory is only planned. So an old reading cannot replace a newer one that is imported in
// between: an import after the reading makes the publish a conflict, because the base was read
// before this check; before an earlier import the directory had changed, which this check sees.
// With pinned the directory may have changed; then it publishes only on the head from before the
// reading, so that no import was in between.
type unlessChanged struct {
	store.Store
	dir, at  string
	planOnly bool
	pinned   int64 // -1 for none
}

func (u unlessChanged) Publish(ctx context.Context, base int64, d store.Draft) (store.Revision, error) {
	if u.planOnly {
		return store.Revision{}, errPlanned
	}
	if u.pinned >= 0 {
		if base != u.pinned {
			return store.Revision{}, errChanged
		}
		return u.Store.Publish(ctx, base, d)
	}
	if now, err := fingerprint(u.dir); err != nil || now != u.at {
		return store.Revision{}, errChanged // the next look reports the error
	}
	return u.Store.Publish(ctx, base, d)
}

// place keeps the positions of the records of a directory that is served, and wakes the follower, if
// its pages link to them.
func (w *Watcher) place(dir *bundle.Directory) {
	var now *bundle.Positions
	if dir.Catalog.EditURL != "" {
		now = dir.Positions()
	}
	if before := w.positions.Swap(now); before != now { // not both nil
		w.wake()
	}
}

// wake makes the follower, if any, look at the store.
func (w *Watcher) wake() {
	if f := w.follower.Load(); f != nil {
		f.wake()
	}
}

// servedBy has what a watcher needs of its follower.
type servedBy struct {
	wake  func()              // makes it look at the store
	state func() *store.State // returns the served state, nil for none
}

// state returns the served state, nil for none.
func (w *Watcher) state() *store.State {
	if f := w.follower.Load(); f != nil {
		return f.state()
	}
	return nil
}

func (w *Watcher) succeeded(outcome publish.Outcome) {
	released := w.released()
	w.behind = 0
	recovered := w.failure.clear() || released
	w.config.Metrics.broken.set(false)
	switch {
	case outcome.Published:
		w.warns(outcome.Warnings)
		w.config.Metrics.publishes.ok.Inc()
		w.events.add(Event{Result: Published, Revision: outcome.Revision.Number})
		w.config.Log.Info("published the catalogue directory", slices.Concat(
			[]any{"dir", w.config.Dir, "revision", outcome.Revision.Number, "warnings", w.waiting.Warnings()},
			origin(outcome.Revision), counts(outcome))...)
		if len(outcome.Findings) > 0 {
			w.config.Log.Warn("published a change that may be a mistake", "dir", w.config.Dir,
				"revision", outcome.Revision.Number, "count", len(outcome.Findings), "findings", outcome.Findings[:min(len(outcome.Findings), mostNotes)])
		}
		if len(outcome.Notes) > 0 {
			w.config.Log.Warn("records took over ids or addresses", "dir", w.config.Dir,
				"revision", outcome.Revision.Number, "count", len(outcome.Notes), "notes", outcome.Notes[:min(len(outcome.Notes), mostNotes)])
		}
		w.wake()
	case recovered:
		w.config.Log.Info("the catalogue directory is unchanged since its last import", "dir", w.config.Dir)
	}
}

// refused logs each change of a broken directory, so that an editor sees the remaining errors
// after each correction.
func (w *Watcher) refused(err *publish.RefusedError) {
	first := firstProblem(err.Problems)
	w.released() // the held directory no longer exists
	w.failure.set(fmt.Sprintf("%v; the first is %s", err, first))
	w.config.Metrics.broken.set(true)
	w.config.Metrics.publishes.failed.Inc()
	w.events.add(Event{Result: Broken, Reasons: []string{w.failure.String()}})
	w.config.Log.Error("the catalogue directory is broken; the store is unchanged", "dir", w.config.Dir,
		"errors", err.Errors, "warnings", err.Warnings, "rules", err.Found.ByRule(domain.Error), "first", first,
		"remedy", "run vitrine check "+w.config.Dir)
}

// firstProblem returns the text of the first error. `vitrine check` lists all.
func firstProblem(problems []bundle.Problem) string {
	i := slices.IndexFunc(problems, func(p bundle.Problem) bool { return p.Severity == domain.Error })
	if i < 0 {
		return ""
	}
	return problems[i].String()
}

// failed logs an error of reading or publishing the directory when it changes. more are further
// log attributes.
func (w *Watcher) failed(ctx context.Context, err error, more ...any) {
	if ctx.Err() != nil {
		return // a shutdown is not a failure
	}
	w.config.Metrics.broken.set(true)
	if w.failure.set(err.Error()) {
		w.config.Metrics.publishes.failed.Inc()
		w.events.add(Event{Result: Failed, Reasons: []string{err.Error()}})
		w.config.Log.Error("the catalogue directory cannot be published; the store is unchanged",
			append([]any{"dir", w.config.Dir, "error", err}, more...)...)
	}
}

// commitUnknown logs when the reason of an unknown commit changes. The directory is published
// without a commit.
func (w *Watcher) commitUnknown(err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	if text != "" && text != w.uncommitted {
		w.config.Log.Warn("the commit of the catalogue directory is unknown", "dir", w.config.Dir, "error", text)
	}
	w.uncommitted = text
}

func fingerprint(dir string) (string, error) {
	fsys, closeDir, err := bundle.Open(dir)
	if err != nil {
		return "", err
	}
	defer closeDir()
	return bundle.Fingerprint(fsys)
}
