package snapshot

import (
	"iter"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/query"
)

// part is one of several consecutive sets of records in a response.
type part struct {
	kind  *searchable     // kind of the records, in a search over everything
	order *order          // of the records
	set   *roaring.Bitmap // nil for all
}

// cut yields the record numbers on a page of the records of parts, at most total, by part. It
// skips parts without records on the page, and does not evaluate those after it.
func cut(parts iter.Seq[part], page query.Page, total int) iter.Seq2[part, []uint32] {
	return func(yield func(part, []uint32) bool) {
		from, to := window(page, total)
		if to == 0 {
			return
		}
		for p := range parts {
			size := len(p.order.numbers)
			if p.set != nil {
				size = int(p.set.GetCardinality())
			}
			first, last := min(from, size), min(to, size)
			if first < last {
				numbers, _ := p.order.page(p.set, query.Page{Offset: first, Limit: last - first})
				if !yield(p, numbers) {
					return
				}
			}
			from, to = from-first, to-last
			if to == 0 {
				return
			}
		}
	}
}

// halves splits a set into the records that come first and last in their class of relevance. The
// last ones are also in demoted; nil means none.
func halves(set, demoted *roaring.Bitmap) [2]*roaring.Bitmap {
	if demoted == nil {
		return [2]*roaring.Bitmap{set, roaring.New()}
	}
	return [2]*roaring.Bitmap{roaring.AndNot(set, demoted), roaring.And(set, demoted)}
}
