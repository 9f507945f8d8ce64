package domain_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

// The documentation has a section for every rule, in the order of Rules, and
// says its severity.
func TestRulesAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/directory.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rules, found := strings.Cut(string(page), "\n## Rules\n")
	if !found {
		t.Fatal("docs/directory.md has no section Rules")
	}
	var want, got []string
	for _, r := range domain.Rules() {
		want = append(want, string(r)+" "+string(r.Severity()))
	}
	heading := regexp.MustCompile("(?m)^### `(.*)`\n\n(Error|Warning)\\.")
	for _, m := range heading.FindAllStringSubmatch(rules, -1) {
		got = append(got, m[1]+" "+strings.ToLower(m[2]))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rules in docs/directory.md (-want +got):\n%s", diff)
	}
	if n := strings.Count(rules, "\n### "); n != len(want) {
		t.Errorf("%d headings for %d rules", n, len(want))
	}
}
