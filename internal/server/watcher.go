package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"vitrine/internal/bundle"
	"vitrine/internal/catalog"
	"vitrine/internal/publish"
)

// logged bounds how many problems of a broken directory go into the log; all
// of them are what `vitrine check` is for.
const logged = 20

// WatcherConfig says what a [Watcher] watches. All fields are needed.
type WatcherConfig struct {
	Dir       string
	Store     publish.Store
	Every     time.Duration // how often the directory is looked at
	Log       *slog.Logger
	Metrics   *Metrics
	Published func() // called after a publish
}

// Watcher publishes a catalogue directory when it starts and whenever the
// directory changes. A broken directory, or one that is gone, is reported once
// per change and leaves what the store holds. Run is to be called once.
type Watcher struct {
	config  WatcherConfig
	trouble trouble

	// Fingerprints, touched by Run alone:
	last string // of the last look
	done string // what was published, found to be published already, or refused

	// waiting was read at the fingerprint readAt, but the store did not take it
	// yet; nil for nothing.
	waiting *bundle.Directory
	readAt  string
}

// NewWatcher makes a watcher that has not looked yet.
func NewWatcher(config WatcherConfig) *Watcher { return &Watcher{config: config} }

// Run watches the directory until ctx is done.
func (w *Watcher) Run(ctx context.Context) {
	// What is there at the start has no earlier look to be compared with, and
	// nobody wants to wait for a second one.
	w.last, _ = fingerprint(w.config.Dir)
	repeat(ctx, w.config.Every, nil, w.watch)
}

func (w *Watcher) watch(ctx context.Context) {
	now, err := fingerprint(w.config.Dir)
	if err != nil {
		w.last, w.done = "", "" // what comes back is looked at afresh
		w.failed(ctx, err)
		return
	}
	quiet := now == w.last // else an editor may be in the middle of saving
	w.last = now
	if quiet && now != w.done {
		w.take(ctx, now)
	}
}

func (w *Watcher) take(ctx context.Context, now string) {
	if w.waiting == nil || w.readAt != now {
		dir, err := readDir(ctx, w.config.Dir)
		if err != nil {
			w.failed(ctx, err)
			return
		}
		if again, err := fingerprint(w.config.Dir); err != nil || again != now {
			return // it changed while it was read, so half of it may be old
		}
		w.waiting, w.readAt = dir, now
	}
	w.publish(ctx)
}

func (w *Watcher) publish(ctx context.Context) {
	outcome, err := publish.Directory(ctx, w.config.Store, w.waiting,
		publish.Note{At: time.Now(), Message: "import of " + w.config.Dir})
	var refused *publish.RefusedError
	switch {
	case errors.As(err, &refused):
		w.refused(refused)
	case err != nil:
		w.failed(ctx, fmt.Errorf("publish %s: %w", w.config.Dir, err))
		return // the store may take it at the next look
	default:
		w.succeeded(outcome)
	}
	w.done, w.waiting = w.readAt, nil
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
