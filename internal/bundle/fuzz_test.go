package bundle

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"vitrine/internal/domain"
)

// fuzzFile fuzzes the reading of a file of a list, of a document and of categories: for any
// content, every problem is complete, and reading again gives the same result.
func fuzzFile(f *testing.F, ext string, documents bool, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fsys := fstest.MapFS{
			"catalog.yaml": {Data: []byte("title: x\ndefault_locale: en\nlocales: [en]\n")},
			"chains" + ext: {Data: data}, "twitter/x" + ext: {Data: data},
		}
		if documents {
			fsys["categories"+ext] = &fstest.MapFile{Data: data}
			fsys["nav/x"+ext] = &fstest.MapFile{Data: data}
		}
		first, err := Read(context.Background(), fsys, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range first.Problems {
			if p.File == "" || p.Line < 1 || p.Column < 1 || p.Rule == "" || p.Severity == "" || p.Message == "" || p.Remedy == "" {
				t.Errorf("incomplete: %#v", p)
			}
		}
		again, err := Read(context.Background(), fsys, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first, again, cmpopts.IgnoreUnexported(Directory{})); diff != "" {
			t.Errorf("read again (-first +again):\n%s", diff)
		}
	})
}

func FuzzReadYAML(f *testing.F) {
	fuzzFile(f, ".yaml", true,
		"- slug: x\n  name: {en: X, zh: 日}\n  chain_id: 1\n  llama_tvl: {value: 1, source: s, as_of: 2025-01-01}\n",
		"groups:\n  - key: a\n    module: chain\n    name: A\ncategories:\n- &c {key: b, name: B, scopes: [chain], groups: {chain: [a]}}\n- *c\n",
		"title: |\n  x\n  y\nstandalone:\n  - slug: x\n    name: 'it''s'\n    cards: [{title: \"\\u65e5\", link: /x}]\n",
		"chains: [\n", "- &a [*a]\n", "a: \"x\n", "? a\n: b\n", "<<: x\n", "---\n---\n", "\ufeff# x\r\na: b\r\n", "- -\n-\n", "{a, b: }", "a: 1\n b: 2\n", "!!x y", billionLaughs())
}

func FuzzReadJSON(f *testing.F) {
	for _, s := range registryFiles(f) {
		f.Add([]byte(s))
	}
	fuzzFile(f, ".json", true,
		`[{"slug":"x","name":{"en":"X"},"chain_id":1,"llama_tvl":{"value":1,"source":"s","as_of":"2025-01-01"}}]`,
		`{"$schema":"x","groups":[{"key":"a","module":"chain","name":"A"}],"categories":[{"key":"b","groups":{"chain":["a"],"chain":[]}}]}`,
		`{"chains":[{}],"chains":null,"twitter":[[]]}`, `[`, `[1,]`, `{"a"`, "[\"\\ud800\"]", "\ufeff[]", "[] []", "[\xff]", "nul", "-")
}

func FuzzReadNDJSON(f *testing.F) {
	fuzzFile(f, ".ndjson", false,
		`{"slug":"x","name":{"en":"X"},"chain_id":1}`+"\r\n\n"+`{"handle":"@x","name":"X","followers_count":-0}`,
		"{}\n[]\nnull\n1", "{} {}", "{\"a\":\n1}", "{\"name\":\"\xe6\x97\"}", "\n\n{", "\ufeff{}")
}

// FuzzReadGrown reads structures that mutations of bytes rarely produce: maps of many fields,
// long lists and deep nesting, of any value. They are JSON if the value is, and thus also YAML
// and, on one line, NDJSON.
func FuzzReadGrown(f *testing.F) {
	for _, s := range []string{`1`, `"x"`, `{}`, `[]`, `{"slug":"x","name":{"en":"X"},"chain_id":1}`} {
		f.Add([]byte(s), uint16(17), uint8(1), uint16(9))
	}
	f.Add([]byte(`1`), uint16(1000), uint8(1), uint16(0))
	f.Add([]byte(`1`), uint16(3), uint8(80), uint16(0))
	f.Fuzz(func(t *testing.T, value []byte, fields uint16, depth uint8, elements uint16) {
		const most = 1 << 13
		if len(value) > most/(1+int(fields)) || len(value) > most/(1+int(elements)) {
			t.Skip()
		}
		for _, data := range grown(string(value), int(fields), int(depth), int(elements)) {
			fsys := fstest.MapFS{"catalog.yaml": {Data: []byte("title: x\ndefault_locale: en\nlocales: [en]\n")}}
			for _, place := range []string{"chains.json", "twitter.yaml", "youtube.ndjson", "categories.json", "nav.yaml", "nav/x.json"} {
				fsys[place] = &fstest.MapFile{Data: []byte(data)}
			}
			d, err := Read(context.Background(), fsys, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(d.Problems) == 0 {
				t.Error("six files with this content have no problem: " + data)
			}
		}
	})
}

// grown returns documents built from a value: maps, lists and nested lists.
func grown(value string, fields, depth, elements int) []string {
	wide := func(name string) string {
		var b strings.Builder
		b.WriteString(`{"` + name + `":` + value)
		for i := range fields {
			fmt.Fprintf(&b, `,"f%d":%s`, i, value)
		}
		return b.String() + "}"
	}
	list := "[" + strings.TrimSuffix(strings.Repeat(value+",", elements), ",") + "]"
	return []string{
		wide("slug"), wide("chains"), "[" + wide("slug") + "]", `{"groups":[` + wide("key") + `],"categories":` + list + "}",
		`{"name":` + wide("en") + "}", `[{"name":` + wide("en") + `,"categories":` + list + `,"llama_tvl":` + wide("value") + "}]",
		list, `{"chains":` + list + "}",
		strings.Repeat("[", depth) + value + strings.Repeat("]", depth),
		strings.Repeat(`{"x":`, depth) + value + strings.Repeat("}", depth),
	}
}

// FuzzPositions compares the streamed positions of nodes with the text at these positions.
func FuzzPositions(f *testing.F) {
	f.Add([]byte("[\n{\"slug\":\"日\", \"x\":1}, {\"y\" : [2,true]}]"))
	f.Add([]byte("\ufeff{\"chains\":[{\"é\":1}],\r\n\"b\":2}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		d := &decoder{report: func(*node, domain.Rule, string, string) {}}
		p := &pass{of: domain.Describe(domain.KindChain), d: d, yield: func(_ int, n *node) error {
			checkPlaces(t, strings.TrimPrefix(string(data), "\ufeff"), n)
			return nil
		}}
		_, _ = p.run(fstest.MapFS{"x.json": {Data: data}}, "x.json") // FuzzReadJSON checks faults
	})
}

func checkPlaces(t *testing.T, data string, n *node) {
	begins := map[kind]string{object: "{", list: "[", text: `"`, null: "null", boolean: n.text, number: n.text}[n.kind]
	line := strings.Split(data, "\n")[n.line-1]
	if rest := string([]rune(line)[n.column-1:]); !strings.HasPrefix(rest, begins) {
		t.Errorf("%d:%d is %q, not the beginning of %s %q", n.line, n.column, rest, n.kind, n.text)
	}
	for _, below := range slices.Concat(n.keys, n.items) {
		checkPlaces(t, data, below)
	}
}
