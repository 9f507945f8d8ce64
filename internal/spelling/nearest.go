package spelling

import (
	"iter"
	"slices"
	"strings"
)

// longest bounds the words that are compared, in bytes: no known word comes near.
const longest = 100

// Nearest returns the known word that word was probably meant to be: the same but for
// case, dashes, underscores and spaces, or a third of its letters away at most. The
// first of several wins; "" is none.
func Nearest(word string, known []string) string {
	if len(word) > longest {
		return ""
	}
	return Within(max(1, (len(word)+1)/3), plain(word), slices.Values(known), plain)
}

// Within returns the known word whose form is the fewest edits from word, and no more
// than most. The first of several wins; "" is none.
func Within(most int, word string, known iter.Seq[string], form func(string) string) string {
	best, least := "", most+1
	for k := range known {
		if d := Distance(word, form(k), least); d < least {
			best, least = k, d
		}
	}
	return best
}

var separators = strings.NewReplacer("-", "", "_", "", " ", "")

func plain(s string) string { return separators.Replace(strings.ToLower(s)) }
