package bundle

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

func TestRecord(t *testing.T) {
	d := read(t, base(t))
	c := d.Catalog
	c.Chains = []domain.Chain{{
		Slug: "one", Name: domain.Text{{Locale: c.DefaultLocale, Value: "One: 1"}}, ChainID: "1",
		TVL: &domain.Figure{Value: 1.5, Source: "s", AsOf: "2026-01-02"}, Platforms: &domain.Figure{Value: 3},
	}}
	c.NavGroups = []domain.NavGroup{{Key: "k", Slug: "k", Menus: []string{"m"}}}
	for _, tt := range []struct {
		kind       domain.Kind
		yaml, json string
	}{
		{
			domain.KindChain,
			"slug: one\nname: \"One: 1\"\nchain_id: \"1\"\nllama_tvl:\n  value: 1.5\n  source: s\n  as_of: \"2026-01-02\"\nplatforms: 3\n",
			`{"slug":"one","name":"One: 1","chain_id":"1","llama_tvl":{"value":1.5,"source":"s","as_of":"2026-01-02"},"platforms":3}` + "\n",
		},
		{domain.KindNavGroup, "key: k\nmenus: [m]\n", `{"key":"k","menus":["m"]}` + "\n"},
	} {
		asYAML, err := RecordYAML(c, tt.kind, 0)
		if err != nil {
			t.Fatal(err)
		}
		asJSON, err := RecordJSON(c, tt.kind, 0)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{tt.yaml, tt.json}, []string{string(asYAML), string(asJSON)}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.kind, diff)
		}
	}
	for _, kind := range []domain.Kind{
		domain.KindCatalog, domain.KindGroup, domain.KindCategory, domain.KindAccount, domain.KindChannel, domain.KindMenu,
	} {
		if text, err := RecordYAML(c, kind, 0); err != nil || len(text) == 0 {
			t.Errorf("%s: %q, %v", kind, text, err)
		}
	}
	for _, index := range []int{-1, 1} {
		if text, err := RecordJSON(c, domain.KindChain, index); err == nil {
			t.Errorf("chain %d is %q; want an error", index, text)
		}
	}
	if text, err := RecordYAML(c, "stamps", 0); err == nil {
		t.Errorf("stamps are %q; want an error", text)
	}
}
