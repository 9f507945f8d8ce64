package server

import (
	"runtime/debug"

	"vitrine/internal/store"
)

// largeState is how many records are worth a garbage collection of their own.
const largeState = 20_000

// settle gives the memory that loading, compiling or writing a large state
// left behind back to the system, rather than when the next one is made, which
// may be weeks later. Readers go on meanwhile.
func settle(state *store.State) {
	c := state.Editors()
	if len(c.Chains)+len(c.Accounts)+len(c.Channels) >= largeState {
		debug.FreeOSMemory()
	}
}
