package operations

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// Pages makes everything except the operations and /mcp: pages for people, their
// files, and discovery files for programs. It has "/" and all paths without an operation.
// The snapshot may be nil in all methods, while nothing is served. Pages must be safe for
// concurrent use.
type Pages interface {
	// Canonical returns the canonical address of a request. Its path includes the language
	// and form that headers select, and its query string has only the parameters of the
	// page, in one order. by names the headers other than Accept-Encoding that affect the
	// response at this path, whatever their values; nil for none. A canonical path stays
	// the same for all headers, unless Accept prefers Markdown. Canonical accepts every
	// path, also unknown ones.
	Canonical(s *snapshot.Snapshot, path, query string, header http.Header) (canonicalPath, canonicalQuery string, by []string)
	// Page returns the document at a canonical address. It depends only on its arguments.
	// An error for the client is a [*response.Problem] or an error of package query.
	Page(s *snapshot.Snapshot, path, query string) (response.Document, error)
	// Personal returns the headers that a query string adds to whatever is at its path, nil
	// for none. They take precedence over those of the page. Callers must not modify them.
	Personal(query string) http.Header
	// IsFeed reports whether a path is that of a sitemap or feed, which have a quota of
	// their own.
	IsFeed(path string) bool
	// Failure returns the error page for a person.
	Failure(s *snapshot.Snapshot, path string, header http.Header, failure response.Failure) response.Document

	// MayBePrepared reports whether Prepared may include the document of a path. It must be
	// quick, since it is called before the quota is checked.
	MayBePrepared(path string) bool
	// Prepared returns the canonical addresses, without query strings, of the documents that
	// are made in advance and cost no quota; for a nil snapshot only files. It must be quick.
	Prepared(s *snapshot.Snapshot) []string
	// PrepareRefusals makes the pages that Refusal returns for a snapshot.
	PrepareRefusals(s *snapshot.Snapshot) error
	// Refusal returns the error page for a request that cost no quota. It must not make
	// one: ok is false for a page that was not prepared.
	Refusal(s *snapshot.Snapshot, path string, header http.Header, code response.Code) (page response.Document, ok bool)
}

// page replies with the document at the canonical address of a request.
func (h *Handler) page(g *generation, r request) (reply, error) {
	answer, err := h.pageOf(g, r)
	answer.fields = r.fieldsOf(answer.fields)
	return answer, err
}

// fieldsOf returns the headers of a page for this request. They also depend on the
// requested address, which may differ from the canonical one.
func (r request) fieldsOf(page response.Fields) response.Fields {
	page.Vary = r.vary
	if r.personal != nil {
		more := maps.Clone(page.More)
		if more == nil {
			more = http.Header{}
		}
		maps.Copy(more, r.personal)
		page.More = more
	}
	return page
}

// pageKey returns the key of a page. Files have the keys of a nil generation.
func pageKey(g *generation, r request) (key, error) {
	return g.key("page", 0, r.segment+"\n"+r.query), nil
}

// pageOf is [Handler.page] without the headers that depend on the requested address.
func (h *Handler) pageOf(g *generation, r request) (reply, error) {
	if g == nil {
		found, err := h.pages.Page(nil, r.segment, r.query)
		if err != nil {
			return reply{}, err
		}
		return reply{body: h.packer.Body(found.Body, found.Effort), fields: found.Fields}, nil
	}
	k, err := pageKey(g, r)
	if err != nil {
		return reply{}, err
	}
	if ready, ok := g.prepared.have(k); ok {
		return ready, nil
	}
	if found, ok := h.cachedReply(r, k, response.Often); ok {
		return found, nil
	}
	found, err := h.renders.document(k, r.gone, func() (response.Document, error) { return h.pages.Page(g.snapshot, r.segment, r.query) })
	if err != nil {
		return reply{}, err
	}
	return h.planned(r, k, &cacheEntry{fields: found.Fields}, wholePlan(found.Body, found.Effort))
}

// route finds the operation of a request, and the parts of the request for it. A picture of the
// catalogue has its own operation. If no operation has the path, it is the page operation, or nil
// without pages. once is true if the reply also depends on headers, so that requests with the same URL
// may differ.
func (h *Handler) route(r *http.Request, g *generation) (asked request, once bool) {
	asked = request{query: r.URL.RawQuery, accept: r.Header["Accept-Encoding"]}
	if _, ok := h.pictureAt(g, r.URL.EscapedPath()); ok {
		asked.operation, asked.segment = h.assetOperation, strings.Clone(r.URL.EscapedPath())
		return asked, false
	}
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
	asked.segment, asked.query, by = h.pages.Canonical(g.served(), path, r.URL.RawQuery, r.Header)
	asked.vary, asked.gone, asked.personal = vary(by), r.Context().Done(), h.pages.Personal(r.URL.RawQuery)
	return asked, asked.segment != path
}

// vary returns the value of Vary for a response that depends on headers other than
// Accept-Encoding; nil for the common value.
func vary(by []string) []string {
	if len(by) == 0 {
		return nil
	}
	return []string{"Accept-Encoding, " + strings.Join(by, ", ")}
}

// isOfAPI reports whether a path belongs to the API or /mcp, whose errors are JSON.
func isOfAPI(path string) bool {
	return strings.HasPrefix(path, "/api/") || path == "/api" || path == mcpPath || path == documentPath
}

// fail sends an error: a page for a browser at a path of the site, else JSON.
func (h *Handler) fail(w http.ResponseWriter, r *http.Request, o *observation, err error) {
	o.err = err
	if h.pages == nil || isOfAPI(r.URL.Path) {
		o.sent = response.Fail(w, r, err)
		return
	}
	_, _, by := h.pages.Canonical(h.snapshot(), r.URL.EscapedPath(), "", r.Header)
	if !slices.Contains(by, "Accept") { // programs get JSON, browsers a page
		by = append(slices.Clip(by), "Accept")
	}
	w.Header()["Vary"] = vary(by)
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		o.sent = response.Fail(w, r, err)
		return
	}
	if !o.charged {
		h.refuse(w, r, o, err)
		return
	}
	o.sent = response.FailAs(w, r, err, func(failure response.Failure) response.Document {
		return h.pages.Failure(h.snapshot(), r.URL.EscapedPath(), r.Header, failure)
	})
}

// refuse sends the error of a request that was not charged. It sends a prepared page if
// there is one, else JSON, and never makes a page.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, o *observation, err error) {
	problem, ok := errors.AsType[*response.Problem](err)
	if ok {
		var page response.Document
		if page, ok = h.pages.Refusal(h.snapshot(), r.URL.EscapedPath(), r.Header, problem.Code); ok {
			o.sent = response.FailAs(w, r, err, func(response.Failure) response.Document { return page })
			return
		}
	}
	o.sent = response.Fail(w, r, err)
}
