package cli

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"vitrine/internal/distribution"
	"vitrine/internal/follow"
	"vitrine/internal/store"
	"vitrine/internal/store/sqlite"
	"vitrine/internal/store/sqlstore"
)

// settled is how long a damaged file must be unchanged before it is put aside, because an operator may
// be copying a good one.
const settled = 5 * time.Second

// scrubEvery is the minimum interval between integrity checks of a file.
const scrubEvery = 30 * time.Second

// served is the store that a server follows.
type served struct {
	dsn      string
	file     string // path of a SQLite store, "" for others
	lastGood string // path of the last good file, "" for none
	demo     bool   // whether it is the demonstration's store

	distributed bool                       // whether it is a distribution; dsn is its place
	reading     *distribution.ReaderConfig // of reader
	reader      *distribution.Reader       // of the distribution; nil for a store
	keys        follow.KeySource           // list of API keys of a distribution; nil for none
	keysEvery   time.Duration              // interval of reading that list
}

// newServed returns the store with a DSN. lastGood is the path of the last good file, "off" for none, ""
// for the default.
func newServed(dsn, lastGood string) (served, error) {
	file, err := storeFile(dsn)
	if err != nil {
		return served{}, err
	}
	if file != "" && slices.ContainsFunc([]string{"", "-wal", "-shm"}, func(suffix string) bool {
		return sameFile(file+suffix, lastGood)
	}) {
		return served{}, fmt.Errorf("--last-good %s is a file of the store; name another one", lastGood)
	}
	return served{dsn: dsn, file: file}.keeping(lastGood), nil
}

// servedFrom returns a distribution, which has no database.
func servedFrom(place, lastGood string) served {
	return served{dsn: place, distributed: true}.keeping(lastGood)
}

// keeping sets the path of the last good file.
func (s served) keeping(lastGood string) served {
	switch lastGood {
	case "off":
	case "":
		s.lastGood = usualLastGood(s.dsn, s.file)
	default:
		s.lastGood = lastGood
	}
	return s
}

// apiKeys returns how API keys are read, and whether there can be any.
func (s served) apiKeys() (follow.KeyConfig, bool) {
	if s.distributed {
		return follow.KeyConfig{Source: s.keys, Every: s.keysEvery, Limit: fromHeadLimit, Spread: true}, s.keys != nil
	}
	return follow.KeyConfig{Open: s.openExisting, Every: keysEvery}, true
}

// whereItMayBeKept disables the last good file, and logs that, if it is the default one in a read-only
// directory. For a file that the operator named, errors of writing are reported.
func (s served) whereItMayBeKept(log *slog.Logger) served {
	if s.file == "" || s.lastGood != usualLastGood(s.dsn, s.file) {
		return s
	}
	dir := filepath.Dir(s.lastGood)
	if readOnly(dir, filepath.Base(s.lastGood)+".tmp-*") != nil { // such a file is removed later if it is left behind
		log.Info("the last good state is off: the directory of the store is read-only", "folder", dir,
			"remedy", "--last-good FILE names a place for it")
		s.lastGood = ""
	}
	return s
}

// warnOfMode logs a warning for files of the store that all users of the machine can read. It does not
// change their mode, which may be intended.
func (s served) warnOfMode(log *slog.Logger) {
	if runtime.GOOS == "windows" {
		return // the mode has no meaning there
	}
	for _, path := range []string{s.file, s.lastGood} {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o004 == 0 {
			continue // opening it reports the error
		}
		log.Warn("all users of this machine can read the store, which has hashes of API keys", "file", path,
			"mode", info.Mode().Perm().String(), "remedy", "chmod 600 "+path)
	}
}

// sameFile reports whether two paths name the same file, which need not exist.
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

// usualLastGood returns the default path of the last good file: beside the SQLite file, or in the working
// directory with a hash of the DSN without its password.
func usualLastGood(dsn, file string) string {
	if file != "" {
		return file + ".last-good"
	}
	sum := sha256.Sum256([]byte(store.RedactDSN(dsn)))
	return fmt.Sprintf("vitrine-%x.last-good", sum[:4])
}

// open opens the store, and creates it if it does not exist.
func (s served) open(ctx context.Context) (store.Store, error) {
	return openStore(ctx, s.dsn, sqlstore.Make)
}

// openExisting opens an existing store. It never creates one: an empty store would be in the way of a
// restored copy.
func (s served) openExisting(ctx context.Context) (store.Store, error) {
	return openStore(ctx, s.dsn, sqlstore.Write)
}

// opener returns openExisting, and logs once that the store has the schema of the previous version.
func (s served) opener(log *slog.Logger) follow.Opener {
	var once sync.Once
	return func(ctx context.Context) (store.Store, error) {
		opened, err := s.openExisting(ctx)
		if err != nil {
			return nil, err
		}
		schema, err := opened.Schema(ctx)
		if err != nil {
			opened.Close() // the first error is reported
			return nil, err
		}
		if schema.Version < schema.Newest {
			once.Do(func() {
				log.Info("the store has the schema of the previous version, which this one can use", "schema", schema.Version, "newest", schema.Newest,
					"remedy", "once all servers have this version, run vitrine migrate with the same --store")
			})
		}
		return opened, nil
	}
}

// putAside returns a function that renames a damaged SQLite file, nil for other stores and for a last
// good file in another place.
func (s served) putAside() func() (string, error) {
	if s.file == "" || s.lastGood != usualLastGood(s.dsn, s.file) {
		return nil // no last good file proves that the file was a store
	}
	return func() (string, error) {
		if info, err := os.Stat(s.file); err == nil && time.Since(info.ModTime()).Abs() < settled {
			return "", errors.New("it was modified just now and may still be written")
		}
		return sqlite.PutAside(s.file)
	}
}

// scrub returns the minimum interval between integrity checks, 0 for none. Database servers have their own.
func (s served) scrub() time.Duration {
	if s.file == "" {
		return 0
	}
	return scrubEvery
}
