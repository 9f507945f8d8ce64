package search

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/fold"
	"vitrine/internal/parallel"
	"vitrine/internal/spelling"
)

// Suggestion is a label that a query may have meant.
type Suggestion struct {
	Label    string // folded
	Distance int    // how far the terms are from its words, all together
	Spare    int    // words of the label that no term stands for

	letters int // code points of the label
}

// What a suggestion may cost is bounded, whatever the query and the labels are.
const (
	maxMisspelt = 8    // terms; a query of more has no suggestions
	maxLooked   = 2000 // labels that have a near word, in the order of [Index.Suggest]
)

// Suggest returns up to n labels that a query of terms may have meant, the nearest
// first; of those that are as near, the one with the fewest words that no term stands
// for, then the shortest, then by code point. accept chooses among labels: a label counts
// if it accepts one of the records that have it; nil accepts all.
//
// Every term must be near to a word of the label or, where it is the only one, to the
// label as a whole: one change away, or two where it has nine letters and more
// (see [spelling.Distance]), with letters that look like Latin ones as these (see
// [fold.Latin]). Terms that have fewer than five letters, a digit, or a letter of Han or
// kana have no near ones: such a term must be found in the label as it is. Where all
// terms are such there is nothing to suggest. An ID is never suggested.
//
// Where very many labels share a near word, the first 2,000 in this order are considered.
func (x *Index) Suggest(terms []string, n int, accept func(label string, number uint32) bool) []Suggestion {
	q := meant(terms)
	if q.longest == nil || n <= 0 || len(terms) > maxMisspelt {
		return nil
	}
	best := nearest{most: n}
	looked := 0
	for hits := range x.hits(q.longest, q.terms() == 1) {
		distance, whole := hits[0].distance, hits[0].whole
		if worst, full := best.worst(); full && distance > worst.Distance {
			break
		}
		for o := range x.with(hits) {
			if looked++; looked > maxLooked {
				return best.found
			}
			s := Suggestion{Label: o.label, Distance: distance, letters: o.letters}
			if !whole {
				s.Spare = max(0, o.words-q.terms())
			}
			if worst, full := best.worst(); full && s.Compare(worst) > 0 {
				break // what follows is worse, and other terms only add to the distance
			}
			if !best.has(s) && (accept == nil || accept(o.label, o.number)) && o.labels.completes(&q, o, &s) {
				best.add(s)
			}
		}
	}
	return best.found
}

// Near returns the words of labels, or, if whole is set, also labels as a whole, that are
// nearest to a term, in code point order, and how far they are from it; see
// [Index.Suggest] for what is near. Only the records in within count, nil for all. There
// are none for a term that has no near ones.
func (x *Index) Near(term string, whole bool, within *roaring.Bitmap) (texts []string, distance int) {
	q := meant([]string{term})
	if q.longest == nil {
		return nil, 0
	}
	for hits := range x.hits(q.longest, whole) {
		if len(texts) > 0 && hits[0].distance > distance {
			break
		}
		for o := range x.with(hits) {
			if within == nil || within.Contains(o.number) {
				distance = hits[0].distance
				texts = append(texts, strings.Clone(hits[0].text))
				break
			}
		}
	}
	slices.Sort(texts)
	return slices.Compact(texts), distance
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
	labels        lists // by index in words: the places of the labels that have the word; see labelOrder
}

// shaped are words or labels, each by the place of one of them in labels.text.
type shaped struct {
	places []uint32
	shapes []shape // by index in places

	byLetters [maxLetters + 1][]uint32 // indexes in places, by the number of letters
}

// index groups what was added by its number of letters.
func (s *shaped) index() {
	for i, of := range s.shapes {
		n := of >> letterBits
		s.byLetters[n] = append(s.byLetters[n], uint32(i))
	}
	for n := range s.byLetters {
		s.byLetters[n] = slices.Clip(s.byLetters[n])
	}
}

func newNearby(l *labels) nearby {
	all := l.suffixes.places
	order := newLabelOrder(l)
	parts := make([]nearby, parallel.SharesOf(len(all), 1<<14))
	parallel.Shares(len(all), 1<<14, func(share, from, to int) {
		n := &parts[share]
		for _, place := range all[from:to] {
			n.add(l, place)
		}
		n.sort(order)
	})
	var joined nearby
	for _, part := range parts {
		joined.words.append(part.words)
		joined.wholes.append(part.wholes)
		before := uint32(len(joined.labels.all))
		joined.labels.all = append(joined.labels.all, part.labels.all...)
		for _, end := range part.labels.ends {
			joined.labels.ends = append(joined.labels.ends, before+end)
		}
	}
	joined.words.clip()
	joined.wholes.clip()
	joined.words.index()
	joined.wholes.index()
	joined.labels = lists{ends: slices.Clip(joined.labels.ends), all: slices.Clip(joined.labels.all)}
	return joined
}

// add adds what begins at a place. Equal words come one after the other, mostly: a
// word that is there twice has two lists.
func (n *nearby) add(l *labels, place uint32) {
	if !l.beginsNear(place) {
		return
	}
	if n.words.add(l, place, l.wordAt) {
		n.labels.ends = append(n.labels.ends, uint32(len(n.labels.all)))
	}
	if known := len(n.labels.ends); known > 0 && l.wordAt(n.words.places[known-1]) == l.wordAt(place) {
		n.labels.all = append(n.labels.all, l.labelOf(place))
		n.labels.ends[known-1]++
	}
	if label := l.labelAt(place); l.beginsLabel(place) && strings.Contains(label, " ") {
		n.wholes.add(l, place, l.labelAt)
	}
}

// sort puts the labels of each word in order. One that has the word twice stays twice.
func (n *nearby) sort(order labelOrder) {
	var keys []uint64 // rank, then place
	for i := range n.labels.ends {
		places := n.labels.at(uint32(i))
		if len(places) < 2 {
			continue
		}
		keys = keys[:0]
		for _, place := range places {
			keys = append(keys, uint64(order.rank(place))<<32|uint64(place))
		}
		slices.Sort(keys)
		for i, key := range keys {
			places[i] = uint32(key)
		}
	}
}

// labelOrder is the order in which the labels of a word are suggested: by the number of
// their words, then the shortest, then by code point, then by place.
type labelOrder struct {
	places []uint32 // of all labels, ascending
	ranks  []uint32 // by index in places; equal labels have one
}

func newLabelOrder(l *labels) labelOrder {
	type sized struct {
		size  uint64 // words, then letters
		index uint32
		label string
	}
	var o labelOrder
	var all []sized
	for _, place := range l.suffixes.places {
		if l.text[place] != idMark && l.beginsLabel(place) {
			o.places = append(o.places, place)
		}
	}
	slices.Sort(o.places)
	for i, place := range o.places {
		label := l.labelAt(place)
		size := uint64(strings.Count(label, " "))<<32 | uint64(utf8.RuneCountInString(label))
		all = append(all, sized{size, uint32(i), label})
	}
	slices.SortFunc(all, func(a, b sized) int { return cmp.Or(cmp.Compare(a.size, b.size), strings.Compare(a.label, b.label)) })
	o.ranks = make([]uint32, len(all))
	for i, s := range all {
		if o.ranks[s.index] = uint32(i); i > 0 && all[i-1].label == s.label {
			o.ranks[s.index] = o.ranks[all[i-1].index]
		}
	}
	return o
}

func (o labelOrder) rank(place uint32) uint32 {
	i, _ := slices.BinarySearch(o.places, place)
	return o.ranks[i]
}

// add adds a word, and reports whether it did: not for one like the last, nor a short one.
func (s *shaped) add(l *labels, place uint32, at func(uint32) string) bool {
	word := at(place)
	if len(s.places) > 0 && at(s.places[len(s.places)-1]) == word {
		return false
	}
	of := shapeOf(fold.Latin(word))
	if of>>letterBits < leastNear-1 {
		return false
	}
	s.places, s.shapes = append(s.places, place), append(s.shapes, of)
	return true
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

// hit is a word, or a label as a whole, that is near to a term.
type hit struct {
	text     string
	distance int
	whole    bool
	of       *body
	edited   bool // it is that of edited records
	index    int  // in near.words or near.wholes
}

// compare orders hits as they are looked at, with 0 for one text.
func (a hit) compare(b hit) int {
	switch {
	case a.distance == b.distance && a.whole && !b.whole:
		return -1
	case a.distance == b.distance && b.whole && !a.whole:
		return 1
	}
	return cmp.Or(cmp.Compare(a.distance, b.distance), strings.Compare(a.text, b.text))
}

// hits gives what is near to a term, the nearest first, with all hits of one text
// together. So a label comes with what is nearest in it before it comes again; and as a
// whole, which leaves no word to spare, before it comes with a word.
func (x *Index) hits(t *nearTerm, whole bool) iter.Seq[[]hit] {
	var all []hit
	for i, b := range x.bodies() {
		if whole {
			all = b.labels.near.wholes.near(t, b.labels.labelAt, hit{whole: true, of: b, edited: i > 0}, all)
		}
		all = b.labels.near.words.near(t, b.labels.wordAt, hit{of: b, edited: i > 0}, all)
	}
	slices.SortStableFunc(all, hit.compare)
	return func(yield func([]hit) bool) {
		for from, to := 0, 0; from < len(all); from = to {
			for to = from + 1; to < len(all) && all[to].compare(all[from]) == 0; to++ {
			}
			if !yield(all[from:to]) {
				return
			}
		}
	}
}

// bodies returns the one or two parts of an index.
func (x *Index) bodies() []*body {
	if x.edited == nil {
		return []*body{x.base}
	}
	return []*body{x.base, x.edited}
}

// near appends what is near to a term, which kind says the rest of.
func (s *shaped) near(t *nearTerm, at func(uint32) string, kind hit, hits []hit) []hit {
	n := int(t.shape >> letterBits)
	for _, indexes := range s.byLetters[max(0, n-t.limit) : min(maxLetters, n+t.limit)+1] {
		for _, i := range indexes {
			if !t.shape.mayBeNear(s.shapes[i], t.limit) {
				continue
			}
			text := at(s.places[i])
			if d := spelling.Distance(t.latin, fold.Latin(text), t.limit+1); d <= t.limit {
				kind.text, kind.distance, kind.index = text, d, int(i)
				hits = append(hits, kind)
			}
		}
	}
	return hits
}

// occurrence is a label that has what was hit.
type occurrence struct {
	labels         *labels
	place          uint32 // of the label
	number         uint32 // of the record that has it
	label          string
	words, letters int
}

func (a occurrence) compare(b occurrence) int {
	return cmp.Or(cmp.Compare(a.words, b.words), cmp.Compare(a.letters, b.letters), strings.Compare(a.label, b.label), cmp.Compare(a.number, b.number))
}

// with gives the labels that have the text of hits and whose record did not change, in
// the order of [Index.Suggest], equal ones by record.
func (x *Index) with(hits []hit) iter.Seq[occurrence] {
	return func(yield func(occurrence) bool) {
		var heads []occurrence
		var rests []func() (occurrence, bool)
		for _, h := range hits {
			next := x.occurrences(h)
			if first, ok := next(); ok {
				heads, rests = append(heads, first), append(rests, next)
			}
		}
		for len(heads) > 0 {
			least := 0
			for i := range heads {
				if heads[i].compare(heads[least]) < 0 {
					least = i
				}
			}
			if !yield(heads[least]) {
				return
			}
			var ok bool
			if heads[least], ok = rests[least](); !ok {
				heads, rests = slices.Delete(heads, least, least+1), slices.Delete(rests, least, least+1)
			}
		}
	}
}

// occurrences returns a function that returns the labels of a hit, one after the other.
func (x *Index) occurrences(h hit) func() (occurrence, bool) {
	l := &h.of.labels
	places := l.having(h)
	return func() (occurrence, bool) {
		for len(places) > 0 {
			place := places[0]
			places = places[1:]
			number := l.recordAt(place)
			switch {
			case h.edited:
				number = x.numbers[number]
			case x.stale != nil && x.stale.Contains(number):
				continue
			}
			label := l.labelAt(place)
			return occurrence{l, place, number, label, 1 + strings.Count(label, " "), utf8.RuneCountInString(label)}, true
		}
		return occurrence{}, false
	}
}

// having returns the places of the labels of a hit, in order. They are shared and read only.
func (l *labels) having(h hit) []uint32 {
	if !h.whole {
		return l.near.labels.at(uint32(h.index))
	}
	places, _ := l.found(h.text + string(labelEnd))
	places = slices.DeleteFunc(slices.Clone(places), func(place uint32) bool { return !l.beginsLabel(place) })
	slices.Sort(places)
	return places
}

// labelOf returns the place of the label that a place is in.
func (l *labels) labelOf(place uint32) uint32 {
	return uint32(strings.LastIndexByte(l.text[:place], labelEnd) + 1)
}

// completes reports whether the other terms of a query are found in, or near to words
// of, a label, and adds how far they are.
func (l *labels) completes(q *misspelt, o occurrence, s *Suggestion) bool {
	for _, term := range q.exact {
		if !l.isIn(o.place, o.label, term) {
			return false
		}
	}
	for i := range q.near {
		if t := &q.near[i]; t != q.longest {
			d, near := t.nearestOf(o.label)
			if !near {
				return false
			}
			s.Distance += d
		}
	}
	return true
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

// has reports whether the label of a suggestion is there.
func (n *nearest) has(s Suggestion) bool {
	return slices.ContainsFunc(n.found, func(known Suggestion) bool { return known.Label == s.Label })
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
		cmp.Compare(a.Spare, b.Spare),
		cmp.Compare(a.letters, b.letters),
		cmp.Compare(a.Label, b.Label),
	)
}
