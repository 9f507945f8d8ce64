//go:build unix

package distribution

import (
	"errors"
	"os"
	"syscall"
)

// errHeld reports that another process has the lock.
var errHeld = errors.New("it is locked")

// tryLock locks an open file without waiting.
func tryLock(file *os.File) error {
	for {
		switch err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errHeld
		default:
			return err
		}
	}
}
