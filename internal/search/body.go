package search

import (
	"cmp"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/fold"
)

// body is an index of unchanged records. [Index] adds changed ones.
type body struct {
	size         int
	prefixes     map[pair]postings // records by the beginnings of words
	symbols      map[pair]postings // records by the symbols in their texts
	labelSymbols map[pair]postings // records by the symbols in their labels
	words        words
	labels       labels
}

// matchAll returns the records that match all of one or more terms, in their labels and ids only
// or in all texts. It begins with the term that matches the fewest records, by estimate.
func (b *body) matchAll(terms []string, in scope) *roaring.Bitmap {
	steps := b.steps(terms, in)
	return b.narrow(b.matches(steps[0]), steps[1:])
}

// steps returns the steps for terms, the cheapest first.
func (b *body) steps(terms []string, in scope) []step {
	steps := make([]step, len(terms))
	for i, term := range terms {
		steps[i] = b.stepOf(term, in)
	}
	slices.SortStableFunc(steps, func(x, y step) int { return cmp.Compare(x.cost, y.cost) })
	return steps
}

// narrow returns those of matches that match the terms of steps. It may change matches.
func (b *body) narrow(matches *roaring.Bitmap, steps []step) *roaring.Bitmap {
	for _, s := range steps {
		left := matches.GetCardinality()
		switch {
		case left == 0:
			return matches
		case left <= uint64(s.cost/worthReading):
			matches = b.among(matches, s)
		default:
			matches.And(b.matches(s))
		}
	}
	return matches
}

// worthReading is the number of records that lists yield in the time of reading all words of one
// record.
const worthReading = 256

// step finds the records that match one term: by id, and by one of listed, parts and places, or
// else by the beginnings of words in labels.
type step struct {
	term   string
	in     scope
	ids    []uint32  // the records with the term as an id, ascending
	listed *postings // the records
	parts  []string  // of a term that words may be cut within: they are in successive words
	within *step     // for parts: finds a superset
	places []uint32  // where the term begins in the text of the words
	begins bool      // a word of a label
	cost   int       // estimated number of records to examine
}

// stepOf selects the step for a term.
func (b *body) stepOf(term string, in scope) step {
	s := b.stepOfTexts(term, in)
	s.ids = b.labels.ids(term)
	s.cost += len(s.ids)
	return s
}

// stepOfTexts is stepOf without the ids.
func (b *body) stepOfTexts(term string, in scope) step {
	switch {
	case !fold.Anywhere(term) && in == inLabels:
		return step{term: term, in: in, begins: true, cost: b.labels.count(term)}
	case !fold.Anywhere(term):
		return listed(term, b.prefixes[prefixOf(term)])
	case len(term) < leastTerm:
		return b.bySymbol(term, in)
	case cut(term) < len(term):
		return b.acrossWords(term, in)
	}
	return b.atPlaces(term, in, b.words.suffixes.occurrences(b.words.text, term))
}

// atPlaces returns the step of a term that begins at places.
func (b *body) atPlaces(term string, in scope, places []uint32) step {
	return step{term: term, in: in, places: places, cost: b.cost(places)}
}

func (b *body) bySymbol(term string, in scope) step {
	if in == inLabels {
		return listed(term, b.labelSymbols[symbolOf(term)])
	}
	return listed(term, b.symbols[symbolOf(term)])
}

func listed(term string, list postings) step {
	return step{term: term, listed: &list, cost: list.count}
}

// cost returns the number of records with the words of these places. It estimates from a sample
// if there are many places.
func (b *body) cost(places []uint32) int {
	const most = 64
	stride := 1 + len(places)/most
	var sample []uint32
	for i := 0; i < len(places); i += stride {
		sample = append(sample, places[i])
	}
	total := 0
	for _, word := range b.words.wordsAt(sample) {
		total += 1 + b.words.records.count(word)
	}
	return total * stride
}

// among returns the subset of the records that match a term. It reads their words.
func (b *body) among(records *roaring.Bitmap, s step) *roaring.Bitmap {
	var matches []uint32
	for it := records.Iterator(); it.HasNext(); {
		if record := it.Next(); b.has(record, s) {
			matches = append(matches, record)
		}
	}
	return roaring.BitmapOf(matches...)
}

func (b *body) has(record uint32, s step) bool {
	if _, isID := slices.BinarySearch(s.ids, record); isID {
		return true
	}
	switch {
	case s.listed != nil:
		return s.listed.has(record)
	case s.parts != nil:
		return b.hasAcross(record, s)
	case s.begins:
		return b.labels.beginsWord(record, s.term)
	}
	var room [128]uint32
	return slices.ContainsFunc(b.words.of.words(room[:0], record), func(word uint32) bool {
		return s.in.has(word) && strings.Contains(b.words.word(word&^flags), s.term)
	})
}

// matches returns the records that match a term. The caller owns the bitmap.
func (b *body) matches(s step) *roaring.Bitmap {
	matches := b.matchesTexts(s)
	matches.AddMany(s.ids)
	return matches
}

// matchesTexts is matches without the ids.
func (b *body) matchesTexts(s step) *roaring.Bitmap {
	switch {
	case s.listed != nil:
		return s.listed.bitmap()
	case s.parts != nil:
		return b.among(b.matches(*s.within), s)
	case s.begins:
		return b.labels.beginning(s.term)
	}
	words := b.words.wordsAt(s.places)
	if s.cost < b.size/32 {
		return fewOf(b.words.records.of(words, s.in))
	}
	matches := newBitset(b.size)
	b.words.records.addTo(matches, words, s.in)
	return roaring.FromDense(matches, false)
}

// fewOf returns the set of some numbers in any order, which it sorts.
func fewOf(numbers []uint32) *roaring.Bitmap {
	if !slices.IsSorted(numbers) {
		slices.Sort(numbers)
	}
	return roaring.BitmapOf(numbers...)
}

// acrossWords returns the step for a term that spans several parts of a cut word. Its records are
// a subset of those of any part.
func (b *body) acrossWords(term string, in scope) step {
	s := step{term: term, in: in}
	for rest := term; rest != ""; {
		size := cut(rest)
		s.parts = append(s.parts, rest[:size])
		rest = rest[size:]
	}
	for i, part := range s.parts {
		var within step
		switch {
		case len(part) >= leastTerm:
			within = b.atPlaces(part, in, b.placesAtCuts(part, i == 0, i == len(s.parts)-1))
		case i == 0:
			within = b.bySymbol(part[len(part)-1:], in) // the punctuation at its end
		default:
			continue // too short for the lists
		}
		if s.within == nil || within.cost < s.within.cost {
			s.within = &within
		}
	}
	s.cost = s.within.cost * worthReading
	return s
}

// placesAtCuts returns the places of one part of a term. All but the first part
// must begin a word there, and all but the last must end one.
func (b *body) placesAtCuts(part string, first, last bool) []uint32 {
	return slices.DeleteFunc(slices.Clone(b.words.suffixes.occurrences(b.words.text, part)), func(place uint32) bool {
		begins := place == 0 || b.words.text[place-1] == ' '
		ends := b.words.text[int(place)+len(part)] == ' '
		return !first && !begins || !last && !ends
	})
}

// hasAcross reports whether a record has the parts of a term in successive words that were cut
// from one.
func (b *body) hasAcross(record uint32, s step) bool {
	var room [128]uint32
	of := b.words.of.words(room[:0], record)
	last := len(s.parts) - 1
	for i := range len(of) - last {
		if s.in.has(of[i]) && b.startAcross(of[i:], s.parts) && strings.HasPrefix(b.words.word(of[i+last]&^flags), s.parts[last]) {
			return true
		}
	}
	return false
}

// startAcross reports whether the words of begin with parts, except the last part, which it
// ignores. The first word ends with the first part, the others equal theirs, and each word is
// continued by the next.
func (b *body) startAcross(of []uint32, parts []string) bool {
	for i, part := range parts[:len(parts)-1] {
		word := b.words.word(of[i] &^ flags)
		if of[i]&glued == 0 || !strings.HasSuffix(word, part) || i > 0 && word != part {
			return false
		}
	}
	return true
}
