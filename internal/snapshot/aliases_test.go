package snapshot_test

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// TestAliasesAreFound checks that a search matches aliases of categories, menus, apps and cards,
// also if only aliases differ from the previous snapshot. A card without a title has the aliases
// of its app.
func TestAliasesAreFound(t *testing.T) {
	called := func(app ...string) *domain.Catalog {
		return &domain.Catalog{
			DefaultLocale: "en", Locales: []string{"en"},
			Categories: []domain.Category{{Key: "layer-2", Name: english("Layer 2"), Aliases: []string{"L2"}}},
			Apps:       []domain.App{{Key: "metamask", Title: english("MetaMask"), Link: "https://metamask.io/", Aliases: app}},
			Menus: []domain.Menu{{PathSlug: "wallets", Title: english("Wallets"), Aliases: []string{"Monedero"}, Standalone: []domain.Item{
				{Slug: "i", Name: english("I"), Type: domain.ItemCategory, Cards: []domain.Card{
					{App: "metamask", ID: "of-app"},
					{App: "metamask", ID: "own-alias", Link: "https://portfolio.metamask.io/", Aliases: []string{"Portafolio"}},
					{App: "metamask", ID: "own-title", Link: "https://metamask.io/card/", Title: english("MetaMask Card")},
				}},
			}}},
		}
	}
	before, err := snapshot.Compile(nil, called("小狐狸"), snapshot.Revision{Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	after, err := snapshot.Compile(before, called("メタマスク"), snapshot.Revision{Number: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		s    *snapshot.Snapshot
		q    string
		kind string
		want []aliased
	}{
		{before, "l2", "", []aliased{{"category", "layer-2", "L2"}}},
		{before, "monedero", "", []aliased{{"menu", "wallets", "Monedero"}}},
		{before, "小狐狸", "", []aliased{{"app", "metamask", "小狐狸"}}},
		{before, "小狐狸", "card", []aliased{{"card", "of-app", "小狐狸"}}},
		{before, "小狐狸", "card,app", []aliased{{"app", "metamask", "小狐狸"}, {"card", "of-app", "小狐狸"}}},
		{before, "portafolio", "", []aliased{}},
		{before, "portafolio", "card", []aliased{{"card", "own-alias", "Portafolio"}}},
		{before, "メタマスク", "", []aliased{}},
		{after, "小狐狸", "", []aliased{}},
		{after, "小狐狸", "card", []aliased{}},
		{after, "メタマスク", "", []aliased{{"app", "metamask", "メタマスク"}}},
		{after, "メタマスク", "card", []aliased{{"card", "of-app", "メタマスク"}}},
	} {
		asked, err := query.ParseSearch(url.Values{"q": {tt.q}, "kind": {tt.kind}}.Encode(), tt.s.Locales())
		if err != nil {
			t.Fatal(err)
		}
		body, _ := tt.s.Search(asked)
		var found struct{ Results []aliased }
		if err := json.Unmarshal(body, &found); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, found.Results); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", tt.q, tt.kind, diff)
		}
	}
}

type aliased struct{ Kind, Key, Matched string }
