package quality_test

import (
	"path/filepath"
	"slices"
	"testing"

	"vitrine/internal/domain"
)

// unclearFile has the reasons why chains lack a layer or a stack.
var unclearFile = filepath.FromSlash("../../catalog/.import/unclear.json")

type unclearChain struct {
	Slug  string `json:"slug"`
	Group string `json:"group"` // the question that is left open
	Why   string `json:"why"`
}

// Every mainnet with a TVL has a layer, and every layer above another chain a stack, or a
// reason for its absence.
func TestChainsWithTVLAreClassified(t *testing.T) {
	c := readBundled(t).Catalog
	var reviewed []unclearChain
	decodeFile(t, unclearFile, &reviewed)
	needed := map[[2]string]bool{}
	for _, u := range reviewed {
		key := [2]string{u.Slug, u.Group}
		if _, twice := needed[key]; twice || u.Why == "" {
			t.Errorf("%s of %s is listed twice or has no why", u.Group, u.Slug)
		}
		needed[key] = false
	}
	groups := groupsOf(c, domain.ModuleChain)
	for _, ch := range c.Chains {
		answers := answersOf(ch, groups)
		if ch.TVL == nil || slices.Contains(answers["chain_network"], "testnet") {
			continue
		}
		above := slices.ContainsFunc(answers["chain_layer"], func(key string) bool { return slices.Contains(settling, key) })
		for group, asked := range map[string]bool{"chain_layer": true, "chain_stack": above} {
			key := [2]string{ch.Slug, group}
			_, said := needed[key]
			switch {
			case !asked || answers[group] != nil:
			case said:
				needed[key] = true
			default:
				t.Errorf("%s has a TVL and no %s: add it to categories.json or other.yaml, or the reason to unclear.json", ch.Slug, group)
			}
		}
	}
	for key, used := range needed {
		if !used {
			t.Errorf("unclear.json has %s of %s, which is clear or not asked", key[1], key[0])
		}
	}
}
