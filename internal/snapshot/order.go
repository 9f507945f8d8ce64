package snapshot

import (
	"cmp"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/query"
)

// order is one order of all records of a list. It is immutable.
type order struct {
	numbers []uint32 // of all records, in this order
	ranks   []uint32 // the place in numbers of each number; noRank for one that no record has
}

const noRank = math.MaxUint32

// comparison tells the order of two different records by their numbers; it is
// never 0 and may only be used by one goroutine.
type comparison func(a, b uint32) int

// newOrder sorts numbers in place and keeps them; all are below size.
func newOrder(numbers []uint32, size int, compare comparison) order {
	slices.SortFunc(numbers, compare)
	return ranked(numbers, size)
}

func ranked(numbers []uint32, size int) order {
	ranks := make([]uint32, size)
	for i := range ranks {
		ranks[i] = noRank
	}
	for rank, number := range numbers {
		ranks[number] = uint32(rank)
	}
	return order{numbers: numbers, ranks: ranks}
}

// updated returns the order without the numbers in gone and with those in more.
// None of more is in the order, or it is in gone. It sorts more in place, and
// costs one walk through the order and a binary search for each of more.
func (o order) updated(gone *roaring.Bitmap, more []uint32, size int, compare comparison) order {
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

// page returns the numbers on a page of the selected records in this order, and
// how many are selected. A nil set selects all records. The numbers are shared
// and read only.
func (o order) page(selected *roaring.Bitmap, page query.Page) (numbers []uint32, total int) {
	if selected == nil {
		from, to := window(page, len(o.numbers))
		return o.numbers[from:to], len(o.numbers)
	}
	total = int(selected.GetCardinality())
	from, to := window(page, total)
	return o.first(selected, total, to)[from:], total
}

// window returns what part of total records is on a page.
func window(page query.Page, total int) (from, to int) {
	from, to = min(page.Offset, total), total
	if page.Limit > 0 {
		to = min(from+page.Limit, total)
	}
	return from, to
}

// first returns the first n of the total selected numbers in this order, in the
// quickest of three ways. A small selection is sorted by rank. Else it walks the
// order until it has met n: on a short walk it asks the compressed set about each
// number, before a long one it spreads the set out to an array.
func (o order) first(selected *roaring.Bitmap, total, n int) []uint32 {
	// What it takes to sort one number and to ask the set once, in steps of a walk.
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
func (o order) sorted(selected *roaring.Bitmap) []uint32 {
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

// walk returns the first n numbers of the order that are in a set of n or more.
func (o order) walk(n int, in func(number uint32) bool) []uint32 {
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

// directions is one order, both ways. Descending is not the reverse of
// ascending: ties stay ascending, and records without a value stay last.
type directions struct{ ascending, descending order }

func (d *directions) in(ascending bool) *order {
	if ascending {
		return &d.ascending
	}
	return &d.descending
}

// byValue compares by a value, ascending or descending; ties are ordered by tie.
// Records without a value are last both ways, and ordered by without.
func byValue(ascending bool, value func(uint32) (float64, bool), tie, without comparison) comparison {
	return func(a, b uint32) int {
		x, okX := value(a)
		y, okY := value(b)
		switch {
		case okX != okY && okX:
			return -1
		case okX != okY:
			return 1
		case !okX:
			return without(a, b)
		case !ascending:
			x, y = y, x
		}
		return cmp.Or(cmp.Compare(x, y), tie(a, b))
	}
}
