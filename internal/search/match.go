package search

import (
	"slices"
	"strings"

	"vitrine/internal/fold"
)

// Match returns the class (see [Index.Ranked]) in which a record matches terms,
// which spell out phrase, 0 where it does not, and the first of its labels, then of
// its ids, that alone has the record in that class, as it is given: in class 4 one in
// which every term is found. There is none, "", in class 5, and where the terms are
// found in several labels only. No terms are class 5.
//
// It looks at this record alone and is meant for the few that are shown.
func Match(d Document, terms []string, phrase string) (class int, label string) {
	if len(terms) == 0 {
		return 5, ""
	}
	for _, rule := range []func(string) bool{
		func(label string) bool { return fold.Text(label) == phrase },
		func(label string) bool { return allIn(label, terms, true) },
		func(label string) bool { return allIn(label, terms, false) },
		func(label string) bool { return allOf(terms, func(term string) bool { return isIn(label, term) }) },
	} {
		class++
		if i := slices.IndexFunc(d.Labels, rule); i >= 0 && matches(d, terms) {
			return class, d.Labels[i]
		}
		i := slices.IndexFunc(d.IDs, func(id string) bool {
			id = fold.Text(id)
			return class == 1 && id == phrase || class == 4 && allOf(terms, func(term string) bool { return term == id })
		})
		if i >= 0 && matches(d, terms) {
			return class, d.IDs[i]
		}
	}
	switch {
	case matches(Document{Labels: d.Labels, IDs: d.IDs}, terms):
		return 4, ""
	case matches(d, terms):
		return 5, ""
	}
	return 0, ""
}

// matches reports whether every term is found in one of a record's texts or is
// one of its ids.
func matches(d Document, terms []string) bool {
	return allOf(terms, func(term string) bool {
		found := func(text string) bool { return isIn(text, term) }
		return slices.ContainsFunc(d.Labels, found) || slices.ContainsFunc(d.Texts, found) ||
			slices.ContainsFunc(d.IDs, func(id string) bool { return fold.Text(id) == term })
	})
}

func allOf(terms []string, holds func(string) bool) bool {
	return !slices.ContainsFunc(terms, func(term string) bool { return !holds(term) })
}

// isIn reports whether a term is found in a text (docs/api.md#search).
func isIn(text, term string) bool {
	if fold.Anywhere(term) {
		return strings.Contains(fold.Text(text), term)
	}
	return beginsWord(text, term)
}

// allIn reports whether a word of a text begins with every one of terms or, if it
// must be whole, is it.
func allIn(text string, terms []string, whole bool) bool {
	folded, starts, ends, ok := fold.Bounds(text)
	return allOf(terms, func(term string) bool {
		switch {
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
