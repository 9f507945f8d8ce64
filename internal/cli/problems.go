package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
)

// A fold is a line for problems that differ only in their places.
const (
	unfolded    = 3 // problems up to this number have a line each
	shownPlaces = 5 // places of a fold after its first
)

// printProblems prints problems in their order, one per line. Unless all is set, equal problems are
// folded into the line of the first, and accepted ones are omitted.
func printProblems(to io.Writer, problems []bundle.Problem, all bool) error {
	w, colored := bufio.NewWriter(to), inColor(to)
	print := func(p bundle.Problem, more string) {
		line := p.String() + more
		if colored {
			line = color(p.Severity) + line + "\x1b[0m"
		}
		fmt.Fprintln(w, line)
	}
	folds := foldsOf(problems, all)
	for _, p := range problems {
		same := folds[sayingOf(p)]
		switch {
		case p.Accepted && !all:
		case same == nil:
			print(p, "")
		case p == same[0]:
			print(p, alike(same[1:]))
		}
	}
	return w.Flush()
}

// saying is the common part of equal problems.
type saying struct {
	rule            domain.Rule
	message, remedy string
}

func sayingOf(p bundle.Problem) saying { return saying{p.Rule, p.Message, p.Remedy} }

// foldsOf returns the equal problems that are folded, nil if all is set.
func foldsOf(problems []bundle.Problem, all bool) map[saying][]bundle.Problem {
	if all {
		return nil
	}
	folds := map[saying][]bundle.Problem{}
	for _, p := range problems {
		folds[sayingOf(p)] = append(folds[sayingOf(p)], p)
	}
	for s, same := range folds {
		if len(same) <= unfolded {
			delete(folds, s)
		}
	}
	return folds
}

// alike lists the places of the other problems of a fold.
func alike(others []bundle.Problem) string {
	var places []string
	for _, p := range others[:min(shownPlaces, len(others))] {
		places = append(places, p.Place())
	}
	if len(others) > shownPlaces {
		places = append(places, "…")
	}
	return fmt.Sprintf(" (and %s more: %s)", grouped(len(others)), strings.Join(places, ", "))
}

func color(s domain.Severity) string {
	if s == domain.Error {
		return "\x1b[31m" // red
	}
	return "\x1b[33m" // yellow
}

// printTotals prints the numbers of problems of a directory, including those that are not listed.
// outcome is appended.
func printTotals(to io.Writer, name string, dir *bundle.Directory, outcome string) {
	for _, o := range omitted(dir) {
		fmt.Fprintf(to, "%s: and %s more of %s%s, which are counted and not listed\n", name, grouped(o.Count), o.Rule, acceptedWord(o.Accepted))
	}
	fmt.Fprintf(to, "%s: %s%s\n", name, countsOf(dir), outcome)
}

// countsOf returns the numbers of problems of a directory, as text.
func countsOf(dir *bundle.Directory) string {
	counts := fmt.Sprintf("errors: %d, warnings: %d", dir.Errors(), dir.Warnings())
	if n := dir.Accepted.Of(domain.Warning); n > 0 {
		counts += fmt.Sprintf(", accepted: %d", n)
	}
	return counts
}

func acceptedWord(accepted bool) string {
	if accepted {
		return ", accepted"
	}
	return ""
}

// problemsJSON is the output of check with `--format json`. Equal problems are not folded.
type problemsJSON struct {
	Problems []bundle.Problem `json:"problems"`
	// Omitted counts the problems that Problems lacks, by rule.
	Omitted []omittedJSON `json:"omitted,omitempty"`
}

type omittedJSON struct {
	Rule     domain.Rule     `json:"rule"`
	Severity domain.Severity `json:"severity"`
	Accepted bool            `json:"accepted,omitempty"`
	Count    int             `json:"count"`
}

func newProblemsJSON(dir *bundle.Directory) problemsJSON {
	return problemsJSON{Problems: dir.Problems, Omitted: omitted(dir)}
}

// omitted counts the problems that were found but not kept, by rule.
func omitted(dir *bundle.Directory) []omittedJSON {
	listed := map[bool]domain.Count{false: {}, true: {}}
	for _, p := range dir.Problems {
		listed[p.Accepted][p.Rule]++
	}
	var out []omittedJSON
	for _, r := range domain.Rules() {
		for _, of := range []struct {
			accepted bool
			found    domain.Count
		}{{false, dir.Found}, {true, dir.Accepted}} {
			if n := of.found[r] - listed[of.accepted][r]; n > 0 {
				out = append(out, omittedJSON{r, r.Severity(), of.accepted, n})
			}
		}
	}
	return out
}
