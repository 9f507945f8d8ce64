package domain

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
)

// StableID returns the chain's id: the written one, or one derived only from its slug. So it is
// stable across imports and the same on every machine (docs/identity.md#ids).
func (c Chain) StableID() string {
	if c.ID != "" {
		return c.ID
	}
	return deriveID("chain", c.Slug)
}

// WithIDs returns a copy of the menu in which every group, item and card has an id: the written
// one, or one derived from its place by slugs and links. Positions have no effect, so that ids
// are stable when neighbours are added, removed or moved. Repeated item slugs in a group, and
// repeated links in an item, are numbered, skipping ids in use. A number changes when a neighbour
// with the same slug or link is removed: [KeepIDs] preserves it. The copy shares texts and lists
// of strings with m, which is not modified.
func (m Menu) WithIDs() Menu {
	m.Groups = slices.Clone(m.Groups)
	for i := range m.Groups {
		g := &m.Groups[i]
		g.Items = itemsWithIDs(g.Items, m.PathSlug, g.Slug)
		if g.ID == "" {
			g.ID = deriveID("menu-group", m.PathSlug, g.Slug)
		}
	}
	m.Standalone = itemsWithIDs(m.Standalone, m.PathSlug, "") // no group has the slug ""
	return m
}

func itemsWithIDs(items []Item, menu, group string) []Item {
	items = slices.Clone(items)
	given := givenIDs(items, func(it Item) string { return it.ID })
	next := make(map[string]int)
	for i := range items {
		it := &items[i]
		nth := next[it.Slug]
		if it.ID == "" {
			it.ID, nth = freeID(given, nth, func(nth string) string { return itemID(menu, group, it.Slug, nth) })
		}
		next[it.Slug] = nth + 1
		it.Cards = cardsWithIDs(it.Cards, menu, group, it.Slug, strconv.Itoa(nth))
	}
	return items
}

func cardsWithIDs(cards []Card, menu, group, item, nthItem string) []Card {
	cards = slices.Clone(cards)
	given := givenIDs(cards, func(c Card) string { return c.ID })
	next := make(map[string]int)
	for i := range cards {
		c := &cards[i]
		nth := next[c.Link]
		if c.ID == "" {
			c.ID, nth = freeID(given, nth, func(nth string) string { return cardID(menu, group, item, nthItem, c.Link, nth) })
		}
		next[c.Link] = nth + 1
	}
	return cards
}

func givenIDs[T any](list []T, id func(T) string) map[string]bool {
	given := map[string]bool{}
	for _, v := range list {
		if id := id(v); id != "" {
			given[id] = true
		}
	}
	return given
}

// freeID returns the first derived id, from the nth on, that is not in use.
func freeID(given map[string]bool, nth int, derive func(nth string) string) (string, int) {
	for {
		id := derive(strconv.Itoa(nth))
		if !given[id] {
			return id, nth
		}
		nth++
	}
}

func itemID(menu, group, item, nth string) string {
	return deriveID("item", menu, group, item, nth)
}

func cardID(menu, group, item, nthItem, link, nth string) string {
	return deriveID("card", menu, group, item, nthItem, link, nth)
}

const derivedIDLength = 24 // characters

// deriveID returns 24 lower-case hexadecimal digits of a SHA-256 over the kind and the parts.
// Clients store such ids, so it must never change.
func deriveID(kind string, parts ...string) string {
	text := []byte("vitrine/" + kind)
	for _, part := range parts {
		text = append(text, 0) // a separator: no valid key or link has a NUL
		text = append(text, part...)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:derivedIDLength/2])
}
