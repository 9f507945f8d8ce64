package operations_test

import (
	"net/url"
	"strings"
	"testing"

	"vitrine/internal/domain"
)

// namesCatalog returns a catalogue with records of each kind that paths or filters name.
func namesCatalog() *domain.Catalog {
	c := &domain.Catalog{
		DefaultLocale: "en", Locales: []string{"en", "zh-hans"}, Title: text("en", "T"),
		Groups:     []domain.Group{{Key: "g", Module: domain.ModuleItem, Name: text("en", "G")}},
		Categories: []domain.Category{{Key: "tools", Name: text("en", "Tools"), Scopes: []domain.Module{domain.ModuleItem}, Groups: []domain.ModuleGroups{{Module: domain.ModuleItem, Keys: []string{"g"}}}}},
		Chains: []domain.Chain{
			{Slug: "alpha-main", Name: text("en", "Alpha Mainnet", "zh-hans", "阿尔法"), ID: "id-of-alpha", ChainID: "8453", Aliases: []string{"Alpha Chain", "Shared"}, Former: []string{"old-alpha"}},
			{Slug: "beta", Name: text("en", "Beta"), ChainID: "8453", Aliases: []string{"Shared"}},
			{Slug: "hub", Name: text("en", "Hub"), ChainID: "cosmos:hub-4"},
		},
		Apps: []domain.App{
			{Key: "wallet", Title: text("en", "First Wallet"), Link: "https://wallet.example", Categories: []string{"tools"}, Chains: []string{"alpha-main"}, Former: []string{"purse"}, Aliases: []string{"FW"}},
			{Key: "bridge", Title: text("en", "Bridge"), Link: "https://bridge.example", Categories: []string{"tools"}, Chains: []string{"beta"}},
			{Key: "hub-app", Title: text("en", "Hub App"), Link: "https://hub.example", Chains: []string{"hub"}},
		},
		Accounts:  []*domain.Account{{Handle: "First_Account", Name: "First", Followers: &domain.Figure{Value: 1}, Former: []string{"Old_Account"}}},
		Channels:  []domain.Channel{{ChannelID: "UCabcDEF", Name: "The Channel"}},
		NavGroups: []domain.NavGroup{{Key: "use", Slug: "use", Name: text("en", "Use"), Menus: []string{"wallets"}, Former: []string{"used"}}},
	}
	for _, slug := range []string{"wallets", "bridges"} {
		item := domain.Item{Slug: "all", Name: text("en", "All"), Type: domain.ItemCategory}
		for _, app := range c.Apps {
			item.Cards = append(item.Cards, domain.Card{App: app.Key})
		}
		c.Menus = append(c.Menus, domain.Menu{PathSlug: slug, Title: text("en", "Title of "+slug), Standalone: []domain.Item{item}})
	}
	c.Menus[0].Former = []string{"purses"}
	return c
}

// TestNamesMeanTheSameEverywhere checks that a name means the same record in a path and in the
// filter of its kind (docs/api.md#names).
func TestNamesMeanTheSameEverywhere(t *testing.T) {
	h := serveCatalog(t, namesCatalog())
	for _, kind := range []struct {
		path    string   // of one record, up to the name
		filters []string // lists, up to the name
		names   map[string]string
	}{
		{"chains/", []string{"apps?chain=", "nav/cards?chain="}, map[string]string{
			"alpha-main": "alpha-main", "Alpha-Main": "alpha-main", "old-alpha": "alpha-main", "OLD-ALPHA": "alpha-main", "id-of-alpha": "alpha-main",
			"8453": "alpha-main", "0x2105": "alpha-main", "0X2105": "alpha-main", "eip155:8453": "alpha-main", "EIP155:8453": "alpha-main",
			"alpha-mainnet": "alpha-main", "Alpha-Chain": "alpha-main", "cosmos:hub-4": "hub", "Cosmos:Hub-4": "hub", "BETA": "beta",
			"08453": "alpha-main", "0x02105": "alpha-main", "eip155:08453": "alpha-main", "0x": "", "0x2106": "", "hub-4": "", "shared": "", "nothing": "",
		}},
		{"nav/menus/", []string{"nav/cards?menu="}, map[string]string{
			"wallets": "wallets", "Wallets": "wallets", "WALLETS": "wallets", "purses": "wallets", "Purses": "wallets", "bridges": "bridges",
			"title-of-wallets": "", "nothing": "",
		}},
		{"nav/groups/", nil, map[string]string{"use": "use", "USE": "use", "used": "use", "Used": "use", "nothing": ""}},
		{"apps/", nil, map[string]string{
			"wallet": "wallet", "Wallet": "wallet", "purse": "wallet", "PURSE": "wallet", "first-wallet": "wallet", "fw": "wallet", "nothing": "",
		}},
		{"twitter/users/", nil, map[string]string{
			"First_Account": "First_Account", "first_account": "First_Account", "old_account": "First_Account", "first": "First_Account", "nothing": "",
		}},
		{"youtube/channels/", nil, map[string]string{"UCabcDEF": "UCabcDEF", "ucabcdef": "", "the-channel": "UCabcDEF", "nothing": ""}},
	} {
		for name, want := range kind.names {
			got := fetch(t, h, "/api/open/"+kind.path+name)
			switch location := got.header.Get("Content-Location"); {
			case want == "":
				if got.status != 404 {
					t.Errorf("%s%s: %d, want 404", kind.path, name, got.status)
				}
			case got.status != 200 || got.body != fetch(t, h, "/api/open/"+kind.path+want).body:
				t.Errorf("%s%s: %d %.80s", kind.path, name, got.status, got.body)
			case (name == want) != (location == "") || location != "" && location != "/api/open/"+kind.path+want:
				t.Errorf("%s%s is at %q, want %s", kind.path, name, location, want)
			}
			for _, filter := range kind.filters {
				filtered := fetch(t, h, "/api/open/"+filter+url.QueryEscape(name))
				notice := filtered.header.Get("Catalog-Notice")
				if want == "" {
					if filtered.header.Get("Total-Count") != "0" || !strings.HasPrefix(notice, "unknown;") {
						t.Errorf("%s%s: %s with the notice %q, want none", filter, name, filtered.body, notice)
					}
					continue
				}
				if canonical := fetch(t, h, "/api/open/"+filter+want); filtered.body != canonical.body || filtered.header.Get("Total-Count") == "0" || notice != "" {
					t.Errorf("%s%s: %.80s, %q, want that of %s", filter, name, filtered.body, notice, want)
				}
			}
		}
	}
}
