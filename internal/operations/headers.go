package operations

import (
	"math/rand/v2"
	"net/http"
	"strings"
)

// exposed lists the headers that scripts of other origins may read
// (docs/api.md#browsers).
const exposed = "ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Catalog-Revision, Link, Total-Count, Content-Location, Catalog-Notice"

// The header values of all responses, errors included. All responses share them, so they must not be
// modified.
var anyOrigin, exposedHeaders, usualVary, noSniff = []string{"*"}, []string{exposed}, []string{"Accept-Encoding"}, []string{"nosniff"}

// setCommon sets the common headers of all responses. Catalog-Revision is set elsewhere.
func setCommon(header http.Header, id string) {
	header["X-Request-Id"] = []string{id}
	header["Access-Control-Allow-Origin"] = anyOrigin
	header["Access-Control-Expose-Headers"] = exposedHeaders
	header["Vary"] = usualVary
	header["X-Content-Type-Options"] = noSniff
}

// requestID returns the client's request id if it is safe to log, else a new one. A request with
// two ids gets a new one.
func requestID(r *http.Request) string {
	values := r.Header["X-Request-Id"]
	if len(values) != 1 {
		return newID()
	}
	if id := values[0]; id != "" && len(id) <= 128 && !strings.ContainsFunc(id, unfit) {
		return id
	}
	return newID()
}

// newID returns 120 random bits. An id need not be secret, so it comes from the generator without
// a lock.
func newID() string {
	const alphabet = "abcdefghijklmnopqrstuvwxyz234567"
	var id [24]byte
	first, second := rand.Uint64(), rand.Uint64()
	for i := range len(id) / 2 {
		id[2*i], id[2*i+1] = alphabet[first>>(5*i)&31], alphabet[second>>(5*i)&31]
	}
	return string(id[:])
}

func unfit(c rune) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return false
	}
	return c != '.' && c != '_' && c != '-'
}
