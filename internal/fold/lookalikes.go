package fold

import "strings"

// firstOther is the first letter of a script that is not Latin.
const firstOther = '\u0370'

// Latin returns a folded text as it would be read by who knows Latin letters only:
// letters of other scripts that look like Latin ones are those (Cyrillic `еthereum`
// is `ethereum`), folded as by [Text]. Two texts that look alike by that are the same;
// what is returned is for comparing, not for showing. See lookalikes_table.go.
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
