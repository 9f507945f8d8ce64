package quality_test

import (
	"testing"

	"vitrine/internal/domain"
)

// judgedQueries has queries as people and programs type them, each with the one record
// that it ought to find first (catalog/README.md#what-people-look-for).
const judgedQueries = "testdata/judged.json"

type wantedRecord struct {
	Query string `json:"q"`
	Kind  string `json:"kind"` // chain, user, channel, card, menu or category
	Key   string `json:"key"`  // of a card: path slug, slug of the item and link, with slashes between
}

func TestJudgedRecordsExist(t *testing.T) {
	var all []wantedRecord
	decodeFile(t, judgedQueries, &all)
	if len(all) < 100 {
		t.Errorf("%d queries, want 100 and more", len(all))
	}
	known := wantedKeys(readBundled(t).Catalog)
	seen := map[string]bool{}
	for _, j := range all {
		if !known[j.Kind][j.Key] {
			t.Errorf("%q wants %s %q, which is not there", j.Query, j.Kind, j.Key)
		}
		if seen[j.Query] {
			t.Errorf("%q stands there twice", j.Query)
		}
		seen[j.Query] = true
	}
}

// wantedKeys returns the keys that judgements may name, by kind.
func wantedKeys(c *domain.Catalog) map[string]map[string]bool {
	known := map[string]map[string]bool{"chain": {}, "user": {}, "channel": {}, "card": {}, "menu": {}, "category": {}}
	for _, ch := range c.Chains {
		known["chain"][ch.Slug] = true
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
