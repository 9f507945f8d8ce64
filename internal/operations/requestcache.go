package operations

import (
	"hash/maphash"
	"net/http"
	"strings"
	"sync/atomic"

	"vitrine/internal/response"
)

const (
	// maxRequests is the number of parsed requests that are cached.
	maxRequests = 1024
	// maxRequestLength is the maximum length of path and query string of a cached request, in bytes.
	maxRequestLength = 256
)

// parsedRequest is the path and query string of a request as sent, with the key and headers
// that result from parsing them.
type parsedRequest struct {
	generation  uint64
	path, query string
	key         key
	fields      response.Fields
}

// requestCache caches parsed requests by their URL as sent, so that equal requests are parsed
// once. A new request evicts the one in its slot. Entries do not keep a generation in
// memory. They are read and written without locks.
type requestCache struct {
	seed  maphash.Seed
	slots [maxRequests]atomic.Pointer[parsedRequest]
}

func newRequestCache() *requestCache { return &requestCache{seed: maphash.MakeSeed()} }

// slot returns the slot of a request, nil for a request that is not cached.
func (m *requestCache) slot(r *http.Request) *atomic.Pointer[parsedRequest] {
	isRead := r.Method == http.MethodGet || r.Method == http.MethodHead
	if !isRead || r.URL.RawPath != "" || wantsAnotherForm(r) || len(r.URL.Path)+len(r.URL.RawQuery) > maxRequestLength {
		return nil
	}
	hash := maphash.String(m.seed, r.URL.Path) ^ 3*maphash.String(m.seed, r.URL.RawQuery)
	return &m.slots[hash%maxRequests]
}

// wantsAnotherForm reports whether headers may select another form of a page than its path
// does; see [Pages]. The API has one form.
func wantsAnotherForm(r *http.Request) bool {
	if strings.HasPrefix(r.URL.Path, "/api/") {
		return false
	}
	for _, accepted := range r.Header["Accept"] {
		if strings.Contains(accepted, "markdown") {
			return true
		}
	}
	return false
}

// is reports whether a request to a generation has this URL.
func (s *parsedRequest) is(r *http.Request, g *generation) bool {
	return s.generation == g.number && s.path == r.URL.Path && s.query == r.URL.RawQuery
}

func newParsedRequest(r *http.Request, g *generation, found reply) *parsedRequest {
	return &parsedRequest{
		generation: g.number,
		path:       strings.Clone(r.URL.Path),
		query:      strings.Clone(r.URL.RawQuery),
		key:        found.key,
		fields:     found.fields,
	}
}
