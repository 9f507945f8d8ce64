// Package operations serves the operations below /api/open/, and the index and the
// document that lead to them, from the current snapshot.
//
// The table of operations (routes.go) defines paths, parameters, handlers and costs. A
// request loads the current snapshot once, parses its query string (package query), gets a
// body from the snapshot, and sends it (package response). Bodies are cached within a budget
// of bytes. After a publish, bodies that did not change stay in the cache.
//
// The package must not know stores, directories or compilation.
// A *Handler is safe for concurrent use.
package operations

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"runtime"
	"sync"
	"sync/atomic"

	openapi "vitrine/api"
	"vitrine/internal/admission"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// Config configures a handler.
type Config struct {
	// Snapshot returns the snapshot to serve, nil for none. It is called for each request and
	// must be quick.
	Snapshot func() *snapshot.Snapshot
	// Gate checks quotas and API keys; nil admits all requests.
	Gate *admission.Gate
	// PublicURL is the address under which clients reach the server, without a slash at
	// its end, for links to pages; "" makes them relative.
	PublicURL string
	// Log gets one line for each request.
	Log *slog.Logger
	// LogRequests is the level of these lines; nil for [slog.LevelInfo]. It may change.
	// Internal errors have [slog.LevelError].
	LogRequests slog.Leveler
	// Observe is called after each request; it may be nil. It must be quick and safe for
	// concurrent use.
	Observe func(Outcome)
	// EmptySearch is called with the text of a search over everything that found nothing, when the
	// search runs; it may be nil. It must be quick and safe for concurrent use.
	EmptySearch func(text string)
	// CacheBytes bounds the memory of cached bodies; 0 caches none.
	CacheBytes int64
	// AnswerBytes bounds the memory of bodies of 16 KiB and more that are being made and
	// sent; 0 means 64 MiB. Clients share it. A request that waits too long for memory gets a
	// 503. See [response.Budget].
	AnswerBytes int64
	// MaxInFlight bounds the concurrent requests; further ones get a 503. Requests whose
	// responses are being sent do not count. 0 means no bound.
	MaxInFlight int
	// MCP handles requests to /mcp, which are charged, logged and counted like others. It
	// must set Content-Length. nil makes the path unknown.
	MCP http.Handler
	// CacheTags is the header for [cacheTags], "" for none.
	CacheTags string
	// Bulk has the files of the distribution, which are served below /bulk/ from a quota of their
	// own. Opened files are [io.ReadSeeker]s. nil makes the paths unknown.
	Bulk fs.FS
	// Pages makes the pages and files beside the operations. Without it their paths are
	// unknown, and "/" is the index.
	Pages Pages
}

// Handler serves the API. Make one with [New].
type Handler struct {
	snapshot   func() *snapshot.Snapshot
	observer   *observer
	gate       *admission.Gate
	log        *slog.Logger
	operations []operation
	publicURL  string
	publicPath string    // of publicURL, "" for none
	free       []string  // paths of operations that cost no quota
	files      *prepared // what depends on no snapshot; see prepareFiles
	filesBegun sync.Once
	packer     *response.Packer
	document   func() *response.Body // the OpenAPI document, made at its first use
	cache      *cache                // nil keeps nothing
	requests   *requestCache
	middle     *response.Budget // the memory for answers that are not large
	large      *response.Budget // the memory for large answers

	emptySearch    func(text string) // nil for none
	mcp            http.Handler      // nil for none
	bulk           fs.FS             // nil for none
	bulkOperations []operation
	bulkPlaces     *response.Budget
	tagHeader      string     // "" for none
	pages          Pages      // nil for none
	pageOperation  *operation // of all pages; not of the table
	assetOperation *operation // of all pictures; not of the table
	renders        *renders   // of pages

	maxInFlight int64 // 0 for no bound
	inFlight    atomic.Int64

	latest   atomic.Pointer[generation]
	previous atomic.Pointer[generation] // of the previous revision, for pages that name it; nil after previousFor
	renewing sync.Mutex                 // serialises renew
	runs     atomic.Int32               // calls of Run
}

// atAddress returns the OpenAPI document of a server that is below a path: its address replaces "/", which
// would be the root of the host.
func atAddress(document []byte, publicURL string) []byte {
	if pathOf(publicURL) == "" {
		return document
	}
	address, err := json.Marshal(publicURL)
	if err != nil {
		panic("operations: encode an address: " + err.Error()) // strings have no such error
	}
	return bytes.Replace(document, []byte(`"servers":[{"url":"/"`), append([]byte(`"servers":[{"url":`), address...), 1)
}

// pathOf returns the escaped path of a public URL, "" for none.
func pathOf(publicURL string) string {
	u, err := url.Parse(publicURL)
	if err != nil {
		return ""
	}
	return u.EscapedPath()
}

// New returns a handler. It fails if the table of operations or the size of the cache is invalid.
func New(config Config) (*Handler, error) {
	cache, err := newCache(config.CacheBytes)
	if err != nil {
		return nil, fmt.Errorf("the cache of bodies: %w", err)
	}
	table, err := newRoutes(operations())
	if err != nil {
		return nil, err
	}
	ofBulk, err := newRoutes(bulkOperations())
	if err != nil {
		return nil, err
	}
	packer := response.NewPacker()
	document := func() *response.Body {
		return packer.Body(atAddress(openapi.JSON(), config.PublicURL), response.Often)
	}
	answers := config.AnswerBytes
	if answers == 0 {
		answers = defaultAnswers
	}
	h := &Handler{
		snapshot:   config.Snapshot,
		observer:   newObserver(config),
		gate:       config.Gate,
		renders:    newRenders(),
		log:        config.Log,
		operations: table,
		publicURL:  config.PublicURL,
		publicPath: pathOf(config.PublicURL),
		free:       freePaths(table),
		packer:     packer,
		document:   sync.OnceValue(document),
		cache:      cache,
		requests:   newRequestCache(),
		middle:     response.NewBudget(answers/middlePart, 0),
		large:      response.NewBudget(answers-answers/middlePart, max(1, runtime.GOMAXPROCS(0)/2)),

		emptySearch:    config.EmptySearch,
		mcp:            config.MCP,
		bulk:           config.Bulk,
		bulkOperations: ofBulk,
		bulkPlaces:     response.NewBudget(maxBulk, 0),
		pages:          config.Pages,
		pageOperation:  &operation{name: "page", handle: (*Handler).page, key: pageKey, static: true, place: len(table) + 1},
		assetOperation: &operation{name: "asset", handle: (*Handler).picture, place: len(table) + 2},

		maxInFlight: int64(config.MaxInFlight),
	}
	h.tagOperations(config.CacheTags)
	h.files = h.preparedFiles()
	return h, nil
}

// request is the part of an HTTP request that operations use.
type request struct {
	operation *operation
	query     string          // raw
	segment   string          // of the path, for the braces of the template
	accept    []string        // Accept-Encoding
	vary      []string        // of the response, nil for Accept-Encoding alone
	personal  http.Header     // headers of a page for this request alone
	gone      <-chan struct{} // closed when the client disconnects, nil for never
}

// reply is the result of an operation: a body, or the plan of one.
type reply struct {
	operation *operation // nil for an unknown path; also set with an error
	key       key
	entry     *cacheEntry // nil for a body without a snapshot
	body      *response.Body
	plan      *plan // nil if there is a body
	fields    response.Fields
	once      bool     // it also depends on headers of the request
	revision  []string // the value of Catalog-Revision if it is not the present one, else nil
}

// ServeHTTP handles all requests. A path without an operation is unknown.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o := h.observer.begin(requestID(r))
	defer h.end(w, r, &o)
	setCommon(w.Header(), o.id)
	if h.mcp != nil && r.URL.EscapedPath() == mcpPath {
		h.serveMCP(w, r, &o)
		return
	}
	if h.isBulk(r.URL.EscapedPath()) {
		h.serveBulk(w, r, &o)
		return
	}
	g := h.current()
	if g != nil {
		w.Header()["Catalog-Revision"] = g.revision
	}

	if r.Method == http.MethodOptions {
		o.operation = h.observer.options
		o.sent = response.Options(w)
		return
	}
	found, free := h.preparedReply(r, g)
	pass := h.gate.Free()
	if !free && !h.isFreePicture(r, g) {
		var err error
		if pass, err = h.admit(w, r, h.class(r), &o); err != nil {
			o.operation = h.observer.operation(h.operation(r))
			h.fail(w, r, &o, err)
			return
		}
	}
	reply, selection, hold, err := h.answer(r, pass, g, found)
	h.tag(w.Header(), reply.operation)
	reply.announce(w.Header())
	o.operation = h.observer.operation(reply.operation)
	if err != nil {
		h.fail(w, r, &o, err)
		return
	}
	defer hold.Release()
	if reply.revision != nil {
		w.Header()["Catalog-Revision"] = reply.revision
	}
	pass.Sent(r.Context(), selection.Length(r))
	o.sending = true
	o.sent = selection.Send(w, r, reply.fields)
}

// admit charges a request to a quota of its client, and rejects a request that is too
// large. Rejected requests are charged, except those beyond the quota.
func (h *Handler) admit(w http.ResponseWriter, r *http.Request, class admission.Class, o *observation) (admission.Pass, error) {
	pass, err := h.gate.Admit(r, class, w.Header())
	o.apiKey = pass.Key()
	o.charged = !isRefusal(err)
	if err != nil {
		return pass, err
	}
	return pass, bounded(r)
}

// class returns the quota that a request is charged to.
func (h *Handler) class(r *http.Request) admission.Class {
	switch {
	case h.pages == nil || isOfAPI(r.URL.Path):
		return admission.API
	case h.pages.IsFeed(r.URL.Path):
		return admission.Feed
	}
	return admission.Page
}

// isRefusal reports whether an error of the gate means that the quota is spent.
func isRefusal(err error) bool {
	problem, ok := errors.AsType[*response.Problem](err)
	return ok && problem.Code == response.RateLimited
}

// answer does all the work of a request except sending. It counts as in flight only
// meanwhile, so slow readers do not block others. found is the
// prepared reply, or the zero reply if there is none. Without an error, the caller must
// release the hold.
func (h *Handler) answer(r *http.Request, pass admission.Pass, g *generation, found reply) (reply, response.Selection, response.Hold, error) {
	place, ok := h.enter()
	if !ok {
		return reply{operation: h.operation(r)}, response.Selection{}, response.Hold{}, h.overloaded(tooMany)
	}
	defer place.leave()
	if found.body == nil {
		var err error
		if found, err = h.lookUp(r, g); err != nil {
			return found, response.Selection{}, response.Hold{}, err
		}
	}
	found, hold, err := h.withBody(r, pass, found, &place)
	if err != nil {
		if errors.Is(err, response.ErrNoRoom) {
			err = h.overloaded(noRoom)
		}
		return found, response.Selection{}, response.Hold{}, err
	}
	selected := false
	defer func() {
		if !selected {
			hold.Release()
		}
	}()
	before := found.body.Weight()
	selection, err := response.Select(r, found.body)
	if found.body.Weight() != before {
		h.cache.reweigh(found.body)
	}
	if found.entry != nil && found.entry.warmth.Load() != keepWarm { // readers share the memory
		found.entry.warmth.Store(keepWarm)
	}
	selected = err == nil
	return found, selection, hold, err
}

// Details of 503 responses.
const (
	tooMany = "too many requests at a time; try again in a moment"
	noRoom  = "no room for another large answer at this moment; ask for a page of it with limit, or try again"
)

// overloaded returns the error of a rejected request, and counts it.
func (h *Handler) overloaded(detail string) error {
	h.observer.shed.Add(1)
	return &response.Problem{Code: response.Overloaded, Detail: detail}
}

// lookUp returns the reply to a request. A request with the URL of an earlier one is not
// parsed again.
func (h *Handler) lookUp(r *http.Request, g *generation) (reply, error) {
	slot := h.requests.slot(r)
	if slot == nil || g == nil || h.cache == nil {
		return h.dispatch(r, g)
	}
	if known := slot.Load(); known != nil && known.is(r, g) {
		if a, b, ok := h.cache.get(known.key); ok {
			return reply{operation: a.first.operation, key: known.key, entry: a, body: b, fields: known.fields}, nil
		}
	}
	found, err := h.dispatch(r, g)
	// A choice depends on more than the URL, and the previous revision is kept for a while only.
	if err == nil && found.entry != nil && !found.once && !found.key.choice.Made() && found.revision == nil {
		slot.Store(newParsedRequest(r, g, found))
	}
	return found, err
}

var errNotReady = &response.Problem{Code: response.NotReady, Detail: "no catalogue has been published yet; retry in a moment"}

// dispatch lets the operation of a request handle it.
func (h *Handler) dispatch(r *http.Request, g *generation) (reply, error) {
	asked, once := h.route(r, g)
	op := asked.operation
	if op == nil {
		return reply{}, &response.Problem{Code: response.NotFound, Detail: "there is no operation at this path; /api/open/ lists all"}
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return reply{operation: op}, &response.Problem{Code: response.MethodNotAllowed, Detail: "this API is read only: use GET, HEAD or OPTIONS"}
	}
	if g == nil && !op.static {
		return reply{operation: op}, errNotReady
	}
	of, moved := h.pinned(g, asked)
	found, err := op.handle(h, of, asked)
	found.operation, found.once = op, once
	if of != g {
		found.revision = of.revision
	}
	if err == nil {
		found.fields.Notice = of.notices(op, asked.query, moved)
	}
	return found, err
}

// enter takes a place among the requests in flight. ok is false if none is free.
func (h *Handler) enter() (place, bool) {
	if h.maxInFlight <= 0 {
		return place{}, true
	}
	p := place{&h.inFlight}
	if h.inFlight.Add(1) > h.maxInFlight {
		p.leave()
		return place{}, false
	}
	return p, true
}

// place is a place among the requests in flight. The zero value is none.
type place struct{ inFlight *atomic.Int64 }

// leave frees the place. Later calls do nothing.
func (p *place) leave() {
	if p.inFlight != nil {
		p.inFlight.Add(-1)
		p.inFlight = nil
	}
}
