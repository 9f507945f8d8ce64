package bundled_test

import (
	"context"
	"slices"
	"testing"

	bundled "vitrine/catalog"
	"vitrine/internal/bundle"
	"vitrine/internal/catalog"
)

func TestBundledCatalogue(t *testing.T) {
	dir, err := bundle.Read(context.Background(), bundled.FS, bundle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("no errors", func(t *testing.T) { testNoErrors(t, dir.Problems) })
	t.Run("chains", func(t *testing.T) { testChains(t, dir.Catalog.Chains) })
	t.Run("figures have sources", func(t *testing.T) { testFiguresHaveSources(t, dir.Catalog) })
	t.Run("menus", func(t *testing.T) { testMenus(t, dir.Catalog) })
	t.Run("menus are in both languages", func(t *testing.T) { testBothLanguages(t, dir.Catalog.Menus) })
	t.Run("no idle categories", func(t *testing.T) { testNoIdleCategories(t, dir.Catalog) })
}

// maxWarnings is how many warnings an editor of this catalogue has to look
// past: translations that proper names have none of.
const maxWarnings = 10

func testNoErrors(t *testing.T, problems []bundle.Problem) {
	warnings := 0
	for _, p := range problems {
		if p.Severity == catalog.Error {
			t.Error(p)
			continue
		}
		warnings++
		t.Log(p)
	}
	if warnings > maxWarnings {
		t.Errorf("%d warnings, want at most %d", warnings, maxWarnings)
	}
}

func testChains(t *testing.T, chains []catalog.Chain) {
	if len(chains) < 2000 {
		t.Errorf("%d chains, want 2,000 and more", len(chains))
	}
	tvl := 0
	for _, ch := range chains {
		if slices.Contains(ch.Categories, "mainnet") == slices.Contains(ch.Categories, "testnet") {
			t.Errorf("%s has categories %v, want exactly one of mainnet and testnet", ch.Slug, ch.Categories)
		}
		if ch.TVL == nil {
			continue
		}
		tvl++
		if ch.TVL.AsOf != "2025-08-17" || ch.TVL.Source != "defillama" {
			t.Errorf("llama_tvl of %s is of %s by %s, want 2025-08-17 by defillama", ch.Slug, ch.TVL.AsOf, ch.TVL.Source)
		}
	}
	if tvl != 23 {
		t.Errorf("%d chains with llama_tvl, want 23", tvl)
	}
}

func testFiguresHaveSources(t *testing.T, c *catalog.Catalog) {
	for _, ch := range c.Chains {
		for _, figure := range []*catalog.Figure{ch.TVL, ch.Platforms} {
			if figure != nil && figure.Bare() {
				t.Errorf("chain %s has a figure without source and date", ch.Slug)
			}
		}
	}
	if len(c.Accounts) != 58 {
		t.Errorf("%d accounts, want 58", len(c.Accounts))
	}
	for _, a := range c.Accounts {
		if a.Followers == nil || a.Followers.Bare() {
			t.Errorf("account %s has no followers_count with source and date", a.Handle)
		}
	}
}

func testMenus(t *testing.T, c *catalog.Catalog) {
	if len(c.NavGroups) != 2 || len(c.Menus) != 4 {
		t.Errorf("%d nav groups and %d menus, want 2 and 4", len(c.NavGroups), len(c.Menus))
	}
	for _, m := range c.Menus {
		if len(m.Groups) == 0 || len(m.Standalone) == 0 {
			t.Errorf("menu %s has %d groups and %d standalone items, want some of each", m.PathSlug, len(m.Groups), len(m.Standalone))
		}
	}
}

// Whatever is written in two languages is written in both: the demonstration
// is to be read in either.
func testBothLanguages(t *testing.T, menus []catalog.Menu) {
	for _, m := range menus {
		texts := []catalog.Text{m.Title, m.Description}
		items := slices.Clone(m.Standalone)
		for _, g := range m.Groups {
			texts = append(texts, g.Name)
			items = append(items, g.Items...)
		}
		for _, it := range items {
			texts = append(texts, it.Name)
			for _, card := range it.Cards {
				texts = append(texts, card.Description)
			}
		}
		for _, text := range texts {
			if _, ok := text.In("zh-hans"); !ok {
				t.Errorf("menu %s: %v has no zh-hans", m.PathSlug, text)
			}
		}
	}
}

// Every category that the registry offers is used or is the parent of one that
// is; a filter that finds nothing disappoints.
func testNoIdleCategories(t *testing.T, c *catalog.Catalog) {
	used := map[string]bool{}
	for _, ch := range c.Chains {
		mark(used, ch.Categories)
	}
	for _, a := range c.Accounts {
		mark(used, a.Categories)
	}
	for _, ch := range c.Channels {
		mark(used, ch.Categories)
	}
	for _, cat := range c.Categories {
		if used[cat.Key] {
			used[cat.Parent] = true
		}
	}
	for _, cat := range c.Categories {
		if !used[cat.Key] && !slices.Equal(cat.Scopes, []catalog.Module{catalog.ModuleItem}) {
			t.Errorf("category %s is not used", cat.Key)
		}
	}
}

func mark(used map[string]bool, keys []string) {
	for _, key := range keys {
		used[key] = true
	}
}
