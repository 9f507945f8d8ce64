package follow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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

// mostNotes bounds the notes of a publish in the log.
const mostNotes = 10

// WatcherConfig says what a [Watcher] watches. Fields are needed unless they say
// otherwise.
type WatcherConfig struct {
	Dir string
	// Open opens the store, and makes one where there is none. It is closed as
	// soon as there is nothing more to publish.
	Open    Opener
	Every   time.Duration // how often the directory is looked at
	Log     *slog.Logger
	Metrics *Metrics
	// Actor publishes, "" for the author of the commit that Dir is at, and User where
	// that is not known either.
	Actor, User string
	// Command publishes Dir by hand; what it takes to accept is put behind it.
	Command string
	// Publisher identifies the publisher in revisions (see [store.Revision]).
	Publisher string
}

// Watcher publishes a catalogue directory when it starts and whenever the
// directory changes. A broken directory, or one that is gone, is reported once
// per change and leaves what the store holds; so is one that the gate of package
// publish holds. Run is to be called once.
type Watcher struct {
	config   WatcherConfig
	trouble  trouble
	held     atomic.Pointer[Held] // nil for nothing
	rival    trouble              // another directory is published to the same store
	changing trouble              // it changes faster than it can be published
	diary    diary

	// Told by the follower of the same store, where there is one:
	again     atomic.Bool                    // the store was lost: publish although nothing changed
	served    atomic.Pointer[store.Revision] // came after another one, whoever published it; nil for no news
	published func()                         // wakes the follower; nil for nobody

	// Touched by Run alone:
	line   line
	pauses pauses

	// Fingerprints:
	last string // of the last look
	done string // what was published, found to be published already, or refused
	busy int    // looks in a row that found the directory changed
	late int    // consecutive readings and publishes that a change interrupted
	// weighed was dealt with before. It is read again only to see whether the gate
	// holds it now, and is not published.
	weighed string

	begun  bool  // the directory was processed once
	behind int64 // the older revision that it was found to be at the start, 0 for none

	uncommitted string // why the commit was not known at the last reading, "" if it was

	// waiting was read at the fingerprint readAt, but the store did not take it
	// yet; nil for nothing.
	waiting *bundle.Directory
	readAt  string
	// pinned is the revision that was the newest before waiting was read, if that is
	// to be published although the directory changes; -1 otherwise.
	pinned int64
}

// NewWatcher makes a watcher that has not looked yet.
func NewWatcher(config WatcherConfig) *Watcher {
	return &Watcher{
		config: config,
		line:   newLine(config.Open),
		pauses: pauses{usual: config.Every},
	}
}

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
		w.done, w.weighed = "", ""
	}
	if news := w.served.Swap(nil); news != nil {
		w.reconsider(*news)
	}
	w.watch(ctx)
	w.logEdits()
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
		w.readAndPublish(ctx, now)
	}
}

// quiet reports whether it is worth while to read the directory: nobody seems to
// be in the middle of saving. One that never rests is tried all the same after a
// while; reading it says if it cannot be read as a whole.
func (w *Watcher) quiet() bool { return w.busy == 0 || w.pressed() }

func (w *Watcher) readAndPublish(ctx context.Context, now string) {
	if w.waiting == nil || w.readAt != now {
		w.pinned = -1
		if w.pressed() {
			head, err := w.headNumber(ctx)
			w.line.drop(ctx)
			if err != nil {
				w.failed(ctx, fmt.Errorf("publish %s: %s", w.config.Dir, describe(err)), stackOf(err)...)
				return
			}
			w.pinned = head
		}
		dir, err := bundle.ReadSettled(ctx, w.config.Dir, bundle.Options{Today: domain.DateOf(time.Now())})
		if err != nil {
			w.interrupted(err)
			w.failed(ctx, err)
			return
		}
		if dir.Fingerprint != now && !w.pressed() {
			return // it changed before it was read: the next look sees whether it rests now
		}
		w.waiting, w.readAt = dir, dir.Fingerprint
		w.diary.read(dir)
		w.commitUnknown(dir.CommitProblem)
	}
	w.publish(ctx)
}

func (w *Watcher) publish(ctx context.Context) {
	dir, at := w.waiting, w.readAt
	outcome, err := ask(ctx, &w.line, publishLimit, func(ctx context.Context, s store.Store) (publish.Outcome, error) {
		return publish.Directory(ctx, unlessChanged{s, w.config.Dir, at, at == w.weighed, w.pinned}, dir,
			publish.From{Publisher: w.config.Publisher, Starting: !w.begun || w.behind != 0 && w.held.Load().is(at), Behind: w.behind},
			publish.Note{At: time.Now(), Message: cmp.Or(dir.Commit.Subject, "import of "+w.config.Dir), Actor: cmp.Or(w.config.Actor, dir.Commit.Author, w.config.User)})
	})
	if !errors.Is(err, errChanged) {
		w.late = 0
	}
	opened := w.line.store != nil
	w.line.drop(ctx)
	var refused *publish.RefusedError
	var held *publish.HeldError
	var panicked *contain.Error
	switch {
	case errors.As(err, &refused):
		w.refused(refused)
	case errors.As(err, &held):
		w.holds(held)
	case opened && errors.As(err, &panicked): // publishing did, and would again until something changes
		w.failed(ctx, panicked)
	case errors.Is(err, errWeighed): // nothing holds it, and nothing asks for it
		w.released()
	case errors.Is(err, errChanged):
		w.waiting = nil // the next look reads it again
		w.interrupted(err)
		return
	case err != nil:
		w.failed(ctx, fmt.Errorf("publish %s: %s", w.config.Dir, describe(err)), stackOf(err)...)
		return // the store may take it at the next look
	default:
		w.succeeded(outcome)
		if w.pinned < 0 {
			w.caughtUp(outcome.Revision.Number)
		} else {
			w.outrun(outcome.Revision.Number)
		}
	}
	w.done, w.waiting, w.begun = w.readAt, nil, true
}

// errWeighed says that a directory could be published, and is not to be.
var errWeighed = errors.New("the directory was only looked at")

// errChanged says that a directory is no longer what was read.
var errChanged = errors.New("the directory has changed since it was read")

// unlessChanged is a store that publishes only while dir still has the fingerprint
// at, and never if the directory is only weighed. So an old reading cannot replace
// a newer one that is imported meanwhile. The revision to publish on was read
// before this check: an import after that reading makes the publish a conflict, and
// before an import that came earlier the directory had changed, which shows here.
// With pinned the directory may have changed: it publishes only on the revision that
// was the newest before the reading, so that no import came between.
type unlessChanged struct {
	store.Store
	dir, at string
	weigh   bool
	pinned  int64 // -1 for none
}

func (u unlessChanged) Publish(ctx context.Context, base int64, d store.Draft) (store.Revision, error) {
	if u.weigh {
		return store.Revision{}, errWeighed
	}
	if u.pinned >= 0 {
		if base != u.pinned {
			return store.Revision{}, errChanged
		}
		return u.Store.Publish(ctx, base, d)
	}
	if now, err := fingerprint(u.dir); err != nil || now != u.at {
		return store.Revision{}, errChanged // an error is told by the next look
	}
	return u.Store.Publish(ctx, base, d)
}

func (w *Watcher) succeeded(outcome publish.Outcome) {
	released := w.released()
	w.behind = 0
	recovered := w.trouble.clear() || released
	w.config.Metrics.broken.set(false)
	switch {
	case outcome.Published:
		w.warns(outcome.Warnings)
		w.config.Metrics.publishes.ok.Inc()
		w.diary.add(Event{Result: Published, Revision: outcome.Revision.Number})
		w.config.Log.Info("published the catalogue directory", slices.Concat(
			[]any{"dir", w.config.Dir, "revision", outcome.Revision.Number, "warnings", w.waiting.Warnings()},
			origin(outcome.Revision), counts(outcome))...)
		if len(outcome.Notes) > 0 {
			w.config.Log.Warn("records took over ids or addresses", "dir", w.config.Dir,
				"revision", outcome.Revision.Number, "count", len(outcome.Notes), "notes", outcome.Notes[:min(len(outcome.Notes), mostNotes)])
		}
		if w.published != nil {
			w.published()
		}
	case recovered:
		w.config.Log.Info("the catalogue directory is as it was imported last", "dir", w.config.Dir)
	}
}

// refused reports every change of a broken directory: an editor who mends one
// of two faults wants to hear about the other.
func (w *Watcher) refused(err *publish.RefusedError) {
	first := firstProblem(err.Problems)
	w.released() // what was held is not there any more
	w.trouble.set(fmt.Sprintf("%v; the first is %s", err, first))
	w.config.Metrics.broken.set(true)
	w.config.Metrics.publishes.failed.Inc()
	w.diary.add(Event{Result: Broken, Reasons: []string{w.trouble.String()}})
	w.config.Log.Error("the catalogue directory is broken; the store keeps what it has", "dir", w.config.Dir,
		"errors", err.Errors, "warnings", err.Warnings, "rules", err.Found.ByRule(domain.Error), "first", first,
		"remedy", "run vitrine check "+w.config.Dir)
}

// firstProblem returns the first error in words; all of them are what `vitrine
// check` is for.
func firstProblem(problems []bundle.Problem) string {
	i := slices.IndexFunc(problems, func(p bundle.Problem) bool { return p.Severity == domain.Error })
	if i < 0 {
		return ""
	}
	return problems[i].String()
}

// failed reports what keeps the directory from being read or published, once
// until it is something else; more are further attributes of the line.
func (w *Watcher) failed(ctx context.Context, err error, more ...any) {
	if ctx.Err() != nil {
		return // the process ends, which is no failure
	}
	w.config.Metrics.broken.set(true)
	if w.trouble.set(err.Error()) {
		w.config.Metrics.publishes.failed.Inc()
		w.diary.add(Event{Result: Failed, Reasons: []string{err.Error()}})
		w.config.Log.Error("the catalogue directory cannot be published; the store keeps what it has",
			append([]any{"dir", w.config.Dir, "error", err}, more...)...)
	}
}

// commitUnknown says why the commit of the directory cannot be found out, once
// until it is something else. That is no reason not to publish.
func (w *Watcher) commitUnknown(err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	if text != "" && text != w.uncommitted {
		w.config.Log.Warn("the commit of the catalogue directory is not known", "dir", w.config.Dir, "error", text)
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
