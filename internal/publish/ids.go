package publish

import (
	"context"
	"fmt"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// earlierIDs returns the `_id`s, by slug, of the chains that records of c name as
// former and that were removed before the head. What was pruned is not known.
func earlierIDs(ctx context.Context, s Store, head, c *domain.Catalog) (map[string]string, error) {
	present := make(map[string]bool, len(head.Chains))
	for i := range head.Chains {
		present[head.Chains[i].Slug] = true
	}
	var earlier map[string]string
	for i := range c.Chains {
		chain := &c.Chains[i]
		if chain.ID != "" || present[chain.Slug] {
			continue
		}
		for _, slug := range chain.Former {
			if present[slug] {
				continue
			}
			id, err := lastID(ctx, s, slug)
			if err != nil {
				return nil, err
			}
			if id == "" {
				continue
			}
			if earlier == nil {
				earlier = map[string]string{}
			}
			earlier[slug] = id
		}
	}
	return earlier, nil
}

// lastID returns the `_id` of the last version of a chain, "" if there is none.
func lastID(ctx context.Context, s Store, slug string) (string, error) {
	versions, err := s.Versions(ctx, domain.KindChain, slug, 0)
	if err != nil {
		return "", err
	}
	for _, v := range versions {
		if v.Row.Body == nil {
			continue
		}
		record, err := store.Record(v.Row)
		if err != nil {
			return "", err
		}
		return record.(*domain.Chain).StableID(), nil
	}
	return "", nil
}

// newIDNotes says which chains do not get the ids of their slugs.
func newIDNotes(denied []domain.NewID) []string {
	var notes []string
	for _, d := range denied {
		notes = append(notes, fmt.Sprintf(
			"chain %s gets the _id %s, because %s, derived from its slug, belongs or belonged to chain %s; if they are the same chain, write `id: %s`",
			d.Chain, d.ID, d.Derived, d.Owner, d.Derived))
	}
	return notes
}

// TakenIdentityNotes says which chains readers who know them by their slug or `_id` find
// changed into other ones, of a catalogue that is to be published where another is served.
func TakenIdentityNotes(head, c *domain.Catalog) []string {
	var notes []string
	for _, t := range domain.TakenIdentities(head, c) {
		if t.Moved {
			notes = append(notes, fmt.Sprintf("chain %s has the %s of chain %s and gets its _id %s; readers who know %s by its slug find the other chain",
				t.Chain, t.What, t.Was, t.ID, t.Chain))
			continue
		}
		notes = append(notes, fmt.Sprintf("chain %s has the %s of chain %s and keeps the _id %s; readers who know it by that find another chain; if the two were swapped, write the `id` of each",
			t.Chain, t.What, t.Was, t.ID))
	}
	return notes
}

// takenAddressNotes says which new records take the address under which another
// record answered as a former one.
func takenAddressNotes(head, c *domain.Catalog) []string {
	var notes []string
	for _, t := range domain.TakenAddresses(head, c) {
		notes = append(notes, fmt.Sprintf("%s %s now answers at an address that led to %s under a former name",
			t.Noun, t.Key, t.Owner))
	}
	return notes
}
