package search

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine/internal/fold"
	"vitrine/internal/parallel"
)

// shape is a quick filter for near words: 26 bits for the letters of a word, and above them their
// number, at most maxLetters.
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

// mayBeNear reports whether limit edits may transform words of these shapes into each other: an
// edit adds or removes at most one letter, and at most one kind of letter each.
func (s shape) mayBeNear(other shape, limit int) bool {
	const letters = 1<<letterBits - 1
	n := int(s>>letterBits) - int(other>>letterBits)
	return -limit <= n && n <= limit && bits.OnesCount32(uint32((s^other)&letters)) <= 2*limit
}

// nearby has the distinct words of labels, and the labels of several words, by shape. Words too
// short to be near to a term are left out.
type nearby struct {
	words, wholes shaped
	labels        lists // by index in words: the places of the labels with the word; see labelOrder
}

// shaped has words or labels, each by one of its places in labels.text.
type shaped struct {
	places []uint32
	shapes []shape // by index in places

	byLetters [maxLetters + 1][]uint32 // indexes in places, by the number of letters
}

// index groups the added words by their number of letters.
func (s *shaped) index() {
	for i, of := range s.shapes {
		n := of >> letterBits
		s.byLetters[n] = append(s.byLetters[n], uint32(i))
	}
	for n := range s.byLetters {
		s.byLetters[n] = exact(s.byLetters[n])
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
	joined.labels = lists{ends: exact(joined.labels.ends), all: exact(joined.labels.all)}
	return joined
}

// add adds the word or label at a place. Equal words are mostly consecutive; a word that was
// added twice has two lists.
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

// sort sorts the labels of each word. A label that has the word twice is listed twice.
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

// labelOrder is the order in which the labels of a word are suggested: by number of words, then
// length, then code points, then place.
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

// add adds a word unless it is short or equal to the last one, and reports whether it did.
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

func (s *shaped) clip() { s.places, s.shapes = exact(s.places), exact(s.shapes) }

// exact returns a copy without spare capacity of a slice that stays in memory.
func exact[E any](s []E) []E { return append(make([]E, 0, len(s)), s...) }

// beginsNear reports whether a label, or a part of one after a space, begins at one of the places
// of suffixes.
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

// labelOf returns the place of the label that contains a place.
func (l *labels) labelOf(place uint32) uint32 {
	return uint32(strings.LastIndexByte(l.text[:place], labelEnd) + 1)
}
