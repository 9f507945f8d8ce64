//go:build !(aix || dragonfly || linux || openbsd || solaris || darwin || freebsd || netbsd)

package bundle

import "io/fs"

// identity is "" where the platform does not tell.
func identity(fs.FileInfo) string { return "" }
