package ratelimit

import (
	"context"
	"hash/maphash"
	"sync"
	"sync/atomic"
	"time"
)

// The size of a Memory: about 33 MiB, which are taken from the system only as
// they are used.
const (
	ways  = 16      // places of a set
	sets  = 1 << 16 // a power of two
	cells = 1 << 20 // a power of two
)

// Memory keeps what keys owe in the memory of the process, in a fixed amount
// of it, on a monotonic clock: the wall clock may jump.
//
// A key has a place of its own in one of 65,536 sets of 16. While no more than
// 262,144 keys owe something at once, less than one in a million of them is
// expected to find its set full. Then the one of the seventeen that owes least
// leaves the set, and what it owes goes to the one of 1,048,576 cells that is
// its own by another part of its hash; the cell keeps the most that was put
// there. A key without a place starts with what its cell says. So a key never
// owes less than it took, however many others come; it may owe more, what
// another key of its cell left there, and pays it off as its own. Hashes are
// keyed by a secret of the process: nobody can choose whom to share a set or a
// cell with. Keys that agree in all 64 bits of it are one key.
type Memory struct {
	now    func() time.Duration // since some moment; never goes back
	seed   maphash.Seed
	sets   []set
	cells  []atomic.Int64 // when what is owed is paid, in nanoseconds of now
	spills atomic.Uint64
}

// set has the places of the keys that fall into it. A place whose debt is paid
// is free.
type set struct {
	mu    sync.Mutex
	takes uint64       // decisions made here
	tag   [ways]uint64 // the hash of the key
	paid  [ways]int64  // when the debt is paid, in nanoseconds of now …
	part  [ways]uint64 // … and as much later as the part of the debt says
}

// NewMemory returns a Memory in which nobody owes anything.
func NewMemory() *Memory {
	start := time.Now()
	return newMemory(sets, cells, func() time.Duration { return time.Since(start) })
}

func newMemory(sets, cells int, now func() time.Duration) *Memory {
	return &Memory{
		now:   now,
		seed:  maphash.MakeSeed(),
		sets:  make([]set, sets),
		cells: make([]atomic.Int64, cells),
	}
}

// Take implements Store.
func (m *Memory) Take(_ context.Context, key Key, p Policy, cost int64) Decision {
	if !p.limits() {
		return unlimited
	}
	r := rateOf(p, time.Nanosecond)
	at := m.lock(key)
	defer at.set.mu.Unlock()
	at.set.takes++
	after, allowed := r.take(r.bounded(at.owes), cost)
	if after != at.owes {
		m.keep(at, after)
	}
	return r.decision(after, cost, allowed)
}

// Charge implements Store.
func (m *Memory) Charge(_ context.Context, key Key, p Policy, cost int64) {
	if !p.limits() || cost <= 0 {
		return
	}
	r := rateOf(p, time.Nanosecond)
	at := m.lock(key)
	defer at.set.mu.Unlock()
	m.keep(at, r.charge(r.bounded(at.owes), cost))
}

// note says that a key owes as much or more.
func (m *Memory) note(key Key, p Policy, owes time.Duration) {
	r := rateOf(p, time.Nanosecond)
	at := m.lock(key)
	defer at.set.mu.Unlock()
	after := r.bounded(at.owes)
	if uint64(owes) > after.up() {
		after = r.bounded(debt{ticks: uint64(owes)})
	}
	if after != at.owes {
		m.keep(at, after)
	}
}

// owed returns what a key owes that has a place of its own, and 0 for others:
// what stands in a cell may be another's.
func (m *Memory) owed(key Key, p Policy) time.Duration {
	at := m.lock(key)
	defer at.set.mu.Unlock()
	if !at.own {
		return 0
	}
	return time.Duration(rateOf(p, time.Nanosecond).bounded(at.owes).ticks)
}

// place is where a key stands while its set is locked.
type place struct {
	hash uint64
	set  *set
	way  int   // of the key, or else the one to give up for it
	own  bool  // the key has the way
	now  int64 // nanoseconds
	owes debt  // perhaps more than the policy at hand allows
}

// lock locks the set of a key and returns what stands there.
func (m *Memory) lock(key Key) place {
	hash := maphash.Bytes(m.seed, key[:])
	at := place{hash: hash, set: &m.sets[hash&uint64(len(m.sets)-1)]}
	at.set.mu.Lock()
	at.now = int64(m.now()) // under the lock, so that it does not go back within a set
	at.way, at.own = at.set.find(hash)
	if at.own {
		at.owes = debtAt(at.set.paid[at.way], at.set.part[at.way], at.now)
	} else {
		at.owes = debtAt(m.cell(hash).Load(), 0, at.now)
	}
	return at
}

// debtAt returns what is owed at a time before it is paid.
func debtAt(paid int64, part uint64, now int64) debt {
	if paid < now {
		return debt{} // a part is less than a nanosecond
	}
	return debt{uint64(paid - now), part}
}

// find returns the way of a hash, or else the one that owes least.
func (s *set) find(hash uint64) (way int, own bool) {
	for i, tag := range s.tag {
		if tag == hash {
			return i, true
		}
	}
	for i, paid := range s.paid {
		if paid < s.paid[way] {
			way = i
		}
	}
	return way, false
}

// keep notes what a key owes now.
func (m *Memory) keep(at place, owes debt) {
	s, i := at.set, at.way
	if !at.own {
		if other := debtAt(s.paid[i], s.part[i], at.now).up(); other > 0 {
			if other > owes.up() {
				m.spill(at.hash, at.now, owes.up())
				return
			}
			m.spill(s.tag[i], at.now, other)
		}
	}
	s.tag[i], s.paid[i], s.part[i] = at.hash, at.now+int64(owes.ticks), owes.part
}

// cell returns the cell of a hash.
func (m *Memory) cell(hash uint64) *atomic.Int64 {
	return &m.cells[hash>>32&uint64(len(m.cells)-1)]
}

// spill puts what a key owes into its cell, unless more is there.
func (m *Memory) spill(hash uint64, now int64, ticks uint64) {
	m.spills.Add(1)
	cell, paid := m.cell(hash), now+int64(ticks)
	for {
		old := cell.Load()
		if old >= paid || cell.CompareAndSwap(old, paid) {
			return
		}
	}
}
