// Package fold holds how texts and queries are folded, so that they compare
// (docs/api.md#search): the folded form of a text, the terms of a query, and
// where words start.
//
// It must not know records, indexes or parameters. It has no state; everything
// here is safe for concurrent use and total: invalid UTF-8 counts as U+FFFD.
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
// The only white space of a folded text is the single U+0020 between words; in
// particular it holds no line break. Folding a folded text changes nothing.
//
// Runs of more than thirty marks get a U+034F inside, as in the Stream-Safe
// Text Format of UAX #15, which bounds what normalisation has to hold.
func Text(s string) string {
	if folded, ok := simpleText(s); ok {
		return folded
	}
	return anyText(s)
}

// anyText is Text of a text of which nothing is known.
func anyText(s string) string { return collapse(uncollapsed(s)) }

// uncollapsed is anyText with white space as it is.
func uncollapsed(s string) string {
	s = norm.NFKC.String(strings.ToValidUTF8(s, "\uFFFD"))
	s = foldCase(s)
	if bare := norm.NFC.String(withoutAccents(norm.NFD.String(s))); bare != s {
		s = foldCase(bare) // else it is folded already
	}
	return s
}

// Terms returns the terms of a query: q folded, split at spaces, the leading
// `@`s of each dropped. Terms are never empty or repeated and come in the order
// of their first appearance; nil means that there are none, which finds all
// (docs/api.md#search). The work is quadratic in the number of different terms:
// the caller bounds q.
func Terms(q string) []string {
	var terms []string
	for term := range eachTerm(q) {
		if !slices.Contains(terms, term) {
			terms = append(terms, term)
		}
	}
	return terms
}

// Phrase returns the terms of a query in their order, those that are repeated too,
// a space between each two: what a text is that the query spells out. It is empty
// where there are no terms.
func Phrase(q string) string {
	return strings.Join(slices.Collect(eachTerm(q)), " ")
}

// eachTerm gives the terms of a query, those that are repeated too.
func eachTerm(q string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for term := range strings.SplitSeq(Text(q), " ") {
			if term = strings.TrimLeft(term, "@"); term != "" && !yield(term) {
				return
			}
		}
	}
}

// foldCase returns s in full case folding. Cherokee is put right afterwards: it
// folds to upper case (CaseFolding.txt), but x/text exchanges its two cases.
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

// withoutAccents drops the nonspacing marks of an NFD text that follow a letter
// of a script in which search ignores them. All marks are looked through, so
// that one which stays (an enclosing circle) does not shield the next.
func withoutAccents(s string) string {
	var b strings.Builder
	kept := 0 // s[:kept] is either in b or dropped
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

// losesMarks reports whether r is a letter after which search ignores marks.
func losesMarks(r rune) bool {
	return unicode.IsLetter(r) &&
		unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Hebrew, unicode.Arabic)
}

// collapse turns every run of white space into one space and trims the ends.
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
