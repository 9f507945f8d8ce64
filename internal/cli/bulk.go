package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"vitrine/internal/distribution"
	"vitrine/internal/follow"
)

// bulkFlags are the flags of a server that writes a distribution and offers it at /bulk/.
type bulkFlags struct {
	Dist            *string `placeholder:"PLACE" help:"Directory of the distribution that is written after each publish and served at /bulk/, or s3://BUCKET/PREFIX; \"off\" for none (default: beside the SQLite store, FILE.dist; beside the last good file for a copy of --from; none for other stores)."`
	DistKey         string  `placeholder:"FILE" help:"Secret key that signs the distribution, as minisign -G -W writes it (default: unsigned)."`
	DistPreviousKey string  `placeholder:"FILE" help:"Secret key that signed until now. Readers with its public key then accept --dist-key, from the next write on (default: none)."`
	DistKeys        string  `placeholder:"FILE" help:"Private file for the API keys of the store, as a list for serve --from-keys, signed by --dist-key and written after each change of keys. It must be outside of --dist (default: none)."`
	DistValid       period  `default:"7d" placeholder:"TIME" help:"Time after which readers report that the distribution was not renewed. It is renewed after half of it (default ${default})."`
	DistTables      *period `placeholder:"TIME" help:"Add tables for analysts (CSV and SQLite) to the distribution, and write them again when they are older than this and differ, such as 1h (default: none)."`
}

// Validate implements the interface of kong.
func (f *bulkFlags) Validate() error {
	if f.Dist != nil && *f.Dist == "" {
		return errors.New("--dist is empty; leave it out for its default")
	}
	if f.DistKeys != "" && f.DistKey == "" {
		return errors.New("--dist-keys needs --dist-key: readers use signed lists only")
	}
	return checkDist(*cmp.Or(f.Dist, new(string)), f.DistKey, f.DistPreviousKey, f.DistValid)
}

// bucket returns the bucket that is written, "" for none.
func (f *bulkFlags) bucket() string {
	if f.Dist == nil || !distribution.IsBucket(*f.Dist) {
		return ""
	}
	return *f.Dist
}

// usualDist returns the default directory of the distribution of a SQLite store.
func usualDist(file string) string { return file + ".dist" }

// usualDist returns the default directory of the distribution of what is served, "" for none. A
// distribution in a directory needs no copy.
func (s served) usualDist() string {
	switch {
	case s.file != "":
		return usualDist(s.file)
	case !s.distributed || s.isFolder():
		return ""
	}
	return s.besideLastGood()
}

// besideLastGood returns the directory of a distribution beside the last good file, "" without one.
func (s served) besideLastGood() string {
	if s.lastGood == "" {
		return ""
	}
	return usualDist(strings.TrimSuffix(s.lastGood, ".last-good"))
}

// isFolder reports whether a distribution is served from a directory.
func (s served) isFolder() bool { return s.distributed && !strings.Contains(s.dsn, "://") }

// offered returns the directory that is served at /bulk/, "" for none. dir is the one that is
// written, "" for none.
func (f *bulkFlags) offered(dir string, from served) string {
	if dir == "" && f.Dist == nil && from.isFolder() {
		return from.dsn
	}
	return dir
}

// dir returns the directory of the distribution of what is served, "" for none. A bucket is written by
// way of one. The default one is off if it cannot be written, which is logged; for a place that the
// operator named, errors of writing are reported.
func (f *bulkFlags) dir(from served, log *slog.Logger) string {
	switch {
	case f.Dist != nil && *f.Dist == "off":
		return ""
	case f.bucket() != "":
		return cmp.Or(from.usualDist(), from.besideLastGood())
	case f.Dist != nil:
		return *f.Dist
	}
	dir := from.usualDist()
	if dir == "" {
		return ""
	}
	if err := readOnly(dir, ".trial-*"); err != nil {
		log.Info("the distribution and /bulk/ are off: the directory cannot be written", "dir", dir, "error", err,
			"remedy", "--dist DIR names another one, --dist off turns this line off")
		return ""
	}
	return dir
}

// readOnly returns why a directory is read-only or, if it does not exist, cannot be created; nil for other
// errors. pattern is that of the temporary file with which it tries.
func readOnly(dir, pattern string) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		dir = filepath.Dir(dir)
	}
	trial, err := os.CreateTemp(dir, pattern)
	switch {
	case err == nil:
		trial.Close()
		os.Remove(trial.Name())
	case errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission):
		return err
	}
	return nil
}

// distribution returns the distribution that a follower writes to a directory, nil for "". reading
// is nil, or the configuration of the reader whose distribution is copied.
func (f *bulkFlags) distribution(dir string, reading *distribution.ReaderConfig) (*follow.Distribution, error) {
	bucket := f.bucket()
	if dir == "" && bucket != "" {
		return nil, fmt.Errorf("--dist %s needs a directory beside the last good file; leave out --last-good off", bucket)
	}
	if dir == "" {
		return nil, nil
	}
	if reading != nil {
		return &follow.Distribution{Dir: dir, Mirror: distribution.NewMirror(distribution.MirrorConfig{
			From: reading.From, Dir: dir, Key: reading.Key, UserAgent: reading.UserAgent, Now: reading.Now,
		})}, nil
	}
	writer, err := newDistWriter(dir, f.DistKey, f.DistPreviousKey, f.DistValid, f.DistTables, bucket != "")
	if err != nil {
		return nil, err
	}
	if bucket == "" {
		return &follow.Distribution{Writer: writer, Dir: dir}, nil
	}
	return &follow.Distribution{
		Writer: writer, Dir: dir, Bucket: distribution.NewBucket(bucket, time.Now),
		Mirror: distribution.NewMirror(distribution.MirrorConfig{From: bucket, Dir: dir, UserAgent: userAgent(), Now: time.Now}),
	}, nil
}

// bulkFiles returns the files that are served at /bulk/, nil for none.
func bulkFiles(dir string) fs.FS {
	if dir == "" {
		return nil
	}
	return distribution.Public(dir)
}
