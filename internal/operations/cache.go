package operations

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/maypok86/otter/v2"

	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/response"
)

// key is the canonical key of a response. Equivalent requests share a cache entry
// (docs/api.md#caching).
type key struct {
	generation uint64
	operation  string
	locale     locale.ID
	variant    string // other parameters that the body depends on
	sort       query.Sort
	ascending  bool
	page       query.Page
	choice     response.Choice // of the encoding of a large body
}

// cacheEntry has the body of a key, and its headers.
type cacheEntry struct {
	body   response.ID
	fields response.Fields
	search string       // `q` as fields.Link has it
	total  int          // matching records of a list
	first  request      // that the entry was made for
	warmth atomic.Int32 // the generations for which it is still warmed without requests; see keepWarm
}

// weight returns the approximate memory of a key and its entry, in bytes.
func (a *cacheEntry) weight(k key) int {
	n := 512 + len(k.variant) + len(a.search) + len(a.first.query) + len(a.first.segment)
	for _, link := range a.fields.Link {
		n += len(link)
	}
	return n
}

// cache keeps entries and bodies within a budget of bytes. Bodies are content-addressed:
// entries with equal bodies, of two locales or generations, share one body and its compressed
// forms. A nil *cache keeps nothing.
type cache struct {
	entries *otter.Cache[key, *cacheEntry]
	bodies  *otter.Cache[response.ID, *response.Body]

	hits, misses atomic.Uint64
}

// newCache returns a cache with a budget in bytes, nil for 0. Entries get an eighth of it.
func newCache(budget int64) (*cache, error) {
	if budget <= 0 {
		return nil, nil
	}
	forEntries := budget / 8
	entries, err := otter.New(&otter.Options[key, *cacheEntry]{
		MaximumWeight: uint64(forEntries),
		// Keys count, too: a list of tags may be longer than the body.
		Weigher: func(k key, a *cacheEntry) uint32 { return weigh(a.weight(k)) },
	})
	if err != nil {
		return nil, err
	}
	bodies, err := otter.New(&otter.Options[response.ID, *response.Body]{
		MaximumWeight: uint64(budget - forEntries),
		Weigher:       func(_ response.ID, b *response.Body) uint32 { return weigh(b.Weight()) },
	})
	if err != nil {
		return nil, err
	}
	return &cache{entries: entries, bodies: bodies}, nil
}

func weigh(n int) uint32 { return uint32(min(n, 1<<32-1)) }

// get returns the entry of a key and its body, if both are cached.
func (s *cache) get(k key) (*cacheEntry, *response.Body, bool) {
	if s == nil {
		return nil, nil, false
	}
	a, ok := s.entries.GetIfPresent(k)
	if !ok {
		return nil, nil, false
	}
	b, ok := s.bodies.GetIfPresent(a.body)
	if ok {
		s.hits.Add(1)
	}
	return a, b, ok
}

// getOrMake returns the entry of a key and its body. If they are not cached, it adds a with
// the body of makeBody. Concurrent requests for a key share one call and its error.
func (s *cache) getOrMake(k key, a *cacheEntry, makeBody func() (*response.Body, error)) (*cacheEntry, *response.Body, error) {
	if s == nil {
		body, err := makeBody()
		return a, body, err
	}
	if a, b, ok := s.get(k); ok {
		return a, b, nil
	}
	s.misses.Add(1)
	var body *response.Body // also if the cache does not keep it
	// Not the request's context: others may be waiting for the same body.
	a, err := s.entries.Get(context.Background(), k, otter.LoaderFunc[key, *cacheEntry](
		func(context.Context, key) (*cacheEntry, error) {
			made, err := makeBody()
			if err != nil {
				return nil, err
			}
			body = s.intern(made)
			a.body = body.ID()
			return a, nil
		},
	))
	if err != nil || body != nil {
		return a, body, err
	}
	// Another request made the entry, and its body may have been evicted.
	body, err = s.bodies.Get(context.Background(), a.body, otter.LoaderFunc[response.ID, *response.Body](
		func(context.Context, response.ID) (*response.Body, error) { return makeBody() },
	))
	return a, body, err
}

// intern returns the cached body that is equal to b, or adds b.
func (s *cache) intern(b *response.Body) *response.Body {
	b, _ = s.bodies.SetIfAbsent(b.ID(), b)
	return b
}

// reweigh updates the weight of a cached body.
func (s *cache) reweigh(b *response.Body) {
	if s == nil {
		return
	}
	s.bodies.ComputeIfPresent(b.ID(), func(cached *response.Body) (*response.Body, otter.ComputeOp) {
		return cached, otter.WriteOp
	})
}

// hot returns at most n entries of earlier generations that clients requested recently, the
// most likely to be requested again first.
func (s *cache) hot(current uint64, n int) []*cacheEntry {
	var hot []*cacheEntry
	for entry := range s.entries.Hottest() {
		if len(hot) == n {
			break
		}
		if entry.Key.generation < current && entry.Value.warmth.Load() > 0 {
			hot = append(hot, entry.Value)
		}
	}
	return hot
}

// sweep removes the entries of earlier generations, and the bodies without an entry.
func (s *cache) sweep(current uint64) {
	if s == nil {
		return
	}
	var stale []key
	used := map[response.ID]bool{}
	for k, a := range s.entries.All() {
		if k.generation >= current {
			used[a.body] = true
		} else {
			stale = append(stale, k)
		}
	}
	for _, k := range stale {
		s.entries.Invalidate(k)
	}
	for _, id := range slices.Collect(s.bodies.Keys()) {
		if !used[id] {
			s.bodies.Invalidate(id)
		}
	}
}

// clone returns a copy of the request without references to the HTTP request, which accepts
// only the encoding of the choice.
func (r request) clone(choice response.Choice) request {
	return request{
		operation: r.operation, query: strings.Clone(r.query), segment: strings.Clone(r.segment), accept: choice.Accept(),
	}
}
