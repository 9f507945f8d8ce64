package snapshot

import (
	"cmp"
	"slices"

	"vitrine/internal/domain"
)

// Prominence orders the records of a kind within a class of relevance of a search over
// everything, the better-known first (docs/api.md#prominence). It depends on what is
// published alone.

// byProminence orders chains by TVL, platforms, then the number of chains that have a chain
// for a parent, then slug.
func (c *chains) byProminence() order {
	return newOrder(slices.Clone(c.byKey), len(c.records), func(a, b uint32) int {
		x, y := c.records[a], c.records[b]
		return cmp.Or(
			compareFigures(x.TVL, y.TVL),
			compareFigures(x.Platforms, y.Platforms),
			cmp.Compare(len(c.children[y.Slug]), len(c.children[x.Slug])),
			cmp.Compare(x.Slug, y.Slug),
		)
	})
}

// compareFigures orders figures descending, those that are not known last.
func compareFigures(a, b *domain.Figure) int {
	switch {
	case a == nil || b == nil:
		return compareBool(a == nil, b == nil)
	}
	return cmp.Compare(b.Value, a.Value)
}

// byProminence orders apps by the best place that editors gave their cards in an item, then
// by how many cards, chains and platforms they have, then key. Apps without a card come last.
func (a *apps) byProminence(c *cards) order {
	places := c.placesInItems()
	best := func(key string) int {
		least := len(c.records)
		for _, card := range a.places[key] {
			least = min(least, places[card])
		}
		return least
	}
	bests := make([]int, len(a.records))
	for _, number := range a.byKey {
		bests[number] = best(a.records[number].Key)
	}
	return newOrder(slices.Clone(a.byKey), len(a.records), func(n, m uint32) int {
		x, y := a.records[n], a.records[m]
		return cmp.Or(
			cmp.Compare(bests[n], bests[m]),
			cmp.Compare(len(a.places[y.Key]), len(a.places[x.Key])),
			cmp.Compare(len(y.Chains), len(x.Chains)),
			cmp.Compare(len(y.Platforms), len(x.Platforms)),
			cmp.Compare(x.Key, y.Key),
		)
	})
}

// placesInItems returns where each card stands in its item, from 0.
func (c *cards) placesInItems() map[*card]int {
	type item struct{ menu, slug string }
	count, places := map[item]int{}, make(map[*card]int, len(c.byKey))
	for _, number := range c.byMenu.numbers {
		card := c.records[number]
		of := item{card.menu, card.item}
		places[card] = count[of]
		count[of]++
	}
	return places
}
