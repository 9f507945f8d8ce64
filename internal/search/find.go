package search

import (
	"cmp"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/fold"
	"vitrine/internal/parallel"
)

// body is an index of records that do not change.
type body struct {
	size     int
	prefixes map[prefix]postings // records by the beginnings of words
	symbols  map[gram]postings   // records by symbols: what terms of one or two bytes may be
	words    words
	grams    map[gram]postings // words by what they hold
}

// words are the different words of all texts, by number, and which records have
// them: two lists of lists, each in one piece.
type words struct {
	text    string   // of all words, one after the other
	ends    []uint32 // where each ends in text
	records lists    // by word: the records that have it, ascending
	of      lists    // by record: its words
}

func (w *words) at(word uint32) string {
	from := uint32(0)
	if word > 0 {
		from = w.ends[word-1]
	}
	return w.text[from:w.ends[word]]
}

// lists are lists of numbers in one array.
type lists struct {
	ends []uint32 // where each ends in all
	all  []uint32
}

func (l *lists) at(i uint32) []uint32 {
	from := uint32(0)
	if i > 0 {
		from = l.ends[i-1]
	}
	return l.all[from:l.ends[i]]
}

// find returns the records that match every one of terms, of which there is one
// at least.
func (b *body) find(terms []string) *roaring.Bitmap {
	steps := make([]step, len(terms))
	for i, term := range terms {
		steps[i] = b.step(term)
	}
	slices.SortStableFunc(steps, func(x, y step) int { return cmp.Compare(x.cost, y.cost) })
	found := b.matches(steps[0])
	for _, s := range steps[1:] {
		left := found.GetCardinality()
		switch {
		case left == 0:
			return found
		case left <= uint64(s.cost/worthReading):
			found = b.among(found, s)
		default:
			found.And(b.matches(s))
		}
	}
	return found
}

// worthReading is how many times as much as looking at one word of a list it
// takes to look at all words of a record.
const worthReading = 8

// step is how the records that match one term are found: they are on a list, or
// have one of the words that do.
type step struct {
	term  string
	exact bool       // what is on list are the records that match
	list  postings   // records if exact, else no more words than hold the term
	more  []postings // words that hold the term are on these, too
	cost  int
}

func (b *body) step(term string) step {
	if !fold.Anywhere(term) {
		list := b.prefixes[prefixOf(term)]
		return step{term: term, exact: true, list: list, cost: list.count}
	}
	if len(term) < 3 {
		list := b.symbols[symbolOf(term)]
		return step{term: term, exact: true, list: list, cost: list.count}
	}
	all := make([]postings, 0, len(term)-2)
	for i := range len(term) - 2 {
		list := b.grams[gramOf(term[i:i+3])]
		if list.count == 0 {
			return step{term: term, exact: true} // no word holds it
		}
		all = append(all, list)
	}
	slices.SortFunc(all, func(x, y postings) int { return cmp.Compare(x.count, y.count) })
	return step{term: term, list: all[0], more: all[1:], cost: 4 * all[0].count}
}

// among returns those of the records that match a term, reading their words.
func (b *body) among(records *roaring.Bitmap, s step) *roaring.Bitmap {
	var found []uint32
	for it := records.Iterator(); it.HasNext(); {
		if record := it.Next(); b.has(record, s) {
			found = append(found, record)
		}
	}
	return roaring.BitmapOf(found...)
}

func (b *body) has(record uint32, s step) bool {
	if s.exact {
		return s.list.has(record)
	}
	return slices.ContainsFunc(b.words.of.at(record), func(word uint32) bool { return strings.Contains(b.words.at(word), s.term) })
}

// matches returns the records that match a term. The bitmap is the caller's.
func (b *body) matches(s step) *roaring.Bitmap {
	if s.exact {
		return s.list.clone()
	}
	words := b.holding(s)
	total := 0
	for _, word := range words {
		total += len(b.words.records.at(word))
	}
	if total < b.size/32 {
		return b.few(words, total)
	}
	return b.many(words)
}

// holding returns the words that hold the term.
func (b *body) holding(s step) []uint32 {
	if len(s.more) == 0 { // the term is what they are listed by
		return s.list.numbers()
	}
	words := s.narrowed()
	f := newFinder(s.term)
	if len(words) < worthSharing {
		return b.hold(&f, words)
	}
	shares := make([][]uint32, parallel.SharesOf(len(words), worthSharing))
	parallel.Shares(len(words), worthSharing, func(share, from, to int) {
		shares[share] = b.hold(&f, words[from:to:to])
	})
	return slices.Concat(shares...)
}

// narrowed returns the words that are on all of the lists, or on enough of them:
// to look for a word on one more list takes far less time than to read it, until
// there are few, or lists stop telling them apart.
func (s step) narrowed() []uint32 {
	const patience = 3 // lists that took away less than an eighth
	words, left, idle := s.list.bitmap(), s.list.count, 0
	for i, list := range s.more {
		if left <= maxFew || idle == patience {
			break
		}
		if i == 0 {
			words = roaring.And(words, list.bitmap()) // the list's own until here
		} else {
			words.And(list.bitmap())
		}
		before := left
		left = int(words.GetCardinality())
		idle++
		if left < before-before/8 {
			idle = 0
		}
	}
	return words.ToArray()
}

// worthSharing is how many words are worth a second goroutine.
const worthSharing = 16 << 10

// hold returns those of words that hold a term. It writes over words.
func (b *body) hold(f *finder, words []uint32) []uint32 {
	return slices.DeleteFunc(words, func(word uint32) bool { return !f.in(b.words.at(word)) })
}

// few returns the records of words, which have total records.
func (b *body) few(words []uint32, total int) *roaring.Bitmap {
	records := make([]uint32, 0, total)
	for _, word := range words {
		records = append(records, b.words.records.at(word)...)
	}
	if len(words) > 1 {
		slices.Sort(records)
	}
	return roaring.BitmapOf(records...)
}

// many returns the records of words, which are many: one bit a record takes less
// time then than to sort them.
func (b *body) many(words []uint32) *roaring.Bitmap {
	bits := make([]uint64, (b.size+63)/64)
	for _, word := range words {
		for _, record := range b.words.records.at(word) {
			bits[record/64] |= 1 << (record % 64)
		}
	}
	return roaring.FromDense(bits, false)
}
