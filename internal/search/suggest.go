package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/fold"
	"vitrine/internal/spelling"
)

// Suggestion is a label that a query may mean.
type Suggestion struct {
	Label    string // folded
	Distance int    // sum of the distances of the terms from its words
	Spare    int    // words of the label without a term

	letters int // code points of the label
}

// Bounds of the cost of a suggestion, for any query and labels.
const (
	maxMisspelt = 8    // terms; a longer query has no suggestions
	maxLooked   = 2000 // labels with a near word, in the order of [Index.Suggest]
)

// Suggest returns up to n labels that a query of terms may mean, nearest first. Among equally
// near ones, the label with the fewest words without a term comes first, then the shortest, then
// the order of code points decides. accept filters: a label counts if accept is true for a record
// that has it; nil accepts all.
//
// Each term must be near to a word of the label or, if it is the only one, to the whole label: at
// a distance of one, or two for nine letters and more (see [spelling.Distance]). Letters that
// look like Latin ones count as these (see [fold.Latin]). Terms with fewer than five letters, a
// digit, or a letter of Han or kana must be in the label unchanged. If all terms are like this,
// there are no suggestions. IDs are never suggested.
//
// If very many labels share a near word, only the first 2,000 in this order are considered.
func (x *Index) Suggest(terms []string, n int, accept func(label string, number uint32) bool) []Suggestion {
	q := meant(terms)
	if q.longest == nil || n <= 0 || len(terms) > maxMisspelt {
		return nil
	}
	best := nearest{most: n}
	looked := 0
	for nearTexts := range x.nearTexts(q.longest, q.terms() == 1) {
		distance, whole := nearTexts[0].distance, nearTexts[0].whole
		if worst, full := best.worst(); full && distance > worst.Distance {
			break
		}
		for o := range x.with(nearTexts) {
			if looked++; looked > maxLooked {
				return best.suggestions
			}
			s := Suggestion{Label: o.label, Distance: distance, letters: o.letters}
			if !whole {
				s.Spare = max(0, o.words-q.terms())
			}
			if worst, full := best.worst(); full && s.Compare(worst) > 0 {
				break // the rest is worse, and further terms only add to the distance
			}
			if !best.has(s) && (accept == nil || accept(o.label, o.number)) && o.labels.completes(&q, o, &s) {
				best.add(s)
			}
		}
	}
	return best.suggestions
}

// Near returns the words of labels nearest to a term, with whole also entire labels, in the order
// of code points, and their distance; see [Index.Suggest]. Only the records in within count, nil
// for all. A term that must be exact has none.
func (x *Index) Near(term string, whole bool, within *roaring.Bitmap) (texts []string, distance int) {
	q := meant([]string{term})
	if q.longest == nil {
		return nil, 0
	}
	for nearTexts := range x.nearTexts(q.longest, whole) {
		if len(texts) > 0 && nearTexts[0].distance > distance {
			break
		}
		for o := range x.with(nearTexts) {
			if within == nil || within.Contains(o.number) {
				distance = nearTexts[0].distance
				texts = append(texts, strings.Clone(nearTexts[0].text))
				break
			}
		}
	}
	slices.Sort(texts)
	return slices.Compact(texts), distance
}

// misspelt is a query that may be misspelt.
type misspelt struct {
	near    []nearTerm
	exact   []string // must be in the label unchanged
	longest *nearTerm
}

func (q *misspelt) terms() int { return len(q.near) + len(q.exact) }

// nearTerm is a term with near words.
type nearTerm struct {
	latin string // see [fold.Latin]
	shape shape
	limit int // maximum distance of a near word
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

// nearLimit returns the maximum distance between a term and a near word, 0 for none.
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

// leastNear is the number of letters of the shortest terms with near words. Reading them as Latin
// letters does not make them fewer.
const leastNear = 5

// completes reports whether a label has the other terms of a query, or words near to them, and
// adds their distances.
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

// nearestOf returns the distance of the nearest word of a label, and whether one is near.
func (t *nearTerm) nearestOf(label string) (distance int, ok bool) {
	least := t.limit + 1
	for word := range strings.SplitSeq(label, " ") {
		if word = fold.Latin(word); t.shape.mayBeNear(shapeOf(word), t.limit) {
			least = min(least, spelling.Distance(t.latin, word, least))
		}
	}
	return least, least <= t.limit
}

// isIn reports whether a term is in the label at a place.
func (l *labels) isIn(place uint32, label, term string) bool {
	if fold.Anywhere(term) {
		return strings.Contains(label, term)
	}
	if text, odd := l.oddAt(place); odd {
		return beginsWord(text, term)
	}
	return l.hasWord(int(place), label, term, false)
}

// nearest has the best suggestions added so far, in order.
type nearest struct {
	most        int // at least one
	suggestions []Suggestion
}

// worst returns the last suggestion. full is false if there is room for more.
func (n *nearest) worst() (s Suggestion, full bool) {
	if len(n.suggestions) < n.most {
		return s, false
	}
	return n.suggestions[n.most-1], true
}

// has reports whether the label of a suggestion was added.
func (n *nearest) has(s Suggestion) bool {
	return slices.ContainsFunc(n.suggestions, func(known Suggestion) bool { return known.Label == s.Label })
}

func (n *nearest) add(s Suggestion) {
	at, _ := slices.BinarySearchFunc(n.suggestions, s, Suggestion.Compare)
	if at < n.most {
		s.Label = strings.Clone(s.Label) // otherwise it would keep the index in memory
		n.suggestions = slices.Insert(n.suggestions, at, s)
		n.suggestions = n.suggestions[:min(len(n.suggestions), n.most)]
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
