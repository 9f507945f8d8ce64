package fold

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestBounds(t *testing.T) {
	tests := []struct {
		name, in     string
		starts, ends []string // the folded text from each start, and up to each end
	}{
		{"empty", "", nil, nil},
		{"camel case", "OpenAI", []string{"openai", "ai"}, []string{"open", "openai"}},
		{"spaces", "  AI \u3000 Arena ", []string{"ai arena", "arena"}, []string{"ai", "ai arena"}},
		{"digits", "0G", []string{"0g", "g"}, []string{"0", "0g"}},
		{"accents and ligatures", "Éﬁ-Straße", []string{"efi-strasse", "strasse"}, []string{"efi", "efi-", "efi-strasse"}},
		{"a symbol that folds to letters", "AI™ b", []string{"aitm b", "b"}, []string{"ai", "aitm", "aitm b"}},
		{"Cyrillic", "Эфириум Йод", []string{"эфириум иод", "иод"}, []string{"эфириум", "эфириум иод"}},
		{"half-width kana", "ｶﾞｽ1", []string{"ガス1", "1"}, []string{"ガス", "ガス1"}},
		{"a standalone accent", "a´b", []string{"a \u0301b", "b"}, []string{"a", "a \u0301", "a \u0301b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			folded, starts, ends, ok := Bounds(tt.in)
			if !ok || folded != Text(tt.in) {
				t.Fatalf("Bounds(%+q) = %+q, %t", tt.in, folded, ok)
			}
			var from, to []string
			for _, start := range starts {
				from = append(from, folded[start:])
			}
			for _, end := range ends {
				to = append(to, folded[:end])
			}
			if diff := cmp.Diff([][]string{tt.starts, tt.ends}, [][]string{from, to}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestTextsWithoutBounds checks a text whose marks are reordered by folding, so that no offset
// in the folded text is the start of the second word.
func TestTextsWithoutBounds(t *testing.T) {
	for _, s := range []string{"1\u0301ﾞ", "a\xff\xff"} {
		if _, _, _, ok := Bounds(s); ok {
			t.Errorf("%+q has bounds", s)
		}
	}
}

// checkBounds compares the bounds with the words folded one by one.
func checkBounds(t interface{ Errorf(string, ...any) }, s string) {
	folded, starts, ends, ok := Bounds(s)
	if !ok {
		return
	}
	from, to := WordStarts(s), WordEnds(s)
	if folded != Text(s) || len(starts) != len(from) || !slices.IsSorted(starts) || !slices.IsSorted(ends) {
		t.Errorf("Bounds(%+q) = %+q, %v, %v", s, folded, starts, ends)
		return
	}
	for i, start := range from {
		if rest := Text(s[start:]); rest != folded[starts[i]:] {
			t.Errorf("%+q from %d: %+q, want %+q", s, start, folded[starts[i]:], rest)
		}
		var want, got []string
		for _, end := range to {
			if word := Text(s[min(start, end):end]); word != "" {
				want = append(want, word)
			}
		}
		for _, end := range ends {
			if end > starts[i] {
				got = append(got, folded[starts[i]:end])
			}
		}
		if want = slices.Compact(want); !slices.Equal(want, got) {
			t.Errorf("%+q from %d: the words %+q, want %+q", s, start, got, want)
		}
	}
}

// moved generates code points that folding decomposes, joins, drops or reorders.
var moved = rapid.StringOfN(rapid.SampledFrom([]rune("aA1 é\u0301\u0323\u0345\u3099ﾞﱞﷺ´½ำ가\u1161\u11a8ｶ太™\u200d\ufe0f-\xff")), 0, 10, -1)

func TestBoundsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkBounds(t, rapid.OneOf(texts, moved).Draw(t, "s")) })
}

func FuzzBounds(f *testing.F) {
	for _, s := range []string{"", "OpenAI", "0G Galileo", "cafe\u0301AI", "a\xffb", "1\u0301ﾞ", "a" + strings.Repeat("\u0301", 40) + "1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) < 1<<8 {
			checkBounds(t, s)
		}
	})
}

func TestPhrase(t *testing.T) {
	for q, want := range map[string]string{
		"": "", " @ ": "", "AI ai": "ai ai", "@Open  @@AI\u3000": "open ai", "a@b": "a@b", "Ａ　ﬁ": "a fi",
	} {
		if got := Phrase(q); got != want {
			t.Errorf("Phrase(%+q) = %+q, want %+q", q, got, want)
		}
	}
}

func TestLatin(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "ethereum": "ethereum", "еthеrеum": "ethereum", "сорӕ": "copae", "以太坊1$": "以太坊1$", "ж가": "ж가", "ա": "w", "ο": "o", "օ\u0301": "o",
	} {
		if got := Latin(in); got != want {
			t.Errorf("Latin(%+q) = %+q, want %+q", in, got, want)
		}
	}
}

// TestLatinIsFolded checks that the table has folded texts on both sides.
func TestLatinIsFolded(t *testing.T) {
	for r, letters := range latin {
		if r < firstOther || Text(string(r)) != string(r) || Text(letters) != letters || letters == "" {
			t.Errorf("%+q is mapped to %+q", r, letters)
		}
	}
}
