package snapshot

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitrine/internal/search"
)

// Lengths in code points of the labels that are searched in a word without spaces.
const (
	leastLabel = 2
	maxLabel   = 24
)

// cutWords splits the words that no record has: at punctuation, at changes of script and, in East
// Asian scripts, into the longest labels of the catalogue. It reports whether any word was split.
func (s *Snapshot) cutWords(known *vocabulary, words []word) ([]word, bool) {
	var all []word
	cut := false
	for _, w := range words {
		if len(all) >= maxWords || known.frequency(w.term) > 0 {
			all = append(all, w)
			continue
		}
		parts := []word{w.bare()}
		if known.frequency(parts[0].term) == 0 {
			parts = s.cutWord(known, parts[0])
		}
		cut = cut || len(parts) > 1 || parts[0].term != w.term
		all = append(all, parts...)
	}
	return all, cut
}

// cutFiner splits the words in East Asian scripts that some record has, but that are not labels,
// into the labels in them. It reports whether any word was split.
func (s *Snapshot) cutFiner(known *vocabulary, words []word) ([]word, bool) {
	var all []word
	for _, w := range words {
		if len(all) >= maxWords || !isEastAsian(w.term) || known.frequency(w.term) == 0 {
			all = append(all, w)
			continue
		}
		for _, piece := range s.cutLabels(w) {
			if !s.hasLabel(piece.term) && !isFunctionWord(piece.term) {
				all = append(all, piece.withoutFunctionWords()...)
			} else {
				all = append(all, piece)
			}
		}
	}
	return all, len(all) > len(words)
}

// bare returns a word without surrounding punctuation and symbols, as in "bitcoin?"; the word
// itself if it has no other characters.
func (w word) bare() word {
	letters := []rune(w.term)
	from, to := 0, len(letters)
	for from < to && isMark(letters[from]) {
		from++
	}
	for to > from && isMark(letters[to-1]) {
		to--
	}
	if from == to {
		return w
	}
	return w.slice(from, to)
}

func isMark(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M) }

// cutWord returns the parts of a word that no record has; only w if it is not split.
func (s *Snapshot) cutWord(known *vocabulary, w word) []word {
	var all []word
	for _, part := range w.runs(scriptOf) {
		if !isEastAsian(part.term) || known.isSpelled(part.term) {
			all = append(all, part)
			continue
		}
		for _, piece := range s.cutLabels(part) {
			if len(all) >= maxWords || known.isSpelled(piece.term) || isFunctionWord(piece.term) {
				all = append(all, piece)
				continue
			}
			for _, piece := range piece.withoutFunctionWords() {
				for _, piece := range piece.runs(finerScriptOf) {
					all = append(all, s.cutHan(known, piece)...)
				}
			}
		}
	}
	return all
}

// cutHan splits a Han word that no record has, from its beginning, into the longest parts of at
// least two characters that labels contain.
func (s *Snapshot) cutHan(known *vocabulary, w word) []word {
	letters := []rune(w.term)
	if known.frequency(w.term) > 0 || slices.ContainsFunc(letters, func(r rune) bool { return !unicode.Is(unicode.Han, r) }) {
		return []word{w}
	}
	var all []word
	from := 0 // start of the rest
	for at := 0; at+leastLabel <= len(letters); {
		to := at + 1
		for to < len(letters) && to-at < maxLabel && s.isInLabel(string(letters[at:to+1])) {
			to++
		}
		if to-at < leastLabel {
			at++
			continue
		}
		if from < at {
			all = append(all, w.slice(from, at))
		}
		all = append(all, w.slice(at, to))
		from, at = to, to
	}
	if from < len(letters) {
		all = append(all, w.slice(from, len(letters)))
	}
	return all
}

// withoutFunctionWords trims the longest East Asian function word from the beginning of a word,
// then from its end, unless nothing would remain.
func (w word) withoutFunctionWords() []word {
	n := utf8.RuneCountInString(w.term)
	letters := []rune(w.term)
	from, to := 0, n
	for size := n - 1; size > 0 && from == 0; size-- {
		if isEastAsianFunctionWord(string(letters[:size])) {
			from = size
		}
	}
	for size := n - from - 1; size > 0 && to == n; size-- {
		if isEastAsianFunctionWord(string(letters[n-size:])) {
			to = n - size
		}
	}
	var all []word
	for _, part := range [][2]int{{0, from}, {from, to}, {to, n}} {
		if part[0] < part[1] {
			all = append(all, w.slice(part[0], part[1]))
		}
	}
	return all
}

func isEastAsianFunctionWord(term string) bool { return isEastAsian(term) && isFunctionWord(term) }

// slice returns the part of a word between two code points. The written form is split too if
// folding kept the number of code points.
func (w word) slice(from, to int) word {
	term := []rune(w.term)
	if from == 0 && to == len(term) {
		return w
	}
	part := word{term: string(term[from:to])}
	part.written = part.term
	written := []rune(strings.TrimLeft(w.written, "@"))
	if len(written) == len(term) {
		part.written = string(written[from:to])
	}
	return part
}

// runs splits a word where the value of kind changes. Characters that are not letters belong to
// the letters before them, or at the beginning to those after them.
func (w word) runs(kind func(rune) *unicode.RangeTable) []word {
	var all []word
	var last *unicode.RangeTable
	from, at := 0, 0
	for _, r := range w.term {
		if of := kind(r); of != nil {
			if last != nil && of != last {
				all = append(all, w.slice(from, at))
				from = at
			}
			last = of
		}
		at++
	}
	if from == 0 {
		return []word{w}
	}
	return append(all, w.slice(from, at))
}

// eastAsian are the scripts that are used together: Han, kana and Hangul.
var eastAsian = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul}

// scriptOf returns the script of a letter, nil for other characters. All scripts of eastAsian
// count as Han, and Latin, Greek and Cyrillic, whose letters look similar, as Latin.
func scriptOf(r rune) *unicode.RangeTable {
	switch {
	case r == 'ー' || unicode.In(r, eastAsian...):
		return unicode.Han
	case !unicode.IsLetter(r):
		return nil
	case unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic):
		return unicode.Latin
	}
	for _, script := range scripts {
		if unicode.Is(script, r) {
			return script
		}
	}
	return nil
}

// scripts has all scripts; a letter has at most one.
var scripts = func() []*unicode.RangeTable {
	var all []*unicode.RangeTable
	for name, script := range unicode.Scripts {
		if name != "Common" && name != "Inherited" {
			all = append(all, script)
		}
	}
	return all
}()

// finerScriptOf distinguishes katakana and Hangul from Han, which includes hiragana.
func finerScriptOf(r rune) *unicode.RangeTable {
	switch {
	case r == 'ー' || unicode.Is(unicode.Katakana, r):
		return unicode.Katakana
	case unicode.Is(unicode.Hangul, r):
		return unicode.Hangul
	}
	return scriptOf(r)
}

func isEastAsian(term string) bool {
	return strings.ContainsFunc(term, func(r rune) bool { return scriptOf(r) == unicode.Han })
}

// cutLabels splits a word around its longest label, the first of equally long ones, and then
// splits the rest before and after it.
func (s *Snapshot) cutLabels(w word) []word {
	letters := []rune(w.term)
	longest := make([]int, len(letters)) // by place: lengths of the longest labels that begin there
	for from := range letters {
		for to := from + leastLabel; to <= min(len(letters), from+maxLabel); to++ {
			piece := string(letters[from:to])
			if !s.beginsLabel(piece) {
				break
			}
			if s.hasLabel(piece) {
				longest[from] = to - from
			}
		}
	}
	return w.cutAt(longest, 0, len(letters), s.hasLabel)
}

// cutAt is cutLabels for the part of a word between two places.
func (w word) cutAt(longest []int, from, to int, isLabel func(string) bool) []word {
	if from == to {
		return nil
	}
	best, length := 0, 0
	for at := from; at < to; at++ {
		n := min(longest[at], to-at)
		for n > length && n < longest[at] && !isLabel(string([]rune(w.term)[at:at+n])) {
			n-- // the longest label overlaps the end
		}
		if n >= leastLabel && n > length {
			best, length = at, n
		}
	}
	if length == 0 {
		return []word{w.slice(from, to)}
	}
	all := w.cutAt(longest, from, best, isLabel)
	all = append(all, w.slice(best, best+length))
	return append(all, w.cutAt(longest, best+length, to, isLabel)...)
}

// anyIndex reports whether something holds for the index of any kind.
func (s *Snapshot) anyIndex(holds func(*search.Index) bool) bool {
	return slices.ContainsFunc(s.searchables, func(of searchable) bool { return holds(of.index()) })
}

// beginsLabel reports whether a label of any record may begin with a text.
func (s *Snapshot) beginsLabel(folded string) bool {
	return s.anyIndex(func(x *search.Index) bool { return x.BeginsLabel(folded) })
}

// isInLabel reports whether any record has a label that contains a folded text.
func (s *Snapshot) isInLabel(folded string) bool {
	return s.anyIndex(func(x *search.Index) bool { return !x.LabelMatches([]string{folded}).IsEmpty() })
}

// hasLabel reports whether any record has a label.
func (s *Snapshot) hasLabel(folded string) bool {
	return utf8.ValidString(folded) && !strings.Contains(folded, " ") &&
		s.anyIndex(func(x *search.Index) bool { return x.HasLabel(folded) })
}
