package response

import (
	"net/http"
	"strconv"
	"strings"
)

// The caching that the contract sets. Bodies may be served from caches for a
// while after a publish; a wrong request may soon be right.
const (
	cacheBody  = "public, max-age=60, stale-while-revalidate=300, stale-if-error=86400"
	cacheError = "public, max-age=10"
	cacheNever = "no-store"
)

const contentType = "application/json"

// Fields are the headers that tell of a body; one that is "" is not sent.
type Fields struct {
	ContentLanguage string // the locale of the body's texts
	TotalCount      string // of a list of which the body holds a page
	Link            string // to other pages
}

// Send answers a GET or HEAD request with a body: 200, or 304 where the client
// has it already, or 406 where the client accepts no encoding of it.
func Send(w http.ResponseWriter, r *http.Request, body *Body, fields Fields) {
	encoding, ok := negotiate(r.Header["Accept-Encoding"], len(body.identity) < smallBody)
	if !ok {
		Fail(w, r, &Problem{
			Code:   NotAcceptable,
			Detail: "Accept-Encoding rules out every encoding of this response; allow gzip or identity",
		})
		return
	}
	header := w.Header()
	tag := body.etag(encoding)
	header["Etag"] = []string{tag}
	header["Cache-Control"] = []string{cacheBody}
	fields.set(header)
	if matches(r.Header["If-None-Match"], tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if encoding != identity {
		header["Content-Encoding"] = []string{string(encoding)}
	}
	write(w, r, http.StatusOK, body.bytes(encoding))
}

func (f Fields) set(header http.Header) {
	for _, field := range [...]struct{ name, value string }{
		{"Content-Language", f.ContentLanguage},
		{"Total-Count", f.TotalCount},
		{"Link", f.Link},
	} {
		if field.value != "" {
			header[field.name] = []string{field.value}
		}
	}
}

func write(w http.ResponseWriter, r *http.Request, status int, content []byte) {
	header := w.Header()
	header["Content-Type"] = []string{contentType}
	header["Content-Length"] = []string{strconv.Itoa(len(content))}
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return
	}
	_, _ = w.Write(content) // fails when the client has gone, who then misses nothing
}

// matches reports whether an If-None-Match field names the entity tag (RFC
// 9110, section 13.1.2: weak comparison, `*` names any).
func matches(fields []string, tag string) bool {
	for _, field := range fields {
		for rest := strings.TrimLeft(field, " \t,"); rest != ""; rest = strings.TrimLeft(rest, " \t,") {
			if rest[0] == '*' {
				return true
			}
			candidate, after, ok := entityTag(rest)
			if !ok {
				break // what cannot be read cannot match
			}
			if candidate == tag {
				return true
			}
			rest = after
		}
	}
	return false
}

// entityTag reads the entity tag that s begins with, without its weakness.
func entityTag(s string) (tag, after string, ok bool) {
	s = strings.TrimPrefix(s, "W/")
	if !strings.HasPrefix(s, `"`) {
		return "", "", false
	}
	end := strings.IndexByte(s[1:], '"')
	if end < 0 {
		return "", "", false
	}
	return s[:end+2], s[end+2:], true
}

// Options answers an OPTIONS request: 204, with what a CORS preflight asks for.
func Options(w http.ResponseWriter) {
	header := w.Header()
	header.Set("Allow", allow)
	header.Set("Access-Control-Allow-Methods", allow)
	header.Set("Access-Control-Allow-Headers", "X-API-Key, If-None-Match, X-Request-Id")
	header.Set("Access-Control-Max-Age", "86400")
	w.WriteHeader(http.StatusNoContent)
}
