package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"vitrine/internal/store"
	"vitrine/internal/store/sqlstore"
)

// PutAside renames a damaged database and its log to `<path>.corrupt-<UTC time>`, which it
// returns, so that a good one can be created or restored at path. It overwrites nothing. It checks
// for damage first and returns an error for an intact database, which may be another process's new
// one, or an unreadable one. The caller must have closed its store.
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
	// The check may have taken long, and the file may have been repaired meanwhile.
	if now, err := os.Stat(path); err != nil || !os.SameFile(before, now) || !now.ModTime().Equal(before.ModTime()) {
		return "", fmt.Errorf("put %s aside: another file has been put there meanwhile", path)
	}
	// The log is renamed first: SQLite would apply a remaining log to the next database at path.
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
	s, err := OpenAs(ctx, path, sqlstore.Write) // does not create one
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

// unused returns the first of path, path-2, path-3… that does not exist.
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
