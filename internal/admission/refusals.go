package admission

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// Naming is the way in which logs name rate-limited clients.
type Naming uint8

const (
	// ByPrefix names the network: the /24 of an IPv4 address, the /48 of an IPv6 one.
	ByPrefix Naming = iota
	// ByAddress names the client as quotas count it: an IPv4 address, the /64 of an IPv6 one.
	ByAddress
	// ByNothing names no clients: refusals are only counted.
	ByNothing
)

// Bounds of the recorded refusals.
const (
	refusalsEvery = time.Minute
	maxCounters   = 128 // callers with a counter
	maxNamed      = 5   // callers that a summary names
	maxSummaries  = 60  // summaries that are kept
)

// Refusals summarises the requests over quota in a period.
type Refusals struct {
	Since, Until time.Time
	Total        uint64
	// Top has the callers with the most refusals, in descending order, at most five. None with
	// [ByNothing].
	Top []RefusedCaller
}

// RefusedCaller is a caller and the number of its refused requests. With many callers, the
// count may be too large by up to AtMostTooMany.
type RefusedCaller struct {
	Name                 string
	Count, AtMostTooMany uint64
}

func (c RefusedCaller) String() string {
	if c.AtMostTooMany > 0 {
		return fmt.Sprintf("%s %d to %d", c.Name, c.Count-c.AtMostTooMany, c.Count)
	}
	return fmt.Sprintf("%s %d", c.Name, c.Count)
}

// refusals count refused requests by caller, in a fixed amount of memory: the algorithm
// Space-Saving (Metwally and others, 2005) keeps maxCounters callers, and a new one takes
// over the smallest counter with its count. So the callers with the most refusals are
// among them. It is safe for concurrent use.
type refusals struct {
	mu       sync.Mutex
	naming   Naming
	current  Refusals // without Top
	counters map[caller]*counter
	past     []Refusals // oldest first, without periods that had no refusals
}

// caller is the holder of a key, or a client.
type caller struct {
	holder string // name of an API key, "" for none
	client netip.Prefix
}

type counter struct{ count, tooMany uint64 }

func newRefusals(now time.Time) *refusals {
	return &refusals{current: Refusals{Since: now}, counters: map[caller]*counter{}}
}

// name changes how clients are named. It drops counts under other names, so that no
// unwanted address stays in memory.
func (r *refusals) name(naming Naming) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.naming != naming {
		r.naming, r.past, r.counters = naming, nil, map[caller]*counter{}
	}
}

// add counts a refused request of the holder of a key or, for "", of a client.
func (r *refusals) add(holder string, client netip.Addr) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.current.Total++
	if r.naming == ByNothing {
		return
	}
	who := caller{holder: holder}
	if holder == "" {
		who.client = r.naming.prefix(client)
	}
	if c := r.counters[who]; c != nil {
		c.count++
		return
	}
	if len(r.counters) < maxCounters {
		r.counters[who] = &counter{count: 1}
		return
	}
	var smallest caller
	least := uint64(0)
	for other, c := range r.counters {
		if least == 0 || c.count < least {
			smallest, least = other, c.count
		}
	}
	delete(r.counters, smallest)
	r.counters[who] = &counter{count: least + 1, tooMany: least}
}

// prefix returns the network of a client; the zero Prefix for no address.
func (n Naming) prefix(client netip.Addr) netip.Prefix {
	bits := 24
	switch {
	case client.Is4() && n == ByAddress:
		bits = 32
	case client.Is6() && n == ByAddress:
		bits = 64
	case client.Is6():
		bits = 48
	}
	network, _ := client.Prefix(bits) // fails for no address
	return network
}

func (c caller) String() string {
	switch {
	case c.holder != "":
		return "API key " + c.holder
	case !c.client.IsValid():
		return "clients without an address"
	case c.client.Addr().Is4() && c.client.Bits() == 32:
		return c.client.Addr().String()
	}
	return c.client.String()
}

// summary returns the counts since the last summary. The caller holds the lock.
func (r *refusals) summary(until time.Time) Refusals {
	s := r.current
	s.Until = until
	for who, c := range r.counters {
		s.Top = append(s.Top, RefusedCaller{who.String(), c.count, c.tooMany})
	}
	slices.SortFunc(s.Top, func(a, b RefusedCaller) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	s.Top = slices.Clip(s.Top[:min(len(s.Top), maxNamed)])
	return s
}

// next returns the summary of the counts and resets them. It keeps the summary if there were
// refusals.
func (r *refusals) next(now time.Time) Refusals {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.summary(now)
	r.current, r.counters = Refusals{Since: now}, map[caller]*counter{}
	if s.Total > 0 {
		r.past = append(r.past[max(0, len(r.past)-maxSummaries+1):], s)
	}
	return s
}

// Refusals returns summaries of the last minutes with refused requests, newest first. That of
// the current minute is incomplete. A nil Gate has none.
func (g *Gate) Refusals(now time.Time) []Refusals {
	if g == nil {
		return nil
	}
	g.refusals.mu.Lock()
	defer g.refusals.mu.Unlock()
	all := slices.Clone(g.refusals.past)
	if g.refusals.current.Total > 0 {
		all = append(all, g.refusals.summary(now))
	}
	slices.Reverse(all)
	return all
}

// LogRefusals logs a line for each minute with refused requests until ctx is done. It must be
// called at most once.
func (g *Gate) LogRefusals(ctx context.Context) {
	tick := time.NewTicker(refusalsEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			g.logRefusals()
			return
		case <-tick.C:
			g.logRefusals()
		}
	}
}

func (g *Gate) logRefusals() {
	s := g.refusals.next(time.Now())
	if s.Total == 0 {
		return
	}
	line := []slog.Attr{slog.Uint64("refused", s.Total), slog.Duration("within", s.Until.Sub(s.Since).Round(time.Second))}
	if len(s.Top) > 0 {
		names := make([]string, len(s.Top))
		for i, who := range s.Top {
			names[i] = who.String()
		}
		line = append(line, slog.Any("most", names))
	}
	g.log.LogAttrs(context.Background(), slog.LevelInfo, "requests were refused: quota exhausted", line...)
}
