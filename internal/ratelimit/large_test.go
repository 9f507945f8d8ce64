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

// TestPlaces checks the claim of Memory that fewer than one in a million of so many keys find
// a full set. The bound is larger than the expected number, because hashes are random.
func TestPlaces(t *testing.T) {
	clock, ctx := &manual{}, context.Background()
	m := newMemory(sets, cells, clock.now)
	const keys = 262_144
	for n := range keys {
		m.Take(ctx, number(n), perMinute, 60)
	}
	stats := m.Stats()
	if stats.Spills > 4 || stats.Entries < keys-4 {
		t.Errorf("%d keys: %d entries and %d spills", keys, stats.Entries, stats.Spills)
	}
	for n := range keys {
		if m.Take(ctx, number(n), perMinute, 1).Allowed {
			t.Fatalf("key %d is allowed again", n)
		}
	}
}

// TestTenMillion checks that ten million keys take a bounded amount of memory, free no
// limited key and refuse few new ones.
func TestTenMillion(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("NOT TESTED: ten million keys; run without -short and -race")
	}
	clock, ctx := &manual{}, context.Background()
	perHour := Policy{Quota: 60, Window: time.Hour}
	const limited, flood = 10_000, 10_000_000
	debug.FreeOSMemory() // memory of other tests
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
			t.Fatalf("limited key %d is allowed again", n)
		}
	}
	// Some share a cell with a limited key.
	if refused > flood/50 {
		t.Errorf("%d of %d keys were refused their first request", refused, flood)
	}
	grown := resident(t) - before
	t.Logf("%d keys: %.1f MiB more, %d refused, %+v", flood, float64(grown)/(1<<20), refused, m.Stats())
	if grown > 64<<20 {
		t.Errorf("%d keys take %d bytes", flood, grown)
	}
}

// resident returns the resident memory of the process.
func resident(t *testing.T) int {
	status, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("NOT TESTED: memory is measured only on Linux:", err)
	}
	pages, err := strconv.Atoi(string(bytes.Fields(status)[1]))
	must(t, err)
	return pages * os.Getpagesize()
}
