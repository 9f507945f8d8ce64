package bundle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"vitrine/internal/checkout"
	"vitrine/internal/contain"
)

// ErrChanging is the error of [Read] for a directory that changed meanwhile: the read files may
// be inconsistent.
var ErrChanging = errors.New("the directory changed while it was read")

// maxCopied is the maximum size of files that are copied into memory.
const maxCopied = 128 << 20

// Conditions for a settled directory, and the maximum wait.
const (
	quietFor    = 250 * time.Millisecond // programs that write many files pause for less
	settleLimit = 15 * time.Second
	lookEvery   = 50 * time.Millisecond
)

// ReadSettled opens a directory and reads it when it is settled: its files and folders have not
// changed for a moment, git is not active in it, and nothing changes while it is read. If
// something changes, it copies the files into memory, up to 128 MiB, and reads the copy. Then
// nothing may change while they are copied, which takes much less time. It waits up to 15
// seconds, and then returns an [ErrChanging]. If path is a link that is replaced meanwhile, it
// reads one directory or the other, never a mix. Other errors are those of [Open] and [Read].
func ReadSettled(ctx context.Context, path string, opts Options) (*Directory, error) {
	return readSettled(ctx, path, opts, settleLimit)
}

func readSettled(ctx context.Context, path string, opts Options, limit time.Duration) (*Directory, error) {
	end := time.Now().Add(limit)
	copied := false
	for {
		d, err := readQuiet(ctx, path, opts, copied)
		if !errors.Is(err, ErrChanging) {
			return d, err
		}
		copied = copied || !errors.Is(err, errMoving)
		if time.Now().After(end) {
			return nil, fmt.Errorf("%w, for %s on end: wait until what writes to %s is done", err, limit, path)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lookEvery):
		}
	}
}

// errGit means that git has a lock in the directory.
var errGit = fmt.Errorf("%w: git is at work in it (if it is not, remove its index.lock)", ErrChanging)

// errMoving means that the directory changed recently and was not read.
var errMoving = fmt.Errorf("%w or shortly before", ErrChanging)

func readQuiet(ctx context.Context, path string, opts Options, copied bool) (_ *Directory, err error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = path // Open reports the error
	}
	fsys, closeDir, err := Open(real)
	if errors.Is(err, fs.ErrNotExist) && real != path {
		return nil, fmt.Errorf("%w: %w", ErrChanging, err) // the link was replaced, or is about to be
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeDir()) }()
	repo, unknown := checkout.Find(real)
	if repo != nil && repo.Busy() {
		return nil, errGit
	}
	moving, err := touched(fsys, time.Now().Add(-quietFor))
	if err != nil {
		return nil, err
	}
	if moving {
		return nil, errMoving
	}
	d, err := readIn(ctx, fsys, opts, repo, copied)
	if err != nil {
		return nil, err
	}
	if repo == nil {
		d.CommitProblem = unknown
	}
	return d, nil
}

// touched reports whether a file or a folder of the directory changed after a time. Times in the
// future are ignored: they are errors of clocks.
func touched(fsys fs.FS, after time.Time) (is bool, err error) {
	defer contain.Panic(&err, reading(new(string)))
	l, err := survey(fsys)
	if err != nil {
		return false, fmt.Errorf("list the catalogue directory: %w", err)
	}
	now := time.Now()
	recent := func(info fs.FileInfo) bool {
		at := changedAt(info)
		return at.After(after) && !at.After(now)
	}
	for _, f := range l.files {
		is = is || recent(f.info)
	}
	for _, f := range l.folders {
		is = is || recent(f.info)
	}
	return is, nil
}

// describe returns the metadata of a file or folder that changes with it.
func describe(path string, info fs.FileInfo) string {
	return fmt.Sprintf("%q %d %d %s %s\n", path, info.Size(), info.ModTime().UnixNano(), info.Mode(), identity(info))
}

// seal returns a text that changes with everything that Read depends on. Unlike [Fingerprint], it
// includes folders, in which links may have been swapped and restored.
func (l *layout) seal() string {
	var b strings.Builder
	for _, f := range l.files {
		b.WriteString(describe(f.path, f.info))
	}
	for _, f := range l.folders {
		b.WriteString(describe(f.path, f.info))
	}
	for _, p := range l.problems {
		b.WriteString(p.String())
	}
	return b.String()
}

// paths returns the slash paths of all files.
func (l *layout) paths() []string {
	paths := make([]string, len(l.files))
	for i, f := range l.files {
		paths[i] = f.path
	}
	return paths
}

// steady opens the files of a layout, and detects changes since the layout was made, before and
// after reading each file.
type steady struct {
	fs.FS
	expected map[string]string
	copies   map[string]*copiedFile // nil before copy
	changed  atomic.Bool
}

func newSteady(fsys fs.FS, l *layout) *steady {
	s := &steady{FS: fsys, expected: make(map[string]string, len(l.files))}
	for _, f := range l.files {
		s.expected[f.path] = describe(f.path, f.info)
	}
	return s
}

// copy copies the files of a layout into memory, and opens the copies from then on. It returns
// false, and copies none, if they are too large. It skips unreadable files: opening them fails
// again.
func (s *steady) copy(l *layout) bool {
	size := int64(0)
	for _, f := range l.files {
		size += f.info.Size()
	}
	if size > maxCopied {
		return false
	}
	copies := make(map[string]*copiedFile, len(l.files))
	for _, f := range l.files {
		if data, ok := s.read(f); ok {
			copies[f.path] = &copiedFile{info: f.info, data: data}
		}
	}
	s.copies = copies
	return true
}

// read returns the bytes of a file. A file that is longer than listed has changed, which is
// detected when it is closed.
func (s *steady) read(f *file) ([]byte, bool) {
	from, err := s.Open(f.path)
	if err != nil {
		return nil, false
	}
	defer from.Close() // it was only read
	data, err := io.ReadAll(io.LimitReader(from, f.info.Size()))
	return data, err == nil
}

// copiedFile is a file in memory.
type copiedFile struct {
	info fs.FileInfo
	data []byte
}

func (f *copiedFile) open() fs.File { return openCopy{bytes.NewReader(f.data), f.info} }

type openCopy struct {
	*bytes.Reader
	info fs.FileInfo
}

func (f openCopy) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f openCopy) Close() error               { return nil }

// Open implements [fs.FS].
func (s *steady) Open(name string) (fs.File, error) {
	if f := s.copies[name]; f != nil {
		return f.open(), nil
	}
	f, err := s.FS.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		s.changed.Store(true) // it was removed
	}
	if err != nil {
		return nil, err
	}
	watched := steadyFile{f, s, name}
	watched.checkSame()
	return watched, nil
}

type steadyFile struct {
	fs.File
	of   *steady
	name string
}

func (f steadyFile) checkSame() {
	info, err := f.Stat()
	if err != nil || describe(f.name, info) != f.of.expected[f.name] {
		f.of.changed.Store(true)
	}
}

// Close implements [fs.File].
func (f steadyFile) Close() error {
	f.checkSame()
	return f.File.Close()
}
