package api

import (
	"crypto/rand"
	"net/http"
	"strconv"
	"strings"

	"vitrine/internal/snapshot"
)

func newEdition(s *snapshot.Snapshot, generation uint64) *edition {
	return &edition{
		snapshot:   s,
		generation: generation,
		revision:   []string{strconv.FormatInt(s.Revision().Number, 10)},
	}
}

// exposed lists the headers that scripts of other origins may read (contract,
// "CORS").
const exposed = "ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Catalog-Revision, Link, Total-Count"

// commonHeaders sets what every response carries, errors included; beside it,
// every response names the revision that is served.
func commonHeaders(header http.Header, id string) {
	header["X-Request-Id"] = []string{id}
	header["Access-Control-Allow-Origin"] = []string{"*"}
	header["Access-Control-Expose-Headers"] = []string{exposed}
	header["Vary"] = []string{"Accept-Encoding"}
	header["X-Content-Type-Options"] = []string{"nosniff"}
}

// requestID returns the caller's id if it is fit for a log, else a new one.
func requestID(r *http.Request) string {
	id := r.Header.Get("X-Request-Id")
	if id == "" || len(id) > 128 || strings.ContainsFunc(id, unfit) {
		return rand.Text()
	}
	return id
}

func unfit(c rune) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return false
	}
	return c != '.' && c != '_' && c != '-'
}
