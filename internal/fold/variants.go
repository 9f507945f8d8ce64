package fold

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// characterSize is how many bytes each character of [traditional] and [simplified] takes.
const characterSize = 3

// Simplified returns a text with its traditional Chinese characters in simplified form. A text that mixes both forms
// becomes the same as one in simplified characters. Other characters stay.
func Simplified(text string) string {
	return strings.Map(func(r rune) rune {
		if utf8.RuneLen(r) != characterSize {
			return r
		}
		at := sort.Search(len(traditional)/characterSize, func(i int) bool { return characterAt(traditional, i) >= r })
		if at == len(traditional)/characterSize || characterAt(traditional, at) != r {
			return r
		}
		return characterAt(simplified, at)
	}, text)
}

func characterAt(table string, i int) rune {
	r, _ := utf8.DecodeRuneInString(table[characterSize*i:])
	return r
}

// Katakana returns a text with its hiragana as katakana. Other characters stay.
func Katakana(text string) string {
	return strings.Map(func(r rune) rune {
		if 'ぁ' <= r && r <= 'ゖ' {
			return r + 'ァ' - 'ぁ'
		}
		return r
	}, text)
}
