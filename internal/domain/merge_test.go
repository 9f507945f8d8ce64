package domain_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/domain"
)

func observedTVL(v float64, source string, day domain.Date) domain.Observation {
	return domain.Observation{Kind: domain.KindChain, Key: "a", Figure: domain.FigureTVL, Value: v, Source: source, AsOf: day}
}

func TestMerge(t *testing.T) {
	cases := []struct {
		name     string
		written  *domain.Figure
		observed []domain.Observation
		want     *domain.Figure
	}{
		{"nothing", nil, nil, nil},
		{"absent is the newest observation", nil, []domain.Observation{
			observedTVL(1, "x", "2025-01-01"), observedTVL(2, "y", "2025-01-03"), observedTVL(3, "z", "2025-01-02"),
		}, dated(2, "y", "2025-01-03")},
		{"of one date the later in the slice", nil, []domain.Observation{
			observedTVL(1, "x", "2025-01-01"), observedTVL(2, "y", "2025-01-01"),
		}, dated(2, "y", "2025-01-01")},
		{"bare wins", bare(5), []domain.Observation{observedTVL(1, "x", "2099-01-01")}, bare(5)},
		{"bare 0 wins", bare(0), []domain.Observation{observedTVL(1, "x", "2099-01-01")}, bare(0)},
		{"dated loses to newer", dated(5, "w", "2025-01-01"), []domain.Observation{observedTVL(1, "x", "2025-01-02")}, dated(1, "x", "2025-01-02")},
		{"dated wins over older", dated(5, "w", "2025-01-02"), []domain.Observation{observedTVL(1, "x", "2025-01-01")}, dated(5, "w", "2025-01-02")},
		{"dated wins a tie", dated(5, "w", "2025-01-01"), []domain.Observation{observedTVL(1, "x", "2025-01-01")}, dated(5, "w", "2025-01-01")},
		{"what is no observation", nil, []domain.Observation{
			observedTVL(1, "x", ""), observedTVL(math.NaN(), "x", "2025-01-01"), observedTVL(math.Inf(1), "x", "2025-01-01"),
		}, nil},
		{"of others", nil, []domain.Observation{
			{Kind: domain.KindChain, Key: "b", Figure: domain.FigureTVL, Value: 1, Source: "x", AsOf: "2025-01-01"},
			{Kind: domain.KindAccount, Key: "a", Figure: domain.FigureTVL, Value: 1, Source: "x", AsOf: "2025-01-01"},
			{Kind: domain.KindChain, Key: "a", Figure: domain.FigureFollowers, Value: 1, Source: "x", AsOf: "2025-01-01"},
		}, nil},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			editors := &domain.Catalog{Chains: []domain.Chain{{Slug: "a", TVL: tc.written}}}
			before := deepCopy(editors)
			merged := domain.Merge(editors, tc.observed)
			if diff := cmp.Diff([]domain.Chain{{Slug: "a", TVL: tc.want}}, merged.Chains); diff != "" {
				t.Errorf("chains (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, editors); diff != "" {
				t.Errorf("the editors' layer was changed:\n%s", diff)
			}
		})
	}
}

func TestMergeOfEveryFigure(t *testing.T) {
	observed := []domain.Observation{
		{Kind: domain.KindChain, Key: "celo", Figure: domain.FigurePlatforms, Value: 7, Source: "s", AsOf: "2026-01-01"},
		{Kind: domain.KindAccount, Key: "CELO_ORG", Figure: domain.FigureFollowers, Value: 8, Source: "s", AsOf: "2026-01-01"},
	}
	c := rich()
	c.Accounts[1].Followers = nil
	if !domain.HeldBack(c.Accounts[1]) {
		t.Error("an account without followers is not held back")
	}
	merged := domain.Merge(c, observed)
	if domain.HeldBack(merged.Accounts[1]) {
		t.Error("an account whose followers were observed is held back")
	}
	want := rich()
	want.Chains[1].Platforms = dated(7, "s", "2026-01-01")
	want.Accounts[1].Followers = dated(8, "s", "2026-01-01") // handles are compared folded
	if diff := cmp.Diff(want, merged); diff != "" {
		t.Errorf("merged (-want +got):\n%s", diff)
	}
}

func TestMergeNil(t *testing.T) {
	if diff := cmp.Diff(&domain.Catalog{}, domain.Merge(nil, nil)); diff != "" {
		t.Errorf("merged (-want +got):\n%s", diff)
	}
}

// TestMergeOracle compares Merge with an implementation of docs/figures.md#precedence, and checks
// that merging the result again with the same observations changes nothing.
func TestMergeOracle(t *testing.T) {
	day := rapid.SampledFrom([]domain.Date{"2025-01-01", "2025-01-02", "2025-01-03"})
	rapid.Check(t, func(t *rapid.T) {
		var written *domain.Figure
		switch rapid.IntRange(0, 2).Draw(t, "layer") {
		case 1:
			written = bare(100)
		case 2:
			written = dated(200, "editors", day.Draw(t, "written"))
		}
		var observed []domain.Observation
		for i := range rapid.IntRange(0, 4).Draw(t, "observations") {
			observed = append(observed, observedTVL(float64(i), "sync", day.Draw(t, "observed")))
		}
		editors := &domain.Catalog{Chains: []domain.Chain{{Slug: "a", TVL: written}}}
		merged := domain.Merge(editors, observed)
		if diff := cmp.Diff(precedence(written, observed), merged.Chains[0].TVL); diff != "" {
			t.Fatalf("figure (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(merged, domain.Merge(merged, observed)); diff != "" {
			t.Fatalf("merged twice (-once +twice):\n%s", diff)
		}
	})
}

func precedence(written *domain.Figure, observed []domain.Observation) *domain.Figure {
	if written != nil && written.Source == "" && written.AsOf == "" {
		return written
	}
	best := written
	for i := len(observed) - 1; i >= 0; i-- {
		if best == nil || observed[i].AsOf > best.AsOf {
			best = dated(observed[i].Value, observed[i].Source, observed[i].AsOf)
		}
	}
	return best
}
