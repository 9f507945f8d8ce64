// Package response writes HTTP responses: JSON bodies with strong entity tags,
// conditional requests and content encodings, and errors as problem documents.
// It is the only place that knows status codes.
//
// It must not know operations, catalogues or snapshots. A *Body is safe for
// any number of requests at a time.
package response

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// smallBody is the size in bytes below which a body is not worth compressing:
// it fits into one packet as it is.
const smallBody = 1024

// Body is one JSON document that may be sent many times: its bytes, their
// entity tags and, once a client asked for it, their compressed form.
type Body struct {
	identity []byte
	hash     string
	compress sync.Once
	gzipped  []byte
}

// NewBody makes a body of a JSON document, which it keeps and must not change
// any more.
func NewBody(json []byte) *Body {
	sum := sha256.Sum256(json)
	return &Body{identity: json, hash: base64.RawURLEncoding.EncodeToString(sum[:16])}
}

// Weight returns an upper bound of the memory that the body takes, in bytes,
// compressed form included.
func (b *Body) Weight() int { return 2*len(b.identity) + 256 }

// etag returns the strong entity tag of the body in an encoding: a hash of the
// document and the encoding (contract, "Caching").
func (b *Body) etag(encoding encoding) string {
	if encoding == identity {
		return `"` + b.hash + `"`
	}
	return `"` + b.hash + "-" + string(encoding) + `"`
}

// bytes returns the body in an encoding.
func (b *Body) bytes(encoding encoding) []byte {
	if encoding == identity {
		return b.identity
	}
	b.compress.Do(func() { b.gzipped = gzipBytes(b.identity) })
	return b.gzipped
}

func gzipBytes(plain []byte) []byte {
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	_, _ = w.Write(plain) // a bytes.Buffer takes all writes
	_ = w.Close()
	return bytes.Clone(buf.Bytes())
}
