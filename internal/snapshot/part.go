package snapshot

import (
	"iter"
	"slices"
	"sync"

	"vitrine/internal/locale"
	"vitrine/internal/query"
)

const listEnd = "]}"

// Part is a selected part of a list. What it takes to make its body is known
// before any memory is taken for it: the sizes of its rows.
type Part struct {
	Total int // records that match, on this page or not
	Size  int // bytes of the body, at most

	// join appends the body to some bytes, which it hands to spill after each row
	// to go on with what that returns.
	join func(to []byte, spill func([]byte) []byte) []byte
}

// Body returns the whole response body, which is the caller's. It is the same
// each time.
func (p Part) Body() []byte {
	return p.join(make([]byte, 0, p.Size), func(joined []byte) []byte { return joined })
}

// Pieces hands out the same body in pieces of so many bytes, of which only the
// last may be shorter. A piece is the caller's until take returns. No more than a piece and a row
// is in memory.
func (p Part) Pieces(size int, take func(piece []byte)) {
	rest := p.join(make([]byte, 0, size+size/8), func(joined []byte) []byte {
		if len(joined) < size {
			return joined
		}
		whole := len(joined) - len(joined)%size
		for piece := range slices.Chunk(joined[:whole], size) {
			take(piece)
		}
		return append(joined[:0], joined[whole:]...)
	})
	for piece := range slices.Chunk(rest, size) {
		take(piece)
	}
}

// part selects and orders.
func (l *list[R]) part(q query.List, o *order, locales int) Part {
	selected := l.selected(q)
	if q.Page.Limit > 0 {
		numbers, total := o.page(selected, q.Page)
		size := l.around(len(numbers))
		for _, number := range numbers {
			size += l.length(q.Locale, locales, number)
		}
		return l.partOf(q.Locale, locales, total, size, func() []uint32 { return numbers })
	}
	if selected == nil {
		numbers, total := o.page(nil, q.Page)
		return l.partOf(q.Locale, locales, total, l.sum(q.Locale, locales, len(numbers), slices.Values(numbers)), func() []uint32 { return numbers })
	}
	// The numbers are ordered when the body is made, and again if it is made again:
	// of a large list they take much room while it waits for its turn.
	ordered := func() []uint32 {
		numbers, _ := o.page(selected, q.Page)
		return numbers
	}
	total := int(selected.GetCardinality())
	if q.Page.Offset > 0 {
		numbers := ordered()
		return l.partOf(q.Locale, locales, total, l.sum(q.Locale, locales, len(numbers), slices.Values(numbers)), ordered)
	}
	all := func(yield func(uint32) bool) {
		for it := selected.Iterator(); it.HasNext() && yield(it.Next()); {
		}
	}
	return l.partOf(q.Locale, locales, total, l.sum(q.Locale, locales, total, all), ordered)
}

func (l *list[R]) partOf(id locale.ID, locales, total, size int, numbers func() []uint32) Part {
	return Part{Total: total, Size: size, join: func(to []byte, spill func([]byte) []byte) []byte {
		return l.join(to, id, locales, numbers(), spill)
	}}
}

// around returns the bytes of a body of so many records, beside their rows.
func (l *list[R]) around(records int) int { return len(l.open) + len(listEnd) + len(",")*records }

// sum returns the bytes of the body of the records with these numbers, at
// most, of which there are so many. It must be quick for the whole list: a client may
// ask for many large bodies at once, and all of them are measured before it is
// known which of them it gets.
func (l *list[R]) sum(id locale.ID, locales, records int, numbers iter.Seq[uint32]) int {
	lengths := l.lengthsIn(id, locales)
	size := l.around(records)
	for number := range numbers {
		size += int(lengths[number])
	}
	return size
}

// length returns the bytes of a row in a locale, at most.
func (l *list[R]) length(id locale.ID, locales int, number uint32) int {
	r := &l.rows[number]
	return r.in(id, locales).len(l.pieces.shared(number, id), l.texts.in(r.text, id))
}

// lengths are what length returns, by number, of a locale that somebody asked
// for much of.
type lengths struct {
	once sync.Once
	of   []uint32
}

func (l *list[R]) lengthsIn(id locale.ID, locales int) []uint32 {
	in := &l.lengths[id]
	in.once.Do(func() {
		in.of = make([]uint32, len(l.rows))
		for _, number := range l.byKey {
			in.of[number] = uint32(l.length(id, locales, number))
		}
	})
	return in.of
}

// join appends the body of the records with these numbers; see [Part].
func (l *list[R]) join(to []byte, id locale.ID, locales int, numbers []uint32, spill func([]byte) []byte) []byte {
	to = append(to, l.open...)
	for i, number := range numbers {
		if i > 0 {
			to = append(to, ',')
		}
		r := &l.rows[number]
		to = spill(r.in(id, locales).appendTo(to, l.pieces.shared(number, id), l.texts.in(r.text, id)))
	}
	return spill(append(to, listEnd...))
}
