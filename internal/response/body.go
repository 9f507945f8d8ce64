// Package response writes HTTP responses: JSON bodies with strong entity tags, conditional
// requests, content encodings, and errors as problem documents. No other package uses status
// codes.
//
// It must not know operations, catalogues or snapshots. A *Body and a *Packer are safe for
// concurrent use.
package response

import (
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"sync"
	"sync/atomic"
)

// smallBody is the size in bytes below which a body is not compressed: it fits into one packet.
const smallBody = 1024

// overhead is the approximate memory of a body in addition to its content, in bytes.
const overhead = 768

// ID identifies a body. Bodies with equal ids have equal bytes, entity tags and compressed forms.
type ID struct {
	sum    [sha256.Size]byte
	effort Effort
	choice Choice // of a large body
}

// Body is a JSON document that may be sent many times: its bytes, their entity tags and its
// compressed forms, which are made on first request. Each form of a large document is a separate
// body, so that a compressed form does not keep the document in memory.
type Body struct {
	id     ID
	packer *Packer
	forms  [encodings]form
	weight atomic.Int64
	asked  atomic.Uint32 // a bit for each encoding

	audience audience
}

// form is a body in one encoding, with the values of the headers that describe it.
type form struct {
	tag     [1]string
	pack    sync.Once // makes the following, except for identity
	content []byte
	pieces  [][]byte // of a large body, which has no content
	size    int
	length  [1]string
}

// Body makes a body of a JSON document. It keeps the document, which must not change afterwards.
func (p *Packer) Body(json []byte, effort Effort) *Body {
	b := &Body{id: ID{sum: sha256.Sum256(json), effort: effort}, packer: p}
	hash := base64.RawURLEncoding.EncodeToString(b.id.sum[:16])
	// The tag identifies the document and the encoding (docs/api.md#caching), not the compressed
	// bytes, which may not exist yet. Equal tags mean equal bytes on all replicas: the bytes
	// depend only on the document and the effort, and all bodies of an address have the same
	// effort.
	for i := range b.forms {
		b.forms[i].tag[0] = `"` + hash + encoding(i).suffix() + `"`
	}
	b.forms[identity].setContent(json)
	b.weight.Store(int64(overhead + len(json)))
	return b
}

// ID returns the id of the body.
func (b *Body) ID() ID { return b.id }

// Weight returns the current memory of the body in bytes. It grows with requests for compressed
// forms; see [Body.Pack].
func (b *Body) Weight() int { return int(b.weight.Load()) }

// Pack makes the compressed forms that were requested of an earlier body, so that no request
// waits for them. It ignores the bound of the [Packer], since only the goroutine that warms the
// cache calls it.
func (b *Body) Pack(earlier *Body) {
	if b.Large() {
		return // it is already one form
	}
	asked := earlier.asked.Load()
	b.asked.Or(asked)
	for i := range b.forms {
		if asked&(1<<i) != 0 {
			b.packed(encoding(i), false)
		}
	}
}

// PackAll makes all compressed forms, so that no later [Select] compresses anything. Like
// [Body.Pack], it is for the goroutine that prepares bodies.
func (b *Body) PackAll() {
	if b.Large() {
		return
	}
	for e := range encodings {
		b.packed(e, false)
	}
}

// packed returns the body in an encoding, which it compresses on first use. bounded is that of
// [Packer.pack].
func (b *Body) packed(e encoding, bounded bool) *form {
	f := &b.forms[e]
	if e == identity || b.Large() {
		return f
	}
	f.pack.Do(func() {
		f.setContent(b.packer.pack(b.forms[identity].content, e, b.id.effort, bounded))
		b.weight.Add(int64(len(f.content)))
	})
	if f.content == nil { // compressing panicked in another request
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

// noteAsked records that a client requested an encoding. It writes only once, since all readers
// share the memory.
func (b *Body) noteAsked(e encoding) {
	if bit := uint32(1) << e; b.asked.Load()&bit == 0 {
		b.asked.Or(bit)
	}
}
