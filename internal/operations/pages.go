package operations

import (
	"net/http"
	"slices"
	"strings"

	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// Pages makes what is served beside the operations and /mcp: pages for people, the
// files that they need, and what leads programs here. All paths that are of no
// operation are its own, and so is "/". A snapshot may be nil in all methods: nothing
// is served yet. It is called by many goroutines.
type Pages interface {
	// Canonical returns the one address of what a request asks for: a path that says
	// what its headers say otherwise (which language, which form), and a query string
	// of nothing but what the page knows, in one order. by names the headers that choose
	// what this path answers, whatever they say now and beside Accept-Encoding; nil for
	// none. A canonical path is its own, whatever the headers, unless an Accept wants
	// Markdown. Canonical is defined for every path, also where nothing is.
	Canonical(s *snapshot.Snapshot, path, query string, header http.Header) (canonicalPath, canonicalQuery string, by []string)
	// Page returns what stands at a canonical address. It depends on nothing else. The
	// error is a [*response.Problem] or one of package query where the client is told of it.
	Page(s *snapshot.Snapshot, path, query string) (response.Document, error)
	// Failure returns the page that tells a person of an error.
	Failure(s *snapshot.Snapshot, path string, header http.Header, failure response.Failure) response.Document
	// Free reports whether a path costs no quota.
	Free(path string) bool
}

// page replies with what is at a canonical address, which the request has in place of
// what the client sent.
func (h *Handler) page(e *edition, r request) (reply, error) {
	answer, err := h.pageOf(e, r)
	answer.fields.Vary = r.vary // of the address that was asked for, which is not always the canonical one
	return answer, err
}

// pageOf is [Handler.page] but for what depends on the address that the client sent.
func (h *Handler) pageOf(e *edition, r request) (reply, error) {
	if e == nil {
		found, err := h.pages.Page(nil, r.segment, r.query)
		if err != nil {
			return reply{}, err
		}
		return reply{body: h.packer.Body(found.Body, found.Effort), fields: found.Fields}, nil
	}
	k := e.key("page", 0, r.segment+"\n"+r.query)
	if found, ok := h.cachedReply(r, k, response.Often); ok {
		return found, nil
	}
	found, err := h.renders.document(k, r.gone, func() (response.Document, error) { return h.pages.Page(e.snapshot, r.segment, r.query) })
	if err != nil {
		return reply{}, err
	}
	return h.planned(r, k, &entry{fields: found.Fields}, wholePlan(found.Body, found.Effort))
}

// route finds the operation of a request, and what it is to see of the request; a page
// where there are pages and no operation has the path. nil is an unknown path. once
// says that the reply is not for all requests of the same spelling.
func (h *Handler) route(r *http.Request, e *edition) (asked request, once bool) {
	asked = request{query: r.URL.RawQuery, accept: r.Header["Accept-Encoding"]}
	op, segment := match(h.operations, r.URL.EscapedPath())
	if h.pages == nil || op != nil && r.URL.Path != "/" {
		asked.operation, asked.segment = op, strings.Clone(segment)
		return asked, false
	}
	if isOfAPI(r.URL.Path) {
		return asked, false
	}
	asked.operation = h.pageOperation
	path := r.URL.EscapedPath()
	var by []string
	asked.segment, asked.query, by = h.pages.Canonical(e.served(), path, r.URL.RawQuery, r.Header)
	asked.vary, asked.gone = vary(by), r.Context().Done()
	return asked, asked.segment != path
}

// vary returns the value of Vary for an answer that headers choose beside
// Accept-Encoding; nil where there are none, as is said of all answers.
func vary(by []string) []string {
	if len(by) == 0 {
		return nil
	}
	return []string{"Accept-Encoding, " + strings.Join(by, ", ")}
}

// isOfAPI reports whether a path is one that programs ask at, where errors are JSON.
func isOfAPI(path string) bool {
	return strings.HasPrefix(path, "/api/") || path == "/api" || path == mcpPath || path == documentPath
}

// fail answers with an error: a page for a person who looks at pages, else JSON.
func (h *Handler) fail(w http.ResponseWriter, r *http.Request, o *observation, err error) {
	o.err = err
	if h.pages == nil || isOfAPI(r.URL.Path) {
		o.sent = response.Fail(w, r, err)
		return
	}
	_, _, by := h.pages.Canonical(h.snapshot(), r.URL.EscapedPath(), "", r.Header)
	if !slices.Contains(by, "Accept") { // what a program is told is not for people
		by = append(slices.Clip(by), "Accept")
	}
	w.Header()["Vary"] = vary(by)
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		o.sent = response.Fail(w, r, err)
		return
	}
	o.sent = response.FailAs(w, r, err, func(failure response.Failure) response.Document {
		return h.pages.Failure(h.snapshot(), r.URL.EscapedPath(), r.Header, failure)
	})
}

// isFree reports whether a request costs no quota.
func (h *Handler) isFree(r *http.Request) bool {
	if r.URL.RawPath != "" {
		return false
	}
	for _, path := range h.free {
		if path == r.URL.Path {
			return true
		}
	}
	return h.pages != nil && !isOfAPI(r.URL.Path) && h.pages.Free(r.URL.Path)
}
