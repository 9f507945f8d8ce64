package fold

import (
	_ "embed" // the table
	"sort"
	"strings"
	"unicode/utf8"
)

// simplifiedTable has a line for each traditional Chinese character with a simplified form: both, of characterSize bytes
// each. The lines are in code point order. scripts/simplified generates it.
//
//go:embed simplified.txt
var simplifiedTable string

const (
	characterSize = 3                   // bytes of a character in UTF-8
	lineSize      = 2*characterSize + 1 // with the line feed
)

// Simplified returns a text with its traditional Chinese characters in simplified form. A text that mixes both forms
// becomes the same as one in simplified characters. Other characters stay.
func Simplified(text string) string {
	return strings.Map(func(r rune) rune {
		if utf8.RuneLen(r) != characterSize {
			return r
		}
		i, found := sort.Find(len(simplifiedTable)/lineSize, func(i int) int { return int(r - characterAt(i*lineSize)) })
		if !found {
			return r
		}
		return characterAt(i*lineSize + characterSize)
	}, text)
}

func characterAt(offset int) rune {
	r, _ := utf8.DecodeRuneInString(simplifiedTable[offset:])
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
