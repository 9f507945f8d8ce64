package bundle

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"vitrine/internal/domain"
)

var update = flag.Bool("update", false, "rewrite the problems that testdata expects")

// mapFS returns a directory of file contents.
func mapFS(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, data := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(data)}
	}
	return fsys
}

func read(t testing.TB, files map[string]string) *Directory {
	t.Helper()
	d, err := Read(context.Background(), mapFS(files), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// lines returns problems as they are printed.
func lines(problems []Problem) []string {
	out := []string{}
	for _, p := range problems {
		out = append(out, p.String())
	}
	return out
}

func loadFiles(t *testing.T, name string) map[string]string {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	return files
}

// with returns base with some files replaced or added.
func with(base, over map[string]string) map[string]string {
	out := maps.Clone(base)
	maps.Copy(out, over)
	return out
}

// base returns a valid directory with all kinds of files.
func base(t *testing.T) map[string]string { return loadFiles(t, "testdata/base.txtar") }

func TestBaseHasNoProblems(t *testing.T) {
	d := read(t, base(t))
	if diff := cmp.Diff([]string{}, lines(d.Problems)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// TestFaults checks the problems of each directory of testdata/faults, which has one fault, and
// of all of them together.
func TestFaults(t *testing.T) {
	names, err := filepath.Glob("testdata/faults/*.txtar")
	if err != nil || len(names) < 10 {
		t.Fatalf("faults: %v, %v", names, err)
	}
	all, allProblems := base(t), []string{}
	for _, name := range names {
		over := loadFiles(t, name)
		want := strings.Split(strings.TrimSpace(over["problems"]), "\n")
		delete(over, "problems")
		maps.Copy(all, over)
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			got := lines(read(t, with(base(t), over)).Problems)
			if *update {
				rewrite(t, name, got)
				want = got
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			allProblems = append(allProblems, got...)
		})
	}
	got := lines(read(t, all).Problems)
	slices.Sort(got)
	slices.Sort(allProblems)
	if diff := cmp.Diff(allProblems, got); diff != "" {
		t.Errorf("problems of all faults together (-want +got):\n%s", diff)
	}
}

func rewrite(t *testing.T, name string, problems []string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return f.Name == "problems" })
	archive.Files = append(archive.Files, txtar.File{Name: "problems", Data: []byte(strings.Join(problems, "\n") + "\n")})
	if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// places returns `file:line:col rule` of problems.
func places(problems []Problem) []string {
	out := []string{}
	for _, p := range problems {
		out = append(out, fmt.Sprintf("%s:%d:%d %s", p.File, p.Line, p.Column, p.Rule))
	}
	return out
}

func TestPlaces(t *testing.T) {
	for _, tt := range []struct {
		name string
		over map[string]string
		want []string
	}{
		{"columns count characters", map[string]string{"chains/x.yaml": "- {slug: x, name: \"日本😀\", chain_id: 1.5}\n"},
			[]string{"chains/x.yaml:1:36 wrong-type"}},
		{"CRLF", map[string]string{"chains/x.yaml": "# 日\r\n- slug: x\r\n  name: 日\r\n  chain_id: 0x1\r\n"},
			[]string{"chains/x.yaml:4:13 wrong-type"}},
		{"CRLF in JSON", map[string]string{"chains/x.json": "[\r\n{\"slug\":\"x\",\r\n \"name\":\"日\", \"chain_id\":1e3}]\r\n"},
			[]string{"chains/x.json:3:25 wrong-type"}},
		{"byte order mark", map[string]string{"chains/x.ndjson": "\ufeff{\"slug\":\"x\",\"name\":\"X\",\"chain_id\":-1}"},
			[]string{"chains/x.ndjson:1:35 wrong-type"}},
		{"byte order mark in YAML", map[string]string{"chains/x.yaml": "\ufeffchains: 1\n"},
			[]string{"chains/x.yaml:1:9 wrong-type"}},
		{"UTF-16", map[string]string{"chains/x.yaml": "\xff\xfea\x00"},
			[]string{"chains/x.yaml:1:1 invalid-utf8"}},
		{"cut character", map[string]string{"chains/x.yaml": "a: 日\nb: 日\xe6\x97"},
			[]string{"chains/x.yaml:2:5 invalid-utf8"}},
		{"invalid UTF-8 in JSON", map[string]string{"chains/x.json": "[\n{\"slug\":\"日\xc0\"}]"},
			[]string{"chains/x.json:2:11 invalid-utf8"}},
		{"missing field stands at its record", map[string]string{"chains/x.json": "[{\"slug\":\"x\",\"name\":\"X\",\"chain_id\":\"1x\"},\n  {\"slug\":\"y\",\"name\":\"X\"}]"},
			[]string{"chains/x.json:2:3 missing-field"}},
		{"escapes in JSON", map[string]string{"chains/x.json": `[{"slug":"x","name":"\u65e5\"\\","chain_id":true}]`},
			[]string{"chains/x.json:1:45 wrong-type"}},
		{"list under the kind's name", map[string]string{"chains/x.json": "{\"$schema\":\"x\",\n\"chains\":[{\"slug\":\"x\",\"name\":\"X\",\"chain_id\":[]}],\"chain\":1}"},
			[]string{"chains/x.json:2:45 wrong-type", "chains/x.json:2:50 unknown-field"}},
		{"list twice", map[string]string{"chains/x.json": "{\"chains\":[],\n \"chains\":[{}]}"},
			[]string{"chains/x.json:2:2 duplicate-field"}},
		{"no list", map[string]string{"chains/x.json": "  12", "chains/y.yaml": "\nchains: {a: b}", "chains/z.json": `{"chains":"x"}`},
			[]string{"chains/x.json:1:3 wrong-type", "chains/y.yaml:2:9 wrong-type", "chains/z.json:1:11 wrong-type"}},
		{"no record", map[string]string{"chains/x.yaml": "- 12\n- x\n- [a]\n-\n"},
			[]string{"chains/x.yaml:1:3 wrong-type", "chains/x.yaml:2:3 wrong-type", "chains/x.yaml:3:3 wrong-type", "chains/x.yaml:4:2 wrong-type"}},
		{"more after JSON", map[string]string{"chains/x.json": "[]\n[]", "chains/y.ndjson": `{"slug":"y","name":"Y","chain_id":"y1"} {}`, "nav/more.json": "{\"title\":\"x\"}\n 1"},
			[]string{"chains/x.json:2:1 syntax", "chains/y.ndjson:1:41 syntax", "nav/more.json:2:2 syntax"}},
		{"JSON that ends early", map[string]string{"chains/x.json": "[\n {\"slug\":", "chains/y.ndjson": "\n{\"slug\":\"y\"", "nav/more.json": "{\"title\":"},
			[]string{"chains/x.json:2:2 syntax", "chains/y.ndjson:2:1 syntax", "nav/more.json:1:1 syntax"}},
		{"JSON too deep", map[string]string{"chains/x.json": "[" + strings.Repeat("[", 100) + strings.Repeat("]", 101)},
			[]string{"chains/x.json:1:66 syntax"}},
		{"second document", map[string]string{"chains/x.yaml": "---\n- {slug: x, name: X, chain_id: x1}\n---\n- a\n"},
			[]string{"chains/x.yaml:3:1 syntax"}},
		{"second document after the end of the first", map[string]string{"chains/x.yaml": "- {slug: x, name: X, chain_id: x1}\n...\n- a\n"},
			[]string{"chains/x.yaml:3:1 syntax"}},
		{"merge keys, tags, complex keys, directives", map[string]string{
			"chains/a.yaml": "- &a {slug: a}\n- <<: *a\n", "chains/b.yaml": "- slug: !x b\n", "chains/c.yaml": "- ? [a]\n  : b\n", "chains/d.yaml": "# d\n%YAML 1.2\n---\n",
			"chains/e.yaml": "- !!set {a}\n", "chains/f.yaml": "- !!str [a]\n", "chains/g.yaml": "- &k [a]\n- {*k : b}\n", "chains/h.yaml": "- slug: !!int \"1\"\n"},
			[]string{"chains/a.yaml:2:3 syntax", "chains/b.yaml:1:9 syntax", "chains/c.yaml:1:5 syntax", "chains/d.yaml:2:1 syntax",
				"chains/e.yaml:1:3 syntax", "chains/f.yaml:1:3 syntax", "chains/g.yaml:2:4 syntax", "chains/h.yaml:1:9 syntax"}},
		{"lines and columns of YAML", map[string]string{
			"chains/a.yaml": "- slug: 12 # é\n  name: 日本\r\n  chain_id: |\n    a b\n  x: y\r  日: *zz\n"},
			[]string{"chains/a.yaml:6:6 syntax"}},
		{"a block of text stands at its bar", map[string]string{"nav/start.yaml": "title: >-\n  a\n\n  b\ndescription: |\n  x\n  \u202a\n"},
			[]string{"nav/start.yaml:1:8 forbidden-character", "nav/start.yaml:5:14 forbidden-character"}},
		{"what is not closed is reported where it begins", map[string]string{
			"chains/a.yaml": "- {slug: a,\n  name: b\n\n", "chains/b.yaml": "a: \"b\nc: d\n\n", "chains/c.yaml": "a: 日 [b\nc\nd: e\n", "chains/d.yaml": "a: [b]]\n", "chains/e.yaml": "[\n\n\n"},
			[]string{"chains/a.yaml:1:3 syntax", "chains/b.yaml:1:4 syntax", "chains/c.yaml:2:1 syntax", "chains/d.yaml:1:7 syntax", "chains/e.yaml:1:1 syntax"}},
		{"characters that YAML does not take, or takes in several ways", map[string]string{
			"chains/a.yaml": "é: \x01\n", "chains/b.yaml": "- slug: é\u2028b: c\n", "chains/c.yaml": "a: \"\u0085\"\n", "chains/d.yaml": "a: \ufffe\n"},
			[]string{"chains/a.yaml:1:4 syntax", "chains/b.yaml:1:10 syntax", "chains/c.yaml:1:5 syntax", "chains/d.yaml:1:4 forbidden-character"}},
		{"an empty item takes nothing of what follows", map[string]string{"chains/a.yaml": "-\nslug: a\n", "chains/b.yaml": "chains:\n-\nslug: b\n"},
			[]string{"chains/a.yaml:2:1 syntax", "chains/b.yaml:2:2 wrong-type", "chains/b.yaml:3:1 unknown-field"}},
		{"empty JSON", map[string]string{"chains/a.json": "", "chains/b.json": "\ufeff \n", "chains/c.yaml": "", "chains/d.ndjson": "\n", "nav/more.json": "\n \t", "chains/e.yaml": "# none\n", "chains/f.yaml": "---\n...\n"},
			[]string{"chains/a.json:1:1 syntax", "chains/b.json:1:1 syntax", "nav/more.json:1:1 syntax"}},
		{"empty categories in JSON do not break references", map[string]string{"categories.yaml": "", "categories.json": "\n"},
			[]string{"categories.json:1:1 syntax"}},
		{"lines of NDJSON stand alone", map[string]string{"chains/a.ndjson": "\n{\"slug\":\n{}\n", "chains/b.ndjson": "{\"slug\":\"b\"\r\n", "chains/c.ndjson": " \t\r\n\u00a0\n"},
			[]string{"chains/a.ndjson:2:1 syntax", "chains/b.ndjson:1:1 syntax", "chains/c.ndjson:2:1 syntax"}},
		{"categories with a record that is no map do not break references", map[string]string{"categories.yaml": base(t)["categories.yaml"] + "  - l2\n", "chains/x.yaml": "- {slug: x, name: X, chain_id: x1, categories: [l2]}\n"},
			[]string{"categories.yaml:14:5 wrong-type"}},
		{"categories that are there twice do not break references", map[string]string{"categories.yaml": base(t)["categories.yaml"] + "categories: []\n", "chains/x.yaml": "- {slug: x, name: X, chain_id: x1, categories: [l2]}\n"},
			[]string{"categories.yaml:14:1 duplicate-field"}},
		{"unknown anchor, anchor in itself", map[string]string{"chains/a.yaml": "- *a\n", "chains/b.yaml": "- &a [*a]\n"},
			[]string{"chains/a.yaml:1:3 syntax", "chains/b.yaml:1:7 syntax"}},
		{"aliases that stand for billions", map[string]string{"chains/a.yaml": billionLaughs()},
			[]string{"chains/a.yaml:5:43 syntax"}},
		{"figures", map[string]string{"chains/x.yaml": "- slug: x\n  name: X\n  chain_id: x1\n  llama_tvl: .inf\n  platforms: 1.5\n- slug: y\n  name: Y\n  chain_id: y1\n  llama_tvl: \"12\"\n  platforms: {value: -1, source: 12, as_of: 2025-02-30}\n- slug: z\n  name: Z\n  chain_id: z1\n  llama_tvl: {source: x}\n  platforms: 1_000\n"},
			[]string{"chains/x.yaml:4:14 malformed-figure", "chains/x.yaml:5:14 malformed-figure", "chains/x.yaml:9:14 wrong-type", "chains/x.yaml:10:22 malformed-figure",
				"chains/x.yaml:10:34 wrong-type", "chains/x.yaml:10:45 malformed-figure", "chains/x.yaml:14:14 missing-field", "chains/x.yaml:15:14 malformed-figure"}},
		{"figure without a value that is one", map[string]string{"twitter/x.yaml": "- {handle: x, name: X, followers_count: many}\n"},
			[]string{"twitter/x.yaml:1:41 wrong-type"}},
		{"undeclared default locale stands at its value", map[string]string{"catalog.yaml": "title: T\ndefault_locale: fr\nlocales: [en]\n"},
			[]string{"catalog.yaml:2:17 undeclared-locale"}},
		{"undeclared locale of an expectation stands at its value", map[string]string{"catalog.yaml": "title: T\ndefault_locale: en\nlocales: [en]\nexpect:\n  - {kind: chains, field: name, locale: fr, min: 1}\n"},
			[]string{"catalog.yaml:5:41 undeclared-locale"}},
		{"undeclared locale stands at its key", map[string]string{"chains/x.yaml": "- slug: x\n  name: {en: X, fr: X}\n  chain_id: x1\n"},
			[]string{"chains/x.yaml:2:17 undeclared-locale"}},
		{"empty items of lists", map[string]string{"chains/x.yaml": "- slug: x\n  name: X\n  chain_id: x1\n  aliases: [a, '', ~, 3]\n  categories: l1\n"},
			[]string{"chains/x.yaml:4:16 wrong-type", "chains/x.yaml:4:20 wrong-type", "chains/x.yaml:4:23 wrong-type", "chains/x.yaml:5:15 wrong-type"}},
		{"broken categories do not break references", map[string]string{"categories.yaml": "groups: [\n"},
			[]string{"categories.yaml:1:9 syntax"}},
		{"misnamed categories do not break references", map[string]string{"categories.yaml": "", "category.yaml": ""},
			[]string{"category.yaml:1:1 unknown-file"}},
		{"categories that are no list", map[string]string{"categories.yaml": "groups: {}\ncategories: 1\n"},
			[]string{"categories.yaml:1:9 wrong-type", "categories.yaml:2:13 wrong-type"}},
		{"broken menu", map[string]string{"nav/start.yaml": "title: [\n"},
			[]string{"nav/start.yaml:1:8 syntax"}},
		{"no catalog", map[string]string{"catalog.yaml": ""},
			[]string{"catalog.yaml:1:1 missing-file"}},
		{"misnamed catalog", map[string]string{"catalog.yaml": "", "Catalog.yaml": ""},
			[]string{"Catalog.yaml:1:1 unknown-file"}},
		{"duplicate files", map[string]string{"catalog.json": `{"title":"x","default_locale":"en","locales":["en"]}`, "nav/start.json": `{"title":"Start"}`},
			[]string{"catalog.yaml:1:1 duplicate-file", "nav/start.yaml:1:1 duplicate-file"}},
		{"two files of a long list", map[string]string{"youtube.yaml": "[]\n", "twitter/a.yaml": "[]\n", "twitter/a.ndjson": "\n"},
			[]string{"twitter/a.yaml:1:1 duplicate-file", "youtube.yaml:1:1 duplicate-file"}},
		{"a list and a folder of it", map[string]string{"youtube/youtube.yaml": "[]\n"}, []string{}},
		{"malformed name of a menu", map[string]string{"nav/Über.yaml": "# menu\n\ntitle: x\n"},
			[]string{"nav/Über.yaml:1:1 malformed-key"}},
		{"unknown files", map[string]string{"docs/a.yaml": "", "nav/x/y.yaml": "", "nav/z.ndjson": "", "a.txt": "", ".hidden/a.yaml": "", ".x.yaml": "", "chains/B.YAML": ""},
			[]string{"chains/B.YAML:1:1 unknown-file", "docs/a.yaml:1:1 unknown-file", "nav/x/y.yaml:1:1 unknown-file", "nav/z.ndjson:1:1 unknown-file"}},
		{"record over the limit", map[string]string{
			"chains/x.ndjson": `{"slug":"x","name":"X","chain_id":"x1"}` + "\n" + `{"slug":"` + strings.Repeat("y", maxRecord) + `"}`,
			"chains/y.json":   `[{"slug":"y","name":"Y","chain_id":"y1"},` + "\n " + `{"slug":"` + strings.Repeat("y", 5*maxRecord) + `"}]`,
			"chains/z.json":   `[{"slug":"z","name":"Z","chain_id":"z1"},` + "\n " + `{"slug":"` + strings.Repeat("z", maxRecord) + `"}]`},
			[]string{"chains/x.ndjson:2:1 unreadable-file", "chains/y.json:2:2 unreadable-file", "chains/z.json:2:2 unreadable-file"}},
		{"document over the limit", map[string]string{"nav/more.json": "\n " + strings.Repeat("[", maxDocument), "nav/start.yaml": "\n " + strings.Repeat("a", maxYAML)},
			[]string{"nav/more.json:2:2 unreadable-file", "nav/start.yaml:2:2 unreadable-file"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := with(base(t), tt.over)
			maps.DeleteFunc(files, func(name, data string) bool { return data == "" && base(t)[name] != "" })
			got := places(read(t, files).Problems)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("places (-want +got):\n%s\n%s", diff, strings.Join(lines(read(t, files).Problems), "\n"))
			}
		})
	}
}

func billionLaughs() string {
	s := "- &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 20; i++ {
		s += fmt.Sprintf("- &a%d [%s]\n", i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	return s
}

// TestManyUnknownFields checks that tens of thousands of unknown fields are cheap, and that an
// aliased value is reported once.
func TestManyUnknownFields(t *testing.T) {
	fields := ""
	for i := range 30 {
		fields += fmt.Sprintf("slgu%d: 1, ", i)
	}
	d := read(t, with(base(t), map[string]string{"chains/x.yaml": "- &r {" + fields + "}\n" + strings.Repeat("- *r\n", 3000)}))
	if len(d.Problems) != 30+3 { // and the missing fields
		t.Errorf("%d problems: %q", len(d.Problems), lines(d.Problems[:min(5, len(d.Problems))]))
	}
}

func TestReadFails(t *testing.T) {
	if _, _, err := Open(filepath.Join(t.TempDir(), "missing")); err == nil {
		t.Error("Open of a missing directory succeeded")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, mapFS(base(t)), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Read with a context that is done: %v", err)
	}
}

// TestFormats checks that equal records give equal catalogues in any format.
func TestFormats(t *testing.T) {
	want := []domain.Chain{
		{Slug: "a", Name: domain.Text{{Locale: "en", Value: "Ä"}}, ChainID: "007", Categories: []string{"l1"},
			TVL: &domain.Figure{Value: 1500}, Aliases: []string{"x", "y"}},
		{Slug: "b", Name: domain.Text{{Locale: "en", Value: "B 日"}}, ChainID: "b-1",
			Platforms: &domain.Figure{Value: 0, Source: "s", AsOf: "2025-01-02"}},
	}
	const (
		a = `{"slug":" a ","name":"Ä","chain_id":"007","categories":["l1"],"llama_tvl":1.5e3,"aliases":["x","y"],"logo":null}`
		b = `{"slug":"b","name":{"en":"B 日\u3000","zh":" "},"chain_id":"b-1","platforms":{"value":-0,"source":"s","as_of":"2025-01-02"}}`
		y = "- slug: a\n  name: Ä\n  chain_id: 007\n  categories: [l1]\n  llama_tvl: 1.5e3\n  aliases:\n  - x\n  - 'y'\n  logo:\n" +
			"- slug: b\n  name: {en: \"B 日\\u3000\", zh: ''}\n  chain_id: b-1\n  platforms: {value: -0, source: s, as_of: 2025-01-02}\n"
	)
	for name, files := range map[string]map[string]string{
		"YAML":              {"chains.yaml": y},
		"YAML under a name": {"chains/1.yaml": "chains:\n" + y},
		"JSON":              {"chains.json": "[" + a + ",\n" + b + "]"},
		"JSON under a name": {"chains/1/2.json": `{"chains":[` + a + "," + b + "]}"},
		"NDJSON":            {"chains.ndjson": a + "\r\n\n" + b},
		"several files":     {"chains/b.yaml": "", "chains/c.json": "[" + b + "]", "chains.ndjson": a + "\n", "chains/d.ndjson": "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			files = with(files, map[string]string{"catalog.yaml": "title: x\ndefault_locale: en\nlocales: [en, zh]\n"})
			if diff := cmp.Diff(want, read(t, files).Catalog.Chains); diff != "" {
				t.Errorf("chains (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPlainNumbers(t *testing.T) {
	for text, want := range map[string]float64{
		"1e15": 1e15, "9007199254740991": 9007199254740991, "1E5": 1e5, ".5": 0.5, "+1": 1, "2.": 2, "2.5E-3": 0.0025, "-0": 0, "0": 0, "1.50": 1.5,
	} {
		d := read(t, with(base(t), map[string]string{"chains/x.yaml": "- {slug: x, name: X, chain_id: x1, llama_tvl: " + text + "}\n"}))
		x := d.Catalog.Chains[len(d.Catalog.Chains)-1]
		if len(d.Problems) > 0 || x.TVL == nil || x.TVL.Value != want {
			t.Errorf("%s is %v, want %v: %q", text, x.TVL, want, lines(d.Problems))
		}
	}
	for _, text := range []string{"1_000", "0x10", "0o7", "0b1", "1_000.5", "9007199254740993.", "1e21", ".inf", "-.Inf", ".nan"} {
		d := read(t, with(base(t), map[string]string{"chains/x.yaml": "- {slug: x, name: X, chain_id: " + text + ", llama_tvl: " + text + "}\n"}))
		got := places(d.Problems)
		want := []string{"chains/x.yaml:1:32 wrong-type", fmt.Sprintf("chains/x.yaml:1:%d malformed-figure", 45+len(text))}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
	d := read(t, with(base(t), map[string]string{"chains/x.yaml": "- {slug: x, name: X, chain_id: 012, llama_tvl: 012, platforms: 1e3_0}\n"}))
	want := []string{"chains/x.yaml:1:48 malformed-figure", "chains/x.yaml:1:64 wrong-type"} // a numeric id, a number that some parse as octal, a text
	if diff := cmp.Diff(want, places(d.Problems)); diff != "" {
		t.Errorf("012 (-want +got):\n%s", diff)
	}
	for _, text := range []string{"yes", "no", "on", "off", "Y", "2025-01-02", "12:30", "=", "1.2.3", "e5", "_1", "tRUE"} {
		d := read(t, with(base(t), map[string]string{"chains/x.yaml": "- {slug: x, name: " + text + ", chain_id: x1}\n"}))
		if x := d.Catalog.Chains[len(d.Catalog.Chains)-1]; len(d.Problems) > 0 || x.Name[0].Value != text {
			t.Errorf("%s is %q: %q", text, x.Name, lines(d.Problems))
		}
	}
}

func TestNegativeZeroIsZero(t *testing.T) {
	d := read(t, with(base(t), map[string]string{"chains/x.yaml": "- {slug: x, name: X, chain_id: x1, llama_tvl: -0, platforms: -0.0}\n"}))
	x := d.Catalog.Chains[len(d.Catalog.Chains)-1]
	if math.Signbit(x.TVL.Value) || math.Signbit(x.Platforms.Value) {
		t.Errorf("figures %v and %v", x.TVL.Value, x.Platforms.Value)
	}
}

func TestDigestAndFingerprint(t *testing.T) {
	digest := func(files map[string]string) string { return read(t, files).Digest }
	same := digest(base(t))
	if got := digest(with(base(t), map[string]string{"README.md": "x"})); got != same {
		t.Error("the digest depends on a file that is not read")
	}
	seen := map[string]string{same: "base"}
	for name, over := range map[string]map[string]string{
		"a comment":         {"nav.yaml": base(t)["nav.yaml"] + "# x\n"},
		"an empty file":     {"youtube/x.json": ""},
		"another name":      {"youtube/y.json": ""},
		"a broken file":     {"youtube/y.json": "{"},
		"after the fault":   {"youtube/y.json": "{ ]]"},
		"after a bad byte":  {"youtube/y.json": "\xff1"},
		"after a bad byte2": {"youtube/y.json": "\xff2"},
	} {
		got := digest(with(base(t), over))
		if other, ok := seen[got]; ok {
			t.Errorf("%s has the digest of %s", name, other)
		}
		seen[got] = name
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "chains.yaml"), []byte("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	prints := map[string]string{}
	for _, step := range []struct {
		name string
		do   func(name string, then time.Time) error
	}{
		{"as it was", func(string, time.Time) error { return nil }},
		{"another mode", func(name string, _ time.Time) error { return os.Chmod(name, 0o600) }},
		{"another file of the same size and time", func(name string, then time.Time) error {
			return errors.Join(os.WriteFile(name+"~", []byte("b"), 0o600), os.Chtimes(name+"~", then, then), os.Rename(name+"~", name))
		}},
		{"no file", func(name string, _ time.Time) error { return os.Remove(name) }},
	} {
		name := filepath.Join(dir, "chains.yaml")
		info, err := os.Stat(name)
		if err == nil {
			err = step.do(name, info.ModTime())
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := Fingerprint(os.DirFS(dir))
		if err != nil {
			t.Fatal(err)
		}
		if same, ok := prints[got]; ok && runtime.GOOS == "linux" {
			t.Errorf("%s has the fingerprint of %s", step.name, same)
		}
		prints[got] = step.name
		if again, _ := Fingerprint(os.DirFS(dir)); again != got {
			t.Errorf("%s has two fingerprints", step.name)
		}
	}
	fsys := mapFS(base(t))
	before, err := Fingerprint(fsys)
	if err != nil {
		t.Fatal(err)
	}
	fsys["nav.yaml"].Data = append(fsys["nav.yaml"].Data, '\n')
	if after, _ := Fingerprint(fsys); after == before {
		t.Error("the fingerprint is the same for a different size")
	}
}

// TestDigestOfFiles checks that Digest and Read agree, also for files that cannot be read.
func TestDigestOfFiles(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"base":   base(t),
		"broken": with(base(t), map[string]string{"categories.yaml": "[", "chains/a.ndjson": "{}\n{", "unknown.yaml": "a: b"}),
	} {
		if got, err := Digest(mapFS(files)); err != nil || got != read(t, files).Digest {
			t.Errorf("%s: Digest() = %s, %v, want that of Read", name, got, err)
		}
	}
}

// TestUnchecked checks that problems of records are omitted, and those of files are not.
func TestUnchecked(t *testing.T) {
	files := with(base(t), map[string]string{"chains/a.ndjson": `{"slug":"a b"}`, "unknown.yaml": "a: b"})
	checked := read(t, files)
	unchecked, err := Read(t.Context(), mapFS(files), Options{Unchecked: true})
	if err != nil {
		t.Fatal(err)
	}
	var want []Problem
	for _, p := range checked.Problems {
		if p.File == "unknown.yaml" {
			want = append(want, p)
		}
	}
	if diff := cmp.Diff(want, unchecked.Problems); diff != "" || len(want) == 0 || len(want) == len(checked.Problems) {
		t.Errorf("wrong problems of %v (-want +got):\n%s", checked.Problems, diff)
	}
	if diff := cmp.Diff(checked.Catalog, unchecked.Catalog); diff != "" || checked.Digest != unchecked.Digest {
		t.Errorf("another catalogue (-checked +unchecked):\n%s", diff)
	}
}
