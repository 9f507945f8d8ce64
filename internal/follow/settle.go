package follow

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// long is the duration of work from which its garbage is returned to the system.
const long = 250 * time.Millisecond

// releaseMemory returns memory to the system after long work. Loading, compiling, writing or checking a
// large catalogue leaves as much garbage as it keeps, and the next collection may be hours away.
// Requests continue meanwhile.
func releaseMemory(took time.Duration) {
	if took > long {
		debug.FreeOSMemory()
	}
}

// The allowed garbage beside the served catalogue is the larger of a percentage and a fixed size.
// The catalogue is large and constant while requests leave little garbage. Without the fixed size,
// frequent collections of a small catalogue cost requests a tenth of their time.
const (
	room         = 48 << 20 // bytes
	leastGarbage = 50       // percent
	mostGarbage  = 400
)

// makeRoom collects once to measure the live memory, and sets the garbage collector by it.
func makeRoom() {
	debug.FreeOSMemory()
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	debug.SetGCPercent(garbageFor(sample[0].Value.Uint64()))
}

// garbageFor returns the garbage percentage (GOGC) for a number of live bytes.
func garbageFor(live uint64) int {
	return int(min(mostGarbage, max(leastGarbage, room*100/max(live, 1))))
}
