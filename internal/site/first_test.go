package site

import (
	"strings"
	"testing"
)

// The first page counts mainnets, test networks and upcoming networks separately, with a list of
// each that has as many rows.
func TestCountsOfNetworks(t *testing.T) {
	of, s := theBundled(t), siteOf(t, Config{})
	page := pageAt(t, s, of, "/en/", "")
	counts := captured(page, `<li><a href="(/en/chains[^"]*)">[\d,]+ (?:mainnets|testnets|upcoming networks)</a>`)
	numbers := captured(page, `<li><a href="/en/chains[^"]*">([\d,]+) (?:mainnets|testnets|upcoming networks)</a>`)
	if len(counts) != 3 {
		t.Fatalf("the counts lead to %q", counts)
	}
	for i, address := range counts {
		path, query, _ := strings.Cut(strings.ReplaceAll(address, "&amp;", "&"), "?")
		if list := pageAt(t, s, of, path, query); !strings.Contains(list, `class="count">`+numbers[i]+" ") {
			t.Errorf("%s does not have %s rows", address, numbers[i])
		}
	}
	if page := pageAt(t, s, snapshotOf(t, listCatalog()), "/en/", ""); !strings.Contains(page, `<a href="/en/chains">4 chains</a>`) {
		t.Error("a catalogue without the role does not count all its chains")
	}
}
