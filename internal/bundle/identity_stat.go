//go:build aix || dragonfly || linux || openbsd || solaris || darwin || freebsd || netbsd

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
		return fmt.Sprint(stat.Dev, stat.Ino, changeTime(stat))
	}
	return ""
}

// changedAt is when a file changed last, its name, mode and links included.
func changedAt(info fs.FileInfo) time.Time {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		changed := changeTime(stat)
		return time.Unix(changed.Unix())
	}
	return info.ModTime()
}
