package operations

import (
	"context"
	"runtime"
	"slices"
	"time"

	"vitrine/internal/query"
	"vitrine/internal/response"
)

// Operation is a row of the table of operations.
type Operation struct {
	Name, Template string
	Takes          query.Parameters
	Record         query.Kind // of the record that the path names, "" for none
}

// Table returns the table of operations.
func Table() []Operation {
	var all []Operation
	for _, op := range operations() {
		of := Operation{Name: op.name, Template: op.template, Takes: op.takes}
		if op.record != nil {
			of.Record = op.record.kind
		}
		all = append(all, of)
	}
	return all
}

// Deprecate announces that an operation will be removed.
func (h *Handler) Deprecate(name string, since, removal time.Time, about string) {
	for i := range h.operations {
		if op := &h.operations[i]; op.name == name {
			op.deprecated = &deprecation{since, removal, about}
		}
	}
}

// Occupy takes a place among the requests in flight. release frees it.
func (h *Handler) Occupy() (release func()) {
	place, _ := h.enter()
	return place.leave
}

// CachedBytes returns the weight of all cached entries and bodies.
func (h *Handler) CachedBytes() int {
	h.cache.cleanUp()
	total := 0
	for k, a := range h.cache.entries.All() {
		total += a.weight(k)
	}
	for b := range h.cache.bodies.Values() {
		total += b.Weight()
	}
	return total
}

// WeighedBytes returns the weight that the cache compares with its budget.
func (h *Handler) WeighedBytes() int {
	h.cache.cleanUp()
	return int(h.cache.entries.WeightedSize() + h.cache.bodies.WeightedSize())
}

// CachedBodies returns the cached bodies in no particular order.
func (h *Handler) CachedBodies() []*response.Body {
	h.cache.cleanUp()
	return slices.Collect(h.cache.bodies.Values())
}

func (s *cache) cleanUp() {
	s.entries.CleanUp()
	s.bodies.CleanUp()
}

// Warm warms the cache for the current snapshot as [Handler.Run] does.
func (h *Handler) Warm(ctx context.Context) {
	h.runs.Add(1)
	defer h.runs.Add(-1)
	h.warm(ctx, h.current())
}

// BoundAnswers sets the memory for responses that are not large, and for large ones.
func (h *Handler) BoundAnswers(middle, large int64) {
	h.middle, h.large = response.NewBudget(middle, 0), response.NewBudget(large, 1)
}

// AwaitRenders waits until that many pages are running or queued, with that many waiting
// requests.
func (h *Handler) AwaitRenders(pages, requests int) {
	for {
		h.renders.mu.Lock()
		waiting := 0
		for _, of := range h.renders.running {
			waiting += of.waiting
		}
		found := len(h.renders.running)
		h.renders.mu.Unlock()
		if found == pages && waiting == requests {
			return
		}
		runtime.Gosched()
	}
}

// AwaitPrepared waits until all replies of the current generation are prepared.
func (h *Handler) AwaitPrepared() {
	for _, p := range []*prepared{h.files, h.current().prepared} {
		for _, one := range p.order {
			<-one.done
		}
	}
}

// Answers returns the memory that responses hold, and the number of requests that wait for
// memory.
func (h *Handler) Answers() (bytes int64, waiting int) {
	middle, large := h.middle.Usage(), h.large.Usage()
	return middle.Held + large.Held, middle.Waiting + large.Waiting
}
