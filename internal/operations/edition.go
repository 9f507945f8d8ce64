package operations

import (
	"strconv"

	"vitrine/internal/locale"
	"vitrine/internal/snapshot"
)

// edition is a snapshot and its generation, a number that this handler gives to each
// snapshot that it meets. Revision numbers would not do to tell snapshots apart: they
// repeat when a store is replaced.
type edition struct {
	snapshot   *snapshot.Snapshot
	generation uint64
	revision   []string   // the value of Catalog-Revision
	languages  [][]string // the values of Content-Language, by locale.ID
	publicURL  string     // what links begin with
	prepared   *prepared
}

func newEdition(s *snapshot.Snapshot, generation uint64) *edition {
	e := &edition{
		snapshot:   s,
		generation: generation,
		revision:   []string{strconv.FormatInt(s.Revision().Number, 10)},
	}
	if locales := s.Locales(); locales != nil { // nil: a snapshot that was never compiled
		for _, name := range locales.Names() {
			e.languages = append(e.languages, []string{name})
		}
	}
	return e
}

// key returns a key of the edition, one of generation 0 for no edition.
func (e *edition) key(operation string, id locale.ID, variant string) key {
	if e == nil {
		return key{operation: operation, locale: id, variant: variant}
	}
	return key{generation: e.generation, operation: operation, locale: id, variant: variant}
}

// served returns the snapshot of the edition, nil for no edition.
func (e *edition) served() *snapshot.Snapshot {
	if e == nil {
		return nil
	}
	return e.snapshot
}

func (e *edition) language(id locale.ID) []string { return e.languages[id] }

// current returns the edition to answer from, nil while there is no snapshot.
func (h *Handler) current() *edition {
	s := h.snapshot()
	if s == nil {
		return nil
	}
	if e := h.editions.Load(); e != nil && e.snapshot == s {
		return e
	}
	return h.renew()
}

// renew makes the edition of a new snapshot, once however many requests meet it.
func (h *Handler) renew() *edition {
	h.renewing.Lock()
	defer h.renewing.Unlock()
	s := h.snapshot() // what was read before may be old by now
	if s == nil {
		return nil
	}
	var generation uint64
	if e := h.editions.Load(); e != nil {
		if e.snapshot == s {
			return e
		}
		generation = e.generation
	}
	e := newEdition(s, generation+1)
	e.publicURL = h.publicURL
	e.prepared = h.preparedOf(e)
	h.editions.Store(e)
	go h.prepare(e)
	if h.runs.Load() == 0 { // Run would sweep
		h.cache.sweep(e.generation)
	}
	return e
}
