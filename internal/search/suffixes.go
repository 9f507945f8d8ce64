package search

import (
	"cmp"
	"encoding/binary"
	"iter"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"vitrine/internal/parallel"
)

// suffixes is a suffix array: the places in a text at which a term may begin, sorted by the text
// there up to the stop that ends a word or label. The places of a term are consecutive, so two
// binary searches find them. Places with equal texts are ascending.
//
// index/suffixarray of the standard library has a place for each byte, three for a Han character,
// and sorts on one processor.
type suffixes struct {
	places []uint32 // in the text
	heads  []uint32 // by the first two bytes: where in places their group starts; nil where places are few
}

const (
	// leastTerm is the minimum length in bytes of terms in the suffix array.
	leastTerm = 3
	// ordered is the number of bytes by which places are sorted. More would help only longer
	// terms, and sorting long similar words would be slow.
	ordered = 64
	// worthHeads is the number of places from which on a table of heads is used.
	worthHeads = 1 << 17
	// worthGroups is the length of a text from which on places are grouped before sorting: counting
	// 65,536 groups takes longer than sorting few places.
	worthGroups = 1 << 14
)

// newSuffixes returns the suffixes at ascending places. At least two bytes follow each place, and
// then a stop.
func newSuffixes(text string, at iter.Seq[int], stop byte) suffixes {
	if len(text) >= worthGroups {
		return groupedSuffixes(text, at, stop)
	}
	var places []uint32
	for place := range at {
		places = append(places, uint32(place))
	}
	s := sorter{text: text, stop: stop, free: make([]keyed, len(places))}
	s.sort(places, 0)
	return suffixes{places: slices.Clip(places)}
}

// groupedSuffixes is newSuffixes for long texts. It sorts groups of places in parallel.
func groupedSuffixes(text string, at iter.Seq[int], stop byte) suffixes {
	places, starts := byHead(text, at)
	shares := headShares(starts, parallel.SharesOf(len(places), 1<<14))
	parallel.Do(len(shares), func(share int) {
		s := sorter{text: text, stop: stop, free: make([]keyed, largestGroup(starts, shares[share]))}
		for head := shares[share].from; head < shares[share].to; head++ {
			s.sort(places[starts[head]:starts[head+1]], 2)
		}
	})
	if len(places) < worthHeads {
		starts = nil
	}
	return suffixes{places, starts}
}

// byHead returns all places, grouped by their first two bytes, and the start of each group. The
// last element is the end of the last group.
func byHead(text string, all iter.Seq[int]) (places, starts []uint32) {
	starts = make([]uint32, 1<<16+1)
	for at := range all {
		starts[headOf(text[at:])+1]++
	}
	for i := range 1 << 16 {
		starts[i+1] += starts[i]
	}
	next := slices.Clone(starts)
	places = make([]uint32, starts[1<<16])
	for at := range all {
		head := headOf(text[at:])
		places[next[head]] = uint32(at)
		next[head]++
	}
	return places, starts
}

// eachPlace yields the places at which a term may begin in a text of words, each followed by a
// space: the starts of code points at least leastTerm bytes before the end of their word. Shorter
// terms have lists.
func eachPlace(text string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := 0; at < len(text); {
			end := at + strings.IndexByte(text[at:], ' ')
			for ; at+leastTerm <= end; at++ {
				if utf8.RuneStart(text[at]) && !yield(at) {
					return
				}
			}
			at = end + 1
		}
	}
}

func headOf(s string) uint32 { return uint32(s[0])<<8 | uint32(s[1]) }

type headRange struct{ from, to int }

// headShares divides the groups of places into n shares of about equal size.
func headShares(starts []uint32, n int) []headRange {
	var shares []headRange
	total := int(starts[len(starts)-1])
	from := 0
	for share := range n {
		to := sort.Search(len(starts)-1, func(i int) bool { return int(starts[i]) >= total*(share+1)/n })
		if share == n-1 {
			to = len(starts) - 1
		}
		shares = append(shares, headRange{from, to})
		from = to
	}
	return shares
}

// largestGroup returns the size of the largest of some groups.
func largestGroup(starts []uint32, groups headRange) int {
	largest := uint32(0)
	for head := groups.from; head < groups.to; head++ {
		largest = max(largest, starts[head+1]-starts[head])
	}
	return int(largest)
}

// sorter sorts places by the words that begin there. It is not safe for
// concurrent use.
type sorter struct {
	text string
	stop byte
	free []keyed // memory for the largest call of sort
}

// keyed is a place with its next eight bytes; see [keyOf].
type keyed struct {
	key   uint64
	place uint32
}

// sort sorts places with the same first depth bytes.
func (s *sorter) sort(places []uint32, depth int) {
	if len(places) < 2 || depth >= ordered {
		return
	}
	keys, same := s.free[:len(places)], true
	for i, place := range places {
		keys[i] = keyed{keyOf(s.text[int(place)+depth:], s.stop), place}
		same = same && keys[i].key == keys[0].key
	}
	if same {
		if !holds(keys[0].key, s.stop) {
			s.sort(places, depth+8)
		}
		return
	}
	slices.SortFunc(keys, func(a, b keyed) int {
		if order := cmp.Compare(a.key, b.key); order != 0 {
			return order
		}
		return cmp.Compare(a.place, b.place)
	})
	for i, k := range keys {
		places[i] = k.place
	}
	s.sortTies(places, depth)
}

// sortTies sorts each run of places whose next eight bytes are equal too, unless a stop is within
// them.
func (s *sorter) sortTies(places []uint32, depth int) {
	for from := 0; from < len(places); {
		key := keyOf(s.text[int(places[from])+depth:], s.stop)
		to := from + 1
		for to < len(places) && keyOf(s.text[int(places[to])+depth:], s.stop) == key {
			to++
		}
		if to > from+1 && !holds(key, s.stop) {
			s.sort(places[from:to], depth+8)
		}
		from = to
	}
}

// keyOf returns the first eight bytes of s as a number, without the bytes after the first stop.
// The numbers are in the order of the bytes.
func keyOf(s string, stop byte) uint64 {
	var first [8]byte
	if len(s) >= len(first) {
		copy(first[:], s[:8])
	} else {
		copy(first[:], s)
	}
	key := binary.BigEndian.Uint64(first[:])
	if stops := those(key, stop); stops != 0 {
		key &= ^uint64(0) << (56 - bits.LeadingZeros64(stops))
	}
	return key
}

// holds reports whether one of eight bytes is c.
func holds(key uint64, c byte) bool { return those(key, c) != 0 }

// those returns eight bytes: 0x80 for each byte of key that is c, else 0.
func those(key uint64, c byte) uint64 {
	const lows, low7 = 0x0101010101010101, 0x7F7F7F7F7F7F7F7F
	x := key ^ lows*uint64(c)
	return ^((x&low7 + low7) | x | low7)
}

// find returns the range of places at which a term begins. The term has at least one byte; of a
// term longer than [ordered], only its beginning counts. A stop may only be its last byte.
func (x *suffixes) find(text, term string) (from, to int) {
	to = len(x.places)
	if x.heads != nil {
		from, to = x.group(term)
	}
	start := term[:min(len(term), ordered)]
	begins := func(i int) string {
		place := int(x.places[from+i])
		return text[place:min(len(text), place+len(start))]
	}
	first := sort.Search(to-from, func(i int) bool { return begins(i) >= start })
	past := first + sort.Search(to-from-first, func(i int) bool { return begins(first+i) > start })
	return from + first, from + past
}

// group returns the range of the places with the first two bytes of a term, or its only one.
func (x *suffixes) group(term string) (from, to int) {
	if len(term) == 1 {
		head := int(term[0]) << 8
		return int(x.heads[head]), int(x.heads[head+1<<8])
	}
	head := headOf(term)
	return int(x.heads[head]), int(x.heads[head+1])
}

// occurrences returns the places at which a term begins (see find). They are shared and must not
// be modified.
func (x *suffixes) occurrences(text, term string) []uint32 {
	from, to := x.find(text, term)
	places := x.places[from:to]
	if len(term) <= ordered {
		return places
	}
	return slices.DeleteFunc(slices.Clone(places), func(place uint32) bool { return !strings.HasPrefix(text[place:], term) })
}
