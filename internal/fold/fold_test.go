package fold

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

func TestText(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty", "", ""},
		{"ASCII", "OpenAI  Labs", "openai labs"},
		{"white space", "\t a\u00a0\u3000b\r\n\v\fc\u2028d\u0085 ", "a b c d"},
		{"white space only", " \t\u3000", ""},
		{"accents, composed", "Café São Łódź Ñandú", "cafe sao łodz nandu"},
		{"accents, decomposed", "Cafe\u0301", "cafe"},
		{"several accents", "ệ e\u0323\u0302 a\u0301\u0327\u0308b", "e e ab"},
		{"an enclosing mark stays, the accent after it is removed", "a\u20dd\u0301", "a\u20dd"},
		{"Greek", "ΆΛΦΑ ᾳ ΐ ΟΔΟΣ οδος", "αλφα αι ι οδοσ οδοσ"},
		{"Cyrillic", "Ёлка Йод", "елка иод"},
		{"Hebrew points", "שָׁלוֹם", "שלום"},
		{"Arabic vowels", "مُحَمَّد", "محمد"},
		{"Turkish", "İstanbul ISPARTA ı", "istanbul isparta ı"},
		{"sharp s", "Straße STRAẞE", "strasse strasse"},
		{"ligatures", "ﬁnance oﬃce ĳ", "finance office ij"},
		{"full width", "ＡＩ＠１２", "ai@12"},
		{"kana voicing marks stay", "が か\u3099 ｶﾞ ハ\u309a", "が が ガ パ"},
		{"Indic vowel signs stay", "हिन्दी", "हिन्दी"},
		{"Thai marks stay", "เก้า", "เก้า"},
		{"marks after digits stay", "1\u0301", "1\u0301"},
		{"marks after a space stay", "a \u0301", "a \u0301"},
		{"Hangul", "\u1112\u1161\u11ab 한", "한 한"},
		{"Han", "以太坊", "以太坊"},
		{"symbols", "Ⅻ ① ½ ™ K", "xii 1 1⁄2 tm k"},
		{"emoji", "🚀 ❤\ufe0f 👩\u200d💻", "🚀 ❤\ufe0f 👩\u200d💻"},
		{"Cherokee", "ᏣᎳᎩ Ꮳꮃꭹ ᏸᏰ", "ᏣᎳᎩ ᏣᎳᎩ ᏰᏰ"},
		{"a compatibility character that hides spaces", "ﷺ", "صلى الله عليه وسلم"},
		{"invalid UTF-8", "a\xff\xfeB\xc3", "a\ufffdb\ufffd"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Text(tt.in)); diff != "" {
				t.Errorf("Text(%+q) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

func TestTerms(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"empty", "", nil},
		{"white space", " \t ", nil},
		{"only @s", "@ @@ ＠", nil},
		{"one", "Arbitrum", []string{"arbitrum"}},
		{"order of appearance", "zk EVM l2", []string{"zk", "evm", "l2"}},
		{"handle", "@vitalik", []string{"vitalik"}},
		{"several @s", "@@Vitalik @ buterin", []string{"vitalik", "buterin"}},
		{"full-width @", "＠vitalik", []string{"vitalik"}},
		{"an @ inside stays", "a@b c@", []string{"a@b", "c@"}},
		{"repeats", "ai AI @ai ＡＩ Äi", []string{"ai"}},
		{"repeats are whole terms", "a aa a", []string{"a", "aa"}},
		{"other spaces", "a\u3000b\nc", []string{"a", "b", "c"}},
		{"a space from folding", "a\u00a0b", []string{"a", "b"}},
		{"symbols", "$ 🚀", []string{"$", "🚀"}},
		{"invalid UTF-8", "\xff a", []string{"\ufffd", "a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Terms(tt.in)); diff != "" {
				t.Errorf("Terms(%+q) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

// recipe implements the folding of docs/api.md#exact-rules step by step, without optimisations.
func recipe(s string) string {
	s = fullFold(norm.NFKC.String(strings.ToValidUTF8(s, "\uFFFD")))
	var base rune
	var out []rune
	for _, r := range norm.NFD.String(s) {
		if !unicode.In(r, unicode.Mn, unicode.Mc, unicode.Me) {
			base = r
		} else if unicode.Is(unicode.Mn, r) && unicode.Is(unicode.L, base) &&
			unicode.In(base, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Hebrew, unicode.Arabic) {
			continue
		}
		out = append(out, r)
	}
	s = fullFold(norm.NFC.String(string(out)))
	return strings.Join(strings.FieldsFunc(s, unicode.IsSpace), " ")
}

// fullFold folds the case of each code point alone, since full folding needs no context. Cherokee
// folds to upper case.
func fullFold(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.Is(unicode.Cherokee, r) {
			b.WriteRune(unicode.ToUpper(r))
		} else {
			b.WriteString(cases.Fold().String(string(r)))
		}
	}
	return b.String()
}

// TestTextIgnoresCase checks that both cases of each letter fold to the same text.
func TestTextIgnoresCase(t *testing.T) {
	for r := range rune(unicode.MaxRune + 1) {
		for other := unicode.SimpleFold(r); other > r; other = unicode.SimpleFold(other) {
			if a, b := Text(string(r)), Text(string(other)); a != b {
				t.Errorf("Text(%q) = %q, Text(%q) = %q", r, a, other, b)
			}
		}
	}
}

// checkText checks properties of Text.
func checkText(t interface{ Errorf(string, ...any) }, s string) {
	folded := Text(s)
	if want := recipe(s); folded != want {
		t.Errorf("Text(%+q) = %+q, want %+q", s, folded, want)
	}
	if again := Text(folded); again != folded {
		t.Errorf("Text(%+q) = %+q, folded twice %+q", s, folded, again)
	}
	if !utf8.ValidString(folded) {
		t.Errorf("Text(%+q) = %+q is not valid UTF-8", s, folded)
	}
	for _, equivalent := range []string{norm.NFC.String(s), norm.NFD.String(s), norm.NFKC.String(s)} {
		if utf8.ValidString(s) && Text(equivalent) != folded {
			t.Errorf("Text(%+q) = %+q, but Text(%+q) = %+q", s, folded, equivalent, Text(equivalent))
		}
	}
}

// checkTerms checks properties of Terms.
func checkTerms(t interface{ Errorf(string, ...any) }, q string) {
	terms := Terms(q)
	for i, term := range terms {
		switch {
		case term == "" || term[0] == '@' || strings.ContainsFunc(term, unicode.IsSpace):
			t.Errorf("Terms(%+q) has %+q", q, term)
		case Text(term) != term:
			t.Errorf("Terms(%+q) has %+q, which is not folded", q, term)
		case slices.Contains(terms[:i], term):
			t.Errorf("Terms(%+q) has %+q twice", q, term)
		}
	}
	if again := Terms(strings.Join(terms, " @")); !slices.Equal(terms, again) {
		t.Errorf("Terms(%+q) = %+q, from its terms %+q", q, terms, again)
	}
}

// tricky has code points with special rules in normalisation, folding or word boundaries, and plain
// ones of every script of docs/api.md#search.
var tricky = []rune("aAbBzZ09 \t\n@$-_ éÉßẞİıſKÅᏣꮳᏸﬁﬃĳǅǆΣσςΐᾳͅЁёЙйשׁאبـअकि्かがカｶﾞﾟー々〇〆以太坊한가ᄒ" +
	"กำาเລຳខံမ①½Ⅻ™²ﷺ¨´≠🚀❤️👩" +
	"\u0300\u0301\u0308\u0323\u0327\u0338\u0344\u0345\u034f\u0483\u05b0\u0651\u093c\u094d\u0f71\u0f73\u1161\u11a8\u20dd\u200b\u200d\u3099\u309a\ufe0f\ufffd\u00a0\u2028\u3000\u0085")

var texts = rapid.StringOf(rapid.OneOf(rapid.SampledFrom(tricky), rapid.Rune()))

func TestTextProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := texts.Draw(t, "s")
		checkText(t, s)
		checkTerms(t, s)
	})
}

// TestTextOfEveryCodePoint checks every code point with special rules, among letters and accents.
func TestTextOfEveryCodePoint(t *testing.T) {
	for r := range rune(unicode.MaxRune + 1) {
		if !utf8.ValidRune(r) || unicode.In(r, unicode.Han, unicode.Hangul, unicode.Co) || !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z) {
			continue
		}
		for _, s := range []string{"a" + string(r) + "\u0301x", "1" + string(r) + "\u0345\u0301", string(r)} {
			folded := Text(s)
			if again := Text(folded); again != folded {
				t.Errorf("Text(%+q) = %+q, folded twice %+q", s, folded, again)
			}
		}
	}
}

// TestTextOfManyMarks checks runs of marks beyond the buffer of normalisation.
func TestTextOfManyMarks(t *testing.T) {
	for _, base := range []string{"", "a", "1", "क", "か", "€ "} {
		for _, marks := range []string{"\u0301", "\u0344", "\u0345", "\u0323\u0301", "\u093c", "\u20dd\u0301", "\u0f73"} {
			for _, n := range []int{1, 29, 30, 31, 32, 61, 100} {
				s := base + strings.Repeat(marks, n) + "X"
				checkText(t, s)
			}
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"", "OpenAI", "Straße", "ﬁ", "İ", "1\u0345\u0301", "ｶﾞ", "\u1112\u1161\u11ab", "a\xff", "@vitalik $ 🚀", "ﷺ", "\u00a8a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 1<<12 {
			return
		}
		checkText(t, s)
	})
}

func FuzzTerms(f *testing.F) {
	for _, s := range []string{"", "@", "@@a @a", "AI Arena", "＠ｖ", "a\u00a0b", "$ 🚀 \xff", "\u0301 @\u0301"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 1<<12 {
			return
		}
		checkTerms(t, s)
	})
}

func BenchmarkText(b *testing.B) {
	for _, bench := range []struct{ name, text string }{
		{"ASCII", "Uniswap is a decentralized exchange, the largest on Ethereum"},
		{"dash", "Uniswap is a decentralized exchange — the largest on Ethereum"},
		{"Latin", "Größte Übergröße für die Straße läuft während São Paulo"},
		{"Cyrillic", "Самый большой децентрализованный обменник"},
		{"Han", "以太坊是一个去中心化的区块链平台"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Text(bench.text)
			}
		})
	}
}
