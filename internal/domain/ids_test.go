package domain_test

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

// derived is a second implementation of the derivation. Clients store these ids, so they must
// never change.
func derived(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:24]
}

func TestChainStableID(t *testing.T) {
	cases := []struct {
		name  string
		chain domain.Chain
		want  string
	}{
		{"given", domain.Chain{Slug: "ethereum", ID: "eth"}, "eth"},
		{"derived", domain.Chain{Slug: "celo"}, "31deb0b2a33978173ae11cef"},
		{"derived from the slug alone", domain.Chain{Slug: "celo", ChainID: "1", Name: en("x")}, derived("vitrine/chain\x00celo")},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			if got := tc.chain.StableID(); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

func TestMenuWithIDs(t *testing.T) {
	m := rich().Menus[1]
	want := []string{
		"g1",
		derived("vitrine/item\x00explorers\x00basics\x00wallets\x000"),
		derived("vitrine/card\x00explorers\x00basics\x00wallets\x000\x00https://one.example/\x000"),
		"two",
		derived("vitrine/card\x00explorers\x00basics\x00wallets\x000\x00https://one.example/\x001"),
		"w2",
		derived("vitrine/menu-group\x00explorers\x00empty"),
		derived("vitrine/item\x00explorers\x00\x00home\x000"),
		derived("vitrine/card\x00explorers\x00\x00home\x000\x00/\x000"),
	}
	if diff := cmp.Diff(want, menuIDs(m.WithIDs())); diff != "" {
		t.Errorf("ids (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(rich().Menus[1], m); diff != "" {
		t.Errorf("the menu was changed:\n%s", diff)
	}
	if diff := cmp.Diff(m.WithIDs(), m.WithIDs().WithIDs()); diff != "" {
		t.Errorf("written ids are changed:\n%s", diff)
	}
}

func menuIDs(m domain.Menu) []string {
	var ids []string
	add := func(items []domain.Item) {
		for _, it := range items {
			ids = append(ids, it.ID)
			for _, c := range it.Cards {
				ids = append(ids, c.ID)
			}
		}
	}
	for _, g := range m.Groups {
		ids = append(ids, g.ID)
		add(g.Items)
	}
	add(m.Standalone)
	return ids
}

// TestMenuIDsAreStable checks that ids depend on names, not on positions or texts.
func TestMenuIDsAreStable(t *testing.T) {
	before := rich().Menus[1].WithIDs()
	m := rich().Menus[1]
	slices.Reverse(m.Groups)
	m.Title = en("Another")
	m.Groups[1].Items = slices.Insert(m.Groups[1].Items, 0, domain.Item{Slug: "news"})
	m.Groups[1].Items[1].Cards = m.Groups[1].Items[1].Cards[:1]
	after := m.WithIDs()
	if got, want := after.Groups[0].ID, before.Groups[1].ID; got != want {
		t.Errorf("moved group: got %s, want %s", got, want)
	}
	if got, want := after.Groups[1].Items[1].ID, before.Groups[0].Items[0].ID; got != want {
		t.Errorf("moved item: got %s, want %s", got, want)
	}
	if got, want := after.Groups[1].Items[1].Cards[0].ID, before.Groups[0].Items[0].Cards[0].ID; got != want {
		t.Errorf("card of a moved item: got %s, want %s", got, want)
	}
	form := regexp.MustCompile(`^[0-9a-f]{24}$`)
	if id := after.Groups[1].Items[0].ID; !form.MatchString(id) {
		t.Errorf("derived id %q", id)
	}
}
