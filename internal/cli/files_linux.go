package cli

import "syscall"

// openFiles returns how many files the process may have open, 0 if that is not
// known. The Go runtime has raised the limit as far as it may.
func openFiles() uint64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return limit.Cur
}
