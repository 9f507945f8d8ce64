package site

import (
	"slices"

	"vitrine/internal/query"
)

// How much one page shows, whatever the catalogue has: its HTML stays below 50 KB when it
// is compressed. What is left out stands on further pages, or in the JSON of the page.
const (
	cardsOfPage      = 500 // of a menu; an item without cards counts as one
	menusOfPage      = 500 // of the list of menus; a group without menus counts as one
	menusOfFirst     = 200 // on the first page
	categoriesOfPage = 500 // of the registry
	eventsOfNews     = 500
	figuresOfFirst   = 40  // sources of figures
	sourcesOfList    = 10  // of the figures of a list
	facetsOfList     = 12  // dimensions that a list may be filtered by
	optionsOfFacet   = 60  // categories of a dimension, beside those that are chosen
	categoriesOfRow  = 6   // of an account or a channel in a list
	selectablesOf    = 300 // chains, or menus, that cards may be filtered by
	partsOfRecord    = 150 // links of a record; endpoints, categories and other names, too
)

// pager says which rows of a list a page has, and where the others are.
type pager struct {
	Total, First, Last int    // rows; those here are counted from 1
	Prev, Next         string // "" for none
	Beyond             bool   // the page begins behind the last row: it has no rows, and Prev is the last page
}

// pagerAt returns the pager of the page that shows up to size of total rows from an offset.
func (v *view) pagerAt(offset, total, size int) (pager, error) {
	p := pager{Total: total, First: offset + 1, Last: min(offset+size, total), Beyond: total > 0 && offset >= total}
	before := offset - size
	if p.Beyond {
		before = (total - 1) / size * size
	}
	var err error
	if p.Prev, err = v.page(before, offset > 0 && total > 0); err != nil {
		return pager{}, err
	}
	p.Next, err = v.page(p.Last, p.Last < total)
	return p, err
}

// has returns which of the rows from one to before another the page has, as places among
// them: none where the second is not larger than the first.
func (p pager) has(from, to int) (first, last int) {
	return max(p.First-1-from, 0), min(p.Last, to) - from
}

// pager returns the pager of a page of total rows that shows size of them from the offset
// in its query.
func (v *view) pager(total, size int) (pager, error) {
	asked, err := query.ParseList(v.query, v.snapshot.Locales())
	if err != nil {
		return pager{}, err
	}
	return v.pagerAt(asked.Page.Offset, total, size)
}

// most returns the first n of some things, and how many that leaves out.
func most[T any](all []T, n int) ([]T, int) {
	n = min(n, len(all))
	return slices.Clip(all[:n]), len(all) - n
}

// largest returns the n things with the largest counts, of equal ones the first, and those
// that are to be kept besides, all in their order.
func largest[T any](all []T, n int, count func(T) (n int, keep bool)) []T {
	if len(all) <= n {
		return slices.Clone(all)
	}
	counts := make([]int, len(all))
	for i, one := range all {
		counts[i], _ = count(one)
	}
	slices.Sort(counts)
	least, ties := counts[len(counts)-n], n // ties: places that are left for those of the least count
	for _, of := range counts {
		if of > least {
			ties--
		}
	}
	var some []T
	for _, one := range all {
		of, keep := count(one)
		isTie := of == least && ties > 0
		if isTie && !keep {
			ties--
		}
		if keep || of > least || isTie {
			some = append(some, one)
		}
	}
	return some
}
