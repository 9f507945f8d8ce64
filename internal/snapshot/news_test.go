package snapshot_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// TestNews checks that launches and ends have the dates of records, newest first.
func TestNews(t *testing.T) {
	chain := func(slug string, launched domain.Date, status domain.Status, since domain.Date) domain.Chain {
		return domain.Chain{Slug: slug, Name: english(slug), ChainID: slug, Launched: launched, Status: status, StatusSince: since}
	}
	retired := chain("old", "2020-01-01", domain.StatusRetired, "2024-05-06")
	retired.StatusNote, retired.Description = english("It was shut."), english("It ran.")
	card := func(app string) domain.Card { return domain.Card{App: app} }
	s := compile(t, &domain.Catalog{
		Chains: []domain.Chain{
			chain("new", "2024-05-06", "", ""),
			chain("planned", "2027-01-01", domain.StatusUpcoming, "2026-01-01"),
			chain("undated", "", domain.StatusRetired, ""),
			chain("live-since", "", domain.StatusLive, "2025-01-01"),
			retired,
		},
		Apps: []domain.App{
			{Key: "shown", Title: english("Shown"), Description: english("It shows."), Link: "https://a.example/", Launched: "2024-05-06"},
			{Key: "nowhere", Title: english("Nowhere"), Link: "https://b.example/", Launched: "2024-05-06"},
		},
		NavGroups: []domain.NavGroup{{Key: "g", Slug: "g", Name: english("G"), Menus: []string{"z", "a"}}},
		Menus: []domain.Menu{
			{PathSlug: "a", Title: english("A"), Standalone: []domain.Item{{Slug: "in-a", Name: english("I"), Type: domain.ItemCategory, Cards: []domain.Card{card("shown")}}}},
			{PathSlug: "z", Title: english("Z"), Standalone: []domain.Item{{Slug: "in-z", Name: english("I"), Type: domain.ItemCategory, Cards: []domain.Card{card("shown")}}}},
		},
	})
	want := []snapshot.Event{
		{Kind: query.KindCard, Key: "shown", Name: "Shown", Date: "2024-05-06", Note: "It shows."},
		{Kind: query.KindChain, Key: "new", Name: "new", Date: "2024-05-06"},
		{Kind: query.KindChain, Key: "old", Name: "old", Date: "2024-05-06", Ended: true, Note: "It was shut."},
		{Kind: query.KindChain, Key: "old", Name: "old", Date: "2020-01-01", Note: "It ran."},
	}
	if diff := cmp.Diff(want, s.News(0)); diff != "" {
		t.Error(diff)
	}
}

func TestChainStatus(t *testing.T) {
	english := func(s string) domain.Text { return domain.Text{{Locale: "en", Value: s}} }
	s, err := snapshot.Compile(nil, &domain.Catalog{
		Title: english("T"), DefaultLocale: "en", Locales: []string{"en"},
		Chains: []domain.Chain{
			{Slug: "live", Name: english("L"), ChainID: "1", StatusSince: "2020-01-02"},
			{Slug: "gone", Name: english("G"), ChainID: "2", Status: domain.StatusRetired, StatusSince: "2025-03-04"},
			{Slug: "over", Name: english("O"), ChainID: "3", Status: domain.StatusRetired},
			{Slug: "soon", Name: english("S"), ChainID: "4", Status: domain.StatusUpcoming},
		},
	}, snapshot.Revision{Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	for slug, want := range map[string]string{
		"live": "live 2020-01-02", "gone": "retired 2025-03-04", "over": "retired ", "soon": "upcoming ", "2": "live ", "nothing": "live ",
	} {
		status, since := s.ChainStatus(slug)
		if got := string(status) + " " + string(since); got != want {
			t.Errorf("%s: %q, want %q", slug, got, want)
		}
	}
}
