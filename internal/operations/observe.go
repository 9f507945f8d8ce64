package operations

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"
	"sync/atomic"
	"time"

	"vitrine/internal/admission"
	"vitrine/internal/response"
)

// maxLogged bounds a method or a path in a line of the log, in bytes.
const maxLogged = 256

// Outcome is the outcome of one request.
type Outcome struct {
	Operation int // index of its name in [Operations]
	Status    int // 0 if the request ended before a status was sent
	Bytes     int // of the body, as accepted by the connection
	// Took is the time until the handler returned. It includes waiting for a slow connection.
	Took   time.Duration
	Broken bool // the response is known to be incomplete

	URL *url.URL // as the client sent it; read-only, and valid only during the call
}

// Operations returns the names under which requests are counted, always in the same order: those
// of the operations, then "mcp" for /mcp, "page" for everything that [Pages] makes, "asset" for pictures of the
// catalogue, "bulk" for files
// of the distribution, "options" for OPTIONS of all other paths, and "unknown".
func Operations() []string {
	var names []string
	for _, op := range operations() {
		names = append(names, op.name)
	}
	return append(names, "mcp", "page", "asset", "bulk", "options", "unknown")
}

// observer counts the requests of a handler, and reports each at its end.
type observer struct {
	observe func(Outcome) // nil for no observer
	gate    *admission.Gate
	log     *slog.Logger
	level   slog.Leveler
	names   []string
	mcp     int // indices in names, as the next three
	bulk    int
	options int
	unknown int

	inFlight atomic.Int64
	shed     atomic.Uint64
}

func newObserver(config Config) *observer {
	names, level := Operations(), config.LogRequests
	if level == nil {
		level = slog.LevelInfo
	}
	return &observer{
		observe: config.Observe, gate: config.Gate, log: config.Log, level: level,
		names: names, mcp: len(names) - 6, bulk: len(names) - 3, options: len(names) - 2, unknown: len(names) - 1,
	}
}

// observation is the state of a request so far.
type observation struct {
	id        string
	apiKey    string // name of the API key, "" for none or an unknown one
	start     time.Time
	operation int  // index in observer.names
	charged   bool // it took a unit of a quota, or there are no quotas
	sent      response.Sent
	sending   bool  // a status may have been sent
	err       error // why the request failed, nil if it did not
}

func (o *observer) begin(id string) observation {
	o.inFlight.Add(1)
	return observation{id: id, start: time.Now(), operation: o.unknown}
}

// operation returns the index of an operation in names. nil is the unknown operation.
func (o *observer) operation(op *operation) int {
	if op == nil {
		return o.unknown
	}
	return op.place
}

// end reports a request. A panic becomes an internal error, so that other requests continue. If
// sending had begun, end closes the connection: the client must not accept part of a body as
// complete.
func (h *Handler) end(w http.ResponseWriter, r *http.Request, o *observation) {
	defer h.observer.inFlight.Add(-1)
	cause := recover()
	if cause == nil {
		h.observer.report(r, o)
		return
	}
	if !o.sending {
		o.operation = h.observer.operation(h.operation(r)) // unknown after a panic
	}
	if cause != http.ErrAbortHandler {
		o.err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		if !o.sending {
			h.fail(w, r, o, o.err)
			h.observer.report(r, o)
			return
		}
		o.sent.Code = response.Internal
	}
	o.sent.Broken = true
	h.observer.report(r, o)
	panic(http.ErrAbortHandler)
}

// operation returns the operation of a request, nil for an unknown path.
func (h *Handler) operation(r *http.Request) *operation {
	op, _ := match(h.operations, r.URL.EscapedPath())
	if h.pages != nil && (op == nil && !isOfAPI(r.URL.Path) || r.URL.Path == "/") {
		return h.pageOperation
	}
	return op
}

// report passes the outcome of a request to the observer, and logs it.
func (o *observer) report(r *http.Request, seen *observation) {
	took := time.Since(seen.start)
	if o.observe != nil {
		o.observe(Outcome{
			Operation: seen.operation, Status: seen.sent.Status, Bytes: seen.sent.Bytes, Took: took, Broken: seen.sent.Broken,
			URL: r.URL,
		})
	}
	level := o.level.Level()
	if seen.sent.Code == response.Internal {
		level = slog.LevelError
	}
	if o.log.Enabled(r.Context(), level) {
		o.log.LogAttrs(r.Context(), level, "request", o.logLine(r, seen, took)...)
	}
}

// logLine returns the log attributes of a request: the client as quotas identify it, the name of
// the API key, the request id and the escaped path. Request id and path are plain ASCII, so
// they cannot forge a line. The query string and other headers are not logged, except the ids of
// a trace.
func (o *observer) logLine(r *http.Request, seen *observation, took time.Duration) []slog.Attr {
	line := []slog.Attr{
		slog.String("id", seen.id),
		slog.String("client", clientName(o.gate.Client(r))),
		slog.String("operation", o.names[seen.operation]),
		slog.String("method", shortened(r.Method)),
		slog.String("path", shortened(r.URL.EscapedPath())),
		slog.Int("status", seen.sent.Status),
		slog.Int("bytes", seen.sent.Bytes),
		slog.Int64("took_us", took.Microseconds()),
	}
	if trace, span := traceParent(r); trace != "" {
		line = append(line, slog.String("trace_id", trace), slog.String("parent_id", span))
	}
	if seen.apiKey != "" {
		line = append(line, slog.String("api_key", seen.apiKey))
	}
	if seen.sent.Broken {
		line = append(line, slog.Bool("broken", true))
	}
	switch seen.sent.Code {
	case "":
	case response.Internal:
		line = append(line, slog.Any("error", seen.err))
	default: // the error itself may repeat what the client sent
		line = append(line, slog.String("code", string(seen.sent.Code)))
	}
	return line
}

// clientName returns the text of a client from [admission.Gate.Client]: an address, an IPv6
// network, or "none".
func clientName(client netip.Addr) string {
	switch {
	case !client.IsValid():
		return "none"
	case client.Is6():
		return netip.PrefixFrom(client, 64).String()
	}
	return client.String()
}

func shortened(s string) string {
	if len(s) <= maxLogged {
		return s
	}
	return s[:maxLogged] + "…"
}

// Stats has counters and current values of a handler.
type Stats struct {
	InFlight int64  // requests that have not ended
	Shed     uint64 // requests that were rejected with a 503 for overload

	// The cache. Hits and Misses count requests and warming.
	Answers, Bodies int
	Bytes, Budget   uint64
	Hits, Misses    uint64

	Packs     uint64 // bodies that were compressed
	Preparing int    // bodies of the served snapshot and files that are not prepared yet

	// Memory of the responses that are being made and sent.
	Middle, Large response.Usage
}

// Stats returns the current values. They are read one after the other, so they may be of slightly
// different moments.
func (h *Handler) Stats() Stats {
	s := Stats{
		InFlight: h.observer.inFlight.Load(), Shed: h.observer.shed.Load(), Middle: h.middle.Usage(), Large: h.large.Usage(),
		Packs: h.packer.Packs(), Preparing: h.files.waiting(),
	}
	if g := h.latest.Load(); g != nil {
		s.Preparing += g.prepared.waiting()
	}
	if k := h.cache; k != nil {
		s.Answers, s.Bodies = k.entries.EstimatedSize(), k.bodies.EstimatedSize()
		s.Bytes = k.entries.WeightedSize() + k.bodies.WeightedSize()
		s.Budget = k.entries.GetMaximum() + k.bodies.GetMaximum()
		s.Hits, s.Misses = k.hits.Load(), k.misses.Load()
	}
	return s
}
