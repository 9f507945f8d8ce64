package domaintest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

// TestComplete checks that a completed catalogue has all fields, and keeps existing values.
func TestComplete(t *testing.T) {
	chains := func() *domain.Catalog {
		return &domain.Catalog{
			DefaultLocale: "en", Locales: []string{"en"}, Categories: []domain.Category{{Key: "k", Scopes: domain.Modules()}},
			Chains: []domain.Chain{{Slug: "a", ChainID: "1", Launched: "2015-07-30"}, {Slug: "b", Website: "https://example.org/"}},
		}
	}
	c, again := chains(), chains()
	Complete(c)
	Complete(again)
	if diff := cmp.Diff(c, again); diff != "" {
		t.Errorf("it is not the same each time:\n%s", diff)
	}
	a, b := c.Chains[0], c.Chains[1]
	if a.Launched != "2015-07-30" || a.Website != "" || b.Website != "https://example.org/" || b.Launched != "" {
		t.Errorf("fields that a record has are changed: %+v, %+v", a, b)
	}
	for _, f := range domain.Describe(domain.KindChain).Shape.Fields {
		if f.IsEmpty(&a) && f.IsEmpty(&b) && f.Implied == "" {
			t.Errorf("no chain has %s", f.Name)
		}
	}
}
