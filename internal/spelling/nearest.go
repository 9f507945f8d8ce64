package spelling

import "strings"

// longest bounds the compared words, in bytes; longer words have no near known word.
const longest = 100

// Nearest returns the known word that is closest to word, or "". A known word matches
// if it differs only in case, dashes, underscores and spaces, or in at most a third
// of its letters. The first of several wins.
func Nearest(word string, known []string) string {
	if len(word) > longest {
		return ""
	}
	return Within(max(1, (len(word)+1)/3), plain(word), known, plain)
}

// Within returns the known word whose form has the fewest edits from word, at most
// most, or "". The first of several wins.
func Within(most int, word string, known []string, form func(string) string) string {
	best, least := "", most+1
	for _, k := range known {
		if d := Distance(word, form(k), least); d < least {
			best, least = k, d
		}
	}
	return best
}

var separators = strings.NewReplacer("-", "", "_", "", " ", "")

func plain(s string) string { return separators.Replace(strings.ToLower(s)) }
