package search

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/fold"
)

// find returns the matches of a query in ascending order, never nil.
func find(x *Index, q string) []uint32 {
	return append([]uint32{}, x.Matches(fold.Terms(q)).ToArray()...)
}

func TestFind(t *testing.T) {
	records := [][]string{
		{"OpenAI", "openai", "Makers of ChatGPT", "ChatGPT 的开发者"},    // 0
		{"AI Arena", "ai-arena", "Play to earn $"},                   // 1
		{"Ethereum Mainnet", "ethereum", "1", "以太坊", "Эфириум"},      // 2
		{"0G Galileo", "0g-galileo", "16601"},                        // 3
		{"vitalik.eth", "VitalikButerin", "mi pinxe lo crino tcati"}, // 4
		{"Café Éclair", "A cafe\u0301 for a DAO \U0001F680"},         // 5
		{"ﬁnance.fi", "Straße"},                                      // 6
		{"イーサリアム", "ｶﾞｽ fee", "한국어 블록체인"},                            // 7
		{},                                 // 8
		{"Arbitrum One", "arb1", "l2beat"}, // 9
		{"new", "york"},                    // 10
		{"İZMİR", "ΟΔΟΣ", "עברית", "ไทย เชน", "❤\ufe0fAI", "❤AI", "v1.20", "x²y"}, // 11
	}
	x := indexOf(records)
	all := []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	none := []uint32{}
	tests := []struct {
		name, q string
		want    []uint32
	}{
		{"no term finds all", "", all},
		{"only @s find all", " @ ", all},
		{"AI starts a word or a part in capitals", "AI", []uint32{0, 1, 11}},
		{"one letter", "o", []uint32{0, 9}},
		{"two letters inside a word are not found", "nn", none},
		{"three letters are found anywhere", "net", []uint32{2}},
		{"digit and letter", "0g", []uint32{3}},
		{"letter after digit, after a lower-case one", "G", []uint32{0, 3}},
		{"digit after letter", "1", []uint32{2, 3, 9, 11}},
		{"letters before a digit", "l2", []uint32{9}},
		{"é finds e", "é", []uint32{1, 2, 4, 5}},
		{"e finds é", "e", []uint32{1, 2, 4, 5}},
		{"accents are ignored in longer terms", "CAFE", []uint32{5}},
		{"accents in the query are ignored", "Äŕbïtrüm", []uint32{9}},
		{"a handle", "@vitalik", []uint32{4}},
		{"the last part of a name", "buterin", []uint32{4}},
		{"a symbol", "$", []uint32{1}},
		{"an emoji", "\U0001F680", []uint32{5}},
		{"one Han letter", "太", []uint32{2}},
		{"Han and Latin", "chatgpt 开发", []uint32{0}},
		{"a ligature in the query", "ﬁ", []uint32{6}},
		{"a ligature in the text", "fi", []uint32{6}},
		{"ss in a text with ß", "ss", none},
		{"sharp s", "STRASSE", []uint32{6}},
		{"kana, prolonged", "ーサ", []uint32{7}},
		{"half-width kana with its voicing mark", "ガ", []uint32{7}},
		{"kana without the voicing mark is another letter", "カ", none},
		{"Hangul", "국", []uint32{7}},
		{"Thai", "ท", []uint32{11}},
		{"Cyrillic", "эф", []uint32{2}},
		{"Hebrew", "עב", []uint32{11}},
		{"final sigma", "οδος", []uint32{11}},
		{"dotted capital I", "iz", []uint32{11}},
		{"number after a full stop", "20", []uint32{11}},
		{"letter after a superscript", "y", []uint32{10, 11}},
		{"all terms must match", "openai arena", none},
		{"in any of the texts", "makers openai", []uint32{0}},
		{"a term does not cross two texts", "wyo", none},
		{"short and long", "one ar l2", []uint32{9}},
		{"repeats", "one one ONE", []uint32{9}},
		{"unknown", "zzz", none},
		{"unknown short", "zz", none},
		{"unknown symbol", "§", none},
		{"a known and an unknown term", "openai zzz", none},
		{"NUL is a code point like any other", "n\x00", none},
		{"NUL before a symbol that is there without it", "\x00$", none},
		{"all trigrams, but not in one place", "enaino", none},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, find(x, tt.q)); diff != "" {
				t.Errorf("%q (-want +got):\n%s", tt.q, diff)
			}
		})
	}
}

func TestEmptyIndex(t *testing.T) {
	x := New(0, nil)
	for _, q := range []string{"", "a", "abc", "abcd", "$"} {
		if diff := cmp.Diff([]uint32{}, find(x, q)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", q, diff)
		}
	}
}

// TestManyRecords checks more records than a list without a bitmap has, and than a container of a
// bitmap has.
func TestManyRecords(t *testing.T) {
	const n = 70_000
	var even []uint32
	for id := uint32(0); id < n; id += 2 {
		even = append(even, id)
	}
	x := New(n, func(id uint32) Document {
		if id%2 == 0 {
			return Document{Texts: []string{"even AI", "even AI", "EVEN ai"}}
		}
		return Document{Texts: []string{"odd"}}
	})
	for _, q := range []string{"even", "eve", "ai", "e", "ven ai"} {
		if diff := cmp.Diff(even, find(x, q)); diff != "" {
			t.Errorf("%q (-want +got):\n%.500s", q, diff)
		}
	}
	if got := find(x, ""); len(got) != n {
		t.Errorf("no term finds %d of %d", len(got), n)
	}
}

func TestResultsAreTheCallers(t *testing.T) {
	x := indexOf([][]string{{"alpha"}, {"alpha beta"}, {"beta"}})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				for _, q := range []string{"", "a", "alp", "alpha", "alpha beta", "$"} {
					x.Matches(fold.Terms(q)).Clear()
				}
			}
		})
	}
	wg.Wait()
	if diff := cmp.Diff([]uint32{0, 1}, find(x, "alpha")); diff != "" {
		t.Errorf("after others changed their results (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]uint32{0, 1, 2}, find(x, "")); diff != "" {
		t.Errorf("after others changed their results (-want +got):\n%s", diff)
	}
}

// foundIn implements the rule for one term and one text (docs/api.md#search) without an index,
// and with its own rule for the beginnings of words.
func foundIn(text, term string) bool {
	if matchesAnywhere(term) {
		return strings.Contains(fold.Text(text), term)
	}
	before := []rune{}
	for i, r := range text {
		if startsWord(before, r) && strings.HasPrefix(fold.Text(text[i:]), term) {
			return true
		}
		before = append(before, r)
	}
	return false
}

func matchesAnywhere(term string) bool {
	runes := []rune(term)
	return len(runes) >= 3 || !unicode.In(runes[0], unicode.L, unicode.N) || slices.ContainsFunc(runes, func(r rune) bool {
		return strings.ContainsRune("ー〆〱〲〳〴〵〼", r) || unicode.Is(unicode.L, r) && unicode.In(r, unicode.Han, unicode.Hiragana,
			unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	})
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

// findNaively returns the records of which one text matches each term.
func findNaively(records [][]string, terms []string) []uint32 {
	found := []uint32{}
	for id, texts := range records {
		ok := true
		for _, term := range terms {
			ok = ok && slices.ContainsFunc(texts, func(text string) bool { return foundIn(text, term) })
		}
		if ok {
			found = append(found, uint32(id))
		}
	}
	return found
}

// checkFind compares the index with the naive search.
func checkFind(t interface{ Errorf(string, ...any) }, x *Index, records [][]string, q string) {
	terms := fold.Terms(q)
	want := findNaively(records, terms)
	got := append([]uint32{}, x.Matches(terms).ToArray()...)
	if !slices.Equal(want, got) {
		t.Errorf("%+q, terms %+q, among %+q: got %v, want %v", q, terms, records, got, want)
	}
}

// alphabets are small, so that random texts and queries match: plain letters, and characters that
// normalisation, folding or the rules of words treat specially.
var alphabets = []*rapid.Generator[string]{
	rapid.StringOfN(rapid.SampledFrom([]rune("abAB1 $")), 0, 12, -1),
	rapid.StringOfN(rapid.SampledFrom([]rune("aAbB1 éÉßİſﬁǅς\u0301\u0308\u0345\u20dd\u034f")), 0, 10, -1),
	rapid.StringOfN(rapid.SampledFrom([]rune("a1太ガｶﾞ\u3099ー가ᄒ\u1161\u11a8กำकि\u093c ")), 0, 8, -1),
	rapid.StringOfN(rapid.SampledFrom([]rune("aA1½①Ⅻﷺ¨´\u00a0\u3000\n\ufe0f❤🚀\u200d@-.\ufffd")), 0, 8, -1),
	rapid.StringOfN(rapid.SampledFrom([]rune("太é。、，！a.! 国")), 0, 14, -1), // words that are cut
	rapid.StringOfN(rapid.SampledFrom([]rune("aaab")), 0, 24, -1),        // one term at many places of a word
	rapid.StringOfN(rapid.Rune(), 0, 4, -1),
}

func TestFindIsTheNaiveSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.OneOf(alphabets...)
		if rapid.Bool().Draw(t, "one alphabet") {
			texts = rapid.SampledFrom(alphabets).Draw(t, "alphabet")
		}
		records := rapid.SliceOfN(rapid.SliceOfN(texts, 0, 4), 0, 8).Draw(t, "records")
		x := indexOf(records)
		checkFind(t, x, records, "")
		for range 20 {
			checkFind(t, x, records, texts.Draw(t, "q"))
			checkFind(t, x, records, part(t, records))
		}
	})
}

// part returns a piece of a text, as a query that is likely to match.
func part(t *rapid.T, records [][]string) string {
	runes := []rune(strings.Join(slices.Concat(records...), " "))
	begin := rapid.IntRange(0, len(runes)).Draw(t, "begin")
	end := rapid.IntRange(begin, min(len(runes), begin+5)).Draw(t, "end")
	return string(runes[begin:end])
}

func TestHead(t *testing.T) {
	tests := []string{"a", "ab", "abc", "a\u0301b", "ab\u0301", "abc\u0301", "ﬁ", "İa", "ß", "a\tb", "a b", "a\u00a0b", "ﷺ", "½",
		"a" + strings.Repeat("\u0301", 200) + "b", "1" + strings.Repeat("\u0323\u0301", 200) + "b", "a" + strings.Repeat("\u20dd", 100) + "b",
		"ᄒ\u1161\u11ab가", "ｶﾞｽ", "a\xffb", "a\xff\xff\xffb", "\u0915\u093c\u093f", "1\u0345\u0301a", "A" + strings.Repeat("\u034f", 70) + "\u0301B"}
	for _, rest := range tests {
		checkHead(t, rest)
	}
}

func TestHeadProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(alphabets...).Draw(t, "text") + rapid.OneOf(alphabets...).Draw(t, "more")
		for _, start := range fold.WordStarts(text) {
			checkHead(t, text[start:])
		}
	})
}

func checkHead(t interface{ Errorf(string, ...any) }, rest string) {
	folded := []rune(fold.Text(rest))
	want := pair{' ', ' '}
	copy(want[:], folded)
	if got := head(rest); got != want {
		t.Errorf("head(%+q) = %+q, want %+q", rest, got, want)
	}
}

func FuzzFind(f *testing.F) {
	f.Add("OpenAI", "AI Arena\nMainnet", "AI")
	f.Add("0G Galileo", "ﬁnance", "0g ﬁ")
	f.Add("cafe\u0301AI", "İZMİR ΟΔΟΣ", "É ς")
	f.Add("ｶﾞｽ", "이더리움", "ガ")
	f.Add("$ 🚀", "a\xffb", "$")
	f.Add("1\u0345\u0301\u20dda", "a\u034f\u0301b", "1ι")
	f.Add("大阪の工房です。毎週、更新。大阪", "位于大阪,成立!é。", "です。毎週、更")
	f.Fuzz(func(t *testing.T, a, b, q string) {
		if len(a)+len(b)+len(q) > 1<<9 {
			return
		}
		records := [][]string{{a}, {b, a}, {}, strings.Split(b, "\n"), {q}}
		x := indexOf(records)
		checkFind(t, x, records, q)
		for _, text := range []string{a, b} {
			for _, start := range fold.WordStarts(text) {
				checkHead(t, text[start:])
			}
			if utf8.ValidString(text) {
				checkFind(t, x, records, fmt.Sprintf("%.2s", text))
			}
		}
	})
}
