// Package follow keeps the served catalogue up to date. A [Follower] loads, checks and compiles
// each new revision of a store, writes the last good file, and checks the store for damage. A
// [KeyFollower] follows the API keys, and a [Watcher] publishes a catalogue directory after each
// change.
//
// [Follower.Changed] notifies of changes. The store's head, its keys and the directory are each
// polled in one place.
//
// The package must not know HTTP, any engine of a store, or the command line.
package follow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"vitrine/internal/bundle"
	"vitrine/internal/changelog"
	"vitrine/internal/store"
)

// Follower keeps the snapshot of a store's head. If the store fails, or a revision cannot be
// loaded, checked or compiled, the previous snapshot stays. Run must be called once; all other
// methods are safe for concurrent use.
type Follower struct {
	config   Config
	wake     chan struct{}
	changes  *changes // of the results of Snapshot, Ready and Problem
	serving  atomic.Pointer[serving]
	failure  failure
	lastGood *lastGoodWriter // nil without a file
	scrub    *scrubber       // nil if the store is not checked
	writer   *distributor    // nil without a distribution
	purger   *purger         // nil if no cache is purged
	resuming atomic.Bool     // set while the last good state is about to be served
	recent   atomic.Pointer[[]store.Revision]
	// logTrouble is why the log of changes of a distribution cannot be read.
	logTrouble failure

	// Used only by Run:
	conn     connection[Source]
	backoff  backoff
	handed   compiled          // see Hand; zero for none, and after the first load
	state    *store.State      // source of the snapshot, nil for none
	log      *changelog.Log    // of the changes up to state; nil if unknown
	placed   *bundle.Positions // of the snapshot, nil for none
	recalled store.Revision    // revision at which recent was read
	refused  refusal
	worked   time.Duration // time of loading and compiling in this look
	roomMade bool          // whether the collector was set
	resumed  bool          // whether the last good file was read
	filling  bool          // the reported problem is that the first revision is on its way
	aside    string        // name of a damaged store that was put aside; "" while there is a store
}

// refusal is a revision that was rejected, with the reason. It is not loaded again.
type refusal struct {
	revision store.Revision
	err      error
}

// New returns a follower without a snapshot.
func New(config Config) *Follower {
	f := &Follower{
		config:  config,
		wake:    make(chan struct{}, 1),
		changes: newChanges(),
		conn:    newConnection(config.open()),
		backoff: backoff{usual: config.Every},
	}
	if config.MakeRoom && config.Demonstration {
		debug.SetGCPercent(mostGarbage) // until makeRoom; the bundled catalogue is small
	}
	config.Metrics.has(config.role())
	if config.Keys != nil {
		f.changes = config.Keys.changes
	}
	f.failure.changes = f.changes
	if config.Watcher != nil {
		config.Watcher.follower.Store(&servedBy{f.Wake, f.served})
	}
	for _, job := range config.Jobs {
		job.served = f.served
	}
	if config.LastGood != "" {
		f.lastGood = newLastGoodWriter(f)
	}
	if config.Distribution != nil {
		f.writer = newDistributor(f)
	}
	if config.Purge != nil {
		f.purger = &purger{f: f}
	}
	if config.Scrub > 0 {
		f.scrub = &scrubber{config: config, conn: newConnection(config.open())}
	}
	return f
}

// Changed returns a channel that is closed when Snapshot, Ready or Problem have another result. To
// wait for a condition, take the channel first, then check the condition.
func (f *Follower) Changed() <-chan struct{} { return f.changes.wait() }

// Wake makes Run look at the store immediately.
func (f *Follower) Wake() {
	select {
	case f.wake <- struct{}{}:
	default: // Run is about to look already
	}
}

// Hand compiles a state that this process publishes into the empty store, so that Run need not load,
// check and compile it. The state must have been checked. It is ignored if the store does not have it, or
// if it cannot be compiled, which Run then reports. Run makes its indexes and orders once it is served.
// Hand must return before Run is called.
func (f *Follower) Hand(state *store.State) {
	start := time.Now()
	if s, err := compile(nil, state.Merged(), f.revision(state.Revision)); err == nil {
		f.handed = compiled{state, s, time.Since(start)}
	}
}

// Run follows the store until ctx is done. Then it returns within seconds, even if calls hang.
func (f *Follower) Run(ctx context.Context) {
	var beside sync.WaitGroup
	if f.lastGood != nil {
		beside.Go(func() { f.lastGood.run(ctx) })
	}
	if f.writer != nil {
		beside.Go(func() { f.writer.run(ctx) })
	}
	if f.purger != nil {
		beside.Go(func() { f.purger.run(ctx) })
	}
	if f.scrub != nil {
		beside.Go(func() { f.scrub.run(ctx) })
	}
	f.config.Metrics.confirm(time.Now()) // the lag counts from the start
	f.conn.slow = func() { f.slow(ctx) }
	repeat(ctx, f.wake, f.lookSpread)
	f.conn.drop(ctx)
	beside.Wait()
}

// lookSpread is look with a random part of the pause, if so configured.
func (f *Follower) lookSpread(ctx context.Context) time.Duration {
	pause := f.look(ctx)
	if f.config.Spread {
		pause += rand.N(pause/5 + 1)
	}
	return pause
}

// look updates the snapshot to the store's head, and returns the pause before the next look.
func (f *Follower) look(ctx context.Context) time.Duration {
	defer f.settle() // after all logging
	err := f.follow(ctx)
	if ctx.Err() != nil {
		return f.config.Every // a shutdown is not a failure
	}
	if err == nil {
		f.well()
		f.recall(ctx)
		return f.backoff.well()
	}
	f.resume(ctx, err)
	if answers(err) {
		f.failed(err, true)
		return f.backoff.well()
	}
	f.conn.drop(ctx) // the connection may be unusable
	f.refused = refusal{}
	switch {
	case errors.Is(err, store.ErrCorrupt):
		return f.damaged(ctx, err)
	case errors.Is(err, fs.ErrNotExist):
		f.failed(f.missing(err), false)
		return min(f.backoff.failed(), missingPause) // it may be restored any time
	}
	f.failed(err, false)
	return f.backoff.failed()
}

// answers reports whether a store works although its head cannot be served. A later revision may
// be better.
func answers(err error) bool {
	var refused refusal
	return errors.As(err, &refused) || errors.Is(err, store.ErrEmpty)
}

// follow serves the head of the store, unless it is served already.
func (f *Follower) follow(ctx context.Context) error {
	asked := time.Now()
	head, err := do(ctx, &f.conn, cmp.Or(f.config.HeadLimit, headLimit), func(ctx context.Context, s Source) (store.Revision, error) {
		head, err := s.Head(ctx)
		if err != nil && !errors.Is(err, store.ErrEmpty) {
			err = fmt.Errorf("look at %s: %w", f.name(), err)
		}
		return head, err
	})
	if err != nil {
		return err
	}
	f.config.Metrics.newest.Set(float64(head.Number))
	switch {
	case f.state != nil && same(f.state.Revision, head):
		f.config.Metrics.confirm(asked)
		f.reposition()
		return f.learnChanges(ctx)
	case f.refused.err != nil && same(f.refused.revision, head):
		return f.refused
	}
	start := time.Now()
	defer func() { f.worked = time.Since(start) }()
	known := loaded{state: f.state, log: f.log} // a question that hangs may be asked longer than they stay
	handed := f.handed
	if f.handed = (compiled{}); known.state == nil {
		known.state = handed.state
	}
	next, err := do(ctx, &f.conn, loadLimit, func(ctx context.Context, s Source) (loaded, error) {
		return load(ctx, s, known)
	})
	if err != nil {
		return fmt.Errorf("load revision %d: %w", head.Number, err)
	}
	c := handed
	if c.state != next.state {
		if c, err = f.compile(next.state); err != nil {
			f.refused = refusal{revision: next.state.Revision, err: err}
			return f.refused
		}
	}
	f.swapIn(c, next)
	f.config.Metrics.confirm(asked)
	return finish(c.snapshot) // a handed one; compile has finished all others
}

// same reports whether two revisions are the same. Numbers alone repeat after a store is replaced.
func same(a, b store.Revision) bool {
	at := a.PublishedAt.Equal(b.PublishedAt)
	a.PublishedAt, b.PublishedAt = time.Time{}, time.Time{}
	a.Commit, a.Modified, b.Commit, b.Modified = "", false, "", false // not in last good files
	a.Publisher, a.Accepted, b.Publisher, b.Accepted = "", "", "", ""
	return at && a == b
}

func (r refusal) Error() string { return r.err.Error() }
func (r refusal) Unwrap() error { return r.err }
