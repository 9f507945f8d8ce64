package operations

import (
	"context"
	"errors"
	"net/http"

	"vitrine/internal/admission"
	"vitrine/internal/response"
)

// plan describes how to make a body.
type plan struct {
	size   int // of the document in bytes, upper bound
	effort response.Effort
	body   func() []byte                           // the document
	pieces func(size int, take func(piece []byte)) // the document too; see [response.Packer.Large]
}

// cachedReply returns the cached body of a key or, for a large body, its encoding that the
// client accepts.
func (h *Handler) cachedReply(r request, k key, effort response.Effort) (reply, bool) {
	a, body, ok := h.cache.get(k)
	if !ok && h.cache != nil {
		choice, err := response.Choose(r.accept, effort)
		if err != nil {
			return reply{}, false
		}
		k.choice = choice
		a, body, ok = h.cache.get(k)
	}
	if !ok {
		return reply{}, false
	}
	return reply{key: k, entry: a, body: body, fields: a.fields}, true
}

// planned returns a reply with the plan of a body. It returns an error for a large body of
// which the client accepts no encoding.
func (h *Handler) planned(r request, k key, a *cacheEntry, p plan) (reply, error) {
	if p.size >= response.Large {
		choice, err := response.Choose(r.accept, p.effort)
		if err != nil {
			return reply{}, err
		}
		k.choice = choice
	}
	a.first = r.clone(k.choice)
	return reply{key: k, entry: a, fields: a.fields, plan: &p}, nil
}

// makeBody makes the body of a plan.
func (h *Handler) makeBody(k key, p *plan) *response.Body {
	if p.size >= response.Large {
		return h.packer.Large(k.choice, p.effort, p.pieces)
	}
	return h.packer.Body(p.body(), p.effort)
}

// makeNow returns a reply with its body. It makes a planned body without reserving memory,
// so it is for small bodies and for the one goroutine that warms the cache.
func (h *Handler) makeNow(reply reply) (reply, error) {
	if reply.plan == nil {
		return reply, nil
	}
	a, body, err := h.cache.getOrMake(reply.key, reply.entry, func() (*response.Body, error) {
		return h.makeBody(reply.key, reply.plan), nil
	})
	reply.entry, reply.body = a, body
	return reply, err
}

// withBody returns a reply with its body, and a hold of the body's memory until it is sent.
// A small body needs no hold. Neither does a cached body whose content is not sent, if
// there is no room. Otherwise the request may wait for memory; it first leaves its place
// among the requests in flight. Replies are passed by value so that one with a body, the
// usual case, costs no allocation.
func (h *Handler) withBody(r *http.Request, pass admission.Pass, found reply, place *place) (reply, response.Hold, error) {
	if found.plan != nil && found.plan.size < response.Counted {
		found, err := h.makeNow(found)
		return found, response.Hold{}, err
	}
	if found.plan != nil {
		place.leave()
		return h.makeWithRoom(r.Context(), response.Client(pass.Taker(r)), found)
	}
	if !found.body.Counts() {
		return found, response.Hold{}, nil
	}
	budget, client := h.budgetFor(found.body.Large()), response.Client(pass.Taker(r))
	if hold, ok := budget.TryTake(client, found.body); ok {
		return found, hold, nil
	}
	if response.Unsent(r, found.body) {
		return found, response.Hold{}, nil
	}
	place.leave()
	hold, err := budget.Take(r.Context(), client, found.body)
	return found, hold, err
}

// budgetFor returns the budget of a body. Large bodies have their own budget, so that
// others never wait for them.
func (h *Handler) budgetFor(large bool) *response.Budget {
	if large {
		return h.large
	}
	return h.middle
}

// makeWithRoom makes the body of a reply when there is memory for it. Concurrent requests
// share the body that the first of them makes. Without memory, each of them waits for the
// share of its own client.
func (h *Handler) makeWithRoom(ctx context.Context, client response.Client, reply reply) (reply, response.Hold, error) {
	plan, budget := reply.plan, h.budgetFor(reply.plan.size >= response.Large)
	var hold response.Hold
	kept := false
	defer func() {
		if !kept {
			hold.Release()
		}
	}()
	getOrMake := func() (*cacheEntry, *response.Body, error) {
		return h.cache.getOrMake(reply.key, reply.entry, func() (*response.Body, error) {
			if !hold.Held() {
				var ok bool
				if hold, ok = budget.TryReserve(client, plan.memory()); !ok {
					return nil, response.ErrNoRoom
				}
			}
			return h.makeBody(reply.key, plan), nil
		})
	}
	a, body, err := getOrMake()
	for errors.Is(err, response.ErrNoRoom) { // for this client, or for another whose request came first
		if !hold.Held() {
			if hold, err = budget.Reserve(ctx, client, plan.memory()); err != nil {
				break
			}
		}
		a, body, err = getOrMake()
	}
	if err != nil {
		return reply, response.Hold{}, err
	}
	reply.entry, reply.body = a, body
	if !hold.Held() { // another request made it
		hold, err := budget.Take(ctx, client, body)
		return reply, hold, err
	}
	hold.Keep(body)
	kept = true
	return reply, hold, nil
}

// memory returns an upper bound for the bytes that making the body takes: one encoding of a
// large body, else the document and one compressed form.
func (p *plan) memory() int64 {
	if p.size >= response.Large {
		return int64(p.size)
	}
	return 2 * int64(p.size)
}
