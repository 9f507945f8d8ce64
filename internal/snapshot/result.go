package snapshot

import (
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/locale"
	"vitrine/internal/query"
)

// Result is the encoded form of the matches of a query in a list, or a page of them. Its size is
// known before memory is reserved for its body.
type Result struct {
	Total int // matching records of the whole list
	Size  int // upper bound of the body's size in bytes

	// write appends the body to a buffer. After each row it passes the buffer to flush, and
	// continues with the result of flush.
	write func(buffer []byte, flush func([]byte) []byte) []byte
}

// Body returns the whole response body. The caller owns it. It is the same each time.
func (r Result) Body() []byte {
	return r.write(make([]byte, 0, r.Size), func(buffer []byte) []byte { return buffer })
}

// Pieces calls take with consecutive pieces of the body. Each has size bytes, the last may be
// shorter. A piece is valid until take returns. At most one piece and one row are in memory.
func (r Result) Pieces(size int, take func(piece []byte)) {
	rest := r.write(make([]byte, 0, size+size/8), func(buffer []byte) []byte {
		if len(buffer) < size {
			return buffer
		}
		whole := len(buffer) - len(buffer)%size
		for piece := range slices.Chunk(buffer[:whole], size) {
			take(piece)
		}
		return append(buffer[:0], buffer[whole:]...)
	})
	for piece := range slices.Chunk(rest, size) {
		take(piece)
	}
}

// matches has the records of a list that a query selects. Sets are shared and must not be
// modified; nil means all records.
type matches[R, V any] struct {
	list     *list[R, V]
	q        query.List
	base     *roaring.Bitmap // by all conditions except the tags
	selected *roaring.Bitmap
	total    int
}

// order returns the order of the matches, which is also that of ties in relevance.
func (m matches[R, V]) order() *order { return m.list.order(m.q.Sort, m.q.Ascending, m.q.Locale) }

// numbers returns the numbers of the records on the page.
func (m matches[R, V]) numbers() []uint32 {
	if m.q.Relevance {
		return m.list.ranked(m.q, m.selected, m.total, m.order())
	}
	numbers, _ := m.order().page(m.selected, m.q.Page)
	return numbers
}

func (m matches[R, V]) facets() []Facet {
	if !m.q.Facets {
		return nil
	}
	return m.list.facets(m.q, m.base)
}

// page returns the views of the records on the page.
func (m matches[R, V]) page(in language) Page[V] {
	numbers := m.numbers()
	rows := make([]V, len(numbers))
	for i, number := range numbers {
		m.list.setRow(&rows[i], m.list.records[number], in)
	}
	return Page[V]{Rows: rows, Facets: m.facets(), Total: m.total}
}

// result returns the encoded form of the page.
func (m matches[R, V]) result() Result {
	l, id, tail := m.list, m.q.Locale, m.tail()
	numbers := m.numbers
	if m.selected == nil || m.q.Page.Limit > 0 || m.q.Page.Offset > 0 {
		page := numbers()
		size := l.bodySize(id, page)
		if m.selected == nil || m.q.Page.Limit > 0 {
			numbers = func() []uint32 { return page }
		}
		return l.resultOf(id, m.total, size, tail, numbers)
	}
	// A result may wait for its turn to be written. The sorted numbers of a large list would
	// take much memory meanwhile, so they are sorted when it is written.
	size, sizes := l.emptySize(m.total), l.rowSizesIn(id)
	for it := m.selected.Iterator(); it.HasNext(); {
		size += int(sizes[it.Next()])
	}
	return l.resultOf(id, m.total, size, tail, numbers)
}

// tail returns the members after the list.
func (m matches[R, V]) tail() []byte {
	if !m.q.Facets {
		return nil
	}
	return appendView([]byte(`,"facets":`), m.facets())
}

// detailed is [matches.result] with the details of the records. Details are encoded twice, for the
// size and for the body, since the memory for the body is reserved between both.
func (m matches[R, V]) detailed(in language) Result {
	l, numbers, tail := m.list, m.numbers(), m.tail()
	encode := func(to []byte, number uint32) []byte { return appendView(to, l.detailsOf(number, in)) }
	size, row := l.emptySize(len(numbers))+len(tail), []byte(nil)
	for _, number := range numbers {
		row = encode(row[:0], number)
		size += len(row)
	}
	return Result{Total: m.total, Size: size, write: func(buffer []byte, flush func([]byte) []byte) []byte {
		return l.writeBody(buffer, numbers, encode, tail, flush)
	}}
}

// resultOf returns the result with the records of these numbers, followed by tail.
func (l *list[R, V]) resultOf(id locale.ID, total, size int, tail []byte, numbers func() []uint32) Result {
	return Result{Total: total, Size: size + len(tail), write: func(buffer []byte, flush func([]byte) []byte) []byte {
		return l.writeBody(buffer, numbers(), func(to []byte, number uint32) []byte { return l.appendRow(to, number, id) }, tail, flush)
	}}
}

// The end of the list and of the body.
const (
	listEnd = "]"
	bodyEnd = "}"
)

// emptySize returns the size of a body of count records without their rows.
func (l *list[R, V]) emptySize(count int) int {
	return len(l.bodyStart) + len(listEnd) + len(bodyEnd) + len(",")*count
}

// bodySize returns an upper bound of the body size of the records with these numbers, in bytes.
// It must be quick even for the whole list: clients may request many large bodies at once, and
// all are measured before they get memory.
func (l *list[R, V]) bodySize(id locale.ID, numbers []uint32) int {
	size := l.emptySize(len(numbers))
	if len(numbers) <= query.MaxLimit { // too few for a table
		for _, number := range numbers {
			size += l.rowSize(number, id)
		}
		return size
	}
	sizes := l.rowSizesIn(id)
	for _, number := range numbers {
		size += int(sizes[number])
	}
	return size
}

// rowSizes caches the results of rowSize in one locale. It is made when many records are first
// requested in that locale.
type rowSizes struct {
	once     sync.Once
	byNumber []uint32
}

func (l *list[R, V]) rowSizesIn(id locale.ID) []uint32 {
	sizes := &l.rowSizes[id]
	sizes.once.Do(func() {
		sizes.byNumber = make([]uint32, len(l.rows))
		for _, number := range l.byKey {
			sizes.byNumber[number] = uint32(l.rowSize(number, id))
		}
	})
	return sizes.byNumber
}

// rowSize returns an upper bound of the size of a row in a locale.
func (l *list[R, V]) rowSize(number uint32, id locale.ID) int {
	return l.rows[number].in(id, l.locales).size(l.labels.of(number, id), l.texts.in(l.rowText(number), id))
}

// appendRow appends the row of a record in a locale.
func (l *list[R, V]) appendRow(to []byte, number uint32, id locale.ID) []byte {
	return l.rows[number].in(id, l.locales).appendTo(to, l.labels.of(number, id), l.texts.in(l.rowText(number), id))
}

// writeBody appends the body with the records of these numbers, which encode appends; see [Result].
func (l *list[R, V]) writeBody(
	buffer []byte, numbers []uint32, encode func(to []byte, number uint32) []byte, tail []byte, flush func([]byte) []byte,
) []byte {
	buffer = append(buffer, l.bodyStart...)
	for i, number := range numbers {
		if i > 0 {
			buffer = append(buffer, ',')
		}
		buffer = flush(encode(buffer, number))
	}
	buffer = append(append(buffer, listEnd...), tail...)
	return flush(append(buffer, bodyEnd...))
}
