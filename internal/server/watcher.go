package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"vitrine/internal/bundle"
	"vitrine/internal/catalog"
	"vitrine/internal/publish"
	"vitrine/internal/store"
)

// logged bounds how many problems of a broken directory go into the log; all
// of them are what `vitrine check` is for.
const logged = 20

// restless is how many looks in a row may find the directory changed before it
// is read nevertheless.
const restless = 10

// WatcherConfig says what a [Watcher] watches. All fields are needed.
type WatcherConfig struct {
	Dir string
	// Open opens the store, and makes one where there is none. It is closed as
	// soon as there is nothing more to publish.
	Open      Opener
	Every     time.Duration // how often the directory is looked at
	Log       *slog.Logger
	Metrics   *Metrics
	Published func() // called after a publish
}

// Watcher publishes a catalogue directory when it starts and whenever the
// directory changes. A broken directory, or one that is gone, is reported once
// per change and leaves what the store holds. Run is to be called once; Again is
// safe for concurrent use.
type Watcher struct {
	config  WatcherConfig
	trouble trouble
	again   atomic.Bool

	// Touched by Run alone:
	line   line
	pauses pauses

	// Fingerprints:
	last string // of the last look
	done string // what was published, found to be published already, or refused
	busy int    // looks in a row that found the directory changed

	// waiting was read at the fingerprint readAt, but the store did not take it
	// yet; nil for nothing.
	waiting *bundle.Directory
	readAt  string
}

// NewWatcher makes a watcher that has not looked yet.
func NewWatcher(config WatcherConfig) *Watcher {
	return &Watcher{
		config: config,
		line:   newLine(config.Open),
		pauses: pauses{usual: config.Every},
	}
}

// Again has the directory published although it did not change: the store that
// had it was lost.
func (w *Watcher) Again() { w.again.Store(true) }

// Run watches the directory until ctx is done. It returns within seconds then,
// whatever hangs.
func (w *Watcher) Run(ctx context.Context) {
	// What is there at the start has no earlier look to be compared with, and
	// nobody wants to wait for a second one.
	w.last, _ = fingerprint(w.config.Dir)
	repeat(ctx, nil, w.look)
}

// look publishes the directory if that is to be done, and returns when to look
// again.
func (w *Watcher) look(ctx context.Context) time.Duration {
	if w.again.Swap(false) {
		w.done = ""
	}
	w.watch(ctx)
	if w.waiting != nil {
		return w.pauses.failed() // the store did not take it
	}
	return w.pauses.well()
}

func (w *Watcher) watch(ctx context.Context) {
	now, err := fingerprint(w.config.Dir)
	if err != nil {
		w.last, w.done = "", "" // what comes back is looked at afresh
		w.failed(ctx, err)
		return
	}
	w.busy++
	if now == w.last {
		w.busy = 0
	}
	w.last = now
	if w.quiet() && now != w.done {
		w.take(ctx, now)
	}
}

// quiet reports whether nobody seems to be in the middle of saving. A directory
// that never rests is read all the same after a while: what it holds in between
// is whole as often as not, and check says if it is not.
func (w *Watcher) quiet() bool { return w.busy == 0 || w.busy >= restless }

func (w *Watcher) take(ctx context.Context, now string) {
	if w.waiting == nil || w.readAt != now {
		dir, err := readDir(ctx, w.config.Dir)
		if err != nil {
			w.failed(ctx, err)
			return
		}
		if again, err := fingerprint(w.config.Dir); err != nil || again != now {
			return // it changed while it was read, so half of it may be old: next look
		}
		w.waiting, w.readAt = dir, now
	}
	w.publish(ctx)
}

func (w *Watcher) publish(ctx context.Context) {
	dir, at := w.waiting, w.readAt
	outcome, err := ask(ctx, &w.line, publishLimit, func(ctx context.Context, s store.Store) (publish.Outcome, error) {
		return publish.Directory(ctx, unlessChanged{s, w.config.Dir, at}, dir, publish.Note{At: time.Now(), Message: "import of " + w.config.Dir})
	})
	w.line.drop(ctx)
	var refused *publish.RefusedError
	switch {
	case errors.As(err, &refused):
		w.refused(refused)
	case errors.Is(err, errChanged):
		w.waiting = nil // the next look reads it again
		return
	case err != nil:
		w.failed(ctx, fmt.Errorf("publish %s: %s", w.config.Dir, describe(err)))
		return // the store may take it at the next look
	default:
		w.succeeded(outcome)
	}
	w.done, w.waiting = w.readAt, nil
}

// errChanged says that a directory is no longer what was read.
var errChanged = errors.New("the directory has changed since it was read")

// unlessChanged is a store that takes nothing while dir has another fingerprint
// than at. The revision that a publish is based on is known by then: an import
// of what dir holds now either comes later, and is a conflict, or it came before,
// and so did the change. So an old reading never replaces a newer one.
type unlessChanged struct {
	store.Store
	dir, at string
}

func (u unlessChanged) Publish(ctx context.Context, base int64, d store.Draft) (store.Revision, error) {
	if now, err := fingerprint(u.dir); err != nil || now != u.at {
		return store.Revision{}, errChanged // an error is told by the next look
	}
	return u.Store.Publish(ctx, base, d)
}

func (w *Watcher) succeeded(outcome publish.Outcome) {
	recovered := w.trouble.clear()
	switch {
	case outcome.Published:
		w.config.Metrics.published()
		w.config.Log.Info("published the catalogue directory", "dir", w.config.Dir,
			"revision", outcome.Revision.Number, "warnings", w.waiting.Warnings())
		w.config.Published()
	case recovered:
		w.config.Log.Info("the catalogue directory is as it was imported last", "dir", w.config.Dir)
	}
}

// refused reports every change of a broken directory: an editor who mends one
// of two faults wants to hear about the other.
func (w *Watcher) refused(err *publish.RefusedError) {
	first := firstErrors(err.Problems)
	w.trouble.set(fmt.Sprintf("%v; the first is %s", err, first[0]))
	w.config.Metrics.publishFailed()
	w.config.Log.Error("the catalogue directory is broken; the store keeps what it has", "dir", w.config.Dir,
		"errors", err.Errors, "warnings", err.Warnings, "first", first, "remedy", "run vitrine check "+w.config.Dir)
}

// firstErrors returns the first errors in words, no more than go into the log.
func firstErrors(problems []bundle.Problem) []string {
	var lines []string
	for _, p := range problems {
		if p.Severity != catalog.Error {
			continue
		}
		if lines = append(lines, p.String()); len(lines) == logged {
			break
		}
	}
	return lines
}

// failed reports what keeps the directory from being read or published, once
// until it is something else.
func (w *Watcher) failed(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return // the process ends, which is no failure
	}
	if w.trouble.set(err.Error()) {
		w.config.Metrics.publishFailed()
		w.config.Log.Error("the catalogue directory cannot be published; the store keeps what it has",
			"dir", w.config.Dir, "error", err)
	}
}

func fingerprint(dir string) (string, error) {
	fsys, closeDir, err := bundle.Open(dir)
	if err != nil {
		return "", err
	}
	defer closeDir()
	return bundle.Fingerprint(fsys)
}

func readDir(ctx context.Context, path string) (*bundle.Directory, error) {
	fsys, closeDir, err := bundle.Open(path)
	if err != nil {
		return nil, err
	}
	defer closeDir()
	return bundle.Read(ctx, fsys, bundle.Options{})
}
