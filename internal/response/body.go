// Package response writes HTTP responses: JSON bodies with strong entity tags,
// conditional requests and content encodings, and errors as problem documents.
// It is the only place that knows status codes.
//
// It must not know operations, catalogues or snapshots. A *Body and a *Packer
// are safe for any number of requests at a time.
package response

import (
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"sync"
	"sync/atomic"
)

// smallBody is the size in bytes below which a body is not worth compressing:
// it fits into one packet as it is.
const smallBody = 1024

// overhead is about what a body takes beside its bytes.
const overhead = 768

// ID tells bodies apart: those with the same id have the same bytes, entity
// tags and compressed forms.
type ID struct {
	sum    [sha256.Size]byte
	effort Effort
	choice Choice // of a large body
}

// Body is one JSON document that may be sent many times: its bytes, their entity
// tags and, once a client asked for them, its compressed forms. Of a large document
// each form is a body of its own, so that the document need not be in memory for a
// client that asks for a compressed form.
type Body struct {
	id     ID
	packer *Packer
	forms  [encodings]form
	weight atomic.Int64
	asked  atomic.Uint32 // a bit for each encoding

	audience audience
}

// form is a body in one encoding, and the values of headers that describe it, ready
// to be put into responses.
type form struct {
	tag     [1]string
	pack    sync.Once // makes what follows, except for identity
	content []byte
	pieces  [][]byte // in place of content, for a large body
	size    int
	length  [1]string
}

// Body makes a body of a JSON document, which it keeps and must not change any
// more.
func (p *Packer) Body(json []byte, effort Effort) *Body {
	b := &Body{id: ID{sum: sha256.Sum256(json), effort: effort}, packer: p}
	hash := base64.RawURLEncoding.EncodeToString(b.id.sum[:16])
	// The tag names the document and the encoding (docs/api.md#caching), not the
	// compressed bytes, which may not exist yet. Still the same tag means the same
	// bytes on every replica: they depend on nothing but the document and the effort,
	// and all bodies of an address are made with one effort.
	for i := range b.forms {
		b.forms[i].tag[0] = `"` + hash + encoding(i).suffix() + `"`
	}
	b.forms[identity].setContent(json)
	b.weight.Store(int64(overhead + len(json)))
	return b
}

// ID returns what tells the body from others.
func (b *Body) ID() ID { return b.id }

// Weight returns the memory that the body takes now, in bytes. It grows as
// clients ask for compressed forms; see [Body.Pack].
func (b *Body) Weight() int { return int(b.weight.Load()) }

// Pack makes the compressed forms that clients asked an earlier body for, so that
// nobody has to wait for them. The bound of the [Packer] does not hold for it: it is
// for the one goroutine that works ahead.
func (b *Body) Pack(earlier *Body) {
	if b.Large() {
		return // it is one form already
	}
	asked := earlier.asked.Load()
	b.asked.Or(asked)
	for i := range b.forms {
		if asked&(1<<i) != 0 {
			b.packed(encoding(i), false)
		}
	}
}

// PackAll makes all compressed forms, so that no later [Select] compresses anything. It is
// for the goroutine that prepares bodies, as [Body.Pack] is.
func (b *Body) PackAll() {
	if b.Large() {
		return
	}
	for e := range encodings {
		b.packed(e, false)
	}
}

// packed returns the body in an encoding. It compresses it if nobody did so before;
// bounded is that of [Packer.pack].
func (b *Body) packed(e encoding, bounded bool) *form {
	f := &b.forms[e]
	if e == identity || b.Large() {
		return f
	}
	f.pack.Do(func() {
		f.setContent(b.packer.pack(b.forms[identity].content, e, b.id.effort, bounded))
		b.weight.Add(int64(len(f.content)))
	})
	if f.content == nil { // it panicked for the first that asked
		panic("response: this body could not be compressed to " + e.String())
	}
	return f
}

func (f *form) setContent(content []byte) {
	f.content = content
	f.setSize(len(content))
}

func (f *form) setSize(size int) {
	f.size = size
	f.length[0] = strconv.Itoa(size)
}

// noteAsked notes that a client asked for an encoding. It writes once only: all
// readers share the memory.
func (b *Body) noteAsked(e encoding) {
	if bit := uint32(1) << e; b.asked.Load()&bit == 0 {
		b.asked.Or(bit)
	}
}
