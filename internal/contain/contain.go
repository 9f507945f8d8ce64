// Package contain makes a panic an error where work is asked for.
//
// It must not know what the work is. It has no state.
package contain

import (
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
)

// Error says that work panicked. That is a fault of this program, whatever it
// was given: who asked for the work keeps what it has.
type Error struct {
	Text  string // in one line, without the stack: no two are the same, and a fault is reported once
	Stack string // where it was
}

func (e *Error) Error() string { return e.Text }

// LogValue has the stack, which a terminal and /readyz do without.
func (e *Error) LogValue() slog.Value {
	return slog.GroupValue(slog.String("text", e.Text), slog.String("stack", e.Stack))
}

// Panic makes a panic an [*Error], with the text that say makes of its cause,
// which is one line. Where nothing panicked, it does nothing. It is to be deferred.
func Panic(err *error, say func(cause string) string) {
	panicked := recover()
	if panicked == nil {
		return
	}
	// A panic of another goroutine brings the stack of that one along.
	cause, stack, _ := strings.Cut(fmt.Sprint(panicked), "\n")
	*err = &Error{Text: say(cause), Stack: stack + string(debug.Stack())}
}
