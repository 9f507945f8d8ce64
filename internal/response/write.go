package response

import (
	"cmp"
	"maps"
	"net/http"
	"strconv"
)

// The caching of docs/api.md#caching. Caches may serve bodies for a while after a publish; an
// invalid request may soon be valid.
const (
	cacheBody  = "public, max-age=60, stale-while-revalidate=300, stale-if-error=86400"
	cacheError = "public, max-age=10"
	cacheNever = "no-store"
)

const contentType = "application/json"

// The header values that many responses share. They must not be modified.
var (
	bodyCache     = []string{cacheBody}
	bodyType      = []string{contentType}
	bodyEncodings = [encodings][]string{gzipped: {gzipped.String()}, brotlied: {brotlied.String()}, zstandard: {zstandard.String()}}
)

// Fields are headers that describe a body. Each is nil, and is not sent, or has one value. The
// slices may be shared by responses.
type Fields struct {
	ContentLanguage []string // the locale of the body's texts
	TotalCount      []string // of a list, whether the body holds all of it or a page
	Link            []string // to other pages
	ContentLocation []string // the canonical path of the body, if the request used another one
	Notice          []string // Catalog-Notice: ignored and unknown values of the request
	Vary            []string // the headers that select the body, if there are more than Accept-Encoding
	// More has further headers of the body and of a 304, nil for none. They override the default
	// headers: JSON as the type, and the caching of bodies. It must not be modified.
	More http.Header
}

// Document is a body that no operation makes, such as a page, with its headers.
type Document struct {
	Body   []byte // must not be modified
	Fields Fields
	Effort Effort
}

// Selection is the encoding of a body for a request. It is made by [Select].
type Selection struct {
	body     *Body
	encoding encoding
	form     *form // nil if the client has the body
}

// Select selects the encoding of a body for a GET or HEAD request, and compresses the body if
// necessary, so that [Selection.Send] only writes. The error is a [*Problem] if the client
// accepts no encoding of the body. The encoding of a large body was selected by [Choose].
func Select(r *http.Request, body *Body) (Selection, error) {
	encoding, err := body.encodingFor(r)
	if err != nil {
		return Selection{}, err
	}
	body.noteAsked(encoding)
	if matches(r.Header["If-None-Match"], body.forms[encoding].tag[0]) {
		return Selection{body, encoding, nil}, nil
	}
	return Selection{body, encoding, body.packed(encoding, true)}, nil
}

// Unsent reports whether [Selection.Send] will send no content: the request is a HEAD, or its
// client has the body.
func Unsent(r *http.Request, body *Body) bool {
	if r.Method == http.MethodHead {
		return true
	}
	encoding, err := body.encodingFor(r)
	return err == nil && matches(r.Header["If-None-Match"], body.forms[encoding].tag[0])
}

// Sent is the outcome of sending a response.
type Sent struct {
	Status int
	Code   Code // of an error, "" for none
	Bytes  int  // of the body that the connection took
	// Broken means that the connection did not accept the whole body, usually because the client
	// disconnected. A short body may be buffered and count as accepted.
	Broken bool
}

// Length returns the number of content bytes that Send sends for the request.
func (s Selection) Length(r *http.Request) int {
	if s.form == nil || r.Method == http.MethodHead {
		return 0
	}
	return s.form.size
}

// Send sends the response: 200, or 304 if the client has the body.
func (s Selection) Send(w http.ResponseWriter, r *http.Request, fields Fields) Sent {
	header := w.Header()
	header["Etag"] = s.body.forms[s.encoding].tag[:]
	header["Cache-Control"] = bodyCache
	header["Content-Type"] = bodyType
	fields.set(header)
	if s.form == nil {
		delete(header, "Content-Type")
		w.WriteHeader(http.StatusNotModified)
		return Sent{Status: http.StatusNotModified}
	}
	if s.encoding != identity {
		header["Content-Encoding"] = bodyEncodings[s.encoding]
	}
	header["Content-Length"] = s.form.length[:]
	if s.form.pieces != nil {
		return write(w, r, http.StatusOK, s.form.pieces...)
	}
	return write(w, r, http.StatusOK, s.form.content)
}

// encodingFor negotiates the encoding of a body.
func (b *Body) encodingFor(r *http.Request) (encoding, error) {
	if b.Large() {
		return b.id.choice.encoding, nil
	}
	small := len(b.forms[identity].content) < smallBody
	e, ok := negotiate(r.Header["Accept-Encoding"], b.id.effort, small)
	if !ok {
		return identity, notAcceptable()
	}
	return e, nil
}

func (f Fields) set(header http.Header) {
	if f.ContentLanguage != nil {
		header["Content-Language"] = f.ContentLanguage
	}
	if f.TotalCount != nil {
		header["Total-Count"] = f.TotalCount
	}
	if f.Link != nil {
		header["Link"] = f.Link
	}
	if f.ContentLocation != nil {
		header["Content-Location"] = f.ContentLocation
	}
	if f.Notice != nil {
		header["Catalog-Notice"] = f.Notice
	}
	if f.Vary != nil {
		header["Vary"] = f.Vary
	}
	maps.Copy(header, f.More)
}

// write sends a status and, unless the request is a HEAD, the content, whose
// headers are set.
func write(w http.ResponseWriter, r *http.Request, status int, content ...[]byte) Sent {
	w.WriteHeader(status)
	sent := Sent{Status: status}
	if r.Method == http.MethodHead {
		return sent
	}
	for _, piece := range content {
		n, err := w.Write(piece)
		sent.Bytes += n
		if err != nil { // the client disconnected
			sent.Broken = true
			break
		}
	}
	return sent
}

// Relay sends the complete response of another handler, with its headers; a status of 0 means
// 200. It must not be cached.
func Relay(w http.ResponseWriter, r *http.Request, status int, fields http.Header, content []byte) Sent {
	header := w.Header()
	maps.Copy(header, fields)
	header["Cache-Control"] = []string{cacheNever}
	header["Content-Length"] = []string{strconv.Itoa(len(content))}
	return write(w, r, cmp.Or(status, http.StatusOK), content)
}

// RelayInvalid sends a 400 with a JSON document that describes the error in another protocol.
func RelayInvalid(w http.ResponseWriter, r *http.Request, content []byte) Sent {
	return Relay(w, r, http.StatusBadRequest, http.Header{"Content-Type": {"application/json"}}, content)
}

// RelayAccepted sends a 202 without a body.
func RelayAccepted(w http.ResponseWriter, r *http.Request) Sent {
	return Relay(w, r, http.StatusAccepted, nil, nil)
}

// IsUnsatisfiable reports whether a status is that of [RangeNotSatisfiable].
func IsUnsatisfiable(status int) bool { return status == http.StatusRequestedRangeNotSatisfiable }

// Options sends the response to an OPTIONS request: 204, with the headers of a CORS preflight.
func Options(w http.ResponseWriter) Sent {
	return Preflight(w, allow, "X-API-Key, Authorization, If-None-Match, X-Request-Id")
}

// Preflight is [Options] for other methods and headers than those of the operations, each a
// comma-separated list.
func Preflight(w http.ResponseWriter, methods, headers string) Sent {
	header := w.Header()
	header.Set("Allow", methods)
	header.Set("Access-Control-Allow-Methods", methods)
	header.Set("Access-Control-Allow-Headers", headers)
	header.Set("Access-Control-Max-Age", "86400")
	w.WriteHeader(http.StatusNoContent)
	return Sent{Status: http.StatusNoContent}
}
