package domain_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

func TestCover(t *testing.T) {
	text := func(locales ...string) (t domain.Text) {
		for _, l := range locales {
			t = append(t, domain.Translation{Locale: l, Value: "x"})
		}
		return t
	}
	c := &domain.Catalog{
		Title: text("en"), DefaultLocale: "en", Locales: []string{"en", "ja"},
		Chains: []domain.Chain{
			{Slug: "a", Name: text("en", "ja"), Description: text("en")},
			{Slug: "b", Name: text("en"), Description: text("en", "ja"), StatusNote: text("ja")},
			{Slug: "c", Name: text("en")},
		},
		Channels: []domain.Channel{{ChannelID: "d", Name: "in no language"}},
		Menus: []domain.Menu{{PathSlug: "m", Title: text("en"), Groups: []domain.MenuGroup{
			{Name: text("en", "ja"), Items: []domain.Item{{Name: text("en"), Cards: []domain.Card{{Title: text("en"), Description: text("ja")}}}}},
		}}},
	}
	want := []domain.Coverage{
		{Kind: domain.KindCatalog, Names: true, Texts: 1, Written: []int{1, 0}},
		{Kind: domain.KindChain, Names: true, Texts: 3, Written: []int{3, 1}},
		{Kind: domain.KindChain, Texts: 3, Written: []int{2, 2}},
		{Kind: domain.KindMenu, Names: true, Texts: 4, Written: []int{4, 1}},
		{Kind: domain.KindMenu, Texts: 1, Written: []int{0, 1}},
	}
	if diff := cmp.Diff(want, domain.Cover(c)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	fields := []domain.Coverage{
		{Kind: domain.KindCatalog, Field: "title", Names: true, Texts: 1, Written: []int{1, 0}},
		{Kind: domain.KindChain, Field: "name", Names: true, Texts: 3, Written: []int{3, 1}},
		{Kind: domain.KindChain, Field: "description", Texts: 2, Written: []int{2, 1}},
		{Kind: domain.KindChain, Field: "status_note", Texts: 1, Written: []int{0, 1}},
		{Kind: domain.KindMenu, Field: "title", Names: true, Texts: 1, Written: []int{1, 0}},
		{Kind: domain.KindMenu, Field: "groups.name", Names: true, Texts: 1, Written: []int{1, 1}},
		{Kind: domain.KindMenu, Field: "groups.items.name", Names: true, Texts: 1, Written: []int{1, 0}},
		{Kind: domain.KindMenu, Field: "groups.items.cards.title", Names: true, Texts: 1, Written: []int{1, 0}},
		{Kind: domain.KindMenu, Field: "groups.items.cards.description", Texts: 1, Written: []int{0, 1}},
	}
	if diff := cmp.Diff(fields, domain.CoverFields(c)); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	if got := domain.CoverFields(&domain.Catalog{}); got != nil {
		t.Errorf("coverage of the fields of an empty catalogue: %v", got)
	}
	if got := domain.Cover(&domain.Catalog{}); got != nil {
		t.Errorf("coverage of an empty catalogue: %v", got)
	}
}
