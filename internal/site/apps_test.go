package site

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// The page of an app has its status, places in menus and chains. Search, news and the page itself lead to it,
// also by a former key.
func TestAppPage(t *testing.T) {
	s, of := siteOf(t, Config{PublicURL: public}), snapshotOf(t, fstest.MapFS{
		"catalog.yaml":    {Data: []byte("title: {en: Shop, ja: 店}\ndefault_locale: en\nlocales: [en, ja]\n")},
		"categories.yaml": {Data: []byte("groups: [{key: use, module: item, name: {en: Use}}]\ncategories: [{key: swap, name: {en: Swaps, ja: 交換}, scopes: [item], groups: {item: [use]}}]\n")},
		"chains.yaml":     {Data: []byte("- {slug: one, name: One, chain_id: '1'}\n")},
		"apps.yaml": {Data: []byte(`
- {key: new, title: {en: New app, ja: 新アプリ}, link: "https://new.example/", categories: [swap], chains: [one], platforms: [web, ios], former: [older], links: [{type: docs, url: "https://docs.example/"}], extra: {a: 1}}
- {key: old, title: Old app, link: "https://old.example/", launched: 2020-01-02, status: retired, status_since: 2025-03-04, status_note: Closed <by> its makers., successor: new}
`)},
		"nav.yaml":       {Data: []byte("groups: [{key: g, name: G, menus: [tools]}]\n")},
		"nav/tools.yaml": {Data: []byte("title: {en: Tools, ja: 道具}\nstandalone:\n  - {slug: i, name: Swapping, cards: [{app: new}, {app: old}]}\n")},
	})
	for path, parts := range map[string][]string{
		"/en/apps/new": {
			`<h1 id="title">New app</h1>`, `<a href="https://new.example/" rel="noopener noreferrer">new.example</a>`, `<a href="/en/apps?tag=swap">Swaps</a>`,
			`<a href="/en/chains/one">One</a>`, "<li>Web</li><li>iOS</li>", `<dt>Listed in</dt><dd><ul class="tags"><li><a href="/en/nav/tools#i">Tools</a></li></ul></dd>`,
			`https://docs.example/`, `&#34;a&#34;: 1`, `href="/api/open/apps/new?`, `<link rel="canonical" href="` + public + `/en/apps/new">`,
		},
		"/ja/apps/new":    {"新アプリ", ">交換<", ">道具<", "<dt>掲載メニュー</dt>", "<li>ウェブ</li>"},
		"/en/apps/old":    {`<span class="state retired">Retired</span> · 4 March 2025 · Closed &lt;by&gt; its makers. · Successor: <a href="/en/apps/new">New app</a>`, "<dd>2 January 2020</dd>"},
		"/en/apps/old.md": {"**Retired** · 4 March 2025", "[New app](" + public + "/en/apps/new.md)"},
		"/en/apps/older":  {`<link rel="canonical" href="` + public + `/en/apps/new">`},
		"/en/news":        {`<a href="/en/apps/old">Old app</a>`},
	} {
		page := pageAt(t, s, of, path, "")
		for _, part := range parts {
			if !strings.Contains(page, part) {
				t.Errorf("%s lacks %s", path, part)
			}
		}
	}
	found := pageAt(t, s, of, "/en/search", "q=app")
	if !strings.Contains(found, `<a href="/en/apps/new">`) || !strings.Contains(found, `<a href="/en/apps/old">`) || !strings.Contains(found, `<span class="state retired">`) {
		t.Errorf("search does not lead to the pages of apps")
	}
	if sitemap := pageAt(t, s, of, "/sitemap.xml", ""); !strings.Contains(sitemap, public+"/ja/apps/old<") {
		t.Error("the sitemap lacks an app")
	}
}

// The list of apps has the rows of the API, with filters by chain, platform and category. The navigation and
// categories lead to it.
func TestAppsPage(t *testing.T) {
	s, of := siteOf(t, Config{PublicURL: public}), theBundled(t)
	for _, raw := range []string{"", "chain=base", "platform=ios", "chain=base&platform=ios&tag=mobile-wallet", "q=uniswap", "tag=mobile-wallet,lending", "status=all", "offset=50"} {
		q, err := query.ParseList(query.KindApp, raw+"&limit=50&match=groups", of.Locales())
		if err != nil {
			t.Fatal(err)
		}
		found := snapshot.Rows[snapshot.AppRow](of, q)
		var want, inMarkdown []string
		for _, app := range found.Rows {
			want, inMarkdown = append(want, "/en/apps/"+app.Key), append(inMarkdown, public+"/en/apps/"+app.Key+".md")
		}
		page, markdown := pageAt(t, s, of, "/en/apps", raw), pageAt(t, s, of, "/en/apps.md", raw)
		_, rows, _ := strings.Cut(page, "data-results")
		if got := captured(rows, `<li class="entry"><a href="([^"]*)">`); !slices.Equal(got, want) {
			t.Errorf("%q has %v; want %v", raw, got, want)
		}
		if got := captured(markdown, `(?m)^\| \[[^]]*\]\(<?([^)>]*)`); !slices.Equal(got, inMarkdown) {
			t.Errorf("%q has %v in Markdown; want %v", raw, got, inMarkdown)
		}
		if !strings.Contains(page, `class="count">`+s.words.of("en").integer(found.Total)) {
			t.Errorf("%q does not say that %d match", raw, found.Total)
		}
	}
	for at, parts := range map[string][]string{
		"/en/apps": {`<a href="/en/apps" aria-current="true">Apps</a>`, `<link rel="canonical" href="` + public + `/en/apps">`, `<a href="/en/nav">Apps by purpose</a>`, `<option value="ios">iOS</option>`},
		"/en/apps?tag=hardware-wallet": {
			`<h1 id="title">Hardware wallets</h1>`, `<link rel="canonical" href="` + public + `/en/apps?tag=hardware-wallet">`,
		},
		"/en/apps?chain=solana&platform=ios": {`<h1 id="title">Apps: Solana, iOS</h1>`, `<meta name="robots" content="noindex, follow">`},
		"/en/cards?tag=hardware-wallet":      {`<meta name="robots" content="noindex, follow">`}, // the apps are indexed instead
		"/en/nav":                            {`<a href="/en/apps" aria-current="true">Apps</a>`, `<a href="/en/apps">All apps</a>`},
		"/en/nav/wallets":                    {`<a href="/en/nav">Apps by purpose</a>`},
		"/en/chains/solana":                  {`<a href="/en/apps?chain=solana">All `},
	} {
		path, query, _ := strings.Cut(at, "?")
		page := pageAt(t, s, of, path, query)
		for _, part := range parts {
			if !strings.Contains(page, part) {
				t.Errorf("%s lacks %s", at, part)
			}
		}
	}
	if page := pageAt(t, s, of, "/en/apps", "tag=hardware-wallet"); strings.Contains(page, "noindex") {
		t.Error("the page of a category of apps is not indexed")
	}
	sitemap := pageAt(t, s, of, "/sitemap-1.xml", "")
	for _, path := range []string{"/ja/apps<", "/en/apps?tag=hardware-wallet<"} {
		if !strings.Contains(sitemap, public+path) {
			t.Errorf("the sitemap lacks %s", path)
		}
	}
	if _, err := s.Page(of, "/en/apps", "platform=amiga"); err == nil {
		t.Error("an unknown platform is accepted")
	}
}

// In a catalogue without apps, cards are in the navigation, on the pages of chains and behind categories.
func TestCardsWithoutApps(t *testing.T) {
	s, of := siteOf(t, Config{PublicURL: public}), snapshotOf(t, fstest.MapFS{
		"catalog.yaml":    {Data: []byte("title: {en: Links}\ndefault_locale: en\nlocales: [en]\n")},
		"categories.yaml": {Data: []byte("groups: [{key: use, module: item, name: {en: Use}}]\ncategories: [{key: swap, name: {en: Swaps}, scopes: [item], groups: {item: [use]}}]\n")},
		"chains.yaml":     {Data: []byte("- {slug: one, name: One, chain_id: '1'}\n")},
		"nav.yaml":        {Data: []byte("groups: [{key: g, name: G, menus: [tools]}]\n")},
		"nav/tools.yaml": {Data: []byte("title: {en: Tools}\nstandalone:\n  - {slug: i, name: Swapping, cards: [" +
			"{title: Here, link: \"https://here.example/\", categories: [swap], chains: [one]}, {title: Again, link: \"https://here.example/\", chains: [one]}]}\n")},
	})
	for path, parts := range map[string][]string{
		"/en/":           {`<a href="/en/nav">Apps</a>`, `<a href="/en/cards">2 menu entries</a>`},
		"/en/categories": {`<a href="/en/cards?tag=swap">Swaps</a> <span class="facts">1</span>`},
		"/en/chains/one": {`<a href="/en/cards?chain=one">All 2</a>`, "https://here.example/"},
		"/en/nav":        {`<a href="/en/cards">All menu entries</a>`},
	} {
		page := pageAt(t, s, of, path, "")
		for _, part := range parts {
			if !strings.Contains(page, part) {
				t.Errorf("%s lacks %s", path, part)
			}
		}
		if strings.Contains(page, `href="/en/apps`) {
			t.Errorf("%s links to an empty list of apps", path)
		}
	}
	if page := pageAt(t, s, of, "/en/chains/one", ""); strings.Count(page, "<strong>") != 1 {
		t.Error("two cards with one address are two apps of the chain")
	}
}
