package search

import (
	"bytes"
	"iter"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/fold"
	"vitrine/internal/parallel"
)

// labels has the folded labels and ids of all records, and the places at which they and their
// words begin, sorted by the text at the place. So binary searches locate what begins with a term
// or equals it, as in [words].
type labels struct {
	text   string   // by record, a line feed after each; an id has a tab before it
	ends   []uint32 // by record: where its labels end in text
	starts bitset   // by place in text: a word starts there
	bounds bitset   // by place in text: a word may end before it
	odd    []oddLabel
	near   nearby

	suffixes suffixes // where a label, an id with its tab, a word, or what follows a space begins
	records  []uint32 // by index in suffixes.places
}

// oddLabel is a label without bounds in its folded text (see [fold.Bounds]). It is compared
// directly. Few labels are odd.
type oddLabel struct {
	place  uint32 // in labels.text
	record uint32
	text   string // not folded
}

// Neither is in a folded text, whose only white space is U+0020.
const (
	labelEnd = '\n'
	idMark   = '\t'
)

// labelBuilder has the labels of a range of records.
type labelBuilder struct {
	text   []byte
	ends   []uint32
	starts []uint32 // places in text, ascending
	bounds []uint32 // places in text, ascending
	odd    []oddLabel
	known  []knownLabel // of the record that is added
}

type knownLabel struct {
	folded         string
	starts, bounds []int // in folded
}

func (b *labelBuilder) addRecord(d Document) {
	b.known = b.known[:0]
	for i, label := range d.Labels {
		if !slices.Contains(d.Labels[:i], label) {
			b.addLabel(label)
		}
	}
	begin := len(b.text)
	for _, id := range d.IDs {
		line := string(idMark) + fold.Text(id) + string(labelEnd)
		if len(line) > 2 && !bytes.Contains(b.text[begin:], []byte(line)) {
			b.text = append(b.text, line...)
		}
	}
	b.ends = append(b.ends, uint32(len(b.text)))
}

func (b *labelBuilder) addLabel(label string) {
	folded, starts, bounds, ok := fold.Bounds(label)
	place := uint32(len(b.text))
	if !ok {
		folded, starts, bounds = fold.Text(label), nil, nil
	}
	switch {
	case folded == "":
		return
	case !ok:
		b.odd = append(b.odd, oddLabel{place, uint32(len(b.ends)), label})
	case b.isKnown(folded, starts, bounds):
		return
	}
	for _, start := range starts {
		b.starts = append(b.starts, place+uint32(start))
	}
	for _, bound := range bounds {
		b.bounds = append(b.bounds, place+uint32(bound))
	}
	b.text = append(append(b.text, folded...), labelEnd)
}

// isKnown reports whether another label of the record matches whenever this one does: a handle is
// often the name in lower case.
func (b *labelBuilder) isKnown(folded string, starts, bounds []int) bool {
	for _, k := range b.known {
		if k.folded == folded && isSubset(starts, k.starts) && isSubset(bounds, k.bounds) {
			return true
		}
	}
	b.known = append(b.known, knownLabel{folded, starts, bounds})
	return false
}

// isSubset reports whether some is a subset of all. Both are ascending.
func isSubset(some, all []int) bool {
	for _, n := range some {
		if _, ok := slices.BinarySearch(all, n); !ok {
			return false
		}
	}
	return true
}

// joinLabels joins the labels of builders with consecutive ranges of records.
func joinLabels(builders []*builder) labels {
	var l labels
	size, records := 0, 0
	for _, b := range builders {
		size += len(b.labels.text)
		records += len(b.labels.ends)
	}
	if size > math.MaxUint32-1 {
		panic("search: the labels of all records exceed 4 GiB")
	}
	l.starts, l.bounds = newBitset(size), newBitset(size)
	l.ends = make([]uint32, 0, records)
	var text strings.Builder
	text.Grow(size)
	for _, part := range builders {
		before, record := uint32(text.Len()), uint32(len(l.ends))
		b := &part.labels
		for _, o := range b.odd {
			l.odd = append(l.odd, oddLabel{before + o.place, record + o.record, o.text})
		}
		for _, place := range b.starts {
			l.starts.set(before + place)
		}
		for _, place := range b.bounds {
			l.bounds.set(before + place)
		}
		for _, end := range b.ends {
			l.ends = append(l.ends, before+end)
		}
		text.Write(b.text)
		part.labels = labelBuilder{}
	}
	l.text = text.String()
	l.suffixes = newSuffixes(l.text, l.places(), labelEnd)
	l.records = make([]uint32, len(l.suffixes.places))
	parallel.Shares(len(l.records), 1<<14, func(_, from, to int) {
		for i := from; i < to; i++ {
			l.records[i] = l.recordAt(l.suffixes.places[i])
		}
	})
	l.near = newNearby(&l)
	return l
}

// places yields the places of the suffixes in order.
func (l *labels) places() iter.Seq[int] {
	return func(yield func(int) bool) {
		begins, id := true, false
		for at := range len(l.text) {
			if begins {
				id = l.text[at] == idMark
			}
			if (begins || !id && (l.text[at-1] == ' ' || l.starts.has(uint32(at)))) && !yield(at) {
				return
			}
			begins = l.text[at] == labelEnd
		}
	}
}

// recordAt returns the record that has the label at a place.
func (l *labels) recordAt(place uint32) uint32 {
	return uint32(sort.Search(len(l.ends), func(i int) bool { return l.ends[i] > place }))
}

// beginningAt returns the places at which a term begins (see [suffixes.find]), and the record of
// each. The results are shared and must not be modified.
func (l *labels) beginningAt(term string) (places, records []uint32) {
	from, to := l.suffixes.find(l.text, term)
	places, records = l.suffixes.places[from:to], l.records[from:to]
	if len(term) <= ordered {
		return places, records
	}
	var exact, of []uint32
	for i, place := range places {
		if strings.HasPrefix(l.text[place:], term) {
			exact, of = append(exact, place), append(of, records[i])
		}
	}
	return exact, of
}

// count returns the approximate number of words that begin with a term.
func (l *labels) count(term string) int {
	from, to := l.suffixes.find(l.text, term)
	return to - from
}

// ids returns the records that have an id, ascending. They are shared and read only.
func (l *labels) ids(id string) []uint32 {
	_, records := l.beginningAt(string(idMark) + id + string(labelEnd))
	return records
}

// named returns the records with a phrase as a label or an id.
func (l *labels) named(phrase string) *roaring.Bitmap {
	named := slices.Clone(l.ids(phrase))
	places, records := l.beginningAt(phrase + string(labelEnd))
	for i, place := range places {
		if l.beginsLabel(place) {
			named = append(named, records[i])
		}
	}
	return fewOf(named)
}

func (l *labels) beginsLabel(place uint32) bool { return place == 0 || l.text[place-1] == labelEnd }

// beginning returns the records that have a label in which a word begins with a term.
func (l *labels) beginning(term string) *roaring.Bitmap {
	matches := l.regular(term, false)
	matches.Or(l.oddWith([]string{term}, false))
	return matches
}

// regular returns the records with a regular label in which a word begins with a term or, with
// whole, equals it.
func (l *labels) regular(term string, whole bool) *roaring.Bitmap {
	places, records := l.beginningAt(term)
	matches := func(place uint32) bool {
		return l.starts.has(place) && (!whole || l.bounds.has(place+uint32(len(term))))
	}
	if len(places) < len(l.ends)/32 {
		var few []uint32
		for i, place := range places {
			if matches(place) {
				few = append(few, records[i])
			}
		}
		return fewOf(few)
	}
	many := newBitset(len(l.ends))
	for i, place := range places {
		if matches(place) {
			many.set(records[i])
		}
	}
	return roaring.FromDense(many, false)
}

// regularAll returns the records with a regular label in which, for each of terms, a word begins
// with it or, with whole, equals it. It begins with the term that the fewest words begin with.
func (l *labels) regularAll(terms []string, whole bool) *roaring.Bitmap {
	if len(terms) == 1 {
		return l.regular(terms[0], whole)
	}
	counts := make(map[string]int, len(terms))
	for _, term := range terms {
		counts[term] = l.count(term)
	}
	terms = slices.Clone(terms)
	slices.SortStableFunc(terms, func(a, b string) int { return counts[a] - counts[b] })
	among := l.regular(terms[0], whole)
	for _, term := range terms[1:] {
		const worthReading = 32 // places can be examined in the time of reading the labels of a record
		if counts[term] < worthReading*int(among.GetCardinality()) {
			among.And(l.regular(term, whole))
		}
	}
	var matches []uint32
	for it := among.Iterator(); it.HasNext(); {
		if record := it.Next(); l.hasAll(record, terms, whole) {
			matches = append(matches, record)
		}
	}
	return roaring.BitmapOf(matches...)
}

// hasAll reports whether regularAll would return a record.
func (l *labels) hasAll(record uint32, terms []string, whole bool) bool {
	for place, label := range l.of(record) {
		if !slices.ContainsFunc(terms, func(term string) bool { return !l.hasWord(place, label, term, whole) }) {
			return true
		}
	}
	return false
}

// of yields the labels of a record except ids, each with its place.
func (l *labels) of(record uint32) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		place := 0
		if record > 0 {
			place = int(l.ends[record-1])
		}
		for label := range strings.SplitAfterSeq(l.text[place:l.ends[record]], string(labelEnd)) {
			if label != "" && label[0] != idMark && !yield(place, label[:len(label)-1]) {
				return
			}
			place += len(label)
		}
	}
}

// hasWord reports whether a word of a regular label begins with a term or, with whole, equals it.
func (l *labels) hasWord(place int, label, term string, whole bool) bool {
	for from := 0; ; from++ {
		i := strings.Index(label[from:], term)
		if i < 0 {
			return false
		}
		from += i
		if at := uint32(place + from); l.starts.has(at) && (!whole || l.bounds.has(at+uint32(len(term)))) {
			return true
		}
	}
}

// beginsWord reports whether a record has a label in which a word begins with a term.
func (l *labels) beginsWord(record uint32, term string) bool {
	if l.hasAll(record, []string{term}, false) {
		return true
	}
	first := sort.Search(len(l.odd), func(i int) bool { return l.odd[i].record >= record })
	for _, o := range l.odd[first:] {
		if o.record != record {
			break
		}
		if beginsWord(o.text, term) {
			return true
		}
	}
	return false
}

// oddWith returns the records with an odd label in which, for each of terms, a word begins with
// it or, with whole, equals it.
func (l *labels) oddWith(terms []string, whole bool) *roaring.Bitmap {
	matches := roaring.New()
	for _, o := range l.odd {
		if allIn(o.text, terms, whole) {
			matches.Add(o.record)
		}
	}
	return matches
}

// oddAt returns the odd label at a place as written, and whether there is one.
func (l *labels) oddAt(place uint32) (string, bool) {
	i := sort.Search(len(l.odd), func(i int) bool { return l.odd[i].place >= place })
	if i == len(l.odd) || l.odd[i].place != place {
		return "", false
	}
	return l.odd[i].text, true
}
