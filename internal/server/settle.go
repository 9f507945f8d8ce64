package server

import (
	"runtime/debug"
	"time"
)

// long is how long work takes that leaves much garbage behind.
const long = 250 * time.Millisecond

// settle gives the memory that work left behind back to the system, if it took
// long: loading, compiling, writing or checking all of a large catalogue makes
// as much as it keeps, and the next collection may be hours away. Readers go on
// meanwhile.
func settle(took time.Duration) {
	if took > long {
		debug.FreeOSMemory()
	}
}
