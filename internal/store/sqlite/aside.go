package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"vitrine/internal/store"
)

// PutAside renames a damaged database, with the log and the index of its log,
// to `<path>.corrupt-<UTC time>`, which it returns, so that a sound one can be
// put or made at path; nothing is overwritten. It looks for itself and refuses
// to touch a database that is sound, which may be the new one of another
// process that was faster, or one that cannot be read for other reasons. The
// caller has closed its own store before.
func PutAside(path string) (newPath string, err error) {
	before, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("put %s aside: %w", path, err)
	}
	if err := damaged(path); err != nil {
		return "", fmt.Errorf("put %s aside: %w", path, err)
	}
	newPath, err = unused(path + ".corrupt-" + time.Now().UTC().Format("20060102T150405.000Z"))
	if err != nil {
		return "", fmt.Errorf("put %s aside: %w", path, err)
	}
	// The look may have taken long, and somebody may have mended it meanwhile.
	if now, err := os.Stat(path); err != nil || !os.SameFile(before, now) || !now.ModTime().Equal(before.ModTime()) {
		return "", fmt.Errorf("put %s aside: another file has been put there meanwhile", path)
	}
	// The log goes first: SQLite would play one that was left behind into the
	// next database at path.
	for _, suffix := range suffixes() {
		if err := os.Rename(path+suffix, newPath+suffix); err != nil && !(suffix != "" && errors.Is(err, fs.ErrNotExist)) {
			return "", fmt.Errorf("put %s aside: %w", path, err)
		}
	}
	return newPath, nil
}

func suffixes() []string { return []string{"-wal", "-shm", ""} }

// damaged returns nil if the database at path is damaged.
func damaged(path string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	s, err := OpenExisting(ctx, path, true) // which makes none
	if err == nil {
		err = s.Check(ctx)
		s.Close()
	}
	switch {
	case err == nil:
		return errors.New("it is sound")
	case !errors.Is(err, store.ErrCorrupt):
		return fmt.Errorf("it is not known to be damaged: %w", err)
	}
	return nil
}

// unused returns the first of path, path-2, path-3… at which there is nothing.
func unused(path string) (string, error) {
	for n := 1; ; n++ {
		name := path
		if n > 1 {
			name = fmt.Sprintf("%s-%d", path, n)
		}
		free := true
		for _, suffix := range suffixes() {
			switch _, err := os.Lstat(name + suffix); {
			case err == nil:
				free = false
			case !errors.Is(err, fs.ErrNotExist):
				return "", err
			}
		}
		if free {
			return name, nil
		}
	}
}
