package response

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// Large is the size in bytes from which on documents are large bodies; see
// [Packer.Large].
const Large = 1 << 20

// readSize is the number of bytes that an encoder gets at a time. It is constant, because equal
// documents must become equal bytes.
const readSize = 64 << 10

// pieceSize is the size in bytes of the pieces of the content of a large body. Its length is
// not known in advance, and pieces need not be moved when it grows.
const pieceSize = 256 << 10

// Choice is the form of a large body that a client chooses. The zero Choice is for
// bodies that are not large.
type Choice struct {
	encoding encoding
	made     bool
}

// Choose negotiates the form of a large body by Accept-Encoding values (see
// [Select]). The error is a [*Problem]: no encoding is acceptable.
func Choose(accept []string, effort Effort) (Choice, error) {
	e, ok := negotiate(accept, effort, false)
	if !ok {
		return Choice{}, notAcceptable()
	}
	return Choice{encoding: e, made: true}, nil
}

// Accept returns Accept-Encoding values of a client that makes this choice.
func (c Choice) Accept() []string {
	return []string{c.encoding.String()}
}

// Made reports whether there is a choice, that is, whether the body is large.
func (c Choice) Made() bool { return c.made }

// Compressed reports whether the form is compressed.
func (c Choice) Compressed() bool { return c.encoding != identity }

func notAcceptable() error {
	return &Problem{
		Code:   NotAcceptable,
		Detail: "Accept-Encoding rules out every encoding of this response; allow zstd, br, gzip or identity",
	}
}

// Large makes one form of a large body. It calls source once, which must call take with the
// pieces of the document. Each has the given size, the last may be shorter. take does not
// retain them. Only the form and its encoder are in memory.
func (p *Packer) Large(c Choice, effort Effort, source func(size int, take func(piece []byte))) *Body {
	b := &Body{id: ID{effort: effort, choice: c}, packer: p}
	f := &b.forms[c.encoding]
	sum, kept := sha256.New(), &pieces{}
	to, done := io.Writer(kept), func() {}
	if c.Compressed() {
		to, done = p.stream(c.encoding, effort, kept)
	}
	source(readSize, func(piece []byte) {
		_, _ = sum.Write(piece) // neither fails
		_, _ = to.Write(piece)
	})
	done()
	sum.Sum(b.id.sum[:0])
	f.pieces = kept.clipped()
	f.setSize(kept.size)
	f.tag[0] = `"` + base64.RawURLEncoding.EncodeToString(b.id.sum[:16]) + c.suffix() + `"`
	b.weight.Store(int64(overhead + kept.size))
	return b
}

// suffix returns the suffix of the form's entity tag. It differs from that of small bodies,
// because the compressed bytes differ.
func (c Choice) suffix() string {
	if !c.Compressed() {
		return ""
	}
	return c.encoding.suffix() + "-large"
}

// Large reports whether this is one form of a large body.
func (b *Body) Large() bool { return b.id.choice.made }

// Counts reports whether a body counts for a [Budget].
func (b *Body) Counts() bool { return b.Large() || len(b.forms[identity].content) >= Counted }

// stream returns an encoder that writes to a writer, and a function that must be called after
// the last write.
func (p *Packer) stream(e encoding, effort Effort, to io.Writer) (io.Writer, func()) {
	p.packs.Add(1)
	pool := &p.streams[e][effort]
	w := pool.Get().(resetter)
	w.Reset(to)
	return w, func() {
		_ = w.Close() // the writers of this package accept everything
		w.Reset(io.Discard)
		pool.Put(w)
	}
}

// newStream returns an encoder for large documents, never for identity. Whole lists, which are
// requested often, get twice the time of searches.
func newStream(e encoding, effort Effort) resetter {
	const quickly, gzipQuickly = 1, 1
	switch {
	case e == zstandard && effort == Often:
		return newZstdWriter(zstd.SpeedBetterCompression)
	case e == zstandard:
		return newZstdWriter(zstd.SpeedFastest)
	case e == brotlied && effort == Often:
		return newBrotli(fast)
	case e == brotlied:
		return brotli.NewWriterLevel(nil, quickly)
	case effort == Often:
		return newGzip(fast)
	}
	return newGzipWriter(gzipQuickly)
}

// pieces is a writer that keeps the written bytes.
type pieces struct {
	all  [][]byte
	size int
}

func (p *pieces) Write(b []byte) (int, error) {
	p.size += len(b)
	for rest := b; len(rest) > 0; {
		last := len(p.all) - 1
		if last < 0 || len(p.all[last]) == cap(p.all[last]) {
			p.all = append(p.all, make([]byte, 0, pieceSize))
			last++
		}
		n := min(len(rest), cap(p.all[last])-len(p.all[last]))
		p.all[last] = append(p.all[last], rest[:n]...)
		rest = rest[n:]
	}
	return len(b), nil
}

// clipped returns the written bytes without spare capacity.
func (p *pieces) clipped() [][]byte {
	if last := len(p.all) - 1; last >= 0 {
		p.all[last] = bytes.Clone(p.all[last])
	}
	return p.all
}
