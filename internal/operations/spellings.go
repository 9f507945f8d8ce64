package operations

import (
	"hash/maphash"
	"net/http"
	"strings"
	"sync/atomic"

	"vitrine/internal/response"
)

const (
	// maxSpellings is the number of spellings that are cached.
	maxSpellings = 1024
	// maxSpelling is the maximum length of path and query string of a cached spelling, in bytes.
	maxSpelling = 256
)

// spelling is the path and query string of a request as sent, with the key and headers
// that result from parsing them.
type spelling struct {
	generation  uint64
	path, query string
	key         key
	fields      response.Fields
}

// spellings caches parsed requests by their spelling, so that equal requests are parsed
// once. A new spelling evicts the one in its slot. Spellings do not keep a generation in
// memory. They are read and written without locks.
type spellings struct {
	seed  maphash.Seed
	slots [maxSpellings]atomic.Pointer[spelling]
}

func newSpellings() *spellings { return &spellings{seed: maphash.MakeSeed()} }

// slot returns the slot of a request's spelling, nil for a request that is not cached.
func (m *spellings) slot(r *http.Request) *atomic.Pointer[spelling] {
	isRead := r.Method == http.MethodGet || r.Method == http.MethodHead
	if !isRead || r.URL.RawPath != "" || wantsAnotherForm(r) || len(r.URL.Path)+len(r.URL.RawQuery) > maxSpelling {
		return nil
	}
	hash := maphash.String(m.seed, r.URL.Path) ^ 3*maphash.String(m.seed, r.URL.RawQuery)
	return &m.slots[hash%maxSpellings]
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

// is reports whether a request to a generation has this spelling.
func (s *spelling) is(r *http.Request, g *generation) bool {
	return s.generation == g.number && s.path == r.URL.Path && s.query == r.URL.RawQuery
}

func newSpelling(r *http.Request, g *generation, found reply) *spelling {
	return &spelling{
		generation: g.number,
		path:       strings.Clone(r.URL.Path),
		query:      strings.Clone(r.URL.RawQuery),
		key:        found.key,
		fields:     found.fields,
	}
}
