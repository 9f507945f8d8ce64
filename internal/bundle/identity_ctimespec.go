//go:build darwin || freebsd || netbsd

package bundle

import "syscall"

func changeTime(stat *syscall.Stat_t) syscall.Timespec { return stat.Ctimespec }
