package propose_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/bundle"
	"vitrine/internal/connector/chainid"
	"vitrine/internal/domain"
	"vitrine/internal/propose"
)

func records(t *testing.T, doc string) []chainid.Record {
	t.Helper()
	all, _, err := chainid.Read(strings.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func chain(slug, id string, edit func(*domain.Chain)) domain.Chain {
	c := domain.Chain{Slug: slug, ChainID: id, Name: domain.Text{{Locale: "en", Value: strings.ToUpper(slug)}}}
	if edit != nil {
		edit(&c)
	}
	return c
}

// described returns what is proposed, a line each.
func described(p propose.Proposal) string {
	var out strings.Builder
	for _, c := range p.New {
		fmt.Fprintf(&out, "new %s %s\n", c.ChainID, c.Slug)
	}
	for _, c := range p.Changed {
		fmt.Fprintf(&out, "changed %s %s %s %s\n", c.Chain.Slug, c.Fields, c.Chain.Website, c.Chain.Status)
	}
	for _, l := range p.Differs {
		fmt.Fprintf(&out, "differs %s %s\n", l.Name, l.Reason)
	}
	for _, l := range p.Skipped {
		fmt.Fprintf(&out, "skipped %s %s\n", l.ChainID, l.Reason)
	}
	return fmt.Sprintf("%smore %d\n", out.String(), p.More)
}

func TestChains(t *testing.T) {
	const registry = `[
		{"chainId": 1, "name": "One", "infoURL": "https://one.example", "status": "deprecated"},
		{"chainId": 2, "name": "Two", "infoURL": "https://two.example"},
		{"chainId": 2, "name": "Two again"},
		{"chainId": 3, "name": "Three", "infoURL": "https://three.example"},
		{"chainId": 4, "name": "Four", "infoURL": "https://four.example", "status": "incubating"},
		{"chainId": 5, "name": "Five", "status": "deprecated"},
		{"chainId": 6, "name": "Old Name"}, {"chainId": 7, "name": "Seven"}, {"chainId": 8, "name": "Eight"},
		{"chainId": 9, "name": "Nine"}, {"name": "No id"}
	]`
	c := &domain.Catalog{DefaultLocale: "en", Locales: []string{"en"}, Chains: []domain.Chain{
		chain("one", "eip155:1", nil),
		chain("two", "2", func(c *domain.Chain) { c.Website = "https://ours.example" }),
		chain("three", "3", func(c *domain.Chain) { c.Status = domain.StatusRetired }),
		chain("four", "4", func(c *domain.Chain) { c.Website = "https://four.example" }),
		chain("nine", "9", nil), chain("ninth", "9", nil),
		chain("new-name", "cosmos:x", func(c *domain.Chain) { c.Former = []string{"old-name"} }),
	}}
	want := `new 6 old-name-6
new 7 seven
changed one [status website] https://one.example retired
differs two website is another one at the registry
skipped 2 the registry has the chain id twice, for "Two"
skipped 9 several chains of the catalogue have the id
more 1
`
	if diff := cmp.Diff(want, described(propose.Chains(c, records(t, registry), nil, 2))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	before := records(t, strings.Replace(registry, "two.example", "ours.example", 1))
	if got := described(propose.Chains(c, records(t, registry), before, 0)); !strings.Contains(got, "changed two [website] https://two.example") || strings.Contains(got, "new ") {
		t.Errorf("since the former registry:\n%s", got)
	}
	if c.Chains[0].Website != "" {
		t.Error("the catalogue was changed")
	}
}

// TestChainsOfRecordings checks that new chains of recorded bytes have no errors.
func TestChainsOfRecordings(t *testing.T) {
	doc, err := os.ReadFile("../connector/chainid/testdata/chains.json")
	if err != nil {
		t.Fatal(err)
	}
	p := propose.Chains(&domain.Catalog{DefaultLocale: "zh-hans", Locales: []string{"zh-hans"}}, records(t, string(doc)), nil, 100)
	found := domain.Check(&domain.Catalog{Title: domain.Text{{Locale: "zh-hans", Value: "x"}}, DefaultLocale: "zh-hans", Locales: []string{"zh-hans"}, Chains: p.New}, domain.Reading{})
	if found.Found.Of(domain.Error) > 0 || len(p.New) != 6 {
		t.Errorf("%d new chains, %+v", len(p.New), found.Problems)
	}
}

func TestWriteUnified(t *testing.T) {
	var lines strings.Builder
	for i := range 20 {
		fmt.Fprintf(&lines, "%d\n", i+1)
	}
	for _, tt := range []struct {
		data  string
		edits []bundle.Edit
		want  string
	}{
		{lines.String(), []bundle.Edit{{Line: 1, Added: []string{"a\n"}}, {Line: 5, Gone: 1, Added: []string{"b\n", "c\n"}}, {Line: 21, Added: []string{"d\n"}}},
			"@@ -1,8 +1,10 @@\n+a\n 1\n 2\n 3\n 4\n-5\n+b\n+c\n 6\n 7\n 8\n@@ -18,3 +20,4 @@\n 18\n 19\n 20\n+d\n"},
		{"1\n2", []bundle.Edit{{Line: 2, Gone: 1, Added: []string{"b\n"}}}, "@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n+b\n"},
		{"1\n2\n", []bundle.Edit{{Line: 1, Gone: 2}}, "@@ -1,2 +0,0 @@\n-1\n-2\n"},
	} {
		var out strings.Builder
		if err := propose.WriteUnified(&out, "f", []byte(tt.data), tt.edits); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff("--- a/f\n+++ b/f\n"+tt.want, out.String()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	var out strings.Builder
	if err := propose.WriteUnified(&out, "f", nil, []bundle.Edit{{Line: 1, Added: []string{"a\n", "b\n"}}}); err != nil || out.String() != "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n" {
		t.Errorf("a new file: %v\n%s", err, out.String())
	}
}
