package bundle

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/domain"
	"vitrine/internal/domain/domaintest"
)

// TestCSVIsLossless: what WriteCSV writes of the long lists of valid catalogues reads as the same
// records.
func TestCSVIsLossless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := domaintest.Valid(4).Draw(t, "catalogue")
		for _, d := range domain.Descriptions() {
			if d.Long {
				roundTrip(t, d, c)
			}
		}
	})
}

func roundTrip(t rapid.TB, d *domain.Description, c *domain.Catalog) {
	t.Helper()
	var b bytes.Buffer
	if err := WriteCSV(&b, d, c); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(b.Bytes())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				t.Errorf("a spreadsheet takes the cell %q for a formula", cell)
			}
		}
	}
	got, problems, err := ReadCSV(&b, "list.csv", d)
	if err != nil || problems != nil {
		t.Fatalf("%v, %v", problems, err)
	}
	want := &domain.Catalog{}
	d.Take(want, c)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s differ (-want +got):\n%s", d.Kind, diff)
	}
}

func TestCSVOfUnusualValues(t *testing.T) {
	c := &domain.Catalog{Locales: []string{"en", "zh-hans"}}
	for _, line := range []string{"=1+1", "+1", "-1", "@x", "'=1", "''+1", "'tis", "[a]", `say "x", y`, "a;b"} {
		c.Chains = append(c.Chains, domain.Chain{
			Slug: "a", Name: domain.Text{{Locale: "en", Value: line}, {Locale: "zh-hans", Value: "二\n" + line}},
			Aliases: []string{line, "b"}, Extra: `{"n":1.50,"s":"=x"}`, TVL: &domain.Figure{Value: 0.5, Source: line, AsOf: "2026-01-02"},
			Links: []domain.Link{{Type: "docs", URL: "https://example.org/"}}, Platforms: &domain.Figure{Value: 3},
			Currency: &domain.Currency{Name: line, Symbol: "S", Decimals: 0},
		}, domain.Chain{Slug: "b", Aliases: []string{line}})
	}
	roundTrip(t, domain.Describe(domain.KindChain), c)
}

func TestGuarded(t *testing.T) {
	for cell, want := range map[string]string{"": "", "a": "a", "=a": "'=a", "-": "'-", "'=a": "''=a", "'a": "'a", "''a": "''a"} {
		got := Guarded(cell)
		if got != want || plain(got) != cell {
			t.Errorf("%q is written as %q and read as %q, want %q", cell, got, plain(got), want)
		}
	}
}

func TestCSVProblems(t *testing.T) {
	for _, tt := range []struct{ csv, want string }{
		{"", "list.csv:1:1: error: syntax: the file is empty; begin it with the names of the columns"},
		{"slug;name.en\n", `list.csv:1:1: error: unknown-field: there is no column "slug;name.en"; separate columns by commas`},
		{"slug,nam.en\n", `list.csv:1:6: error: unknown-field: there is no column "nam.en"; did you mean "name"?`},
		{"slug,logo.en\n", `list.csv:1:6: error: unknown-field: there is no column "logo.en"; write "logo"; only texts have locales`},
		{"slug,name\n", `list.csv:1:6: error: unknown-field: the column "name" has no locale; write it as "name.LOCALE"`},
		{"slug,slug\n", `list.csv:1:6: error: duplicate-field: the column "slug" is written twice; keep one of them`},
		{"slug,platforms\na,\"1,000\"\n", `list.csv:2:3: error: wrong-type: a number is expected here, not text ("1,000"); numbers have no commas: write 1000`},
		{"slug,links\na,x\n", `list.csv:2:3: error: wrong-type: a list is expected here, not text ("x"); write ["x"]`},
		{"slug,links\na,[{\n", "list.csv:2:4: error: syntax: "},
		{"slug,aliases\na,\"x,,y\"\n", "list.csv:2:3: error: wrong-type: an item of this list is empty; write a text or remove the item"},
		{"slug\na,b\n", "list.csv:2:1: error: syntax: wrong number of fields; correct the CSV here"},
		{"slug\n\"a\n", "list.csv:2:4: error: syntax: "},
		{"slug\n\xff\n", "list.csv:2:1: error: invalid-utf8: this is not UTF-8; save the file as UTF-8"},
	} {
		_, problems, err := ReadCSV(strings.NewReader(tt.csv), "list.csv", domain.Describe(domain.KindChain))
		if err != nil || len(problems) != 1 || !strings.HasPrefix(problems[0].String(), tt.want) {
			t.Errorf("%q: %v, %v, want %s", tt.csv, problems, err, tt.want)
		}
	}
	endless := "slug\n\"" + strings.Repeat("x", maxRecord+1<<16)
	if _, _, err := ReadCSV(strings.NewReader(endless), "list.csv", domain.Describe(domain.KindChain)); err == nil {
		t.Error("a row without an end is read")
	}
}

// TestCSVOfSomeColumns: columns may be missing and in any order.
func TestCSVOfSomeColumns(t *testing.T) {
	got, problems, err := ReadCSV(strings.NewReader("name.en,slug,categories\nOne,one,\"a, b\"\n"), "list.csv", domain.Describe(domain.KindChain))
	want := []domain.Chain{{Slug: "one", Name: domain.Text{{Locale: "en", Value: "One"}}, Categories: []string{"a", "b"}}}
	if err != nil || problems != nil {
		t.Fatal(problems, err)
	}
	if diff := cmp.Diff(want, got.Chains); diff != "" {
		t.Error(diff)
	}
}
