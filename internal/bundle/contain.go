package bundle

import (
	"cmp"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
)

// PanicError says that reading a directory panicked. That is a fault of this
// package, whatever the directory holds, so there is no problem to list: the
// caller keeps what it has.
type PanicError struct {
	File  string // that was being read, "" when not known
	Cause string // in one line
	Stack string // where it was
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("reading %s failed (%s), which is a fault of vitrine; please report it, and take the file away until it is mended",
		cmp.Or(printable(e.File), "a file of the directory"), e.Cause)
}

// LogValue has the stack, which a terminal and /readyz do without.
func (e *PanicError) LogValue() slog.Value {
	return slog.GroupValue(slog.String("text", e.Error()), slog.String("stack", e.Stack))
}

// contain makes a panic an error. It is to be deferred; file names what is
// being read by the time of the panic.
func contain(file *string, err *error) {
	panicked := recover()
	if panicked == nil {
		return
	}
	// A panic of another goroutine brings the stack of that one along.
	cause, stack, _ := strings.Cut(fmt.Sprint(panicked), "\n")
	*err = &PanicError{File: *file, Cause: cause, Stack: stack + string(debug.Stack())}
}
