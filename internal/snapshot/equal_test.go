package snapshot_test

import (
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// TestCardsFollowTheirApp checks that cards are compiled again if the status or links of their
// app change.
func TestCardsFollowTheirApp(t *testing.T) {
	catalog := func(change func(*domain.App)) *domain.Catalog {
		c := &domain.Catalog{DefaultLocale: "en", Locales: []string{"en"}}
		for _, key := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} { // so many that one change is incremental
			c.Apps = append(c.Apps, domain.App{Key: key, Title: english(key), Link: "https://example.org/" + key})
		}
		change(&c.Apps[0])
		item := domain.Item{Slug: "i", Name: english("I"), Type: domain.ItemCategory}
		for _, app := range c.Apps {
			item.Cards = append(item.Cards, domain.Card{ID: app.Key, App: app.Key})
		}
		c.Menus = []domain.Menu{{PathSlug: "m", Title: english("M"), Standalone: []domain.Item{item}}}
		return c
	}
	bodies := func(s *snapshot.Snapshot) string {
		list := func(kind query.Kind, status query.Status) string {
			return string(s.List(query.List{Kind: kind, Status: status}).Body()) + "\n"
		}
		app, _ := s.Record(query.KindApp, "a", 0)
		return list(query.KindCard, query.StatusAll) + list(query.KindApp, query.StatusAll) + list(query.KindCard, "") + string(app)
	}
	before := compile(t, catalog(func(*domain.App) {}))
	for name, change := range map[string]func(*domain.App){
		"status": func(a *domain.App) { a.Status = domain.StatusRetired },
		"links":  func(a *domain.App) { a.Links = []domain.Link{{Type: "docs", URL: "https://docs.example.org/"}} },
	} {
		fresh := compile(t, catalog(change))
		next, err := snapshot.Compile(before, catalog(change), revision)
		if err != nil {
			t.Fatal(err)
		}
		if bodies(next) != bodies(fresh) {
			t.Errorf("%s changed:\n%s\nwant:\n%s", name, bodies(next), bodies(fresh))
		}
		if bodies(fresh) == bodies(before) {
			t.Errorf("%s changed, but the card did not", name)
		}
	}
}
