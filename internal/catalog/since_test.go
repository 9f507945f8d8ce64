package catalog_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/catalog"
)

func TestSince(t *testing.T) {
	menus := func(drawings ...string) []*catalog.Catalog {
		var versions []*catalog.Catalog
		for _, drawing := range drawings {
			if drawing == "" {
				versions = append(versions, &catalog.Catalog{})
				continue
			}
			versions = append(versions, menusOf(drawing))
		}
		return versions
	}
	for _, tt := range []struct {
		name     string
		versions []*catalog.Catalog
		want     []catalog.ValueSince
	}{
		{"never there", nil, nil},
		{"a card more, a title changed, its place not", menus("m: i[/a /b]", "m: i[/c /a /b]", "m: i[/c /a /b=B]"), []catalog.ValueSince{
			{"title.en", "m", 0}, {"standalone[i].name.en", "i", 0}, {"standalone[i].type", "category", 0},
			{"standalone[i].cards[/c].title.en", "/c", 1},
			{"standalone[i].cards[/a].title.en", "/a", 0},
			{"standalone[i].cards[/b].title.en", "B", 2},
		}},
		{"the first of a link is gone", menus("m: i[/a=A]", "m: i[/a=A /a=B]", "m: i[/a=B]"), []catalog.ValueSince{
			{"title.en", "m", 0}, {"standalone[i].name.en", "i", 0}, {"standalone[i].type", "category", 0},
			{"standalone[i].cards[/a].title.en", "B", 1},
		}},
		{"gone and back", menus("m: i[/a]", "", "m: i[/a]"), []catalog.ValueSince{
			{"title.en", "m", 2}, {"standalone[i].name.en", "i", 2}, {"standalone[i].type", "category", 2},
			{"standalone[i].cards[/a].title.en", "/a", 2},
		}},
		{"and back, and gone", menus("m: i[/a]", ""), nil},
		{"to another value and back", menus("m: i[/a=A]", "m: i[/a=B]", "m: i[/a=A]"), []catalog.ValueSince{
			{"title.en", "m", 0}, {"standalone[i].name.en", "i", 0}, {"standalone[i].type", "category", 0},
			{"standalone[i].cards[/a].title.en", "A", 2},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, catalog.Since(catalog.KindMenu, tt.versions)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("a figure is one value", func(t *testing.T) {
		chain := func(f *catalog.Figure) *catalog.Catalog {
			return &catalog.Catalog{Chains: []catalog.Chain{{Slug: "x", ChainID: "1", TVL: f, Platforms: bare(0)}}}
		}
		got := catalog.Since(catalog.KindChain, []*catalog.Catalog{chain(dated(1, "s", "2025-01-01")), chain(bare(1)), chain(bare(1))})
		want := []catalog.ValueSince{{"chain_id", "1", 0}, {"llama_tvl", "", 1}, {"platforms", "", 0}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
