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
	fileLimit  = time.Minute      // limit of reading or writing the last good file
	fileGrace  = 5 * time.Second  // limit of writing at shutdown
	writeAgain = 15 * time.Second // pause after a failed write
)

// After a write of the whole state, the next one waits for several times as long as it took, so that
// frequent syncs of a large catalogue take at most a tenth of a core. A small catalogue is written
// after each change.
const (
	restAfterWrite = 9
	longestRest    = 30 * time.Second
)

// restAfter returns the pause after a write that took some time.
func restAfter(took time.Duration) time.Duration {
	if took < long {
		return 0
	}
	return min(restAfterWrite*took, longestRest)
}

// rest waits for a pause or until ctx is done.
func rest(ctx context.Context, pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// lastGoodWriter writes the served state and the API keys to the last good file, for starts without the
// store. It writes the latest state in the background, and retries after errors such as a full
// disk.
type lastGoodWriter struct {
	path    string
	program string
	serving *atomic.Pointer[serving]
	keys    *KeyFollower // nil without API keys
	changes *changes     // of both
	log     *slog.Logger
	metrics *Metrics
	failure failure
	guard   guard          // of writes
	written store.LastGood // content of the file, if known
}

func newLastGoodWriter(f *Follower) *lastGoodWriter {
	return &lastGoodWriter{
		path: f.config.LastGood, program: f.config.Program, serving: &f.serving, keys: f.config.Keys, changes: f.changes,
		log: f.config.Log, metrics: f.config.Metrics, guard: guard{grace: fileGrace},
	}
}

// run writes after changes until ctx is done, and once more then.
func (w *lastGoodWriter) run(ctx context.Context) {
	for ctx.Err() == nil {
		changed, start := w.changes.wait(), time.Now()
		var again <-chan time.Time // nil unless a write failed
		if !w.write(ctx) {
			again = time.After(writeAgain)
		}
		rest(ctx, restAfter(time.Since(start)))
		select {
		case <-ctx.Done():
		case <-changed:
		case <-again:
		}
	}
	w.write(ctx)
}

// write writes the file if it differs, and reports whether it is up to date. At shutdown a write
// gets a grace period.
func (w *lastGoodWriter) write(ctx context.Context) bool {
	s := w.serving.Load()
	if s == nil {
		return true // keys alone are not written
	}
	state := s.state
	start := time.Now()
	file, err := run(ctx, &w.guard, call[store.LastGood]{
		limit: fileLimit,
		do: func(context.Context) (store.LastGood, error) {
			next := store.LastGood{State: state, Keys: w.knownKeys(), Program: w.program}
			if next.State == w.written.State && slices.Equal(next.Keys, w.written.Keys) && (next.Keys == nil) == (w.written.Keys == nil) {
				return next, nil
			}
			return next, store.WriteLastGood(w.path, next)
		},
	})
	w.metrics.lastGoodFailing.set(err != nil)
	if err != nil {
		if text := withoutName(err); w.failure.set(text) {
			w.log.Error("the last good state cannot be kept; a start without the store would serve an older one or none",
				"file", w.path, "error", text)
		}
		return false
	}
	w.written = file
	releaseMemory(time.Since(start))
	w.metrics.lastGood.Set(float64(state.Revision.Number))
	if w.failure.clear() {
		w.log.Info("the last good state is kept again", "file", w.path, "revision", state.Revision.Number)
	}
	return true
}

// knownKeys returns the keys to write: the known ones or, while they are unknown, those of the
// file; nil for none.
func (w *lastGoodWriter) knownKeys() []store.APIKey {
	if w.keys == nil {
		return nil
	}
	if known := w.keys.known.Load(); known != nil {
		return *known
	}
	for _, path := range lastGoodFiles(w.path) {
		if file, err := store.ReadLastGoodKeys(path); err == nil {
			return file.Keys
		}
	}
	return nil // unreadable files are replaced
}

// lastGoodFiles returns the last good file at path, and the copy of that of another version, which
// is used if this version cannot read the first.
func lastGoodFiles(path string) []string { return []string{path, store.PreviousLastGood(path)} }

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

// read returns the state of one of the last good files, nil if there is none or it is unusable, which
// is logged. A damaged file is put aside. It must be called before anything is served.
func (w *lastGoodWriter) read(ctx context.Context, path string) *store.State {
	reading := guard{grace: grace} // its own guard, so that a hanging read delays no other call
	file, err := run(ctx, &reading, call[store.LastGood]{
		limit: fileLimit,
		do: func(context.Context) (store.LastGood, error) {
			return store.ReadLastGood(path)
		},
	})
	switch {
	case err == nil:
		w.written = file
		w.metrics.lastGood.Set(float64(file.State.Revision.Number))
		return file.State
	case ctx.Err() != nil, errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, store.ErrCorrupt):
		w.putAside(path, err)
	default:
		w.log.Error("the last good state cannot be read", "file", path, "error", err.Error())
	}
	return nil
}

func (w *lastGoodWriter) putAside(path string, damage error) {
	if !store.IsLastGood(path) {
		w.log.Error("the last good file was not written by Vitrine; it is not used and stays unchanged", "file", path, "error", damage)
		return
	}
	aside := path + ".damaged"
	if err := os.Rename(path, aside); err != nil {
		w.log.Error("the last good state is damaged and cannot be put aside", "file", path, "error", damage, "rename", err)
		return
	}
	w.log.Error("the last good state is damaged; it is not used, and was put aside", "file", path, "error", damage, "as", aside)
}
