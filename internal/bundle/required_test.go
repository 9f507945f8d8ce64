package bundle

import (
	"slices"
	"testing"

	"vitrine/internal/domain"
)

// TestRequiredFieldsHavePlaces checks that a missing required field is reported at its record in
// every format, for every type of field.
func TestRequiredFieldsHavePlaces(t *testing.T) {
	chain := domain.Describe(domain.KindChain).Shape
	for _, name := range []string{
		"id", "logo", "description", "categories", "llama_tvl", "platforms", "aliases", "launched", "status_since", "status_note", "successor",
		"website", "links", "rpc", "native_currency", "parent", "former", "extra",
	} {
		t.Run(name, func(t *testing.T) {
			requireField(t, chain.Field(name))
			var got []string
			for _, p := range read(t, with(base(t), map[string]string{"chains/c.yaml": "# comment\n- slug: c\n  name: C\n  chain_id: c-1\n"})).Problems {
				if p.Rule == domain.RuleMissingField && p.Message == name+" is missing or empty" {
					got = append(got, places([]Problem{p})...)
				}
			}
			want := []string{"chains.ndjson:1:1 missing-field", "chains.ndjson:2:1 missing-field", "chains/c.yaml:2:3 missing-field", "chains/more.json:2:3 missing-field"}
			got = slices.DeleteFunc(got, func(p string) bool { return !slices.Contains(want, p) })
			switch name {
			case "categories": // Ethereum has some
				want = want[1:]
			case "llama_tvl": // Optimism has one
				want = slices.Delete(want, 1, 2)
			}
			if !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// TestRequiredNumbersHavePlaces checks that the decoder reports missing numbers, because 0 is a
// value.
func TestRequiredNumbersHavePlaces(t *testing.T) {
	requireField(t, domain.Describe(domain.KindCategory).Shape.Field("priority"))
	got := places(read(t, base(t)).Problems)
	if want := []string{"categories.yaml:6:5 missing-field", "categories.yaml:10:5 missing-field"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func requireField(t *testing.T, f *domain.Field) {
	before := f.Required
	t.Cleanup(func() { f.Required = before })
	f.Required = true
}
