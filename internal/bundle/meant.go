package bundle

import (
	"strings"

	"vitrine/internal/spelling"
)

// meant is the remedy for a word that is not among the known ones: it names
// the nearest of them, or all.
func meant(word string, known []string) string {
	if best := spelling.Nearest(word, known); best != "" {
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
