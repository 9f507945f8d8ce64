// Package contain converts panics to errors.
//
// It has no state.
package contain

import (
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
)

// Error reports a panic, which is a bug of this program for any input. The caller continues with
// its previous state.
type Error struct {
	Text  string // one line without the stack, so equal faults have equal texts
	Stack string
}

func (e *Error) Error() string { return e.Text }

// LogValue includes the stack, which Error omits.
func (e *Error) LogValue() slog.Value {
	return slog.GroupValue(slog.String("text", e.Text), slog.String("stack", e.Stack))
}

// Panic recovers a panic and sets *err to an [*Error] with the one-line text that say
// returns for its cause. Without a panic, it does nothing. Defer it.
func Panic(err *error, say func(cause string) string) {
	panicked := recover()
	if panicked == nil {
		return
	}
	// A panic of another goroutine carries its own stack.
	cause, stack, _ := strings.Cut(fmt.Sprint(panicked), "\n")
	*err = &Error{Text: say(cause), Stack: stack + string(debug.Stack())}
}
