package search

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// postings is an immutable list of numbers, ascending; the zero value is empty.
// Most lists are short. A short one is a slice, since a bitmap of a single number
// takes 135 bytes.
type postings struct {
	few   []uint32        // where many is nil
	many  *roaring.Bitmap // more than maxFew numbers
	count int             // of the numbers; to count those of a bitmap takes long
}

// maxFew is the length up to which a list is a slice.
const maxFew = 32

// postingsOf makes a list of ascending numbers, which it does not keep.
func postingsOf(numbers []uint32) postings {
	if len(numbers) <= maxFew {
		return postings{few: slices.Clone(numbers), count: len(numbers)}
	}
	return manyOf(roaring.BitmapOf(numbers...))
}

// manyOf makes a list of a bitmap. It keeps a copy, which unlike the bitmap has no
// room for more numbers.
func manyOf(bitmap *roaring.Bitmap) postings {
	count := int(bitmap.GetCardinality())
	if count <= maxFew {
		return postings{few: bitmap.ToArray(), count: count}
	}
	bitmap.RunOptimize()
	return postings{many: bitmap.Clone(), count: count}
}

func (p postings) has(number uint32) bool {
	if p.many == nil {
		_, ok := slices.BinarySearch(p.few, number)
		return ok
	}
	return p.many.Contains(number)
}

// bitmap returns the list as a bitmap, which is the caller's.
func (p postings) bitmap() *roaring.Bitmap {
	if p.many == nil {
		return roaring.BitmapOf(p.few...)
	}
	return p.many.Clone()
}
