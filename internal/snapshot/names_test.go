package snapshot_test

import (
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// namedCatalog returns a catalogue of records with similar names.
func namedCatalog() *domain.Catalog {
	return &domain.Catalog{
		Title: english("T"), DefaultLocale: "en", Locales: []string{"en", "zh-hans"},
		Chains: []domain.Chain{
			{Slug: "ethereum-mainnet", Name: domain.Text{{Locale: "en", Value: "Ethereum Mainnet"}, {Locale: "zh-hans", Value: "以太坊"}}, ChainID: "1", Aliases: []string{"ETH"}, Former: []string{"old-eth"}},
			{Slug: "base", Name: english("Base"), ChainID: "8453", ID: "Abc1"},
			{Slug: "hub", Name: english("Cosmos Hub"), ChainID: "cosmos:cosmoshub-4"},
			{Slug: "dash", Name: english("Co-Op Chain"), ChainID: "5"},
			{Slug: "spaces", Name: english("Foo Bar"), ChainID: "6"},
			{Slug: "dashes", Name: english("Foo-Bar"), ChainID: "7"},
			{Slug: "twice-a", Name: english("Twice"), ChainID: "8"},
			{Slug: "twice-b", Name: english("Twice"), ChainID: "9"},
			{Slug: "ended", Name: english("Base"), ChainID: "10", Aliases: []string{"Gone"}, Status: domain.StatusRetired},
			{Slug: "wan", Name: english("Wanchain"), ChainID: "888", Platforms: &domain.Figure{Value: 1}},
			{Slug: "other-888", Name: english("Other"), ChainID: "0888", Platforms: &domain.Figure{Value: 2}},
			{Slug: "ended-888", Name: english("Third"), ChainID: "eip155:888", Platforms: &domain.Figure{Value: 3}, Status: domain.StatusRetired},
			{Slug: "accent", Name: english("Zürich Net"), ChainID: "11"},
		},
		Apps: []domain.App{
			{Key: "metamask", Title: english("MetaMask Wallet"), Link: "https://metamask.io/", Aliases: []string{"小狐狸"}, Former: []string{"mm"}},
			{Key: "old-app", Title: english("Old App"), Link: "https://example.org/", Status: domain.StatusRetired},
		},
		Accounts: []*domain.Account{
			{Handle: "VitalikButerin", Name: "vitalik.eth", Former: []string{"Old_Handle"}, Followers: &domain.Figure{Value: 1}},
			{Handle: "Other_1", Name: "以太坊 中文", Followers: &domain.Figure{Value: 1}},
			{Handle: "quiet", Name: "Silent One"},
		},
		Channels: []domain.Channel{{ChannelID: "UCabc", Name: "The Channel"}},
		Menus:    []domain.Menu{{PathSlug: "wallets", Title: english("Wallets"), Former: []string{"purses"}}},
		Categories: []domain.Category{
			{Key: "layer-2", Name: english("Layer 2"), Aliases: []string{"L2"}, Former: []string{"rollups"}},
		},
	}
}

func TestNamed(t *testing.T) {
	s, err := snapshot.Compile(nil, namedCatalog(), snapshot.Revision{Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		kind       query.Kind
		name, want string
	}{
		{query.KindChain, "base", "base"},
		{query.KindChain, "BASE", "base"},
		{query.KindChain, "abc1", "base"},
		{query.KindChain, "8453", "base"},
		{query.KindChain, "0x2105", "base"},
		{query.KindChain, "0X2105", "base"},
		{query.KindChain, "eip155:8453", "base"},
		{query.KindChain, "EIP155:8453", "base"},
		{query.KindChain, "old-eth", "ethereum-mainnet"},
		{query.KindChain, "Ethereum  MAINNET", "ethereum-mainnet"},
		{query.KindChain, "以太坊", "ethereum-mainnet"},
		{query.KindChain, "eth", "ethereum-mainnet"},
		{query.KindChain, "cosmos:cosmoshub-4", "hub"},
		{query.KindChain, "cosmoshub-4", ""}, // searchable, but not a name
		{query.KindChain, "cosmos-hub", "hub"},
		{query.KindChain, "co-op-chain", "dash"},
		{query.KindChain, "foo-bar", "dashes"}, // as written
		{query.KindChain, "foo bar", "spaces"},
		{query.KindChain, "zurich-net", "accent"},
		{query.KindChain, "ZÜRICH NET", "accent"},
		{query.KindChain, "twice", ""}, // the name of two chains
		{query.KindChain, "gone", ""},  // of a retired chain only
		{query.KindChain, "ended", "ended"},
		{query.KindChain, "888", "other-888"}, // the first in default order of the chains with equal ids
		{query.KindChain, "eip155:888", "other-888"},
		{query.KindChain, "0888", "other-888"},
		{query.KindChain, "0x378", "other-888"},
		{query.KindChain, "mainnet", ""},
		{query.KindChain, "", ""},
		{query.KindApp, "metamask", "metamask"},
		{query.KindApp, "MM", "metamask"},
		{query.KindApp, "小狐狸", "metamask"},
		{query.KindApp, "metamask-wallet", "metamask"},
		{query.KindApp, "old app", ""},
		{query.KindUser, "Quiet", "quiet"},
		{query.KindUser, "@old_handle", "VitalikButerin"},
		{query.KindUser, "silent-one", "quiet"}, // the name of a hidden account
		{query.KindUser, "vitalikbuterin", "VitalikButerin"},
		{query.KindUser, "@VITALIKBUTERIN", "VitalikButerin"},
		{query.KindUser, "Vitalik.ETH", "VitalikButerin"},
		{query.KindUser, "以太坊 中文", "Other_1"},
		{query.KindUser, "QUIET", "quiet"}, // hidden
		{query.KindChannel, "UCabc", "UCabc"},
		{query.KindChannel, "ucabc", ""},
		{query.KindChannel, "the-channel", "UCabc"},
		{query.KindMenu, "purses", "wallets"},
		{query.KindMenu, "Wallets", ""},
		{query.KindCategory, "rollups", "layer-2"},
		{query.KindCategory, "l2", ""},
		{query.KindCard, "anything", ""},
	} {
		got, ok := s.Named(tt.kind, tt.name)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s %q: %q, %v, want %q", tt.kind, tt.name, got, ok, tt.want)
		}
	}
}

// TestNamesOfALaterSnapshot checks that a reused table of names finds what a new one finds, also
// if names were added, removed or moved.
func TestNamesOfALaterSnapshot(t *testing.T) {
	before, err := snapshot.Compile(nil, namedCatalog(), snapshot.Revision{Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := before.Named(query.KindChain, "eth"); !ok { // builds the table
		t.Fatal("no name")
	}
	edited := func(edit func(c *domain.Catalog)) *snapshot.Snapshot {
		t.Helper()
		c := namedCatalog()
		edit(c)
		after, err := snapshot.Compile(before, c, snapshot.Revision{Number: 2})
		if err != nil {
			t.Fatal(err)
		}
		return after
	}
	for _, tt := range []struct {
		what, name, want string
		edit             func(c *domain.Catalog)
	}{
		{"a figure", "eth", "ethereum-mainnet", func(c *domain.Catalog) { c.Chains[0].TVL = &domain.Figure{Value: 1} }},
		{"a new former slug", "older-eth", "ethereum-mainnet", func(c *domain.Catalog) { c.Chains[0].Former = []string{"older-eth"} }},
		{"a former slug less", "old-eth", "", func(c *domain.Catalog) { c.Chains[0].Former = nil }},
		{"an id", "abc2", "base", func(c *domain.Catalog) { c.Chains[1].ID = "Abc2" }},
		{"an alias that moved", "eth", "base", func(c *domain.Catalog) { c.Chains[0].Aliases, c.Chains[1].Aliases = nil, []string{"ETH"} }},
		{"a chain less", "co-op-chain", "", func(c *domain.Catalog) { c.Chains = append(c.Chains[:3:3], c.Chains[4:]...) }},
		{"a chain more", "new-one", "new", func(c *domain.Catalog) {
			c.Chains = append(c.Chains, domain.Chain{Slug: "new", Name: english("New One"), ChainID: "99"})
		}},
		{"one that retired", "twice", "twice-a", func(c *domain.Catalog) { c.Chains[7].Status = domain.StatusRetired }},
	} {
		if got, _ := edited(tt.edit).Named(query.KindChain, tt.name); got != tt.want {
			t.Errorf("%s: %q is %q, want %q", tt.what, tt.name, got, tt.want)
		}
	}
	if got, _ := before.Named(query.KindChain, "old-eth"); got != "ethereum-mainnet" {
		t.Errorf("the former snapshot changed: %q", got)
	}
}

// TestCompileDoesNotWriteBehindFormerKeys proves that a compilation leaves the memory behind the former
// keys of a record alone: the check of the catalogue runs at the same time, and other lists may be there.
func TestCompileDoesNotWriteBehindFormerKeys(t *testing.T) {
	former := []string{"purses", "of another record"}
	s := compile(t, &domain.Catalog{Menus: []domain.Menu{{PathSlug: "wallets", Title: english("Wallets"), Former: former[:1]}}})
	if former[1] != "of another record" {
		t.Errorf("the next element is %q now", former[1])
	}
	for _, name := range []string{"wallets", "purses"} {
		if key, ok := s.Named(query.KindMenu, name); key != "wallets" || !ok {
			t.Errorf("%s means %q, %t", name, key, ok)
		}
	}
}
