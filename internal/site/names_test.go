package site

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// A record whose name ends in .md has its page at its name, and its Markdown version after it.
// A record with the same name without .md has no Markdown version.
func TestNamesThatEndLikeMarkdown(t *testing.T) {
	s := siteOf(t, Config{PublicURL: public})
	of := snapshotOf(t, fstest.MapFS{
		"catalog.yaml":    {Data: []byte("title: {en: Names}\ndefault_locale: en\nlocales: [en, ja]\n")},
		"categories.yaml": {Data: []byte("groups: [{key: g, module: chain, name: {en: G}}]\ncategories: [{key: c, name: {en: C}, scopes: [chain], groups: {chain: [g]}}]\n")},
		"chains.yaml": {Data: []byte("- {slug: read.md, name: {en: With the ending}, chain_id: 1, categories: [c]}\n- {slug: read, name: {en: Without it}, chain_id: 2, categories: [c]}\n" +
			"- {slug: alone.md, name: {en: Lonely}, chain_id: 3, categories: [c]}\n")},
		"nav.yaml":      {Data: []byte("groups:\n  - {key: g, name: {en: G}, menus: [m.md]}\n")},
		"nav/m.md.yaml": {Data: []byte("title: {en: A menu}\nstandalone:\n  - {slug: i, name: {en: I}, cards: [{title: {en: Card}, link: \"https://card.example/\"}]}\n")},
	})
	for path, want := range map[string]string{
		"/en/chains/read": "<h1 id=\"title\">Without it</h1>", "/en/chains/read.md": "<h1 id=\"title\">With the ending</h1>", "/en/chains/read.md.md": "# With the ending\n",
		"/chains/read.md": "<h1 id=\"title\">With the ending</h1>", "/en/chains/alone.md": "<h1 id=\"title\">Lonely</h1>", "/en/chains/alone.md.md": "# Lonely\n",
		"/en/nav/m.md": "<h1 id=\"title\">A menu</h1>", "/en/nav/M.md": "<h1 id=\"title\">A menu</h1>", "/en/nav/m.md.md": "# A menu\n",
	} {
		if page := pageAt(t, s, of, path, ""); !strings.Contains(page, want) {
			t.Errorf("%s does not hold %s", path, want)
		}
	}
	for path, want := range map[string]string{ // for clients that accept Markdown
		"/en/chains/read": "/en/chains/read", "/en/chains/read.md": "/en/chains/read.md.md", "/chains/alone.md": "/en/chains/alone.md.md", "/en/nav/m.md": "/en/nav/m.md.md",
	} {
		if got, _, _ := s.Canonical(of, path, "", http.Header{"Accept": {"text/markdown"}}); got != want {
			t.Errorf("%s as Markdown is %s; want %s", path, got, want)
		}
	}
	for path, want := range map[string][]string{"/en/chains/read": nil, "/en/chains/read.md": {"/en/chains/read.md.md"}, "/en/nav/m.md": {"/en/nav/m.md.md"}} {
		if got := captured(pageAt(t, s, of, path, ""), `type="text/markdown" href="([^"]*)"`); !slices.Equal(got, want) {
			t.Errorf("%s leads to %v as Markdown; want %v", path, got, want)
		}
	}
	list := captured(pageAt(t, s, of, "/en/chains.md", ""), `\]\(`+public+`(/en/chains/[^)]*)\)`)
	slices.Sort(list)
	if want := []string{"/en/chains/alone.md.md", "/en/chains/read", "/en/chains/read.md.md"}; !slices.Equal(list, want) {
		t.Errorf("the list leads to %v; want %v", list, want)
	}
	if page := pageAt(t, s, of, "/en/search", "q=card"); !strings.Contains(page, `href="/en/nav/m.md#i"`) {
		t.Error("a search does not lead to the card")
	}
	for _, path := range []string{"/en/chains/alone", "/en/chains/alone.md.md.md", "/en/chains/other.md", "/en/nav/m"} {
		path, _, _ := s.Canonical(of, path, "", nil)
		if _, err := s.Page(of, path, ""); err == nil {
			t.Errorf("%s exists", path)
		}
	}
}
