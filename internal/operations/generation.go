package operations

import (
	"strconv"
	"time"

	"vitrine/internal/locale"
	"vitrine/internal/snapshot"
)

// generation is a served snapshot, with the values that all its responses share. The handler
// numbers generations in the order of their snapshots. Revision numbers cannot tell
// snapshots apart: they repeat when a store is replaced.
type generation struct {
	snapshot  *snapshot.Snapshot
	number    uint64     // from 1
	revision  []string   // the value of Catalog-Revision
	languages [][]string // the values of Content-Language, by locale.ID
	publicURL string     // prefix of links
	prepared  *prepared
}

func newGeneration(s *snapshot.Snapshot, number uint64) *generation {
	g := &generation{
		snapshot: s,
		number:   number,
		revision: []string{strconv.FormatInt(s.Revision().Number, 10)},
	}
	if locales := s.Locales(); locales != nil { // nil: a snapshot that was never compiled
		for _, name := range locales.Names() {
			g.languages = append(g.languages, []string{name})
		}
	}
	return g
}

// key returns a key of the generation. Keys of a nil generation have the number 0.
func (g *generation) key(operation string, id locale.ID, variant string) key {
	if g == nil {
		return key{operation: operation, locale: id, variant: variant}
	}
	return key{generation: g.number, operation: operation, locale: id, variant: variant}
}

// served returns the snapshot, nil for a nil generation.
func (g *generation) served() *snapshot.Snapshot {
	if g == nil {
		return nil
	}
	return g.snapshot
}

// current returns the generation to serve, nil while there is no snapshot.
func (h *Handler) current() *generation {
	s := h.snapshot()
	if s == nil {
		return nil
	}
	if g := h.latest.Load(); g != nil && g.snapshot == s {
		return g
	}
	return h.renew()
}

// renew returns the generation of a new snapshot. Concurrent calls share one.
func (h *Handler) renew() *generation {
	h.renewing.Lock()
	defer h.renewing.Unlock()
	s := h.snapshot() // it may have changed while waiting for the lock
	if s == nil {
		return nil
	}
	var number uint64
	if g := h.latest.Load(); g != nil {
		if g.snapshot == s {
			return g
		}
		number = g.number
	}
	g := newGeneration(s, number+1)
	g.publicURL = h.publicURL
	g.prepared = h.preparedOf(g)
	h.keepPrevious(s.Revision().Number) // before a request can see g, whose links it may follow later
	h.latest.Store(g)
	go h.prepare(g)
	if h.runs.Load() == 0 { // Run would sweep
		h.cache.sweep(g.number)
	}
	return g
}

// previousFor is how long the previous revision is kept: a shared cache may have its pages for a
// minute, and their reader needs time to follow the links.
const previousFor = 2 * time.Minute

// keepPrevious keeps the latest generation as the previous one for previousFor, unless it has the
// revision that replaces it. Only one is kept, however frequent publishes are. The caller holds
// renewing.
func (h *Handler) keepPrevious(next int64) {
	old := h.latest.Load()
	if old == nil || old.snapshot.Revision().Number == next {
		return
	}
	kept := *old
	kept.prepared = nil // pages of lists are not prepared
	h.previous.Store(&kept)
	number := kept.number // the timer must not keep the snapshot in memory
	time.AfterFunc(previousFor, func() { h.releasePrevious(number) })
}

// releasePrevious releases the previous generation and its cached responses, if it has that
// number.
func (h *Handler) releasePrevious(number uint64) {
	if kept := h.previous.Load(); kept != nil && kept.number == number && h.previous.CompareAndSwap(kept, nil) {
		h.cache.sweep(h.latest.Load().number)
	}
}

// pinned returns the generation of the response to a request: the one of the revision that the
// request names, or g if it names none or one that is not kept. moved is the named revision in the
// last case, else 0.
func (h *Handler) pinned(g *generation, r request) (of *generation, moved int64) {
	named := r.operation.takes.Revision(r.query)
	if named == 0 || g == nil || named == g.snapshot.Revision().Number {
		return g, 0
	}
	if kept := h.previous.Load(); kept != nil && named == kept.snapshot.Revision().Number {
		return kept, 0
	}
	return g, named
}
