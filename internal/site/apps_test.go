package site

import (
	"strings"
	"testing"
	"testing/fstest"
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
			`<h1 id="title">New app</h1>`, `<a href="https://new.example/" rel="noopener noreferrer">new.example</a>`, `<a href="/en/cards?tag=swap">Swaps</a>`,
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
