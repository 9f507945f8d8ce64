package cli

import (
	"fmt"

	"vitrine/internal/domain"
)

// printNotes prints the warnings about ids and addresses.
func printNotes(to streams, notes []string, all bool) {
	shown, more := firstOf(notes, shownRecords, all)
	for _, n := range shown {
		fmt.Fprintf(to.err, "warning: %s\n", printable(n))
	}
	printMore(to.err, "", more, "warnings of this kind")
}

// printSuggestions prints likely renames and the line to add for each. origin returns the place of a
// record and may be nil.
func printSuggestions(to streams, suggestions []domain.FormerSuggestion, origin func(domain.Kind, int) string, all bool) {
	shown, more := firstOf(suggestions, shownRecords, all)
	for _, s := range shown {
		fmt.Fprintf(to.err, "likely renamed: %s\n", printable(suggestionText(s, origin)))
	}
	printMore(to.err, "", more, "likely renames")
}

func suggestionText(s domain.FormerSuggestion, origin func(domain.Kind, int) string) string {
	at := ""
	if origin != nil {
		at = origin(s.Kind, s.Index)
	}
	if at != "" {
		at = " at " + at
	}
	return fmt.Sprintf("%s %s has the %s of %s, which was removed; if it is the same, write%s `%s` to keep the old address working",
		s.Noun, s.Key, s.Evidence, s.Was, at, s.Line)
}
