package follow

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"vitrine/internal/store"
)

const (
	fileLimit = time.Minute      // for reading or writing the last good state
	fileGrace = 5 * time.Second  // of it, when the process ends
	keepAgain = 15 * time.Second // after a write that failed
)

// keeper keeps the state that is served and the API keys in a file, for a start
// without the store. It writes beside everything else, what there is by then, and
// tries again when that fails: a full disk must hurt nobody.
type keeper struct {
	path    string
	serving *atomic.Pointer[serving]
	keys    *KeyFollower // nil where nobody follows keys
	changes *changes     // of both
	log     *slog.Logger
	metrics *Metrics
	trouble trouble
	guard   guard          // of writes
	kept    store.LastGood // what is in the file, as far as is known
}

func newKeeper(f *Follower) *keeper {
	return &keeper{
		path: f.config.LastGood, serving: &f.serving, keys: f.config.Keys, changes: f.changes,
		log: f.config.Log, metrics: f.config.Metrics, guard: guard{grace: fileGrace},
	}
}

// run writes until ctx is done, and once more then.
func (k *keeper) run(ctx context.Context) {
	for ctx.Err() == nil {
		changed := k.changes.wait()
		var again <-chan time.Time // blocks while there is nothing to try again
		if !k.write(ctx) {
			again = time.After(keepAgain)
		}
		select {
		case <-ctx.Done():
		case <-changed:
		case <-again:
		}
	}
	k.write(ctx)
}

// write reports whether what is to be kept is in the file now. A write is not
// broken off when the process ends, but given a little time.
func (k *keeper) write(ctx context.Context) bool {
	s := k.serving.Load()
	if s == nil {
		return true // keys alone are of no use
	}
	state := s.state
	start := time.Now()
	kept, err := run(ctx, &k.guard, call[store.LastGood]{
		limit: fileLimit,
		do: func(context.Context) (store.LastGood, error) {
			next := store.LastGood{State: state, Keys: k.knownKeys()}
			if next.State == k.kept.State && slices.Equal(next.Keys, k.kept.Keys) && (next.Keys == nil) == (k.kept.Keys == nil) {
				return next, nil
			}
			return next, store.WriteLastGood(k.path, next)
		},
	})
	k.metrics.unkept.set(err != nil)
	if err != nil {
		if text := withoutName(err); k.trouble.set(text) {
			k.log.Error("the last good state cannot be kept; a start without the store would serve an older one or none",
				"file", k.path, "error", text)
		}
		return false
	}
	k.kept = kept
	settle(time.Since(start))
	k.metrics.lastGood.Set(float64(state.Revision.Number))
	if k.trouble.clear() {
		k.log.Info("the last good state is kept again", "file", k.path, "revision", state.Revision.Number)
	}
	return true
}

// knownKeys returns the keys to keep: those that are known or, while they are
// not, those that an earlier process knew; nil for none.
func (k *keeper) knownKeys() []store.APIKey {
	if k.keys == nil {
		return nil
	}
	if known := k.keys.known.Load(); known != nil {
		return *known
	}
	kept, err := store.ReadLastGoodKeys(k.path)
	if err != nil {
		return nil // what cannot be read is lost with the file that is replaced
	}
	return kept.Keys
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
// the next good one. It is for the time before anything is served, in which nothing
// is written.
func (k *keeper) read(ctx context.Context) *store.State {
	reading := guard{grace: grace} // no other call is held up if this one hangs
	kept, err := run(ctx, &reading, call[store.LastGood]{
		limit: fileLimit,
		do: func(context.Context) (store.LastGood, error) {
			return store.ReadLastGood(k.path)
		},
	})
	switch {
	case err == nil:
		k.kept = kept
		k.metrics.lastGood.Set(float64(kept.State.Revision.Number))
		return kept.State
	case ctx.Err() != nil, errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, store.ErrCorrupt):
		k.putAside(err)
	default:
		k.log.Error("the last good state cannot be read", "file", k.path, "error", err.Error())
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
