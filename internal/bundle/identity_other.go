//go:build !(aix || dragonfly || linux || openbsd || solaris || darwin || freebsd || netbsd)

package bundle

import (
	"io/fs"
	"time"
)

// identity is "" on platforms without file identities.
func identity(fs.FileInfo) string { return "" }

// changedAt returns the last change of a file's content, the only one that the platform records.
func changedAt(info fs.FileInfo) time.Time { return info.ModTime() }
