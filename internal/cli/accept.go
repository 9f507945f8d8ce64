package cli

import (
	"fmt"
	"regexp"
	"strings"

	"vitrine/internal/publish"
	"vitrine/internal/store"
)

// acceptFlag names what may be published although the gate holds it.
type acceptFlag struct {
	Accept []string `placeholder:"RULE" help:"Publish although this rule holds it, such as shrink:chains or rollback:7; several with commas, or the flag again." env:"-"`
}

// Validate refuses the names of rules that cannot be.
func (f acceptFlag) Validate() error {
	for _, rule := range f.Accept {
		if err := publish.CheckRule(rule); err != nil {
			return fmt.Errorf("--accept: %w", err)
		}
	}
	return nil
}

// apply accepts what the flag names in a plan, and says what it names in vain:
// a script that accepts too much should be looked at.
func (f acceptFlag) apply(plan *publish.Plan, to streams) {
	for _, rule := range plan.Accept(f.Accept) {
		fmt.Fprintf(to.err, "--accept %s is without effect: the rule holds nothing here\n", rule)
	}
}

// accepting returns the command line again, as one that publishes the plan
// whatever holds it.
func (a arguments) accepting(plan *publish.Plan) string {
	words := []string{"vitrine"}
	for i := 0; i < len(a); i++ {
		switch word := a[i]; {
		case strings.HasPrefix(word, "--dry-run") || strings.HasPrefix(word, "--accept="):
		case word == "--accept":
			i++ // with its value
		case word == "--store" && i+1 < len(a):
			i++
			words = append(words, word, storeWord(a[i]))
		case strings.HasPrefix(word, "--store="):
			words = append(words, "--store", storeWord(strings.TrimPrefix(word, "--store=")))
		default:
			words = append(words, shellWord(store.RedactDSN(word)))
		}
	}
	rules := make([]string, len(plan.Holds))
	for i, h := range plan.Holds {
		rules[i] = h.Rule
	}
	return strings.Join(append(words, "--accept", strings.Join(rules, ",")), " ")
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// storeWord returns a DSN as a word for a shell. One with a password, which is
// told to nobody, is what the variable says: with *** in its place the command
// would only be refused, and without one another store would be made.
func storeWord(dsn string) string {
	if store.RedactDSN(dsn) != dsn {
		return `"${VITRINE_STORE:?}"`
	}
	return shellWord(dsn)
}

// shellWord quotes a word for a shell where it needs that.
func shellWord(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
