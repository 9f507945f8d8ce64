package search

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"vitrine/internal/parallel"
)

// suffixes is a suffix array: all places in the text of the words at which a term
// may begin, sorted by what stands there. The places of one term are next to each
// other, so two binary searches find all of them.
//
// A place is where a code point begins, at least leastTerm bytes before the end of
// its word; for shorter terms there are lists.
//
// index/suffixarray of the standard library has a place for every byte, three for
// a character of Han, and sorts on one processor.
type suffixes struct {
	places []uint32 // in words.text
	heads  []uint32 // by the first two bytes: where in places their group starts; nil where places are few
}

const (
	// leastTerm is the length in bytes of the shortest terms that are looked for here.
	leastTerm = 3
	// ordered is by how many bytes places are sorted. More would help only longer
	// terms, and long words that are nearly the same would take long to sort.
	ordered = 64
	// worthHeads is the number of places from which on there is a table of heads.
	worthHeads = 1 << 17
)

// newSuffixes returns the suffixes of words, each of which is followed by a space
// in text.
func newSuffixes(text string) suffixes {
	places, starts := byHead(text)
	shares := headShares(starts, parallel.SharesOf(len(places), 1<<14))
	parallel.Do(len(shares), func(share int) {
		s := sorter{text: text, free: make([]keyed, largestGroup(starts, shares[share]))}
		for head := shares[share].from; head < shares[share].to; head++ {
			s.sort(places[starts[head]:starts[head+1]], 2)
		}
	})
	if len(places) < worthHeads {
		starts = nil
	}
	return suffixes{places, starts}
}

// byHead returns all places, grouped by the first two bytes that stand there, and
// where each group starts; the last element is where the last group ends.
func byHead(text string) (places, starts []uint32) {
	starts = make([]uint32, 1<<16+1)
	for at := range eachPlace(text) {
		starts[headOf(text[at:])+1]++
	}
	for i := range 1 << 16 {
		starts[i+1] += starts[i]
	}
	next := slices.Clone(starts)
	places = make([]uint32, starts[1<<16])
	for at := range eachPlace(text) {
		head := headOf(text[at:])
		places[next[head]] = uint32(at)
		next[head]++
	}
	return places, starts
}

// eachPlace gives the places of a text of words, in their order.
func eachPlace(text string) func(yield func(int) bool) {
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

// headShares divides the groups of places into n shares with about equal numbers of
// places.
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

// largestGroup returns how many places the largest of some groups has.
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
	free []keyed // memory for the largest call of sort
}

// keyed is a place with the next eight bytes that stand there; see [keyOf].
type keyed struct {
	key   uint64
	place uint32
}

// sort sorts places at which the first depth bytes are the same.
func (s *sorter) sort(places []uint32, depth int) {
	if len(places) < 2 || depth >= ordered {
		return
	}
	keys, same := s.free[:len(places)], true
	for i, place := range places {
		keys[i] = keyed{keyOf(s.text[int(place)+depth:]), place}
		same = same && keys[i].key == keys[0].key
	}
	if same {
		if !endsWord(keys[0].key) {
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

// sortTies sorts each run of places at which the next eight bytes are the same as
// well, unless a word ends within them.
func (s *sorter) sortTies(places []uint32, depth int) {
	for from := 0; from < len(places); {
		key := keyOf(s.text[int(places[from])+depth:])
		to := from + 1
		for to < len(places) && keyOf(s.text[int(places[to])+depth:]) == key {
			to++
		}
		if to > from+1 && !endsWord(key) {
			s.sort(places[from:to], depth+8)
		}
		from = to
	}
}

// keyOf returns the first eight bytes of s, without what stands behind the first
// space, as a number. The numbers are in the order of the bytes.
func keyOf(s string) uint64 {
	var first [8]byte
	if len(s) >= len(first) {
		copy(first[:], s[:8])
	} else {
		copy(first[:], s)
	}
	key := binary.BigEndian.Uint64(first[:])
	if space := spaces(key); space != 0 {
		key &= ^uint64(0) << (56 - bits.LeadingZeros64(space))
	}
	return key
}

// endsWord reports whether one of eight bytes is a space.
func endsWord(key uint64) bool { return spaces(key) != 0 }

// spaces returns eight bytes: 0x80 for each byte of key that is a space, else 0.
func spaces(key uint64) uint64 {
	const lows, low7 = 0x0101010101010101, 0x7F7F7F7F7F7F7F7F
	x := key ^ lows*' '
	return ^((x&low7 + low7) | x | low7)
}

// occurrences returns the places at which a term of leastTerm bytes or more begins.
// They are shared and read only.
func (x *suffixes) occurrences(text, term string) []uint32 {
	places := x.places
	if x.heads != nil {
		head := headOf(term)
		places = places[x.heads[head]:x.heads[head+1]]
	}
	start := term[:min(len(term), ordered)]
	begins := func(place uint32) string { return text[place:min(len(text), int(place)+len(start))] }
	from := sort.Search(len(places), func(i int) bool { return begins(places[i]) >= start })
	places = places[from:]
	to := sort.Search(len(places), func(i int) bool { return begins(places[i]) > start })
	places = places[:to]
	if len(term) <= ordered {
		return places
	}
	return slices.DeleteFunc(slices.Clone(places), func(place uint32) bool { return !strings.HasPrefix(text[place:], term) })
}
