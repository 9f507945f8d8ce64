package vitrine_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// proofs matches an entry in the last column of docs/security.md: a Go file with its
// tests, or a script of testscript.
var proofs = regexp.MustCompile("^`([^`]+)`(?: ([A-Za-z0-9_]+(?:, [A-Za-z0-9_]+)*))?$")

// TestSecurityDocNamesTests: every defence names an existing test.
func TestSecurityDocNamesTests(t *testing.T) {
	page, err := os.ReadFile("docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	_, threats, found := strings.Cut(string(page), "\n## Threats, defences, tests\n")
	threats, _, ends := strings.Cut(threats, "\n## ")
	if !found || !ends {
		t.Fatal("docs/security.md has no section of threats")
	}
	rows := 0
	for line := range strings.Lines(threats) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if !strings.HasPrefix(line, "| ") || strings.TrimSpace(cells[0]) == "Threat" {
			continue
		}
		rows++
		threat, tests := strings.TrimSpace(cells[0]), strings.TrimSpace(cells[len(cells)-1])
		if len(cells) != 3 {
			t.Errorf("%s: %d columns, want threat, defence and tests", threat, len(cells))
			continue
		}
		if tests == "" && strings.Contains(cells[1], "](#") {
			continue // the page says elsewhere how it is tried
		}
		for proof := range strings.SplitSeq(tests, "; ") {
			holdsProof(t, threat, proof)
		}
	}
	if rows < 30 {
		t.Errorf("%d rows: the test looks in the wrong place", rows)
	}
}

// holdsProof fails unless the file and the named tests exist.
func holdsProof(t *testing.T, threat, proof string) {
	t.Helper()
	parts := proofs.FindStringSubmatch(proof)
	if parts == nil {
		t.Errorf("%s: %q does not name a file and its tests", threat, proof)
		return
	}
	source, err := os.ReadFile(filepath.FromSlash(parts[1]))
	if err != nil {
		t.Errorf("%s: %v", threat, err)
		return
	}
	isScript := strings.HasSuffix(parts[1], ".txtar")
	if isScript != (parts[2] == "") {
		t.Errorf("%s: %s: name the tests of a Go file, and none of a script", threat, parts[1])
		return
	}
	if isScript {
		return
	}
	for name := range strings.SplitSeq(parts[2], ", ") {
		if !strings.Contains(string(source), "\nfunc "+name+"(") {
			t.Errorf("%s: there is no %s in %s", threat, name, parts[1])
		}
	}
}
