package search

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"
	"golang.org/x/text/unicode/norm"

	"vitrine/internal/fold"
)

// Builder collects the texts of records. The zero Builder is empty and ready to
// use. It is not safe for concurrent use.
type Builder struct {
	records  []string
	prefixes postings[prefix]
	trigrams postings[trigram]
}

// Add adds the next record, whose number is how many were added before. The
// texts are as they are shown, not folded; their order does not matter, and a
// text that is given twice costs nothing. A record without texts matches only
// the query without terms.
func (b *Builder) Add(texts ...string) {
	id := uint32(len(b.records))
	var folded []string
	for i, text := range texts {
		if slices.Contains(texts[:i], text) {
			continue
		}
		b.addPrefixes(id, text)
		if f := fold.Text(text); !slices.Contains(folded, f) {
			b.addTrigrams(id, f)
			folded = append(folded, f)
		}
	}
	b.records = append(b.records, strings.Join(folded, separator))
}

// Build returns the index of the records that were added and leaves the builder
// empty.
func (b *Builder) Build() *Index {
	x := &Index{records: b.records, prefixes: b.prefixes.bitmaps(), trigrams: b.trigrams.bitmaps()}
	*b = Builder{}
	return x
}

func (b *Builder) addTrigrams(id uint32, folded string) {
	for i := range len(folded) - 2 {
		b.trigrams.add(trigramAt(folded, i), id)
	}
}

func (b *Builder) addPrefixes(id uint32, text string) {
	for _, start := range fold.WordStarts(text) {
		two := head(text[start:])
		b.prefixes.add(prefix{two[0], ' '}, id)
		b.prefixes.add(two, id)
	}
}

// postings are lists of ascending record numbers in the making.
type postings[K comparable] struct {
	lists map[K]*posting
}

// posting is one list: a bitmap, and numbers that are not in it yet, because a
// bitmap takes many at once much faster than one by one.
type posting struct {
	bitmap  roaring.Bitmap
	pending []uint32
}

// maxPending bounds the numbers that wait for a bitmap, a list.
const maxPending = 256

// add puts a record on a list. Records come in ascending order, so that one
// which is there already is the last.
func (p *postings[K]) add(key K, id uint32) {
	list := p.lists[key]
	if list == nil {
		if p.lists == nil {
			p.lists = make(map[K]*posting)
		}
		list = new(posting)
		p.lists[key] = list
	}
	n := len(list.pending)
	if n > 0 && list.pending[n-1] == id {
		return
	}
	if n == maxPending {
		list.bitmap.AddMany(list.pending)
		list.pending = list.pending[:0]
	}
	list.pending = append(list.pending, id)
}

// bitmaps returns the finished lists.
func (p *postings[K]) bitmaps() map[K]*roaring.Bitmap {
	finished := make(map[K]*roaring.Bitmap, len(p.lists))
	for key, list := range p.lists {
		list.bitmap.AddMany(list.pending)
		list.pending = nil
		finished[key] = &list.bitmap
	}
	return finished
}

// head returns the prefix of the folded rest of a text, without folding all of
// it: folding never changes what stands before a boundary of NFKC by what stands
// after it, and a third code point shows that the first two are whole.
func head(rest string) prefix {
	if len(rest) >= 3 && rest[0] < utf8.RuneSelf && rest[1] < utf8.RuneSelf && rest[2] < utf8.RuneSelf {
		return prefixOf(fold.Text(rest[:2]))
	}
	end := 0
	for segments := 3; ; segments *= 2 {
		for range segments {
			end += max(0, norm.NFKC.NextBoundaryInString(rest[end:], true))
		}
		folded := fold.Text(rest[:end])
		if end == len(rest) || utf8.RuneCountInString(folded) > 2 {
			return prefixOf(folded)
		}
	}
}
