package spelling_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vitrine/internal/spelling"
)

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b  string
		limit int
		want  int
	}{
		{"", "", 3, 0},
		{"", "", 0, 0},
		{"", "abc", 5, 3},
		{"abc", "", 3, 3},
		{"name", "name", 1, 0},
		{"name", "nmae", 3, 1}, // swapped
		{"name", "nam", 3, 1},
		{"name", "names", 3, 1},
		{"name", "fame", 3, 1},
		{"kitten", "sitting", 9, 3},
		{"kitten", "sitting", 3, 3},
		{"kitten", "sitting", 2, 2},
		{"ca", "abc", 9, 3}, // no edit between swapped code points
		{"ab", "ba", 1, 1},
		{"categories", "x", 4, 4},
		{"эфириум", "эфирум", 2, 1}, // code points, not bytes
		{"éa", "aé", 3, 1},
		{"é", "e", 3, 1},
		{strings.Repeat("long", 20), strings.Repeat("long", 20) + "er", 3, 2},
	} {
		if got := spelling.Distance(tt.a, tt.b, tt.limit); got != tt.want {
			t.Errorf("from %q to %q, limit %d: %d, want %d", tt.a, tt.b, tt.limit, got, tt.want)
		}
	}
}

// TestDistanceWithLimit checks that a limit only caps the distance, and that it is symmetric.
func TestDistanceWithLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringOfN(rapid.RuneFrom([]rune(rapid.SampledFrom([]string{"abc", "aéя"}).Draw(t, "letters"))), 0, 7, -1)
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		limit := rapid.IntRange(0, 10).Draw(t, "limit")
		full := spelling.Distance(a, b, 100)
		if got := spelling.Distance(a, b, limit); got != min(full, limit) {
			t.Errorf("from %q to %q: %d with limit %d, else %d", a, b, got, limit, full)
		}
		if back := spelling.Distance(b, a, 100); back != full {
			t.Errorf("from %q to %q: %d, reversed %d", a, b, full, back)
		}
		if want := slow([]rune(a), []rune(b)); full != want {
			t.Errorf("from %q to %q: %d, want %d", a, b, full, want)
		}
	})
}

// slow computes the distance by its definition.
func slow(a, b []rune) int {
	switch {
	case len(a) == 0 || len(b) == 0:
		return len(a) + len(b)
	case a[0] == b[0]:
		return slow(a[1:], b[1:])
	}
	least := 1 + min(slow(a[1:], b[1:]), slow(a[1:], b), slow(a, b[1:]))
	if len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] {
		least = min(least, 1+slow(a[2:], b[2:]))
	}
	return least
}

func TestNearest(t *testing.T) {
	known := []string{"layer-2", "categories", "category", "tvl", "x"}
	for word, want := range map[string]string{
		"Layer_2": "layer-2", "LAYER 2": "layer-2", "catgories": "categories", "categry": "category", "categoriy": "category", // the first of several
		"tv": "tvl", "TVL": "tvl", "followers": "", "": "x", strings.Repeat("x", 101): "",
	} {
		if got := spelling.Nearest(word, known); got != want {
			t.Errorf("nearest to %q: %q, want %q", word, got, want)
		}
	}
}

func TestWithin(t *testing.T) {
	same := func(s string) string { return s }
	for most, want := range []string{"", "", "abcde", "abcde"} {
		if got := spelling.Within(most, "abc", []string{"abcdef", "abcde", "abcxy"}, same); got != want {
			t.Errorf("at most %d edits: %q, want %q", most, got, want)
		}
	}
}
