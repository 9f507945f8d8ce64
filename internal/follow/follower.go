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
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"vitrine/internal/bundle"
	"vitrine/internal/changelog"
	"vitrine/internal/contain"
	"vitrine/internal/domain"
	"vitrine/internal/parallel"
	"vitrine/internal/snapshot"
	"vitrine/internal/store"
)

// Config configures a [Follower]. Fields are required unless they say otherwise.
type Config struct {
	// Open opens the store without creating it. Its error for a missing store wraps
	// [fs.ErrNotExist].
	Open Opener
	// Source is followed instead of a store; nil for none. Open is then nil. It stays usable after
	// Close.
	Source Source
	Every  time.Duration // interval of queries for the head
	// HeadLimit is the time limit of such a query; 0 for that of a database.
	HeadLimit time.Duration
	// Spread lengthens each pause by up to a fifth, so that many servers do not ask together.
	Spread  bool
	Log     *slog.Logger
	Metrics *Metrics
	// Name is how the log calls what is followed; "" for the store.
	Name string
	// WhenEmpty is the remedy to log for a store without a revision.
	WhenEmpty string
	// Filling is set if this process is about to publish to the store, so that an empty store is
	// normal at the first start.
	Filling bool
	// Demonstration marks the catalogue as a demonstration in meta and /readyz.
	Demonstration bool

	// LastGood is the path of the last good file, for a start without the store; "" for none.
	LastGood string
	// Program is the version of this program, as last good files name it; "" if unknown.
	Program string
	// Keys are the API keys that readiness requires; nil for none. They are written to the last
	// good file. A KeyFollower has one Follower.
	Keys *KeyFollower
	// PutAside renames a damaged store and returns its new name, after it has checked that the
	// store is damaged and no longer being written. It is called only if the served state came
	// from that store, and while the follower has it closed. It is nil if the store must not be
	// moved.
	PutAside func() (string, error)
	// Scrub is the minimum interval between checks of the whole store, 0 for none.
	Scrub time.Duration
	// Watcher publishes to the store; nil for none. It gets the state of the store and wakes the
	// follower. A Watcher has one Follower.
	Watcher *Watcher
	// Jobs are the scheduled syncs, for Status.
	Jobs []*Job
	// Distribution is written after each new revision; nil for none.
	Distribution *Distribution
	// Purge tells the caches in front of the server to fetch again; nil for none. It is called after
	// another revision is served, and repeated after an error, which must not contain secrets.
	Purge func(context.Context) error
	// Bulk is the path of the distribution's pointer on this server, which meta and errors name; "" for
	// none.
	Bulk string
	// MakeRoom sets the garbage collector by the size of the served catalogue; false leaves it
	// unchanged.
	MakeRoom bool
}

// open returns the function that opens what is followed.
func (c Config) open() func(context.Context) (Source, error) {
	return func(ctx context.Context) (Source, error) {
		if c.Source != nil {
			return c.Source, nil
		}
		return c.Open(ctx)
	}
}

// role returns the role of a process with this configuration.
func (c Config) role() Role {
	switch {
	case c.Source != nil:
		return Reader
	case c.Distribution != nil:
		return Publisher
	}
	return Standalone
}

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

// serving is a served snapshot, its source, and since when it is served.
type serving struct {
	snapshot *snapshot.Snapshot
	state    *store.State
	log      *changelog.Log // of the changes up to state; nil if unknown
	since    time.Time
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
		f.purger = newPurger(f)
	}
	if config.Scrub > 0 {
		f.scrub = newScrubber(config.open(), config.Scrub, config.Log, config.Metrics)
	}
	return f
}

// Snapshot returns the served snapshot, nil for none. It takes one atomic load.
func (f *Follower) Snapshot() *snapshot.Snapshot {
	if s := f.serving.Load(); s != nil {
		return s.snapshot
	}
	return nil
}

// served returns the state of the served snapshot, nil for none.
func (f *Follower) served() *store.State {
	if s := f.serving.Load(); s != nil {
		return s.state
	}
	return nil
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
	if err == nil {
		f.config.Metrics.newest.Set(float64(head.Number))
	}
	switch {
	case err != nil:
		return err
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
	next, err := do(ctx, &f.conn, loadLimit, func(ctx context.Context, s Source) (loaded, error) {
		return load(ctx, s, known)
	})
	if err != nil {
		return fmt.Errorf("load revision %d: %w", head.Number, err)
	}
	if err := f.swapIn(next); err != nil {
		return err
	}
	f.config.Metrics.confirm(asked)
	return nil
}

// swapIn compiles a state and serves it. It returns a refusal if the state is invalid.
func (f *Follower) swapIn(next loaded) error {
	start, state := time.Now(), next.state
	s, err := f.compile(state)
	if err != nil {
		f.refused = refusal{revision: state.Revision, err: err}
		return f.refused
	}
	took := time.Since(start)
	if f.state != nil && f.config.Watcher != nil {
		f.config.Watcher.served.Store(&state.Revision)
	}
	f.log = next.log
	f.serve(state, s.WithChanges(f.log))
	if f.config.Keys != nil {
		f.config.Keys.retryNow() // the store works again
	}
	rev := state.Revision
	f.config.Metrics.compile.Set(took.Seconds())
	f.config.Metrics.loads.ok.Inc()
	f.config.Log.Info("serving a new revision", append([]any{"revision", rev.Number, "published_at", rev.PublishedAt,
		"op", rev.Op, "message", rev.Message, "compiled_in", took.Round(10 * time.Microsecond).String()}, origin(rev)...)...)
	f.reportLog(next.fault)
	f.changes.notify()
	return nil
}

// reportLog records why the log of changes cannot be read, nil if it can.
func (f *Follower) reportLog(fault error) {
	f.config.Metrics.changesFailing.set(fault != nil)
	switch {
	case fault == nil && f.logTrouble.clear():
		f.config.Log.Info("the changes are known again", "since", f.log.Oldest().Number)
	case fault != nil && f.logTrouble.set(fault.Error()):
		f.config.Log.Error("changes before the served revision are unknown; requests for them get 410, and the log is read again", "error", fault)
	}
}

// settle returns memory that loading a revision left behind. After a short load, the catalogue has
// about the same size as before.
func (f *Follower) settle() {
	took := f.worked
	f.worked = 0
	if f.config.MakeRoom && f.state != nil && (took > long || !f.roomMade) {
		f.roomMade = true
		makeRoom()
		return
	}
	releaseMemory(took)
}

// serve swaps the snapshot. The caller logs it, then notifies others, whose lines follow.
func (f *Follower) serve(state *store.State, s *snapshot.Snapshot) {
	f.state = state
	since := time.Now().UTC()
	f.serving.Store(&serving{snapshot: f.positioned(s), state: state, log: f.log, since: since})
	f.config.Metrics.serves(state, since)
}

// positioned returns the snapshot with the positions of the watched directory, if there are any.
func (f *Follower) positioned(s *snapshot.Snapshot) *snapshot.Snapshot {
	if f.config.Watcher != nil {
		f.placed = f.config.Watcher.positions.Load()
	}
	if f.placed == nil {
		return s
	}
	return s.WithPositions(f.placed.Of)
}

// reposition serves the snapshot with other positions, if those of the watched directory changed.
func (f *Follower) reposition() {
	if f.config.Watcher == nil || f.config.Watcher.positions.Load() == f.placed {
		return
	}
	next := *f.serving.Load()
	next.snapshot = f.positioned(next.snapshot.WithPositions(nil))
	f.serving.Store(&next)
	f.changes.notify()
}

// learnChanges reads the changes up to the served state if they are unknown, as they are after a
// start from the last good file, or if their log could not be read.
func (f *Follower) learnChanges(ctx context.Context) error {
	if f.log != nil && f.logTrouble.String() == "" {
		return nil
	}
	state := f.state
	next, err := do(ctx, &f.conn, loadLimit, func(ctx context.Context, s Source) (loaded, error) {
		return withChanges(ctx, s, nil, state)
	})
	if err != nil {
		return fmt.Errorf("read the changes up to revision %d: %w", state.Revision.Number, err)
	}
	if next.log == nil || next.fault != nil && f.log != nil {
		return nil // the source has none, or nothing else than before
	}
	f.log = next.log
	again := *f.serving.Load()
	again.snapshot, again.log = again.snapshot.WithChanges(f.log), f.log
	f.serving.Store(&again)
	f.reportLog(next.fault)
	f.changes.notify()
	return nil
}

// resume serves the last good state of an earlier process, marked stale, if nothing else is
// served.
func (f *Follower) resume(ctx context.Context, why error) {
	if f.resumed || f.lastGood == nil || f.state != nil {
		return
	}
	f.resumed = true // reading it again would not help
	for _, path := range lastGoodFiles(f.config.LastGood) {
		if f.resumeFrom(ctx, path, why) {
			return
		}
	}
}

// resumeFrom serves the state of a last good file, and reports whether it can be served.
func (f *Follower) resumeFrom(ctx context.Context, path string, why error) bool {
	state := f.lastGood.read(ctx, path)
	if state == nil {
		return false
	}
	s, err := f.compile(state)
	if err != nil {
		f.config.Log.Error("the last good state cannot be served", append([]any{"file", path, "error", err.Error()}, stackOf(err)...)...)
		return false
	}
	f.resuming.Store(true)
	defer f.resuming.Store(false)
	f.failure.set(f.describe(why)) // first, so that the state is never seen as fresh
	f.config.Metrics.resumed.set(true)
	f.config.Metrics.stale.set(true)
	f.config.Metrics.loads.failed.Inc()
	f.serve(state, s)
	f.config.Log.Error("serving the last good state; it may be stale", "file", path,
		"revision", state.Revision.Number, "published_at", state.Revision.PublishedAt, "because", f.describe(why))
	f.changes.notify()
	return true
}

// compile checks and compiles a state in parallel. The store is not trusted: a catalogue may have
// been changed since it was published, or newer rules may apply. The check only covers differences
// to the served catalogue. A panic of the compiler on an invalid catalogue becomes an error.
func (f *Follower) compile(state *store.State) (_ *snapshot.Snapshot, err error) {
	defer contain.Panic(&err, panicked)
	var before *domain.Catalog // the served catalogue, which has no errors
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
	return snapshot.Revision{Number: rev.Number, PublishedAt: rev.PublishedAt, Demonstration: f.config.Demonstration, Bulk: f.config.Bulk}
}

// compile is [snapshot.Compile] with panics as errors, for catalogues that may be invalid.
func compile(previous *snapshot.Snapshot, c *domain.Catalog, rev snapshot.Revision) (_ *snapshot.Snapshot, err error) {
	defer contain.Panic(&err, panicked)
	return snapshot.Compile(previous, c, rev)
}

// firstError returns the first error among problems, with their number, nil for none.
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

// number returns the number of the served revision, 0 for none.
func (f *Follower) number() int64 {
	if s := f.Snapshot(); s != nil {
		return s.Revision().Number
	}
	return 0
}
