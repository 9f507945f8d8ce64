package bundle

import (
	"strings"

	"vitrine/internal/spelling"
)

// meant returns the remedy for an unknown word: it names the nearest known one, or all.
func meant(word string, known []string) string {
	if best := spelling.Nearest(word, known); best != "" {
		return "did you mean " + quote(best) + "?"
	}
	return "remove it, or use one of: " + strings.Join(visible(known), ", ")
}

// visible removes `$schema`, which is for editors' programs.
func visible(known []string) []string {
	var out []string
	for _, k := range known {
		if !strings.HasPrefix(k, "$") {
			out = append(out, k)
		}
	}
	return out
}
