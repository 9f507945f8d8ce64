package bundle

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOneRecordWhereAListBelongs checks that a record instead of a list is one problem, with a
// remedy for the format of the file.
func TestOneRecordWhereAListBelongs(t *testing.T) {
	const (
		one  = ":1:1: error: wrong-type: this file holds one record, a list of "
		dash = "begin it with `- ` and indent its other lines by two spaces"
		wrap = "wrap it in [ ]"
	)
	for _, tt := range []struct{ name, content, want string }{
		{"chains/x.yaml", "slug: x\nname: X\nchain_id: 1x\n", one + "chains is expected; " + dash},
		{"chains/x.json", `{"slug":"x","name":"X","chain_id":"1x"}`, one + "chains is expected; " + wrap},
		{"chains/x.json", `{"name":"X","chain":"ETH","rpc":["a"],"chainId":1,"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10,"k":11,"l":12}`, one + "chains is expected; " + wrap},
		{"twitter/x.json", `{"handle":"x"}`, one + "twitter is expected; " + wrap},
		{"youtube/x.yaml", "channel_id: UC\n", one + "youtube is expected; " + dash},
		{"chains/x.json", `{"version":1,"lockfile":{}}`, ":1:1: error: wrong-type: this file holds one map, a list of chains is expected; if it is a record, " + wrap + "; if not, remove the file"},
		{"chains/x.json", `{"rows":[{"slug":"x"}]}`, `:1:2: error: unknown-field: there is no field "rows" here; if it is the list of chains, name it "chains"; if not, remove it`},
		{"chains/x.yaml", "rows:\n- slug: x\n", `:1:1: error: unknown-field: there is no field "rows" here; if it is the list of chains, name it "chains"; if not, remove it`},
		{"chains/x.json", `{"chain":[]}`, `:1:2: error: unknown-field: there is no field "chain" here; did you mean "chains"?`},
		{"chains/x.yaml", "chains:\n  slug: x\n", ":2:3: error: wrong-type: this is one record, a list of them is expected here; " + dash},
		{"chains/x.yaml", "chains:\n  x: {name: X, chain_id: 1x}\n", ":2:3: error: wrong-type: a list is expected here, not a map; write each of these as an item of a list, and its name as a field of it"},
		{"chains/x.ndjson", `[{"slug":"x"}]`, ":1:1: error: wrong-type: a chain is expected here, not a list; write each record on a line of its own, without brackets around them"},
		{"chains/x.yaml", "- {slug: x, name: X, chain_id: 1x, rpc: [https://x.example/]}\n", ":1:42: error: wrong-type: a map with url is expected here, not text (\"https://x.example/\"); write a map, as {\"url\": \"https://x.example/\"}"},
		{"categories.yaml", "key: l1\nscopes: [chain]\n", ":1:1: error: wrong-type: this file holds one record, a map with a list of categories is expected; write `categories:` in a line above it, " + dash},
		{"categories.yaml", "- key: l1\n", ":1:1: error: wrong-type: a map with groups and categories is expected here, not a list; write `categories:` in a line above it"},
		{"nav.yaml", "key: g\nmenus: [start]\n", ":1:1: error: wrong-type: this file holds one record, a map with a list of groups is expected; write `groups:` in a line above it, " + dash},
		{"nav.yaml", "- key: g\n", ":1:1: error: wrong-type: a map with groups is expected here, not a list; write `groups:` in a line above it"},
		{"nav/start.yaml", "- title: Start\n", ":1:1: error: wrong-type: a map with title, groups and standalone is expected here, not a list; write the one map alone, without the list"},
		{"nav/start.yaml", "title: Start\nstandalone: {slug: a, name: A}\n", ":2:13: error: wrong-type: this is one record, a list of them is expected here; " + dash},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := lines(read(t, with(base(t), map[string]string{tt.name: tt.content})).Problems)
			if diff := cmp.Diff([]string{tt.name + tt.want}, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.content, diff)
			}
		})
	}
}

// TestSuggestedFilesDoNotExist checks that a remedy does not suggest the name of an existing file.
func TestSuggestedFilesDoNotExist(t *testing.T) {
	for name, want := range map[string]string{
		"chians.yaml":     `did you mean "chains.yaml"?`,
		"chian.ndjson":    `"chains.ndjson" is there already: if this is one more list of that kind, move it into the folder "chains/"`,
		"categories2.yml": `"categories.yaml" is there already: move into it what this file holds, or take this file out`,
		"Nav.json":        `"nav.yaml" is there already: move into it what this file holds, or take this file out`,
	} {
		files := with(base(t), map[string]string{name: "", "chains.ndjson": ""})
		want = name + `:1:1: error: unknown-file: no file of a catalogue has the name "` + name + `"; ` + want
		if diff := cmp.Diff([]string{want}, lines(read(t, files).Problems)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	got := lines(read(t, map[string]string{"mine/catalog.yaml": "title: T\ndefault_locale: en\nlocales: [en]\n"}).Problems)
	want := `catalog.yaml:1:1: error: missing-file: there is no catalog.yaml; the folder "mine" has one: name that folder, or write one with title, default_locale and locales`
	if len(got) != 2 || got[0] != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestCausesOfBrokenYAML checks the messages of frequent mistakes in YAML.
func TestCausesOfBrokenYAML(t *testing.T) {
	for _, tt := range []struct{ content, want string }{
		{"- slug: a\n\tname: A\n", "2:1: error: syntax: there is a tab in the indentation; indent with spaces"},
		{"-\tslug: a\n\tname: A\n", "1:2: error: syntax: there is a tab in the indentation; indent with spaces"},
		{"- slug: a\n name: A\n", "2:2: error: syntax: this line is indented neither as the items of the list nor as their fields; begin items with `- ` in the same column, and indent fields as those above"},
		{"- {slug: a}\n  - {slug: b}\n", "2:3: error: syntax: this line is indented neither as the items of the list nor as their fields; begin items with `- ` in the same column, and indent fields as those above"},
		{"- slug: a\n  aliases: [x, y\n- slug: b\n  name: B\n", "2:12: error: syntax: what begins here is not closed, or a comma is missing in it, before line 3; write ] where it ends"},
		{"- {slug: a, name: \"A\" chain_id: 1}\n", "1:3: error: syntax: what begins here is not closed, or a comma is missing in it, before line 1; write } where it ends"},
		{"- slug: a\n  name: \"A\n  chain_id: 1\n- slug: b\n  name: \"B\"\n", "5:10: error: syntax: this is not a field of the map around it; correct the indentation, or the quotes in the lines above"},
	} {
		got := lines(read(t, with(base(t), map[string]string{"chains/x.yaml": tt.content})).Problems)
		if diff := cmp.Diff([]string{"chains/x.yaml:" + tt.want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.content, diff)
		}
	}
}
