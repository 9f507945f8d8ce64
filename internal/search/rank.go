package search

import (
	"iter"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/fold"
)

// classes is the number of classes of relevance.
const classes = 5

// Ranked splits matches, all or part of the result of [Index.Matches] for the terms, into five
// sets, most relevant first. Sets may be empty. A record is in the set of the first class that
// applies (docs/api.md#relevance):
//
//  1. the query spells out one of its labels or ids,
//  2. every term is a whole word of one and the same label,
//  3. every term begins a word of one and the same label,
//  4. every term is in a label or is an id,
//  5. any other match.
//
// terms are the result of [fold.Terms] for a query, phrase that of [fold.Phrase]. Without terms
// there is one set with all of matches. A set is computed when it is requested, and owned by the
// caller. matches is not modified.
func (x *Index) Ranked(terms []string, phrase string, matches *roaring.Bitmap) iter.Seq[*roaring.Bitmap] {
	return func(yield func(*roaring.Bitmap) bool) {
		left := matches.Clone()
		if len(terms) == 0 {
			yield(left)
			return
		}
		for class := 1; class < classes; class++ {
			set := roaring.New()
			if !left.IsEmpty() {
				set = x.both(func(b *body) *roaring.Bitmap { return b.class(class, terms, phrase) })
				set.And(left)
				left.AndNot(set)
			}
			if !yield(set) {
				return
			}
		}
		yield(left)
	}
}

// class returns the records of a class other than the last. They may include records of the
// classes before.
func (b *body) class(class int, terms []string, phrase string) *roaring.Bitmap {
	switch class {
	case 1:
		return b.named(terms, phrase)
	case 2, 3:
		whole := class == 2
		matches := b.labels.regularAll(terms, whole)
		if odd := b.labels.oddWith(terms, whole); !odd.IsEmpty() {
			matches.Or(b.narrow(odd, b.steps(terms, everywhere)))
		}
		return matches
	}
	return b.matchAll(terms, inLabels)
}

// named returns the matching records with phrase as a label or an id. A short term matches only
// at the start of a word, and an id only as a whole.
func (b *body) named(terms []string, phrase string) *roaring.Bitmap {
	named := b.labels.named(phrase)
	if named.IsEmpty() || len(terms) == 1 && terms[0] == phrase && fold.Anywhere(phrase) {
		return named
	}
	return b.narrow(named, b.steps(terms, everywhere))
}
