package snapshot_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// TestFigureSummary checks that a summary is of all records that a list selects, on whatever page.
func TestFigureSummary(t *testing.T) {
	chain := func(slug string, status domain.Status, tvl *domain.Figure) domain.Chain {
		return domain.Chain{Slug: slug, Name: english(slug), ChainID: slug, Status: status, TVL: tvl}
	}
	s := compile(t, &domain.Catalog{Chains: []domain.Chain{
		chain("a", "", &domain.Figure{Value: 5, Source: "one", AsOf: "2026-02-03"}),
		chain("b", "", &domain.Figure{Value: 2, Source: "one", AsOf: "2024-01-02"}),
		chain("c", "", &domain.Figure{Value: 1, Source: "two", AsOf: "2025-01-01"}),
		chain("d", "", nil),
		chain("e", "", &domain.Figure{Value: 0.5}),
		chain("gone", domain.StatusRetired, &domain.Figure{Value: 100, Source: "one", AsOf: "2020-01-01"}),
	}})
	list := query.List{Kind: query.KindChain, Page: query.Page{On: true, Limit: 1}}
	want := snapshot.FigureSummary{Records: 4, Total: 8.5, Largest: 5, Sources: []snapshot.SourceDates{
		{Source: "one", Oldest: "2024-01-02", Newest: "2026-02-03"}, {Source: "two", Oldest: "2025-01-01", Newest: "2025-01-01"}, {},
	}}
	got := s.FigureSummary(list, domain.FigureTVL)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the summary differs (-want +got):\n%s", diff)
	}
	if oldest, newest := got.Dates(); oldest != "2024-01-02" || newest != "2026-02-03" {
		t.Errorf("dates %s and %s", oldest, newest)
	}
	for n, of := range map[int]query.List{
		5: {Kind: query.KindChain, Status: query.StatusAll}, 4: list, 1: {Kind: query.KindChain, Names: []string{"a"}}, 0: {Kind: query.KindChain, Tags: []string{"none"}},
	} {
		if got := s.FigureSummary(of, domain.FigureTVL).Records; got != n {
			t.Errorf("%+v: %d records, want %d", of, got, n)
		}
	}
	list.Status = query.StatusRetired
	if got := s.FigureSummary(list, domain.FigureTVL); got.Records != 1 || got.Largest != 100 {
		t.Errorf("retired chains: %+v", got)
	}
	if got := s.FigureSummary(list, domain.FigureFollowers); got.Records != 0 || got.Sources != nil {
		t.Errorf("followers of chains: %+v", got)
	}
	if f, ok := s.ListedFigure(query.KindChain, "b", domain.FigureTVL); !ok || f != (snapshot.Figure{Value: 2, Source: "one", AsOf: "2024-01-02"}) {
		t.Errorf("the figure of b is %+v, %t", f, ok)
	}
	for _, key := range []string{"d", "unknown"} {
		if f, ok := s.ListedFigure(query.KindChain, key, domain.FigureTVL); ok {
			t.Errorf("%s has the figure %+v", key, f)
		}
	}
}

// BenchmarkFigureSummary sums up the followers of 200,000 accounts, as a page of their list does.
func BenchmarkFigureSummary(b *testing.B) {
	catalog := &domain.Catalog{}
	for i := range 200_000 {
		catalog.Accounts = append(catalog.Accounts, &domain.Account{Handle: fmt.Sprintf("a%d", i), Name: "A", Followers: &domain.Figure{Value: float64(i)}})
	}
	s := compile(b, catalog)
	for b.Loop() {
		s.FigureSummary(query.List{Kind: query.KindUser}, domain.FigureFollowers)
	}
}

// TestChainNetworks checks that meta counts live test networks apart, if the catalogue says which they are.
func TestChainNetworks(t *testing.T) {
	chain := func(slug string, status domain.Status, categories ...string) domain.Chain {
		return domain.Chain{Slug: slug, Name: english(slug), ChainID: slug, Status: status, Categories: categories}
	}
	catalog := &domain.Catalog{
		Roles:      &domain.Roles{Testnet: []string{"testnet", "devnet"}},
		Categories: []domain.Category{{Key: "testnet", Name: english("Testnet")}, {Key: "devnet", Name: english("Devnet")}},
		Chains: []domain.Chain{
			chain("a", ""), chain("b", domain.StatusLive), chain("c", "", "testnet"), chain("d", "", "devnet"), chain("e", "", "testnet", "devnet"),
			chain("f", domain.StatusUpcoming), chain("g", domain.StatusUpcoming, "testnet"), chain("h", domain.StatusRetired, "testnet"),
		},
	}
	want := &snapshot.ChainNetworks{Mainnets: 2, Testnets: 3, Upcoming: 2}
	if diff := cmp.Diff(want, compile(t, catalog).MetaView(0).ChainNetworks); diff != "" {
		t.Errorf("the counts differ (-want +got):\n%s", diff)
	}
	catalog.Roles = nil
	if got := compile(t, catalog).MetaView(0).ChainNetworks; got != nil {
		t.Errorf("without a role: %+v", got)
	}
}
