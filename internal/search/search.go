// Package search has an index of the texts of records. It finds the records that match all terms
// of a query (docs/api.md#search), ranks them (see [Index.Ranked]), and suggests corrections of a
// query without matches (see [Index.Suggest]).
//
// A term has no space, so it matches within one word of a folded text, the part between two
// spaces. Most words occur in many texts. So the index stores each word once, searches for a term
// in the words, and has a list of the records of each word.
//
// The package must not know the meaning of records, the locales of texts or the order of results:
// records are numbers. An [Index] is immutable and safe for concurrent use. The index of changed
// records is another one that shares unchanged parts.
package search

import (
	"slices"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"
)

// Index finds the records that match terms. It is immutable and safe for concurrent use. Make one
// with [New].
type Index struct {
	size    int
	base    *body
	edited  *body           // the records that changed since base, by their index in numbers; nil for none
	numbers []uint32        // of the records in edited, ascending
	stale   *roaring.Bitmap // the same numbers: matches of base among them are ignored
}

// Matches returns the records that match all of terms, each within a single text of the record or
// as one of its ids (docs/api.md#chain-ids). terms are the result of [fold.Terms]; none match all
// records. The bitmap is never nil, and owned by the caller.
func (x *Index) Matches(terms []string) *roaring.Bitmap {
	if len(terms) == 0 {
		all := roaring.New()
		all.AddRange(0, uint64(x.size))
		return all
	}
	return x.both(func(b *body) *roaring.Bitmap { return b.matchAll(terms, everywhere) })
}

// LabelMatches returns the subset of [Index.Matches] in which each term is in a label or is an
// id. There must be terms.
func (x *Index) LabelMatches(terms []string) *roaring.Bitmap {
	return x.both(func(b *body) *roaring.Bitmap { return b.matchAll(terms, inLabels) })
}

// HasLabel reports whether a record has a label, which must be folded.
func (x *Index) HasLabel(folded string) bool {
	return slices.ContainsFunc(x.bodies(), func(b *body) bool {
		places, records := b.labels.beginningAt(folded + string(labelEnd))
		for i, place := range places {
			if b.labels.beginsLabel(place) && (b != x.base || x.stale == nil || !x.stale.Contains(records[i])) {
				return true
			}
		}
		return false
	})
}

// BeginsLabel reports whether a label begins with a folded text. It may report a label that was
// removed since.
func (x *Index) BeginsLabel(folded string) bool {
	return slices.ContainsFunc(x.bodies(), func(b *body) bool {
		places, _ := b.labels.beginningAt(folded)
		return slices.ContainsFunc(places, b.labels.beginsLabel)
	})
}

// both returns the matches in both bodies. It may modify the result of match.
func (x *Index) both(match func(*body) *roaring.Bitmap) *roaring.Bitmap {
	matches := match(x.base)
	if x.edited == nil {
		return matches
	}
	matches.AndNot(x.stale)
	for it := match(x.edited).Iterator(); it.HasNext(); {
		matches.Add(x.numbers[it.Next()])
	}
	return matches
}

// Document has the searchable texts of a record as written, in any order. Repeated texts cost
// nothing.
type Document struct {
	Labels []string // labels of the record
	IDs    []string // match as a whole only, ignoring case
	Texts  []string // other searched texts
}

// Documents returns the document of a record by its number. A record without texts matches
// only the query without terms. It may be called concurrently.
type Documents func(number uint32) Document

// New returns the index of the records from 0 to below n. It panics if the distinct words of all
// texts, all labels, or the numbers of the words of all records exceed 4 GiB, or if there are more
// than 2^30 distinct words or records.
func New(n int, documents Documents) *Index {
	return &Index{size: n, base: build(n, documents)}
}

// With returns the index of the records from 0 to below n, where n is at least that of x. The
// records in changed, which must be ascending, are new or have another document than in x. The
// index has the matches of one that [New] returns, but the work is proportional to the changes
// since the last full index. If there are many, all records are indexed again.
func (x *Index) With(n int, changed []uint32, documents Documents) *Index {
	if len(changed) == 0 && n == x.size {
		return x
	}
	stale := roaring.BitmapOf(changed...)
	if x.stale != nil {
		stale.Or(x.stale)
	}
	numbers := stale.ToArray()
	if len(numbers) > 256+n/64 {
		return New(n, documents)
	}
	edited := build(len(numbers), func(place uint32) Document { return documents(numbers[place]) })
	return &Index{size: n, base: x.base, edited: edited, numbers: numbers, stale: stale}
}

// pair is the key of the lists for short terms: the first two code points of a folded text (a
// prefix), or one or two bytes within a text (a symbol). If there is only one, the second is a
// space, which terms do not have.
type pair [2]rune

// symbolOf returns the symbol of one or two bytes.
func symbolOf(s string) pair {
	if len(s) == 1 {
		return pair{rune(s[0]), ' '}
	}
	return pair{rune(s[0]), rune(s[1])}
}

// prefixOf returns the prefix of a folded text or of a term, never empty.
func prefixOf(folded string) pair {
	first, size := utf8.DecodeRuneInString(folded)
	if size == len(folded) {
		return pair{first, ' '}
	}
	second, _ := utf8.DecodeRuneInString(folded[size:])
	return pair{first, second}
}
