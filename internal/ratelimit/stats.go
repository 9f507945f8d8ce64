package ratelimit

// Stats are the counters and the state of a store.
type Stats struct {
	Redis    uint64 // decisions made in Redis
	Local    uint64 // decisions made in memory
	Unshared uint64 // charges that were not sent to Redis
	Open     bool   // the breaker is open: Redis is not used
	Entries  int    // keys in debt with a place in memory
	Spills   uint64 // evictions from a full set to a cell in memory
}

// Stats scans all sets, in some milliseconds: it is for metrics, not for requests.
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

// Stats adds the counters of Redis to those of the Memory.
func (r *Redis) Stats() Stats {
	stats := r.local.Stats()
	stats.Redis = r.decided.Load()
	stats.Unshared = r.unshared.Load()
	stats.Open = !r.breaker.closed()
	return stats
}
