package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
)

func problem(line int, rule domain.Rule, message string) bundle.Problem {
	return bundle.Problem{File: "a.yaml", Line: line, Column: 2, Severity: rule.Severity(), Rule: rule, Message: message, Remedy: "r"}
}

// TestEqualProblemsFold checks that four equal problems fold into one line, but three do not, and
// that --all prints all.
func TestEqualProblemsFold(t *testing.T) {
	var problems []bundle.Problem
	for i := range 8 {
		problems = append(problems, problem(i, domain.RuleUnknownCategory, "m"))
		if i < 3 {
			problems = append(problems, problem(i, domain.RuleHeldBack, "w"))
		}
	}
	folded := "a.yaml:0:2: error: unknown-category: m; r (and 7 more: a.yaml:1:2, a.yaml:2:2, a.yaml:3:2, a.yaml:4:2, a.yaml:5:2, …)\n" +
		"a.yaml:0:2: warning: held-back: w; r\na.yaml:1:2: warning: held-back: w; r\na.yaml:2:2: warning: held-back: w; r\n"
	var every bytes.Buffer
	for _, p := range problems {
		fmt.Fprintln(&every, p)
	}
	for all, want := range map[bool]string{false: folded, true: every.String()} {
		var got bytes.Buffer
		must(t, printProblems(&got, problems, all))
		if diff := cmp.Diff(want, got.String()); diff != "" {
			t.Errorf("all %v (-want +got):\n%s", all, diff)
		}
	}
}

// TestProblemsJSON checks that JSON has every stored problem, and the numbers of omitted ones.
func TestProblemsJSON(t *testing.T) {
	dir := &bundle.Directory{Found: domain.Count{domain.RuleSyntax: 12}}
	dir.Problems = append(dir.Problems, problem(1, domain.RuleSyntax, "m"), problem(2, domain.RuleSyntax, "m"))
	got, err := json.Marshal(newProblemsJSON(dir))
	must(t, err)
	want := `{"problems":[{"file":"a.yaml","line":1,"column":2,"severity":"error","rule":"syntax","message":"m","remedy":"r"},` +
		`{"file":"a.yaml","line":2,"column":2,"severity":"error","rule":"syntax","message":"m","remedy":"r"}],` +
		`"omitted":[{"rule":"syntax","severity":"error","count":10}]}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
	var totals bytes.Buffer
	printTotals(&totals, "dir", dir, "")
	if want := "dir: and 10 more of syntax, which are counted and not listed\ndir: errors: 12, warnings: 0\n"; totals.String() != want {
		t.Errorf("totals: %q", &totals)
	}
}
