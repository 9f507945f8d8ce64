package snapshot_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// TestCandidates checks that candidates match by words first, then by spelling, and may be fewer
// than the limit.
func TestCandidates(t *testing.T) {
	name := func(s string) domain.Text { return domain.Text{{Locale: "en", Value: s}} }
	s, err := snapshot.Compile(nil, &domain.Catalog{
		Title: name("T"), DefaultLocale: "en", Locales: []string{"en"},
		Chains: []domain.Chain{
			{Slug: "a-test", Name: name("A Test"), ChainID: "3", Aliases: []string{"Ethereum"}},
			{Slug: "ethereum-mainnet", Name: name("Ethereum Mainnet"), ChainID: "1", Aliases: []string{"Ethereum"}, TVL: &domain.Figure{Value: 1}},
			{Slug: "polygon-zkevm", Name: name("Polygon zkEVM"), ChainID: "1101"},
		},
	}, snapshot.Revision{Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	for given, want := range map[string][]string{
		"etherium":      {"ethereum-mainnet"}, // the first of several with this name
		"polygon_zkevm": {"polygon-zkevm"},
		"zk":            {"polygon-zkevm"},
		"nothing":       nil,
	} {
		if got := s.Candidates(query.KindChain, query.ForName(given, 0)); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", given, got, want)
		}
	}
}

// TestCandidatesAreClose checks that candidates are close to the whole name or to its distinctive
// first word. A distance of two needs nine letters and the same first letter.
func TestCandidatesAreClose(t *testing.T) {
	name := func(s string) domain.Text { return domain.Text{{Locale: "en", Value: s}} }
	catalog := &domain.Catalog{
		Title: name("T"), DefaultLocale: "en", Locales: []string{"en"},
		Apps: []domain.App{{Key: "uniswap", Title: name("Uniswap"), Link: "https://uniswap.org/"}},
	}
	for i, chain := range []string{
		"Borachain Mainnet", "Datachain Rope", "Locachain Mainnet", "Metachain Mainnet", "Btachain", "Big Nobachin",
		"Ethereum Mainnet", "Arbitrum One", "Optimism", "Xr Sepolia", "Avalanche C-Chain", "Cosmos Hub",
	} {
		slug := strings.ToLower(strings.ReplaceAll(chain, " ", "-"))
		catalog.Chains = append(catalog.Chains, domain.Chain{Slug: slug, Name: name(chain), ChainID: strconv.Itoa(i + 1)})
	}
	s, err := snapshot.Compile(nil, catalog, snapshot.Revision{Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		kind  query.Kind
		given string
		want  []string
	}{
		{query.KindChain, "notachain", nil}, // distance two from five names, and from the second word of one
		{query.KindChain, "xatachain", []string{"datachain-rope"}},
		{query.KindChain, "nobachain", []string{"big-nobachin"}},
		{query.KindChain, "metechein", []string{"metachain-mainnet"}},
		{query.KindChain, "netechain", nil},
		{query.KindChain, "etherium", []string{"ethereum-mainnet"}},
		{query.KindChain, "etherium-mainet", []string{"ethereum-mainnet"}},
		{query.KindChain, "arbitrun-one", []string{"arbitrum-one"}},
		{query.KindChain, "arbitrunone", []string{"arbitrum-one"}},
		{query.KindChain, "optimsm", []string{"optimism"}},
		{query.KindChain, "sepolla", []string{"xr-sepolia"}},
		{query.KindChain, "avalanch", []string{"avalanche-c-chain"}},
		{query.KindChain, "cosmoshubb", []string{"cosmos-hub"}},
		{query.KindApp, "uniswp", []string{"uniswap"}},
		{query.KindApp, "unlswp", nil},
	} {
		if got := s.Candidates(c.kind, query.ForName(c.given, 0)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.given, got, c.want)
		}
	}
}

// TestCandidatesOfHandles checks that handles are compared as a whole, including digits and
// handles of hidden accounts.
func TestCandidatesOfHandles(t *testing.T) {
	title := domain.Text{{Locale: "en", Value: "T"}}
	account := func(handle string, followers float64) *domain.Account {
		a := &domain.Account{Handle: handle, Name: "Somebody"}
		if followers > 0 {
			a.Followers = &domain.Figure{Value: followers}
		}
		return a
	}
	s, err := snapshot.Compile(nil, &domain.Catalog{
		Title: title, DefaultLocale: "en", Locales: []string{"en"},
		Accounts: []*domain.Account{account("0xLabs_1", 1), account("0xlabs_2", 2), account("Quiet_42", 0), account("abc1", 3), account("VitalikButerin", 0)},
	}, snapshot.Revision{Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	for given, want := range map[string][]string{
		"0xLabs_3":      nil, // different digits
		"0xlab_1":       {"0xLabs_1"},
		"quiet42":       {"Quiet_42"},
		"vitalikbutern": {"VitalikButerin"},
		"quiet4":        nil, // distance two with six characters
		"abc2":          nil,
		"wuiet_42":      nil,                      // different first letter
		"0xlabs":        {"0xlabs_2", "0xLabs_1"}, // by words, the first by followers
		"somebodi":      {"abc1"},                 // by the name of several accounts
	} {
		if got := s.Candidates(query.KindUser, query.ForName(given, 0)); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", given, got, want)
		}
	}
}

// TestSuggestionsDifferInMoreThanCase checks that of names that differ in case alone, one is suggested.
func TestSuggestionsDifferInMoreThanCase(t *testing.T) {
	name := func(s string) domain.Text { return domain.Text{{Locale: "en", Value: s}} }
	s, err := snapshot.Compile(nil, &domain.Catalog{
		Title: name("T"), DefaultLocale: "en", Locales: []string{"en"},
		Chains:   []domain.Chain{{Slug: "a", Name: name("Arbitrum"), ChainID: "1"}},
		Accounts: []*domain.Account{{Handle: "arbitrum", Name: "ARBITRUM", Followers: &domain.Figure{Value: 1}}},
	}, snapshot.Revision{Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	q, err := query.ParseSearch("q=arbitrun", s.Locales())
	if err != nil {
		t.Fatal(err)
	}
	if got := s.SearchView(q).DidYouMean; len(got) != 1 {
		t.Errorf("suggestions %q", got)
	}
}
