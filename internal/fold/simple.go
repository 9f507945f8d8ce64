package fold

import (
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
	same, afterSpace := true, true
	for _, r := range s {
		folded, ok := Simple(r)
		if !ok {
			return "", false
		}
		same = same && folded == r && !(r == ' ' && afterSpace)
		afterSpace = r == ' '
	}
	if same && (!afterSpace || s == "") {
		return s, true
	}
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if r == ' ' && (len(b) == 0 || b[len(b)-1] == ' ') {
			continue
		}
		folded, _ := Simple(r)
		b = utf8.AppendRune(b, folded)
	}
	if len(b) > 0 && b[len(b)-1] == ' ' {
		b = b[:len(b)-1]
	}
	return string(b), true
}
