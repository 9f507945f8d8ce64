package server

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"vitrine/internal/store"
)

const (
	fileLimit = time.Minute      // for reading or writing the last good state
	fileGrace = 5 * time.Second  // of it, when the process ends
	keepAgain = 15 * time.Second // after a write that failed
)

// keeper keeps the state that is served in a file, for a start without the
// store. It writes beside everything else, the latest state only, and tries
// again when that fails: a full disk must hurt nobody.
type keeper struct {
	path    string
	log     *slog.Logger
	metrics *Metrics
	latest  chan *store.State // at most one
	trouble trouble
	guard   guard // of writes, for run
}

func newKeeper(path string, log *slog.Logger, metrics *Metrics) *keeper {
	return &keeper{
		path: path, log: log, metrics: metrics,
		latest: make(chan *store.State, 1),
		guard:  guard{grace: fileGrace},
	}
}

// keep has a state written instead of any that waits. It is for one goroutine
// and does not block.
func (k *keeper) keep(state *store.State) {
	select {
	case <-k.latest:
	default:
	}
	k.latest <- state
}

// run writes until ctx is done; what was to be kept then is written still.
func (k *keeper) run(ctx context.Context) {
	var pending *store.State
	for {
		var again <-chan time.Time // blocks while there is nothing to try again
		if pending != nil {
			again = time.After(keepAgain)
		}
		select {
		case <-ctx.Done():
			k.end(ctx, pending)
			return
		case pending = <-k.latest:
		case <-again:
		}
		if k.write(ctx, pending) {
			pending = nil
		}
	}
}

func (k *keeper) end(ctx context.Context, pending *store.State) {
	select {
	case pending = <-k.latest:
	default:
	}
	if pending != nil {
		k.write(ctx, pending)
	}
}

// write reports whether the state is in the file now. A write is not broken off
// when the process ends, but given a little time.
func (k *keeper) write(ctx context.Context, state *store.State) bool {
	start := time.Now()
	_, err := run(ctx, &k.guard, call[struct{}]{
		limit: fileLimit,
		do: func(context.Context) (struct{}, error) {
			return struct{}{}, store.WriteLastGood(k.path, state)
		},
	})
	if err != nil {
		if text := withoutName(err); k.trouble.set(text) {
			k.log.Error("the last good state cannot be kept; a start without the store would serve an older one or none",
				"file", k.path, "error", text)
		}
		return false
	}
	settle(time.Since(start))
	k.metrics.kept(state.Revision.Number)
	if k.trouble.clear() {
		k.log.Info("the last good state is kept again", "file", k.path, "revision", state.Revision.Number)
	}
	return true
}

// withoutName returns an error in words that stay the same while the fault
// does: files are written under ever other names first.
func withoutName(err error) string {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return failed.Op + ": " + failed.Err.Error()
	}
	if failed, ok := errors.AsType[*os.LinkError](err); ok {
		return failed.Op + ": " + failed.Err.Error()
	}
	return err.Error()
}

// read returns the state that an earlier process kept, nil if there is none
// that can be used, which it reports. A damaged file is moved out of the way of
// the next good one. It must not run beside a write.
func (k *keeper) read(ctx context.Context) *store.State {
	reading := guard{grace: grace} // no other call is held up if this one hangs
	state, err := run(ctx, &reading, call[*store.State]{
		limit: fileLimit,
		do: func(context.Context) (*store.State, error) {
			return store.ReadLastGood(k.path)
		},
	})
	switch {
	case err == nil:
		k.metrics.kept(state.Revision.Number)
		return state
	case ctx.Err() != nil, errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, store.ErrCorrupt):
		k.putAside(err)
	default:
		k.log.Error("the last good state cannot be read", "file", k.path, "error", err)
	}
	return nil
}

func (k *keeper) putAside(damage error) {
	if !store.IsLastGood(k.path) {
		k.log.Error("the last good state is none of ours; it is not used, and stays as it is", "file", k.path, "error", damage)
		return
	}
	aside := k.path + ".damaged"
	if err := os.Rename(k.path, aside); err != nil {
		k.log.Error("the last good state is damaged and cannot be put aside", "file", k.path, "error", damage, "rename", err)
		return
	}
	k.log.Error("the last good state is damaged; it is not used, and was put aside", "file", k.path, "error", damage, "as", aside)
}
