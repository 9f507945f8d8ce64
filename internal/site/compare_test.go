package site

import (
	"strings"
	"testing"
)

// A comparison has the facts of two to four records side by side and marks those that differ.
func TestCompare(t *testing.T) {
	of, s := snapshotOf(t, listCatalog()), siteOf(t, Config{PublicURL: public})
	for _, tt := range []struct {
		path, query string
		has, lacks  []string
	}{
		{"/en/compare", "chain=base&chain=arb", []string{
			`<h1 id="title">Compare Base, Arb</h1>`, `<link rel="canonical" href="` + public + `/en/compare?chain=arb&amp;chain=base">`, `content="noindex, follow"`,
			`<span>$600</span>`, `<rect width="100" height="8"/></svg><span>$600</span>`, "1 December 2025",
			`<tr role="row" class="differs"><th role="rowheader" scope="row">Machine <span class="mark" aria-hidden="true">≠</span>`,
			`<th role="rowheader" scope="row">Layer</th>`, `<span class="facts" aria-label="unknown">–</span>`,
			`<a class="copy" href="/en/compare?chain=arb" aria-label="Remove Base from the comparison">`, `href="/en/compare?chain=base&amp;chain=arb&amp;chain=none"`,
			`href="/api/open/chains?id=base%2Carb&amp;locale=en&amp;view=full"`,
		}, []string{`class="differs"><th role="rowheader" scope="row">Chain ID`, "Nothing is called"}},
		{"/en/compare", "chain=base%2C3&chain=Big,base", []string{`<h1 id="title">Compare Base, Arb, Big</h1>`}, nil}, // lists, ids, names and repeats
		{"/en/compare", "chain=base&chain=arb&chain=big&chain=none&chain=1", []string{"Compare Base, Arb, Big, None"}, []string{"were left out", `name="add"`}},
		{"/en/compare", "chain=base&add=Arb", []string{"Compare Base, Arb"}, nil},
		{"/en/compare", "chain=base&add=nowhere", []string{"Nothing is called “nowhere”.", `<h1 id="title">Compare Base</h1>`}, nil},
		{"/en/compare", "", []string{`<h1 id="title">Compare chains</h1>`, `name="add"`, `href="/en/compare?chain=big"`, public + `/en/compare"`}, []string{"<table"}},
		{"/ja/compare", "chain=base&chain=arb", []string{"比較：Base、Arb", "（相違あり）"}, nil},
		{"/en/compare.md", "chain=base&chain=arb", []string{
			"| | [Base](" + public + "/en/chains/base.md) | [Arb](" + public + "/en/chains/arb.md) |", "\n| Machine ≠ |", "\n| Layer |",
		}, nil},
		{"/en/chains", "tag=layer-2", []string{
			`href="/en/compare?chain=base&amp;chain=arb&amp;chain=none"`, "Compare the first 3", `name="chain" value="base" form="compare" aria-label="Compare Base"`,
		}, nil},
		{"/en/chains/base", "", []string{`href="/en/compare?chain=base">Compare</a>`}, nil},
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
}

// A comparison is bounded, whatever its address is.
func TestCompareIsBounded(t *testing.T) {
	s, of := siteOf(t, Config{}), theBundled(t)
	page := pageAt(t, s, of, "/en/compare", "chain=base,ink,mantle,solana,linea,zora")
	if strings.Count(page, `scope="col"`) != comparedMost || !strings.Contains(page, "the others were left out") {
		t.Error("more than four chains are compared, or none is said to be left out")
	}
	page = pageAt(t, s, of, "/en/compare", "chain="+strings.Repeat("nowhere%2C", 700))
	if n := strings.Count(page, "Nothing is called"); n > comparedMost {
		t.Errorf("%d unknown names are listed", n)
	}
	page = pageAt(t, s, of, "/en/compare", "app=uniswap&app=curve")
	if !strings.Contains(page, `<h1 id="title">Compare Uniswap, Curve</h1>`) || !strings.Contains(page, `<th role="rowheader" scope="row">Platforms`) {
		t.Error("apps are not compared")
	}
}

// Spellings of a comparison share an address, and so a cache entry. The order of its records stays.
func TestCanonicalComparison(t *testing.T) {
	of, s := snapshotOf(t, listCatalog()), siteOf(t, Config{})
	for raw, want := range map[string]string{
		"chain=base&chain=arb": "chain=base&chain=arb", "chain=arb&chain=base": "chain=arb&chain=base",
		"chain=%42ase,3&chain=+BASE&utm=x": "chain=base&chain=arb", "chain=base&add=Arb": "chain=base&chain=arb",
		"chain=base&add=nowhere&chain=nowhere": "chain=base&chain=nowhere", "chain=a&chain=b&chain=c&chain=d&chain=e&chain=f": "chain=a&chain=b&chain=c&chain=d",
		"app=,": "app=%2C", "app=x&chain=base": "chain=base", "chain=,": "", "": "",
		"chain=base&chain=%zz": "chain=base&chain=%zz",
	} {
		if _, got, _ := s.Canonical(of, "/en/compare", raw, nil); got != want {
			t.Errorf("%s becomes %q, want %q", raw, got, want)
		}
		if _, again, _ := s.Canonical(of, "/en/compare", want, nil); again != want {
			t.Errorf("%s becomes %q", want, again)
		}
	}
}
