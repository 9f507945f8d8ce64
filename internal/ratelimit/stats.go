package ratelimit

// Stats says what a store did since it was made, and how it is now.
type Stats struct {
	Redis    uint64 // decisions made in Redis
	Local    uint64 // decisions made in memory
	Unshared uint64 // charges that Redis was not told of
	Open     bool   // Redis is not asked at present
	Entries  int    // keys that owe something and have a place of their own in memory
	Spills   uint64 // times that a key was put into a cell in memory, for want of a place
}

// Stats goes through all that is kept, in some milliseconds: it is for metrics,
// not for requests.
func (m *Memory) Stats() Stats {
	stats := Stats{Spills: m.spills.Load()}
	now := int64(m.now())
	for i := range m.sets {
		s := &m.sets[i]
		s.mu.Lock()
		stats.Local += s.takes
		for way := range s.paid {
			if debtAt(s.paid[way], s.part[way], now) != (debt{}) {
				stats.Entries++
			}
		}
		s.mu.Unlock()
	}
	return stats
}

// Stats returns those of the local Memory along with its own. It takes as long.
func (r *Redis) Stats() Stats {
	stats := r.local.Stats()
	stats.Redis = r.decided.Load()
	stats.Unshared = r.unshared.Load()
	stats.Open = !r.breaker.closed()
	return stats
}
