// Package api serves the operations below /api/open/ from the current
// snapshot.
//
// A request picks the current snapshot once, turns its query string into a
// typed query (package query), lets the snapshot answer it and hands the body to
// package response. Bodies that were joined, hashed and compressed once are
// kept, within a budget of bytes, until another snapshot is served.
//
// The package must not know stores, directories or how a snapshot comes to be.
// A *Handler is safe for concurrent use.
package api

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync/atomic"

	"github.com/maypok86/otter/v2"

	openapi "vitrine/api"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// Config says what a handler serves.
type Config struct {
	// Snapshot returns the snapshot to serve, nil while there is none. It is
	// called once a request and must be quick.
	Snapshot func() *snapshot.Snapshot
	// Log takes a line a request at level debug, and every internal error.
	Log *slog.Logger
	// CacheBytes bounds the memory of the bodies that are kept; 0 keeps none.
	CacheBytes int64
	// MaxInFlight bounds the requests whose answers are found at a time; further
	// ones are told to come back. Answers that are being sent do not count. 0
	// sets no bound.
	MaxInFlight int
}

// Handler serves the API. Make one with [New].
type Handler struct {
	snapshot    func() *snapshot.Snapshot
	log         *slog.Logger
	operations  []operation
	document    *response.Body
	editions    atomic.Pointer[edition]
	generations atomic.Uint64
	bodies      *otter.Cache[key, *entry] // nil keeps none
	inFlight    chan struct{}             // nil for no bound
}

// edition is a snapshot as this handler met it. Its generation tells the kept
// bodies of one snapshot from those of another, also where a store was replaced
// and revision numbers repeat.
type edition struct {
	snapshot   *snapshot.Snapshot
	generation uint64
	revision   []string // the value of Catalog-Revision
}

// New makes a handler. It fails when the OpenAPI document or the size of the
// cache is unfit.
func New(config Config) (*Handler, error) {
	document, err := openapi.JSON()
	if err != nil {
		return nil, fmt.Errorf("the OpenAPI document: %w", err)
	}
	bodies, err := newBodies(config.CacheBytes)
	if err != nil {
		return nil, fmt.Errorf("the cache of bodies: %w", err)
	}
	h := &Handler{
		snapshot:   config.Snapshot,
		log:        config.Log,
		operations: operations(),
		document:   response.NewBody(document),
		bodies:     bodies,
	}
	if config.MaxInFlight > 0 {
		h.inFlight = make(chan struct{}, config.MaxInFlight)
	}
	return h, nil
}

// request is what an operation sees of a request.
type request struct {
	query   string // raw
	segment string // what the path's template leaves open
}

// reply is what an operation answers.
type reply struct {
	body   *response.Body
	fields response.Fields
}

// ServeHTTP answers any request whatever its path: those that are not below
// /api/open/ are unknown, too.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := requestID(r)
	commonHeaders(w.Header(), id)
	defer h.recovered(w, r, id)
	e := h.current()
	if e != nil {
		w.Header()["Catalog-Revision"] = e.revision
	}

	if r.Method == http.MethodOptions {
		response.Options(w)
		return
	}
	answer, err := h.answer(r, e)
	if err != nil {
		h.fail(w, r, id, err)
		return
	}
	response.Send(w, r, answer.body, answer.fields)
	h.log.LogAttrs(r.Context(), slog.LevelDebug, "served", slog.String("id", id), slog.String("path", r.URL.Path))
}

// answer finds the reply to a request. Its place among the requests in flight
// is free again before the reply is sent: a client that reads slowly must not
// keep the others waiting.
func (h *Handler) answer(r *http.Request, e *edition) (reply, error) {
	if !h.enter() {
		return reply{}, &response.Problem{Code: response.Overloaded, Detail: "too many requests at a time; try again in a moment"}
	}
	defer h.leave()
	op, segment := match(h.operations, r.URL.EscapedPath())
	if op == nil {
		return reply{}, &response.Problem{Code: response.NotFound, Detail: "there is no operation at this path; /api/open/spec lists all"}
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return reply{}, &response.Problem{Code: response.MethodNotAllowed, Detail: "this API is read only: use GET, HEAD or OPTIONS"}
	}
	if e == nil && !op.static {
		return reply{}, &response.Problem{Code: response.NotReady, Detail: "no catalogue is published here yet; try again in a moment"}
	}
	return op.answer(h, e, request{query: r.URL.RawQuery, segment: segment})
}

func (h *Handler) fail(w http.ResponseWriter, r *http.Request, id string, err error) {
	level := slog.LevelDebug
	if response.Fail(w, r, err) == response.Internal {
		level = slog.LevelError
	}
	h.log.LogAttrs(r.Context(), level, "failed",
		slog.String("id", id), slog.String("path", r.URL.Path), slog.Any("error", err))
}

// recovered turns a panic of an operation into an internal error, so that one
// bad request cannot take the others down.
func (h *Handler) recovered(w http.ResponseWriter, r *http.Request, id string) {
	cause := recover()
	if cause == nil {
		return
	}
	if cause == http.ErrAbortHandler {
		panic(cause)
	}
	h.fail(w, r, id, fmt.Errorf("panic: %v\n%s", cause, debug.Stack()))
}

// enter takes a place among the requests in flight, if there is one.
func (h *Handler) enter() bool {
	if h.inFlight == nil {
		return true
	}
	select {
	case h.inFlight <- struct{}{}:
		return true
	default:
		return false
	}
}

func (h *Handler) leave() {
	if h.inFlight != nil {
		<-h.inFlight
	}
}

// current returns the edition to answer from, nil while there is no snapshot.
func (h *Handler) current() *edition {
	s := h.snapshot()
	if s == nil {
		return nil
	}
	e := h.editions.Load()
	if e != nil && e.snapshot == s {
		return e
	}
	// Requests that arrive in the moment of a swap may each make an edition, and
	// some may forget what others kept: bodies are joined once more, and none is
	// wrong, since keys tell editions apart.
	e = newEdition(s, h.generations.Add(1))
	h.editions.Store(e)
	if h.bodies != nil {
		h.bodies.InvalidateAll()
	}
	return e
}

func newBodies(budget int64) (*otter.Cache[key, *entry], error) {
	if budget <= 0 {
		return nil, nil
	}
	return otter.New(&otter.Options[key, *entry]{
		MaximumWeight: uint64(budget),
		// Keys count, too: a list of tags may be longer than what it finds.
		Weigher: func(k key, e *entry) uint32 { return uint32(min(e.body.Weight()+k.weight(), 1<<32-1)) },
	})
}

// kept returns the body for a key, making it once however many requests ask
// for it at the same time.
func (h *Handler) kept(k key, produce func() *entry) (*entry, error) {
	if h.bodies == nil {
		return produce(), nil
	}
	if e, ok := h.bodies.GetIfPresent(k); ok {
		return e, nil
	}
	// Not the request's context: others may be waiting for the same body.
	return h.bodies.Get(context.Background(), k, otter.LoaderFunc[key, *entry](
		func(context.Context, key) (*entry, error) { return produce(), nil },
	))
}
