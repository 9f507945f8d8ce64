package bundle_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
)

const amendable = `# Chains.
- slug: one # the first
  name: One
  # an id
  chain_id: 1
  website: https://old.example
  rpc:
    - url: https://a.example
    - {url: https://b.example, note: mine}

  # about the note
  status_note: none

- name: Two
  slug: two
  chain_id: 2
  rpc:
    - url: https://two.example # ours

- {slug: three, name: Three, chain_id: 3}
- slug: four
  name: Four
  chain_id: 4
`

func chainOf(slug, id string) domain.Chain {
	return domain.Chain{
		Slug: slug, Name: domain.Text{{Locale: "en", Value: slug}}, ChainID: id, Website: "https://new.example",
		RPC: []domain.Endpoint{{URL: "https://new.example"}}, Currency: &domain.Currency{Name: "Coin", Symbol: "C", Decimals: 18},
	}
}

func TestAmendChainsYAML(t *testing.T) {
	edits, refused := bundle.AmendChains("chains.yaml", []byte(amendable), "en", []bundle.Amendment{
		{Fields: []string{"website", "rpc", "native_currency"}, Chain: chainOf("one", "1")},
		{Fields: []string{"rpc"}, Chain: chainOf("two", "2")},
		{Fields: []string{"website"}, Chain: chainOf("three", "3")},
		{Fields: []string{"website", "native_currency"}, Chain: chainOf("four", "4")},
		{Fields: []string{"website"}, Chain: chainOf("five", "5")},
	})
	want := strings.NewReplacer("https://old.example", `"https://new.example"`, `    - url: https://a.example
    - {url: https://b.example, note: mine}
`, `    - url: "https://new.example"
  native_currency:
    name: Coin
    symbol: C
    decimals: 18
`, "  chain_id: 4\n", `  chain_id: 4
  website: "https://new.example"
  native_currency:
    name: Coin
    symbol: C
    decimals: 18
`).Replace(amendable)
	if diff := cmp.Diff(want, string(bundle.ApplyEdits([]byte(amendable), edits))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for slug, reason := range map[string]string{"two": "has a comment", "three": "not on lines of their own", "five": "does not have the record"} {
		if err := refused[slug]; err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v, want %s", slug, err, reason)
		}
	}
	if len(refused) != 3 {
		t.Errorf("refused %v", refused)
	}
}

func TestAmendChainsLines(t *testing.T) {
	const data = `{"slug": "one", "name": "one", "chain_id": 1}` + "\n\n" + `{"slug": "two", "name": {"en": "two"}, "chain_id":2, "website": "https://old.example","extra":{"a":1.0} }`
	two := chainOf("two", "2")
	edits, refused := bundle.AmendChains("chains/evm.ndjson", []byte(data), "en", []bundle.Amendment{{Fields: []string{"website", "rpc"}, Chain: two}})
	want := `{"slug": "one", "name": "one", "chain_id": 1}` + "\n\n" +
		`{"slug": "two", "name": {"en": "two"}, "chain_id":2, "website": "https://new.example","rpc":[{"url":"https://new.example"}],"extra":{"a":1.0} }` + "\n"
	if diff := cmp.Diff(want, string(bundle.ApplyEdits([]byte(data), edits))); diff != "" || len(refused) > 0 {
		t.Errorf("refused %v (-want +got):\n%s", refused, diff)
	}
	if _, refused := bundle.AmendChains("chains.json", nil, "en", []bundle.Amendment{{Chain: chainOf("one", "1")}}); refused["one"] == nil {
		t.Error("a .json file is edited")
	}
	if edits, refused := bundle.AmendChains("chains.yaml", []byte("- slug: one\n  name: One"), "en", []bundle.Amendment{{Fields: []string{"website"}, Chain: chainOf("one", "1")}}); edits != nil || refused["one"] == nil {
		t.Errorf("a file without a last line feed: %v, %v", edits, refused)
	}
}

// TestAmendChainsRemoves checks that items and fields are removed, and that everything else stays.
func TestAmendChainsRemoves(t *testing.T) {
	const yaml = `- slug: one
  name: One
  rpc: # ours
    # the first
    - url: https://a.example # dead
    - {url: https://b.example, note: "mine"}

    # the last
    - url: https://c.example
      note: theirs
  chain_id: 1
- slug: two
  name: Two
  rpc:
    - url: https://a.example
  chain_id: 2
- slug: three
  chain_id: 3
  rpc: [{url: https://a.example}, {url: https://b.example}]
`
	chain := func(slug string, rpc ...domain.Endpoint) bundle.Amendment {
		c := chainOf(slug, "1")
		c.RPC = rpc
		return bundle.Amendment{Fields: []string{"rpc"}, Chain: c}
	}
	b, c := domain.Endpoint{URL: "https://b.example", Note: "mine"}, domain.Endpoint{URL: "https://c.example", Note: "theirs"}
	apply := func(name, data, want string, amendments ...bundle.Amendment) {
		t.Helper()
		edits, refused := bundle.AmendChains(name, []byte(data), "en", amendments)
		if diff := cmp.Diff(want, string(bundle.ApplyEdits([]byte(data), edits))); diff != "" || len(refused) > 0 {
			t.Errorf("refused %v (-want +got):\n%s", refused, diff)
		}
	}
	apply("chains.yaml", yaml, strings.NewReplacer(
		"    - url: https://a.example # dead\n", "", "  rpc:\n    - url: https://a.example\n", "",
		"  rpc: [{url: https://a.example}, {url: https://b.example}]\n", "  rpc:\n    - url: \"https://b.example\"\n",
	).Replace(yaml), chain("one", b, c), chain("two"), chain("three", domain.Endpoint{URL: "https://b.example"}))
	apply("chains.yaml", yaml, strings.Replace(yaml, "    - {url: https://b.example, note: \"mine\"}\n", "", 1),
		chain("one", domain.Endpoint{URL: "https://a.example"}, c))
	apply("chains.yaml", yaml, strings.Replace(yaml, "    - url: https://c.example\n      note: theirs\n", "", 1),
		chain("one", domain.Endpoint{URL: "https://a.example"}, b))

	const lines = `{"slug":"one", "rpc":[{"url":"https://a.example"},{"url":"https://b.example"}], "chain_id":1}` + "\n" +
		`{"slug":"two", "rpc": [{"url":"https://a.example"}], "chain_id":2}` + "\n"
	apply("chains.ndjson", lines, strings.NewReplacer(`{"url":"https://a.example"},`, "", `, "rpc": [{"url":"https://a.example"}]`, "").Replace(lines),
		chain("one", domain.Endpoint{URL: "https://b.example"}), chain("two"))
}
