package chainid_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/catalogtool/chainid"
)

// bundledChain has the tested fields of a record of the bundled catalogue.
type bundledChain struct {
	ID         string            `json:"chain_id"`
	Name       map[string]string `json:"name"`
	Categories []string          `json:"categories"`
	Aliases    []string          `json:"aliases"`
	Status     string            `json:"status"`
	Since      string            `json:"status_since"`
	Note       map[string]string `json:"status_note"`

	Description map[string]string `json:"description"`
	Sources     map[string]string `json:"sources"`
}

func (ch bundledChain) hasOneOf(keys []string) bool {
	return slices.ContainsFunc(ch.Categories, func(key string) bool { return slices.Contains(keys, key) })
}

func bundledChains(t *testing.T) []bundledChain {
	t.Helper()
	return open(t, "../../catalog/chains/evm.ndjson", func(f *os.File) ([]bundledChain, error) {
		var out []bundledChain
		for dec := json.NewDecoder(f); ; {
			var ch bundledChain
			if err := dec.Decode(&ch); err == io.EOF {
				return out, nil
			} else if err != nil {
				return nil, err
			}
			out = append(out, ch)
		}
	})
}

// TestDocumentedCoverage compares the coverage in catalog/chains-import.md with the bundled
// catalogue. Run it with -update after a conversion.
func TestDocumentedCoverage(t *testing.T) {
	documented(t, "<!-- coverage -->\n", "<!-- end of coverage -->", coverageTables(bundledChains(t)))
}

// documented compares a part of catalog/chains-import.md with the expected text, or writes it
// with -update.
func documented(t *testing.T, begin, end, want string) {
	t.Helper()
	const path = "../../catalog/chains-import.md"
	before, rest, ok := strings.Cut(string(readFile(t, path)), begin)
	if !ok {
		t.Fatalf("%s has no %q", path, begin)
	}
	got, after, ok := strings.Cut(rest, end)
	if !ok {
		t.Fatalf("%s has no %q", path, end)
	}
	if *update {
		must(t, os.WriteFile(path, []byte(before+begin+want+end+after), 0o644))
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the documented figures are not the measured ones (-want +got):\n%s", diff)
	}
}

func coverageTables(chains []bundledChain) string {
	mainnets := func(ch bundledChain) bool { return slices.Contains(ch.Categories, chainid.CategoryMainnet) }
	count := func(keys []string) (of, ofMainnets int) {
		for _, ch := range chains {
			if ch.hasOneOf(keys) {
				of++
				if mainnets(ch) {
					ofMainnets++
				}
			}
		}
		return of, ofMainnets
	}
	var b strings.Builder
	b.WriteString("| Group | Chains | Mainnets | Testnets | By category |\n|---|---|---|---|---|\n")
	groups, keys := chainid.Taxonomy()
	for i, group := range groups {
		all, main := count(keys[i])
		var parts []string
		for _, key := range keys[i] {
			if n, _ := count([]string{key}); n > 0 {
				parts = append(parts, fmt.Sprintf("%s %d", key, n))
			}
		}
		fmt.Fprintf(&b, "| `%s` | %d | %d | %d | %s |\n", group, all, main, all-main, strings.Join(parts, ", "))
	}
	return b.String()
}
