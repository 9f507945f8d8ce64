package response

import (
	"bytes"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Effort is the effort for compressing a body.
type Effort uint8

const (
	// Often is for a few bodies with many requests.
	Often Effort = iota
	// Once is for bodies that are rarely requested again.
	Once
	efforts
)

// Sizes in bytes up to which a body is compressed at the levels best and balanced.
const (
	maxBest     = 64 << 10
	maxBalanced = 1 << 20
)

// level is the compression level of an encoder.
type level int

const (
	fast level = iota
	balanced
	best
	levels
)

func levelOf(size int, effort Effort) level {
	switch {
	case effort == Once || size > maxBalanced:
		return fast
	case size > maxBest:
		return balanced
	}
	return best
}

// maxPacking bounds the concurrent encoders: each takes some megabytes.
const maxPacking = 4

// Packer makes bodies and compresses them with pooled encoders. For requests, at most one
// encoder per processor runs, and at most maxPacking; further requests wait.
type Packer struct {
	slots    chan struct{}
	encoders [encodings][levels]sync.Pool  // of encoder
	streams  [encodings][efforts]sync.Pool // of resetter
	packs    atomic.Uint64
}

// Packs returns the number of compressed bodies and large forms.
func (p *Packer) Packs() uint64 { return p.packs.Load() }

// NewPacker returns a packer.
func NewPacker() *Packer {
	p := &Packer{slots: make(chan struct{}, min(maxPacking, runtime.GOMAXPROCS(0)))}
	for e := range p.encoders {
		for l := range p.encoders[e] {
			p.encoders[e][l].New = func() any { return newEncoder(encoding(e), level(l)) }
		}
		for effort := range p.streams[e] {
			p.streams[e][effort].New = func() any { return newStream(encoding(e), Effort(effort)) }
		}
	}
	return p
}

// pack returns the bytes in an encoding, never identity. If bounded, it waits while too many
// encoders run.
func (p *Packer) pack(plain []byte, e encoding, effort Effort, bounded bool) []byte {
	if bounded {
		p.slots <- struct{}{}
		defer func() { <-p.slots }()
	}
	p.packs.Add(1)
	pool := p.pool(e, levelOf(len(plain), effort))
	encode := pool.Get().(encoder)
	defer pool.Put(encode)
	return encode(plain)
}

// pool returns the encoders of a level. zstd has one level, and its encoders are large.
func (p *Packer) pool(e encoding, l level) *sync.Pool {
	if e == zstandard {
		l = fast
	}
	return &p.encoders[e][l]
}

// encoder compresses one document at a time. The caller owns the result.
type encoder func(plain []byte) []byte

// newEncoder returns an encoder of an encoding, never identity. The levels follow from
// BenchmarkPack: beyond them, the time grows much faster than the size shrinks. Windows are
// bounded because encoders and clients allocate memory for them.
func newEncoder(e encoding, l level) encoder {
	switch e {
	case zstandard:
		return newZstd()
	case brotlied:
		return streamed(newBrotli(l))
	default:
		return streamed(newGzip(l))
	}
}

// newZstd returns an encoder of the one useful level of zstd: the next takes eight times the
// memory and four times the time for two per cent.
func newZstd() encoder {
	w := newZstdWriter(zstd.SpeedBetterCompression)
	return func(plain []byte) []byte { return bytes.Clone(w.EncodeAll(plain, nil)) }
}

func newZstdWriter(l zstd.EncoderLevel) *zstd.Encoder {
	const window = 1 << 20 // clients may refuse more than 8 MiB (RFC 9659)
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(l),
		zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(window), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic("response: zstd: " + err.Error()) // the options are constant
	}
	return w
}

func newBrotli(l level) resetter {
	switch l {
	case best:
		// The window covers all that is compressed with this level.
		return brotli.NewWriterOptions(nil, brotli.WriterOptions{Quality: 10, LGWin: 16})
	case balanced:
		return brotli.NewWriterV2(nil, 5)
	default:
		return brotli.NewWriterV2(nil, 3)
	}
}

func newGzip(l level) resetter {
	return newGzipWriter([levels]int{fast: 5, balanced: 6, best: 9}[l])
}

func newGzipWriter(level int) resetter {
	w, err := gzip.NewWriterLevel(nil, level)
	if err != nil {
		panic("response: gzip: " + err.Error()) // the levels are constant
	}
	return w
}

// resetter is a reusable compressing writer.
type resetter interface {
	io.WriteCloser
	Reset(io.Writer)
}

func streamed(w resetter) encoder {
	return func(plain []byte) []byte {
		var packed bytes.Buffer
		w.Reset(&packed)
		_, _ = w.Write(plain) // a bytes.Buffer accepts all writes
		_ = w.Close()
		w.Reset(nil) // or it would keep the buffer
		return bytes.Clone(packed.Bytes())
	}
}
