package search

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestInvert compares the records of each word with a search through the words of all records. Some words
// are frequent, some have labels in some records, and a record may have a word twice.
func TestInvert(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, records := range []int{0, 1, 63, 64, 65, 2000} {
		const words = 300
		parts := randomParts(r, records, words)
		lists := invert(parts, words)
		for word := range uint32(words) {
			for _, in := range []scope{everywhere, inLabels} {
				want := recordsWith(parts, word, in)
				if got := lists.of([]uint32{word}, in); !slices.Equal(got, want) {
					t.Fatalf("%d records: word %d in %d has the records %v, want %v", records, word, in, got, want)
				}
				set := newBitset(records)
				lists.addTo(set, []uint32{word}, in)
				if got := set.appendTo(nil); !slices.Equal(got, want) {
					t.Fatalf("%d records: word %d in %d adds the records %v, want %v", records, word, in, got, want)
				}
			}
		}
		if frequent := len(lists.many) > 0; frequent != (records == 2000) {
			t.Errorf("%d records: there are frequent words: %t", records, frequent)
		}
	}
}

func recordsWith(parts []lists, word uint32, in scope) []uint32 {
	var records []uint32
	record := uint32(0)
	for _, part := range parts {
		for i := range part.ends {
			words := part.at(uint32(i))
			if at := slices.IndexFunc(words, func(w uint32) bool { return w&^flags == word }); at >= 0 && in.has(words[at]) {
				records = append(records, record)
			}
			record++
		}
	}
	return records
}
