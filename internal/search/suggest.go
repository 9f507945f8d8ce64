package search

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitrine/internal/fold"
	"vitrine/internal/parallel"
	"vitrine/internal/spelling"
)

// Suggestion is a label that a query which found nothing may have meant.
type Suggestion struct {
	Label    string // folded
	Distance int    // how far the terms are from its words, all together
	Number   uint32 // of the first record that has the label

	spare   int // words of the label that no term stands for
	letters int // code points of the label
}

// Suggest returns up to n labels that a query of terms which found nothing may have
// meant, the nearest first; of those that are as near, the one with the fewest words
// that no term stands for, then the shortest, then by code point.
//
// Every term must be near to a word of the label or, where it is the only one, to the
// label as a whole: one change away, or two where it has nine letters and more
// (see [spelling.Distance]), with letters that look like Latin ones as these (see
// [fold.Latin]). Terms that have fewer than five letters, a digit, or a letter of Han or
// kana have no near ones: such a term must be found in the label as it is. Where all
// terms are such there is nothing to suggest. An ID is never suggested.
func (x *Index) Suggest(terms []string, n int) []Suggestion {
	q := meant(terms)
	if q.longest == nil || n <= 0 {
		return nil
	}
	best := nearest{most: n}
	x.base.labels.suggest(q, func(record uint32) (uint32, bool) {
		return record, x.stale == nil || !x.stale.Contains(record)
	}, &best)
	if x.edited != nil {
		x.edited.labels.suggest(q, func(record uint32) (uint32, bool) { return x.numbers[record], true }, &best)
	}
	return best.found
}

// misspelt is a query of which the spelling is in doubt.
type misspelt struct {
	near    []nearTerm
	exact   []string // must be found as they are
	longest *nearTerm
}

func (q *misspelt) terms() int { return len(q.near) + len(q.exact) }

// nearTerm is a term that has near ones.
type nearTerm struct {
	latin string // see [fold.Latin]
	shape shape
	limit int // how far a word may be from it
}

func meant(terms []string) misspelt {
	var q misspelt
	for _, term := range terms {
		limit := nearLimit(term)
		if limit == 0 {
			q.exact = append(q.exact, term)
			continue
		}
		latin := fold.Latin(term)
		q.near = append(q.near, nearTerm{latin, shapeOf(latin), limit})
	}
	for i := range q.near {
		if q.longest == nil || len(q.near[i].latin) > len(q.longest.latin) {
			q.longest = &q.near[i]
		}
	}
	return q
}

// nearLimit returns how far a word may be from a term to be near, 0 where none is.
func nearLimit(term string) int {
	letters := 0
	for _, r := range term {
		if !unicode.IsMark(r) {
			letters++
		}
		if unicode.IsNumber(r) || r == 'ー' || unicode.IsLetter(r) && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			return 0
		}
	}
	switch {
	case letters < leastNear:
		return 0
	case letters < 9:
		return 1
	}
	return 2
}

// leastNear is the number of letters of the shortest terms that have near ones. That
// of code points is no less, neither here nor where they are read as Latin ones.
const leastNear = 5

// shape tells most words that are not near apart: 26 bits of which letters a word
// has, and above them how many, maxLetters at most.
type shape uint32

const (
	letterBits = 26
	maxLetters = 1<<(32-letterBits) - 1
)

func shapeOf(word string) shape {
	var letters shape
	n := 0
	for _, r := range word {
		n++
		if 'a' <= r && r <= 'z' {
			r -= 'a'
		}
		letters |= 1 << (r % letterBits)
	}
	return shape(min(n, maxLetters))<<letterBits | letters
}

// mayBeNear reports whether limit changes may turn words of these shapes into each
// other: a change adds or drops one letter, and one kind of them each at most.
func (s shape) mayBeNear(other shape, limit int) bool {
	const letters = 1<<letterBits - 1
	n := int(s>>letterBits) - int(other>>letterBits)
	return -limit <= n && n <= limit && bits.OnesCount32(uint32((s^other)&letters)) <= 2*limit
}

// nearby are the different words of labels, and the labels of several words, which are
// long enough to be near to a term, by their shapes.
type nearby struct {
	words, wholes shaped
}

// shaped are words or labels, each by the place of one of them in labels.text.
type shaped struct {
	places []uint32
	shapes []shape // by index in places
}

func newNearby(l *labels) nearby {
	all := l.suffixes.places
	parts := make([]nearby, parallel.SharesOf(len(all), 1<<14))
	parallel.Shares(len(all), 1<<14, func(share, from, to int) {
		for _, place := range all[from:to] {
			parts[share].add(l, place)
		}
	})
	var joined nearby
	for _, part := range parts {
		joined.words.append(part.words)
		joined.wholes.append(part.wholes)
	}
	joined.words.clip()
	joined.wholes.clip()
	return joined
}

// add adds what begins at a place. Equal words come one after the other, mostly: a
// word that is there twice costs time alone.
func (n *nearby) add(l *labels, place uint32) {
	if !l.beginsNear(place) {
		return
	}
	n.words.add(l, place, l.wordAt)
	if label := l.labelAt(place); l.beginsLabel(place) && strings.Contains(label, " ") {
		n.wholes.add(l, place, l.labelAt)
	}
}

func (s *shaped) add(l *labels, place uint32, at func(uint32) string) {
	word := at(place)
	if len(s.places) > 0 && at(s.places[len(s.places)-1]) == word {
		return
	}
	if of := shapeOf(fold.Latin(word)); of>>letterBits >= leastNear-1 {
		s.places, s.shapes = append(s.places, place), append(s.shapes, of)
	}
}

func (s *shaped) append(more shaped) {
	s.places, s.shapes = append(s.places, more.places...), append(s.shapes, more.shapes...)
}

func (s *shaped) clip() { s.places, s.shapes = slices.Clip(s.places), slices.Clip(s.shapes) }

// beginsNear reports whether a label, or what follows a space in one, begins at one of
// the places of suffixes.
func (l *labels) beginsNear(place uint32) bool {
	return l.text[place] != idMark && (l.beginsLabel(place) || l.text[place-1] == ' ')
}

// labelAt returns the rest of the label at a place, and wordAt up to the next space.
func (l *labels) labelAt(place uint32) string {
	rest := l.text[place:]
	return rest[:strings.IndexByte(rest, labelEnd)]
}

func (l *labels) wordAt(place uint32) string {
	word, _, _ := strings.Cut(l.labelAt(place), " ")
	return word
}

// hit is a word, or a label as a whole, that is near to the longest term.
type hit struct {
	text     string
	distance int
	whole    bool
}

// suggest adds the labels that a query may mean to best, by the records that number
// accepts, whose numbers it returns.
func (l *labels) suggest(q misspelt, number func(record uint32) (uint32, bool), best *nearest) {
	for _, h := range l.hits(q) {
		if worst, full := best.worst(); full && h.distance > worst.Distance {
			return
		}
		for place, record := range l.with(h) {
			if n, ok := number(record); ok {
				l.addSuggestion(q, h, place, n, best)
			}
		}
	}
}

// hits returns what is near to the longest term, the nearest first. So a label comes
// with what is nearest in it before it comes again; and as a whole, which leaves no
// word to spare, before it comes with a word.
func (l *labels) hits(q misspelt) []hit {
	var hits []hit
	if q.terms() == 1 {
		hits = l.near.wholes.near(q.longest, l.labelAt, hits, true)
	}
	hits = l.near.words.near(q.longest, l.wordAt, hits, false)
	slices.SortStableFunc(hits, func(a, b hit) int { return a.distance - b.distance })
	return hits
}

// near appends what is near to a term.
func (s *shaped) near(t *nearTerm, at func(uint32) string, hits []hit, whole bool) []hit {
	for i, shape := range s.shapes {
		if !t.shape.mayBeNear(shape, t.limit) {
			continue
		}
		text := at(s.places[i])
		if d := spelling.Distance(t.latin, fold.Latin(text), t.limit+1); d <= t.limit {
			hits = append(hits, hit{text, d, whole})
		}
	}
	return hits
}

// with gives the places, and the records, of the labels that have what was hit.
func (l *labels) with(h hit) iter.Seq2[uint32, uint32] {
	return func(yield func(uint32, uint32) bool) {
		for _, end := range []string{string(labelEnd), " "} {
			places, records := l.found(h.text + end)
			for i, place := range places {
				if l.beginsNear(place) && (!h.whole || l.beginsLabel(place)) && !yield(l.labelOf(place), records[i]) {
					return
				}
			}
			if h.whole {
				return
			}
		}
	}
}

// labelOf returns the place of the label that a place is in.
func (l *labels) labelOf(place uint32) uint32 {
	return uint32(strings.LastIndexByte(l.text[:place], labelEnd) + 1)
}

// addSuggestion adds the label at a place to best if the query may mean it.
func (l *labels) addSuggestion(q misspelt, h hit, place, number uint32, best *nearest) {
	s := Suggestion{Label: l.labelAt(place), Distance: h.distance, Number: number}
	if best.has(s) {
		return
	}
	if s.letters = utf8.RuneCountInString(s.Label); !h.whole {
		s.spare = max(0, 1+strings.Count(s.Label, " ")-q.terms())
	}
	if worst, full := best.worst(); full && s.Compare(worst) > 0 {
		return // other terms can only make it worse
	}
	for _, term := range q.exact {
		if !l.isIn(place, s.Label, term) {
			return
		}
	}
	for i := range q.near {
		if t := &q.near[i]; t != q.longest {
			d, near := t.nearestOf(s.Label)
			if !near {
				return
			}
			s.Distance += d
		}
	}
	best.add(s)
}

// nearestOf returns how far the nearest word of a label is; false if none is near.
func (t *nearTerm) nearestOf(label string) (distance int, found bool) {
	least := t.limit + 1
	for word := range strings.SplitSeq(label, " ") {
		if word = fold.Latin(word); t.shape.mayBeNear(shapeOf(word), t.limit) {
			least = min(least, spelling.Distance(t.latin, word, least))
		}
	}
	return least, least <= t.limit
}

// isIn reports whether a term is found in the label at a place.
func (l *labels) isIn(place uint32, label, term string) bool {
	if fold.Anywhere(term) {
		return strings.Contains(label, term)
	}
	if text, odd := l.oddAt(place); odd {
		return beginsWord(text, term)
	}
	return l.hasWord(int(place), label, term, false)
}

// nearest are the best of the suggestions that were added, in order.
type nearest struct {
	most  int // one at least
	found []Suggestion
}

// worst returns the last one, if there is no room for more.
func (n *nearest) worst() (s Suggestion, full bool) {
	if len(n.found) < n.most {
		return s, false
	}
	return n.found[n.most-1], true
}

// has reports whether the label of a suggestion is there, and notes its record.
func (n *nearest) has(s Suggestion) bool {
	i := slices.IndexFunc(n.found, func(known Suggestion) bool { return known.Label == s.Label })
	if i < 0 {
		return false
	}
	n.found[i].Number = min(n.found[i].Number, s.Number)
	return true
}

func (n *nearest) add(s Suggestion) {
	at, _ := slices.BinarySearchFunc(n.found, s, Suggestion.Compare)
	if at < n.most {
		s.Label = strings.Clone(s.Label) // or it would keep the index
		n.found = slices.Insert(n.found, at, s)
		n.found = n.found[:min(len(n.found), n.most)]
	}
}

// Compare orders suggestions as [Index.Suggest] does.
func (a Suggestion) Compare(b Suggestion) int {
	return cmp.Or(
		cmp.Compare(a.Distance, b.Distance),
		cmp.Compare(a.spare, b.spare),
		cmp.Compare(a.letters, b.letters),
		cmp.Compare(a.Label, b.Label),
	)
}
