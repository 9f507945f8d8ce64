package distribution

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// ErrLocked reports that another process writes the folder.
var ErrLocked = errors.New("another process writes the distribution")

// lockFile is the name of the file whose lock is the right to write the folder. The system releases
// the lock when a process ends. The file stays.
const lockFile = ".lock"

// lock is the right of this process to write a folder; nil for none.
type lock struct{ file *os.File }

// acquire returns the lock of a folder. held is an earlier one of the same folder, which is returned
// unless its file was removed. The error for a folder that another process writes wraps [ErrLocked].
func acquire(dir string, held *lock) (*lock, error) {
	path := filepath.Join(dir, lockFile)
	if held.is(path) {
		return held, nil
	}
	held.release()
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := tryLock(file); err != nil {
		defer file.Close()
		if errors.Is(err, errHeld) {
			return nil, fmt.Errorf("%w%s", ErrLocked, holder(file))
		}
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	next := &lock{file}
	if err := describe(file, fmt.Sprintf("process %d on %s\n", os.Getpid(), host)); err != nil {
		next.release()
		return nil, err
	}
	if !next.is(path) { // removed in between
		next.release()
		return nil, fmt.Errorf("lock %s: it was replaced", path)
	}
	return next, nil
}

// describe writes the text that names the holder.
func describe(file *os.File, text string) error {
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err := file.WriteAt([]byte(text), 0)
	return err
}

// holder returns the text about the holder of a lock, for a message; "" if it is unknown.
func holder(file *os.File) string {
	text, err := io.ReadAll(io.LimitReader(file, 300))
	if name := strings.TrimSpace(string(text)); err == nil && name != "" {
		return " (" + name + ")"
	}
	return ""
}

// is reports whether the lock is that of the file at a path.
func (l *lock) is(path string) bool {
	if l == nil {
		return false
	}
	ours, err := l.file.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(ours, there)
}

// release releases the lock. Later calls do nothing.
func (l *lock) release() {
	if l != nil {
		l.file.Close() // which nothing else uses; the system releases the lock in any case
	}
}
