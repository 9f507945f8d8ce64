package api

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

// key names an answer among those of all editions. Two requests that have the
// same body by the contract have the same key, however they are spelled.
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

// answer is what is known of a key: which body, and what is said of it.
type answer struct {
	body   response.ID
	fields response.Fields
	search string       // `q` as fields.Link has it
	total  int          // records that match, for lists
	first  request      // the one that the answer was found for
	warmth atomic.Int32 // for how many more editions it is prepared if nobody asks; see keepWarm
}

// weight returns the memory that a key and its answer take, in bytes, roughly.
func (a *answer) weight(k key) int {
	n := 512 + len(k.variant) + len(a.search) + len(a.first.query) + len(a.first.segment)
	for _, link := range a.fields.Link {
		n += len(link)
	}
	return n
}

// shelf keeps answers and bodies within a budget of bytes. Bodies are kept by
// what they hold: those of two answers that are equal, of two locales or of two
// editions, are one body, with one compressed form of each encoding. A nil
// *shelf keeps nothing.
type shelf struct {
	answers *otter.Cache[key, *answer]
	bodies  *otter.Cache[response.ID, *response.Body]

	hits, misses atomic.Uint64
}

// newShelf returns a shelf of a budget in bytes, nil for 0. An eighth of it is
// for the answers, which are small beside their bodies.
func newShelf(budget int64) (*shelf, error) {
	if budget <= 0 {
		return nil, nil
	}
	forAnswers := budget / 8
	answers, err := otter.New(&otter.Options[key, *answer]{
		MaximumWeight: uint64(forAnswers),
		// Keys count, too: a list of tags may be longer than what it finds.
		Weigher: func(k key, a *answer) uint32 { return weigh(a.weight(k)) },
	})
	if err != nil {
		return nil, err
	}
	bodies, err := otter.New(&otter.Options[response.ID, *response.Body]{
		MaximumWeight: uint64(budget - forAnswers),
		Weigher:       func(_ response.ID, b *response.Body) uint32 { return weigh(b.Weight()) },
	})
	if err != nil {
		return nil, err
	}
	return &shelf{answers: answers, bodies: bodies}, nil
}

func weigh(n int) uint32 { return uint32(min(n, 1<<32-1)) }

// get returns the answer for a key and its body, if both are kept.
func (s *shelf) get(k key) (*answer, *response.Body, bool) {
	if s == nil {
		return nil, nil, false
	}
	a, ok := s.answers.GetIfPresent(k)
	if !ok {
		return nil, nil, false
	}
	b, ok := s.bodies.GetIfPresent(a.body)
	if ok {
		s.hits.Add(1)
	}
	return a, b, ok
}

// find returns the answer for a key and its body, making them once however many
// requests ask for them at the same time. All of those have the error of make.
func (s *shelf) find(k key, a *answer, make func() (*response.Body, error)) (*answer, *response.Body, error) {
	if s == nil {
		body, err := make()
		return a, body, err
	}
	if a, b, ok := s.get(k); ok {
		return a, b, nil
	}
	s.misses.Add(1)
	var body *response.Body // also if there is no room for it
	// Not the request's context: others may be waiting for the same answer.
	a, err := s.answers.Get(context.Background(), k, otter.LoaderFunc[key, *answer](
		func(context.Context, key) (*answer, error) {
			made, err := make()
			if err != nil {
				return nil, err
			}
			body = s.share(made)
			a.body = body.ID()
			return a, nil
		},
	))
	if err != nil || body != nil {
		return a, body, err
	}
	// Somebody else made the answer, now or before its body was put out.
	body, err = s.bodies.Get(context.Background(), a.body, otter.LoaderFunc[response.ID, *response.Body](
		func(context.Context, response.ID) (*response.Body, error) { return make() },
	))
	return a, body, err
}

// share returns the body of these bytes that is kept, which is b if there was
// none.
func (s *shelf) share(b *response.Body) *response.Body {
	b, _ = s.bodies.SetIfAbsent(b.ID(), b)
	return b
}

// reweigh notes that a body has grown, if it is kept.
func (s *shelf) reweigh(b *response.Body) {
	if s == nil {
		return
	}
	s.bodies.ComputeIfPresent(b.ID(), func(kept *response.Body) (*response.Body, otter.ComputeOp) {
		return kept, otter.WriteOp
	})
}

// hot returns answers of generations before the given one that clients asked
// for lately, those that are likely to be asked for again first, at most n.
func (s *shelf) hot(generation uint64, n int) []*answer {
	var hot []*answer
	for entry := range s.answers.Hottest() {
		if len(hot) == n {
			break
		}
		if entry.Key.generation < generation && entry.Value.warmth.Load() > 0 {
			hot = append(hot, entry.Value)
		}
	}
	return hot
}

// sweep forgets the answers of generations before the given one, and the
// bodies that no answer is left for.
func (s *shelf) sweep(generation uint64) {
	if s == nil {
		return
	}
	var stale []key
	used := map[response.ID]bool{}
	for k, a := range s.answers.All() {
		if k.generation >= generation {
			used[a.body] = true
		} else {
			stale = append(stale, k)
		}
	}
	for _, k := range stale {
		s.answers.Invalidate(k)
	}
	for _, id := range slices.Collect(s.bodies.Keys()) {
		if !used[id] {
			s.bodies.Invalidate(id)
		}
	}
}

// clone returns the request without the memory of the request that it came
// with, and as one that makes a choice.
func (r request) clone(choice response.Choice) request {
	return request{
		operation: r.operation, query: strings.Clone(r.query), segment: strings.Clone(r.segment), accept: choice.Accept(),
	}
}
