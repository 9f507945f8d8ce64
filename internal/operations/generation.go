package operations

import (
	"strconv"

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

func (g *generation) language(id locale.ID) []string { return g.languages[id] }

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
	h.latest.Store(g)
	go h.prepare(g)
	if h.runs.Load() == 0 { // Run would sweep
		h.cache.sweep(g.number)
	}
	return g
}
