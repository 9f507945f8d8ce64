package fold

import (
	_ "embed" // the table
	"strings"
	"unicode/utf8"
)

// firstOther is the first letter of a script that is not Latin.
const firstOther = '\u0370'

// lookalikes has a line for each letter that looks like Latin ones: the letter, a space and the Latin
// letters. scripts/lookalikes generates it.
//
//go:embed lookalikes.txt
var lookalikes string

// latin maps letters to the Latin letters that they look like.
var latin = readLookalikes(lookalikes)

func readLookalikes(table string) map[rune]string {
	latin := map[rune]string{}
	for line := range strings.Lines(table) {
		if letter, letters, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " "); ok && letter != "#" {
			r, _ := utf8.DecodeRuneInString(letter)
			latin[r] = letters
		}
	}
	return latin
}

// Latin returns a folded text with letters of other scripts replaced by the Latin letters that they look like
// (Cyrillic `еthereum` is `ethereum`), folded as by [Text]. Texts that look alike have the same result. It is for
// comparing, not for display.
func Latin(folded string) string {
	if !strings.ContainsFunc(folded, func(r rune) bool { return r >= firstOther && latin[r] != "" }) {
		return folded
	}
	var b strings.Builder
	for _, r := range folded {
		if letters, ok := latin[r]; ok {
			b.WriteString(letters)
		} else {
			b.WriteRune(r)
		}
	}
	return Text(b.String())
}
