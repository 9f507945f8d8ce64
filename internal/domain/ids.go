package domain

import (
	"crypto/sha256"
	"encoding/hex"
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
	m = m.clone()
	for i := range m.Groups {
		if g := &m.Groups[i]; g.ID == "" {
			g.ID = deriveID("menu-group", m.PathSlug, g.Slug)
		}
	}
	for group, items := range m.itemLists() { // no group has the slug ""
		numbers := giveIDs(items, itemIdentity, func(slug, nth string) string { return deriveID("item", m.PathSlug, group, slug, nth) })
		for i, item := range items {
			giveIDs(item.Cards, cardIdentity, func(link, nth string) string {
				return deriveID("card", m.PathSlug, group, item.Slug, strconv.Itoa(numbers[i]), link, nth)
			})
		}
	}
	return m
}

// itemIdentity returns the id of an item, and the name that its id derives from.
func itemIdentity(it *Item) (id *string, name string) { return &it.ID, it.Slug }

// cardIdentity is [itemIdentity] for cards.
func cardIdentity(c *Card) (id *string, name string) { return &c.ID, c.Link }

// giveIDs gives ids to the items or cards of a list that have none. It returns the number of each
// among those of its name.
func giveIDs[T any](parts []T, identity func(*T) (id *string, name string), derive func(name, nth string) string) []int {
	given := map[string]bool{}
	for i := range parts {
		if id, _ := identity(&parts[i]); *id != "" {
			given[*id] = true
		}
	}
	next, numbers := map[string]int{}, make([]int, len(parts))
	for i := range parts {
		id, name := identity(&parts[i])
		nth := next[name]
		if *id == "" {
			*id, nth = freeID(given, nth, func(nth string) string { return derive(name, nth) })
		}
		next[name], numbers[i] = nth+1, nth
	}
	return numbers
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
