package site

import (
	"sync"
	"testing"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/snapshot"
)

// theBundled returns the bundled catalogue. Tests share it, because it takes long to compile.
func theBundled(t testing.TB) *snapshot.Snapshot {
	t.Helper()
	bundledOnce.Do(func() { bundledShared = bundledSnapshot(t) })
	if bundledShared == nil {
		t.Fatal("the bundled catalogue did not compile")
	}
	return bundledShared
}

var (
	bundledOnce   sync.Once
	bundledShared *snapshot.Snapshot
)

func compile(t testing.TB, c *domain.Catalog) *snapshot.Snapshot {
	t.Helper()
	s, err := snapshot.Compile(nil, c, snapshot.Revision{Number: 7, PublishedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// attack is part of every text of [theUnchecked].
const attack = `</script></title><script>alert(1)</script><img src=x onerror=alert(2)> "'&amp; ` + "`|`" + ` [x](javascript:alert(3)) {{.}}`

// hostileLink is every link of [theUnchecked].
const hostileLink = "javascript:alert(4)"

// theUnchecked returns an English and Arabic catalogue of hostile texts, which the check would
// reject.
func theUnchecked(t testing.TB) *snapshot.Snapshot {
	t.Helper()
	bad := domain.Text{{Locale: "ar", Value: "عربي " + attack}, {Locale: "en", Value: "Bad " + attack}}
	links := []domain.Link{{Type: "explorer", Name: attack, URL: hostileLink}, {Type: "docs", URL: hostileLink}, {Type: "other", URL: "https://example.org/?" + attack}}
	figure := &domain.Figure{Value: 1e12, Source: attack, AsOf: "2025-08-17"}
	extra := domain.JSON(`{"x":"</script><script>alert(5)</script>"}`)
	chains := []domain.Chain{{
		Slug: "bad", Name: bad, ChainID: "99999999999999999999999999", Logo: hostileLink, Description: bad, Categories: []string{"evm", "odd"}, TVL: figure, Platforms: figure,
		Aliases: []string{attack}, Status: domain.StatusRetired, StatusSince: "2025", StatusNote: bad, Successor: "good", Website: hostileLink, Links: links,
		RPC: []domain.Endpoint{{URL: hostileLink, Note: attack}, {URL: "https://rpc.example.org/" + attack}}, Currency: &domain.Currency{Name: attack, Symbol: attack, Decimals: 18},
		Parent: "good", Extra: extra,
	}}
	for _, slug := range []string{"good", "two", "three", "four", "five", "six"} {
		chains = append(chains, domain.Chain{Slug: slug, Name: bad, ChainID: "x:" + slug, Categories: []string{"odd"}, TVL: figure})
	}
	return compile(t, &domain.Catalog{
		Title: bad, DefaultLocale: "en", Locales: []string{"en", "ar"},
		Groups: []domain.Group{{Key: "g", Module: domain.ModuleChain, Name: bad}},
		Categories: []domain.Category{
			{Key: "evm", Name: bad, Description: bad, Scopes: []domain.Module{domain.ModuleChain}, Groups: []domain.ModuleGroups{{Module: domain.ModuleChain, Keys: []string{"g"}}}},
			{Key: "odd", Name: bad, Scopes: domain.Modules()},
		},
		Chains: chains,
		Apps:   []domain.App{{Key: "app", Title: bad, Description: bad, Link: hostileLink, Image: hostileLink, Categories: []string{"odd"}, Chains: []string{"bad"}, Status: domain.StatusRetired}},
		Accounts: []*domain.Account{
			{Handle: "bad_one", Name: attack, Description: bad, Categories: []string{"odd"}, Followers: figure, Website: hostileLink, Links: links, Extra: extra},
			{Handle: "held_back", Name: attack, Categories: []string{"odd"}},
		},
		Channels:  []domain.Channel{{ChannelID: "UCbad_-aaaaaaaaaaaaaaaaa", Name: attack, Description: bad, Categories: []string{"odd"}, Website: hostileLink, Links: links, Extra: extra}},
		NavGroups: []domain.NavGroup{{Key: "all", Slug: "all", Name: bad, Description: bad, Menus: []string{"menu"}}},
		Menus: []domain.Menu{{
			PathSlug: "menu", Title: bad, Description: bad, OGImage: hostileLink,
			Groups: []domain.MenuGroup{{Slug: "group", Name: bad, Items: []domain.Item{
				{Slug: "item", Name: bad, Type: domain.ItemCategory, Description: bad, Cards: []domain.Card{{App: "app"}, {Title: bad, Description: bad, Link: hostileLink}}},
				{Slug: "link", Name: bad, Type: domain.ItemLink, Cards: []domain.Card{{Title: bad, Link: hostileLink}}},
			}}},
		}},
	})
}

// pageAt returns the page at an address.
func pageAt(t testing.TB, s *Site, of *snapshot.Snapshot, path, query string) string {
	t.Helper()
	path, query, _ = s.Canonical(of, path, query, nil)
	found, err := s.Page(of, path, query)
	if err != nil {
		t.Fatalf("%s?%s: %v", path, query, err)
	}
	return string(found.Body)
}
