package quality_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

// TestCoverage prints counts for editors (`make catalog`). The bars are the
// requirements.
func TestCoverage(t *testing.T) {
	c := readBundled(t).Catalog
	lines := slices.Concat(coverageOfKinds(c), coverageOfLocales(c), coverageOfDimensions(c), coverageOfChains(c), coverageOfFigures(c))
	t.Log("\n" + strings.Join(lines, "\n"))
}

const coverageFile = "../../catalog/.quality/coverage.txt"

// Run with -update after a change of the catalogue.
func TestCoverageTable(t *testing.T) {
	want := coverageTables(readBundled(t).Catalog)
	if *update {
		if err := os.WriteFile(filepath.FromSlash(coverageFile), []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(filepath.FromSlash(coverageFile))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(written), want); diff != "" {
		t.Errorf("%s is out of date; go test ./internal/quality -run TestCoverageTable -update writes it (-file +want):\n%s", coverageFile, diff)
	}
}

// coverageTables returns a table for each kind of records: the number of records with
// each field, and with each locale of it.
func coverageTables(c *domain.Catalog) string {
	var b strings.Builder
	table := func(name string, shape *domain.Shape, records []any) {
		fmt.Fprintf(&b, "\n**%s** (%d)\n\n| Field | Records | %s |\n|---|---|%s\n", name, len(records), strings.Join(c.Locales, " | "), strings.Repeat("---|", len(c.Locales)))
		for _, f := range shape.Fields {
			have := slices.DeleteFunc(slices.Clone(records), func(record any) bool { return !hasField(f, record) })
			fmt.Fprintf(&b, "| `%s` | %d |", f.Name, len(have))
			for _, locale := range c.Locales {
				if f.Type != domain.TypeText {
					b.WriteString(" |")
					continue
				}
				n := 0
				for _, record := range have {
					if _, ok := f.Text(record).In(locale); ok {
						n++
					}
				}
				fmt.Fprintf(&b, " %d |", n)
			}
			b.WriteByte('\n')
		}
	}
	for _, d := range domain.Descriptions() {
		if d.Kind == domain.KindCatalog {
			continue
		}
		var records []any
		for i := range d.Size(c) {
			records = append(records, d.Record(c, i))
		}
		table(d.Plural, d.Shape, records)
	}
	var cards []any
	for _, m := range menusOf(c) {
		for _, card := range cardsOf(m) {
			cards = append(cards, &card)
		}
	}
	table("cards, with what they have from their apps", domain.CardShape(), cards)
	return b.String() + "\n"
}

// hasField reports whether a record has a value in a field.
func hasField(f *domain.Field, record any) bool {
	switch f.Type {
	case domain.TypeText:
		return len(*f.Text(record)) > 0
	case domain.TypeLines:
		return len(f.Lines(record)) > 0
	case domain.TypeNumber:
		return *f.Number(record) != 0
	case domain.TypeFigure:
		return *f.Figure(record) != nil
	case domain.TypePart, domain.TypeParts, domain.TypeKeyed, domain.TypeTable:
		return f.Size(record) > 0
	}
	return *f.Line(record) != ""
}

// The counts in the READMEs and the guide are those of the catalogue.
func TestDocumentedCounts(t *testing.T) {
	dir := readBundled(t)
	c := dir.Catalog
	kinds := coverageOfKinds(c)
	items, cards := 0, 0
	for _, m := range c.Menus {
		items, cards = items+len(itemsOf(m)), cards+len(cardsOf(m))
	}
	thousands := func(n int) string { return fmt.Sprintf("%d,%03d", n/1000, n%1000) }
	for page, want := range map[string][]string{
		"../../README.md": {fmt.Sprintf("%s chains, %d accounts, %d channels and %d menus with %s cards",
			thousands(len(c.Chains)), len(c.Accounts), len(c.Channels), len(c.Menus), thousands(cards))},
		"../../catalog/README.md": {fmt.Sprintf("%d dimensions and %d categories", len(c.Groups), len(c.Categories)),
			fmt.Sprintf("%d menus with %d items and %s cards", len(c.Menus), items, thousands(cards)), kinds[len(kinds)-1]},
		"../../docs/catalog.md": {fmt.Sprintf("errors: 0, warnings: 0, accepted: %d", dir.Accepted.Of(domain.Warning))},
	} {
		data, err := os.ReadFile(filepath.FromSlash(page))
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(string(data)), " ")
		for _, phrase := range want {
			if !strings.Contains(text, phrase) {
				t.Errorf("%s does not say %q", page, phrase)
			}
		}
	}
}

func coverageOfKinds(c *domain.Catalog) []string {
	evm, items, groups, cards, named := 0, 0, 0, 0, 0
	for _, ch := range c.Chains {
		if bareNumber.MatchString(ch.ChainID) {
			evm++
		}
	}
	for _, m := range c.Menus {
		items, groups, cards = items+len(itemsOf(m)), groups+len(m.Groups), cards+len(cardsOf(m))
		for _, card := range cardsOf(m) {
			if card.App != "" {
				named++
			}
		}
	}
	return []string{
		fmt.Sprintf("records: %d chains (%d EVM, %d others), %d accounts, %d channels", len(c.Chains), evm, len(c.Chains)-evm, len(c.Accounts), len(c.Channels)),
		fmt.Sprintf("registry: %d categories in %d dimensions", len(c.Categories), len(c.Groups)),
		fmt.Sprintf("navigation: %d groups, %d menus, %d groups in menus, %d items, %d cards", len(c.NavGroups), len(c.Menus), groups, items, cards),
		fmt.Sprintf("%d apps on %d cards", len(c.Apps), named),
	}
}

// coverageOfLocales counts the texts in each locale, without and with names that may be
// the same in all locales.
func coverageOfLocales(c *domain.Catalog) []string {
	all := texts(c)
	var chains, shown []domain.Text
	for _, ch := range c.Chains {
		chains = append(chains, ch.Name)
	}
	for _, m := range menusOf(c) {
		for _, card := range cardsOf(m) {
			shown = append(shown, card.Title)
		}
	}
	var out []string
	for _, loc := range c.Locales {
		count := func(list []domain.Text) (n int) {
			for _, text := range list {
				if _, ok := text.In(loc); ok {
					n++
				}
			}
			return n
		}
		var plain []domain.Text
		for _, e := range all {
			plain = append(plain, e.text)
		}
		out = append(out, fmt.Sprintf("locale %s: %d of %d texts; names of chains written out: %d of %d, titles of cards: %d of %d",
			loc, count(plain), len(plain), count(chains), len(chains), count(shown), len(shown)))
	}
	return out
}

// coverageOfDimensions counts the records with a category of each dimension; for items, their cards.
func coverageOfDimensions(c *domain.Catalog) []string {
	records := map[domain.Module][][]string{}
	for _, ch := range c.Chains {
		records[domain.ModuleChain] = append(records[domain.ModuleChain], ch.Categories)
	}
	for _, a := range c.Accounts {
		records[domain.ModuleTwitter] = append(records[domain.ModuleTwitter], a.Categories)
	}
	for _, ch := range c.Channels {
		records[domain.ModuleYouTube] = append(records[domain.ModuleYouTube], ch.Categories)
	}
	for _, m := range menusOf(c) {
		for _, card := range cardsOf(m) {
			records[domain.ModuleItem] = append(records[domain.ModuleItem], card.Categories)
		}
	}
	var out []string
	for _, g := range c.Groups {
		groups, categories, answered := groupsOf(c, g.Module), 0, 0
		for _, keys := range groups {
			if slices.Contains(keys, g.Key) {
				categories++
			}
		}
		for _, keys := range records[g.Module] {
			if slices.ContainsFunc(keys, func(key string) bool { return slices.Contains(groups[key], g.Key) }) {
				answered++
			}
		}
		out = append(out, fmt.Sprintf("dimension %s: %d categories, %d of %d records of %s", g.Key, categories, answered, len(records[g.Module]), g.Module))
	}
	return out
}

// coverageOfChains counts the chains with each field that are not retired, and those of each status.
func coverageOfChains(c *domain.Catalog) []string {
	names := []string{"website", "explorer", "rpc", "native_currency", "parent"}
	fields, statuses, all := map[string]int{}, map[domain.Status]int{}, 0
	for _, ch := range c.Chains {
		if statuses[ch.Status]++; ch.Status.Retired() {
			continue
		}
		all++
		for i, has := range []bool{ch.Website != "", slices.ContainsFunc(ch.Links, func(l domain.Link) bool { return l.Type == "explorer" }),
			ch.RPC != nil, ch.Currency != nil, ch.Parent != ""} {
			if has {
				fields[names[i]]++
			}
		}
	}
	out := []string{fmt.Sprintf("status of chains: %d live, %d upcoming, %d retired",
		statuses[""], statuses[domain.StatusUpcoming], statuses[domain.StatusRetired])}
	for _, name := range names {
		out = append(out, fmt.Sprintf("chains that are not retired with %s: %d of %d", name, fields[name], all))
	}
	return out
}

// coverageOfFigures counts the figures by name, source and year.
func coverageOfFigures(c *domain.Catalog) []string {
	count := map[string]int{}
	add := func(name domain.FigureName, f *domain.Figure) {
		if f != nil {
			year, _, _ := strings.Cut(string(f.AsOf), "-")
			count[fmt.Sprintf("figure %s by %s of %s", name, f.Source, year)]++
		}
	}
	for _, ch := range c.Chains {
		add(domain.FigureTVL, ch.TVL)
		add(domain.FigurePlatforms, ch.Platforms)
	}
	for _, a := range c.Accounts {
		add(domain.FigureFollowers, a.Followers)
	}
	for _, ch := range c.Channels {
		add(domain.FigureSubscribers, ch.Subscribers)
	}
	var out []string
	for _, key := range slices.Sorted(maps.Keys(count)) {
		out = append(out, fmt.Sprintf("%s: %d", key, count[key]))
	}
	return out
}
