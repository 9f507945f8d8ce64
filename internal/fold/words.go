package fold

import (
	"unicode"
	"unicode/utf8"
)

// Anywhere reports whether a folded term matches anywhere in a text: it has
// three or more code points, or a letter of a script that is written without
// spaces, or begins with neither letter nor digit. Any other term matches at
// the starts of words only (contract, "Search"). An empty term matches anywhere.
func Anywhere(term string) bool {
	first, _ := utf8.DecodeRuneInString(term)
	if !isWord(first) {
		return true
	}
	n := 0
	for _, r := range term {
		n++
		if n == 3 || isUnspaced(r) {
			return true
		}
	}
	return false
}

// WordStarts returns the byte offsets in s, a text that is not folded, at which
// a word starts, ascending; nil if there is none. A word starts (contract,
// "Search") at a letter or digit
//   - that is first or follows something that is neither letter, digit nor mark,
//   - that is an upper-case letter after a lower-case one,
//   - that is a digit after a letter or a letter after a digit.
//
// The last two look past marks, so that a letter and its accent as one code
// point and as two are the same word. "Digit" is Unicode N, "mark" Unicode M; a
// title-case letter (`ǅ`) is not an upper-case one.
func WordStarts(s string) []int {
	var starts []int
	previous := ' ' // the code point before r
	base := ' '     // the last one that is not a mark
	for i, r := range s {
		if isMark(r) {
			previous = r
			continue
		}
		if isWord(r) && (!isWord(previous) && !isMark(previous) || changes(base, r)) {
			starts = append(starts, i)
		}
		previous, base = r, r
	}
	return starts
}

// changes reports whether a word ends between a and b, which follow each other,
// by a change of case or of kind.
func changes(a, b rune) bool {
	switch {
	case unicode.IsLower(a):
		return unicode.IsUpper(b) || unicode.IsNumber(b)
	case unicode.IsLetter(a):
		return unicode.IsNumber(b)
	case unicode.IsNumber(a):
		return unicode.IsLetter(b)
	}
	return false
}

// isMark reports whether r is a mark (Unicode M); U+0300 is the first.
func isMark(r rune) bool { return r >= '\u0300' && unicode.IsMark(r) }

// isWord reports whether r is a letter (Unicode L) or a digit (Unicode N).
func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// isUnspaced reports whether r is a letter of a script that is written without
// spaces between words.
func isUnspaced(r rune) bool {
	if r < 0x0E00 {
		return false // below Thai, the first of them
	}
	return unicode.IsLetter(r) && (isSharedCJK(r) || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

// isSharedCJK reports whether r is a letter that Unicode assigns to no script of
// its own because Han, Hiragana and Katakana share it (its Script_Extensions):
// the closing mark 〆, the vertical repeat marks, 〼, and the prolonged sound ー.
func isSharedCJK(r rune) bool {
	switch r {
	case '〆', '〱', '〲', '〳', '〴', '〵', '〼', 'ー':
		return true
	}
	return false
}
