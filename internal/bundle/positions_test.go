package bundle

import (
	"fmt"
	"testing"

	"vitrine/internal/domain"
)

// TestPositions: they are those that Origin has, of every kind.
func TestPositions(t *testing.T) {
	d := catalogIn(t, directoryWith(t, map[string]string{
		"categories.yaml":  "groups:\n- {key: a, module: chain, name: A}\ncategories:\n# b\n- {key: b, name: B, scopes: [chain], groups: {chain: [a]}}\n",
		"chains.yaml":      "# Chains\n- {slug: a}\n- {slug: b}\n",
		"chains/c.ndjson":  "{\"slug\":\"c\"}\n\n{\"slug\":\"d\"}\n",
		"twitter.yaml":     "- {handle: Ann}\n",
		"nav.yaml":         "groups:\n- {key: a}\n",
		"nav/tools.yaml":   "title: Tools\n",
		"nav/wallets.yaml": "title: Wallets\n",
	}))
	p, n := d.Positions(), 0
	for _, kind := range domain.Descriptions() {
		for i, key := range kind.Keys(d.Catalog) {
			file, line := p.Of(kind.Kind, key)
			if got := fmt.Sprintf("%s:%d", file, line); got != d.Origin(kind.Kind, i) {
				t.Errorf("%s %q stands at %s, want %s", kind.Kind, key, got, d.Origin(kind.Kind, i))
			}
			n++
		}
	}
	if n != 11 {
		t.Errorf("%d records, want 11", n)
	}
	if file, line := p.Of(domain.KindAccount, "ANN"); file != "twitter.yaml" || line != 1 {
		t.Errorf("a handle in another case: %s:%d", file, line)
	}
	if file, _ := p.Of(domain.KindChain, "none"); file != "" {
		t.Errorf("an unknown key stands in %s", file)
	}
}
