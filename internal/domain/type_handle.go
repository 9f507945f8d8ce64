package domain

import (
	"fmt"
	"strings"
)

const maxHandle = 50 // bytes

// handleType is a line with a handle. Files may write an @ before it.
type handleType struct{ lineType }

func (t handleType) readLine(text string, number bool) (line, wanted, remedy string) {
	line, wanted, remedy = t.lineType.readLine(text, number)
	return strings.TrimPrefix(line, "@"), wanted, remedy
}

func (handleType) isFree(*Field) bool { return false }

func (handleType) random(r *Random, f *Field, record any) {
	handle := r.line(f)
	if r.Int(2) == 1 && r.Arbitrary == nil {
		handle = strings.ToUpper(handle[:1]) + handle[1:]
	}
	*f.Line(record) = handle
}

// validHandle reports whether a non-empty handle is well-formed.
func validHandle(handle string) bool { return len(handle) <= maxHandle && only(handle, isWordByte) }

func handleFault(what, handle string) *fault {
	if validHandle(handle) {
		return nil
	}
	return &fault{RuleMalformedHandle, fmt.Sprintf("%s %s is not well-formed", what, quote(handle)), handleRemedy(handle)}
}

// handleRemedy extracts the handle from the address of a profile or of a page below it, the most
// frequent mistake.
func handleRemedy(handle string) string {
	name := handle
	if _, rest, ok := strings.Cut(name, "://"); ok {
		name = rest
	}
	if host, path, ok := strings.Cut(name, "/"); ok && isHost(host) {
		name = path
	}
	name, _, _ = strings.Cut(strings.TrimLeft(name, "@"), "/")
	name, _, _ = strings.Cut(name, "?")
	if !isPlaceholder(handle) && name != handle && name != "" && len(name) <= maxHandle && only(name, isWordByte) {
		return "write " + name
	}
	return `use ASCII letters, digits and "_", at most 50`
}
