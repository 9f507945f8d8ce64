package snapshot

import (
	"slices"
	"strings"

	"vitrine/internal/fold"
)

// respelled returns words with unknown ones replaced by another spelling that labels contain.
func (v *vocabulary) respelled(words []word) []word {
	all := slices.Clone(words)
	for i, w := range all[:min(len(all), maxWords)] {
		if v.frequency(w.term) > 0 {
			continue
		}
		if spelling := v.spelling(w.term); spelling != "" {
			all[i] = word{term: spelling, written: w.written, changed: true}
		}
	}
	return all
}

// isSpelled reports whether some record has a term, or labels have another spelling of it.
func (v *vocabulary) isSpelled(term string) bool {
	return v.frequency(term) > 0 || v.spelling(term) != ""
}

// spelling returns the first of the other spellings of a term that labels contain; "" for none.
func (v *vocabulary) spelling(term string) string {
	for _, spelling := range spellings(term) {
		if v.weightOf([]word{{term: spelling}}) < isInText {
			return spelling
		}
	}
	return ""
}

// spellings returns the usual other spellings of a word in kana or Han: in katakana, with small
// vowels (ウォ for ウオ), without a final long vowel, with both, and in simplified characters. Other
// words have none.
func spellings(term string) []string {
	katakana := fold.Katakana(term)
	small := smallVowels.Replace(katakana)
	var all []string
	for _, spelling := range []string{
		katakana, small, strings.TrimSuffix(katakana, "ー"), strings.TrimSuffix(small, "ー"), fold.Simplified(term),
	} {
		if spelling != "" && spelling != term && !slices.Contains(all, spelling) {
			all = append(all, spelling)
		}
	}
	return all
}

var smallVowels = strings.NewReplacer(
	"ウイ", "ウィ", "ウエ", "ウェ", "ウオ", "ウォ", "ヴア", "ヴァ", "ヴイ", "ヴィ", "ヴエ", "ヴェ", "ヴオ", "ヴォ",
	"フア", "ファ", "フイ", "フィ", "フエ", "フェ", "フオ", "フォ", "テイ", "ティ", "デイ", "ディ", "チエ", "チェ", "シエ", "シェ", "ジエ", "ジェ",
)
