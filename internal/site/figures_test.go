package site

import (
	"strings"
	"testing"
	"testing/fstest"
)

// listCatalog has chains of two layers with figures of several years.
func listCatalog() fstest.MapFS {
	return fstest.MapFS{
		"catalog.yaml": {Data: []byte("title: T\ndefault_locale: en\nlocales: [en, ja]\nroles: {summary: [layer]}\n")},
		"categories.yaml": {Data: []byte(`
groups: [{key: layer, module: chain, name: {en: Layer, ja: レイヤー}}, {key: vm, module: chain, name: {en: Machine, ja: 仮想マシン}}]
categories:
  - {key: layer-1, name: {en: Layer 1, ja: レイヤー1}, scopes: [chain], groups: {chain: [layer]}}
  - {key: layer-2, former: [l2], name: {en: Layer 2, ja: レイヤー2}, description: {en: They settle elsewhere., ja: ほかで決済する。}, scopes: [chain], groups: {chain: [layer]}}
  - {key: evm, name: {en: EVM, ja: EVM}, scopes: [chain], groups: {chain: [vm]}}
`)},
		"chains.yaml": {Data: []byte(`
- {slug: big, name: Big, chain_id: 1, categories: [layer-1, evm], llama_tvl: {value: 9000, source: one, as_of: 2026-01-02}, platforms: {value: 5, source: one, as_of: 2023-01-02}}
- {slug: base, name: Base, chain_id: 2, categories: [layer-2, evm], llama_tvl: {value: 600, source: one, as_of: 2026-01-02}, platforms: {value: 7, source: one, as_of: 2026-01-02}}
- {slug: arb, name: Arb, chain_id: 3, categories: [layer-2], llama_tvl: {value: 400, source: two, as_of: 2025-12-01}}
- {slug: none, name: None, chain_id: 4, categories: [layer-2]}
`)},
	}
}

// The figures of a list are those by which it is sorted, relative to the list.
func TestFiguresOfAList(t *testing.T) {
	of, s := snapshotOf(t, listCatalog()), siteOf(t, Config{})
	for _, tt := range []struct {
		name, query string
		has, lacks  []string
	}{
		{"layer 2 by TVL", "tag=layer-2", []string{
			`<rect width="100" height="8"/></svg><span>$600</span><span class="part">60%</span>`,
			`<span>$400</span><span class="part">40%</span></div><span class="facts">1 December 2025</span>`,
			"TVL from two, 1 December 2025. TVL from one, 2 January 2026. $1 k in total; 2 of 3 have a figure.", ">TVL</th>",
		}, []string{"different years", "$9.0 k"}},
		{"by apps", "sort=platforms", []string{
			`<rect width="100" height="8"/></svg><span>7</span></div></td>`, `</svg><span>5</span></div><span class="facts">2 January 2023</span>`, ">Apps</th>",
			"Apps from one, 2 January 2023 to 2 January 2026. The figures date from 2 January 2023 to 2 January 2026: this ranking compares different years.",
		}, []string{"in total", `class="part"`, "$600"}},
		{"no figures", "q=none", []string{"None"}, []string{"in total", "TVL from"}},
	} {
		page := pageAt(t, s, of, "/en/chains", tt.query)
		for _, part := range tt.has {
			if !strings.Contains(page, part) {
				t.Errorf("%s: the page lacks %q: %s", tt.name, part, figureLines(page))
			}
		}
		for _, part := range tt.lacks {
			if strings.Contains(page, part) {
				t.Errorf("%s: the page has %q", tt.name, part)
			}
		}
	}
	if page := pageAt(t, s, of, "/en/chains.md", "sort=platforms"); !strings.Contains(page, "| Apps |") || !strings.Contains(page, "| 5 · 2 January 2023 |") {
		t.Errorf("the Markdown version by apps is\n%s", page)
	}
}

func TestPercent(t *testing.T) {
	v := &view{words: siteOf(t, Config{}).words.byName["en"]}
	for part, want := range map[float64]string{0: "0%", 0.0001: "<0.1%", 0.0449: "4.5%", 0.0994: "9.9%", 0.0996: "10%", 0.454: "45%", 1: "100%"} {
		if got := v.percent(part); got != want {
			t.Errorf("%v is %s, want %s", part, got, want)
		}
	}
}

// figureLines returns the lines of a page about figures.
func figureLines(page string) string {
	var lines []string
	for line := range strings.Lines(page) {
		if strings.Contains(line, "TVL") || strings.Contains(line, "<tr") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}
