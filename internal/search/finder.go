package search

import "strings"

// finder looks for one term in many words. Where the term is long it looks at
// the last three bytes of where the term might be first, and mostly goes on by
// nearly the length of the term (Horspool's way, with three bytes for one, since
// single bytes of UTF-8 tell little).
type finder struct {
	term string
	skip *[1 << 12]uint8 // by hash of three bytes: how far the term can be moved on; nil where it is short
}

// worthSkipping is the length from which a term is looked for with skips.
const worthSkipping = 6

func newFinder(term string) finder {
	f := finder{term: term}
	if len(term) < worthSkipping {
		return f
	}
	f.skip = new([1 << 12]uint8)
	far := min(len(term)-2, 255)
	for i := range f.skip {
		f.skip[i] = uint8(far)
	}
	for i := max(0, len(term)-2-255); i < len(term)-2; i++ {
		f.skip[hash(term, i)] = uint8(len(term) - 3 - i) // later ones are smaller
	}
	return f
}

// hash is that of the three bytes of s from i on.
func hash(s string, i int) uint32 {
	return (uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16) * 0x9E3779B1 >> 20
}

// in reports whether a word holds the term.
func (f *finder) in(word string) bool {
	if f.skip == nil {
		return strings.Contains(word, f.term)
	}
	last := len(f.term) - 3
	for at := 0; at+len(f.term) <= len(word); {
		skip := f.skip[hash(word, at+last)]
		if skip > 0 {
			at += int(skip)
			continue
		}
		if word[at:at+len(f.term)] == f.term {
			return true
		}
		at++
	}
	return false
}
