package search

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// postings is an immutable ascending list of numbers; the zero value is empty. Most lists are
// short. A short one is a slice, because a bitmap of one number takes 135 bytes.
type postings struct {
	few   []uint32        // if many is nil
	many  *roaring.Bitmap // more than maxFew numbers
	count int             // of numbers, because counting those of a bitmap is slow
}

// maxFew is the maximum length of a slice.
const maxFew = 32

// postingsOf returns a list of ascending numbers, which it copies.
func postingsOf(numbers []uint32) postings {
	if len(numbers) <= maxFew {
		return postings{few: slices.Clone(numbers), count: len(numbers)}
	}
	return manyOf(roaring.BitmapOf(numbers...))
}

// manyOf returns a list of a bitmap. It keeps a copy without spare capacity.
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

// bitmap returns the list as a bitmap, which the caller owns.
func (p postings) bitmap() *roaring.Bitmap {
	if p.many == nil {
		return roaring.BitmapOf(p.few...)
	}
	return p.many.Clone()
}
