package operations

import (
	"hash/maphash"
	"net/http"
	"strings"
	"sync/atomic"

	"vitrine/internal/response"
)

const (
	// maxSpellings is how many are remembered.
	maxSpellings = 1024
	// maxSpelling is how long a query string may be to be remembered, in bytes.
	maxSpelling = 256
)

// spelling is the path and query string of a request as a client spelled them, and
// the key and headers that they were parsed to.
type spelling struct {
	generation  uint64
	path, query string
	key         key
	fields      response.Fields
}

// spellings remembers the spellings of requests, so that those of many clients that
// ask alike are parsed once. A new one takes the slot of an older one. They keep no
// edition in memory, and are read and written without locks.
type spellings struct {
	seed  maphash.Seed
	slots [maxSpellings]atomic.Pointer[spelling]
}

func newSpellings() *spellings { return &spellings{seed: maphash.MakeSeed()} }

// slot returns the slot of a request's spelling, nil for one that is not remembered.
func (m *spellings) slot(r *http.Request) *atomic.Pointer[spelling] {
	isRead := r.Method == http.MethodGet || r.Method == http.MethodHead
	if !isRead || r.URL.RawPath != "" || wantsAnotherForm(r) || len(r.URL.Path)+len(r.URL.RawQuery) > maxSpelling {
		return nil
	}
	hash := maphash.String(m.seed, r.URL.Path) ^ 3*maphash.String(m.seed, r.URL.RawQuery)
	return &m.slots[hash%maxSpellings]
}

// wantsAnotherForm reports whether a request may want a page in a form that its path
// does not say; see [Pages]. The API has one form.
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

// is reports whether the spelling is that of a request to an edition.
func (s *spelling) is(r *http.Request, e *edition) bool {
	return s.generation == e.generation && s.path == r.URL.Path && s.query == r.URL.RawQuery
}

func newSpelling(r *http.Request, e *edition, found reply) *spelling {
	return &spelling{
		generation: e.generation,
		path:       strings.Clone(r.URL.Path),
		query:      strings.Clone(r.URL.RawQuery),
		key:        found.key,
		fields:     found.fields,
	}
}
