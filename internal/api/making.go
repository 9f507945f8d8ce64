package api

import (
	"context"
	"errors"
	"net/http"

	"vitrine/internal/admission"
	"vitrine/internal/response"
)

// plan is how a body is made that is not there yet.
type plan struct {
	size   int // of the document in bytes, at most
	effort response.Effort
	body   func() []byte                           // the document
	pieces func(size int, take func(piece []byte)) // the same; see [response.Packer.Large]
}

// keptReply replies with what is kept for a key: the body, or one form of a large
// one.
func (h *Handler) keptReply(r request, k key, effort response.Effort) (reply, bool) {
	a, body, ok := h.kept.get(k)
	if !ok && h.kept != nil {
		choice, err := response.Choose(r.accept, effort)
		if err != nil {
			return reply{}, false
		}
		k.choice = choice
		a, body, ok = h.kept.get(k)
	}
	if !ok {
		return reply{}, false
	}
	return reply{key: k, answer: a, body: body, fields: a.fields}, true
}

// planned replies with a body that is to be made. It fails for a large one of
// which the client accepts no form.
func (h *Handler) planned(r request, k key, a *answer, p plan) (reply, error) {
	if p.size >= response.Large {
		choice, err := response.Choose(r.accept, p.effort)
		if err != nil {
			return reply{}, err
		}
		k.choice = choice
	}
	a.first = r.clone(k.choice)
	return reply{key: k, answer: a, fields: a.fields, plan: &p}, nil
}

// make makes the body of a plan.
func (h *Handler) make(k key, p *plan) *response.Body {
	if p.size >= response.Large {
		return h.packer.Large(k.choice, p.effort, p.pieces)
	}
	return h.packer.Body(p.body(), p.effort)
}

// prepare returns a reply with its body, which it makes if there is none,
// whatever memory that takes: it is for small ones, and for one goroutine that works
// ahead.
func (h *Handler) prepare(reply reply) (reply, error) {
	if reply.plan == nil {
		return reply, nil
	}
	a, body, err := h.kept.find(reply.key, reply.answer, func() (*response.Body, error) {
		return h.make(reply.key, reply.plan), nil
	})
	reply.answer, reply.body = a, body
	return reply, err
}

// provide returns a reply with its body, and the room that it takes until the
// client has it. Small bodies take none; nor do, where there is none left, those that are kept
// and whose content is not sent. For others a client may have to wait, but
// it does so outside of the requests in flight. Replies are handed over by value:
// one whose body is there, as most are, then costs no allocation.
func (h *Handler) provide(r *http.Request, pass admission.Pass, found reply, place *place) (reply, response.Hold, error) {
	if found.plan != nil && found.plan.size < response.Counted {
		found, err := h.prepare(found)
		return found, response.Hold{}, err
	}
	if found.plan != nil {
		place.leave()
		return h.produce(r.Context(), response.Client(pass.Taker(r)), found)
	}
	if !found.body.Counts() {
		return found, response.Hold{}, nil
	}
	budget, client := h.room(found.body.Large()), response.Client(pass.Taker(r))
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

// room returns the budget of bodies. Large ones have one of their own, so that
// others never wait for them.
func (h *Handler) room(large bool) *response.Budget {
	if large {
		return h.large
	}
	return h.middle
}

// produce makes the body of a reply when there is room for it. The request that
// comes first makes it, for all who ask meanwhile; if there is no room for it
// now, each waits for its own client's.
func (h *Handler) produce(ctx context.Context, client response.Client, reply reply) (reply, response.Hold, error) {
	plan, budget := reply.plan, h.room(reply.plan.size >= response.Large)
	var room response.Hold
	kept := false
	defer func() {
		if !kept {
			room.Release()
		}
	}()
	find := func() (*answer, *response.Body, error) {
		return h.kept.find(reply.key, reply.answer, func() (*response.Body, error) {
			if !room.Held() {
				var ok bool
				if room, ok = budget.TryReserve(client, plan.room()); !ok {
					return nil, response.ErrNoRoom
				}
			}
			return h.make(reply.key, plan), nil
		})
	}
	a, body, err := find()
	for errors.Is(err, response.ErrNoRoom) { // that of this client, or of another that came first
		if !room.Held() {
			if room, err = budget.Reserve(ctx, client, plan.room()); err != nil {
				break
			}
		}
		a, body, err = find()
	}
	if err != nil {
		return reply, response.Hold{}, err
	}
	reply.answer, reply.body = a, body
	if !room.Held() { // somebody else made it
		hold, err := budget.Take(ctx, client, body)
		return reply, hold, err
	}
	room.Keep(body)
	kept = true
	return reply, room, nil
}

// room returns the bytes that it takes to make the body, at most: a large one is
// made as one form, others have a compressed form beside the document.
func (p *plan) room() int64 {
	if p.size >= response.Large {
		return int64(p.size)
	}
	return 2 * int64(p.size)
}
