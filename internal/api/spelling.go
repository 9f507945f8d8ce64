package api

import (
	"hash/maphash"
	"net/http"
	"strings"
	"sync/atomic"

	"vitrine/internal/response"
)

const (
	// spellings is how many are remembered, a power of two.
	spellings = 1024
	// maxSpelling is how long a query string may be to be remembered, in bytes.
	maxSpelling = 256
)

// spelling is a request as a client spelled it, and what it came to: reading it
// again would give the same.
type spelling struct {
	generation  uint64
	path, query string
	key         key
	fields      response.Fields
}

// reader remembers spellings, so that the requests of many clients that ask
// alike are read once. A new spelling takes the place of an older one. It holds
// nothing of an edition but texts, and is read and written without locks.
type reader struct {
	seed  maphash.Seed
	slots [spellings]atomic.Pointer[spelling]
}

func newReader() *reader { return &reader{seed: maphash.MakeSeed()} }

// slot returns the place of a request's spelling, nil where it is not one to
// remember.
func (m *reader) slot(r *http.Request) *atomic.Pointer[spelling] {
	isRead := r.Method == http.MethodGet || r.Method == http.MethodHead
	if !isRead || r.URL.RawPath != "" || len(r.URL.Path)+len(r.URL.RawQuery) > maxSpelling {
		return nil
	}
	hash := maphash.String(m.seed, r.URL.Path) ^ 3*maphash.String(m.seed, r.URL.RawQuery)
	return &m.slots[hash%spellings]
}

// is reports whether a request to an edition is spelled like this.
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
