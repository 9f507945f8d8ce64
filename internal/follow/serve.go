package follow

import (
	"context"
	"fmt"
	"time"

	"vitrine/internal/changelog"
	"vitrine/internal/snapshot"
	"vitrine/internal/store"
)

// serving is a served snapshot, its source, and since when it is served.
type serving struct {
	snapshot *snapshot.Snapshot
	state    *store.State
	log      *changelog.Log // of the changes up to state; nil if unknown
	since    time.Time
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

// swapIn serves a compiled state with its log.
func (f *Follower) swapIn(c compiled, next loaded) {
	if f.state != nil && f.config.Watcher != nil {
		f.config.Watcher.served.Store(&c.state.Revision)
	}
	f.log = next.log
	f.serve(c.state, c.snapshot.WithChanges(f.log))
	if f.config.Keys != nil {
		f.config.Keys.retryNow() // the store works again
	}
	rev := c.state.Revision
	f.config.Metrics.compile.Set(c.took.Seconds())
	f.config.Metrics.loads.ok.Inc()
	f.config.Log.Info("serving a new revision", append([]any{"revision", rev.Number, "published_at", rev.PublishedAt,
		"op", rev.Op, "message", rev.Message, "compiled_in", c.took.Round(10 * time.Microsecond).String()}, origin(rev)...)...)
	f.reportLog(next.fault)
	f.changes.notify()
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

// number returns the number of the served revision, 0 for none.
func (f *Follower) number() int64 {
	if s := f.Snapshot(); s != nil {
		return s.Revision().Number
	}
	return 0
}
