package domain_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

// TestRulesAreDocumented checks that the tables of docs/check.md have every rule in the order of
// Rules, below the heading of its severity.
func TestRulesAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/check.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rules, found := strings.Cut(string(page), "\n## Rules\n")
	if !found {
		t.Fatal("docs/check.md has no section Rules")
	}
	rules, _, _ = strings.Cut(rules, "\n## ")
	var want, got []string
	for _, r := range domain.Rules() {
		want = append(want, string(r)+" "+string(r.Severity()))
	}
	severity := ""
	for _, m := range regexp.MustCompile("(?m)^### (Error|Warning)s|^\\| `(.*?)` \\|").FindAllStringSubmatch(rules, -1) {
		if m[1] != "" {
			severity = strings.ToLower(m[1])
			continue
		}
		got = append(got, m[2]+" "+severity)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rules in docs/check.md (-want +got):\n%s", diff)
	}
}
