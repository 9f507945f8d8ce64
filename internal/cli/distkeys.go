package cli

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"vitrine/internal/distribution"
	"vitrine/internal/follow"
	"vitrine/internal/store"
)

// within reports whether a file, which need not exist, is in a directory or below it.
func within(file, dir string) bool {
	for at := realPath(file); ; at = filepath.Dir(at) {
		if at == realPath(dir) {
			return true
		}
		if at == filepath.Dir(at) {
			return false
		}
	}
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

// keyList returns the writer of the list of API keys, nil for none.
func (f *distFlags) keyList() (*distribution.KeyListWriter, error) {
	if f.DistKeys == "" {
		return nil, nil
	}
	key, err := distribution.ReadSigningKey(f.DistKey)
	if err != nil {
		return nil, could{fmt.Errorf("--dist-key: %w", err)}
	}
	return distribution.NewKeyListWriter(distribution.KeyListConfig{Path: f.DistKeys, Key: key, Valid: time.Duration(f.DistValid), Now: time.Now}), nil
}

// distributeKeys writes the list of the API keys of a store, if one was named.
func (f *distFlags) distributeKeys(ctx context.Context, to streams, s store.Store) error {
	list, err := f.keyList()
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
func (f *fromFlags) keySource(from served, log *slog.Logger) (follow.KeySource, error) {
	if f.FromKeys == "" {
		return nil, nil
	}
	key, err := distribution.ParsePublicKey(f.FromKey)
	if err != nil {
		return nil, could{fmt.Errorf("--from-key: %w", err)}
	}
	reading := distribution.KeyListReaderConfig{
		From: f.FromKeys, Key: func() *distribution.PublicKey { return key }, UserAgent: "vitrine/" + builtFrom().version, Log: log, Now: time.Now,
	}
	if from.lastGood != "" {
		reading.Pin = from.lastGood + ".keys"
	}
	return distribution.NewKeyListReader(reading), nil
}
