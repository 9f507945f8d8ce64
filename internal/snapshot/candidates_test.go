package snapshot_test

import (
	"slices"
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// What was perhaps meant is found by words, then by spelling, and there may be less
// of it than is wanted.
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
		"etherium":      {"ethereum-mainnet"}, // the first of those that are called so
		"polygon_zkevm": {"polygon-zkevm"},
		"zk":            {"polygon-zkevm"},
		"nothing":       nil,
	} {
		if got := s.Candidates(query.KindChain, query.ForName(given, 0)); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", given, got, want)
		}
	}
}

// One who knows what a chain is called gets it, unless several are called so.
func TestCalled(t *testing.T) {
	name := func(s string) domain.Text { return domain.Text{{Locale: "en", Value: s}} }
	s, err := snapshot.Compile(nil, &domain.Catalog{
		Title: name("T"), DefaultLocale: "en", Locales: []string{"en"}, Search: &domain.SearchRules{Demote: []string{"testnet"}},
		Chains: []domain.Chain{
			{Slug: "ethereum-mainnet", Name: name("Ethereum Mainnet"), ChainID: "1", Aliases: []string{"Ethereum", "以太坊", "ETH"}},
			{Slug: "a-test", Name: name("Ethereum"), ChainID: "3", Categories: []string{"testnet"}},
			{Slug: "other-test", Name: name("Base Test"), ChainID: "4", Aliases: []string{"Trial"}, Categories: []string{"testnet"}},
			{Slug: "ended", Name: name("Ended"), ChainID: "5", Aliases: []string{"Trial"}, Status: domain.StatusRetired},
			{Slug: "other", Name: name("Other"), ChainID: "6", Aliases: []string{"eth"}},
			{Slug: "gone", Name: name("Gone"), ChainID: "7", Status: domain.StatusRetired},
		},
	}, snapshot.Revision{Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	for given, want := range map[string]string{
		"ETHEREUM": "ethereum-mainnet", " 以太坊 ": "ethereum-mainnet", "ethereum  mainnet": "ethereum-mainnet", "gone": "gone", "base test": "other-test",
		"eth": "", "trial": "", "mainnet": "", "base": "", "": "",
	} {
		if got := s.Called(query.KindChain, query.ForLabel(given, 0)); got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
}

// Handles are compared as a whole, digits too, and those of accounts that are held back.
func TestCandidatesOfHandles(t *testing.T) {
	title := domain.Text{{Locale: "en", Value: "T"}}
	account := func(handle string, followers float64) domain.Account {
		a := domain.Account{Handle: handle, Name: "Somebody"}
		if followers > 0 {
			a.Followers = &domain.Figure{Value: followers}
		}
		return a
	}
	s, err := snapshot.Compile(nil, &domain.Catalog{
		Title: title, DefaultLocale: "en", Locales: []string{"en"},
		Accounts: []domain.Account{account("0xLabs_1", 1), account("0xlabs_2", 2), account("Quiet_42", 0), account("abc1", 3), account("VitalikButerin", 0)},
	}, snapshot.Revision{Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	for given, want := range map[string][]string{
		"0xLabs_3":      {"0xLabs_1"}, // the first of several
		"0xlab_1":       {"0xLabs_1"},
		"quiet42":       {"Quiet_42"},
		"vitalikbutern": {"VitalikButerin"},
		"quiet4":        nil, // two edits of six characters
		"abc2":          nil,
		"wuiet_42":      nil,                      // begins in another way
		"0xlabs":        {"0xlabs_2", "0xLabs_1"}, // by words, the first by followers
		"somebodi":      {"abc1"},                 // by a name that several have
	} {
		if got := s.Candidates(query.KindUser, query.ForName(given, 0)); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", given, got, want)
		}
	}
}
