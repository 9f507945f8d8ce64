package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// placesOf returns the places at which a term begins, by a linear scan.
func placesOf(text, term string) []uint32 {
	var places []uint32
	for at := range len(text) {
		if strings.HasPrefix(text[at:], term) && utf8.RuneStart(text[at]) {
			places = append(places, uint32(at))
		}
	}
	return places
}

func checkPlaces(t interface{ Errorf(string, ...any) }, x suffixes, text, term string) {
	got := slices.Sorted(slices.Values(x.occurrences(text, term)))
	if want := placesOf(text, term); !slices.Equal(want, got) {
		t.Errorf("%.80q in %.200q: %s", term, text, cmp.Diff(want, got))
	}
}

func TestSuffixesAreAllPlaces(t *testing.T) {
	word := rapid.StringOfN(rapid.SampledFrom([]rune("aab\x00é太🚀")), 1, 30, -1)
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(word, 0, 20).Draw(t, "words")
		text := strings.Join(append(words, ""), " ")
		x, grouped := newSuffixes(text, eachPlace(text), ' '), groupedSuffixes(text, eachPlace(text), ' ')
		for range 20 {
			if term := rapid.OneOf(word, rapid.Map(word, func(w string) string { return w[:min(len(w), 4)] })).Draw(t, "term"); len(term) >= leastTerm {
				checkPlaces(t, x, text, term)
				checkPlaces(t, grouped, text, term)
			}
		}
	})
}

// TestLongTerms checks terms and words with a common beginning longer than the sorted prefix.
func TestLongTerms(t *testing.T) {
	long := strings.Repeat("太a", ordered)
	text := long + "b " + long + "c " + long[3:] + "b a" + long + " "
	for _, term := range []string{long, long + "b", long + "c", long + "d", long[:ordered], long[:ordered+2], long[4:] + "b", "a" + long, "aab"} {
		checkPlaces(t, newSuffixes(text, eachPlace(text), ' '), text, term)
		checkPlaces(t, groupedSuffixes(text, eachPlace(text), ' '), text, term)
	}
}

// TestManyPlaces checks so many places that a table of heads is used.
func TestManyPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var words []string
	for i := range 30_000 {
		words = append(words, fmt.Sprintf("%s%d", randomWord(rng), i))
	}
	text := strings.Join(append(words, ""), " ")
	x := newSuffixes(text, eachPlace(text), ' ')
	if x.heads == nil {
		t.Fatalf("%d places have no table", len(x.places))
	}
	for _, term := range []string{"cha", words[7], words[29_999], words[7][:4], "zzz", "\x00aa", "\xff\xff\xff", "nette", "999"} {
		checkPlaces(t, x, text, term)
	}
}

func TestWordOf(t *testing.T) {
	all := []string{"a", strings.Repeat("b", 3*blockSize), "cc", "ddd", strings.Repeat("e", blockSize-1), "f"}
	w := newWords(all, nil)
	for number, word := range all {
		if got := w.word(uint32(number)); got != word {
			t.Errorf("word %d is %q, want %q", number, got, word)
		}
		for at := range len(word) {
			place := w.ends[number] - uint32(len(word)) + uint32(at)
			if got := w.wordOf(place); got != uint32(number) {
				t.Errorf("place %d is of word %d, want %d", place, got, number)
			}
		}
	}
}

func TestCut(t *testing.T) {
	tests := []struct {
		word string
		want []string
	}{
		{"vitalik.eth", []string{"vitalik.eth"}},
		{"https://example.org/,?", []string{"https://example.org/,?"}},
		{"大阪の工房です。毎週、更新。", []string{"大阪の工房です。", "毎週、", "更新。"}},
		{"位于大阪,成立!", []string{"位于大阪,", "成立!"}},
		{"a,b,大", []string{"a,b,", "大"}},
		{"、、", []string{"、", "、"}},
		{"no.é", []string{"no.", "é"}},
		{"ち。", []string{"ち。"}},
		{"", nil},
	}
	for _, tt := range tests {
		var got []string
		for rest := tt.word; rest != ""; {
			size := cut(rest)
			got = append(got, rest[:size])
			rest = rest[size:]
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.word, diff)
		}
	}
}
