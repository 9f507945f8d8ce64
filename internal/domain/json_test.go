package domain_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/domain"
	"vitrine/internal/domain/domaintest"
)

// writtenRecords has a chain, menu or category for each form of each field.
var writtenRecords = []struct {
	name  string
	kind  domain.Kind
	value any
	json  string
}{
	{"nothing", domain.KindChain, &domain.Chain{}, `{}`},
	{"lines, in the order of the fields", domain.KindChain, &domain.Chain{ChainID: "1", Slug: "a\"<\u2028"}, `{"slug":"a\"<` + "\u2028" + `","chain_id":"1"}`},
	{"a text", domain.KindChain, &domain.Chain{Name: domain.Text{{Locale: "en", Value: "A"}, {Locale: "de", Value: ""}}}, `{"name":{"en":"A","de":""}}`},
	{"a list", domain.KindChain, &domain.Chain{Categories: []string{"l2", "", "l2"}}, `{"categories":["l2","","l2"]}`},
	{"a number alone", domain.KindChain, &domain.Chain{TVL: &domain.Figure{}}, `{"llama_tvl":0}`},
	{"a figure", domain.KindChain, &domain.Chain{TVL: &domain.Figure{Value: -1.5, AsOf: "2026-01-01"}}, `{"llama_tvl":{"value":-1.5,"source":"","as_of":"2026-01-01"}}`},
	{"a figure with a source alone", domain.KindChain, &domain.Chain{TVL: &domain.Figure{Source: "s"}}, `{"llama_tvl":{"value":0,"source":"s","as_of":""}}`},
	{"a table", domain.KindCategory, &domain.Category{Priority: 2, Groups: []domain.ModuleGroups{{Module: "chain", Keys: []string{"layer"}}, {Module: "item"}}},
		`{"priority":2,"groups":{"chain":["layer"],"item":[]}}`},
	{"parts of parts, without what is standard", domain.KindMenu, &domain.Menu{Groups: []domain.MenuGroup{{Slug: "g", Items: []domain.Item{
		{Slug: "i", Type: domain.ItemCategory, Cards: []domain.Card{{Link: "/a"}, {}}}, {Slug: "j", Type: "link"},
	}}}}, `{"groups":[{"slug":"g","items":[{"slug":"i","cards":[{"link":"/a"},{}]},{"slug":"j","type":"link"}]}]}`},
	{"a slug that is the key", domain.KindNavGroup, &domain.NavGroup{Key: "k", Slug: "k"}, `{"key":"k"}`},
}

func TestWrittenAndRead(t *testing.T) {
	var decoder domain.Decoder // one decoder for all, as in use
	for _, tt := range writtenRecords {
		t.Run(tt.name, func(t *testing.T) {
			d := domain.Describe(tt.kind)
			got, err := d.Shape.AppendJSON([]byte("> "), tt.value, "")
			if err != nil || string(got) != "> "+tt.json {
				t.Errorf("written as %s, %v, want %s", got, err, tt.json)
			}
			read := d.New()
			if err := decoder.Decode([]byte(tt.json), d.Shape, read); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.value, read); diff != "" {
				t.Errorf("read (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPlainTexts(t *testing.T) {
	d := domain.Describe(domain.KindChain)
	for _, tt := range []struct {
		text domain.Text
		want string
	}{
		{domain.Text{{Locale: "en", Value: "A"}}, `{"name":"A"}`},
		{domain.Text{{Locale: "de", Value: "A"}}, `{"name":{"de":"A"}}`},
		{domain.Text{{Locale: "en", Value: "A"}, {Locale: "de", Value: "B"}}, `{"name":{"en":"A","de":"B"}}`},
	} {
		if got, err := d.Shape.AppendJSON(nil, &domain.Chain{Name: tt.text}, "en"); err != nil || string(got) != tt.want {
			t.Errorf("%v is written as %s, %v, want %s", tt.text, got, err, tt.want)
		}
	}
}

// TestScopesOfLicences checks that the scope of a licence in the default locale alone is written as the line
// that it was in earlier versions, and read.
func TestScopesOfLicences(t *testing.T) {
	shape := domain.Describe(domain.KindCatalog).Shape
	english, japanese := domain.Translation{Locale: "en", Value: "texts"}, domain.Translation{Locale: "ja", Value: "文章"}
	for _, tt := range []struct {
		scope domain.Text
		want  string
	}{
		{domain.Text{english}, `"texts"`},
		{domain.Text{japanese}, `{"ja":"文章"}`},
		{domain.Text{english, japanese}, `{"en":"texts","ja":"文章"}`},
	} {
		c := &domain.Catalog{DefaultLocale: "en", Locales: []string{"en", "ja"}, Licences: []domain.Licence{{Name: "L", Scope: tt.scope}}}
		want := `{"default_locale":"en","locales":["en","ja"],"licences":[{"name":"L","scope":` + tt.want + `}]}`
		got, err := shape.AppendJSON(nil, c, "")
		if err != nil || string(got) != want {
			t.Errorf("written as %s, %v, want %s", got, err, want)
		}
		var decoder domain.Decoder
		for _, body := range []string{want, strings.Replace(want, `"texts"}]`, `{"en":"texts"}}]`, 1)} {
			read := &domain.Catalog{}
			if err := decoder.Decode([]byte(body), shape, read); err != nil || !slices.Equal(read.Licences[0].Scope, tt.scope) {
				t.Errorf("%s is read as %v, %v, want %v", body, read.Licences, err, tt.scope)
			}
		}
	}
}

func TestValuesThatJSONLacks(t *testing.T) {
	d := domain.Describe(domain.KindChain)
	for _, tt := range []struct {
		chain domain.Chain
		want  string
	}{
		{domain.Chain{Slug: "a\xff"}, "{\"slug\":\"a\uFFFD\"}"},
		{domain.Chain{TVL: &domain.Figure{Value: math.NaN()}}, `{"llama_tvl":0}`},
		{domain.Chain{TVL: &domain.Figure{Value: math.Inf(-1)}, Aliases: []string{"a"}}, `{"llama_tvl":0,"aliases":["a"]}`},
	} {
		if got, err := d.Shape.AppendJSON(nil, &tt.chain, ""); err == nil || string(got) != tt.want {
			t.Errorf("%+v is written as %s, %v, want %s and an error", tt.chain, got, err, tt.want)
		}
	}
}

// hostile has bodies of a menu, a chain or a category that no encoder writes.
var hostile = []struct {
	name, body, err string
}{
	{"nothing", ``, "EOF"},
	{"null", `null`, "null stands where { is expected"},
	{"a list", `[]`, "[ stands where { is expected"},
	{"cut off in a record", `{"slug":"a"`, "EOF"},
	{"cut off in a list", `{"categories":["a"`, "EOF"},
	{"cut off in a text", `{"name":{"en":`, "EOF"},
	{"a second record", `{}{}`, "more data after the record"},
	{"something behind", `{} x`, "more data after the record"},
	{"a field that is not known", `{"colour":"red"}`, `there is no field "colour"`},
	{"a field in other case", `{"Slug":"a"}`, `there is no field "Slug"`},
	{"a field twice", `{"slug":"a","slug":"b"}`, "duplicate"},
	{"a field twice, once escaped", `{"slug":"a","\u0073lug":"b"}`, "duplicate"},
	{"a locale twice", `{"name":{"en":"a","en":"b"}}`, "duplicate"},
	{"a line that is null", `{"slug":null}`, "slug: null stands where string is expected"},
	{"a line that is a number", `{"chain_id":1}`, "chain_id: number stands"},
	{"a text that is a string", `{"name":"a"}`, "name: string stands where { is expected"},
	{"a text of numbers", `{"name":{"en":1}}`, "name: number stands"},
	{"a list that is null", `{"categories":null}`, "categories: null stands where [ is expected"},
	{"a list in a list", `{"categories":[["a"]]}`, "categories: [ stands"},
	{"a figure that is null", `{"llama_tvl":null}`, "llama_tvl: null stands"},
	{"a figure that is a string", `{"llama_tvl":"1"}`, "llama_tvl: string stands"},
	{"a figure without a value", `{"llama_tvl":{"source":"s"}}`, "llama_tvl: a figure has no value"},
	{"a figure with another field", `{"llama_tvl":{"value":1,"unit":"USD"}}`, `llama_tvl: a figure has no field "unit"`},
	{"a number beyond all", `{"llama_tvl":1e999}`, "out of range"},
	{"a number that JSON has not", `{"llama_tvl":NaN}`, "invalid"},
	{"half of a pair of surrogates", `{"slug":"\ud800"}`, "surrogate"},
	{"bytes that are not UTF-8", "{\"slug\":\"\xff\"}", "invalid UTF-8"},
	{"a character of control", "{\"slug\":\"a\nb\"}", "invalid"},
	{"a comma too many", `{"slug":"a",}`, "invalid"},
	{"deep", strings.Repeat(`{"name":`, 100_000), "{ stands where string is expected"},
}

func TestHostileBodies(t *testing.T) {
	var decoder domain.Decoder // the errors before must have no effect
	shape := domain.Describe(domain.KindChain).Shape
	for _, tt := range hostile {
		t.Run(tt.name, func(t *testing.T) {
			err := decoder.Decode([]byte(tt.body), shape, &domain.Chain{})
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
		})
	}
	var chain domain.Chain
	if err := decoder.Decode([]byte(` {"slug" : "a"} `), shape, &chain); err != nil || chain.Slug != "a" {
		t.Errorf("a valid record after the error: %+v, %v", chain, err)
	}
}

// TestFieldsOfTheFileName checks that a record must not have fields that its file name has.
func TestFieldsOfTheFileName(t *testing.T) {
	var decoder domain.Decoder
	menu := domain.Menu{PathSlug: "start"}
	d := domain.Describe(domain.KindMenu)
	if got, err := d.Shape.AppendJSON(nil, &menu, ""); err != nil || string(got) != `{}` {
		t.Errorf("written as %s, %v", got, err)
	}
	if err := decoder.Decode([]byte(`{"path_slug":"a"}`), d.Shape, &menu); err == nil || menu.PathSlug != "start" {
		t.Errorf("error %v, menu %q", err, menu.PathSlug)
	}
}

// TestDecodeDoesNotRetainData checks that the caller may overwrite decoded data.
func TestDecodeDoesNotRetainData(t *testing.T) {
	data := []byte(`{"slug":"base","name":{"en":"Base"},"categories":["l2"],"llama_tvl":{"value":1,"source":"s","as_of":"2026-01-01"}}`)
	var decoder domain.Decoder
	var chain, want domain.Chain
	shape := domain.Describe(domain.KindChain).Shape
	if err := decoder.Decode([]byte(string(data)), shape, &want); err != nil {
		t.Fatal(err)
	}
	if err := decoder.Decode(data, shape, &chain); err != nil {
		t.Fatal(err)
	}
	for i := range data {
		data[i] = 'x'
	}
	if diff := cmp.Diff(want, chain); diff != "" {
		t.Errorf("it changed with the data:\n%s", diff)
	}
}

func TestEveryCatalogueSurvives(t *testing.T) {
	var decoder domain.Decoder
	rapid.Check(t, func(t *rapid.T) {
		c := domaintest.Any().Draw(t, "catalogue")
		for _, d := range domain.Descriptions() {
			for i := range d.Size(c) {
				want, got := d.Record(c, i), d.New()
				for _, f := range d.Shape.Fields {
					if f.InFileName {
						*f.Line(got) = *f.Line(want)
					}
				}
				body, err := d.Shape.AppendJSON(nil, want, "")
				if err != nil {
					t.Fatal(err)
				}
				if err := decoder.Decode(body, d.Shape, got); err != nil {
					t.Fatalf("%s: %v", body, err)
				}
				if !d.Shape.Equal(want, got) {
					t.Fatalf("%s %s (-want +got):\n%s", d.Kind, body, cmp.Diff(want, got))
				}
			}
		}
	})
}

// FuzzDecode checks that no body causes a panic, and that decoded records survive encoding and
// decoding.
func FuzzDecode(f *testing.F) {
	for i, kind := range domain.Kinds() {
		f.Add(i, []byte(`{}`))
		for _, tt := range writtenRecords {
			if tt.kind == kind {
				f.Add(i, []byte(tt.json))
			}
		}
		for _, tt := range hostile {
			f.Add(i, []byte(tt.body[:min(len(tt.body), 100)]))
		}
	}
	f.Fuzz(func(t *testing.T, kind int, body []byte) {
		d := domain.Describe(domain.Kinds()[uint(kind)%uint(len(domain.Kinds()))])
		var decoder domain.Decoder
		first, second := d.New(), d.New()
		if decoder.Decode(body, d.Shape, first) != nil {
			return
		}
		again, err := d.Shape.AppendJSON(nil, first, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := decoder.Decode(again, d.Shape, second); err != nil {
			t.Fatalf("%s: %v", again, err)
		}
		if !d.Shape.Equal(first, second) {
			t.Errorf("%s is read as %s:\n%s", body, again, cmp.Diff(first, second))
		}
	})
}
