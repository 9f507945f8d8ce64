// Package search holds an index over the texts of records: which records match
// every term of a query (contract, "Search").
//
// A term holds no space, so what it matches lies within one word of a folded
// text, a word being what stands between two spaces. Texts of languages that
// are written with spaces share their words; so the index looks for a term in
// the different words, and then knows the records without reading them.
//
// It must not know what a record is, in which locale a text is written or how
// results are ordered: records are numbers. An [Index] is immutable and safe to
// share; what changes makes another index, which shares what stays.
package search

import (
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"
)

// Index answers which records match. It is immutable and safe for concurrent
// use. Make one with [New].
type Index struct {
	size    int
	base    *body
	edited  *body           // records that read otherwise now, by their place in numbers; nil for none
	numbers []uint32        // of the records in edited, ascending
	stale   *roaring.Bitmap // the same; base is not asked about them
}

// Find returns the records that match every one of terms, each within one
// single text of the record (contract, "Search"). The terms are what
// [fold.Terms] returned; none finds all. The bitmap is never nil and the
// caller's own.
func (x *Index) Find(terms []string) *roaring.Bitmap {
	if len(terms) == 0 {
		all := roaring.New()
		all.AddRange(0, uint64(x.size))
		return all
	}
	found := x.base.find(terms)
	if x.edited == nil {
		return found
	}
	found.AndNot(x.stale)
	for it := x.edited.find(terms).Iterator(); it.HasNext(); {
		found.Add(x.numbers[it.Next()])
	}
	return found
}

// Texts gives the texts of a record by its number: as they are shown, not
// folded, in any order; a text that is given twice costs nothing. A record
// without texts matches only the query without terms. It may be called from
// several goroutines at a time.
type Texts func(number uint32) []string

// New returns the index of the records from 0 to below n. It panics where the
// different words of all texts exceed 4 GiB, or all records together have more
// than 2^32 words.
func New(n int, texts Texts) *Index {
	return &Index{size: n, base: build(n, texts)}
}

// With returns the index of the records from 0 to below n, which must be no
// fewer than those of x: those of x, but for the ones in changed, ascending,
// that have other texts now or are new. It finds what [New] would, for work that
// grows with what changed since all was indexed; all is indexed again when that
// has become much.
func (x *Index) With(n int, changed []uint32, texts Texts) *Index {
	if len(changed) == 0 && n == x.size {
		return x
	}
	stale := roaring.BitmapOf(changed...)
	if x.stale != nil {
		stale.Or(x.stale)
	}
	numbers := stale.ToArray()
	if len(numbers) > 256+n/64 {
		return New(n, texts)
	}
	edited := build(len(numbers), func(place uint32) []string { return texts(numbers[place]) })
	return &Index{size: n, base: x.base, edited: edited, numbers: numbers, stale: stale}
}

// symbol is one or two bytes that a short term may be which matches anywhere.
type symbol uint32

// symbolOf returns the symbol of one or two bytes, which no other ones have.
func symbolOf(s string) symbol {
	if len(s) == 1 {
		return symbol(s[0])
	}
	return 1<<16 | symbol(s[0])<<8 | symbol(s[1])
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
