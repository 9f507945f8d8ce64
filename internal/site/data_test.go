package site

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"vitrine/internal/snapshot"
)

// TestDataPage checks that the page names the sources with their licences, and the ways to get all data.
func TestDataPage(t *testing.T) {
	of := changed(t, snapshot.Revision{PublishedAt: time.Date(2026, 3, 3, 4, 5, 6, 0, time.UTC), Bulk: "/bulk/entry.json"}, fstest.MapFS{
		"catalog.yaml": {Data: []byte(`{title: T, default_locale: en, locales: [en, de],
			licences: [{name: CC0-1.0, url: "https://cc.example/0", scope: {en: texts, de: Texte}}],
			sources: {llama: {name: "A & B", url: "https://a.example/", licence: MIT}, b: {name: Bare}}}`)},
	})
	s := siteOf(t, Config{PublicURL: public})
	for path, parts := range map[string][]string{
		"/en/data": {
			`<a href="https://a.example/" rel="noopener noreferrer">A &amp; B</a></td><td role="cell" data-of="Licence">MIT<`, `Bare</td><td role="cell" data-of="Licence">Not stated<`,
			`<a href="https://cc.example/0" rel="noopener noreferrer">CC0-1.0</a> <span class="facts">texts</span>`, `<a href="/bulk/entry.json">`,
			"<code>vitrine mirror " + public + "/bulk DIR</code>", `href="/en/changes"`, `href="/openapi.json"`, public + "/mcp", "Deutsch",
			"<summary><code>chains</code></summary><p><code>record_key</code>, <code>hidden</code>, <code>slug</code>, <code>name_en</code>, <code>name_de</code>,",
		},
		"/docs":    {"<code>GET /bulk/entry.json</code></h3>"},
		"/de/data": {`CC0-1.0</a> <span class="facts">Texte</span>`},
		"/en/data.md": {
			"- `chains`: `record_key`, `hidden`, `slug`, `name_en`, `name_de`,", "- `chains_categories`: `record_key`, `value`\n",
			"[CC0-1.0](https://cc.example/0) (texts)", "| [A & B](https://a.example/) | MIT |", "| Bare | Not stated |", public + "/bulk/entry.json", "`vitrine mirror " + public + "/bulk DIR`"},
	} {
		page := pageAt(t, s, of, path, "")
		for _, want := range parts {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %s", path, want)
			}
		}
	}
	if page := pageAt(t, s, emptySnapshot(t), "/en/data", ""); strings.Contains(page, "/bulk") || strings.Contains(page, "SQLite") {
		t.Error("the page of a server without a distribution offers files")
	}
	if page := pageAt(t, s, emptySnapshot(t), "/docs", ""); strings.Contains(page, "GET /bulk/entry.json</code></h3>") {
		t.Error("the documentation of a server without a distribution has its operations")
	}
}
