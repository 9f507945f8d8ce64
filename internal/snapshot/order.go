package snapshot

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	"golang.org/x/text/collate"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/query"
)

// order is an order of all records of a list. It is immutable.
type order struct {
	numbers []uint32 // of all records, in this order
	ranks   []uint32 // index in numbers of each number; noRank for unused numbers
}

const noRank = math.MaxUint32

// comparison compares two different records by their numbers. It never returns 0, and is for one
// goroutine.
type comparison func(a, b uint32) int

// newOrder sorts numbers in place and keeps them. All are below size.
func newOrder(numbers []uint32, size int, compare comparison) *order {
	slices.SortFunc(numbers, compare)
	return ranked(numbers, size)
}

func ranked(numbers []uint32, size int) *order {
	ranks := make([]uint32, size)
	for i := range ranks {
		ranks[i] = noRank
	}
	for rank, number := range numbers {
		ranks[number] = uint32(rank)
	}
	return &order{numbers: numbers, ranks: ranks}
}

// updated returns the order without the numbers in gone and with those in more. The numbers in
// more must not be in the order, unless they are in gone. It sorts more in place. It takes one
// walk through the order and a binary search for each of more.
func (o *order) updated(gone *roaring.Bitmap, more []uint32, size int, compare comparison) *order {
	stay := make([]uint32, 0, len(o.numbers)+len(more))
	for _, number := range o.numbers {
		if !gone.Contains(number) {
			stay = append(stay, number)
		}
	}
	slices.SortFunc(more, compare)
	merged := make([]uint32, 0, len(stay)+len(more))
	for _, number := range more {
		at, _ := slices.BinarySearchFunc(stay, number, compare)
		merged = append(append(merged, stay[:at]...), number)
		stay = stay[at:]
	}
	return ranked(append(merged, stay...), size)
}

// page returns the numbers on a page of the selected records in this order, and the number of
// selected records. A nil set selects all. The numbers are shared and must not be modified.
func (o *order) page(selected *roaring.Bitmap, page query.Page) (numbers []uint32, total int) {
	if selected == nil {
		from, to := window(page, len(o.numbers))
		return o.numbers[from:to], len(o.numbers)
	}
	total = int(selected.GetCardinality())
	from, to := window(page, total)
	return o.first(selected, total, to)[from:], total
}

// window returns the range of total records on a page.
func window(page query.Page, total int) (from, to int) {
	from, to = min(page.Offset, total), total
	if page.Limit > 0 {
		to = min(from+page.Limit, total)
	}
	return from, to
}

// first returns the first n of the total selected numbers in this order, by the fastest of three
// ways. It sorts a small selection by rank. Otherwise it walks the order until it has n numbers.
// A short walk queries the compressed set for each number; before a long walk the set is expanded
// to an array.
func (o *order) first(selected *roaring.Bitmap, total, n int) []uint32 {
	// Costs of sorting one number and of querying the set once, in steps of a walk.
	const sorting, asking = 16, 8
	switch steps := n * len(o.numbers) / max(total, 1); {
	case total*sorting < min(len(o.numbers), steps*asking):
		return o.sorted(selected)[:n]
	case steps*asking < len(o.numbers):
		return o.walk(n, selected.Contains)
	}
	members := make([]bool, len(o.ranks))
	for it := selected.Iterator(); it.HasNext(); {
		members[it.Next()] = true
	}
	return o.walk(n, func(number uint32) bool { return members[number] })
}

// sorted returns the selected numbers in this order.
func (o *order) sorted(selected *roaring.Bitmap) []uint32 {
	numbers := selected.ToArray()
	for i, number := range numbers {
		numbers[i] = o.ranks[number]
	}
	slices.Sort(numbers)
	for i, rank := range numbers {
		numbers[i] = o.numbers[rank]
	}
	return numbers
}

// walk returns the first n numbers of the order in a set of at least n.
func (o *order) walk(n int, in func(number uint32) bool) []uint32 {
	numbers := make([]uint32, 0, n)
	for _, number := range o.numbers {
		if len(numbers) == n {
			break
		}
		if in(number) {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// ordering describes an order of a list: text, figures or compare.
type ordering[R any] struct {
	sort                  query.Sort // "" for the only order of a list
	ascending, descending bool       // the directions of requests

	text    func(r *R, in language) string // in the collation of the locale
	figures []func(*R) *domain.Figure      // by the first; records without it are last, in descending order of the next
	compare func(a, b *R) int              // nil, as text and figures, for the order of ties
}

// directions has an order in both directions, nil for unused ones. Descending is not the reverse
// of ascending: ties stay ascending, and records without a value stay last.
type directions struct{ ascending, descending *order }

// order returns an order of the list, by default the first. If it has one direction, ascending
// has no effect.
func (l *list[R, V]) order(sort query.Sort, ascending bool, id locale.ID) *order {
	all, ok := l.orders[sort]
	if !ok {
		all = l.orders[l.orderings[0].sort]
	}
	d := all[min(int(id), len(all)-1)]() // one entry if it is the same in all locales
	if ascending {
		return cmp.Or(d.ascending, d.descending)
	}
	return cmp.Or(d.descending, d.ascending)
}

// sort sets the orders of the list, each of which is made at its first use. Those of previous are updated
// unless all records changed.
func (l *list[R, V]) sort(c *compiler, previous *list[R, V], e edit) {
	l.orders = map[query.Sort][]func() directions{}
	for _, o := range l.orderings {
		all := make([]func() directions, 1)
		if o.text != nil {
			all = make([]func() directions, l.locales)
		}
		l.orders[o.sort] = all
		for id := range all {
			all[id] = sync.OnceValue(func() (d directions) {
				var before directions
				if !e.whole {
					before = previous.orders[o.sort][id]()
				}
				compare := l.comparison(c, o, locale.ID(id))
				if o.ascending {
					d.ascending = l.updatedOrder(before.ascending, e, compare(true))
				}
				if o.descending {
					d.descending = l.updatedOrder(before.descending, e, compare(false))
				}
				return d
			})
		}
	}
}

// updatedOrder returns an updated order, or a new one if all records changed.
func (l *list[R, V]) updatedOrder(before *order, e edit, compare comparison) *order {
	if e.whole {
		return newOrder(slices.Clone(l.byKey), e.size, compare)
	}
	return before.updated(e.gone, slices.Clone(e.changed), e.size, compare)
}

// comparison returns the comparison of an ordering in a locale.
func (l *list[R, V]) comparison(c *compiler, o ordering[R], id locale.ID) func(ascending bool) comparison {
	tie := func(a, b uint32) int { return l.ties(l.records[a], l.records[b]) }
	switch {
	case o.text != nil:
		in := c.in(id)
		return directed(c.collated(id, len(l.records), func(number uint32) string { return o.text(l.records[number], in) }), tie)
	case o.figures != nil:
		return func(ascending bool) comparison { return l.byFigures(ascending, o.figures, tie) }
	}
	if o.compare == nil {
		return func(bool) comparison { return tie }
	}
	return directed(func(a, b uint32) int { return o.compare(l.records[a], l.records[b]) }, tie)
}

// byFigures compares by the first figure. Records without it are last, and compared by the
// next figure, descending.
func (l *list[R, V]) byFigures(ascending bool, figures []func(*R) *domain.Figure, tie comparison) comparison {
	without := tie
	if len(figures) > 1 {
		without = l.byFigures(false, figures[1:], tie)
	}
	return func(a, b uint32) int {
		x, y := figures[0](l.records[a]), figures[0](l.records[b])
		switch {
		case x == nil && y == nil:
			return without(a, b)
		case x == nil || y == nil:
			return compareBool(x == nil, y == nil)
		case !ascending:
			x, y = y, x
		}
		return cmp.Or(cmp.Compare(x.Value, y.Value), tie(a, b))
	}
}

// directed returns compare, or its opposite if ascending is false. Ties are ordered by tie in
// both directions.
func directed(compare, tie comparison) func(ascending bool) comparison {
	return func(ascending bool) comparison {
		if ascending {
			return func(a, b uint32) int { return cmp.Or(compare(a, b), tie(a, b)) }
		}
		return func(a, b uint32) int { return cmp.Or(compare(b, a), tie(a, b)) }
	}
}

// collated compares names by the collation of a locale. It makes the collation key of a name on
// first use, so that few comparisons need few keys.
func (c *compiler) collated(id locale.ID, size int, name func(number uint32) string) comparison {
	collator := c.locales.Collator(id)
	var buf collate.Buffer
	keys := make([][]byte, size)
	key := func(number uint32) []byte {
		if keys[number] == nil {
			keys[number] = bytes.Clone(collator.KeyFromString(&buf, name(number)))
			buf.Reset()
		}
		return keys[number]
	}
	return func(a, b uint32) int { return bytes.Compare(key(a), key(b)) }
}
