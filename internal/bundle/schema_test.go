package bundle

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"vitrine/internal/domain"
	"vitrine/internal/domain/domaintest"
	"vitrine/schema"
)

// schemaRules are the rules that schemas check, too: those of shapes, enumerations and forms.
// They cannot check references, duplicates and translations, nor white space around texts and
// numbers like 1.0 for an id.
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
	return compiled
}

// schemaOf returns the schemas of a kind: that of its file and, for a long list, that of its
// records, which are lines of NDJSON. Places are their paths in a directory.
func schemaOf(d *domain.Description) (file, filePlace, record, recordPlace string) {
	switch {
	case d.Long:
		return d.File, d.File + ".json", d.Names[0], d.File + "/x.ndjson"
	case d.Folder != "":
		return d.Names[0], d.Folder + "/m.json", "", ""
	}
	return d.File, d.File + ".json", "", ""
}

// fullDocuments returns documents with a record of a kind that has every field, and variants with
// one field missing, of another type or unknown.
func fullDocuments(t *testing.T, d *domain.Description, wrap func(record string) string) []string {
	c := &domain.Catalog{DefaultLocale: "en", Locales: []string{"en"}}
	domaintest.AddFull(c, d)
	data, err := RecordJSON(c, d.Kind, 0)
	if err != nil {
		t.Fatal(err)
	}
	documents := []string{wrap(string(data)), wrap(`[]`)}
	for _, f := range append(slices.Clone(d.Shape.Fields), &domain.Field{Name: "zzz"}) {
		for _, value := range []string{"", `true`, `{"zzz":[]}`} {
			var record map[string]json.RawMessage
			if err := json.Unmarshal(data, &record); err != nil {
				t.Fatal(err)
			}
			if value == "" && f.Type == domain.TypeTable { // required by rules of the record
				continue
			}
			if record[f.Name] = json.RawMessage(value); value == "" || f.InFileName {
				delete(record, f.Name)
			}
			changed, err := json.Marshal(record)
			if err != nil {
				t.Fatal(err)
			}
			documents = append(documents, wrap(string(changed)))
		}
	}
	return documents
}

// TestSchemasAgree checks that reader and schemas accept the same documents.
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
	own := func(name string) func(s string) string {
		return func(s string) string {
			return `{"title":"X","default_locale":"en","locales":["en"],"` + name + `":` + s + `}`
		}
	}
	gate, expect := own("gate"), own("expect")
	documents := map[string][]string{
		"catalog": {
			`{"title":"X","default_locale":"en","locales":["en"]}`, `{"$schema":"x","title":{"en":"X","fr":null},"default_locale":"en","locales":["en","fr"],"link_schemes":null}`,
			`{"title":"X","default_locale":"en","locales":["en"],"link_schemes":["celo"]}`, `{"title":1,"default_locale":"en","locales":["en"]}`,
			`{"default_locale":"en","locales":["en"]}`, `{"title":"X","locales":["en"]}`, `{"title":"X","default_locale":"en"}`, `{"title":"X","default_locale":"en","locales":"en"}`,
			`{"title":"X","default_locale":"en","locales":[1]}`, `{"title":"X","default_locale":"en","locales":["en"],"local":1}`, `[]`, `"x"`, `{}`,
			`{"title":"X","default_locale":"en","locales":["en"],"link_schemes":"celo"}`,
			accept(`[]`), accept(`null`), accept(`{}`), accept(`[{}]`), accept(`[{"rule":"held-back"}]`), accept(`[{"rule":"unlisted-menu","kind":"menus","key":"a","reason":"x"}]`), accept(`[{"rule":"held-back","kind":"chain"}]`),
			accept(`[{"rule":"missing-translation","locale":"en"}]`), accept(`[{"rule":"syntax"}]`), accept(`[{"rule":"unused-acceptance"}]`), accept(`["held-back"]`), accept(`[{"rule":"held-back","keys":["a"]}]`), accept(`[{"rule":"held-back","key":1}]`), accept(`[{"rule":"unused-category","kind":null,"key":null}]`),
			gate(`null`), gate(`{}`), gate(`[]`), gate(`{"shrink":{"share":0.3,"min":8},"values":null,"window":30,"rules":{"lookalike":"warn"}}`), gate(`{"shrink":{"share":2}}`), gate(`{"shrink":{"min":1.5}}`),
			gate(`{"rules":{"lookalikes":"warn"}}`), gate(`{"rules":{"lookalike":"never"}}`), gate(`{"accept":[{"rule":"shrink:apps","reason":"r","author":"a","expires":"2026-12-31"}]}`),
			gate(`{"accept":[{"rule":"shrink:apps","reason":"r","author":"a"}]}`), gate(`{"accept":[{"rule":"shrink:apps","reason":"r","author":"a","expires":"2026-12-32"}]}`),
			expect(`[]`), expect(`[{"kind":"chains","min":0,"max":9}]`), expect(`[{"min":1}]`), expect(`[{"kind":"chain","min":1}]`), expect(`[{"kind":"chains","field":"website","fill":0.1}]`), expect(`[{"kind":"chains","max":"1"}]`),
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
	place := map[string]string{}
	for _, d := range domain.Descriptions() {
		if d.Raw {
			continue
		}
		name, filePlace, ofRecord, recordPlace := schemaOf(d)
		place[name], place[ofRecord] = filePlace, recordPlace
		if d.Kind == domain.KindCatalog { // a valid one has rules of its own
			continue
		}
		alone := func(record string) string { return record }
		named := func(record string) string { return fmt.Sprintf("{%q:[%s]}", d.List, record) }
		switch {
		case d.Long:
			documents[ofRecord] = append(documents[ofRecord], fullDocuments(t, d, alone)...)
			documents[name] = append(documents[name], fullDocuments(t, d, named)...)
		case d.List != "":
			documents[name] = append(documents[name], fullDocuments(t, d, named)...)
		default:
			documents[name] = append(documents[name], fullDocuments(t, d, alone)...)
		}
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

// TestSchemasKnowEveryField checks that the fields of the schemas are those of the reader.
func TestSchemasKnowEveryField(t *testing.T) {
	want := map[string][]string{}
	for _, kind := range domain.Descriptions() {
		if kind.Raw {
			continue
		}
		name, _, ofRecord, _ := schemaOf(kind)
		if name = cmp.Or(ofRecord, name); want[name] != nil {
			continue // another list of the same file
		}
		d := &decoder{report: func(_ *node, _ domain.Rule, _, remedy string) {
			_, known, _ := strings.Cut(remedy, "use one of: ")
			want[name] = strings.Split(known, ", ")
		}}
		unknown := &node{kind: object, keys: []*node{{kind: text, text: "zzzzzzzzzzzz"}}, items: []*node{{}}}
		d.decode(cmp.Or(kindOf(kind.File), kind), unknown, new(domain.Catalog), "")
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
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("fields (-reader +schema):\n%s", diff)
	}
}
