package store

import "errors"

// ErrTaken reports that the stored task has another token: another process has taken it over.
var ErrTaken = errors.New("another process has taken over the task")

// Task is a periodic task that one of several processes runs, such as a sync. Its state is opaque
// to engines.
type Task struct {
	Name string // unique, not empty
	// Token grows whenever a process takes over the task, so that the writes of the previous one
	// fail with [ErrTaken].
	Token int64
	State []byte // UTF-8 without NUL
}
