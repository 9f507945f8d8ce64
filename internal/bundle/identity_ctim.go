//go:build aix || dragonfly || linux || openbsd || solaris

package bundle

import "syscall"

func changeTime(stat *syscall.Stat_t) syscall.Timespec { return stat.Ctim }
