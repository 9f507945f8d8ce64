package search

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/fold"
	"vitrine/internal/spelling"
)

func TestSuggest(t *testing.T) {
	x := indexOfDocuments([]Document{
		{Labels: []string{"Ethereum Classic"}, IDs: []string{"ethereun"}}, // 0
		{Labels: []string{"Ethereum", "以太坊"}},                             // 1
		{Labels: []string{"ethereum", "Arbitrum One"}},                    // 2
		{Labels: []string{"Arbitrum Nova", "zkSync Era"}},                 // 3
		{Labels: []string{"OpenAI", "vitalik.eth"}},                       // 4
		{Labels: []string{"Base", "Москва Сити"}},                         // 5
		{Labels: []string{"Ethereum 2"}, Texts: []string{"polygon"}},      // 6
	})
	type found struct {
		Label    string
		Distance int
	}
	tests := []struct {
		name, q string
		want    []found
	}{
		{"one letter changed", "ethereun", []found{{"ethereum", 1}, {"ethereum 2", 1}, {"ethereum classic", 1}}},
		{"two in a long one", "ethreeumm", []found{{"ethereum", 2}, {"ethereum 2", 2}, {"ethereum classic", 2}}},
		{"two in a shorter one", "ethreumm", nil},
		{"neighbours swapped", "oepnai", []found{{"openai", 1}}},
		{"Cyrillic letters that look like Latin ones", "еthеrеum", []found{{"ethereum", 0}, {"ethereum 2", 0}, {"ethereum classic", 0}}},
		{"Cyrillic", "масква", []found{{"москва сити", 1}}},
		{"too short", "bsae", nil},
		{"with a digit", "ethereun2", nil},
		{"Han", "以太坊以太", nil},
		{"two terms", "arbitrun nova", []found{{"arbitrum nova", 2 - 1}}},
		{"a short term beside it", "arbitrun one", []found{{"arbitrum one", 1}}},
		{"a digit beside it", "ethereun 2", []found{{"ethereum 2", 1}}},
		{"a short term that is not there", "arbitrun two", nil},
		{"a label without its space", "arbitrumone", []found{{"arbitrum one", 1}}},
		{"no label has it", "polygom", nil},
		{"nothing near", "completely", nil},
		{"no terms", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []found
			for _, s := range x.Suggest(fold.Terms(tt.q), 3, nil) {
				got = append(got, found{s.Label, s.Distance})
			}
			if tt.name == "two terms" {
				got = got[:min(len(got), 1)]
			}
			if diff := gocmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%q (-want +got):\n%s", tt.q, diff)
			}
		})
	}
}

// suggestNaively examines all labels of all records.
func suggestNaively(records []Document, terms []string, n int, accept func(string, uint32) bool) []Suggestion {
	if len(terms) > maxMisspelt {
		return nil
	}
	byLabel := map[string]Suggestion{}
	for number, d := range records {
		for _, label := range d.Labels {
			if s, ok := suggestionNaively(label, terms); ok && accept(s.Label, uint32(number)) {
				byLabel[s.Label] = s
			}
		}
	}
	var all []Suggestion
	for _, s := range byLabel {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b Suggestion) int {
		return cmp.Or(a.Distance-b.Distance, a.Spare-b.Spare, a.letters-b.letters, strings.Compare(a.Label, b.Label))
	})
	return all[:min(len(all), n)]
}

func suggestionNaively(text string, terms []string) (Suggestion, bool) {
	label := fold.Text(text)
	words := strings.Split(label, " ")
	s := Suggestion{Label: label, letters: utf8.RuneCountInString(label), Spare: max(0, len(words)-len(terms))}
	vague := false
	for _, term := range terms {
		limit := limitNaively(term)
		if limit == 0 {
			if !foundIn(text, term) {
				return s, false
			}
			continue
		}
		vague = true
		least, latin := limit+1, fold.Latin(term)
		for _, word := range words {
			least = min(least, spelling.Distance(latin, fold.Latin(word), 99))
		}
		if d := spelling.Distance(latin, fold.Latin(label), 99); len(terms) == 1 && d <= least {
			least, s.Spare = d, 0
		}
		if least > limit {
			return s, false
		}
		s.Distance += least
	}
	return s, vague && label != ""
}

func limitNaively(term string) int {
	if strings.ContainsFunc(term, func(r rune) bool {
		return unicode.In(r, unicode.N) || r == 'ー' || unicode.In(r, unicode.L) && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
	}) {
		return 0
	}
	letters := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.M, r) {
			return -1
		}
		return r
	}, term)
	switch n := utf8.RuneCountInString(letters); {
	case n < 5:
		return 0
	case n < 9:
		return 1
	}
	return 2
}

func checkSuggest(t interface{ Errorf(string, ...any) }, x *Index, records []Document, q string) {
	terms := fold.Terms(q)
	for _, n := range []int{0, 1, 3, 100} {
		for _, accept := range []func(string, uint32) bool{
			func(string, uint32) bool { return true },
			func(label string, number uint32) bool { return (len(label)+int(number))%2 == 0 },
		} {
			want, got := suggestNaively(records, terms, n, accept), x.Suggest(terms, n, accept)
			if !slices.Equal(want, got) {
				t.Errorf("%+q, terms %+q, %d of %+q:\n got %+v\nwant %+v", q, terms, n, records, got, want)
			}
		}
	}
	for _, term := range terms {
		for _, whole := range []bool{false, true} {
			if want, got := nearNaively(records, term, whole), nearOf(x, term, whole); !slices.Equal(want, got) {
				t.Errorf("near to %+q, whole %t, of %+q:\n got %+q\nwant %+q", term, whole, records, got, want)
			}
		}
	}
	for _, d := range records {
		for _, label := range append(d.Labels, q) {
			folded := fold.Text(label)
			want := slices.ContainsFunc(records, func(d Document) bool {
				return slices.ContainsFunc(d.Labels, func(l string) bool { return fold.Text(l) == folded })
			})
			if got := folded != "" && x.HasLabel(folded); got != (want && folded != "") {
				t.Errorf("%+q is a label of %+q: %t, want %t", folded, records, got, want)
			}
		}
	}
}

func nearOf(x *Index, term string, whole bool) []string {
	texts, _ := x.Near(term, whole, nil)
	return texts
}

// nearNaively examines all words of all labels.
func nearNaively(records []Document, term string, whole bool) []string {
	least, latin := limitNaively(term), fold.Latin(term)
	if least == 0 {
		return nil
	}
	var texts []string
	try := func(text string) {
		d := spelling.Distance(latin, fold.Latin(text), 99)
		if d < least {
			least, texts = d, nil
		}
		if d == least && text != "" {
			texts = append(texts, text)
		}
	}
	for _, d := range records {
		for _, label := range d.Labels {
			for word := range strings.SplitSeq(fold.Text(label), " ") {
				try(word)
			}
			if whole {
				try(fold.Text(label))
			}
		}
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// misspellable generates words of few distinct letters, so that many are near.
var misspellable = []*rapid.Generator[string]{
	rapid.StringOfN(rapid.SampledFrom([]rune("aab")), 4, 10, -1),
	rapid.StringOfN(rapid.SampledFrom([]rune("aаbeе ")), 4, 14, -1), // two of these are Cyrillic
	rapid.StringOfN(rapid.SampledFrom([]rune("abAB1 太é-")), 4, 12, -1),
	rapid.StringOfN(rapid.SampledFrom([]rune("moмоսօ\u0301 ")), 4, 12, -1),
	rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{"ethereum", "etherium", "arbitrum", "arbitrun", "one", "2", "AI", "Эфириум", "эфирум", "network-s"}), 1, 3),
		func(parts []string) string { return strings.Join(parts, " ") }),
}

func TestSuggestIsByTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := oneOf(t, misspellable)
		record := documents(texts)
		records := rapid.SliceOfN(record, 0, 8).Draw(t, "records")
		x := indexOfDocuments(records)
		if rapid.Bool().Draw(t, "edit") {
			x, records = edited(t, x, records, record)
		}
		for range 10 {
			checkSuggest(t, x, records, question(t, texts, records))
		}
	})
}
