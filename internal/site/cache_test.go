package site

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"weak"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// titled returns a catalogue of two languages with a number in its title.
func titled(t *testing.T, n int) *snapshot.Snapshot {
	return snapshotOf(t, fstest.MapFS{"catalog.yaml": {Data: fmt.Appendf(nil, "title: {en: Number %d, ja: 番号 %d}\ndefault_locale: en\nlocales: [en, ja]\n", n, n)}})
}

// Concurrent pages of two snapshots and languages do not mix.
func TestSharedDataIsOfTheSnapshot(t *testing.T) {
	s, snapshots := siteOf(t, Config{}), []*snapshot.Snapshot{titled(t, 0), titled(t, 1)}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for round := range 20 {
				n := (i + round/5) % 2
				for path, want := range map[string]string{"/en/cards": "Number ", "/ja/nav": "番号 "} {
					if page := pageAt(t, s, snapshots[n], path, ""); !strings.Contains(page, fmt.Sprint(want, n, "</title>")) {
						t.Errorf("%s of snapshot %d is that of a different one", path, n)
					}
				}
			}
		})
	}
	wg.Wait()
}

// Shared data does not keep an old snapshot in memory.
func TestSharedDataKeepsNoSnapshot(t *testing.T) {
	s := siteOf(t, Config{})
	gone := func() weak.Pointer[snapshot.Snapshot] {
		of := titled(t, 0)
		pageAt(t, s, of, "/en/cards", "")
		return weak.Make(of)
	}()
	for range 3 {
		runtime.GC()
	}
	if gone.Value() != nil {
		t.Error("the snapshot is still there")
	}
	runtime.KeepAlive(s)
}

// Pages do not read all categories again.
func TestCategoriesAreReadOnce(t *testing.T) {
	text := func(s string) domain.Text { return domain.Text{{Locale: "en", Value: s}} }
	c := &domain.Catalog{Title: text("Many"), DefaultLocale: "en", Locales: []string{"en"}}
	for i := range 3000 {
		key := fmt.Sprintf("c%d", i)
		c.Categories = append(c.Categories, domain.Category{Key: key, Name: text(key), Scopes: []domain.Module{domain.ModuleTwitter}})
	}
	c.Accounts = []*domain.Account{{Handle: "one", Name: "One", Categories: []string{"c7"}}}
	s, of := siteOf(t, Config{}), compile(t, c)
	pageAt(t, s, of, "/en/", "")
	registry := testing.AllocsPerRun(5, func() { of.CategoriesView(query.Categories{}) })
	for _, path := range []string{"/en/search", "/en/twitter", "/en/twitter/one"} {
		if page := testing.AllocsPerRun(5, func() { pageAt(t, s, of, path, "") }); page > registry {
			t.Errorf("%s makes %.0f allocations; to read all categories makes %.0f", path, page, registry)
		}
	}
}
