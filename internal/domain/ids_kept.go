package domain

import "slices"

// KeepIDs returns the catalogue to publish for new while old is served, and the new chains that
// do not get the id of their slug, in order. The catalogue is new or a copy in which ids that
// would otherwise change are written.
//
// A record or part of a menu keeps its id, derived or written, until another one is written. A
// chain or a menu that lists its predecessor as former, or writes its id, is the same record (see
// keepChainIDs for the exact order). earlier has the chains that were removed before old; nil
// means none.
//
// Within an item, a card is identified by its link; within a group, an item is identified by its
// slug. Among several with the same link or slug, the title or name in the default locale
// decides. The rest are matched in order, as renamed.
//
// An empty store has no history: its ids are those of [Menu.WithIDs] and [Chain.StableID], unless
// they are written, as in an export.
//
// The arguments are not modified; the result shares unchanged records with new. A nil old is an
// empty catalogue.
func KeepIDs(old, new *Catalog, earlier Earlier) (*Catalog, []NewID) {
	old = orEmpty(old)
	kept := *new
	var denied []NewID
	kept.Chains, kept.PastIDs, denied = keepChainIDs(old, new, earlier)
	kept.Menus = keepMenuIDs(old, new)
	return &kept, denied
}

// keepMenuIDs returns the menus of new, with ids written that would otherwise change.
func keepMenuIDs(old, new *Catalog) []Menu {
	before := make(map[string]*Menu, len(old.Menus))
	for i := range old.Menus {
		before[old.Menus[i].PathSlug] = &old.Menus[i]
	}
	present := make(map[string]bool, len(new.Menus))
	for _, m := range new.Menus {
		present[m.PathSlug] = true
	}
	predecessor := func(m Menu) *Menu {
		if was := before[m.PathSlug]; was != nil {
			return was
		}
		for _, slug := range m.Former {
			if was := before[slug]; was != nil && !present[slug] {
				return was
			}
		}
		return nil
	}
	menus, cloned := new.Menus, false
	oldApps, newApps := old.AppsByKey(), new.AppsByKey()
	for i, written := range new.Menus {
		was := predecessor(written)
		if was == nil {
			continue
		}
		complete := written.Complete(newApps)
		k := idKeeper{locale: []string{new.DefaultLocale}, written: writtenIDs(complete)}
		m := k.keep(was.Complete(oldApps), complete)
		if !k.changed || !uniqueIDs(m.WithIDs()) { // prefer changing an id over assigning it twice
			continue
		}
		if !cloned {
			menus, cloned = slices.Clone(new.Menus), true
		}
		menus[i] = written.withIDsOf(m)
	}
	return menus
}

// writtenIDs returns the written ids of a menu.
func writtenIDs(m Menu) map[string]bool {
	written := map[string]bool{}
	items := func(list []Item) {
		for _, it := range list {
			written[it.ID] = true
			for _, c := range it.Cards {
				written[c.ID] = true
			}
		}
	}
	for _, g := range m.Groups {
		written[g.ID] = true
		items(g.Items)
	}
	items(m.Standalone)
	delete(written, "")
	return written
}

// withIDsOf returns a copy of the menu with the ids of a menu with the same structure.
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
		m.Groups[i].ID = other.Groups[i].ID
		m.Groups[i].Items = items(m.Groups[i].Items, other.Groups[i].Items)
	}
	m.Standalone = items(m.Standalone, other.Standalone)
	return m
}

// idKeeper preserves the ids of one menu.
type idKeeper struct {
	locale  []string
	written map[string]bool // written by editors: not to be assigned to another part
	changed bool
	// If one id of a slug or link was written, all are, with the cards of such items: otherwise
	// they would change at the next publish. These have none yet.
	items map[*Item]bool
	cards map[*Card]bool
}

// keep returns m with the ids of was written where they would change.
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
		at, ok := groups[g.Slug]
		if !ok {
			continue
		}
		if id := had.Groups[at].ID; g.ID == "" && id != derived.Groups[i].ID && !k.written[id] {
			g.ID, k.changed = id, true
		}
		g.Items = k.keepItems(was.Groups[at].Items, had.Groups[at].Items, g.Items, derived.Groups[i].Items)
	}
	m.Standalone = k.keepItems(was.Standalone, had.Standalone, m.Standalone, derived.Standalone)
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

// keepItems returns a copy of a list of items with their previous ids. was has the previous items
// as written, had the same with all ids, and derived the new ones with all ids.
func (k *idKeeper) keepItems(was, had, items, derived []Item) []Item {
	items = slices.Clone(items)
	same := inBoth(match(was, items, func(it Item) string { return it.Slug }, func(it Item) string { return it.Name.Resolve(k.locale) }))
	kept := map[string]bool{}
	for _, p := range same {
		before, it := had[p.oldIndex], &items[p.newIndex]
		it.Cards = k.keepCards(p.old.Cards, before.Cards, it.Cards, derived[p.newIndex].Cards)
		stays := p.old.ID == "" && before.ID == derived[p.newIndex].ID
		if it.ID == "" && !stays && !k.written[before.ID] {
			kept[it.Slug] = true
		}
	}
	if len(kept) == 0 {
		return items
	}
	k.changed = true
	for _, p := range same {
		if before, it := had[p.oldIndex].ID, &items[p.newIndex]; kept[it.Slug] && it.ID == "" && !k.written[before] {
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
func (k *idKeeper) keepCards(was, had, cards, derived []Card) []Card {
	same := inBoth(match(was, cards, func(c Card) string { return c.Link }, func(c Card) string { return c.Title.Resolve(k.locale) }))
	kept := map[string]bool{}
	for _, p := range same {
		before := had[p.oldIndex].ID
		stays := p.old.ID == "" && before == derived[p.newIndex].ID
		if p.new.ID == "" && !stays && !k.written[before] {
			kept[p.new.Link] = true
		}
	}
	if len(kept) == 0 {
		return cards
	}
	k.changed = true
	cards = slices.Clone(cards)
	for _, p := range same {
		if before, c := had[p.oldIndex].ID, &cards[p.newIndex]; kept[c.Link] && c.ID == "" && !k.written[before] {
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

// uniqueIDs reports whether the groups, the items and the cards of a menu with all ids have
// unique ones.
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
	groups := map[string]bool{}
	for _, g := range m.Groups {
		if groups[g.ID] {
			return false
		}
		groups[g.ID] = true
	}
	return unique(m.Standalone) && !slices.ContainsFunc(m.Groups, func(g MenuGroup) bool { return !unique(g.Items) })
}
