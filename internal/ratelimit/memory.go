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

// Memory keeps quotas in a fixed amount of memory, by a monotonic clock.
//
// It is a set-associative cache. The hash of a key names one of 65,536 sets, in
// which the key has one of 16 places. If at most 262,144 keys are in debt, fewer than one in
// a million are expected to find a full set. Then the key with the smallest debt is evicted
// to a cell: another part of its hash names one of 1,048,576, which keeps the largest debt
// of its keys. A key without a place starts with the debt in its cell.
//
// Clients may have very many addresses. A map would grow without bound, and a bounded one
// that forgets keys would forgive debts. Here a key never owes less than it took; it may owe
// more, the debt of another key in its cell.
//
// Hashes have a random seed, so clients cannot choose keys that share a set or a cell. Keys
// with the same 64-bit hash are one key.
type Memory struct {
	now    func() time.Duration // since a fixed moment; never goes back
	seed   maphash.Seed
	sets   []set
	cells  []atomic.Int64 // when the debt is paid, in nanoseconds of now
	spills atomic.Uint64
}

// set has 16 places. A place whose debt is paid is free.
type set struct {
	mu    sync.Mutex
	takes uint64       // decisions made here
	tag   [ways]uint64 // the hash of the key
	paid  [ways]int64  // when the debt is paid, in nanoseconds of now …
	part  [ways]uint64 // … plus the part of a nanosecond; see [debt]
}

// NewMemory returns a Memory without debts.
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

// oweAtLeast raises the debt of a key to at least owes.
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

// owed returns the debt of a key that has a place, 0 for others: the debt in a cell may be of
// another key.
func (m *Memory) owed(key Key, p Policy) time.Duration {
	at := m.lock(key)
	defer at.set.mu.Unlock()
	if !at.own {
		return 0
	}
	return time.Duration(rateOf(p, time.Nanosecond).bounded(at.owes).ticks)
}

// place is the place of a key while its set is locked.
type place struct {
	hash uint64
	set  *set
	way  int   // index in the set: of the key, or of the one to evict for it
	own  bool  // the way is that of the key
	now  int64 // nanoseconds
	owes debt  // maybe beyond the current policy
}

// lock locks the set of a key and returns its place.
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

// debtAt returns the debt at a time that is paid at another.
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

// keep stores the debt of a key.
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

// spill raises the debt in the cell of a key.
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
