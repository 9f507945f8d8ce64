package snapshot

import (
	"iter"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/query"
)

// part is one of several sets of records that follow each other in an answer.
type part struct {
	kind  *searchable     // whose records they are, in a search over everything
	order *order          // in which they stand
	set   *roaring.Bitmap // nil for all
}

// cut yields the numbers that are on a page of the records of parts, of which there
// are total at most: of each part that has any there. Parts behind the page are not
// asked for.
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

// halves divides a set into what comes first in its class of relevance, and what comes
// last there: what is also in demoted, which is nil for nothing.
func halves(set, demoted *roaring.Bitmap) [2]*roaring.Bitmap {
	if demoted == nil {
		return [2]*roaring.Bitmap{set, roaring.New()}
	}
	return [2]*roaring.Bitmap{roaring.AndNot(set, demoted), roaring.And(set, demoted)}
}
