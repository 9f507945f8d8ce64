package bundle

import (
	"bytes"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"vitrine/internal/domain"
	"vitrine/schema"
)

// schemaRules are the rules that the schemas speak of, too: those of shapes,
// enumerations and forms. References, duplicates and translations are beyond
// them, as are white space around texts and numbers like 1.0 for an id.
var schemaRules = map[domain.Rule]bool{
	domain.RuleUnknownField: true, domain.RuleWrongType: true, domain.RuleMissingField: true, domain.RuleMissingText: true,
	domain.RuleMalformedFigure: true, domain.RuleMalformedKey: true, domain.RuleMalformedHandle: true, domain.RuleUnknownValue: true,
	domain.RuleMalformedDate: true, domain.RuleMalformedExtra: true,
}

func compileSchemas(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	const at = "https://schemas.example/"
	c := jsonschema.NewCompiler()
	files, err := fs.Glob(schema.FS, "*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		data, err := schema.FS.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := c.AddResource(at+name, doc); err != nil {
			t.Fatal(err)
		}
	}
	compiled := map[string]*jsonschema.Schema{}
	for _, name := range files {
		s, err := c.Compile(at + name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		compiled[strings.TrimSuffix(name, ".json")] = s
	}
	names := schema.Names()
	slices.Sort(names)
	if want := len(files); want != len(names) || slices.ContainsFunc(names, func(n string) bool { return compiled[n] == nil }) {
		t.Fatalf("Names() is %v, the files are %v", names, files)
	}
	return compiled
}

// place is where a document of each schema lies in a directory.
var place = map[string]string{
	"catalog": "catalog.json", "categories": "categories.json", "chains": "chains.json", "apps": "apps.json", "twitter": "twitter.json", "youtube": "youtube.json",
	"nav": "nav.json", "menu": "nav/m.json", "chain": "chains/x.ndjson", "app": "apps/x.ndjson", "account": "twitter/x.ndjson", "channel": "youtube/x.ndjson",
}

// Reader and schemas agree on which documents have the right shape.
func TestSchemasAgree(t *testing.T) {
	const text = `"name":"X"`
	item := func(s string) string { return `{"title":"X","standalone":[` + s + `]}` }
	group := func(s string) string { return `{"groups":[` + s + `]}` }
	category := func(s string) string { return `{"categories":[{"key":"c",` + text + `,` + s + `}]}` }
	chain := func(s string) string { return `{"slug":"x",` + text + `,"chain_id":"1"` + s + `}` }
	app := func(s string) string { return `{"key":"x","title":"X","link":"/x"` + s + `}` }
	account := func(s string) string { return `{"handle":"x",` + text + s + `}` }
	accept := func(s string) string {
		return `{"title":"X","default_locale":"en","locales":["en"],"accept":` + s + `}`
	}
	documents := map[string][]string{
		"catalog": {
			`{"title":"X","default_locale":"en","locales":["en"]}`, `{"$schema":"x","title":{"en":"X","fr":null},"default_locale":"en","locales":["en","fr"],"link_schemes":null}`,
			`{"title":"X","default_locale":"en","locales":["en"],"link_schemes":["celo"]}`, `{"title":1,"default_locale":"en","locales":["en"]}`,
			`{"default_locale":"en","locales":["en"]}`, `{"title":"X","locales":["en"]}`, `{"title":"X","default_locale":"en"}`, `{"title":"X","default_locale":"en","locales":"en"}`,
			`{"title":"X","default_locale":"en","locales":[1]}`, `{"title":"X","default_locale":"en","locales":["en"],"local":1}`, `[]`, `"x"`, `{}`,
			`{"title":"X","default_locale":"en","locales":["en"],"link_schemes":"celo"}`,
			accept(`[]`), accept(`null`), accept(`{}`), accept(`[{}]`), accept(`[{"rule":"held-back"}]`), accept(`[{"rule":"unlisted-menu","kind":"menus","key":"a","reason":"x"}]`), accept(`[{"rule":"held-back","kind":"chain"}]`),
			accept(`[{"rule":"missing-translation","locale":"en"}]`), accept(`[{"rule":"syntax"}]`), accept(`[{"rule":"unused-acceptance"}]`), accept(`["held-back"]`), accept(`[{"rule":"held-back","keys":["a"]}]`), accept(`[{"rule":"held-back","key":1}]`), accept(`[{"rule":"unused-category","kind":null,"key":null}]`),
			`{"title":["X"],"default_locale":"en","locales":["en"]}`, `{"title":{"en":2},"default_locale":"en","locales":["en"]}`,
		},
		"categories": {
			`null`, `{}`, `[]`, `1`, `{"groups":null,"categories":[]}`, `{"groups":{}}`, `{"categorys":[]}`, `{"groups":[1]}`, `{"groups":[null]}`,
			group(`{"key":"a","module":"chain",` + text + `}`), group(`{"key":"a","module":"chain",` + text + `,"priority":-1.5}`), group(`{"key":"a","module":"chain",` + text + `,"priority":"1"}`), group(`{"key":"a","module":"chain",` + text + `,"priority":-9007199254740993}`),
			group(`{"key":"A","module":"chain",` + text + `}`), group(`{"key":"a","module":"chains",` + text + `}`), group(`{"module":"chain",` + text + `}`), group(`{"key":"a","module":"chain"}`),
			category(`"scopes":["chain"],"groups":{"chain":["a"]}`), category(`"scopes":["chain"],"groups":{"chain":["a"]},"parent":"p","description":"x","priority":1`),
			category(`"scopes":["chain"],"groups":{"chain":["a"]},"parent":null,"description":null,"priority":null`), category(`"scopes":["Chain"],"groups":{"chain":["a"]}`),
			category(`"scopes":"chain","groups":{"chain":["a"]}`), category(`"scopes":["chain"],"groups":{"chain":"a"}`), category(`"scopes":["chain"],"groups":["a"]`),
			category(`"scopes":["chain"],"groups":{"chain":["a"],"x":["b"]}`), category(`"scopes":[],"groups":{"chain":["a"]}`),
			category(`"scopes":["chain"],"groups":{"chain":["a"]},"parent":1`),
		},
		"chains":  {`[]`, `null`, `{"chains":[]}`, `{"chains":null}`, `{}`, `{"$schema":"x","chains":[` + chain("") + `]}`, `[` + chain("") + `]`, `{"twitter":[]}`, `{"chains":{}}`, `[1]`, `12`, `[null]`},
		"twitter": {`[` + account("") + `]`, `{"twitter":[` + account("") + `]}`, `{"chains":[]}`, `"x"`},
		"youtube": {`[{"channel_id":"UC",` + text + `}]`, `{"youtube":[]}`, `{"youtube":[{}]}`},
		"chain": {
			chain(""), `{"slug":"x",` + text + `,"chain_id":7}`, `{"slug":"x",` + text + `,"chain_id":-1}`, `{"slug":"x",` + text + `,"chain_id":1.5}`, `{"slug":"x",` + text + `,"chain_id":true}`,
			`{"slug":"x",` + text + `}`, `{"slug":"X",` + text + `,"chain_id":"1"}`, `{` + text + `,"chain_id":"1"}`, `{"slug":"x","chain_id":"1"}`, `{"slug":12,` + text + `,"chain_id":"1"}`,
			`{"slug":"x","name":{"en":"X"},"chain_id":"1"}`, `{"slug":"x","name":{},"chain_id":"1"}`, `{"slug":"x","name":"","chain_id":"1"}`, `{"slug":"x","name":false,"chain_id":"1"}`, `[]`, `null`,
			chain(`,"id":"1","logo":"/x","categories":["a"],"aliases":["x"]`), chain(`,"id":null,"logo":null,"categories":null,"aliases":null,"llama_tvl":null`), chain(`,"logo":1`),
			chain(`,"categories":"a"`), chain(`,"categories":[1]`), chain(`,"aliases":[""]`), chain(`,"aliases":[null]`), chain(`,"tvl":1`),
			chain(`,"llama_tvl":0`), chain(`,"llama_tvl":1.5e3`), chain(`,"llama_tvl":-1`), chain(`,"llama_tvl":"1"`), chain(`,"llama_tvl":true`), chain(`,"llama_tvl":[]`),
			chain(`,"llama_tvl":{"value":1,"source":"s","as_of":"2025-01-02"}`), chain(`,"llama_tvl":{"value":1,"source":"s"}`), chain(`,"llama_tvl":{"value":1,"as_of":"2025-01-02"}`),
			chain(`,"llama_tvl":{"source":"s","as_of":"2025-01-02"}`), chain(`,"llama_tvl":{"value":-1,"source":"s","as_of":"2025-01-02"}`), chain(`,"llama_tvl":{"value":1,"source":"","as_of":"2025-01-02"}`),
			chain(`,"llama_tvl":{"value":1,"source":2,"as_of":"2025-01-02"}`), chain(`,"llama_tvl":{"value":1,"source":"s","as_of":"2025-13-02"}`), chain(`,"llama_tvl":{"value":1,"source":"s","as_of":20250102}`),
			chain(`,"llama_tvl":{"value":1,"source":"s","as_of":"2025-01-02","x":1}`), chain(`,"platforms":1.5`), chain(`,"platforms":3.0`), chain(`,"platforms":9007199254740991`), chain(`,"platforms":9007199254740992`), chain(`,"llama_tvl":9007199254740991`), chain(`,"llama_tvl":9007199254740993`),
			chain(`,"rpc":[{"url":"https://x.org","note":"n"}],"native_currency":{"name":"E","symbol":"E","decimals":18},"parent":"x","former":null,"website":"https://x.org"`),
			chain(`,"rpc":[{}]`), chain(`,"native_currency":{"name":"E","symbol":"E"}`), chain(`,"native_currency":{"name":"E","symbol":"E","decimals":1.5}`), chain(`,"native_currency":{"name":"E","symbol":"E","decimals":null}`), chain(`,"native_currency":null`), chain(`,"native_currency":[]`),
			chain(`,"extra":{"a":[1,{"b":null}],"__proto__":1}`), chain(`,"status":"live"`), chain(`,"status_since":"2025-13-01"`),
			chain(`,"llama_tvl":{"value":1e16,"source":"s","as_of":"2025-01-02"}`), chain(`,"logo":false`), chain(`,"platforms":{"value":1.5,"source":"s","as_of":"2025-01-02"}`),
		},
		"apps": {`[` + app("") + `]`, `{"apps":[` + app("") + `]}`, `{"app":[]}`, `{"apps":{}}`},
		"app": {
			app(""), app(`,"categories":["a"],"chains":["b"],"platforms":["web","ios"],"status":"retired","status_since":"2025-01-02","status_note":"x","launched":null,"former":["b"],"extra":{}`),
			app(`,"platforms":["WEB"]`), app(`,"platforms":"web"`), app(`,"status":"dead"`), app(`,"launched":2025`), app(`,"launched":"2025-1-2"`), app(`,"links":[{"type":"docs","url":"https://x.org"}]`),
			app(`,"links":[{"type":"docs"}]`), app(`,"links":[{"url":"https://x.org"}]`), app(`,"links":[{"type":"doc","url":"https://x.org"}]`), app(`,"extra":[]`), app(`,"extra":"x"`), app(`,"extra":null`), `{"key":"a","title":"X"}`, `{"title":"X","link":"/x"}`,
		},
		"account": {
			account(""), account(`,"description":"x","categories":[],"followers_count":12`), account(`,"description":{"en":"x"}`), account(`,"followers_count":1.5`), account(`,"followers_count":"12"`), account(`,"description":1`),
			`{"handle":"@x_Y1",` + text + `}`, `{"handle":"@@x",` + text + `}`, `{"handle":"x-y",` + text + `}`, `{"handle":12,` + text + `}`, `{"handle":"x"}`, `{"handle":"x","name":{"en":"X"}}`, `{"handle":"x","name":null}`,
		},
		"channel": {`{"channel_id":"UC_-1",` + text + `}`, `{"channel_id":"U C",` + text + `}`, `{` + text + `}`, `{"channel_id":"UC"}`, `{"channel_id":"UC",` + text + `,"handle":"x"}`, `{"channel_id":"UC",` + text + `,"categories":["a"],"description":null}`},
		"nav": {
			`null`, `{}`, `[]`, `{"groups":[]}`, `{"groups":{}}`, group(`{"key":"a",` + text + `}`), group(`{"key":"a","slug":"b",` + text + `,"description":"x","menus":["m"]}`), group(`{"key":"a","slug":null,` + text + `,"menus":null}`),
			group(`{"key":"a","slug":"B",` + text + `}`), group(`{` + text + `}`), group(`{"key":"a"}`), group(`{"key":"a",` + text + `,"menus":"m"}`), group(`{"key":"a",` + text + `,"menu":["m"]}`), group(`"a"`),
		},
		"menu": {
			`{"title":"X"}`, `{"$schema":"x","title":{"en":"X"},"description":"x","og_image":"/x","blog_slugs":["a"],"groups":[],"standalone":null}`, `[]`, `{}`, `{"title":"X","blog_slugs":"a"}`, `{"title":"X","og_image":1}`, `{"title":"X","items":[]}`,
			`{"title":"X","groups":[{"slug":"a",` + text + `}]}`, `{"title":"X","groups":[{"slug":"a",` + text + `,"id":"1","items":[]}]}`, `{"title":"X","groups":[{"slug":"A",` + text + `}]}`, `{"title":"X","groups":[{` + text + `}]}`, `{"title":"X","groups":[{"slug":"a",` + text + `,"cards":[]}]}`,
			item(`{"slug":"a",` + text + `,"cards":[]}`), item(`{"slug":"a",` + text + `,"type":"category","description":"x"}`), item(`{"slug":"a",` + text + `,"type":"Link"}`), item(`{"slug":"a",` + text + `,"type":null}`), item(`{"slug":"a"}`), item(`7`),
			item(`{"slug":"a",` + text + `,"cards":[{"title":"X","link":"/x","id":"1","description":"x","image":"/y"}]}`), item(`{"slug":"a",` + text + `,"cards":[{"title":"X"}]}`), item(`{"slug":"a",` + text + `,"cards":[{"link":"/x"}]}`),
			item(`{"slug":"a",` + text + `,"cards":[{"app":"x"}]}`), item(`{"slug":"a",` + text + `,"cards":[{"app":"x","title":"X","categories":["a"],"extra":{"a":1}}]}`), item(`{"slug":"a",` + text + `,"cards":[{"app":null,"title":"X"}]}`), item(`{"slug":"a",` + text + `,"cards":[{}]}`),
			item(`{"slug":"a",` + text + `,"cards":[{"title":"X","link":1}]}`), item(`{"slug":"a",` + text + `,"cards":[{"title":"X","link":"/x","href":"/x"}]}`), item(`{"slug":"a",` + text + `,"cards":{}}`),
		},
	}
	schemas := compileSchemas(t)
	for _, name := range schema.Names() {
		valid, broken := 0, 0
		for _, doc := range documents[name] {
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
			if err != nil {
				t.Fatalf("%s: %s: %v", name, doc, err)
			}
			bySchema := schemas[name].Validate(value)
			files := map[string]string{"catalog.yaml": "title: x\ndefault_locale: en\nlocales: [en]\n", place[name]: doc}
			if name == "catalog" {
				delete(files, "catalog.yaml")
			}
			byReader := slices.DeleteFunc(read(t, files).Problems, func(p Problem) bool { return !schemaRules[p.Rule] })
			if (bySchema == nil) != (len(byReader) == 0) {
				t.Errorf("%s: %s\nschema: %v\nreader: %s", name, doc, bySchema, strings.Join(lines(byReader), "\n"))
			}
			if bySchema == nil {
				valid++
			} else {
				broken++
			}
		}
		if valid == 0 || broken == 0 {
			t.Errorf("%s: %d valid and %d broken documents", name, valid, broken)
		}
	}
}

// The fields that the schemas know are those that the reader asks for.
func TestSchemasKnowEveryField(t *testing.T) {
	want := map[string][]string{}
	for name, kind := range map[string]domain.Kind{
		"catalog": domain.KindCatalog, "categories": domain.KindCategory, "nav": domain.KindNavGroup, "menu": domain.KindMenu,
		"chain": domain.KindChain, "app": domain.KindApp, "account": domain.KindAccount, "channel": domain.KindChannel,
	} {
		d := &decoder{report: func(_ *node, _ domain.Rule, _, remedy string) {
			_, known, _ := strings.Cut(remedy, "known here: ")
			want[name] = strings.Split(known, ", ")
		}}
		unknown := &node{kind: object, keys: []*node{{kind: text, text: "zzzzzzzzzzzz"}}, items: []*node{{}}}
		d.decode(kind, unknown, new(domain.Catalog), "")
	}
	got := map[string][]string{}
	for name, s := range compileSchemas(t) {
		for field := range s.Properties {
			if want[name] != nil && !strings.HasPrefix(field, "$") {
				got[name] = append(got[name], field)
			}
		}
	}
	for _, fields := range []map[string][]string{want, got} {
		for name := range fields {
			slices.Sort(fields[name])
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields (-reader +schema):\n%s", diff)
	}
}
