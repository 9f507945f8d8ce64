package snapshot

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
)

// row is one record of a list, encoded for all locales at once. The encodings
// for the locales mostly begin and end alike. So the beginning and the end are
// kept once, and so is a middle that several locales have:
//
//	uvarint length of the beginning, uvarint length of the end,
//	for each locale: uvarint where its middle starts, uvarint its length
//	(left out where all locales are the same),
//	beginning, end, middles
//
// Two things are left out of the encoding, each with a mark in its place: the
// labels of the record's categories, which many records share (see [labels]), and
// its text, which the record holds anyway.
//
// It must be so elaborate because all rows are in memory: written out for each
// locale, they would take about as many times the memory as there are locales. To
// encode them at each request would take that much of the time of each.
//
// A row is immutable.
type row struct {
	encoded []byte
	text    domain.Text // what belongs at textMark; nil where there is no such mark
}

// Marks are bytes that JSON never holds. A row has each once at most.
const (
	labelsMark = 0
	textMark   = 1
)

// localizer gives texts in each locale, as [domain.Text.Resolve] does, only
// faster: a text that is translated into all locales has each at a known place.
type localizer struct {
	names     []string   // of locales, by locale.ID
	fallbacks [][]string // locale.Set.Fallback, by locale.ID
	places    []int      // place of each locale in a text that has all, by locale.ID
}

func newLocalizer(names []string, fallbacks [][]string) *localizer {
	sorted := slices.Sorted(slices.Values(names))
	l := &localizer{names: names, fallbacks: fallbacks, places: make([]int, len(names))}
	for id, name := range names {
		l.places[id] = slices.Index(sorted, name)
	}
	return l
}

func (l *localizer) in(t domain.Text, id locale.ID) string {
	if len(t) == len(l.places) {
		translation := &t[l.places[id]]
		if translation.Locale == l.names[id] { // a text from a store may have other locales
			return translation.Value
		}
	}
	return t.Resolve(l.fallbacks[id])
}

// needsNoEscape reports whether a text stands in JSON as it is, in all locales.
func needsNoEscape(t domain.Text) bool {
	for _, translation := range t {
		for i := range len(translation.Value) {
			if c := translation.Value[i]; c < ' ' || c == '"' || c == '\\' {
				return false
			}
		}
		if !utf8.ValidString(translation.Value) {
			return false
		}
	}
	return true
}

// appendRow appends the encoding of a row (see [row]), made of its encodings for
// each locale, of which there is one at least.
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

// localized is a row in one locale: what stands one after the other, with the
// marks still in it.
type localized struct{ begin, middle, end []byte }

// in returns the row in one of so many locales.
func (r *row) in(id locale.ID, locales int) localized {
	begin, n := binary.Uvarint(r.encoded)
	end, m := binary.Uvarint(r.encoded[n:])
	rest := r.encoded[n+m:]
	if end == 0 && uint64(len(rest)) == begin {
		return localized{begin: rest}
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
	return localized{begin: rest[:begin], middle: middles[start : start+length], end: rest[begin : begin+end]}
}

// size returns the bytes of the row with its labels, nil for none, and its text,
// "" for none: at most, since the marks are counted as well.
func (l localized) size(labels []byte, text string) int {
	return len(l.begin) + len(l.middle) + len(l.end) + len(labels) + len(text)
}

// appendTo appends the row with its labels and its text in place of the marks.
func (l localized) appendTo(b []byte, labels []byte, text string) []byte {
	for _, part := range [...][]byte{l.begin, l.middle, l.end} {
		if text != "" {
			if at := bytes.IndexByte(part, textMark); at >= 0 {
				b = append(appendLabelled(b, part[:at], labels), text...)
				part = part[at+1:]
			}
		}
		b = appendLabelled(b, part, labels)
	}
	return b
}

func appendLabelled(b, part, labels []byte) []byte {
	if labels != nil {
		if at := bytes.IndexByte(part, labelsMark); at >= 0 {
			b = append(append(b, part[:at]...), labels...)
			part = part[at+1:]
		}
	}
	return append(b, part...)
}

// labels are the labels of the categories of all records of a list, encoded.
// Most records have one of few combinations of categories, so each combination is
// encoded once: its labels are often longer than the rest of the record.
type labels struct {
	numbers  map[string]uint32 // of combinations, by their slugs joined with commas
	encoded  [][][]byte        // by number of the combination, then by locale.ID
	byRecord []uint32          // number of the combination, by number of the record
}

// of returns the labels of a record, nil where its list has none.
func (l *labels) of(number uint32, id locale.ID) []byte {
	if l == nil {
		return nil
	}
	return l.encoded[l.byRecord[number]][id]
}

// labels returns the labels of a list whose record numbers are below size. The
// records in changed have the categories that slugs returns; the others have the
// labels that they have in previous, which is nil where all are in changed.
func (c *compiler) labels(previous *labels, size int, changed []uint32, slugs func(number uint32) []string) *labels {
	l := &labels{numbers: map[string]uint32{}, byRecord: make([]uint32, size)}
	if previous != nil {
		l.numbers, l.encoded = maps.Clone(previous.numbers), slices.Clone(previous.encoded)
		copy(l.byRecord, previous.byRecord)
	}
	for _, record := range changed {
		combination := slugs(record)
		key := strings.Join(combination, ",")
		number, known := l.numbers[key]
		if !known {
			number = uint32(len(l.encoded))
			l.numbers[key] = number
			l.encoded = append(l.encoded, c.encodeLabels(combination))
		}
		l.byRecord[record] = number
	}
	return l
}

// encodeLabels returns the labels of categories as an array, by locale.ID.
func (c *compiler) encodeLabels(slugs []string) [][]byte {
	return c.each(func(w *writer, resolve func(domain.Text) string) {
		w.open('[')
		for _, slug := range slugs {
			w.comma()
			w.quote(resolve(c.names[slug]))
		}
		w.close(']')
	})
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

// rowWriter makes rows and puts them into blocks, so that the garbage collector
// has few things to look after. It is not safe for concurrent use.
type rowWriter struct {
	left      int // rows that are still to come
	block     []byte
	encodings [][]byte
	scratch   []byte
}

// blockSize is the size of blocks in bytes: large enough that blocks are few,
// and small enough that little memory is lost to a block of which few rows are
// still in use.
const blockSize = 64 << 10

// encode makes the row of a record, which encode encodes for one locale. text is
// what it may leave out for a mark, nil for nothing.
func (w *rowWriter) encode(c *compiler, text domain.Text, encode func(w *writer, resolve func(domain.Text) string)) row {
	if !needsNoEscape(text) {
		text = nil
	}
	w.encodings = slices.Grow(w.encodings[:0], len(c.fallbacks))[:len(c.fallbacks)]
	for id, chain := range c.fallbacks {
		one := writer{buf: w.encodings[id][:0], markText: text != nil}
		encode(&one, resolver(chain))
		w.encodings[id] = one.buf
	}
	w.scratch = appendRow(w.scratch[:0], w.encodings)
	if len(w.scratch) > cap(w.block)-len(w.block) {
		// A row keeps its whole block in memory: a few rows must not get a large one.
		w.block = make([]byte, 0, max(len(w.scratch), min(blockSize, w.left*len(w.scratch))))
	}
	w.left--
	from := len(w.block)
	w.block = append(w.block, w.scratch...)
	return row{slices.Clip(w.block[from:]), text}
}
