package publish

import (
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
)

// PanicError says that planning or publishing panicked. That is a fault of this
// program, whatever was to be published: the caller keeps what it has.
type PanicError struct {
	Cause string // in one line
	Stack string // where it was
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("publishing failed (%s), which is a fault of vitrine; please report it", e.Cause)
}

// LogValue has the stack, which a terminal and /readyz do without.
func (e *PanicError) LogValue() slog.Value {
	return slog.GroupValue(slog.String("text", e.Error()), slog.String("stack", e.Stack))
}

// contain makes a panic an error. It is to be deferred.
func contain(err *error) {
	panicked := recover()
	if panicked == nil {
		return
	}
	// A panic of another goroutine brings the stack of that one along.
	cause, stack, _ := strings.Cut(fmt.Sprint(panicked), "\n")
	*err = &PanicError{Cause: cause, Stack: stack + string(debug.Stack())}
}
