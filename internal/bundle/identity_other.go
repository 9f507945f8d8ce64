//go:build !(aix || dragonfly || linux || openbsd || solaris || darwin || freebsd || netbsd)

package bundle

import (
	"io/fs"
	"time"
)

// identity is "" where the platform does not tell.
func identity(fs.FileInfo) string { return "" }

// changedAt is when the content of a file changed last; the platform tells no
// more.
func changedAt(info fs.FileInfo) time.Time { return info.ModTime() }
