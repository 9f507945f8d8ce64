package snapshot

import (
	"cmp"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/query"
)

// maxSpan is the maximum number of successive words that are searched as one label.
const maxSpan = 4

// weight ranks the parts of a query by how specific they are, the most specific first.
type weight int

const (
	isName    weight = iota // a label of an app, an account, a channel or a card, or one of a chain with several words
	isTopic                 // a label of a menu or a category
	isChain                 // a label of a chain
	isWord                  // a whole word of a label
	isInLabel               // in a label, within a word
	isInText
)

// unit is a part of a query that relaxation keeps or leaves out as a whole: a word, or
// successive words that spell a label.
type unit struct {
	weight    weight
	terms     []string
	frequency uint64 // the records that have all terms
	at        int    // index of the first word
}

// relax leaves out words of a query until some record has all that remain. It returns the
// remaining words, and those left out, as written, in the order of the query. It returns words
// and nil if only function words are known: these are never searched for alone.
//
// Units are kept in the order of [unit.compare] while some record has all of them. Anchors are
// the kept units with the weight of the first, if that is a name, a topic or a chain. A record
// must have all units, and the anchors in labels, its own or those of its chains. A chain next to
// a topic or a chain is exempt from that. So words in few descriptions do not displace what the
// query names.
func (v *vocabulary) relax(words []word) (left []word, out []string) {
	var keep []string
	var having []*roaring.Bitmap   // by kind: records with all kept units
	var anchored []*roaring.Bitmap // and with the anchors in labels
	var first weight
	for _, u := range v.units(words) {
		if len(keep) == 0 {
			first = u.weight
		}
		next := v.having(u.terms)
		anchors := next
		if u.weight == first && first <= isChain {
			anchors = v.labelled(u.terms)
		}
		if len(keep) > 0 {
			next, anchors = both(next, having), both(anchors, anchored)
		}
		if isEmpty(anchors) {
			if first == isName || u.weight != isChain || isEmpty(next) {
				continue
			}
			anchors = next
		}
		keep, having, anchored = append(keep, u.terms...), next, anchors
	}
	if len(keep) == 0 {
		return words, nil
	}
	return parted(words, func(w word) bool { return slices.Contains(keep, w.term) })
}

// question returns the words of a query without its function words, and these as written. It
// requires that one of these asks a question, that the others spell a label, and that no label
// has all words: `bitcoin` of `what is bitcoin?`. It returns nil for other queries.
func (v *vocabulary) question(words []word) (rest []word, out []string) {
	var parts []word
	asks := false
	for _, w := range words[:min(len(words), maxWords)] {
		w = w.bare()
		pieces := []word{w}
		if isEastAsian(w.term) && !isFunctionWord(w.term) {
			pieces = w.withoutFunctionWords()
		}
		for _, piece := range pieces {
			asks = asks || isQuestionWord(piece.term)
		}
		parts = append(parts, pieces...)
	}
	if !asks || len(words) > maxWords {
		return nil, nil
	}
	rest, out = parted(parts, func(w word) bool { return !isFunctionWord(w.term) })
	if len(rest) == 0 || v.weightOf(rest) > isChain || v.weightOf(words) < isInText {
		return nil, nil
	}
	return rest, out
}

// parted returns the words to keep, and the distinct others as written.
func parted(words []word, keep func(word) bool) (left []word, out []string) {
	for _, w := range words {
		if keep(w) {
			left = append(left, w)
		} else if !slices.Contains(out, w.written) {
			out = append(out, w.written)
		}
	}
	return left, out
}

// units returns the units of a query in the order in which they are kept. Function words are only
// in units that spell a label with other words.
func (v *vocabulary) units(words []word) []unit {
	var all []unit
	known := func(w word) bool { return v.frequency(w.term) > 0 }
	for from := range words[:min(len(words), maxWords)] {
		for to := from + 1; to <= min(len(words), from+maxSpan, maxWords) && known(words[to-1]); to++ {
			span := words[from:to]
			if !slices.ContainsFunc(span, func(w word) bool { return !isFunctionWord(w.term) }) {
				continue
			}
			if len(span) > 1 && !v.isLabel(phraseOf(span)) {
				continue
			}
			u := unit{terms: termsOf(span), at: from, weight: v.weightOf(span)}
			if len(span) > 1 && u.weight > isChain { // a label of a retired record
				continue
			}
			u.frequency = v.frequencyOf(u.terms)
			all = append(all, u)
		}
	}
	slices.SortFunc(all, unit.compare)
	return all
}

// compare orders units by weight, then longer, rarer and earlier ones first.
func (u unit) compare(other unit) int {
	return cmp.Or(
		cmp.Compare(u.weight, other.weight),
		cmp.Compare(len(other.terms), len(u.terms)),
		cmp.Compare(u.frequency, other.frequency),
		cmp.Compare(u.at, other.at),
	)
}

func (v *vocabulary) isLabel(phrase string) bool {
	return slices.ContainsFunc(v.kinds, func(kind *searchable) bool { return kind.index().HasLabel(phrase) })
}

// weightOf returns the weight of words that some record has. Names of demoted records do not
// count.
func (v *vocabulary) weightOf(span []word) weight {
	terms, phrase := termsOf(span), phraseOf(span)
	least := isInText
	for _, kind := range v.kinds {
		w := kind.weightOf(terms, phrase)
		if w == isChain && len(span) == 1 {
			return w
		}
		if w == isChain {
			w = isName
		}
		least = min(least, w)
	}
	return least
}

func (s *searchable) weightOf(terms []string, phrase string) weight {
	matches := s.search(terms)
	if s.demoted != nil {
		matches.set = roaring.AndNot(matches.set, s.demoted)
	}
	own := isName
	switch s.kind {
	case query.KindMenu, query.KindCategory:
		own = isTopic
	case query.KindChain:
		own = isChain
	}
	if s.bySymbol != nil && len(terms) == 1 && matches.also != nil && matches.also[terms[0]].Intersects(matches.set) {
		return own
	}
	class := 0
	for set := range s.index().Ranked(terms, phrase, matches.set) {
		class++
		switch {
		case set.IsEmpty():
		case class == 1:
			return own
		case class == 2:
			return isWord
		case class < 5:
			return isInLabel
		}
	}
	return isInText
}

// frequencyOf returns the number of records with all terms.
func (v *vocabulary) frequencyOf(terms []string) uint64 {
	total := uint64(0)
	for _, set := range v.having(terms) {
		total += set.GetCardinality()
	}
	return total
}

// having returns the records that have all of one or more terms, by kind. The caller owns the
// sets.
func (v *vocabulary) having(terms []string) []*roaring.Bitmap {
	sets := make([]*roaring.Bitmap, len(v.kinds))
	for i, term := range terms {
		for k, set := range v.of(term) {
			if i == 0 {
				sets[k] = set.Clone()
			} else {
				sets[k].And(set)
			}
		}
	}
	return sets
}

// labelled returns the records with all of some terms in their labels or those of their chains,
// by kind.
func (v *vocabulary) labelled(terms []string) []*roaring.Bitmap {
	sets := v.having(terms)
	for k, kind := range v.kinds {
		for _, term := range terms {
			set := kind.index().LabelMatches([]string{term})
			if also := kind.beyond(term); also != nil {
				set.Or(also)
			}
			sets[k].And(set)
		}
	}
	return sets
}

func both(a, b []*roaring.Bitmap) []*roaring.Bitmap {
	sets := make([]*roaring.Bitmap, len(a))
	for k := range sets {
		sets[k] = roaring.And(a[k], b[k])
	}
	return sets
}

func isEmpty(sets []*roaring.Bitmap) bool {
	return !slices.ContainsFunc(sets, func(set *roaring.Bitmap) bool { return !set.IsEmpty() })
}
