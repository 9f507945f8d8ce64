// Package follow keeps what is served up to date. A [Follower] loads, checks and
// compiles each new revision of a store, keeps the last good one in a file, and
// has the whole store checked from time to time. A [KeyFollower] does so for API
// keys, and a [Watcher] publishes a catalogue directory whenever it changes.
//
// Whoever waits for something to change is told by [Follower.Changed]. The store's
// head, its keys and the directory are looked at in one place each.
//
// It must not know HTTP, any engine of a store, or the command line.
package follow

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"vitrine/internal/contain"
	"vitrine/internal/domain"
	"vitrine/internal/parallel"
	"vitrine/internal/snapshot"
	"vitrine/internal/store"
)

// Config says what a [Follower] follows. Fields are needed unless they
// say otherwise.
type Config struct {
	// Open opens the store, which it must not create: an error that wraps
	// [fs.ErrNotExist] says that there is none (yet).
	Open    Opener
	Every   time.Duration // how often the head is looked at
	Log     *slog.Logger
	Metrics *Metrics
	// WhenEmpty tells an operator what to do about a store without a revision.
	WhenEmpty string
	// Filling: this process is about to publish to the store itself, so that a
	// store without a revision is how a first start begins.
	Filling bool
	// Demonstration: what is served is nobody's catalogue; meta and /readyz say so.
	Demonstration bool

	// LastGood is the file that keeps the state which was served last, for a
	// start without the store; "" for none.
	LastGood string
	// Keys are the API keys without which nobody is ready; nil for none. What is
	// known of them is kept with the state. No other follower may have them.
	Keys *KeyFollower
	// PutAside moves a damaged store out of the way and returns where to. It looks
	// for itself whether the store is damaged, and is done. It is called only where
	// what is served came from that store, while the follower has it closed; nil
	// where a damaged store is not ours to move.
	PutAside func() (string, error)
	// Scrub is how often the whole store is checked for damage at most, 0 for never.
	Scrub time.Duration
	// Watcher publishes to the store; nil for nobody. It is told what becomes of the
	// store, and wakes the follower. No other follower may have it.
	Watcher *Watcher
	// MakeRoom has the garbage collector set by what is served; false leaves it
	// as it is.
	MakeRoom bool
}

// Follower keeps the snapshot of a store's head. What cannot be loaded, checked
// or compiled, and a store that fails, leave the snapshot before it in place.
// Run is to be called once; all other methods are safe for concurrent use.
type Follower struct {
	config   Config
	wake     chan struct{}
	changes  *changes // of what Snapshot, Ready and Problem return
	serving  atomic.Pointer[serving]
	trouble  trouble
	keeper   *keeper     // nil without a file
	scrub    *scrubber   // nil where the store is not checked
	resuming atomic.Bool // the trouble is told, and the last good state about to be served
	recent   atomic.Pointer[[]store.Revision]

	// Touched by Run alone:
	line     line
	pauses   pauses
	state    *store.State   // what the snapshot was compiled from, nil for none
	recalled store.Revision // that recent was read for
	refused  refusal
	worked   time.Duration // what it took to load and compile in this look
	roomMade bool          // whether the collector is set by what is served
	resumed  bool          // whether the last good state was asked for already
	filling  bool          // the trouble is that the first revision is on its way
	aside    string        // where a damaged store was put; "" while there is a store
}

// serving is a snapshot that is served, what it was compiled from, and since when.
type serving struct {
	snapshot *snapshot.Snapshot
	state    *store.State
	since    time.Time
}

// refusal is a revision that was found unfit, and why: it is not loaded again
// with every look at the store.
type refusal struct {
	revision store.Revision
	err      error
}

// New makes a follower that has no snapshot yet.
func New(config Config) *Follower {
	f := &Follower{
		config:  config,
		wake:    make(chan struct{}, 1),
		changes: newChanges(),
		line:    newLine(config.Open),
		pauses:  pauses{usual: config.Every},
	}
	if config.Keys != nil {
		f.changes = config.Keys.changes
	}
	f.trouble.changes = f.changes
	if config.Watcher != nil {
		config.Watcher.published = f.Wake
	}
	if config.LastGood != "" {
		f.keeper = newKeeper(f)
	}
	if config.Scrub > 0 {
		f.scrub = newScrubber(config.Open, config.Scrub, config.Log, config.Metrics)
	}
	return f
}

// Snapshot returns what is to be served now, nil while there is nothing. It
// takes one atomic load.
func (f *Follower) Snapshot() *snapshot.Snapshot {
	if s := f.serving.Load(); s != nil {
		return s.snapshot
	}
	return nil
}

// Changed returns a channel that is closed when another snapshot is served, or
// when Ready or Problem return something else. Who waits for something takes the
// channel first, and looks whether it is there already.
func (f *Follower) Changed() <-chan struct{} { return f.changes.wait() }

// Wake makes Run look at the store at once.
func (f *Follower) Wake() {
	select {
	case f.wake <- struct{}{}:
	default: // it is about to look already
	}
}

// Run follows the store until ctx is done. It returns within seconds then,
// whatever hangs.
func (f *Follower) Run(ctx context.Context) {
	var beside sync.WaitGroup
	if f.keeper != nil {
		beside.Go(func() { f.keeper.run(ctx) })
	}
	if f.scrub != nil {
		beside.Go(func() { f.scrub.run(ctx) })
	}
	f.line.slow = func() { f.slow(ctx) }
	repeat(ctx, f.wake, f.look)
	f.line.drop(ctx)
	beside.Wait()
}

// look brings what is served up to the store's head, and returns when to look
// again.
func (f *Follower) look(ctx context.Context) time.Duration {
	defer f.settle() // when all has been said of it
	err := f.follow(ctx)
	if ctx.Err() != nil {
		return f.config.Every // the process ends, which is no failure
	}
	if err == nil {
		f.well()
		f.recall(ctx)
		return f.pauses.well()
	}
	f.resume(ctx, err)
	if answers(err) {
		f.failed(err, true)
		return f.pauses.well()
	}
	f.line.drop(ctx) // what is open may be of no use any more
	f.refused = refusal{}
	switch {
	case errors.Is(err, store.ErrCorrupt):
		return f.damaged(ctx, err)
	case errors.Is(err, fs.ErrNotExist):
		f.failed(f.missing(err), false)
		return min(f.pauses.failed(), missingPause) // it may be put there any time
	}
	f.failed(err, false)
	return f.pauses.failed()
}

// answers reports whether a store whose head cannot be served works all the
// same, and may have something better at the next look.
func answers(err error) bool {
	var refused refusal
	return errors.As(err, &refused) || errors.Is(err, store.ErrEmpty)
}

// follow serves what the store holds now, if it is not served already.
func (f *Follower) follow(ctx context.Context) error {
	head, err := ask(ctx, &f.line, headLimit, func(ctx context.Context, s store.Store) (store.Revision, error) {
		head, err := s.Head(ctx)
		if err != nil && !errors.Is(err, store.ErrEmpty) {
			err = fmt.Errorf("look at the store: %w", err)
		}
		return head, err
	})
	switch {
	case err != nil:
		return err
	case f.state != nil && same(f.state.Revision, head):
		return nil
	case f.refused.err != nil && same(f.refused.revision, head):
		return f.refused
	}
	start := time.Now()
	defer func() { f.worked = time.Since(start) }()
	state, err := f.load(ctx, head)
	if err != nil {
		return fmt.Errorf("load revision %d: %w", head.Number, err)
	}
	return f.swapIn(state)
}

// swapIn serves a state, compiled beside what is served.
func (f *Follower) swapIn(state *store.State) error {
	start := time.Now()
	s, err := f.compile(state)
	if err != nil {
		f.refused = refusal{revision: state.Revision, err: err}
		return f.refused
	}
	took := time.Since(start)
	if f.state != nil && f.config.Watcher != nil {
		f.config.Watcher.served.Store(&state.Revision)
	}
	f.serve(state, s)
	if f.config.Keys != nil {
		f.config.Keys.retryNow() // the store can be read
	}
	rev := state.Revision
	f.config.Metrics.compile.Set(took.Seconds())
	f.config.Metrics.loads.ok.Inc()
	f.config.Log.Info("serving a new revision", append([]any{"revision", rev.Number, "published_at", rev.PublishedAt,
		"op", rev.Op, "message", rev.Message, "compiled_in", took.Round(10 * time.Microsecond).String()}, origin(rev)...)...)
	f.changes.tell()
	return nil
}

// settle looks after the memory that taking a revision leaves behind. What is
// served has about the size of before where that did not take long.
func (f *Follower) settle() {
	took := f.worked
	f.worked = 0
	if f.config.MakeRoom && f.state != nil && (took > long || !f.roomMade) {
		f.roomMade = true
		makeRoom()
		return
	}
	settle(took)
}

// serve swaps what is served. Whoever calls it says so in the log, and then tells
// the others, whose lines come after.
func (f *Follower) serve(state *store.State, s *snapshot.Snapshot) {
	f.state = state
	since := time.Now().UTC()
	f.serving.Store(&serving{snapshot: s, state: state, since: since})
	f.config.Metrics.serves(state, since)
}

// resume serves the last good state of an earlier process while there is
// nothing better, marked stale by the trouble that made it necessary.
func (f *Follower) resume(ctx context.Context, why error) {
	if f.resumed || f.keeper == nil || f.state != nil {
		return
	}
	f.resumed = true // what is there does not get better by reading it again
	state := f.keeper.read(ctx)
	if state == nil {
		return
	}
	s, err := f.compile(state)
	if err != nil {
		f.config.Log.Error("the last good state cannot be served", append([]any{"file", f.config.LastGood, "error", err.Error()}, stackOf(err)...)...)
		return
	}
	f.resuming.Store(true)
	defer f.resuming.Store(false)
	f.trouble.set(describe(why)) // first, so that it is never seen as fresh
	f.config.Metrics.resumed.set(true)
	f.config.Metrics.stale.set(true)
	f.config.Metrics.loads.failed.Inc()
	f.serve(state, s)
	f.config.Log.Error("serving the last good state; it may be stale", "file", f.config.LastGood,
		"revision", state.Revision.Number, "published_at", state.Revision.PublishedAt, "because", describe(why))
	f.changes.tell()
}

// compile trusts no database: a catalogue that was valid when it was published
// may have been tampered with since, or be held to newer rules now. Both take
// long, so it is checked while it is compiled, from what is served as far as it
// stays; whatever an invalid one does to either, the snapshot before it goes on
// serving.
func (f *Follower) compile(state *store.State) (_ *snapshot.Snapshot, err error) {
	defer contain.Panic(&err, panicked)
	var before *domain.Catalog // what is served, in which there is no error
	if f.state != nil {
		before = f.state.Merged()
	}
	c, rev := state.Merged(), state.Revision
	var s *snapshot.Snapshot
	var invalid, failed error
	parallel.Do(2, func(task int) {
		if task == 0 {
			s, failed = compile(f.Snapshot(), c, f.revision(rev))
			return
		}
		invalid = firstError(domain.CheckAgain(before, c))
	})
	if invalid != nil {
		return nil, fmt.Errorf("revision %d is not valid: %w", rev.Number, invalid)
	}
	if failed != nil {
		return nil, fmt.Errorf("compile revision %d: %w", rev.Number, failed)
	}
	return s, nil
}

func (f *Follower) revision(rev store.Revision) snapshot.Revision {
	return snapshot.Revision{Number: rev.Number, PublishedAt: rev.PublishedAt, Demonstration: f.config.Demonstration}
}

// compile is snapshot.Compile, of a catalogue that may have errors.
func compile(previous *snapshot.Snapshot, c *domain.Catalog, rev snapshot.Revision) (_ *snapshot.Snapshot, err error) {
	defer contain.Panic(&err, panicked)
	return snapshot.Compile(previous, c, rev)
}

// firstError returns the first error of problems with the number of all, nil if
// there are only warnings.
func firstError(problems []domain.Problem) error {
	var first domain.Problem
	n := 0
	for _, p := range problems {
		if p.Rule.Severity() != domain.Error {
			continue
		}
		if n++; n == 1 {
			first = p
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%d errors, the first in %s[%d]: %s: %s", n, first.At.Kind, first.At.Index, first.Rule, first.Message)
}

// same compares more than numbers, which repeat where a store was replaced by
// another one.
func same(a, b store.Revision) bool {
	at := a.PublishedAt.Equal(b.PublishedAt)
	a.PublishedAt, b.PublishedAt = time.Time{}, time.Time{}
	a.Commit, a.Modified, b.Commit, b.Modified = "", false, "", false // a last good file does not have them
	a.Publisher, b.Publisher = "", ""
	return at && a == b
}

func (r refusal) Error() string { return r.err.Error() }
func (r refusal) Unwrap() error { return r.err }

// number returns that of the revision which is served, 0 for none.
func (f *Follower) number() int64 {
	if s := f.Snapshot(); s != nil {
		return s.Revision().Number
	}
	return 0
}
