// Package fold folds texts and queries for comparison (docs/api.md#search): the folded form of a
// text, the terms of a query, and word boundaries.
//
// It must not know records, indexes or parameters. It has no state. All functions are safe for
// concurrent use and accept any input: invalid UTF-8 counts as U+FFFD.
package fold

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Text returns s in folded form: NFKC, full case folding, NFD, nonspacing marks
// removed after letters of the Latin, Greek, Cyrillic, Hebrew and Arabic
// scripts, NFC, case folding once more, white space collapsed and trimmed
// (docs/api.md#search). A mark is after a letter if nothing but marks stands
// between them.
//
// The only white space of a folded text is the single U+0020 between words. In particular, it has no
// line break. Folding is idempotent.
//
// Runs of more than thirty marks get a U+034F inside, as in the Stream-Safe Text Format of UAX #15,
// which bounds the memory of normalisation.
func Text(s string) string {
	if isASCIIWord(s) {
		return strings.ToLower(s)
	}
	if folded, ok := simpleText(s); ok {
		return folded
	}
	return anyText(s)
}

// Append appends Text(s) to b.
func Append(b []byte, s string) []byte {
	if !isASCIIWord(s) {
		return append(b, Text(s)...)
	}
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	return b
}

// isASCIIWord reports whether s has only ASCII characters other than space and controls. Most keys of
// records are of that form.
func isASCIIWord(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// anyText is Text for any text.
func anyText(s string) string { return collapse(uncollapsed(s)) }

// uncollapsed is anyText without collapsing white space.
func uncollapsed(s string) string {
	s = norm.NFKC.String(strings.ToValidUTF8(s, "\uFFFD"))
	s = foldCase(s)
	if bare := norm.NFC.String(withoutAccents(norm.NFD.String(s))); bare != s {
		s = foldCase(bare) // otherwise it is already folded
	}
	return s
}

// Terms returns the terms of a query: q is folded and split at spaces, and leading `@`s are
// removed. Terms are not empty, distinct, and in the order of their first appearance; nil means
// none, which matches everything (docs/api.md#search). The time is quadratic in the number of
// distinct terms, so the caller must limit q.
func Terms(q string) []string {
	var terms []string
	for term := range eachTerm(q) {
		if !slices.Contains(terms, term) {
			terms = append(terms, term)
		}
	}
	return terms
}

// Phrase returns all terms of a query in their order, including repeated ones, joined by spaces:
// the text that the query spells out. It is empty without terms.
func Phrase(q string) string {
	return strings.Join(slices.Collect(eachTerm(q)), " ")
}

// eachTerm yields the terms of a query, including repeated ones.
func eachTerm(q string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for term := range strings.SplitSeq(Text(q), " ") {
			if term = strings.TrimLeft(term, "@"); term != "" && !yield(term) {
				return
			}
		}
	}
}

// foldCase returns s with full case folding. It corrects Cherokee, which folds to upper case
// (CaseFolding.txt) while x/text exchanges its cases.
func foldCase(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'ꭰ' <= r && r <= 'ꮿ':
			return r - 'ꭰ' + 'Ꭰ'
		case 'ᏸ' <= r && r <= 'ᏽ':
			return r - 'ᏸ' + 'Ᏸ'
		}
		return r
	}, cases.Fold().String(s))
}

// withoutAccents removes the nonspacing marks of an NFD text after letters of scripts in which
// search ignores them. Other marks (an enclosing circle) do not end the search for further marks.
func withoutAccents(s string) string {
	var b strings.Builder
	kept := 0 // s[:kept] is copied to b or removed
	base := ' '
	for i, r := range s {
		switch {
		case !isMark(r):
			base = r
		case unicode.Is(unicode.Mn, r) && losesMarks(base):
			b.WriteString(s[kept:i])
			kept = i + utf8.RuneLen(r)
		}
	}
	if kept == 0 {
		return s
	}
	b.WriteString(s[kept:])
	return b.String()
}

// losesMarks reports whether search ignores marks after the letter r.
func losesMarks(r rune) bool {
	return unicode.IsLetter(r) &&
		unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Hebrew, unicode.Arabic)
}

// collapse replaces each run of white space by one space and trims the ends.
func collapse(s string) string {
	if isCollapsed(s) {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

func isCollapsed(s string) bool {
	afterSpace := true
	for _, r := range s {
		space := unicode.IsSpace(r)
		if space && (afterSpace || r != ' ') {
			return false
		}
		afterSpace = space
	}
	return !afterSpace || s == ""
}
