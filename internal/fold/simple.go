package fold

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Simple returns the folded form of a code point that folds to one simple code point in any
// context: most Latin, Han and kana letters and common punctuation. Combining characters, and
// white space except U+0020, are not simple. A text of simple code points can be folded one by
// one.
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

// tableSize is the end of the Latin blocks that have a table.
const tableSize = 0x250

// table has the folded form of the first code points, 0 for those that are not simple. It never
// changes.
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

// simpleText is Text for a text of simple code points; ok is false for others.
func simpleText(s string) (string, bool) {
	return SimpleText(s, func(rune, rune) {})
}

// SimpleText returns the folded form ([Text]) of a text of simple code points, and calls start for
// each word start in order (see [WordStarts]), with the first two code points of the folded text
// from there; the second is a space at the end. For other texts ok is false and start is not
// called.
func SimpleText(s string, start func(first, second rune)) (folded string, ok bool) {
	same := true
	for _, r := range s {
		f, ok := Simple(r)
		if !ok {
			return "", false
		}
		same = same && f == r
	}
	var b []byte // the folded text, if it differs
	if !same {
		b = make([]byte, 0, len(s))
	}
	previous, afterSpace, collapsed := other, true, false
	first := rune(-1) // first code point of a word, while its second is awaited
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
