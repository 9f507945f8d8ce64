package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/publish"
	"vitrine/internal/store"
)

// acceptFlag names the rules of the gate that may be overridden.
type acceptFlag struct {
	Accept []string `placeholder:"RULE" help:"Publish despite this rule of the gate, such as shrink:chains or rollback:7, or only what it finds of one record: RULE=KEY; may be repeated or a list with commas." env:"-"`
}

// Validate rejects names that no rule can have.
func (f acceptFlag) Validate() error {
	for _, rule := range f.Accept {
		if err := publish.CheckRule(rule); err != nil {
			return fmt.Errorf("--accept: %w", err)
		}
	}
	return nil
}

// apply accepts the named rules in a plan, and reports the ones without effect.
func (f acceptFlag) apply(plan *publish.Plan, to streams) {
	for _, name := range plan.Accept(f.Accept) {
		reason := "the rule does not hold this publish"
		rule, key, _ := strings.Cut(name, "=")
		i := slices.IndexFunc(plan.Holds, func(h publish.Hold) bool { return h.Rule == rule })
		switch {
		case i < 0 || plan.Holds[i].Severity == domain.GateWarn:
		case plan.Holds[i].Severity == domain.GateStop:
			reason = "the severity of the rule is stop, so that only gate.accept in catalog.yaml accepts it"
		case key != "":
			reason = "the rule finds nothing of " + key
		}
		fmt.Fprintf(to.err, "--accept %s has no effect: %s\n", name, reason)
	}
}

// accepting returns the command line with --accept for the holds of the plan that it can accept.
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
	var rules []string
	for _, h := range plan.Holds {
		if h.Severity == domain.GateAsk {
			rules = append(rules, h.Rule)
		}
	}
	return strings.Join(append(words, "--accept", strings.Join(rules, ",")), " ")
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// storeWord returns a DSN as a word for a shell. A DSN with a password, which must not be
// printed, becomes a reference to its variable: a redacted one would fail or name another store.
func storeWord(dsn string) string {
	if store.RedactDSN(dsn) != dsn {
		return `"${VITRINE_STORE:?}"`
	}
	return shellWord(dsn)
}

// shellWord quotes a word for a shell if necessary.
func shellWord(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
