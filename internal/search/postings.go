package search

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// postings is a list of numbers, ascending; the zero value is empty. It is
// immutable. Most lists are short, and a short one is a slice: a bitmap of one
// number takes 135 bytes.
type postings struct {
	few   []uint32        // where many is nil
	many  *roaring.Bitmap // more than maxFew numbers
	count int             // of the numbers: a bitmap takes long to count
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

// manyOf makes a list of a bitmap, of which it keeps a copy: one that has grown
// number by number has room for more.
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
		_, found := slices.BinarySearch(p.few, number)
		return found
	}
	return p.many.Contains(number)
}

// bitmap returns the list as a bitmap, which is only read.
func (p postings) bitmap() *roaring.Bitmap {
	if p.many == nil {
		return roaring.BitmapOf(p.few...)
	}
	return p.many
}

// clone returns the list as a bitmap of the caller's own.
func (p postings) clone() *roaring.Bitmap {
	if p.many != nil {
		return p.many.Clone()
	}
	return p.bitmap()
}
