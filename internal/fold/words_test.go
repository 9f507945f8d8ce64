package fold

import (
	"slices"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

func TestAnywhere(t *testing.T) {
	tests := []struct {
		name  string
		terms []string
		want  bool
	}{
		{"three and more code points", []string{"abc", "ethereum", "x-1", "123", "ёжи", "1\u0301a"}, true},
		{"one or two letters or digits", []string{"a", "ai", "0", "0g", "l2", "ß", "éа", "ёж", "אב", "प", "a-", "a\u20dd"}, false},
		{"a letter of a script without spaces", []string{"太", "以太", "か", "カ", "가", "ᄒ", "ก", "ລ", "ខ", "မ", "a太", "1カ", "々"}, true},
		{"letters shared by such scripts", []string{"ー", "〆", "〼", "〱"}, true},
		{"neither letter nor digit first", []string{"$", "🚀", "-a", ".1", "\u0301", "\u0301a", "#", "\ufffd", "", "❤\ufe0f"}, true},
		{"digits of such scripts are not letters", []string{"〇", "๑"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, term := range tt.terms {
				if got := Anywhere(term); got != tt.want {
					t.Errorf("Anywhere(%+q) = %t", term, got)
				}
			}
		})
	}
}

func TestWordStarts(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string // the text from each start
	}{
		{"empty", "", nil},
		{"nothing that starts a word", "$ -- 🚀 \u0301", nil},
		{"words", "AI Arena", []string{"AI Arena", "Arena"}},
		{"camel case", "OpenAI", []string{"OpenAI", "AI"}},
		{"upper case is one word", "NASA", []string{"NASA"}},
		{"lower case after upper case", "McDonald", []string{"McDonald", "Donald"}},
		{"one word", "Mainnet", []string{"Mainnet"}},
		{"digits", "0G Galileo", []string{"0G Galileo", "G Galileo", "Galileo"}},
		{"letters and digits", "layer2zk", []string{"layer2zk", "2zk", "zk"}},
		{"numbers", "v1.20", []string{"v1.20", "1.20", "20"}},
		{"punctuation and symbols", "$AI (ai) _a", []string{"AI (ai) _a", "ai) _a", "a"}},
		{"after an emoji", "🚀go", []string{"go"}},
		{"not after a mark", "\u0301a !\u0301b", nil},
		{"not after a variation selector, which is a mark", "❤\ufe0fAI", nil},
		{"an accent does not start a word", "élan e\u0301lan", []string{"élan e\u0301lan", "e\u0301lan"}},
		{"case change after an accent", "caféAI", []string{"caféAI", "AI"}},
		{"case change after an accent, decomposed", "cafe\u0301AI", []string{"cafe\u0301AI", "AI"}},
		{"digit after an accent, decomposed", "e\u03012", []string{"e\u03012", "2"}},
		{"letter after a digit with a mark", "1\u20e3a", []string{"1\u20e3a", "a"}},
		{"title case is not upper case", "aǅ", []string{"aǅ"}},
		{"letters without case", "以太坊ETH", []string{"以太坊ETH"}},
		{"other digits", "x² Ⅻa", []string{"x² Ⅻa", "² Ⅻa", "Ⅻa", "a"}},
		{"invalid UTF-8", "a\xffb", []string{"a\xffb", "b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, start := range WordStarts(tt.in) {
				got = append(got, tt.in[start:])
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("WordStarts(%+q) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

// checkWordStarts compares with the rules (docs/api.md#search), applied to each code point.
func checkWordStarts(t interface{ Errorf(string, ...any) }, s string) {
	var want []int
	runes, offsets := decode(s)
	for i, r := range runes {
		if startsWord(runes[:i], r) {
			want = append(want, offsets[i])
		}
	}
	if got := WordStarts(s); !slices.Equal(want, got) {
		t.Errorf("WordStarts(%+q) = %v, want %v", s, got, want)
	}
}

func startsWord(before []rune, r rune) bool {
	if !unicode.In(r, unicode.L, unicode.N) {
		return false
	}
	if len(before) == 0 || !unicode.In(before[len(before)-1], unicode.L, unicode.N, unicode.M) {
		return true
	}
	for len(before) > 0 && unicode.Is(unicode.M, before[len(before)-1]) {
		before = before[:len(before)-1]
	}
	if len(before) == 0 {
		return false
	}
	last := before[len(before)-1]
	return unicode.Is(unicode.Ll, last) && unicode.Is(unicode.Lu, r) ||
		unicode.Is(unicode.L, last) && unicode.Is(unicode.N, r) ||
		unicode.Is(unicode.N, last) && unicode.Is(unicode.L, r)
}

func decode(s string) (runes []rune, offsets []int) {
	for i, r := range s {
		runes, offsets = append(runes, r), append(offsets, i)
	}
	return runes, offsets
}

func TestWordStartsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkWordStarts(t, texts.Draw(t, "s")) })
}

// TestWordStartsOfEquivalentTexts checks that composed and decomposed texts have the same number of
// words.
func TestWordStartsOfEquivalentTexts(t *testing.T) {
	letters := rapid.StringOf(rapid.SampledFrom([]rune("aAéÉñÅ1 -e\u0301\u0327ΐЙ가")))
	rapid.Check(t, func(t *rapid.T) {
		s := "a" + letters.Draw(t, "s")
		composed, decomposed := norm.NFC.String(s), norm.NFD.String(s)
		if a, b := WordStarts(composed), WordStarts(decomposed); len(a) != len(b) {
			t.Errorf("%+q has the words %v, decomposed %v", s, a, b)
		}
	})
}

func FuzzWordStarts(f *testing.F) {
	for _, s := range []string{"", "OpenAI", "0G Galileo", "cafe\u0301AI", "a\xffb", "❤\ufe0fAI", "aǅ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkWordStarts(t, s)
		term := Text(s)
		if n := utf8.RuneCountInString(term); n > 2 && !Anywhere(term) {
			t.Errorf("Anywhere(%+q) = false for %d code points", term, n)
		}
	})
}

func TestWordEnds(t *testing.T) {
	tests := []struct {
		in   string
		want []string // the text up to each end
	}{
		{"", nil},
		{"OpenAI", []string{"Open", "OpenAI"}},
		{"0G Galileo", []string{"0", "0G", "0G ", "0G Galileo"}},
		{"C++", []string{"C", "C+", "C++"}},
		{"cafe\u0301AI", []string{"cafe\u0301", "cafe\u0301AI"}},
		{"以太坊", []string{"以太坊"}},
		{"$a", []string{"$", "$a"}},
	}
	for _, tt := range tests {
		var got []string
		for _, end := range WordEnds(tt.in) {
			got = append(got, tt.in[:end])
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("WordEnds(%+q) (-want +got):\n%s", tt.in, diff)
		}
	}
}
