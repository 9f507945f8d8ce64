package cli

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"vitrine/internal/distribution"
	"vitrine/internal/follow"
	"vitrine/internal/store"
)

// within reports whether a file, which need not exist, is in a directory or below it.
func within(file, dir string) bool {
	path, err := filepath.Rel(realPath(dir), realPath(file))
	return err == nil && filepath.IsLocal(path)
}

// realPath returns the absolute path of a file without symbolic links, as far as it exists.
func realPath(name string) string {
	absolute, err := filepath.Abs(name)
	if err != nil {
		return filepath.Clean(name)
	}
	if real, err := filepath.EvalSymlinks(absolute); err == nil {
		return real
	}
	parent := filepath.Dir(absolute)
	if parent == absolute {
		return absolute
	}
	return filepath.Join(realPath(parent), filepath.Base(absolute))
}

// newKeyList returns the writer of a list of API keys, nil for no file. key is the path of the key.
func newKeyList(file, key string, valid period) (*distribution.KeyListWriter, error) {
	if file == "" {
		return nil, nil
	}
	signing, err := signingKey("--dist-key", key)
	if err != nil {
		return nil, err
	}
	return &distribution.KeyListWriter{Path: file, Key: signing, Valid: time.Duration(valid), Now: time.Now}, nil
}

// keyLists returns what writes the list of API keys of a server, none without --dist-keys. dist is
// the directory of the distribution, "" for none.
func (f *bulkFlags) keyLists(dist string, keys *follow.KeyFollower, log *slog.Logger) ([]func(context.Context), error) {
	list, err := newKeyList(f.DistKeys, f.DistKey, f.DistValid)
	if list == nil {
		return nil, err
	}
	if dist != "" && within(f.DistKeys, dist) {
		return nil, could{fmt.Errorf("--dist-keys %s is in the public directory of the distribution; name a file outside of it", f.DistKeys)}
	}
	job := &keyListJob{list: list, keys: keys, log: log.With("file", f.DistKeys), renew: time.Duration(f.DistValid) / 2}
	return []func(context.Context){job.run}, nil
}

// keyListJob writes the list of API keys after each change in the store, and before it expires. It
// writes only what was read from the store: not the keys of the last good file, which may have been
// revoked since.
type keyListJob struct {
	list    *distribution.KeyListWriter
	keys    *follow.KeyFollower
	log     *slog.Logger
	renew   time.Duration
	written []store.APIKey // as validity depends on it; nil for none
	at      time.Time      // of written
	problem string         // logged last, "" for none
}

// run looks for changes until ctx is done.
func (j *keyListJob) run(ctx context.Context) {
	for sleep(ctx, keysEvery) == nil {
		j.look(ctx, time.Now())
	}
}

func (j *keyListJob) look(ctx context.Context, now time.Time) {
	stored := j.keys.Stored()
	if stored == nil {
		return
	}
	current := make([]store.APIKey, 0, len(stored))
	for _, k := range stored {
		if k.ValidAt(now) {
			k.UsedAt = time.Time{}
			current = append(current, k)
		}
	}
	if slices.Equal(current, j.written) && j.written != nil && (now.Sub(j.at) < j.renew || j.keys.Age() > time.Minute) {
		return
	}
	valid, err := j.list.Write(ctx, current)
	switch {
	case ctx.Err() != nil:
	case err != nil && err.Error() != j.problem:
		j.problem = err.Error()
		j.log.Error("the list of API keys cannot be written; readers do not learn of revocations", "error", err)
	case err == nil:
		j.written, j.at, j.problem = current, now, ""
		j.log.Info("wrote the list of API keys", "valid", valid)
	}
}

// distributeKeys writes the list of the API keys of a store, if one was named.
func (f *distFlags) distributeKeys(ctx context.Context, to streams, s store.Store) error {
	list, err := newKeyList(f.DistKeys, f.DistKey, f.DistValid)
	if list == nil {
		return err
	}
	keys, err := s.Keys(ctx)
	if err != nil {
		return could{err}
	}
	valid, err := list.Write(ctx, keys)
	if err != nil {
		return could{fmt.Errorf("--dist-keys: %w", err)}
	}
	_, err = fmt.Fprintf(to.out, "wrote %d API keys to %s\n", valid, f.DistKeys)
	return printed(err)
}

// keySource returns the list of API keys of a reader, nil for none.
func (f *fromFlags) keySource(from served, log *slog.Logger) follow.KeySource {
	if f.FromKeys == "" {
		return nil
	}
	reading := distribution.KeyListReaderConfig{
		From: f.FromKeys, Key: from.reader.Key, UserAgent: userAgent(), Log: log, Now: time.Now,
	}
	if from.lastGood != "" {
		reading.Pin = from.lastGood + ".keys"
	}
	return distribution.NewKeyListReader(reading)
}
