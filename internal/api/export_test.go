package api

import (
	"context"
	"slices"

	"vitrine/internal/response"
)

// Occupy takes a place among the requests in flight; the function that it
// returns gives it back.
func (h *Handler) Occupy() (release func()) {
	h.enter()
	return h.leave
}

// KeptBytes returns the bytes of the answers and bodies that are kept.
func (h *Handler) KeptBytes() int {
	h.kept.cleanUp()
	total := 0
	for k, a := range h.kept.answers.All() {
		total += a.weight(k)
	}
	for b := range h.kept.bodies.Values() {
		total += b.Weight()
	}
	return total
}

// WeighedBytes returns the bytes that the budget is held against.
func (h *Handler) WeighedBytes() int {
	h.kept.cleanUp()
	return int(h.kept.answers.WeightedSize() + h.kept.bodies.WeightedSize())
}

// KeptBodies returns the bodies that are kept, in no particular order.
func (h *Handler) KeptBodies() []*response.Body {
	h.kept.cleanUp()
	return slices.Collect(h.kept.bodies.Values())
}

func (s *shelf) cleanUp() {
	s.answers.CleanUp()
	s.bodies.CleanUp()
}

// Warm takes up the current snapshot as [Handler.Run] does.
func (h *Handler) Warm(ctx context.Context) {
	h.runs.Add(1)
	defer h.runs.Add(-1)
	h.warm(ctx, h.current())
}

// BoundSending bounds the memory of bodies that are being sent.
func (h *Handler) BoundSending(bytes int64) { h.sending = response.NewBudget(bytes) }

// Sending returns the memory of bodies that are being sent.
func (h *Handler) Sending() int64 { return h.sending.Held() }
