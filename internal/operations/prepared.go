package operations

import (
	"errors"
	"log/slog"
	"net/http"
	"slices"

	"vitrine/internal/locale"
	"vitrine/internal/response"
)

// prepared has the replies that cost no quota, a fixed set. Each is made and compressed in
// every encoding once per generation, or once per process if it depends on no snapshot, and
// stays in memory with its generation. A request gets a reply or waits for it, and never
// makes one, so free requests cause no work except sending. A nil *prepared is empty.
type prepared struct {
	all   map[key]*ready
	order []*ready     // in which they are made
	first func() error // runs before them; nil for nothing
}

// ready is one prepared reply.
type ready struct {
	produce func() (reply, error)
	done    chan struct{} // closed when the rest is final
	reply   reply
	ok      bool // false if making it failed: its requests are charged
}

func newPrepared() *prepared { return &prepared{all: map[key]*ready{}} }

func (p *prepared) add(k key, produce func() (reply, error)) {
	one := &ready{produce: produce, done: make(chan struct{})}
	p.all[k] = one
	p.order = append(p.order, one)
}

// make makes all replies, one after the other, and skips the rest when wanted returns
// false. It is called once.
func (p *prepared) make(log *slog.Logger, wanted func() bool) {
	if p.first != nil && wanted() {
		if err := contained(p.first); err != nil {
			log.Error("the refusal pages could not be prepared", "error", err)
		}
	}
	for _, one := range p.order {
		if wanted() {
			err := contained(one.make)
			if problem := (*response.Problem)(nil); err != nil && !errors.As(err, &problem) {
				log.Error("a body could not be prepared", "error", err)
			}
			one.ok = err == nil
		}
		close(one.done)
	}
}

func (one *ready) make() (err error) {
	if one.reply, err = one.produce(); err == nil {
		one.reply.body.PackAll()
	}
	return err
}

// have returns the reply of a key if it is ready.
func (p *prepared) have(k key) (reply, bool) {
	if p == nil || p.all[k] == nil {
		return reply{}, false
	}
	one := p.all[k]
	select {
	case <-one.done:
		return one.reply, one.ok
	default:
		return reply{}, false
	}
}

// made returns a channel that is closed when all replies are final. There must be one.
func (p *prepared) made() <-chan struct{} { return p.order[len(p.order)-1].done }

// waiting returns the number of replies that are not ready.
func (p *prepared) waiting() int {
	n := 0
	for _, one := range p.order {
		select {
		case <-one.done:
		default:
			n++
		}
	}
	return n
}

// await returns the reply of a key when it is ready. ok is false if there is none, if it
// could not be made, or if gone is closed first.
func (p *prepared) await(k key, gone <-chan struct{}) (found reply, ok bool) {
	if p == nil || p.all[k] == nil {
		return reply{}, false
	}
	one := p.all[k]
	select {
	case <-one.done:
		return one.reply, one.ok
	case <-gone:
		return reply{}, false
	}
}

// prepare makes the replies of a generation, then those that depend on no snapshot. So a
// start first serves the catalogue. A newer generation ends it.
func (h *Handler) prepare(g *generation) {
	g.prepared.make(h.log, func() bool { return h.latest.Load() == g })
	h.prepareFiles()
}

// prepareFiles begins to make the replies that depend on no snapshot, unless it was begun.
func (h *Handler) prepareFiles() {
	h.filesBegun.Do(func() { go h.files.make(h.log, func() bool { return true }) })
}

// preparedFiles returns the replies that depend on no snapshot.
func (h *Handler) preparedFiles() *prepared {
	p := newPrepared()
	document, _ := specKey(nil, request{}) // returns no error, as pageKey below
	p.add(document, func() (reply, error) { return reply{body: h.document()}, nil })
	if h.pages != nil {
		for _, path := range h.pages.Prepared(nil) {
			asked := request{segment: path}
			k, _ := pageKey(nil, asked)
			p.add(k, func() (reply, error) { return h.pageOf(nil, asked) })
		}
	}
	return p
}

// preparedOf returns the replies that depend on the snapshot of a generation.
func (h *Handler) preparedOf(g *generation) *prepared {
	p := newPrepared()
	for id, language := range g.languages {
		p.add(g.key("index", locale.ID(id), ""), func() (reply, error) {
			return reply{body: h.packer.Body(h.indexOf(g, locale.ID(id)), response.Often), fields: response.Fields{ContentLanguage: language}}, nil
		})
	}
	if h.pages == nil {
		return p
	}
	for _, path := range h.pages.Prepared(g.snapshot) {
		k, _ := pageKey(g, request{segment: path})
		p.add(k, func() (reply, error) {
			made, err := h.pages.Page(g.snapshot, path, "")
			if err != nil {
				return reply{}, err
			}
			if len(made.Body) >= response.Large { // its encodings are separate bodies
				return reply{}, &response.Problem{Code: response.TooLarge, Detail: "too large to be prepared"}
			}
			return reply{body: h.packer.Body(made.Body, made.Effort), fields: made.Fields}, nil
		})
	}
	p.first = func() error { return h.pages.PrepareRefusals(g.snapshot) }
	return p
}

// preparedReply returns the prepared reply of a request, which is free of charge. It waits
// for a reply that is being made, but makes none. If ok is false, the request must be
// charged.
func (h *Handler) preparedReply(r *http.Request, g *generation) (found reply, ok bool) {
	if !h.mayBePrepared(r) || bounded(r) != nil {
		return reply{}, false
	}
	asked, _ := h.route(r, g)
	if asked.operation == nil || asked.operation.key == nil {
		return reply{}, false
	}
	k, err := asked.operation.key(g, asked)
	if err != nil {
		return reply{}, false
	}
	gone := r.Context().Done()
	if g != nil {
		found, ok = g.prepared.await(k, gone)
	}
	if !ok {
		k.generation = 0
		found, ok = h.awaitFile(k, gone)
	}
	if !ok {
		return reply{}, false
	}
	found.operation, found.fields = asked.operation, asked.fieldsOf(found.fields)
	found.fields.Notice = g.notices(asked.operation, asked.query, 0)
	return found, true
}

// awaitFile is [prepared.await] of the files, which the first request for one begins.
func (h *Handler) awaitFile(k key, gone <-chan struct{}) (found reply, ok bool) {
	if h.files.all[k] == nil {
		return reply{}, false
	}
	h.prepareFiles()
	return h.files.await(k, gone)
}

// mayBePrepared reports whether the path and the method of a request may be those of a
// prepared reply.
func (h *Handler) mayBePrepared(r *http.Request) bool {
	if r.URL.RawPath != "" || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	if slices.Contains(h.free, r.URL.Path) {
		return true
	}
	return h.pages != nil && !isOfAPI(r.URL.Path) && h.pages.MayBePrepared(r.URL.Path)
}
