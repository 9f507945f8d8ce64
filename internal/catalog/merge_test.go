package catalog_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/catalog"
)

func observedTVL(v float64, source string, day catalog.Date) catalog.Observation {
	return catalog.Observation{Kind: catalog.KindChain, Key: "a", Figure: catalog.FigureTVL, Value: v, Source: source, AsOf: day}
}

func TestMerge(t *testing.T) {
	cases := []struct {
		name     string
		written  *catalog.Figure
		observed []catalog.Observation
		want     *catalog.Figure
	}{
		{"nothing", nil, nil, nil},
		{"absent is the newest observation", nil, []catalog.Observation{
			observedTVL(1, "x", "2025-01-01"), observedTVL(2, "y", "2025-01-03"), observedTVL(3, "z", "2025-01-02"),
		}, dated(2, "y", "2025-01-03")},
		{"of one date the later in the slice", nil, []catalog.Observation{
			observedTVL(1, "x", "2025-01-01"), observedTVL(2, "y", "2025-01-01"),
		}, dated(2, "y", "2025-01-01")},
		{"bare wins", bare(5), []catalog.Observation{observedTVL(1, "x", "2099-01-01")}, bare(5)},
		{"bare 0 wins", bare(0), []catalog.Observation{observedTVL(1, "x", "2099-01-01")}, bare(0)},
		{"dated loses to newer", dated(5, "w", "2025-01-01"), []catalog.Observation{observedTVL(1, "x", "2025-01-02")}, dated(1, "x", "2025-01-02")},
		{"dated wins over older", dated(5, "w", "2025-01-02"), []catalog.Observation{observedTVL(1, "x", "2025-01-01")}, dated(5, "w", "2025-01-02")},
		{"dated wins a tie", dated(5, "w", "2025-01-01"), []catalog.Observation{observedTVL(1, "x", "2025-01-01")}, dated(5, "w", "2025-01-01")},
		{"what is no observation", nil, []catalog.Observation{
			observedTVL(1, "x", ""), observedTVL(math.NaN(), "x", "2025-01-01"), observedTVL(math.Inf(1), "x", "2025-01-01"),
		}, nil},
		{"of others", nil, []catalog.Observation{
			{Kind: catalog.KindChain, Key: "b", Figure: catalog.FigureTVL, Value: 1, Source: "x", AsOf: "2025-01-01"},
			{Kind: catalog.KindAccount, Key: "a", Figure: catalog.FigureTVL, Value: 1, Source: "x", AsOf: "2025-01-01"},
			{Kind: catalog.KindChain, Key: "a", Figure: catalog.FigureFollowers, Value: 1, Source: "x", AsOf: "2025-01-01"},
		}, nil},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			editors := &catalog.Catalog{Chains: []catalog.Chain{{Slug: "a", TVL: tc.written}}}
			before := deepCopy(editors)
			merged := catalog.Merge(editors, tc.observed)
			if diff := cmp.Diff([]catalog.Chain{{Slug: "a", TVL: tc.want}}, merged.Chains); diff != "" {
				t.Errorf("chains (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, editors); diff != "" {
				t.Errorf("the editors' layer was changed:\n%s", diff)
			}
		})
	}
}

func TestMergeOfEveryFigure(t *testing.T) {
	observed := []catalog.Observation{
		{Kind: catalog.KindChain, Key: "celo", Figure: catalog.FigurePlatforms, Value: 7, Source: "s", AsOf: "2026-01-01"},
		{Kind: catalog.KindAccount, Key: "CELO_ORG", Figure: catalog.FigureFollowers, Value: 8, Source: "s", AsOf: "2026-01-01"},
	}
	c := rich()
	c.Accounts[1].Followers = nil
	if !catalog.HeldBack(c.Accounts[1]) {
		t.Error("an account without followers is not held back")
	}
	merged := catalog.Merge(c, observed)
	if catalog.HeldBack(merged.Accounts[1]) {
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
	if diff := cmp.Diff(&catalog.Catalog{}, catalog.Merge(nil, nil)); diff != "" {
		t.Errorf("merged (-want +got):\n%s", diff)
	}
}

// Merge agrees with the sentences of docs/publishing.md#two-layers one by one, and merging
// its own result with the same observations changes nothing.
func TestMergeOracle(t *testing.T) {
	day := rapid.SampledFrom([]catalog.Date{"2025-01-01", "2025-01-02", "2025-01-03"})
	rapid.Check(t, func(t *rapid.T) {
		var written *catalog.Figure
		switch rapid.IntRange(0, 2).Draw(t, "layer") {
		case 1:
			written = bare(100)
		case 2:
			written = dated(200, "editors", day.Draw(t, "written"))
		}
		var observed []catalog.Observation
		for i := range rapid.IntRange(0, 4).Draw(t, "observations") {
			observed = append(observed, observedTVL(float64(i), "sync", day.Draw(t, "observed")))
		}
		editors := &catalog.Catalog{Chains: []catalog.Chain{{Slug: "a", TVL: written}}}
		merged := catalog.Merge(editors, observed)
		if diff := cmp.Diff(precedence(written, observed), merged.Chains[0].TVL); diff != "" {
			t.Fatalf("figure (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(merged, catalog.Merge(merged, observed)); diff != "" {
			t.Fatalf("merged twice (-once +twice):\n%s", diff)
		}
	})
}

func precedence(written *catalog.Figure, observed []catalog.Observation) *catalog.Figure {
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
