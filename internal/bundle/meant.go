package bundle

import (
	"strings"

	"vitrine/internal/spelling"
)

// meant is the remedy for a word that is not among the known ones: it names
// the nearest of them, or all.
func meant(word string, known []string) string {
	if best := Nearest(word, known); best != "" {
		return "did you mean " + quote(best) + "?"
	}
	return "take it out; known here: " + strings.Join(visible(known), ", ")
}

// visible leaves out `$schema`, which is for programs.
func visible(known []string) []string {
	var out []string
	for _, k := range known {
		if !strings.HasPrefix(k, "$") {
			out = append(out, k)
		}
	}
	return out
}

// Nearest returns the known word that word was probably meant to be: the same
// but for case, dashes and underscores, or a third of its letters away at
// most. The first of several wins; "" is none.
func Nearest(word string, known []string) string {
	const longest = 64 // no word of the directory comes near
	if len(word) > longest {
		return ""
	}
	best, least := "", 1+max(1, (len(word)+1)/3)
	for _, k := range known {
		if n := spelling.Distance(plain(word), plain(k), least); n < least {
			best, least = k, n
		}
	}
	return best
}

var separators = strings.NewReplacer("-", "", "_", "", " ", "")

func plain(s string) string { return separators.Replace(strings.ToLower(s)) }
