package cli

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"vitrine/internal/store"
	"vitrine/internal/store/sqlite"
)

// settled is how long nobody may have written to a damaged file before it is
// put aside: somebody may be copying a good one there right now.
const settled = 5 * time.Second

// scrubEvery is how often a file is read as a whole at most.
const scrubEvery = 30 * time.Second

// served is the store that a server follows.
type served struct {
	dsn      string
	file     string // of a store in SQLite, "" for one elsewhere
	lastGood string // the file of the last good state, "" for none
	demo     bool   // it is the demonstration's
}

// newServed returns the store that a DSN names. LastGood is a file, "off" for none,
// "" for the usual one.
func newServed(dsn, lastGood string) (served, error) {
	file, err := storeFile(dsn)
	if err != nil {
		return served{}, err
	}
	s := served{dsn: dsn, file: file, lastGood: lastGood}
	if file != "" && slices.ContainsFunc([]string{"", "-wal", "-shm"}, func(suffix string) bool {
		return sameFile(file+suffix, lastGood)
	}) {
		return served{}, fmt.Errorf("--last-good %s is a file of the store; name another one", lastGood)
	}
	switch lastGood {
	case "off":
		s.lastGood = ""
	case "":
		s.lastGood = usualLastGood(dsn, file)
	}
	return s, nil
}

// whereItMayBeKept returns the store without its last good file, and logs that, if
// that file is the usual one and its folder may only be read. A file that the
// operator named stays, so that its errors are seen.
func (s served) whereItMayBeKept(log *slog.Logger) served {
	if s.file == "" || s.lastGood != usualLastGood(s.dsn, s.file) {
		return s
	}
	trial, err := os.CreateTemp(filepath.Dir(s.lastGood), filepath.Base(s.lastGood)+".tmp-*") // swept as one that was left
	if err == nil {
		trial.Close()
		os.Remove(trial.Name())
		return s
	}
	if errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission) {
		log.Info("the last good state is off: the folder of the store may only be read", "folder", filepath.Dir(s.lastGood),
			"remedy", "--last-good FILE names a place for it")
		s.lastGood = ""
	}
	return s
}

// warnOfMode warns of files of the store that everybody on the machine can read.
// They keep their mode: somebody may have wanted it.
func (s served) warnOfMode(log *slog.Logger) {
	if runtime.GOOS == "windows" {
		return // where the mode says nothing
	}
	for _, path := range []string{s.file, s.lastGood} {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o004 == 0 {
			continue // what cannot be looked at, others say
		}
		log.Warn("everybody on this machine can read the store, in which there are hashes of API keys", "file", path,
			"mode", info.Mode().Perm().String(), "remedy", "chmod 600 "+path)
	}
}

// sameFile reports whether two paths name one file, there or not.
func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	if errX == nil && errY == nil {
		return os.SameFile(x, y)
	}
	absA, errA := filepath.Abs(a)
	absB, errB := filepath.Abs(b)
	return b != "" && errA == nil && errB == nil && absA == absB
}

// usualLastGood returns the file of the last good state: beside the store, or
// in the working directory with a name that no other store has there. Another
// password does not make it another store.
func usualLastGood(dsn, file string) string {
	if file != "" {
		return file + ".last-good"
	}
	sum := sha256.Sum256([]byte(store.RedactDSN(dsn)))
	return fmt.Sprintf("vitrine-%x.last-good", sum[:4])
}

// open opens the store, and makes it where there is none.
func (s served) open(ctx context.Context) (store.Store, error) { return openStore(ctx, s.dsn) }

// openExisting opens the store and migrates it if it is of an older schema. It makes
// none where there is none: an empty store would be in the way of whoever puts a good
// copy there.
func (s served) openExisting(ctx context.Context) (store.Store, error) {
	return openExisting(ctx, s.dsn, true)
}

// putAside returns what moves a damaged store out of the way, nil for a store
// that is somebody else's to mend.
func (s served) putAside() func() (string, error) {
	if s.file == "" || s.lastGood != usualLastGood(s.dsn, s.file) {
		return nil // nothing beside the file proves that it ever was a store
	}
	return func() (string, error) {
		if info, err := os.Stat(s.file); err == nil && time.Since(info.ModTime()).Abs() < settled {
			return "", errors.New("somebody wrote to it just now, and may not be done")
		}
		return sqlite.PutAside(s.file)
	}
}

// scrub returns how often the store is checked for damage at most, 0 for never:
// of a database server that is its administrator's to decide.
func (s served) scrub() time.Duration {
	if s.file == "" {
		return 0
	}
	return scrubEvery
}
