package site

import (
	"strings"
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// An app is one result, however many cards it has. It links to its page.
func TestAppsInSearch(t *testing.T) {
	english := func(s string) domain.Text { return domain.Text{{Locale: "en", Value: s}} }
	menu := func(slug, item string, cards ...domain.Card) domain.Menu {
		return domain.Menu{PathSlug: slug, Title: english(slug), Standalone: []domain.Item{{Slug: item, Name: english(item), Type: domain.ItemCategory, Cards: cards}}}
	}
	of, err := snapshot.Compile(nil, &domain.Catalog{
		Title: english("Title"), DefaultLocale: "en", Locales: []string{"en"},
		Apps: []domain.App{
			{Key: "twice", Title: english("Twice"), Link: "https://twice.example/"},
			{Key: "nowhere", Title: english("Nowhere"), Link: "https://nowhere.example/"},
			{Key: "inside", Title: english("Inside"), Link: "/chains"},
			{Key: "scheme", Title: english("Scheme"), Link: "celo://pay"},
		},
		Menus: []domain.Menu{
			menu("second", "b", domain.Card{App: "twice"}), menu("first", "a", domain.Card{App: "twice"}, domain.Card{Title: english("Twice alone"), Link: "https://alone.example/"}),
		},
		NavGroups: []domain.NavGroup{{Key: "g", Slug: "g", Name: english("G"), Menus: []string{"first", "second"}}},
	}, snapshot.Revision{Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := siteOf(t, Config{})
	for _, tt := range []struct {
		query string
		rows  []string
	}{
		{"q=twice", []string{`/en/apps/twice"`, `/en/nav/first#a"`}},
		{"q=twice&kind=app", []string{`/en/apps/twice"`}},
		{"q=twice&kind=card", []string{`/en/nav/first#a"`}},
		{"q=nowhere", []string{`/en/apps/nowhere"`}},
		{"q=inside", []string{`/en/apps/inside"`}},
		{"q=scheme", []string{`/en/apps/scheme"`}},
	} {
		rows := captured(pageAt(t, s, of, "/en/search", tt.query), `<li class="entry[^"]*"><a href="([^>]+)>`)
		if strings.Join(rows, "\n") != strings.Join(tt.rows, "\n") {
			t.Errorf("%s: %q, want %q", tt.query, rows, tt.rows)
		}
	}
	if page := pageAt(t, s, of, "/en/search", "q=twice"); !strings.Contains(page, `>Apps <span class="n">1<`) || !strings.Contains(page, `>Links <span class="n">1<`) {
		t.Error("the kinds do not count one app and one link")
	}
}

// A page that does not exist suggests records of all kinds, by their names in any language.
func TestFailureSuggestsNamesOfAllKinds(t *testing.T) {
	of, s := theBundled(t), siteOf(t, Config{})
	failure := response.Failure{Problem: &response.Problem{Code: response.NotFound}, Status: 404}
	for _, path := range []string{"/en/uniswpa", "/en/metamsak", "/en/chains/uniswap", "/en/base", "/ja/chain/8453", "/ja/%E3%83%A1%E3%82%BF%E3%83%9E%E3%82%B9%E3%82%AF"} {
		page := string(s.Failure(of, path, nil, failure).Body)
		record := map[string]string{
			"/en/uniswpa": `<a href="/en/apps/uniswap">Uniswap</a> <span class="facts">App</span>`, "/en/metamsak": `<a href="/en/apps/metamask">MetaMask</a>`,
			"/en/chains/uniswap": `<a href="/en/apps/uniswap">Uniswap</a>`, "/en/base": `<a href="/en/chains/base">Base</a> <span class="facts">Chain</span>`,
			"/ja/chain/8453": `<a href="/ja/chains/base">Base</a> <span class="facts">チェーン</span>`, "/ja/%E3%83%A1%E3%82%BF%E3%83%9E%E3%82%B9%E3%82%AF": `<a href="/ja/apps/metamask">`,
		}[path]
		if !strings.Contains(page, record) {
			t.Errorf("%s does not suggest %s", path, record)
		}
	}
	if page := string(s.Failure(of, "/en/chains/notachain", nil, failure).Body); strings.Contains(page, `href="/en/search?q=`) {
		t.Error("names that are not close to notachain are suggested")
	}
}

func TestCorrectionLeavesOutDroppedWords(t *testing.T) {
	page := pageAt(t, siteOf(t, Config{}), theBundled(t), "/en/search", "q=etherium+zzzzz")
	for _, want := range []string{"Showing results for “Ethereum”.", "Searched without: zzzzz."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestHostOf(t *testing.T) {
	for address, want := range map[string]string{
		"https://www.example.org/a": "example.org", "https://github.com/vim/vim/tree/master": "github.com/vim/vim", "https://github.com/Uniswap/": "github.com/Uniswap",
		"https://gitlab.com": "gitlab.com", "mailto:a@example.org": "", "%": "",
	} {
		if got := hostOf(address); got != want {
			t.Errorf("hostOf(%q) = %q; want %q", address, got, want)
		}
	}
}
