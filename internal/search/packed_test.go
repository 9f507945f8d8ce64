package search

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPackWords compares the unpacked words of records with the packed ones, up to the largest numbers.
func TestPackWords(t *testing.T) {
	parts := randomParts(rand.New(rand.NewPCG(3, 4)), 500, 1<<30)
	parts[0].all = append(parts[0].all, 0, flags, 1<<30-1, 1<<30-1|flags, 31, 32, 32|glued)
	parts[0].ends = append(parts[0].ends, uint32(len(parts[0].all)))
	p := packWords(parts)
	record := uint32(0)
	for _, part := range parts {
		for i := range part.ends {
			if got, want := p.words(nil, record), part.at(uint32(i)); !slices.Equal(got, want) {
				t.Fatalf("record %d has the words %x, want %x", record, got, want)
			}
			record++
		}
	}
	if len(p.ends) != int(record) || len(p.bytes) != cap(p.bytes) {
		t.Errorf("%d lists of %d records, with %d bytes of %d", len(p.ends), record, len(p.bytes), cap(p.bytes))
	}
}

// randomParts returns the words of records in two parts. Words with a low number are more frequent.
func randomParts(r *rand.Rand, records, words int) []lists {
	parts := make([]lists, 2)
	for record := range records {
		part := &parts[min(1, record*3/records)]
		for range r.IntN(20) {
			word := uint32(min(r.IntN(words), r.IntN(words), r.IntN(words)))
			part.all = append(part.all, word|r.Uint32()&flags)
		}
		part.ends = append(part.ends, uint32(len(part.all)))
	}
	return parts
}
