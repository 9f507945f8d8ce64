package quality_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/connector"
	"vitrine/internal/domain"
)

var update = flag.Bool("update", false, "write the list of slugs again")

// slugsFile has the chain id and the slug of every chain, one per line.
var slugsFile = filepath.FromSlash("../../catalog/.quality/slugs.txt")

// Other programs store slugs. The list is separate from the catalogue, so the test
// detects a conversion without --keep-slugs.
func TestSlugsStay(t *testing.T) {
	got := slugLines(readBundled(t).Catalog)
	if *update {
		if err := os.WriteFile(slugsFile, []byte(strings.Join(got, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(slugsFile)
	if err != nil {
		t.Fatal(err)
	}
	kept := strings.Split(string(bytes.TrimSpace(data)), "\n")
	wrong := compareSlugs(got, kept)
	const most = 20
	for _, msg := range wrong[:min(most, len(wrong))] {
		t.Error(msg)
	}
	if len(wrong) > 0 {
		t.Errorf("%d lines of %s differ. If each is meant: go test ./internal/quality -run TestSlugsStay -update", len(wrong), slugsFile)
	}
}

// slugLines returns "<chain id> <slug>" of all chains, by chain id.
func slugLines(c *domain.Catalog) []string {
	chains := slices.Clone(c.Chains)
	slices.SortFunc(chains, func(a, b domain.Chain) int { return connector.CompareChainIDs(a.ChainID, b.ChainID) })
	var out []string
	for _, ch := range chains {
		out = append(out, ch.ChainID+" "+ch.Slug)
	}
	return out
}

// compareSlugs returns the differences of two lists of lines: missing ones first, then
// new ones.
func compareSlugs(got, kept []string) []string {
	now, before := slugsByID(got), slugsByID(kept)
	var wrong []string
	for _, line := range kept {
		id, slug, _ := strings.Cut(line, " ")
		if len(now[id]) == 0 {
			wrong = append(wrong, fmt.Sprintf("chain %s is gone: links to %s break", id, slug))
		} else if !slices.Contains(now[id], slug) {
			wrong = append(wrong, fmt.Sprintf("chain %s is now %s: links to %s break", id, strings.Join(now[id], " and "), slug))
		}
	}
	for _, line := range got {
		if id, slug, _ := strings.Cut(line, " "); len(before[id]) < len(now[id]) && !slices.Contains(before[id], slug) {
			wrong = append(wrong, fmt.Sprintf("chain %s %s is new: its slug is to stay from now on", id, slug))
		}
	}
	return wrong
}

// slugsByID returns the slugs of each chain id, which two chains may share.
func slugsByID(lines []string) map[string][]string {
	out := map[string][]string{}
	for _, line := range lines {
		id, slug, _ := strings.Cut(line, " ")
		out[id] = append(out[id], slug)
	}
	return out
}

func TestCompareSlugs(t *testing.T) {
	got := compareSlugs([]string{"1 one", "2 deux", "4 four", "5 five", "5 fünf"}, []string{"1 one", "2 two", "3 three", "5 five"})
	want := []string{
		"chain 2 is now deux: links to two break",
		"chain 3 is gone: links to three break",
		"chain 4 four is new: its slug is to stay from now on",
		"chain 5 fünf is new: its slug is to stay from now on",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
