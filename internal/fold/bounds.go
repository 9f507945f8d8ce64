package fold

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Bounds returns a text folded, with the byte offsets in the folded text at which
// words start (see [WordStarts]) and at which they may end: at its end, before what
// is neither letter, digit nor mark, and where another word starts. Both are
// ascending. What stands between a start and an end is what the text between
// them folds to, and what stands between a start and the end of all is what the rest
// of the text folds to.
//
// It is not ok for the few texts of which that is not so, because folding moves
// what stands at both sides of such a place: marks that only some letters lose or
// that are put in another order, or a letter that folds to a space and marks.
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

// standsAlone reports whether rest folds to the same whatever stands before it, and
// what stands before it to the same whatever follows; and whether it folds to nothing
// that begins with white space, unless it begins with no letter or digit.
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
	b      []byte // white space collapsed, and none at its ends
	space  bool   // is due before what comes next
	simple bool   // all pieces were of simple code points
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

// next returns where the next code point that is no white space goes.
func (f *folder) next() int {
	if f.space && len(f.b) > 0 {
		f.b = append(f.b, ' ')[:len(f.b)]
		return len(f.b) + 1
	}
	return len(f.b)
}

// end appends where the text so far ends, if there is any and it is not there.
func (f *folder) end(ends []int) []int {
	if end := len(f.b); end > 0 && (len(ends) == 0 || ends[len(ends)-1] < end) {
		return append(ends, end)
	}
	return ends
}
