package search

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFinder(t *testing.T) {
	words := rapid.OneOf(
		rapid.StringOfN(rapid.SampledFrom([]rune("ab")), 0, 40, -1),
		rapid.StringOfN(rapid.SampledFrom([]rune("の人個見意は")), 0, 40, -1),
		rapid.StringOfN(rapid.SampledFrom([]rune("aの\x00é🚀")), 0, 900, -1),
	)
	rapid.Check(t, func(t *rapid.T) {
		word, term := words.Draw(t, "word"), words.Draw(t, "term")
		if rapid.Bool().Draw(t, "part") {
			from := rapid.IntRange(0, len(word)).Draw(t, "from")
			term = word[from:rapid.IntRange(from, len(word)).Draw(t, "to")]
		}
		f := newFinder(term)
		if got, want := f.in(word), strings.Contains(word, term); got != want {
			t.Errorf("%q in %q: %t, want %t", term, word, got, want)
		}
	})
}
