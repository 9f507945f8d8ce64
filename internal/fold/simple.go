package fold

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Simple returns what a code point folds to, for those that fold to one code
// point whatever stands beside them, if that is simple, too: most letters of
// Latin, Han and kana, and what is written between them. Nothing that combines
// is simple, so a text of simple code points is folded one by one. White space
// but U+0020 is not simple.
func Simple(r rune) (folded rune, ok bool) {
	switch {
	case r < tableSize:
		folded = table[r]
		return folded, folded != 0
	case 0x4E00 <= r && r <= 0x9FA5, // Han
		0x3041 <= r && r <= 0x3096, 0x30A1 <= r && r <= 0x30FE, // kana, 〜ー included
		0x3001 <= r && r <= 0x3003, 0x3008 <= r && r <= 0x3011, // 、。〃〈〉《》「」『』【】
		r == '–', r == '—', r == '‘', r == '’', r == '“', r == '”', r == '•':
		return r, true
	case 0xFF01 <= r && r <= 0xFF5E: // ASCII at the width of Han
		return Simple(r - 0xFF01 + '!')
	}
	return 0, false
}

// tableSize ends the blocks of Latin that have a table.
const tableSize = 0x250

// table is what the first code points fold to, 0 for those that are not simple.
// It never changes.
var table = func() (t [tableSize]rune) {
	for r := rune(' '); r < utf8.RuneSelf-1; r++ {
		t[r] = r
		if 'A' <= r && r <= 'Z' {
			t[r] += 'a' - 'A'
		}
	}
	for r := rune(0xA1); r < tableSize; r++ {
		if !unicode.IsLetter(r) && !unicode.IsPunct(r) {
			continue
		}
		if folded := []rune(anyText(string(r))); len(folded) == 1 {
			t[r] = folded[0]
		}
	}
	return t
}()

// simpleText is Text of a text whose code points are all simple; it is not ok
// for any other.
func simpleText(s string) (string, bool) {
	return SimpleText(s, func(rune, rune) {})
}

// SimpleText returns what [Text] does of a text whose code points are all simple,
// and calls start for each word start, in their order (see [WordStarts]), with the
// first two code points of the folded rest of the text from there; the second is a
// space where there is none. It is not ok for any other text, and calls nothing
// then.
func SimpleText(s string, start func(first, second rune)) (folded string, ok bool) {
	same := true
	for _, r := range s {
		f, ok := Simple(r)
		if !ok {
			return "", false
		}
		same = same && f == r
	}
	var b []byte // the folded text, where it is another
	if !same {
		b = make([]byte, 0, len(s))
	}
	previous, afterSpace, collapsed := other, true, false
	first := rune(-1) // of the word whose second code point comes next
	for _, r := range s {
		f, _ := Simple(r)
		if first >= 0 {
			start(first, f)
			first = -1
		}
		k := kindOf(r)
		if k.inWord() && (previous == other || k.breaks(previous)) {
			first = f
		}
		previous = k // no simple code point is a mark
		if f == ' ' && afterSpace {
			collapsed = true
			continue
		}
		afterSpace = f == ' '
		if !same {
			b = utf8.AppendRune(b, f)
		}
	}
	if first >= 0 {
		start(first, ' ')
	}
	switch {
	case same && (collapsed || afterSpace):
		return collapse(s), true
	case same:
		return s, true
	}
	return string(bytes.TrimSuffix(b, []byte{' '})), true
}
