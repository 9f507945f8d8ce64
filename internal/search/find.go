package search

import (
	"cmp"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/fold"
)

// body is an index of records that do not change.
type body struct {
	size     int
	prefixes map[prefix]postings // records by the beginnings of words
	symbols  map[symbol]postings // records by symbols: what terms of one or two bytes may be
	words    words
}

// find returns the records that match every one of terms, of which there is one
// at least. It begins with the term that few records match.
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

// worthReading is how many records of lists are taken in the time that it takes
// to read all words of one.
const worthReading = 256

// step is how the records that match one term are found.
type step struct {
	term   string
	listed *postings // the records, where there is a list of them
	places []uint32  // else where the term begins in the words
	parts  []string  // else the parts of the term, which lie in words that follow each other,
	within *step     // and a step that finds more records than have them
	cost   int       // about how many records are looked at to find all
}

func (b *body) step(term string) step {
	if !fold.Anywhere(term) {
		return listed(term, b.prefixes[prefixOf(term)])
	}
	if len(term) < leastTerm {
		return listed(term, b.symbols[symbolOf(term)])
	}
	if first := cut(term); first < len(term) {
		return b.crossing(term)
	}
	return b.inOneWord(term)
}

// inOneWord is the step of a term of leastTerm bytes or more that no word is cut
// within.
func (b *body) inOneWord(term string) step {
	return b.at(term, b.words.suffixes.find(b.words.text, term))
}

// at is the step of a term that begins at places.
func (b *body) at(term string, places []uint32) step {
	return step{term: term, places: places, cost: b.cost(places)}
}

func listed(term string, list postings) step {
	return step{term: term, listed: &list, cost: list.count}
}

// cost returns how many records the words of places have, estimated by some of
// them where they are many.
func (b *body) cost(places []uint32) int {
	const most = 64
	stride := 1 + len(places)/most
	var some []uint32
	for i := 0; i < len(places); i += stride {
		some = append(some, places[i])
	}
	total := 0
	for _, word := range b.words.having(some) {
		total += 1 + len(b.words.records.at(word))
	}
	return total * stride
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
	switch {
	case s.listed != nil:
		return s.listed.has(record)
	case s.parts != nil:
		return b.crosses(record, s.parts)
	}
	return slices.ContainsFunc(b.words.of.at(record), func(word uint32) bool {
		return strings.Contains(b.words.at(word&^glued), s.term)
	})
}

// matches returns the records that match a term. The bitmap is the caller's.
func (b *body) matches(s step) *roaring.Bitmap {
	switch {
	case s.listed != nil:
		return s.listed.clone()
	case s.parts != nil:
		return b.among(b.matches(*s.within), s)
	}
	words := b.words.having(s.places)
	if s.cost < b.size/32 {
		return b.few(words)
	}
	return b.many(words)
}

// few returns the records of words.
func (b *body) few(words []uint32) *roaring.Bitmap {
	var records []uint32
	for _, word := range words {
		records = append(records, b.words.records.at(word)...)
	}
	if len(words) > 1 {
		slices.Sort(records)
	}
	return roaring.BitmapOf(records...)
}

// many returns the same where they are many: one bit a record takes less time
// then than to sort them.
func (b *body) many(words []uint32) *roaring.Bitmap {
	bits := make([]uint64, (b.size+63)/64)
	for _, word := range words {
		for _, record := range b.words.records.at(word) {
			bits[record/64] |= 1 << (record % 64)
		}
	}
	return roaring.FromDense(bits, false)
}

// crossing is the step of a term that lies across the parts of a word. The
// records that have it are among those of any of its parts.
func (b *body) crossing(term string) step {
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
			within = b.at(part, b.whereWordsAreCut(part, i == 0, i == len(s.parts)-1))
		case i == 0:
			mark := part[len(part)-1:] // the punctuation that ends it
			within = listed(mark, b.symbols[symbolOf(mark)])
		default:
			continue // nothing is listed by it
		}
		if s.within == nil || within.cost < s.within.cost {
			s.within = &within
		}
	}
	s.cost = s.within.cost * worthReading
	return s
}

// whereWordsAreCut returns the places of a part of a term where it begins its
// word, unless it is the first part, and ends it, unless it is the last.
func (b *body) whereWordsAreCut(part string, first, last bool) []uint32 {
	return slices.DeleteFunc(slices.Clone(b.words.suffixes.find(b.words.text, part)), func(place uint32) bool {
		begins := place == 0 || b.words.text[place-1] == ' '
		ends := b.words.text[int(place)+len(part)] == ' '
		return !first && !begins || !last && !ends
	})
}

// crosses reports whether a record has the parts of a term one after the other.
func (b *body) crosses(record uint32, parts []string) bool {
	of := b.words.of.at(record)
	last := len(parts) - 1
	for i := range len(of) - last {
		if b.begins(of[i:], parts) && strings.HasPrefix(b.words.at(of[i+last]&^glued), parts[last]) {
			return true
		}
	}
	return false
}

// begins reports whether words that belong together end as the first of parts,
// and are as all of the others but the last.
func (b *body) begins(of []uint32, parts []string) bool {
	for i, part := range parts[:len(parts)-1] {
		word := b.words.at(of[i] &^ glued)
		if of[i]&glued == 0 || !strings.HasSuffix(word, part) || i > 0 && word != part {
			return false
		}
	}
	return true
}
