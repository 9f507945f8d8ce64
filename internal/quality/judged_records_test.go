package quality_test

import (
	"testing"

	"vitrine/internal/domain"
)

func TestJudgedRecordsExist(t *testing.T) {
	known := wantedKeys(readBundled(t).Catalog)
	seen := map[string]bool{}
	for _, set := range judgedSets {
		for _, j := range readJudged(t, set.file) {
			if len(j.Want) == 0 {
				t.Errorf("%q has no wanted record", j.Query)
			}
			for _, w := range j.Want {
				if !known[w.Kind][w.Key] {
					t.Errorf("%q wants %s %q, which does not exist", j.Query, w.Kind, w.Key)
				}
			}
			if seen[j.Query] {
				t.Errorf("%q is there twice", j.Query)
			}
			seen[j.Query] = true
		}
	}
	if len(seen) < 300 {
		t.Errorf("%d queries, want 300 and more", len(seen))
	}
}

// wantedKeys returns the keys that judgements may name, by kind.
func wantedKeys(c *domain.Catalog) map[string]map[string]bool {
	known := map[string]map[string]bool{"chain": {}, "app": {}, "user": {}, "channel": {}, "card": {}, "menu": {}, "category": {}}
	for _, ch := range c.Chains {
		known["chain"][ch.Slug] = true
	}
	for _, a := range c.Apps {
		known["app"][a.Key] = true
	}
	for _, a := range c.Accounts {
		known["user"][a.Handle] = true
	}
	for _, ch := range c.Channels {
		known["channel"][ch.ChannelID] = true
	}
	for _, cat := range c.Categories {
		known["category"][cat.Key] = true
	}
	for _, m := range menusOf(c) {
		known["menu"][m.PathSlug] = true
		for _, it := range itemsOf(m) {
			for _, card := range it.Cards {
				known["card"][m.PathSlug+"/"+it.Slug+"/"+card.Link] = true
			}
		}
	}
	return known
}
