package site

import (
	"strings"
	"testing"
)

// A filtered list states its filters in heading, title, description and preview. The list of one
// category is a page of its own; others are not indexed.
func TestFilteredListsSayWhatTheyShow(t *testing.T) {
	of, s := snapshotOf(t, listCatalog()), siteOf(t, Config{PublicURL: public})
	const noIndex = `<meta name="robots" content="noindex, follow">`
	for _, tt := range []struct {
		path, query string
		has, lacks  []string
	}{
		{"/en/chains", "tag=layer-2", []string{
			`<h1 id="title">Layer 2 chains</h1>`, "<title>Layer 2 chains · T</title>", `<p class="sub">They settle elsewhere. TVL from`,
			`<meta name="description" content="They settle elsewhere. Base, Arb, None.">`, `<meta property="og:title" content="Layer 2 chains · T">`,
			`<link rel="canonical" href="` + public + `/en/chains?tag=layer-2">`, `hreflang="ja" href="` + public + `/ja/chains?tag=layer-2">`,
			`hreflang="x-default" href="` + public + `/chains?tag=layer-2">`, `href="/en/chains.md?tag=layer-2"`,
			`<a href="/en/chains" data-live aria-label="Remove the filter Layer 2">`,
		}, []string{noIndex, "Clear all</a></li>"}},
		{"/ja/chains", "tag=l2", []string{`<h1 id="title">レイヤー2のチェーン</h1>`, `href="` + public + `/ja/chains?tag=layer-2">`, "ほかで決済する。", noIndex}, nil},
		{"/en/chains", "tag=layer-2&sort=name", []string{`<h1 id="title">Layer 2 chains</h1>`, `href="` + public + `/en/chains?tag=layer-2">`, noIndex}, nil},
		{"/en/chains", "tag=evm", []string{`<h1 id="title">Chains: EVM</h1>`, `<link rel="canonical" href="` + public + `/en/chains?tag=evm">`}, []string{noIndex}},
		{"/en/chains", "q=ar&tag=layer-2%2Cevm&status=live", []string{
			`<h1 id="title">Chains: Layer 2, EVM, Live, “ar”</h1>`, `<link rel="canonical" href="` + public + `/en/chains">`, noIndex,
			`<meta property="og:url" content="` + public + `/en/chains?q=ar&amp;tag=layer-2%2Cevm&amp;status=live">`,
			`<a href="/en/chains?q=ar&amp;status=live&amp;tag=evm" data-live aria-label="Remove the filter Layer 2">`, ">Clear all</a></li>", "Nothing matches.",
		}, nil},
		{"/en/chains", "tag=unknown", []string{`<h1 id="title">Chains: unknown</h1>`, `<link rel="canonical" href="` + public + `/en/chains">`, noIndex}, nil},
		{"/en/chains", "", []string{`<h1 id="title">Chains</h1>`}, []string{noIndex, `class="chips"`}},
		{"/en/chains.md", "tag=layer-2", []string{"# Layer 2 chains\n\nThey settle elsewhere. Base, Arb, None."}, nil},
	} {
		page := pageAt(t, s, of, tt.path, tt.query)
		for _, part := range tt.has {
			if !strings.Contains(page, part) {
				t.Errorf("%s?%s lacks %q", tt.path, tt.query, part)
			}
		}
		for _, part := range tt.lacks {
			if strings.Contains(page, part) {
				t.Errorf("%s?%s has %q", tt.path, tt.query, part)
			}
		}
	}
	document, err := s.Page(of, "/en/chains.md", "tag=layer-2")
	if err != nil {
		t.Fatal(err)
	}
	if links := strings.Join(document.Fields.More["Link"], ", "); !strings.Contains(links, "<"+public+`/en/chains?tag=layer-2>; rel="canonical"`) {
		t.Errorf("the canonical address of the Markdown version is in %s", links)
	}
}

// The title of a list names a few filters and counts the others.
func TestManyFilters(t *testing.T) {
	page := pageAt(t, siteOf(t, Config{}), snapshotOf(t, listCatalog()), "/en/chains", "tag=a,b,c,d,e,f")
	if !strings.Contains(page, `<h1 id="title">Chains: a, b, c, d and 2 more</h1>`) {
		t.Errorf("the title is not cut: %.600s", page)
	}
}
