package search

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine/internal/fold"
	"vitrine/internal/spelling"
)

// nearText is a word, or a whole label, near to a term.
type nearText struct {
	text     string
	distance int
	whole    bool
	of       *body
	edited   bool // of edited records
	index    int  // in near.words or near.wholes
}

// compare orders near texts, nearest first. It returns 0 for equal texts.
func (a nearText) compare(b nearText) int {
	switch {
	case a.distance == b.distance && a.whole && !b.whole:
		return -1
	case a.distance == b.distance && b.whole && !a.whole:
		return 1
	}
	return cmp.Or(cmp.Compare(a.distance, b.distance), strings.Compare(a.text, b.text))
}

// nearTexts yields the texts near to a term, nearest first, with equal texts together. So a label
// comes first with its nearest text, and as a whole, without spare words, before single words.
func (x *Index) nearTexts(t *nearTerm, whole bool) iter.Seq[[]nearText] {
	var all []nearText
	for i, b := range x.bodies() {
		if whole {
			all = b.labels.near.wholes.near(t, b.labels.labelAt, nearText{whole: true, of: b, edited: i > 0}, all)
		}
		all = b.labels.near.words.near(t, b.labels.wordAt, nearText{of: b, edited: i > 0}, all)
	}
	slices.SortStableFunc(all, nearText.compare)
	return func(yield func([]nearText) bool) {
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

// near appends the texts near to a term, with the other fields of kind.
func (s *shaped) near(t *nearTerm, at func(uint32) string, kind nearText, nearTexts []nearText) []nearText {
	n := int(t.shape >> letterBits)
	for _, indexes := range s.byLetters[max(0, n-t.limit) : min(maxLetters, n+t.limit)+1] {
		for _, i := range indexes {
			if !t.shape.mayBeNear(s.shapes[i], t.limit) {
				continue
			}
			text := at(s.places[i])
			if d := spelling.Distance(t.latin, fold.Latin(text), t.limit+1); d <= t.limit {
				kind.text, kind.distance, kind.index = text, d, int(i)
				nearTexts = append(nearTexts, kind)
			}
		}
	}
	return nearTexts
}

// occurrence is a label with a near text.
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

// with yields the labels with a near text and an unchanged record, in the order of
// [Index.Suggest], equal ones by record.
func (x *Index) with(nearTexts []nearText) iter.Seq[occurrence] {
	return func(yield func(occurrence) bool) {
		var heads []occurrence
		var rests []func() (occurrence, bool)
		for _, h := range nearTexts {
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

// occurrences returns a function that returns the labels with a near text, one per call.
func (x *Index) occurrences(h nearText) func() (occurrence, bool) {
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

// having returns the places of the labels with a near text, ascending. They are shared and must
// not be modified.
func (l *labels) having(h nearText) []uint32 {
	if !h.whole {
		return l.near.labels.at(uint32(h.index))
	}
	places, _ := l.beginningAt(h.text + string(labelEnd))
	places = slices.DeleteFunc(slices.Clone(places), func(place uint32) bool { return !l.beginsLabel(place) })
	slices.Sort(places)
	return places
}
