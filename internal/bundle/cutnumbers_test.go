package bundle

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNumbersWithCommas checks that a number with commas is one problem, wherever YAML cuts it.
func TestNumbersWithCommas(t *testing.T) {
	const cut = `error: wrong-type: the number "3,602,125" is cut at its commas; numbers have no commas: write 3602125`
	for _, tt := range []struct{ fields, want string }{
		{`platforms: {value: 3,602,125, source: s, as_of: 2026-01-01}`, "chains/x.yaml:1:56: " + cut},
		{`platforms: {source: s, as_of: 2026-01-01, value: 3,602,125}`, "chains/x.yaml:1:86: " + cut},
		{`platforms: 3,602,125`, "chains/x.yaml:1:48: " + cut},
		{`platforms: 1,000,000`, `chains/x.yaml:1:48: error: wrong-type: the number "1,000,000" is cut at its commas; numbers have no commas: write 1000000`},
		{`llama_tvl: 1,234.5`, `chains/x.yaml:1:48: error: wrong-type: the number "1,234.5" is cut at its commas; numbers have no commas: write 1234.5`},
		{`platforms: 3, 60`, `chains/x.yaml:1:51: error: unknown-field: there is no field "60" here; remove it, or use one of: slug, name, chain_id, id, logo, description, categories, llama_tvl, platforms, aliases, launched, status, status_since, status_note, successor, website, links, rpc, native_currency, parent, former, sources, extra`},
	} {
		got := lines(read(t, with(base(t), map[string]string{"chains/x.yaml": `[{slug: x, name: X, chain_id: 7777, ` + tt.fields + `}]`})).Problems)
		if diff := cmp.Diff([]string{tt.want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.fields, diff)
		}
	}
}
