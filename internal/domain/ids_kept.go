package domain

import (
	"slices"
	"strconv"
)

// KeepIDs returns what is to be published of new where old is served: new
// itself or, where derived ids would move among items of one slug or cards of one
// link, a copy that has them written down.
//
// Alone, such an item or card is known by its slug or link, and whatever else
// changes in it, its id stays. Among several it is the one that has the same
// name or title in the default locale; those that are left then are taken for
// renamed, in their order. Ids cannot be derived so: what remains when one of
// two goes reads the same, whichever it was. So it takes a look at what was
// there before, and a catalogue that is published to an empty store has the ids
// of [Menu.WithIDs] again, unless they are written in it, as an export does.
//
// What editors wrote stays, and an id that they wrote and took away goes. Neither
// argument is changed; the result shares what it can with new. A nil old is an
// empty one.
func KeepIDs(old, new *Catalog) *Catalog {
	if old == nil {
		return new
	}
	before := make(map[string]*Menu, len(old.Menus))
	for i := range old.Menus {
		before[old.Menus[i].PathSlug] = &old.Menus[i]
	}
	kept := *new
	oldApps, newApps := old.AppsByKey(), new.AppsByKey()
	for i, written := range new.Menus {
		was, ok := before[written.PathSlug]
		if !ok {
			continue
		}
		k := idKeeper{menu: written.PathSlug, locale: []string{new.DefaultLocale}}
		m := k.keep(was.Complete(oldApps), written.Complete(newApps))
		if !k.changed || !uniqueIDs(m.WithIDs()) { // rather a moved id than two of one
			continue
		}
		if &kept.Menus[0] == &new.Menus[0] {
			kept.Menus = slices.Clone(new.Menus)
		}
		kept.Menus[i] = written.withIDsOf(m)
	}
	return &kept
}

// withIDsOf returns a copy of the menu with the ids of another one, which has the
// same items and cards at the same places.
func (m Menu) withIDsOf(other Menu) Menu {
	items := func(items, others []Item) []Item {
		items = slices.Clone(items)
		for i := range items {
			items[i].ID = others[i].ID
			items[i].Cards = slices.Clone(items[i].Cards)
			for j := range items[i].Cards {
				items[i].Cards[j].ID = others[i].Cards[j].ID
			}
		}
		return items
	}
	m.Groups = slices.Clone(m.Groups)
	for i := range m.Groups {
		m.Groups[i].Items = items(m.Groups[i].Items, other.Groups[i].Items)
	}
	m.Standalone = items(m.Standalone, other.Standalone)
	return m
}

// idKeeper keeps the ids of one menu.
type idKeeper struct {
	menu    string
	locale  []string
	changed bool
	// Of a slug or link of which an id was written down, all are, with the cards of
	// such items: they would be others at the next look. These have none yet.
	items map[*Item]bool
	cards map[*Card]bool
}

// keep returns m with ids of was written down where they would move.
func (k *idKeeper) keep(was, m Menu) Menu {
	had, derived := was.WithIDs(), m.WithIDs()
	groups := make(map[string]int, len(was.Groups))
	for i, g := range was.Groups {
		groups[g.Slug] = i
	}
	k.items, k.cards = map[*Item]bool{}, map[*Card]bool{}
	m.Groups = slices.Clone(m.Groups)
	for i := range m.Groups {
		g := &m.Groups[i]
		if at, ok := groups[g.Slug]; ok {
			g.Items = k.keepItems(was.Groups[at].Items, had.Groups[at].Items, g.Items, derived.Groups[i].Items, g.Slug)
		}
	}
	m.Standalone = k.keepItems(was.Standalone, had.Standalone, m.Standalone, derived.Standalone, "")
	if !k.changed {
		return m
	}
	full := m.WithIDs()
	for i := range m.Groups {
		k.fill(m.Groups[i].Items, full.Groups[i].Items)
	}
	k.fill(m.Standalone, full.Standalone)
	return m
}

func (k *idKeeper) fill(items, full []Item) {
	for i := range items {
		if k.items[&items[i]] {
			items[i].ID = full[i].ID
		}
		for j := range items[i].Cards {
			if k.cards[&items[i].Cards[j]] {
				items[i].Cards[j].ID = full[i].Cards[j].ID
			}
		}
	}
}

// keepItems returns a copy of a list of items with ids of what they were. Was
// is what was written of them, had the same and derived what is written now, with
// all ids.
func (k *idKeeper) keepItems(was, had, items, derived []Item, group string) []Item {
	items = slices.Clone(items)
	same := inBoth(match(was, items, func(it Item) string { return it.Slug }, func(it Item) string { return it.Name.Resolve(k.locale) }))
	kept := map[string]bool{}
	for _, p := range same {
		before, it := had[p.oldIndex], &items[p.newIndex]
		it.Cards = k.keepCards(p.old.Cards, before.Cards, it.Cards, derived[p.newIndex].Cards, group, it.Slug)
		stays := p.old.ID == "" && before.ID == derived[p.newIndex].ID
		if it.ID == "" && !stays && isItemID(before.ID, k.menu, group, it.Slug) {
			kept[it.Slug] = true
		}
	}
	if len(kept) == 0 {
		return items
	}
	k.changed = true
	for _, p := range same {
		if before, it := had[p.oldIndex].ID, &items[p.newIndex]; kept[it.Slug] && it.ID == "" && isItemID(before, k.menu, group, it.Slug) {
			it.ID = before
		}
	}
	for i := range items {
		it := &items[i]
		if !kept[it.Slug] {
			continue
		}
		k.items[it] = it.ID == ""
		it.Cards = slices.Clone(it.Cards)
		for j := range it.Cards {
			k.cards[&it.Cards[j]] = it.Cards[j].ID == ""
		}
	}
	return items
}

// keepCards is [idKeeper.keepItems] for the cards of an item.
func (k *idKeeper) keepCards(was, had, cards, derived []Card, group, item string) []Card {
	same := inBoth(match(was, cards, func(c Card) string { return c.Link }, func(c Card) string { return c.Title.Resolve(k.locale) }))
	kept := map[string]bool{}
	for _, p := range same {
		before := had[p.oldIndex].ID
		stays := p.old.ID == "" && before == derived[p.newIndex].ID
		if p.new.ID == "" && !stays && isCardID(before, k.menu, group, item, p.new.Link) {
			kept[p.new.Link] = true
		}
	}
	if len(kept) == 0 {
		return cards
	}
	k.changed = true
	cards = slices.Clone(cards)
	for _, p := range same {
		if before, c := had[p.oldIndex].ID, &cards[p.newIndex]; kept[c.Link] && c.ID == "" && isCardID(before, k.menu, group, item, c.Link) {
			c.ID = before
		}
	}
	for i := range cards {
		k.cards[&cards[i]] = kept[cards[i].Link] && cards[i].ID == ""
	}
	return cards
}

func inBoth[T any](pairs []pair[T]) []pair[T] {
	return slices.DeleteFunc(pairs, func(p pair[T]) bool { return p.old == nil || p.new == nil })
}

// How far counts are looked for. What was counted further is not kept.
const (
	mostItems = 16 // of one slug
	mostCards = 64 // of one link
)

// isItemID reports whether an id is one that is derived for items of a slug.
func isItemID(id, menu, group, item string) bool {
	for nth := range mostItems {
		if id == itemID(menu, group, item, strconv.Itoa(nth)) {
			return true
		}
	}
	return false
}

// isCardID reports whether an id is one that is derived for cards of a link.
func isCardID(id, menu, group, item, link string) bool {
	for nthItem := range mostItems {
		for nth := range mostCards {
			if id == cardID(menu, group, item, strconv.Itoa(nthItem), link, strconv.Itoa(nth)) {
				return true
			}
		}
	}
	return false
}

// uniqueIDs reports whether items and cards of a menu have ids of their own;
// all of its ids are there.
func uniqueIDs(m Menu) bool {
	items, cards := map[string]bool{}, map[string]bool{}
	unique := func(list []Item) bool {
		for _, it := range list {
			if items[it.ID] {
				return false
			}
			items[it.ID] = true
			for _, c := range it.Cards {
				if cards[c.ID] {
					return false
				}
				cards[c.ID] = true
			}
		}
		return true
	}
	return unique(m.Standalone) && !slices.ContainsFunc(m.Groups, func(g MenuGroup) bool { return !unique(g.Items) })
}
