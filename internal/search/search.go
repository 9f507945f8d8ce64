// Package search holds an index over the texts of records: which records match
// every term of a query (contract, "Search").
//
// It must not know what a record is, in which locale a text is written or how
// results are ordered: records are numbers, in the order of their addition. A
// [Builder] belongs to one goroutine; an [Index] is immutable and safe to share.
package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/fold"
)

// Index answers which records match. It is immutable and safe for concurrent
// use.
type Index struct {
	records  []string // a record's folded texts, joined by separator
	prefixes map[prefix]*roaring.Bitmap
	trigrams map[trigram]*roaring.Bitmap
}

// separator stands between the texts of a record, so that no term matches
// across two of them: a folded text never holds it.
const separator = "\n"

// trigram is three successive bytes of a folded text. Bytes rather than code
// points: there are fewer of them, and UTF-8 makes both narrow down alike.
type trigram uint32

// trigramAt returns the trigram at byte i of s, after which two more follow.
func trigramAt(s string, i int) trigram {
	return trigram(s[i])<<16 | trigram(s[i+1])<<8 | trigram(s[i+2])
}

// Find returns the records that match every one of terms, each within one
// single text of the record (contract, "Search"). The terms are what
// [fold.Terms] returned; none finds all. The bitmap is never nil and the
// caller's own.
func (x *Index) Find(terms []string) *roaring.Bitmap {
	lists, unproven, ok := x.plan(terms)
	if !ok {
		return roaring.New()
	}
	found := x.intersect(lists)
	if len(unproven) == 0 {
		return found
	}
	return x.verify(found, unproven)
}

// plan returns the posting lists that hold every record which matches, and the
// terms that a record on all of these lists need not match. It is not ok if no
// record can match.
func (x *Index) plan(terms []string) (lists []*roaring.Bitmap, unproven []string, ok bool) {
	for _, term := range terms {
		if !fold.Anywhere(term) {
			list := x.prefixes[prefixOf(term)]
			if list == nil {
				return nil, nil, false
			}
			lists = append(lists, list)
			continue
		}
		if len(term) != 3 {
			unproven = append(unproven, term)
		}
		for i := range len(term) - 2 {
			list := x.trigrams[trigramAt(term, i)]
			if list == nil {
				return nil, nil, false
			}
			lists = append(lists, list)
		}
	}
	return lists, unproven, true
}

// intersect returns the records that are on every list, all records if there
// are no lists. The rarest list comes first, so that the work is bounded by it.
func (x *Index) intersect(lists []*roaring.Bitmap) *roaring.Bitmap {
	found := roaring.New()
	if len(lists) == 0 {
		found.AddRange(0, uint64(len(x.records)))
		return found
	}
	slices.SortFunc(lists, func(a, b *roaring.Bitmap) int {
		return cmp.Compare(a.GetCardinality(), b.GetCardinality())
	})
	found.Or(lists[0])
	for _, list := range lists[1:] {
		found.And(list)
	}
	return found
}

// verify returns those of the candidates whose texts hold all terms.
func (x *Index) verify(candidates *roaring.Bitmap, terms []string) *roaring.Bitmap {
	found := roaring.New()
	for it := candidates.Iterator(); it.HasNext(); {
		id := it.Next()
		if containsAll(x.records[id], terms) {
			found.Add(id)
		}
	}
	return found
}

func containsAll(text string, terms []string) bool {
	for _, term := range terms {
		if !strings.Contains(text, term) {
			return false
		}
	}
	return true
}

// prefix is the first two code points of a folded text. The second is a space,
// which no term holds, where there is none.
type prefix [2]rune

// prefixOf returns the prefix of a folded text or of a term, never empty.
func prefixOf(folded string) prefix {
	first, size := utf8.DecodeRuneInString(folded)
	if size == len(folded) {
		return prefix{first, ' '}
	}
	second, _ := utf8.DecodeRuneInString(folded[size:])
	return prefix{first, second}
}
