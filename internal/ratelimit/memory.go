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
	ways  = 16      // places in a set
	sets  = 1 << 16 // a power of two
	cells = 1 << 20 // a power of two
)

// Memory keeps what keys owe in a fixed amount of the process's memory, by a
// monotonic clock: the wall clock may jump.
//
// It is a set-associative cache. The hash of a key names one of 65,536 sets, in
// which the key has one of 16 places. While no more than 262,144 keys owe something
// at once, less than one in a million of them is expected to find its set full.
// Then, of these 16 keys and the new one, the one that owes least gets no place.
// Another part of its hash names one of 1,048,576 cells. What it owes is left there,
// unless other keys left more. A key that has no place starts with what its cell
// says.
//
// It must be so elaborate because anybody can send requests from very many
// addresses: a map would grow without bound, and a bounded one that forgets keys
// would free those who owe. Here a key never owes less than it took. It may owe more,
// what another key left in their cell.
//
// Hashes are keyed by a secret of the process, so that nobody can choose whom to
// share a set or a cell with. Keys of the same 64-bit hash are one key.
type Memory struct {
	now    func() time.Duration // since a fixed moment; never goes back
	seed   maphash.Seed
	sets   []set
	cells  []atomic.Int64 // when what is owed is paid, in nanoseconds of now
	spills atomic.Uint64
}

// set has places for 16 of the keys whose hashes name it. A place whose debt is paid
// is free.
type set struct {
	mu    sync.Mutex
	takes uint64       // decisions made here
	tag   [ways]uint64 // the hash of the key
	paid  [ways]int64  // when the debt is paid, in nanoseconds of now …
	part  [ways]uint64 // … plus the part of a nanosecond; see [debt]
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

// oweAtLeast notes that a key owes so much at least.
func (m *Memory) oweAtLeast(key Key, p Policy, owes time.Duration) {
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

// owed returns what a key owes that has a place, and 0 for others: what a cell says
// may be owed by another key.
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
	way  int   // the place in the set: that of the key, or else the one to give up for it
	own  bool  // the way is that of the key
	now  int64 // nanoseconds
	owes debt  // perhaps more than the policy at hand allows
}

// lock locks the set of a key and returns what stands there.
func (m *Memory) lock(key Key) place {
	hash := maphash.Bytes(m.seed, key[:])
	at := place{hash: hash, set: &m.sets[hash&uint64(len(m.sets)-1)]}
	at.set.mu.Lock()
	at.now = int64(m.now()) // under the lock, so that it does not go back within a set
	at.way, at.own = at.set.wayOf(hash)
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

// wayOf returns the way of a hash, or else the one that owes least.
func (s *set) wayOf(hash uint64) (way int, own bool) {
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

// spill leaves what a key owes in its cell, unless more is there.
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
