package search

import (
	"cmp"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/fold"
)

// body is an index of records that do not change. See [Index] for those that do.
type body struct {
	size     int
	prefixes map[pair]postings // records by the beginnings of words
	symbols  map[pair]postings // records by the symbols in their texts
	words    words
}

// matchAll returns the records that match every one of terms, of which there is one
// at least. It begins with the term that is matched by the fewest records, as far
// as can be estimated.
func (b *body) matchAll(terms []string) *roaring.Bitmap {
	steps := make([]step, len(terms))
	for i, term := range terms {
		steps[i] = b.stepOf(term)
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

// worthReading is how many records can be taken from lists in the time that it
// takes to read all words of one record.
const worthReading = 256

// step is how the records that match one term are found: by one of listed, parts
// and places.
type step struct {
	term   string
	listed *postings // the records
	parts  []string  // of a term that words may be cut within: they lie in successive words
	within *step     // for parts: finds a superset of the records
	places []uint32  // where the term begins in the text of the words
	cost   int       // about how many records are looked at to find all
}

// stepOf chooses how to find a term.
func (b *body) stepOf(term string) step {
	if !fold.Anywhere(term) {
		return listed(term, b.prefixes[prefixOf(term)])
	}
	if len(term) < leastTerm {
		return listed(term, b.symbols[symbolOf(term)])
	}
	if cut(term) < len(term) {
		return b.acrossWords(term)
	}
	return b.atPlaces(term, b.words.suffixes.occurrences(b.words.text, term))
}

// atPlaces is the step of a term that begins at places.
func (b *body) atPlaces(term string, places []uint32) step {
	return step{term: term, places: places, cost: b.cost(places)}
}

func listed(term string, list postings) step {
	return step{term: term, listed: &list, cost: list.count}
}

// cost returns how many records have the words of these places, estimated from a
// sample where there are many places.
func (b *body) cost(places []uint32) int {
	const most = 64
	stride := 1 + len(places)/most
	var sample []uint32
	for i := 0; i < len(places); i += stride {
		sample = append(sample, places[i])
	}
	total := 0
	for _, word := range b.words.wordsAt(sample) {
		total += 1 + len(b.words.records.at(word))
	}
	return total * stride
}

// among returns those of the records that match a term. It reads their words.
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
	switch {
	case s.listed != nil:
		return s.listed.has(record)
	case s.parts != nil:
		return b.hasAcross(record, s.parts)
	}
	return slices.ContainsFunc(b.words.of.at(record), func(word uint32) bool {
		return strings.Contains(b.words.word(word&^glued), s.term)
	})
}

// matches returns the records that match a term. The bitmap is the caller's.
func (b *body) matches(s step) *roaring.Bitmap {
	switch {
	case s.listed != nil:
		return s.listed.bitmap()
	case s.parts != nil:
		return b.among(b.matches(*s.within), s)
	}
	words := b.words.wordsAt(s.places)
	if s.cost < b.size/32 {
		return b.fewRecords(words)
	}
	return b.manyRecords(words)
}

// fewRecords returns the records that have any of words, where they are few.
func (b *body) fewRecords(words []uint32) *roaring.Bitmap {
	var records []uint32
	for _, word := range words {
		records = append(records, b.words.records.at(word)...)
	}
	if len(words) > 1 {
		slices.Sort(records)
	}
	return roaring.BitmapOf(records...)
}

// manyRecords does the same where they are many: then it is quicker to set a bit
// for each record than to sort them.
func (b *body) manyRecords(words []uint32) *roaring.Bitmap {
	bits := make([]uint64, (b.size+63)/64)
	for _, word := range words {
		for _, record := range b.words.records.at(word) {
			bits[record/64] |= 1 << (record % 64)
		}
	}
	return roaring.FromDense(bits, false)
}

// acrossWords is the step of a term that words are cut within. The records that
// have it are among those that have any one of its parts.
func (b *body) acrossWords(term string) step {
	s := step{term: term}
	for rest := term; rest != ""; {
		size := cut(rest)
		s.parts = append(s.parts, rest[:size])
		rest = rest[size:]
	}
	for i, part := range s.parts {
		var within step
		switch {
		case len(part) >= leastTerm:
			within = b.atPlaces(part, b.placesAtCuts(part, i == 0, i == len(s.parts)-1))
		case i == 0:
			mark := part[len(part)-1:] // the punctuation that ends it
			within = listed(mark, b.symbols[symbolOf(mark)])
		default:
			continue // too short: no list has it
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

// hasAcross reports whether a record has the parts of a term in successive words
// that were cut out of one.
func (b *body) hasAcross(record uint32, parts []string) bool {
	of := b.words.of.at(record)
	last := len(parts) - 1
	for i := range len(of) - last {
		if b.startAcross(of[i:], parts) && strings.HasPrefix(b.words.word(of[i+last]&^glued), parts[last]) {
			return true
		}
	}
	return false
}

// startAcross reports whether the words of begin with parts, the last of which is
// not looked at: the first word ends with the first part, the others are equal to
// theirs, and each is continued by the next.
func (b *body) startAcross(of []uint32, parts []string) bool {
	for i, part := range parts[:len(parts)-1] {
		word := b.words.word(of[i] &^ glued)
		if of[i]&glued == 0 || !strings.HasSuffix(word, part) || i > 0 && word != part {
			return false
		}
	}
	return true
}
