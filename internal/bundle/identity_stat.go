//go:build aix || dragonfly || linux || openbsd || solaris || darwin || freebsd || netbsd

package bundle

import (
	"fmt"
	"io/fs"
	"syscall"
	"time"
)

// identity distinguishes a file from its replacement, and from its state before a change that
// kept size and time; "" if unknown.
func identity(info fs.FileInfo) string {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprint(stat.Dev, stat.Ino, changeTime(stat))
	}
	return ""
}

// changedAt returns the last change of a file, including its name, mode and links.
func changedAt(info fs.FileInfo) time.Time {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		changed := changeTime(stat)
		return time.Unix(changed.Unix())
	}
	return info.ModTime()
}
