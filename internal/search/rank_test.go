package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/fold"
)

// ranked returns the classes of a query as non-nil slices.
func ranked(x *Index, q string) [][]uint32 {
	var classes [][]uint32
	for set := range x.Ranked(fold.Terms(q), fold.Phrase(q), x.Matches(fold.Terms(q))) {
		classes = append(classes, append([]uint32{}, set.ToArray()...))
	}
	return classes
}

func indexOfDocuments(records []Document) *Index {
	return New(len(records), func(number uint32) Document { return records[number] })
}

func TestRanked(t *testing.T) {
	records := []Document{
		{Labels: []string{"OpenAI", "openai"}, Texts: []string{"Makers of ChatGPT"}},  // 0
		{Labels: []string{"AI Arena", "ai-arena"}, Texts: []string{"Play to earn"}},   // 1
		{Labels: []string{"Ethereum Mainnet", "以太坊", "ethereum"}, IDs: []string{"1"}}, // 2
		{Labels: []string{"0G Galileo"}, IDs: []string{"16601"}},                      // 3
		{Labels: []string{"Aion"}, IDs: []string{"AI"}},                               // 4
		{Labels: []string{"AI"}}, // 5
		{Labels: []string{"Air Open"}, Texts: []string{"1 open AI, Ethereum, 16601, 以太坊 galileo"}}, // 6
		{Labels: []string{"Open", "AI"}},                                                // 7
		{Labels: []string{"Lido Staked Ethereum"}, IDs: []string{"0xAbC"}},              // 8
		{Labels: []string{"C++", "AI™", "caféOpen"}, IDs: []string{"16601"}},            // 9
		{Labels: []string{"zkvm", "zkVm", "2\u0301ﾞa", "x. 太"}, Texts: []string{"a.太"}}, // 10
	}
	x := indexOfDocuments(records)
	tests := []struct {
		name, q string
		want    [][]uint32
	}{
		{"no terms", "", [][]uint32{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}},
		{"a label, an id, words, beginnings, texts", "AI", [][]uint32{{4, 5, 7}, {0, 1, 9}, {6}, {}, {}}},
		{"both words of one", "open ai", [][]uint32{{}, {0}, {6}, {7, 9}, {}}},
		{"camel case as one word", "openai", [][]uint32{{0}, {}, {}, {}, {}}},
		{"a number is an id as a whole", "1", [][]uint32{{2}, {}, {}, {}, {6}}},
		{"a part of an id is nothing", "1660", [][]uint32{{}, {}, {}, {}, {6}}},
		{"ids of several records", "16601", [][]uint32{{3, 9}, {}, {}, {}, {6}}},
		{"an id but for case", "@0XABC", [][]uint32{{8}, {}, {}, {}, {}}},
		{"an id beside a word", "1 ethereum", [][]uint32{{}, {}, {}, {2}, {6}}},
		{"an id that is repeated", "1 1", [][]uint32{{}, {}, {}, {2}, {6}}},
		{"digits and letters are a word", "0g", [][]uint32{{}, {3}, {}, {}, {}}},
		{"within a word", "ther", [][]uint32{{}, {}, {}, {2, 8}, {6}}},
		{"Han has no words", "以太", [][]uint32{{}, {}, {2}, {}, {6}}},
		{"a label of Han", "以太坊", [][]uint32{{2}, {}, {}, {}, {6}}},
		{"a symbol at the end", "c++", [][]uint32{{9}, {}, {}, {}, {}}},
		{"before a capital", "cafe", [][]uint32{{}, {9}, {}, {}, {}}},
		{"a symbol that folds to letters", "aitm", [][]uint32{{9}, {}, {}, {}, {}}},
		{"all but the order", "mainnet ethereum", [][]uint32{{}, {2}, {}, {}, {}}},
		{"nothing", "zzz", [][]uint32{{}, {}, {}, {}, {}}},
		{"a label that another has in small letters", "vm", [][]uint32{{}, {10}, {}, {}, {}}},
		{"what begins a word but is not found", "ﾞa", [][]uint32{{}, {}, {}, {}, {}}},
		{"across a cut, in a text", "a.太", [][]uint32{{}, {}, {}, {}, {10}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, ranked(x, tt.q)); diff != "" {
				t.Errorf("%q (-want +got):\n%s", tt.q, diff)
			}
		})
	}
}

// TestRankedOfRareTerms checks queries with one rare term, whose other terms are compared with
// the labels of its records.
func TestRankedOfRareTerms(t *testing.T) {
	records := []Document{
		{Labels: []string{"Xzebra", "Xcommon"}}, {Labels: []string{"Xzebra"}, Texts: []string{"Xcommon AI"}}, {Labels: []string{"xzebra", "AI"}},
	}
	for range 3000 {
		records = append(records, Document{Labels: []string{"Xcommon AI"}})
	}
	x := indexOfDocuments(records)
	for q, want := range map[string][][]uint32{
		"zebr ommo": {{}, {}, {}, {0}, {1}}, "zebra ai": {{}, {}, {}, {2}, {1}}, "zebra common": {{}, {}, {}, {0}, {1}},
	} {
		if diff := cmp.Diff(want, ranked(x, q)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", q, diff)
		}
	}
}

func TestMatch(t *testing.T) {
	d := Document{
		Labels: []string{"Arbitrum One", "ArbitrumNova", "arbitrum"}, IDs: []string{"42161", "Arb"}, Texts: []string{"A rollup, one of many"},
	}
	tests := []struct {
		q     string
		class int
		label string
	}{
		{"", 0, ""},
		{"Arbitrum", 1, "arbitrum"},
		{"ARBITRUM one", 1, "Arbitrum One"},
		{"one arbitrum", 2, "Arbitrum One"},
		{"nova arbitrum", 2, "ArbitrumNova"},
		{"arb", 1, "Arb"},
		{"42161", 1, "42161"},
		{"4216", 0, ""},
		{"42161 42161", 4, "42161"},
		{"nov", 3, "ArbitrumNova"},
		{"rbi", 4, "Arbitrum One"},
		{"rbi ova", 4, "ArbitrumNova"},
		{"one nova", 0, ""},
		{"one 42161", 0, ""},
		{"rollup", 0, ""},
		{"rollup arbitrum", 0, ""},
		{"rollup zzz", 0, ""},
	}
	for _, tt := range tests {
		class, label := Match(d, fold.Terms(tt.q), fold.Phrase(tt.q))
		if class != tt.class || label != tt.label {
			t.Errorf("%q: class %d by %q, want %d by %q", tt.q, class, label, tt.class, tt.label)
		}
	}
}

// classOf returns the class of a record and the label that has it, by definition: it folds every
// piece of the written texts separately.
func classOf(d Document, terms []string, phrase string) (class int, label string) {
	if len(terms) == 0 {
		return 5, ""
	}
	names := append(slices.Clone(d.Labels), d.IDs...)
	isID := func(i int) bool { return i >= len(d.Labels) }
	every := func(holds func(term string) bool) bool {
		for _, term := range terms {
			if !holds(term) {
				return false
			}
		}
		return true
	}
	found := func(i int, term string) bool {
		return isID(i) && fold.Text(names[i]) == term || !isID(i) && foundIn(names[i], term)
	}
	inLabel := func(term string) bool {
		for i := range names {
			if found(i, term) {
				return true
			}
		}
		return false
	}
	inText := func(term string) bool {
		return slices.ContainsFunc(d.Texts, func(text string) bool { return foundIn(text, term) })
	}
	if !every(func(term string) bool { return inLabel(term) || inText(term) }) {
		return 0, ""
	}
	rules := []func(i int) bool{
		func(i int) bool { return fold.Text(names[i]) == phrase },
		func(i int) bool {
			return !isID(i) && every(func(term string) bool { return wordOf(names[i], term, true) })
		},
		func(i int) bool {
			return !isID(i) && every(func(term string) bool { return wordOf(names[i], term, false) })
		},
		func(i int) bool { return every(func(term string) bool { return found(i, term) }) },
	}
	for class, rule := range rules {
		for i, name := range names {
			if rule(i) {
				return class + 1, name
			}
		}
	}
	if every(inLabel) {
		return 4, ""
	}
	return 5, ""
}

// wordOf reports whether a word of a text begins with a term or, with whole, equals it.
func wordOf(text, term string, whole bool) bool {
	runes, offsets := []rune{}, []int{}
	for i, r := range text {
		runes, offsets = append(runes, r), append(offsets, i)
	}
	offsets = append(offsets, len(text))
	for i, r := range runes {
		if !startsWord(runes[:i], r) {
			continue
		}
		if !whole && strings.HasPrefix(fold.Text(text[offsets[i]:]), term) {
			return true
		}
		for j := i + 1; whole && j <= len(runes); j++ {
			ends := j == len(runes) || !unicode.In(runes[j], unicode.L, unicode.N, unicode.M) || startsWord(runes[:j], runes[j])
			if ends && fold.Text(text[offsets[i]:offsets[j]]) == term {
				return true
			}
		}
	}
	return false
}

// checkRanked compares the index, and Match, with the rules.
func checkRanked(t interface{ Errorf(string, ...any) }, x *Index, records []Document, q string) {
	terms, phrase := fold.Terms(q), fold.Phrase(q)
	want := make([][]uint32, classes)
	for i := range want {
		want[i] = []uint32{}
	}
	all := []uint32{}
	for number, d := range records {
		class, label := classOf(d, terms, phrase)
		if class > 0 {
			want[class-1] = append(want[class-1], uint32(number))
			all = append(all, uint32(number))
		}
		if label == "" {
			class = 0 // not by a single label
		}
		if gotClass, gotLabel := Match(d, terms, phrase); gotClass != class || gotLabel != label {
			t.Errorf("%+q of %+q: class %d by %+q, want %d by %+q", q, d, gotClass, gotLabel, class, label)
		}
	}
	if len(terms) == 0 {
		want = [][]uint32{all}
	}
	if got := ranked(x, q); !cmp.Equal(want, got) {
		t.Errorf("%+q, terms %+q, among %+q: got %v, want %v", q, terms, records, got, want)
	}
	if got := find(x, q); !slices.Equal(all, got) {
		t.Errorf("%+q, terms %+q, among %+q: found %v, want %v", q, terms, records, got, all)
	}
}

// names generates labels in which words meet in all ways.
var names = append(slices.Clone(alphabets),
	rapid.StringOfN(rapid.SampledFrom([]rune("abAB1 -.")), 0, 10, -1),
	rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{"Open", "AI", "open", "ai", "Arena", "0G", "l2", "C++", "™", "ﬁ", "以太", "坊", "Café",
		"е", "Эф", "가", "ไทย", "$", "@", "1", "½", "A\u0301", "ﾞ", "ﱞ", "❤\ufe0f", "'s", "x²", "\u200d", "ำ"}), 0, 5),
		func(parts []string) string { return strings.Join(parts, "") }),
	rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{"Open", "AI", "Arena", "zero-g", "a", "以太坊", "b.c", "é", "1"}), 0, 4),
		func(parts []string) string { return strings.Join(parts, " ") }),
	rapid.StringOfN(rapid.SampledFrom([]rune("1aAﾞﱞ\u0301\u0345\u3099ำ \xff½ﷺ´")), 0, 8, -1), // characters that folding moves
)

func documents(texts *rapid.Generator[string]) *rapid.Generator[Document] {
	return rapid.Custom(func(t *rapid.T) Document {
		d := Document{
			Labels: rapid.SliceOfN(texts, 0, 3).Draw(t, "labels"),
			IDs:    rapid.SliceOfN(texts, 0, 2).Draw(t, "ids"),
			Texts:  rapid.SliceOfN(texts, 0, 2).Draw(t, "texts"),
		}
		if len(d.Labels) > 0 && rapid.Bool().Draw(t, "slug") {
			d.Labels = append(d.Labels, strings.ToLower(d.Labels[0]))
		}
		return d
	})
}

// oneOf returns texts of one alphabet, or of all alphabets.
func oneOf(t *rapid.T, alphabets []*rapid.Generator[string]) *rapid.Generator[string] {
	if rapid.Bool().Draw(t, "one alphabet") {
		return rapid.SampledFrom(alphabets).Draw(t, "alphabet")
	}
	return rapid.OneOf(alphabets...)
}

// question returns a query that is likely to match: a text, or words or pieces of searched texts.
func question(t *rapid.T, texts *rapid.Generator[string], records []Document) string {
	var all [][]string
	for _, d := range records {
		all = append(all, d.Labels, d.IDs, d.Texts)
	}
	known := slices.Concat(all...)
	switch kind := rapid.IntRange(0, 4).Draw(t, "kind"); {
	case kind == 0 || len(known) == 0:
		return texts.Draw(t, "q")
	case kind == 1:
		return rapid.SampledFrom(known).Draw(t, "known")
	case kind == 2:
		return part(t, all) + " " + part(t, all)
	case kind == 3:
		return part(t, [][]string{{rapid.SampledFrom(known).Draw(t, "known")}})
	}
	return part(t, all)
}

func TestRankedIsByTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := oneOf(t, names)
		records := rapid.SliceOfN(documents(texts), 0, 6).Draw(t, "records")
		x := indexOfDocuments(records)
		checkRanked(t, x, records, "")
		for range 20 {
			checkRanked(t, x, records, question(t, texts, records))
		}
	})
}

// TestRankedMarksThatMove checks a label whose marks fold in another order than in its word alone.
func TestRankedMarksThatMove(t *testing.T) {
	records := []Document{{Labels: []string{"1\u0301\uff9e\u30991"}}}
	checkRanked(t, indexOfDocuments(records), records, "\uff9e\u30991")
}

func TestRankedWithIsNew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := oneOf(t, names)
		record := documents(texts)
		records := rapid.SliceOfN(record, 0, 20).Draw(t, "before")
		x := indexOfDocuments(records)
		for range rapid.IntRange(1, 3).Draw(t, "edits") {
			x, records = edited(t, x, records, record)
		}
		for range 10 {
			q := question(t, texts, records)
			checkRanked(t, x, records, q)
			checkSuggest(t, x, records, q)
		}
	})
}

// edited returns an index with some records changed and some added.
func edited(t *rapid.T, x *Index, records []Document, record *rapid.Generator[Document]) (*Index, []Document) {
	var changed []uint32
	records = slices.Clone(records)
	for number := range records {
		if rapid.IntRange(0, 5).Draw(t, "change") == 0 {
			records[number] = record.Draw(t, "changed")
			changed = append(changed, uint32(number))
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "more") {
		changed = append(changed, uint32(len(records)))
		records = append(records, record.Draw(t, "added"))
	}
	return x.With(len(records), changed, func(number uint32) Document { return records[number] }), records
}

// TestRankedIsLazy checks that a set is computed only when it is requested.
func TestRankedIsLazy(t *testing.T) {
	x := indexOfDocuments([]Document{{Labels: []string{"alpha"}}, {Labels: []string{"alpha beta"}}, {Texts: []string{"alpha"}}})
	found := x.Matches([]string{"alpha"})
	x.base.words = words{} // not needed for classes 1 to 3
	var got [][]uint32
	for set := range x.Ranked([]string{"alpha"}, "alpha", found) {
		got = append(got, set.ToArray())
		if len(got) == 3 {
			break
		}
	}
	if diff := cmp.Diff([][]uint32{{0}, {1}, {}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRankedOfManyRecords checks an index with labels so numerous that those of a term are a
// bitmap and their beginnings are in a table, and longer than the prefix that sorts them.
func TestRankedOfManyRecords(t *testing.T) {
	const n, different = 20_000, 500
	long := strings.Repeat("long", ordered/4)
	records := make([]Document, n)
	for i := range records {
		d := i % different
		records[i] = Document{
			Labels: []string{fmt.Sprintf("Common Chain %d", d), fmt.Sprintf("%sX%d", long, d), "some more words"},
			IDs:    []string{fmt.Sprint(d)}, Texts: []string{"common 7"},
		}
	}
	x := indexOfDocuments(records)
	if x.base.labels.suffixes.heads == nil {
		t.Fatalf("%d places have no table", len(x.base.labels.suffixes.places))
	}
	for _, q := range []string{"common", "chain 7", "common chain 7", "7", "chai 99", "9", "c", "o", long, long + "x77", long + "x 77", "399", long + "x7", "c m 7"} {
		want := make([][]uint32, classes)
		known := make([]int, different) // classes of the first records
		for i := range n {
			if i < different {
				known[i], _ = classOf(records[i], fold.Terms(q), fold.Phrase(q))
			}
			if class := known[i%different]; class > 0 {
				want[class-1] = append(want[class-1], uint32(i))
			}
		}
		for i, got := range ranked(x, q) {
			if !slices.Equal(want[i], got) {
				t.Errorf("%q, class %d: got %d records, want %d", q, i+1, len(got), len(want[i]))
			}
		}
	}
}

func FuzzRanked(f *testing.F) {
	f.Add("OpenAI", "AI Arena", "16601", "open ai")
	f.Add("0G Galileo", "ﬁnance™", "0xAb", "0g ﬁ")
	f.Add("cafe\u0301AI", "İZMİR ΟΔΟΣ", "ß", "É ς")
	f.Add("1ﾞ\u0301", "1\u0301ﾞa", "ﱞ", "ﾞ")
	f.Fuzz(func(t *testing.T, a, b, id, q string) {
		if len(a)+len(b)+len(id)+len(q) > 1<<8 {
			return
		}
		records := []Document{{Labels: []string{a, b}, IDs: []string{id}}, {Labels: []string{b}, Texts: []string{a}}, {}, {IDs: []string{a, q}}, {Labels: []string{q}}}
		x := indexOfDocuments(records)
		changed := slices.Clone(records)
		changed[1], changed[3] = records[3], records[1]
		y := x.With(len(changed), []uint32{1, 3}, func(number uint32) Document { return changed[number] })
		for _, q := range []string{q, a, b + " " + q} {
			checkRanked(t, x, records, q)
			checkRanked(t, y, changed, q)
			checkSuggest(t, y, changed, q)
		}
	})
}
