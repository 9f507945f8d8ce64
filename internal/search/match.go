package search

import (
	"slices"
	"strings"

	"vitrine/internal/fold"
)

// Match returns the best class (see [Index.Ranked]) that a single label or ID of a record has,
// and the first such label as written, labels before IDs. phrase is the phrase of terms. It
// returns 0 and "" if no single one has all terms, and for no terms.
//
// It examines only this record, and is meant for the few displayed ones.
func Match(d Document, terms []string, phrase string) (class int, label string) {
	if len(terms) == 0 {
		return 0, ""
	}
	const none = classes
	class = none
	byID := false
	for _, l := range d.Labels {
		if c := labelClass(l, terms, phrase, class); c < class {
			class, label = c, l
		}
		if class == 1 {
			break
		}
	}
	for _, id := range d.IDs {
		switch folded := fold.Text(id); {
		case class > 1 && folded == phrase:
			class, label, byID = 1, id, true
		case class > 4 && allOf(terms, func(term string) bool { return term == folded }):
			class, label = 4, id
		}
	}
	doubtful := class == 1 && (byID || !allOf(terms, fold.Anywhere)) // a short term may not begin a word of the label that is the phrase
	if class == none || doubtful && !matches(d, terms) {
		return 0, ""
	}
	return class, label
}

// labelClass returns the class of a label alone, or worst if it is no better.
func labelClass(label string, terms []string, phrase string, worst int) int {
	if !mayHave(label, terms) {
		return worst // the usual case
	}
	for class, rule := range []func() bool{
		func() bool { return fold.Text(label) == phrase },
		func() bool { return allIn(label, terms, true) },
		func() bool { return allIn(label, terms, false) },
		func() bool { return allOf(terms, func(term string) bool { return isIn(label, term) }) },
	} {
		if class+1 >= worst {
			break
		}
		if rule() {
			return class + 1
		}
	}
	return worst
}

// mayHave reports quickly whether a label may have all terms. In a label that folds simply, a
// term occurs unchanged.
func mayHave(label string, terms []string) bool {
	if isASCII(label) {
		return allOf(terms, func(term string) bool { return containsASCII(label, term) })
	}
	folded, ok := fold.SimpleText(label, func(rune, rune) {})
	return !ok || allOf(terms, func(term string) bool { return strings.Contains(folded, term) })
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// containsASCII reports whether the folded form of an ASCII text contains a folded term. White
// space is irrelevant, since terms have none.
func containsASCII(text, term string) bool {
	for from := 0; from+len(term) <= len(text); from++ {
		i := 0
		for i < len(term) && lower(text[from+i]) == term[i] {
			i++
		}
		if i == len(term) {
			return true
		}
	}
	return false
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// matches reports whether each term is in one of the texts of a record or equals one of its ids.
func matches(d Document, terms []string) bool {
	return allOf(terms, func(term string) bool {
		has := func(text string) bool { return isIn(text, term) }
		return slices.ContainsFunc(d.Labels, has) || slices.ContainsFunc(d.Texts, has) ||
			slices.ContainsFunc(d.IDs, func(id string) bool { return fold.Text(id) == term })
	})
}

func allOf(terms []string, holds func(string) bool) bool {
	return !slices.ContainsFunc(terms, func(term string) bool { return !holds(term) })
}

// isIn reports whether a term is in a text (docs/api.md#search).
func isIn(text, term string) bool {
	if fold.Anywhere(term) {
		return strings.Contains(fold.Text(text), term)
	}
	return beginsWord(text, term)
}

// allIn reports whether for each of terms, a word of a text begins with it or, with whole, equals
// it.
func allIn(text string, terms []string, whole bool) bool {
	folded, starts, ends, ok := fold.Bounds(text)
	return allOf(terms, func(term string) bool {
		switch {
		case !ok && !isIn(text, term): // a word alone may fold to what it does not in the text
			return false
		case !ok && whole:
			return isWord(text, term)
		case !ok:
			return beginsWord(text, term)
		}
		return slices.ContainsFunc(starts, func(start int) bool {
			return strings.HasPrefix(folded[start:], term) && (!whole || slices.Contains(ends, start+len(term)))
		})
	})
}

// beginsWord reports whether a word of any text begins with a term.
func beginsWord(text, term string) bool {
	return slices.ContainsFunc(fold.WordStarts(text), func(start int) bool {
		return strings.HasPrefix(fold.Text(text[start:]), term)
	})
}

// isWord reports whether a word of any text is a term.
func isWord(text, term string) bool {
	ends := fold.WordEnds(text)
	return slices.ContainsFunc(fold.WordStarts(text), func(start int) bool {
		return slices.ContainsFunc(ends, func(end int) bool { return end > start && fold.Text(text[start:end]) == term })
	})
}
