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

// key identifies an answer in all editions. Two requests that have the same body have
// the same key, however they are spelled (docs/api.md#caching).
type key struct {
	generation uint64
	operation  string
	locale     locale.ID
	variant    string // what else of the request the body depends on
	sort       query.Sort
	ascending  bool
	page       query.Page
	choice     response.Choice // of a large body
}

// entry is what is kept of a key: which body it has, and the headers.
type entry struct {
	body   response.ID
	fields response.Fields
	search string       // `q` as it is spelled in fields.Link
	total  int          // records that match, for lists
	first  request      // the one that the entry was made for
	warmth atomic.Int32 // for how many more editions it is made ahead if nobody asks; see keepWarm
}

// weight returns the memory that a key and its entry take, in bytes, roughly.
func (a *entry) weight(k key) int {
	n := 512 + len(k.variant) + len(a.search) + len(a.first.query) + len(a.first.segment)
	for _, link := range a.fields.Link {
		n += len(link)
	}
	return n
}

// cache keeps entries and bodies within a budget of bytes. A body is kept by its
// hash: where two entries, of two locales or two editions, have equal bodies, it is
// kept and compressed once. A nil *cache keeps nothing.
type cache struct {
	entries *otter.Cache[key, *entry]
	bodies  *otter.Cache[response.ID, *response.Body]

	hits, misses atomic.Uint64
}

// newCache returns a cache with a budget in bytes, nil for 0. An eighth of it is
// for the entries, which are small beside their bodies.
func newCache(budget int64) (*cache, error) {
	if budget <= 0 {
		return nil, nil
	}
	forEntries := budget / 8
	entries, err := otter.New(&otter.Options[key, *entry]{
		MaximumWeight: uint64(forEntries),
		// Keys count, too: a list of tags may be longer than what it finds.
		Weigher: func(k key, a *entry) uint32 { return weigh(a.weight(k)) },
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

// get returns the entry of a key and its body, if both are kept.
func (s *cache) get(k key) (*entry, *response.Body, bool) {
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

// getOrMake returns the entry of a key and its body. Where they are not kept, a
// becomes the entry and makeBody makes the body: once for all requests that ask
// meanwhile, which share its error.
func (s *cache) getOrMake(k key, a *entry, makeBody func() (*response.Body, error)) (*entry, *response.Body, error) {
	if s == nil {
		body, err := makeBody()
		return a, body, err
	}
	if a, b, ok := s.get(k); ok {
		return a, b, nil
	}
	s.misses.Add(1)
	var body *response.Body // also if there is no room for it
	// Not the request's context: others may be waiting for the same body.
	a, err := s.entries.Get(context.Background(), k, otter.LoaderFunc[key, *entry](
		func(context.Context, key) (*entry, error) {
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
	// Another request made the entry: just now, or earlier, and its body is no longer kept.
	body, err = s.bodies.Get(context.Background(), a.body, otter.LoaderFunc[response.ID, *response.Body](
		func(context.Context, response.ID) (*response.Body, error) { return makeBody() },
	))
	return a, body, err
}

// intern returns the kept body that is equal to b. Where there is none, it keeps b
// and returns it.
func (s *cache) intern(b *response.Body) *response.Body {
	b, _ = s.bodies.SetIfAbsent(b.ID(), b)
	return b
}

// reweigh counts anew a body that has grown, if it is kept.
func (s *cache) reweigh(b *response.Body) {
	if s == nil {
		return
	}
	s.bodies.ComputeIfPresent(b.ID(), func(kept *response.Body) (*response.Body, otter.ComputeOp) {
		return kept, otter.WriteOp
	})
}

// hot returns at most n entries of earlier generations that clients asked for
// lately. Those that are most likely to be asked for again come first.
func (s *cache) hot(generation uint64, n int) []*entry {
	var hot []*entry
	for entry := range s.entries.Hottest() {
		if len(hot) == n {
			break
		}
		if entry.Key.generation < generation && entry.Value.warmth.Load() > 0 {
			hot = append(hot, entry.Value)
		}
	}
	return hot
}

// sweep forgets the entries of earlier generations, and the bodies that no entry
// has any more.
func (s *cache) sweep(generation uint64) {
	if s == nil {
		return
	}
	var stale []key
	used := map[response.ID]bool{}
	for k, a := range s.entries.All() {
		if k.generation >= generation {
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

// clone returns a copy of the request that keeps none of the HTTP request's memory,
// and that accepts the one form of the choice.
func (r request) clone(choice response.Choice) request {
	return request{
		operation: r.operation, query: strings.Clone(r.query), segment: strings.Clone(r.segment), accept: choice.Accept(),
	}
}
