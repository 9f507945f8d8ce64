package domain_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

func TestSince(t *testing.T) {
	menus := func(drawings ...string) []any {
		var versions []any
		for _, drawing := range drawings {
			if drawing == "" {
				versions = append(versions, nil)
				continue
			}
			versions = append(versions, &menusOf(drawing).Menus[0])
		}
		return versions
	}
	for _, tt := range []struct {
		name     string
		versions []any
		want     []domain.ValueSince
	}{
		{"never there", nil, nil},
		{"a card more, a title changed, its place not", menus("m: i[/a /b]", "m: i[/c /a /b]", "m: i[/c /a /b=B]"), []domain.ValueSince{
			{"title.en", "m", 0}, {"standalone[i].name.en", "i", 0}, {"standalone[i].type", "category", 0},
			{"standalone[i].cards[/c].title.en", "/c", 1},
			{"standalone[i].cards[/a].title.en", "/a", 0},
			{"standalone[i].cards[/b].title.en", "B", 2},
		}},
		{"the first of a link is gone", menus("m: i[/a=A]", "m: i[/a=A /a=B]", "m: i[/a=B]"), []domain.ValueSince{
			{"title.en", "m", 0}, {"standalone[i].name.en", "i", 0}, {"standalone[i].type", "category", 0},
			{"standalone[i].cards[/a].title.en", "B", 1},
		}},
		{"gone and back", menus("m: i[/a]", "", "m: i[/a]"), []domain.ValueSince{
			{"title.en", "m", 2}, {"standalone[i].name.en", "i", 2}, {"standalone[i].type", "category", 2},
			{"standalone[i].cards[/a].title.en", "/a", 2},
		}},
		{"and back, and gone", menus("m: i[/a]", ""), nil},
		{"to another value and back", menus("m: i[/a=A]", "m: i[/a=B]", "m: i[/a=A]"), []domain.ValueSince{
			{"title.en", "m", 0}, {"standalone[i].name.en", "i", 0}, {"standalone[i].type", "category", 0},
			{"standalone[i].cards[/a].title.en", "A", 2},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, domain.Describe(domain.KindMenu).Since(tt.versions)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("a figure is one value", func(t *testing.T) {
		chain := func(f *domain.Figure) *domain.Chain {
			return &domain.Chain{Slug: "x", ChainID: "1", TVL: f, Platforms: bare(0)}
		}
		got := domain.Describe(domain.KindChain).Since([]any{chain(dated(1, "s", "2025-01-01")), chain(bare(1)), chain(bare(1))})
		want := []domain.ValueSince{{"chain_id", "1", 0}, {"llama_tvl", "", 1}, {"platforms", "", 0}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
