package fold

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Bounds returns the folded text, with the byte offsets in it at which words start (see
// [WordStarts]) and may end: at the end of the text, before a character that is neither letter,
// digit nor mark, and where another word starts. Both lists are ascending. The text between a
// start and an end is the folded form of the text between them, and the text from a start to the
// end is the folded form of the rest of the text.
//
// ok is false for the few texts that do not fold this way, because folding moves characters across
// such an offset: marks that only some letters lose or that are reordered, or a letter that folds
// to a space and marks.
func Bounds(s string) (folded string, starts, ends []int, ok bool) {
	f := folder{b: make([]byte, 0, len(s)), simple: true}
	words := WordStarts(s)
	ok = true
	from := 0
	for _, to := range WordEnds(s) {
		if len(words) > 0 && words[0] == from {
			words = words[1:]
			starts = append(starts, f.next())
		}
		ok = ok && (from == 0 || standsAlone(s[from:]))
		f.add(s[from:to])
		ends = f.end(ends)
		from = to
	}
	folded = string(f.b)
	return folded, starts, ends, ok && (f.simple || folded == Text(s))
}

// standsAlone reports whether rest and the text before it fold independently. If rest begins with
// a letter or digit, its folded form must not begin with white space.
func standsAlone(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	if _, simple := Simple(r); simple {
		return true
	}
	if !norm.NFKC.PropertiesString(rest).BoundaryBefore() {
		return false
	}
	first, _ := utf8.DecodeRuneInString(norm.NFKD.String(string(r)))
	return !isMark(first) && !(unicode.IsSpace(first) && kindOf(r).inWord())
}

// folder folds a text piece by piece.
type folder struct {
	b      []byte // with collapsed white space, and none at its ends
	space  bool   // a space is due before the next character
	simple bool   // all pieces had only simple code points
}

func (f *folder) add(piece string) {
	before := *f
	for _, r := range piece {
		folded, ok := Simple(r)
		if !ok {
			*f = before
			f.simple = false
			for _, r := range uncollapsed(piece) {
				f.addRune(r)
			}
			return
		}
		f.addRune(folded)
	}
}

func (f *folder) addRune(r rune) {
	if unicode.IsSpace(r) {
		f.space = true
		return
	}
	f.b = utf8.AppendRune(f.b[:f.next()], r)
	f.space = false
}

// next returns the offset of the next code point that is not white space.
func (f *folder) next() int {
	if f.space && len(f.b) > 0 {
		f.b = append(f.b, ' ')[:len(f.b)]
		return len(f.b) + 1
	}
	return len(f.b)
}

// end appends the current end of the text, if the text is not empty and the offset is new.
func (f *folder) end(ends []int) []int {
	if end := len(f.b); end > 0 && (len(ends) == 0 || ends[len(ends)-1] < end) {
		return append(ends, end)
	}
	return ends
}
