package follow

import (
	"runtime/debug"
	"runtime/metrics"
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

// How much garbage there may be beside what is served: half as much again, since
// that is large and stays, while requests leave little; or room, since to go
// through a small catalogue for every few megabytes of garbage costs requests a tenth
// of their time.
const (
	room         = 48 << 20 // bytes
	leastGarbage = 50       // percent
	mostGarbage  = 400
)

// makeRoom tells the collector how much garbage to let be beside what is live
// now. It collects once to learn that.
func makeRoom() {
	debug.FreeOSMemory()
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	debug.SetGCPercent(garbageFor(sample[0].Value.Uint64()))
}

// garbageFor returns the percentage of garbage beside a number of live bytes.
func garbageFor(live uint64) int {
	return int(min(mostGarbage, max(leastGarbage, room*100/max(live, 1))))
}
