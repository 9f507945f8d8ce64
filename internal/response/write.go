package response

import (
	"cmp"
	"maps"
	"net/http"
	"strconv"
)

// The caching that docs/api.md#caching promises. Bodies may be served from caches for a
// while after a publish; a wrong request may soon be right.
const (
	cacheBody  = "public, max-age=60, stale-while-revalidate=300, stale-if-error=86400"
	cacheError = "public, max-age=10"
	cacheNever = "no-store"
)

const contentType = "application/json"

// headers are the values of headers that are the same in many responses. They
// are shared by all, so nobody may write into them.
type headers struct {
	cacheBody   []string
	contentType []string
	encodings   [encodings][]string
}

func newHeaders() headers {
	h := headers{cacheBody: []string{cacheBody}, contentType: []string{contentType}}
	for e := range h.encodings {
		h.encodings[e] = []string{encoding(e).String()}
	}
	return h
}

// Fields are the headers that tell of a body, each nil or with one value; one
// that is nil is not sent. The slices may be shared by responses.
type Fields struct {
	ContentLanguage []string // the locale of the body's texts
	TotalCount      []string // of a list, whether the body holds all of it or a page
	Link            []string // to other pages
	ContentLocation []string // the canonical path of the body, where the request named it otherwise
	Notice          []string // what the request asked for that had no effect
	Vary            []string // which headers choose the body, where Accept-Encoding is not the only one
	// More has whatever else is sent with the body and with a 304, nil for nothing. It
	// takes the place of what bodies have by themselves: their type, which is JSON,
	// and how long they may be cached. Nobody may write into it.
	More http.Header
}

// Document is a body that is not of an operation, such as a page, and how it is sent.
type Document struct {
	Body   []byte // the document's own from here on: nobody may change it
	Fields Fields
	Effort Effort
}

// Selection is a body as a request is to have it. It is made by [Select].
type Selection struct {
	body     *Body
	encoding encoding
	form     *form // nil where the client has the body already
}

// Select finds what answers a GET or HEAD request for a body, and compresses the
// body if that is to be done. The error is a [*Problem]: the client accepts no
// encoding of the body. [Selection.Send] then has nothing to do but to write. Of a
// large body the form was chosen before, by [Choose].
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

// Unsent reports whether [Selection.Send] will send none of the content of a body:
// the request is a HEAD, or its client has the body already.
func Unsent(r *http.Request, body *Body) bool {
	if r.Method == http.MethodHead {
		return true
	}
	encoding, err := body.encodingFor(r)
	return err == nil && matches(r.Header["If-None-Match"], body.forms[encoding].tag[0])
}

// Sent is what a response came to.
type Sent struct {
	Status int
	Code   Code // of an error, "" for none
	Bytes  int  // of the body that the connection took
	// Broken says that the connection did not take the whole body, most likely because
	// the client has gone. A short body may be in a buffer and count as taken.
	Broken bool
}

// Length returns how many bytes of content Send sends in answer to the request.
func (s Selection) Length(r *http.Request) int {
	if s.form == nil || r.Method == http.MethodHead {
		return 0
	}
	return s.form.size
}

// Send answers the request: 200, or 304 where the client has the body already.
func (s Selection) Send(w http.ResponseWriter, r *http.Request, fields Fields) Sent {
	header, shared := w.Header(), &s.body.packer.headers
	header["Etag"] = s.body.forms[s.encoding].tag[:]
	header["Cache-Control"] = shared.cacheBody
	header["Content-Type"] = shared.contentType
	fields.set(header)
	if s.form == nil {
		delete(header, "Content-Type")
		w.WriteHeader(http.StatusNotModified)
		return Sent{Status: http.StatusNotModified}
	}
	if s.encoding != identity {
		header["Content-Encoding"] = shared.encodings[s.encoding]
	}
	header["Content-Length"] = s.form.length[:]
	if s.form.pieces != nil {
		return write(w, r, http.StatusOK, s.form.pieces...)
	}
	return write(w, r, http.StatusOK, s.form.content)
}

// encodingFor negotiates the encoding in which a body is sent.
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
		if err != nil { // the client has gone
			sent.Broken = true
			break
		}
	}
	return sent
}

// Relay sends a whole answer that another handler made, with its headers; a status of 0
// stands for 200. Such answers are not for caches.
func Relay(w http.ResponseWriter, r *http.Request, status int, fields http.Header, content []byte) Sent {
	header := w.Header()
	maps.Copy(header, fields)
	header["Cache-Control"] = []string{cacheNever}
	header["Content-Length"] = []string{strconv.Itoa(len(content))}
	return write(w, r, cmp.Or(status, http.StatusOK), content)
}

// RelayInvalid answers 400 with a JSON document that says in a protocol of its own what is
// wrong with a message.
func RelayInvalid(w http.ResponseWriter, r *http.Request, content []byte) Sent {
	return Relay(w, r, http.StatusBadRequest, http.Header{"Content-Type": {"application/json"}}, content)
}

// RelayAccepted answers 202 without a body to a message that needs no answer.
func RelayAccepted(w http.ResponseWriter, r *http.Request) Sent {
	return Relay(w, r, http.StatusAccepted, nil, nil)
}

// Options answers an OPTIONS request: 204, with what a CORS preflight asks for.
func Options(w http.ResponseWriter) Sent {
	return Preflight(w, allow, "X-API-Key, Authorization, If-None-Match, X-Request-Id")
}

// Preflight is [Options] for other methods and headers than those of the operations,
// each a list with commas.
func Preflight(w http.ResponseWriter, methods, headers string) Sent {
	header := w.Header()
	header.Set("Allow", methods)
	header.Set("Access-Control-Allow-Methods", methods)
	header.Set("Access-Control-Allow-Headers", headers)
	header.Set("Access-Control-Max-Age", "86400")
	w.WriteHeader(http.StatusNoContent)
	return Sent{Status: http.StatusNoContent}
}
