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

// BoundAnswers bounds the memory of answers: of those that are not large, and of
// the large ones.
func (h *Handler) BoundAnswers(middle, large int64) {
	h.middle, h.large = response.NewBudget(middle, 0), response.NewBudget(large, 1)
}

// Answers returns the memory that answers take, and how many requests wait for
// some.
func (h *Handler) Answers() (bytes int64, waiting int) {
	middle, large := h.middle.Usage(), h.large.Usage()
	return middle.Held + large.Held, middle.Waiting + large.Waiting
}
