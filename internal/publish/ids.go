package publish

import (
	"context"
	"fmt"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// removedChains returns the chains that were removed before the head, of the slugs that
// new chains of c have or name as former. Pruned ones are unknown.
func removedChains(ctx context.Context, s store.Store, head, c *domain.Catalog) (domain.Earlier, error) {
	present := make(map[string]bool, len(head.Chains))
	for i := range head.Chains {
		present[head.Chains[i].Slug] = true
	}
	earlier := domain.Earlier{}
	for i := range c.Chains {
		chain := &c.Chains[i]
		if chain.ID != "" || present[chain.Slug] {
			continue
		}
		for _, slug := range append([]string{chain.Slug}, chain.Former...) {
			if present[slug] || earlier[slug] != nil {
				continue
			}
			removed, err := lastChains(ctx, s, slug)
			if err != nil {
				return nil, err
			}
			earlier[slug] = removed
		}
	}
	return earlier, nil
}

// lastChains returns the last version of a chain with each `_id` that it had, the newest
// first.
func lastChains(ctx context.Context, s store.Store, slug string) ([]*domain.Chain, error) {
	versions, err := s.Versions(ctx, domain.KindChain, slug, 0)
	if err != nil {
		return nil, err
	}
	var last []*domain.Chain
	seen := map[string]bool{}
	for _, v := range versions {
		if v.Row.Body == nil {
			continue
		}
		record, err := v.Row.Record()
		if err != nil {
			return nil, err
		}
		chain := record.(*domain.Chain)
		if id := chain.StableID(); !seen[id] {
			seen[id] = true
			last = append(last, chain)
		}
	}
	return last, nil
}

// newIDNotes returns a note for each chain that does not get the id of its slug.
func newIDNotes(denied []domain.NewID) []string {
	var notes []string
	for _, d := range denied {
		owner := "chain " + d.Owner
		if d.Owner == d.Chain {
			owner = "a removed chain of that slug with another chain id and name"
		}
		notes = append(notes, fmt.Sprintf(
			"chain %s gets the _id %s, because %s, derived from its slug, belongs or belonged to %s; if they are the same chain, write `id: %s`",
			d.Chain, d.ID, d.Derived, owner, d.Derived))
	}
	return notes
}

// TakenIdentityNotes returns a note for each chain in c that readers of head would take for another
// one, by its slug or `_id`.
func TakenIdentityNotes(head, c *domain.Catalog) []string {
	var notes []string
	named := map[string]bool{}
	for _, t := range domain.TakenIdentities(head, c) {
		named[t.Chain] = true
		if t.Moved {
			notes = append(notes, fmt.Sprintf("chain %s has the %s of chain %s and gets its _id %s; readers who know %s by its slug find the other chain",
				t.Chain, t.What, t.Was, t.ID, t.Chain))
			continue
		}
		notes = append(notes, fmt.Sprintf("chain %s has the %s of chain %s and keeps the _id %s; readers who know it by that find another chain; if the two were swapped, write the `id` of each",
			t.Chain, t.What, t.Was, t.ID))
	}
	for _, slug := range domain.ReplacedChains(head, c) {
		if !named[slug] {
			notes = append(notes, fmt.Sprintf("chain %s has another chain id and another name than before and keeps its _id; if it is another chain, write a new `id`", slug))
		}
	}
	return notes
}

// takenAddressNotes returns notes on new records with the address under which another
// record answered as a former one.
func takenAddressNotes(delta *domain.Delta) []string {
	var notes []string
	for _, t := range delta.TakenAddresses() {
		notes = append(notes, fmt.Sprintf("%s %s now answers at an address that led to %s under a former name",
			t.Noun, t.Key, t.Owner))
	}
	return notes
}
