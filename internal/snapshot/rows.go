package snapshot

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine/internal/catalog"
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
// Where the byte insert stands, which JSON never holds, the piece of its list
// belongs that the record shares with others (see [pieces]). Where the byte
// passage stands, the text belongs, as it is: the record has it anyway, and most
// of what a record is made of is such a text. A row is immutable.
type row struct {
	form []byte
	text catalog.Text // nil where no passage is
}

const (
	insert  = 0
	passage = 1
)

// passages give the texts of rows in each locale.
type passages struct {
	names     []string   // of locales by locale.ID
	fallbacks [][]string // locale.Set.Fallback by locale.ID
	places    []int      // by locale.ID: where a text in all locales has it
}

// in returns a text in a locale, by the fallback of the contract.
func (p *passages) in(t catalog.Text, id locale.ID) string {
	if len(t) == len(p.places) {
		if translation := &t[p.places[id]]; translation.Locale == p.names[id] { // a store may hold anything
			return translation.Value
		}
	}
	return t.Resolve(p.fallbacks[id])
}

func newPassages(names []string, fallbacks [][]string) *passages {
	sorted := slices.Sorted(slices.Values(names))
	p := &passages{names: names, fallbacks: fallbacks, places: make([]int, len(names))}
	for id, name := range names {
		p.places[id] = slices.Index(sorted, name)
	}
	return p
}

// plain reports whether JSON has a text as it is, in all locales.
func plain(t catalog.Text) bool {
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

// appendForm appends the form of a row whose encodings in each locale are
// given, never none.
func appendForm(to []byte, encodings [][]byte) []byte {
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
func (r *row) in(id locale.ID, locales int) parts {
	begin, n := binary.Uvarint(r.form)
	end, m := binary.Uvarint(r.form[n:])
	rest := r.form[n+m:]
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

// len returns how long a row is at most with the piece that it shares, nil for
// none, and its text, "" for none.
func (p parts) len(shared []byte, text string) int {
	return len(p.begin) + len(p.middle) + len(p.end) + len(shared) + len(text)
}

func (p parts) appendTo(b []byte, shared []byte, text string) []byte {
	for _, part := range [...][]byte{p.begin, p.middle, p.end} {
		if text != "" {
			if at := bytes.IndexByte(part, passage); at >= 0 {
				b = append(appendShared(b, part[:at], shared), text...)
				part = part[at+1:]
			}
		}
		b = appendShared(b, part, shared)
	}
	return b
}

func appendShared(b, part, shared []byte) []byte {
	if shared != nil {
		if at := bytes.IndexByte(part, insert); at >= 0 {
			b = append(append(b, part[:at]...), shared...)
			part = part[at+1:]
		}
	}
	return append(b, part...)
}

// pieces are what records of a list share: the labels of their categories. Most
// records have one of few combinations, which take more room than the record
// does if every one is written out in every locale.
type pieces struct {
	numbers map[string]uint32 // by the slugs, joined
	all     [][][]byte        // by number, then by locale.ID
	of      []uint32          // by number of the record
}

// shared returns the piece of a record, nil where its list has none.
func (p *pieces) shared(number uint32, id locale.ID) []byte {
	if p == nil {
		return nil
	}
	return p.all[p.of[number]][id]
}

// sharedPieces returns the pieces of a list of size numbers, of which those in
// changed have the slugs that slugs gives; previous is nil or has the others.
func (c *compiler) sharedPieces(previous *pieces, size int, changed []uint32, slugs func(number uint32) []string) *pieces {
	p := &pieces{numbers: map[string]uint32{}, of: make([]uint32, size)}
	if previous != nil {
		p.numbers, p.all = maps.Clone(previous.numbers), slices.Clone(previous.all)
		copy(p.of, previous.of)
	}
	for _, number := range changed {
		combination := slugs(number)
		key := strings.Join(combination, ",")
		piece, known := p.numbers[key]
		if !known {
			piece = uint32(len(p.all))
			p.numbers[key] = piece
			p.all = append(p.all, c.labels(combination))
		}
		p.of[number] = piece
	}
	return p
}

// labels returns the labels of categories as an array, for each locale.
func (c *compiler) labels(slugs []string) [][]byte {
	return c.each(func(w *writer, resolve func(catalog.Text) string) {
		w.open('[')
		for _, slug := range slugs {
			w.next()
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

// rowWriter puts rows into blocks, so that there are few things to allocate and
// to look after. It is not safe for concurrent use.
type rowWriter struct {
	left      int // rows that are still to come
	block     []byte
	encodings [][]byte
	scratch   []byte
}

// blockSize is large enough that blocks are few, and small enough that the rows
// which outlive the others of theirs hold little.
const blockSize = 64 << 10

// encode makes the row of a record, which encode encodes for one locale. Text is
// what it writes as a passage, nil for none.
func (w *rowWriter) encode(c *compiler, text catalog.Text, encode func(w *writer, resolve func(catalog.Text) string)) row {
	if !plain(text) {
		text = nil
	}
	w.encodings = slices.Grow(w.encodings[:0], len(c.fallbacks))[:len(c.fallbacks)]
	for id, chain := range c.fallbacks {
		one := writer{buf: w.encodings[id][:0], passage: text != nil}
		encode(&one, resolver(chain))
		w.encodings[id] = one.buf
	}
	w.scratch = appendForm(w.scratch[:0], w.encodings)
	if len(w.scratch) > cap(w.block)-len(w.block) {
		// A row keeps its whole block, so a few rows must not get a large one.
		w.block = make([]byte, 0, max(len(w.scratch), min(blockSize, w.left*len(w.scratch))))
	}
	w.left--
	from := len(w.block)
	w.block = append(w.block, w.scratch...)
	return row{slices.Clip(w.block[from:]), text}
}
