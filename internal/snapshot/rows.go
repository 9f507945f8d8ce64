package snapshot

import (
	"encoding/binary"
	"slices"

	"vitrine/internal/locale"
)

// row is one record of a list, encoded for all locales at once: most of a
// record reads the same in each, so that what they begin and end with alike is
// kept once, and so is a middle that several have.
//
//	uvarint length of the beginning, uvarint length of the end,
//	a pair of uvarints a locale: where its middle starts, and its length;
//	none where all locales are the same
//	beginning, end, middles
//
// A row is immutable.
type row []byte

// appendRow appends the row of a record whose encodings in each locale are
// given, never none.
func appendRow(to []byte, encodings [][]byte) []byte {
	first := encodings[0]
	if allEqual(encodings) {
		to = binary.AppendUvarint(to, uint64(len(first)))
		to = binary.AppendUvarint(to, 0)
		return append(to, first...)
	}
	begin, end := len(first), len(first)
	for _, e := range encodings[1:] {
		begin = commonPrefix(first[:begin], e)
	}
	for _, e := range encodings {
		end = min(end, len(e)-begin)
	}
	for _, e := range encodings[1:] {
		end = commonSuffix(first[len(first)-end:], e[begin:])
	}
	to = binary.AppendUvarint(to, uint64(begin))
	to = binary.AppendUvarint(to, uint64(end))
	middle := func(e []byte) []byte { return e[begin : len(e)-end] }
	var middles []byte
	starts := make([]int, len(encodings))
	for i, e := range encodings {
		same := slices.IndexFunc(encodings[:i], func(earlier []byte) bool { return string(earlier) == string(e) })
		if same >= 0 {
			starts[i] = starts[same]
		} else {
			starts[i] = len(middles)
			middles = append(middles, middle(e)...)
		}
		to = binary.AppendUvarint(to, uint64(starts[i]))
		to = binary.AppendUvarint(to, uint64(len(middle(e))))
	}
	to = append(to, first[:begin]...)
	to = append(to, first[len(first)-end:]...)
	return append(to, middles...)
}

// parts are the pieces that make up a row in one locale, in their order.
type parts struct{ begin, middle, end []byte }

// in returns the pieces of a row in a locale of locales in all.
func (r row) in(id locale.ID, locales int) parts {
	begin, n := binary.Uvarint(r)
	end, m := binary.Uvarint(r[n:])
	rest := r[n+m:]
	if end == 0 && uint64(len(rest)) == begin {
		return parts{begin: rest}
	}
	var start, length uint64
	for i := range locales {
		s, n := binary.Uvarint(rest)
		l, m := binary.Uvarint(rest[n:])
		rest = rest[n+m:]
		if i == int(id) {
			start, length = s, l
		}
	}
	middles := rest[begin+end:]
	return parts{begin: rest[:begin], middle: middles[start : start+length], end: rest[begin : begin+end]}
}

func (p parts) len() int { return len(p.begin) + len(p.middle) + len(p.end) }

func (p parts) appendTo(b []byte) []byte {
	b = append(b, p.begin...)
	b = append(b, p.middle...)
	return append(b, p.end...)
}

func allEqual(encodings [][]byte) bool {
	for _, e := range encodings[1:] {
		if string(e) != string(encodings[0]) {
			return false
		}
	}
	return true
}

func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

func commonSuffix(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[len(a)-1-i] != b[len(b)-1-i] {
			return i
		}
	}
	return n
}

// rowWriter puts rows into blocks, so that there are few things to allocate and
// to look after. It is not safe for concurrent use.
type rowWriter struct {
	block     []byte
	encodings [][]byte
	scratch   []byte
}

// blockSize is large enough that blocks are few, and small enough that the rows
// which outlive the others of theirs hold little.
const blockSize = 64 << 10

// encode encodes a record for all locales of a compilation.
func (w *rowWriter) encode(c *compiler, r record) row {
	w.encodings = slices.Grow(w.encodings[:0], len(c.fallbacks))[:len(c.fallbacks)]
	for id, chain := range c.fallbacks {
		one := writer{buf: w.encodings[id][:0]}
		r.encode(&one, resolver(chain))
		w.encodings[id] = one.buf
	}
	w.scratch = appendRow(w.scratch[:0], w.encodings)
	if len(w.scratch) > cap(w.block)-len(w.block) {
		w.block = make([]byte, 0, max(blockSize, len(w.scratch)))
	}
	from := len(w.block)
	w.block = append(w.block, w.scratch...)
	return row(slices.Clip(w.block[from:]))
}
