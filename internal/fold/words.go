package fold

import (
	"unicode"
	"unicode/utf8"
)

// Anywhere reports whether a folded term matches anywhere in a text: if it has three or more code
// points or a letter of a script without spaces, begins with neither letter nor digit, or is
// empty. Other terms match at word starts only (docs/api.md#search).
func Anywhere(term string) bool {
	first, _ := utf8.DecodeRuneInString(term)
	if !kindOf(first).inWord() {
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
// a word starts, ascending. A word starts
// (docs/api.md#search) at a letter or digit
//   - that is first or follows something that is neither letter, digit nor mark,
//   - that is an upper-case letter after a lower-case one,
//   - that is a digit after a letter or a letter after a digit.
//
// The last two look past marks, so that a letter and its accent as one code
// point and as two are the same word. "Digit" is Unicode N, "mark" Unicode M; a
// title-case letter (`ǅ`) is not an upper-case one.
func WordStarts(s string) []int {
	starts := make([]int, 0, 2+len(s)/6) // words of English are that long
	previous := other                    // kind of the code point before r
	base := other                        // kind of the last code point that is not a mark
	for i, r := range s {
		k := kindOf(r)
		if k.inWord() && (previous == other || k.breaks(base)) {
			starts = append(starts, i)
		}
		previous = k
		if k != mark {
			base = k
		}
	}
	return starts
}

// WordEnds returns the byte offsets in s, an unfolded text, at which a word may end, ascending: at
// the end of s, before a character that is neither letter, digit nor mark, and at word starts,
// except 0.
func WordEnds(s string) []int {
	var ends []int
	starts := WordStarts(s)
	for i, r := range s {
		start := len(starts) > 0 && starts[0] == i
		if start {
			starts = starts[1:]
		}
		if i > 0 && (start || kindOf(r) == other) {
			ends = append(ends, i)
		}
	}
	if s == "" {
		return nil
	}
	return append(ends, len(s))
}

// kind is the class of a code point for word boundaries.
type kind int

const (
	other kind = iota
	mark
	digit
	lower  // a lower-case letter
	upper  // an upper-case letter
	letter // any other letter
)

// asciiKinds is kindOf of the first 128 code points. It never changes.
var asciiKinds = func() (kinds [utf8.RuneSelf]kind) {
	for r := range kinds {
		kinds[r] = kindByTables(rune(r))
	}
	return kinds
}()

func kindOf(r rune) kind {
	switch {
	case r < utf8.RuneSelf:
		return asciiKinds[r]
	case 0x4E00 <= r && r <= 0x9FA5, 0x3041 <= r && r <= 0x3096, 0x30A1 <= r && r <= 0x30FA: // Han, kana
		return letter
	case r == '、', r == '。', r == '，':
		return other
	}
	return kindByTables(r)
}

func kindByTables(r rune) kind {
	switch {
	case unicode.IsLower(r):
		return lower
	case unicode.IsUpper(r):
		return upper
	case unicode.IsLetter(r):
		return letter
	case unicode.IsNumber(r):
		return digit
	case isMark(r):
		return mark
	}
	return other
}

// inWord reports whether k is a letter or a digit.
func (k kind) inWord() bool { return k >= digit }

// breaks reports whether a code point of kind k starts a new word after a code point of kind base.
func (k kind) breaks(base kind) bool {
	if !base.inWord() {
		return false
	}
	return (k == digit) != (base == digit) || k == upper && base == lower
}

// isMark reports whether r is a mark (Unicode M); U+0300 is the first.
func isMark(r rune) bool { return r >= '\u0300' && unicode.IsMark(r) }

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
