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
