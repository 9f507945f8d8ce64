package snapshot

import (
	"errors"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/catalog"
	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/search"
)

// list holds the encoded records of one list, and what selects among them.
// Records are numbered from 0 in an order that depends on the records alone,
// never on the order in which they came.
type list struct {
	open  string // what the body begins with, up to the bracket of the array
	size  int
	rows  []rows // by locale.ID
	index *search.Index
	tags  map[string]*roaring.Bitmap // by category slug
}

const listEnd = "]}"

// rows holds the records of a list encoded for one locale. Locales whose
// encoding of a record is the same share its bytes.
type rows struct {
	arena *[]byte // one for all locales of the list; final once compiled
	spans []span  // by record number
}

// span is a part of an arena.
type span struct{ from, to uint32 }

func (r rows) at(number uint32) []byte {
	s := r.spans[number]
	return (*r.arena)[s.from:s.to]
}

var errTooLarge = errors.New("the catalogue is too large: the encoded records of one list exceed 4 GiB")

// record tells a list builder about one record.
type record struct {
	encode     func(w *writer, resolve func(catalog.Text) string)
	categories []string
	texts      []string // searchable, in all locales
}

// list encodes and indexes size records; at gives the record of each number.
func (c *compiler) list(name string, size int, at func(number int) record) (list, error) {
	var first writer
	first.open('{')
	first.key(name)
	first.open('[')
	l := list{
		open: string(first.buf),
		size: size,
		rows: make([]rows, c.locales.Len()),
		tags: map[string]*roaring.Bitmap{},
	}
	arena := new([]byte)
	for id := range l.rows {
		l.rows[id] = rows{arena: arena, spans: make([]span, size)}
	}
	var index search.Builder
	var row writer
	for number := range size {
		r := at(number)
		index.Add(r.texts...)
		for _, slug := range r.categories {
			l.tag(slug, uint32(number))
		}
		for id, chain := range c.fallbacks {
			row.buf = row.buf[:0]
			r.encode(&row, func(t catalog.Text) string { return t.Resolve(chain) })
			if len(*arena)+len(row.buf) > math.MaxUint32 {
				return list{}, errTooLarge
			}
			l.rows[id].spans[number] = l.place(row.buf, id, uint32(number))
		}
	}
	*arena = slices.Clip(*arena)
	l.index = index.Build()
	for _, set := range l.tags {
		set.RunOptimize()
	}
	return l, nil
}

// place puts an encoded record into the arena, or finds it there where an
// earlier locale has the same bytes for that record.
func (l *list) place(encoded []byte, id int, number uint32) span {
	for _, earlier := range l.rows[:id] {
		if string(earlier.at(number)) == string(encoded) {
			return earlier.spans[number]
		}
	}
	arena := l.rows[id].arena
	from := len(*arena)
	*arena = append(*arena, encoded...)
	return span{uint32(from), uint32(len(*arena))}
}

func (l *list) tag(slug string, number uint32) {
	set, ok := l.tags[slug]
	if !ok {
		set = roaring.New()
		l.tags[slug] = set
	}
	set.Add(number)
}

// part selects, orders and joins. order has all record numbers; nil stands for
// their own order.
func (l *list) part(q query.List, order []uint32) Part {
	numbers, total := l.page(q, order)
	return Part{Body: l.join(q.Locale, numbers), Total: total}
}

// page returns the numbers of the records on the page, and how many match.
func (l *list) page(q query.List, order []uint32) (numbers []uint32, total int) {
	switch selected := l.selected(q); {
	case selected != nil && order == nil:
		numbers = selected.ToArray()
	case selected != nil:
		numbers = within(order, selected)
	case order != nil:
		numbers = order
	default:
		numbers = ascending(l.size)
	}
	total = len(numbers)
	from := min(q.Page.Offset, total)
	to := total
	if q.Page.Limit > 0 {
		to = min(from+q.Page.Limit, total)
	}
	return numbers[from:to], total
}

// selected returns the records that match search terms and tags, nil where the
// query has neither.
func (l *list) selected(q query.List) *roaring.Bitmap {
	var selected *roaring.Bitmap
	if len(q.Terms) > 0 {
		selected = l.index.Find(q.Terms)
	}
	if len(q.Tags) == 0 {
		return selected
	}
	tagged := roaring.New()
	for _, slug := range q.Tags {
		if set, ok := l.tags[slug]; ok {
			tagged.Or(set)
		}
	}
	if selected != nil {
		tagged.And(selected)
	}
	return tagged
}

// within returns the members of set in the order of order. It tests a plain bit
// a record, which a walk over the whole order does faster than asking the
// compressed set each time.
func within(order []uint32, set *roaring.Bitmap) []uint32 {
	members := make([]bool, len(order))
	for it := set.Iterator(); it.HasNext(); {
		members[it.Next()] = true
	}
	numbers := make([]uint32, 0, set.GetCardinality())
	for _, number := range order {
		if members[number] {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

func ascending(size int) []uint32 {
	numbers := make([]uint32, size)
	for i := range numbers {
		numbers[i] = uint32(i)
	}
	return numbers
}

// join makes the body of the records with these numbers.
func (l *list) join(id locale.ID, numbers []uint32) []byte {
	rows := l.rows[id]
	size := len(l.open) + len(listEnd) + len(numbers)
	for _, number := range numbers {
		size += len(rows.at(number))
	}
	body := make([]byte, 0, size)
	body = append(body, l.open...)
	for i, number := range numbers {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(body, rows.at(number)...)
	}
	return append(body, listEnd...)
}

// values returns the texts of t in all locales.
func values(t catalog.Text) []string {
	all := make([]string, len(t))
	for i, translation := range t {
		all[i] = translation.Value
	}
	return all
}

// labelled encodes the pair of fields that accounts and channels share: the
// labels of their categories, for display, and the slugs, in the same order.
func (c *compiler) labelled(w *writer, field string, slugs []string, resolve func(catalog.Text) string) {
	labels := make([]string, len(slugs))
	for i, slug := range slugs {
		labels[i] = resolve(c.labels[slug])
	}
	w.strings(field, labels)
	w.strings("categorySlugs", slugs)
}
