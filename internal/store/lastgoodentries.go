package store

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"time"

	"vitrine/internal/domain"
)

// The tags of entries, in their order: the revision, the keys if known, the rest, the end.
const (
	tagRevision    = 'v'
	tagKeys        = 'k'
	tagRow         = 'r'
	tagObservation = 'o'
	tagEnd         = 'e'
)

type entryWriter struct {
	to *bufio.Writer
}

func (w *entryWriter) lastGood(l LastGood) error {
	s, rev := l.State, l.State.Revision
	w.tag(tagRevision)
	w.number(uint64(rev.Number))
	w.number(uint64(rev.PublishedAt.UnixMilli()))
	w.text(string(rev.Op))
	w.text(rev.Actor)
	w.text(rev.Message)
	w.text(rev.Digest)
	if l.Keys != nil {
		w.keys(l.Keys)
	}
	for row, err := range Rows(s.editors, nil) {
		if err != nil {
			return err
		}
		w.tag(tagRow)
		w.text(string(row.Kind))
		w.text(row.Key)
		w.number(uint64(row.Position))
		w.text(string(row.Body))
	}
	for _, o := range s.observed {
		w.tag(tagObservation)
		w.text(string(o.Kind))
		w.text(o.Key)
		w.text(string(o.Figure))
		w.number(math.Float64bits(o.Value))
		w.text(o.Source)
		w.text(string(o.AsOf))
	}
	return w.to.WriteByte(tagEnd) // returns the first error
}

func (w *entryWriter) keys(keys []APIKey) {
	w.tag(tagKeys)
	w.number(uint64(len(keys)))
	for _, key := range keys {
		w.text(key.Name)
		w.text(string(key.Hash[:]))
		w.time(key.ExpiresAt)
		w.time(key.RevokedAt)
		w.text(key.Limit)
	}
}

// time writes a time, 0 for the zero time.
func (w *entryWriter) time(at time.Time) {
	if at.IsZero() {
		w.number(0)
		return
	}
	w.number(uint64(at.UnixMilli()))
}

func (w *entryWriter) tag(tag byte) { w.to.WriteByte(tag) }

func (w *entryWriter) number(n uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	w.to.Write(b[:])
}

func (w *entryWriter) text(s string) {
	var b [binary.MaxVarintLen64]byte
	w.to.Write(b[:binary.PutUvarint(b[:], uint64(len(s)))])
	w.to.WriteString(s)
}

// entryReader keeps its first error and then reads only zero values.
type entryReader struct {
	from    *bufio.Reader
	program string
	err     error
}

// head reads the first entries, and the tag of the next one.
func (r *entryReader) head() (rev Revision, keys []APIKey, next byte, err error) {
	if tag := r.tag(); r.err == nil && tag != tagRevision {
		return Revision{}, nil, 0, fmt.Errorf("it begins with an entry %q", tag)
	}
	rev = Revision{
		Number:      int64(r.number()),
		PublishedAt: time.UnixMilli(int64(r.number())).UTC(),
		Op:          Op(r.text()),
		Actor:       string(r.text()),
		Message:     string(r.text()),
		Digest:      string(r.text()),
	}
	if next = r.tag(); next == tagKeys {
		keys = r.keys()
		next = r.tag()
	}
	return rev, keys, next, r.err
}

// keys returns a list that is not nil, since nil means unknown.
func (r *entryReader) keys() []APIKey {
	keys := []APIKey{}
	for n := r.number(); n > 0 && r.err == nil; n-- {
		key := APIKey{Name: string(r.text())}
		hash := r.text()
		if copy(key.Hash[:], hash); len(hash) != len(key.Hash) {
			r.fail(fmt.Errorf("the hash of a key has %d bytes", len(hash)))
		}
		key.ExpiresAt, key.RevokedAt, key.Limit = r.time(), r.time(), string(r.text())
		keys = append(keys, key)
	}
	return keys
}

func (r *entryReader) time() time.Time {
	if milliseconds := int64(r.number()); milliseconds != 0 {
		return time.UnixMilli(milliseconds).UTC()
	}
	return time.Time{}
}

func (r *entryReader) lastGood() (LastGood, error) {
	rev, keys, tag, err := r.head()
	if err != nil {
		return LastGood{}, err
	}
	var b Builder
	for ; r.err == nil; tag = r.tag() {
		switch tag {
		case tagRow:
			r.row(&b)
		case tagObservation:
			r.observation(&b)
		case tagEnd:
			state, err := b.State(rev)
			return LastGood{state, keys, r.program}, err
		default:
			return LastGood{}, fmt.Errorf("it holds an entry %q", tag)
		}
	}
	return LastGood{}, r.err
}

func (r *entryReader) row(b *Builder) {
	row := Row{Kind: domain.Kind(r.text()), Key: string(r.text()), Position: int(r.number()), Body: r.text()}
	if r.err == nil {
		r.err = b.Add(row)
	}
}

func (r *entryReader) observation(b *Builder) {
	o := domain.Observation{
		Kind: domain.Kind(r.text()), Key: string(r.text()), Figure: domain.FigureName(r.text()),
		Value: math.Float64frombits(r.number()), Source: string(r.text()), AsOf: domain.Date(r.text()),
	}
	if r.err == nil {
		b.Observe(o)
	}
}

func (r *entryReader) tag() byte {
	tag, err := r.from.ReadByte()
	r.fail(err)
	return tag
}

func (r *entryReader) number() uint64 {
	var b [8]byte
	if r.err == nil {
		_, err := io.ReadFull(r.from, b[:])
		r.fail(err)
	}
	return binary.LittleEndian.Uint64(b[:])
}

// text reads a field. Its buffer grows with the data, so a damaged length takes no memory.
func (r *entryReader) text() []byte {
	if r.err != nil {
		return nil
	}
	n, err := binary.ReadUvarint(r.from)
	if err == nil && n > lastGoodFieldLimit {
		err = fmt.Errorf("a field of %d bytes is too long", n)
	}
	if err != nil {
		r.fail(err)
		return nil
	}
	if n <= 4096 {
		b := make([]byte, n)
		_, err = io.ReadFull(r.from, b)
		r.fail(err)
		return b
	}
	var b bytes.Buffer
	_, err = io.CopyN(&b, r.from, int64(n))
	r.fail(err)
	return b.Bytes()
}

func (r *entryReader) fail(err error) {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if r.err == nil && err != nil {
		r.err = err
	}
}
