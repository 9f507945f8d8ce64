package bundle

import "strings"

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
		if n := distance(plain(word), plain(k)); n < least {
			best, least = k, n
		}
	}
	return best
}

var separators = strings.NewReplacer("-", "", "_", "", " ", "")

func plain(s string) string { return separators.Replace(strings.ToLower(s)) }

// distance is the number of letters to add, drop or change, or of neighbours
// to swap, to make b of a.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
