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
	fileLimit = time.Minute      // limit of reading or writing the last good file
	fileGrace = 5 * time.Second  // limit of writing at shutdown
	keepAgain = 15 * time.Second // pause after a failed write
)

// keeper writes the served state and the API keys to the last good file, for a start without the
// store. It writes the latest state in the background, and retries after errors such as a full
// disk.
type keeper struct {
	path    string
	serving *atomic.Pointer[serving]
	keys    *KeyFollower // nil without API keys
	changes *changes     // of both
	log     *slog.Logger
	metrics *Metrics
	trouble trouble
	guard   guard          // of writes
	kept    store.LastGood // content of the file, if known
}

func newKeeper(f *Follower) *keeper {
	return &keeper{
		path: f.config.LastGood, serving: &f.serving, keys: f.config.Keys, changes: f.changes,
		log: f.config.Log, metrics: f.config.Metrics, guard: guard{grace: fileGrace},
	}
}

// run writes after each change until ctx is done, and once more then.
func (k *keeper) run(ctx context.Context) {
	for ctx.Err() == nil {
		changed := k.changes.wait()
		var again <-chan time.Time // nil unless a write failed
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

// write writes the file if it differs, and reports whether it is up to date. At shutdown a write
// gets a grace period.
func (k *keeper) write(ctx context.Context) bool {
	s := k.serving.Load()
	if s == nil {
		return true // keys alone are not written
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

// knownKeys returns the keys to write: the known ones or, while they are unknown, those of the
// file; nil for none.
func (k *keeper) knownKeys() []store.APIKey {
	if k.keys == nil {
		return nil
	}
	if known := k.keys.known.Load(); known != nil {
		return *known
	}
	kept, err := store.ReadLastGoodKeys(k.path)
	if err != nil {
		return nil // an unreadable file is replaced
	}
	return kept.Keys
}

// withoutName returns the text of an error without the changing name of the temporary file.
func withoutName(err error) string {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return failed.Op + ": " + failed.Err.Error()
	}
	if failed, ok := errors.AsType[*os.LinkError](err); ok {
		return failed.Op + ": " + failed.Err.Error()
	}
	return err.Error()
}

// read returns the state of the last good file, nil if there is none or it is unusable, which is
// logged. A damaged file is put aside. It must be called before anything is served.
func (k *keeper) read(ctx context.Context) *store.State {
	reading := guard{grace: grace} // its own guard, so that a hanging read delays no other call
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
		k.log.Error("the last good file was not written by Vitrine; it is not used and stays unchanged", "file", k.path, "error", damage)
		return
	}
	aside := k.path + ".damaged"
	if err := os.Rename(k.path, aside); err != nil {
		k.log.Error("the last good state is damaged and cannot be put aside", "file", k.path, "error", damage, "rename", err)
		return
	}
	k.log.Error("the last good state is damaged; it is not used, and was put aside", "file", k.path, "error", damage, "as", aside)
}
