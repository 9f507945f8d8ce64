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

// row is the encoding of a record of a list in all locales. The encodings mostly begin and
// end alike: their common beginning and end are stored once, and each different middle once:
//
//	uvarint length of the beginning, uvarint length of the end,
//	for each locale: uvarint start of its middle, uvarint length of it
//	(left out if all locales are the same),
//	beginning, end, middles
//
// Two things are left out, with a mark in their place: the labels and keys of the record's
// categories, which many records share (see [labels]), and its text, which the record has
// anyway, if its JSON form is the text itself.
//
// All rows are in memory. With one encoding per locale they would take several times as much,
// and an encoding at each request would take several times as long.
//
// A row is immutable.
type row []byte

// Marks are bytes that JSON never contains. A row has each at most once.
const (
	labelsMark = 0
	textMark   = 1
)

// localizer returns texts in each locale like [domain.Text.Resolve], but faster: in a text with
// all locales, each has a known index.
type localizer struct {
	names     []string   // of locales, by locale.ID
	fallbacks [][]string // locale.Set.Fallback, by locale.ID
	places    []int      // index of each locale in a text that has all, by locale.ID
	pictures  *pictures
}

func newLocalizer(names []string, fallbacks [][]string, pictures *pictures) *localizer {
	sorted := slices.Sorted(slices.Values(names))
	l := &localizer{names: names, fallbacks: fallbacks, pictures: pictures, places: make([]int, len(names))}
	for id, name := range names {
		l.places[id] = slices.Index(sorted, name)
	}
	return l
}

// language resolves the texts of a catalogue in one locale.
type language struct {
	*localizer
	id      locale.ID
	names   map[string]domain.Text // of categories; nil if labels are replaced by a mark
	sources figureSources
}

// text returns a text in the language, "" for none.
func (l language) text(t domain.Text) string { return l.in(t, l.id) }

// labels returns the names of categories.
func (l language) labels(keys []string) []string {
	if l.names == nil || len(keys) == 0 {
		return nil
	}
	labels := make([]string, len(keys))
	for i, key := range keys {
		labels[i] = l.text(l.names[key])
	}
	return labels
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

// needsNoEscape reports whether JSON has a text unchanged, in all locales.
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

// appendRow appends a row (see [row]) of one or more encodings, one per locale.
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

// localized is a row in one locale, in three parts, with marks.
type localized struct{ begin, middle, end []byte }

// in returns the row in one of the given number of locales.
func (r row) in(id locale.ID, locales int) localized {
	begin, n := binary.Uvarint(r)
	end, m := binary.Uvarint(r[n:])
	rest := r[n+m:]
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

// size returns an upper bound of the size of the row with its labels, nil for none, and the text
// of the record. It includes the marks.
func (l localized) size(labels []byte, text string) int {
	size := len(l.begin) + len(l.middle) + len(l.end) + len(labels)
	for _, part := range [...][]byte{l.begin, l.middle, l.end} {
		if bytes.IndexByte(part, textMark) >= 0 {
			return size + len(text)
		}
	}
	return size
}

// appendTo appends the row with labels and text in place of the marks.
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

// labels are the labels of the categories of all records of a list, followed by the member
// with their keys, encoded. Most records have one of few combinations of categories, so each
// combination is encoded once: it is often longer than the rest of the record.
type labels struct {
	numbers  map[string]uint32 // of combinations, by their slugs joined with commas
	encoded  [][][]byte        // by number of the combination, then by locale.ID
	byRecord []uint32          // number of the combination, by number of the record
}

// of returns the labels of a record, nil if its list has none.
func (l *labels) of(number uint32, id locale.ID) []byte {
	if l == nil {
		return nil
	}
	return l.encoded[l.byRecord[number]][id]
}

// labels returns the labels of a list whose record numbers are below size. The records in changed
// have the categories that slugs returns; the others keep their labels in previous. previous is
// nil if all records are in changed.
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

// encodeLabels returns the replacement of labelsMark for some categories, by locale.ID.
func (c *compiler) encodeLabels(keys []string) [][]byte {
	encoded := make([][]byte, len(c.fallbacks))
	var b []byte
	for id := range encoded {
		b = appendView(b[:0], c.in(locale.ID(id)).labels(keys))
		b = append(b, `,"categorySlugs":`...)
		b = appendView(b, keys)
		encoded[id] = append(make([]byte, 0, len(b)), b...) // of the exact size
	}
	return encoded
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

// rowWriter makes rows in blocks, so that the garbage collector has few objects. It is not safe
// for concurrent use.
type rowWriter struct {
	left      int // remaining rows
	block     []byte
	encodings [][]byte
	scratch   []byte
}

// blockSize is the size of blocks in bytes: large enough to have few blocks, and small enough to
// lose little memory to blocks with few rows in use.
const blockSize = 64 << 10

// row makes the row of a record, which encode appends for one locale. text is the text that is
// replaced by a mark if possible.
func (w *rowWriter) row(text domain.Text, encode func(b []byte, id locale.ID, m marks) []byte) row {
	m := markLabels
	if needsNoEscape(text) {
		m |= markText
	}
	for id := range w.encodings {
		w.encodings[id] = encode(w.encodings[id][:0], locale.ID(id), m)
	}
	w.scratch = appendRow(w.scratch[:0], w.encodings)
	if len(w.scratch) > cap(w.block)-len(w.block) {
		// A row keeps its whole block in memory: a few rows must not get a large one.
		w.block = make([]byte, 0, max(len(w.scratch), min(blockSize, w.left*len(w.scratch))))
	}
	w.left--
	from := len(w.block)
	w.block = append(w.block, w.scratch...)
	return slices.Clip(w.block[from:])
}
