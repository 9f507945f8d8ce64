package operations_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

// threeChains returns three chains in descending order of TVL. The first is retired.
func threeChains() *domain.Catalog {
	c := &domain.Catalog{DefaultLocale: "en", Locales: []string{"en"}, Title: text("en", "All")}
	for i, slug := range []string{"alpha", "beta", "gamma"} {
		c.Chains = append(c.Chains, domain.Chain{
			Slug: slug, Name: text("en", slug), ChainID: slug, TVL: &domain.Figure{Value: float64(9 - i)},
		})
	}
	c.Chains[0].Status = domain.StatusRetired
	return c
}

// TestSearchWithoutATermHasTheOrderOfTheLists checks that without a search term, records that
// come last in a class of relevance keep their place, as in the lists.
func TestSearchWithoutATermHasTheOrderOfTheLists(t *testing.T) {
	for q, want := range map[string][]string{
		"%40":   {"alpha", "beta", "gamma"},
		"gamma": {"gamma"},
		"a":     {"alpha"},
	} {
		var found struct{ Results []struct{ Key string } }
		if err := json.Unmarshal([]byte(fetch(t, serveCatalog(t, threeChains()), "/api/open/search?q="+q).body), &found); err != nil {
			t.Fatal(err)
		}
		var keys []string
		for _, result := range found.Results {
			keys = append(keys, result.Key)
		}
		if diff := cmp.Diff(want, keys); diff != "" {
			t.Errorf("q=%s (-want +got):\n%s", q, diff)
		}
	}
}

// TestCandidatesOfNoName checks that a name without letters and digits has no candidates.
func TestCandidatesOfNoName(t *testing.T) {
	for name, want := range map[string][]string{"-": nil, "_-_": nil, "@": nil, "alpah": {"alpha"}, "gam": {"gamma"}} {
		var problem struct{ Candidates []string }
		if err := json.Unmarshal([]byte(fetch(t, serveCatalog(t, threeChains()), "/api/open/chains/"+name).body), &problem); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, problem.Candidates); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
