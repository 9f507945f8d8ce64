package api

// Occupy takes a place among the requests in flight; the function that it
// returns gives it back.
func (h *Handler) Occupy() (release func()) {
	h.enter()
	return h.leave
}

// KeptBytes returns the bytes of the keys and bodies that are kept.
func (h *Handler) KeptBytes() int {
	h.bodies.CleanUp()
	total := 0
	for k, e := range h.bodies.All() {
		total += len(k.variant) + e.body.Weight()
	}
	return total
}
