package bundle

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

func TestOrigin(t *testing.T) {
	d := read(t, map[string]string{
		"catalog.yaml": "title: T\ndefault_locale: en\nlocales: [en]\n",
		"categories.yaml": "categories:\n- key: a\n  name: A\n  scopes: [chain]\n  groups: {chain: [g]}\n" +
			"groups:\n- {key: g, module: chain, name: G}\n- key: h\n  module: chain\n  name: H\n",
		"chains.yaml":      "- slug: one\n  name: One\n  chain_id: 1\n\n# a comment\n- slug: two\n  name: Two\n  chain_id: 2\n",
		"chains/a.ndjson":  "\n{\"slug\":\"three\",\"name\":\"3\",\"chain_id\":\"3\"}\n\n{\"slug\":\"four\",\"name\":\"4\",\"chain_id\":\"4\"}",
		"chains/b.json":    "{\"chains\": [\n  {\"slug\":\"five\",\"name\":\"5\",\"chain_id\":\"5\"}, {\"slug\":\"six\",\n\"name\":\"6\",\"chain_id\":\"6\"},\n\n{\"slug\":\"seven\",\"name\":\"7\",\"chain_id\":\"7\"}]}",
		"chains/c.ndjson":  "",
		"chains/d.yaml":    "chains:\n  - {slug: eight, name: Eight, chain_id: 8}\n",
		"twitter.json":     "[{\"handle\":\"@a\",\"name\":\"A\",\"categories\":[]}]",
		"youtube/x.ndjson": "{\"channel_id\":\"c\",\"name\":\"C\",\"categories\":[]}\n",
		"nav.yaml":         "# menus\ngroups:\n- key: n\n  name: N\n  menus: [z, y]\n- key: m\n  name: M\n  menus: []\n",
		"nav/z.yaml":       "# z\ntitle: Z\n",
		"nav/y.json":       "\n\n{\"title\": \"Y\"}",
	})
	if d.Errors() > 0 {
		t.Fatal(d.Problems)
	}
	got := map[domain.Kind][]string{}
	for kind, n := range map[domain.Kind]int{
		domain.KindCatalog: 1, domain.KindGroup: len(d.Catalog.Groups), domain.KindCategory: len(d.Catalog.Categories),
		domain.KindChain: len(d.Catalog.Chains), domain.KindAccount: len(d.Catalog.Accounts),
		domain.KindChannel: len(d.Catalog.Channels), domain.KindNavGroup: len(d.Catalog.NavGroups), domain.KindMenu: len(d.Catalog.Menus),
	} {
		for i := range n {
			got[kind] = append(got[kind], d.Origin(kind, i))
		}
		for _, i := range []int{-1, n, n + 7} {
			if at := d.Origin(kind, i); at != "" {
				t.Errorf("%s[%d] has the place %q, but does not exist", kind, i, at)
			}
		}
	}
	want := map[domain.Kind][]string{
		domain.KindCatalog:  {"catalog.yaml:1"},
		domain.KindGroup:    {"categories.yaml:7", "categories.yaml:8"},
		domain.KindCategory: {"categories.yaml:2"},
		domain.KindChain: {
			"chains.yaml:1", "chains.yaml:6", "chains/a.ndjson:2", "chains/a.ndjson:4",
			"chains/b.json:2", "chains/b.json:2", "chains/b.json:5", "chains/d.yaml:2",
		},
		domain.KindAccount:  {"twitter.json:1"},
		domain.KindChannel:  {"youtube/x.ndjson:1"},
		domain.KindNavGroup: {"nav.yaml:3", "nav.yaml:6"},
		domain.KindMenu:     {"nav/y.json:1", "nav/z.yaml:1"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if at := new(Directory).Origin(domain.KindChain, 0); at != "" {
		t.Errorf("a directory that was not read has the place %q", at)
	}
}

// TestOriginBesideABrokenFile checks that a file with a syntax error does not shift the places of
// others.
func TestOriginBesideABrokenFile(t *testing.T) {
	d := read(t, map[string]string{
		"catalog.yaml":    "title: T\ndefault_locale: en\nlocales: [en]\n",
		"chains/a.ndjson": "{\"slug\":\"one\",\"name\":\"1\",\"chain_id\":\"1\"}\n{\"slug\":\n",
		"chains/b.ndjson": "\n{\"slug\":\"two\",\"name\":\"2\",\"chain_id\":\"2\"}\n",
	})
	if len(d.Catalog.Chains) != 1 || d.Origin(domain.KindChain, 0) != "chains/b.ndjson:2" {
		t.Errorf("%d chains, the first at %q", len(d.Catalog.Chains), d.Origin(domain.KindChain, 0))
	}
}
