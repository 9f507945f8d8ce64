package bundle

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/domain"
)

var (
	dates    = rapid.SampledFrom([]domain.Date{"", "2015-07-30", "2024-02-29"})
	statuses = rapid.SampledFrom([]domain.Status{"", domain.StatusUpcoming, domain.StatusRetired})
	links    = rapid.Custom(func(t *rapid.T) domain.Link {
		return domain.Link{Type: rapid.SampledFrom(domain.LinkTypes()).Draw(t, "type"), Name: maybe(t, "name"), URL: values.Draw(t, "url")}
	})
	endpoints = rapid.Custom(func(t *rapid.T) domain.Endpoint {
		return domain.Endpoint{URL: values.Draw(t, "url"), Note: maybe(t, "note")}
	})
	currencies = rapid.Custom(func(t *rapid.T) *domain.Currency {
		if rapid.Bool().Draw(t, "none") {
			return nil
		}
		return &domain.Currency{Name: values.Draw(t, "name"), Symbol: values.Draw(t, "symbol"), Decimals: float64(rapid.IntRange(0, 30).Draw(t, "decimals"))}
	})
	extras = rapid.SampledFrom(append([]domain.JSON{""}, awkward...))
)

// awkward is JSON that readers, and writers, tend to change.
var awkward = []domain.JSON{
	`{}`,
	`{"big":9007199254740993,"bigger":123456789012345678901234567890,"one":1.0,"huge":1e400,"E":-0.00E-07,"zero":-0}`,
	`{"__proto__":{"constructor":null},"toString":[],"":0," ":"  "}`,
	`{"s":"</script><!-- & ]]>","quotes":"\" \\ ' ` + "`" + `","line":"a\nb\tc\r"}`,
	`{"z":1,"a":2,"m":3,"A":4,"2":5,"10":6}`,
	`{"true":false,"null":null,"no":"no","~":"~","12":"12","0x1":"0x1","1e3":"1e3",".inf":".inf","2024-01-01":"2024-01-01","<<":"<<","- a":"# b","a: b":"*c"}`,
	`{"deep":[[[[[[{"a":[{"b":[]}]}]]]]]]}`,
	`{"日本":"😀é ` + "\u2028\u0085" + ` "}`,
	`{"` + domain.JSON(strings.Repeat("name ", 300)) + `":1}`,
}

func chainsWithExtra(t *testing.T, name, file string) *Directory {
	t.Helper()
	return read(t, with(base(t), map[string]string{name: file}))
}

// TestExtraIsUnchanged checks that extra is stored as written, in every notation: members keep their
// order and numbers their digits.
func TestExtraIsUnchanged(t *testing.T) {
	for _, extra := range awkward {
		for name, form := range map[string]string{
			"chains/x.json":   `[{"slug":"x","name":"X","chain_id":"x","extra":%s}]`,
			"chains/x.ndjson": `{"slug":"x","name":"X","chain_id":"x","extra":%s}`,
			"chains/x.yaml":   "- slug: x\n  name: X\n  chain_id: x\n  extra: %s\n",
		} {
			if strings.HasSuffix(name, ".yaml") && (strings.Contains(string(extra), "name name") || strings.Contains(string(extra), "\u2028")) {
				continue // YAML takes neither: such a name must be written as `? name`, and U+2028 as an escape
			}
			d := chainsWithExtra(t, name, fmt.Sprintf(form, extra))
			if len(d.Problems) > 0 {
				t.Errorf("%s: %s\n%v", name, extra, d.Problems)
				continue
			}
			i := slices.IndexFunc(d.Catalog.Chains, func(c domain.Chain) bool { return c.Slug == "x" })
			if diff := cmp.Diff(extra, d.Catalog.Chains[i].Extra); diff != "" {
				t.Errorf("%s: extra (-want +got):\n%s", name, diff)
			}
		}
	}
}

// TestExtraInBlockStyle checks that white space and the block style of YAML make no
// difference.
func TestExtraInBlockStyle(t *testing.T) {
	const want = domain.JSON(`{"stage":1,"score":1.50,"teams":["a","007",null,true,"yes"],"by":{"name":"x y"},"when":"2024-01-01"}`)
	for name, file := range map[string]string{
		"chains/x.yaml": "- slug: x\n  name: X\n  chain_id: x\n  extra:\n    stage: 1\n    score: 1.50\n    teams: [a, '007', ~, true, yes]\n" +
			"    by:\n      name: x\n        y\n    when: 2024-01-01\n",
		"chains/x.json": "[ {\"slug\": \"x\", \"name\": \"X\", \"chain_id\": \"x\", \"extra\" : { \"stage\" : 1 ,\n \"score\":1.50, \"teams\" : [ \"a\", \"\\u0030\\u00307\", null,\ttrue, \"yes\" ], " +
			"\"by\": {\"name\": \"x y\" }, \"when\": \"2024-01-01\" } } ]",
	} {
		d := chainsWithExtra(t, name, file)
		if len(d.Problems) > 0 {
			t.Errorf("%s: %v", name, d.Problems)
			continue
		}
		i := slices.IndexFunc(d.Catalog.Chains, func(c domain.Chain) bool { return c.Slug == "x" })
		if diff := cmp.Diff(want, d.Catalog.Chains[i].Extra); diff != "" {
			t.Errorf("%s: extra (-want +got):\n%s", name, diff)
		}
	}
}

// TestExtraFaults checks that an invalid extra is reported at its place.
func TestExtraFaults(t *testing.T) {
	nested := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	sized := func(n int) string { return `{"a":"` + strings.Repeat("x", n-len(`{"a":""}`)) + `"}` }
	const head = "- slug: x\n  name: X\n  chain_id: x\n  extra: "
	for _, test := range []struct{ name, file, want string }{
		{"chains/x.yaml", head + "{a: 1, a: 2}\n", "chains/x.yaml:4:17: error: duplicate-field"},
		{"chains/x.yaml", head + "{a: [{b: 1, c: 2, b: 3}]}\n", "chains/x.yaml:4:28: error: duplicate-field"},
		{"chains/x.json", `[{"slug":"x","name":"X","chain_id":"x","extra":{"a":1,"\u0061":2}}]`, "chains/x.json:1:55: error: duplicate-field"},
		{"chains/x.yaml", head + "{a: .inf}\n", "chains/x.yaml:4:14: error: wrong-type"},
		{"chains/x.yaml", head + "{a: .NaN}\n", "chains/x.yaml:4:14: error: wrong-type"},
		{"chains/x.yaml", head + "\n    a: 0x1F\n", "chains/x.yaml:5:8: error: wrong-type"},
		{"chains/x.yaml", head + "{a: [1, 0o7]}\n", "chains/x.yaml:4:18: error: wrong-type"},
		{"chains/x.yaml", head + "{a: 1_000}\n", "chains/x.yaml:4:14: error: wrong-type"},
		{"chains/x.yaml", head + "{a: +1}\n", "chains/x.yaml:4:14: error: wrong-type"},
		{"chains/x.yaml", head + "{a: .5}\n", "chains/x.yaml:4:14: error: wrong-type"},
		{"chains/x.yaml", head + "{a: 007}\n", "chains/x.yaml:4:14: error: wrong-type"},
		{"chains/x.yaml", head + "[1]\n", "chains/x.yaml:4:10: error: wrong-type"},
		{"chains/x.yaml", head + "text\n", "chains/x.yaml:4:10: error: wrong-type"},
		{"chains/x.yaml", head + "1\n", "chains/x.yaml:4:10: error: wrong-type"},
		{"chains/x.yaml", head + nested(32) + "\n", ""},
		{"chains/x.yaml", head + nested(33) + "\n", "chains/x.yaml:4:10: error: malformed-extra"},
		{"chains/x.json", `[{"slug":"x","name":"X","chain_id":"x","extra":` + nested(33) + `}]`, "chains/x.json:1:48: error: malformed-extra"},
		{"chains/x.ndjson", `{"slug":"x","name":"X","chain_id":"x","extra":` + sized(16<<10) + `}`, ""},
		{"chains/x.ndjson", `{"slug":"x","name":"X","chain_id":"x","extra":` + sized(16<<10+1) + `}`, "chains/x.ndjson:1:47: error: too-long"},
	} {
		problems := lines(chainsWithExtra(t, test.name, test.file).Problems)
		switch {
		case test.want == "" && len(problems) == 0:
		case test.want != "" && len(problems) == 1 && strings.HasPrefix(problems[0], test.want+": "):
		default:
			t.Errorf("%.120s\n%.300q, want %q", test.file, problems, test.want)
		}
	}
}

// TestExtraGoesThroughExport checks that reading a written catalogue and writing it again changes
// nothing.
func TestExtraGoesThroughExport(t *testing.T) {
	c := read(t, base(t)).Catalog
	for i, extra := range awkward {
		c.Chains = append(c.Chains, domain.Chain{Slug: fmt.Sprintf("x%02d", i), Name: c.Title, ChainID: fmt.Sprintf("x%d", i), Extra: extra})
		c.Apps = append(c.Apps, domain.App{Key: fmt.Sprintf("x%02d", i), Title: c.Title, Link: "https://example.org/", Extra: extra})
	}
	c.Menus[0].Standalone = []domain.Item{{Slug: "all", Name: c.Title, Type: domain.ItemCategory}}
	for _, app := range c.Apps {
		c.Menus[0].Standalone[0].Cards = append(c.Menus[0].Standalone[0].Cards, domain.Card{App: app.Key, Extra: app.Extra})
	}
	first := filepath.Join(t.TempDir(), "first")
	if err := Write(c, first); err != nil {
		t.Fatal(err)
	}
	again := readDir(t, first)
	if len(again.Problems) > 0 {
		t.Fatal(again.Problems)
	}
	if diff := cmp.Diff(c.Chains, again.Catalog.Chains); diff != "" {
		t.Errorf("chains (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(c.Apps, again.Catalog.Apps); diff != "" {
		t.Errorf("apps (-want +got):\n%s", diff)
	}
	second := filepath.Join(t.TempDir(), "second")
	if err := Write(again.Catalog, second); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(again.Digest, readDir(t, second).Digest); diff != "" {
		t.Errorf("digest (-first +second):\n%s", diff)
	}
}

// TestLinksOfRecords checks the allowed schemes: endpoints may be WebSockets, and other links may
// have declared schemes.
func TestLinksOfRecords(t *testing.T) {
	const chain = "- slug: x\n  name: X\n  chain_id: x\n  "
	for _, test := range []struct{ field, want string }{
		{"rpc: [{url: 'wss://x.example.org/ws'}, {url: 'ws://x.example.org'}, {url: 'http://x.example.org:8545'}]", ""},
		{"rpc: [{url: 'ftp://x.example.org/'}]", "chains/x.yaml:4:15: error: malformed-link"},
		{"rpc: [{url: 'celo://x.example.org/'}]", "chains/x.yaml:4:15: error: malformed-link"},
		{"rpc: [{url: /rpc}]", "chains/x.yaml:4:15: error: malformed-link"},
		{"rpc: [{url: 'wss://user:pass@x.example.org/'}]", "chains/x.yaml:4:15: error: secret-in-link"},
		{"rpc: [{note: x}]", "chains/x.yaml:4:9: error: missing-field"},
		{"links: [{type: docs, url: 'https://x.example/'}]", ""},
		{"links: [{type: docs, url: 'wss://x.example/'}]", "chains/x.yaml:4:29: error: malformed-link"},
		{"links: [{type: docs, url: 'celo://x'}]", ""},
		{"links: [{type: docs, url: 'javascript:alert(1)'}]", "chains/x.yaml:4:29: error: malformed-link"},
		{"links: [{type: blog, url: 'https://x.example/'}]", "chains/x.yaml:4:18: error: unknown-value"},
		{"website: 'ipfs://x'", "chains/x.yaml:4:12: error: malformed-link"},
	} {
		files := map[string]string{
			"catalog.yaml":  "title: x\ndefault_locale: en\nlocales: [en]\nlink_schemes: [celo]\n",
			"chains/x.yaml": chain + test.field + "\n",
		}
		problems := lines(read(t, with(base(t), files)).Problems)
		if test.want == "" && len(problems) > 0 || test.want != "" && (len(problems) != 1 || !strings.HasPrefix(problems[0], test.want+": ")) {
			t.Errorf("%s\n%q, want %q", test.field, problems, test.want)
		}
	}
}

// TestAliasesInExtra checks that a value shared by aliases is stored once, and that their
// expansion within a record is bounded.
func TestAliasesInExtra(t *testing.T) {
	var records strings.Builder
	records.WriteString("- {slug: a, name: A, chain_id: a, extra: &x {a: " + strings.Repeat("x", 10_000) + "}}\n")
	for i := range 100 {
		fmt.Fprintf(&records, "- {slug: a%d, name: A, chain_id: a%d, extra: *x}\n", i, i)
	}
	got := read(t, map[string]string{"catalog.yaml": "title: x\ndefault_locale: en\nlocales: [en]\n", "chains.yaml": records.String()}).Catalog.Chains
	if len(got) != 101 || unsafe.StringData(string(got[1].Extra)) != unsafe.StringData(string(got[100].Extra)) {
		t.Errorf("%d chains, each with a copy", len(got))
	}
	wide := "- {slug: a, name: A, chain_id: a, extra: {x: &x " + strings.Repeat("x", 10_000) + ", y: [" + strings.Repeat("*x, ", 2000) + "]}}\n"
	problems := lines(read(t, map[string]string{"catalog.yaml": "title: x\ndefault_locale: en\nlocales: [en]\n", "chains.yaml": wide}).Problems)
	if want := "chains.yaml:1:42: error: too-long: this has far more than 16384 bytes, the limit; shorten it"; !slices.Contains(problems, want) {
		t.Errorf("problems %q, want %q", problems, want)
	}
}
