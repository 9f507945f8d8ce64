package ratelimit

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"runtime/debug"
	"strconv"
	"testing"
	"time"
)

func number(n int) Key {
	var name [8]byte
	binary.BigEndian.PutUint64(name[:], uint64(n))
	return KeyOf(name[:])
}

// TestPlaces holds the promise of Memory: so many keys at once have a place of
// their own, but for less than one in a million. The bound leaves room for
// chance: more than a few are never to be expected.
func TestPlaces(t *testing.T) {
	clock, ctx := &manual{}, context.Background()
	m := newMemory(sets, cells, clock.now)
	const keys = 262_144
	for n := range keys {
		m.Take(ctx, number(n), perMinute, 60)
	}
	stats := m.Stats()
	if stats.Spills > 4 || stats.Entries < keys-4 {
		t.Errorf("%d keys have %d places, and %d were put into cells", keys, stats.Entries, stats.Spills)
	}
	for n := range keys {
		if m.Take(ctx, number(n), perMinute, 1).Allowed {
			t.Fatalf("key %d was freed", n)
		}
	}
}

// TestTenMillion: ten million keys take no more memory than was promised, free
// nobody, and lock nobody out who comes now and then.
func TestTenMillion(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("NOT TESTED: ten million keys; leave out -short and -race")
	}
	clock, ctx := &manual{}, context.Background()
	perHour := Policy{Quota: 60, Window: time.Hour}
	const limited, flood = 10_000, 10_000_000
	debug.FreeOSMemory() // what other tests left
	before := resident(t)
	m := newMemory(sets, cells, clock.now)
	for n := range limited {
		m.Take(ctx, number(-1-n), perHour, 60)
	}
	refused := 0
	for n := range flood {
		clock.at += time.Microsecond
		if !m.Take(ctx, number(n), perMinute, 1).Allowed {
			refused++
		}
	}
	for n := range limited {
		if m.Take(ctx, number(-1-n), perHour, 1).Allowed {
			t.Fatalf("limited key %d was freed", n)
		}
	}
	// Some fall into a cell of a key that is limited.
	if refused > flood/50 {
		t.Errorf("%d of %d keys were refused what was their first", refused, flood)
	}
	grown := resident(t) - before
	t.Logf("%d keys: %.1f MiB more, %d refused, %+v", flood, float64(grown)/(1<<20), refused, m.Stats())
	if grown > 64<<20 {
		t.Errorf("%d keys take %d bytes", flood, grown)
	}
}

// resident returns what the process has of the memory of the machine.
func resident(t *testing.T) int {
	status, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("NOT TESTED: memory can be measured on Linux only:", err)
	}
	pages, err := strconv.Atoi(string(bytes.Fields(status)[1]))
	must(t, err)
	return pages * os.Getpagesize()
}
