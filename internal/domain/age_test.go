package domain_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

// aged returns a catalogue with figures of several days.
func aged() *domain.Catalog {
	return &domain.Catalog{
		MaxAge: &domain.MaxAges{
			TVL:       &domain.AgeLimit{Days: 365},
			Followers: &domain.AgeLimit{Days: 365, Older: domain.OlderMark},
		},
		Chains: []domain.Chain{
			{Slug: "new", TVL: dated(1, "s", "2026-01-01"), Platforms: dated(1, "s", "2026-01-01")},
			{Slug: "year", TVL: dated(2, "s", "2025-01-01"), Platforms: dated(2, "s", "2001-01-01")},
			{Slug: "older", TVL: dated(3, "s", "2024-12-31"), Platforms: dated(3, "s", "2000-01-01")},
			{Slug: "word", TVL: bare(4)},
			{Slug: "none"},
		},
		Accounts: []*domain.Account{
			{Handle: "new", Followers: dated(1, "s", "2026-02-09")},
			{Handle: "older", Followers: dated(2, "s", "2023-07-14")},
		},
	}
}

func TestListed(t *testing.T) {
	c := aged()
	before := deepCopy(c)
	listed := domain.Listed(c)
	want := deepCopy(c)
	want.Chains[2].TVL = nil
	if diff := cmp.Diff(want, deepCopy(listed)); diff != "" {
		t.Errorf("listed (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, deepCopy(c)); diff != "" {
		t.Errorf("the catalogue was changed (-before +after):\n%s", diff)
	}
	if listed.Accounts[0] != c.Accounts[0] {
		t.Error("accounts are copied although no figure is held")
	}
}

// TestListedIsTheSame checks that lists have the catalogue unchanged without a limit, with a
// limit that all figures meet, and with an invalid limit.
func TestListedIsTheSame(t *testing.T) {
	for _, ages := range []*domain.MaxAges{
		nil, {}, {TVL: &domain.AgeLimit{Days: 366}}, {TVL: &domain.AgeLimit{}}, {TVL: &domain.AgeLimit{Days: 1, Older: domain.OlderMark}},
	} {
		c := aged()
		c.MaxAge = ages
		if domain.Listed(c) != c {
			t.Errorf("%+v: lists have a different catalogue", ages)
		}
	}
}

// TestAgesAfterMerge checks that ages are relative to the newest figure, including observations.
func TestAgesAfterMerge(t *testing.T) {
	merged := domain.Merge(aged(), []domain.Observation{{Kind: domain.KindChain, Key: "none", Figure: domain.FigureTVL, Value: 9, Source: "x", AsOf: "2027-06-01"}})
	var without []string
	for _, ch := range domain.Listed(merged).Chains {
		if ch.TVL == nil {
			without = append(without, ch.Slug)
		}
	}
	if diff := cmp.Diff([]string{"new", "year", "older"}, without); diff != "" {
		t.Errorf("without TVL (-want +got):\n%s", diff)
	}
}

func TestOldFigures(t *testing.T) {
	var got []string
	for _, p := range domain.Check(aged(), domain.Reading{}).Problems {
		if p.Rule == domain.RuleOldFigure {
			got = append(got, fmt.Sprintf("%s[%d].%s: %s; %s", p.At.Kind, p.At.Index, strings.Join(p.At.Path, "."), p.Message, p.Remedy))
		}
	}
	want := []string{
		"chains[2].llama_tvl: llama_tvl is of 2024-12-31, 366 days before the newest one; max_age is 365, so that lists do not have it; " +
			"write a newer one with its date, or accept this one in catalog.yaml",
		"twitter[1].followers_count: followers_count is of 2023-07-14, 941 days before the newest one; max_age is 365; " +
			"write a newer one with its date, or accept this one in catalog.yaml",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems of %s (-want +got):\n%s", domain.RuleOldFigure, diff)
	}
	c := aged()
	c.Accept = []domain.Acceptance{{Rule: domain.RuleOldFigure, Kind: domain.KindAccount}}
	if n := domain.Check(c, domain.Reading{}).Accepted[domain.RuleOldFigure]; n != 1 {
		t.Errorf("%d old figures are accepted, want 1", n)
	}
}
