package site

import (
	"slices"
	"strconv"

	"vitrine/internal/query"
)

// Bounds of a page. Compressed HTML stays below 50 KB for any catalogue. The rest is on
// further pages or in the JSON of the page.
const (
	pageSize         = 50  // rows of a list
	resultsOnPage    = 30  // results of a search
	cardsOfPage      = 500 // cards of a menu; an item without cards counts as one
	menusOfPage      = 500 // menus of the list of menus; a group without menus counts as one
	menusOfFirst     = 200 // menus on the first page
	categoriesOfPage = 500
	eventsOfNews     = 500
	figuresOfFirst   = 40  // sources of figures on the first page
	sourcesOfList    = 10  // sources of the figures of a list
	facetsOfList     = 12  // dimension groups that filter a list
	optionsOfFacet   = 60  // categories of a dimension group, beside the selected ones
	categoriesOfRow  = 6   // categories of an account or channel in a list
	selectablesOf    = 300 // chains, or menus, that filter cards
	partsOfRecord    = 150 // links, endpoints, categories and aliases of a record, each
)

// pager describes the rows of a list on a page and links to other pages.
type pager struct {
	Total, First, Last int    // rows; those of this page, counted from 1
	Prev, Next         string // "" for none
	Beyond             bool   // the page begins after the last row: it has no rows, and Prev is the last page
}

// pager returns the pager of a page with size rows of total. The offset in the query was
// checked.
func (v *view) pager(total, size int) pager {
	offset, _ := strconv.Atoi(v.Query("offset"))
	p := pager{Total: total, First: offset + 1, Last: min(offset+size, total), Beyond: total > 0 && offset >= total}
	before := offset - size
	if p.Beyond {
		before = (total - 1) / size * size
	}
	if offset > 0 && total > 0 {
		p.Prev = v.pageAt(before)
	}
	if p.Last < total {
		p.Next = v.pageAt(p.Last)
	}
	return p
}

// pageAt returns the address of the page of this list from an offset.
func (v *view) pageAt(offset int) string {
	if offset <= 0 {
		return v.With()
	}
	return v.With("offset", strconv.Itoa(offset))
}

// paged returns the pager of a page whose only parameter is its offset.
func (v *view) paged(total, size int) (pager, error) {
	_, err := query.ParseList(query.KindUser, v.query, v.snapshot.Locales())
	if err != nil {
		return pager{}, err
	}
	return v.pager(total, size), nil
}

// part returns which of the rows from one to before another are on the page, as indexes
// among them; none if last is not larger than first.
func (p pager) part(from, to int) (first, last int) {
	return max(p.First-1-from, 0), min(p.Last, to) - from
}

// most returns the first n values and the number of the others.
func most[T any](all []T, n int) ([]T, int) {
	n = min(n, len(all))
	return slices.Clip(all[:n]), len(all) - n
}

// largest returns the n values with the largest counts and the values to keep, in their
// order. Of equal counts, the first values win.
func largest[T any](all []T, n int, count func(T) (n int, keep bool)) []T {
	if len(all) <= n {
		return slices.Clone(all)
	}
	counts := make([]int, len(all))
	for i, one := range all {
		counts[i], _ = count(one)
	}
	slices.Sort(counts)
	least, ties := counts[len(counts)-n], n // ties: places left for values with the least count
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
