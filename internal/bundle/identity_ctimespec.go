//go:build darwin || freebsd || netbsd

package bundle

import (
	"fmt"
	"io/fs"
	"syscall"
	"time"
)

// identity is what tells a file from the one that took its place, and from
// what it was before a change that kept its size and time; "" for unknown.
func identity(info fs.FileInfo) string {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprint(stat.Dev, stat.Ino, stat.Ctimespec)
	}
	return ""
}

// changedAt is when a file changed last, its name, mode and links included.
func changedAt(info fs.FileInfo) time.Time {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(stat.Ctimespec.Unix())
	}
	return info.ModTime()
}
