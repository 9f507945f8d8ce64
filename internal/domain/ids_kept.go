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
		k.keep(was.Complete(oldApps), complete)
		if !k.changed || !uniqueIDs(complete.WithIDs()) { // prefer changing an id over assigning it twice
			continue
		}
		if !cloned {
			menus, cloned = slices.Clone(new.Menus), true
		}
		menus[i] = written.withIDsOf(complete)
	}
	return menus
}

// partID is the id of a group, an item or a card of a menu.
type partID struct {
	part string
	id   *string
}

// partIDs returns the ids of all groups, items and cards of a menu.
func (m *Menu) partIDs() []partID {
	var all []partID
	for i := range m.Groups {
		all = append(all, partID{"group", &m.Groups[i].ID})
	}
	for _, items := range m.itemLists() {
		for i := range items {
			all = append(all, partID{"item", &items[i].ID})
			for j := range items[i].Cards {
				all = append(all, partID{"card", &items[i].Cards[j].ID})
			}
		}
	}
	return all
}

// writtenIDs returns the written ids of a menu.
func writtenIDs(m Menu) map[string]bool {
	written := map[string]bool{}
	for _, p := range m.partIDs() {
		written[*p.id] = true
	}
	delete(written, "")
	return written
}

// withIDsOf returns a copy of the menu with the ids of a menu with the same structure.
func (m Menu) withIDsOf(other Menu) Menu {
	m = m.clone()
	others := other.partIDs()
	for i, p := range m.partIDs() {
		*p.id = *others[i].id
	}
	return m
}

// idKeeper preserves the ids of one menu.
type idKeeper struct {
	locale  []string
	written map[string]bool // written by editors: not to be assigned to another part
	changed bool
	// If one id of a slug or link was written, all are, with the cards of such items: otherwise
	// they would change at the next publish. These have none yet.
	missing map[*string]bool
}

// keep writes ids of was into m where they would change.
func (k *idKeeper) keep(was, m Menu) {
	had, derived := was.WithIDs(), m.WithIDs()
	groups := make(map[string]int, len(was.Groups))
	for i, g := range was.Groups {
		groups[g.Slug] = i
	}
	k.missing = map[*string]bool{}
	for i := range m.Groups {
		g := &m.Groups[i]
		at, ok := groups[g.Slug]
		if !ok {
			continue
		}
		if id := had.Groups[at].ID; g.ID == "" && id != derived.Groups[i].ID && !k.written[id] {
			g.ID, k.changed = id, true
		}
		k.keepItems(was.Groups[at].Items, had.Groups[at].Items, g.Items, derived.Groups[i].Items)
	}
	k.keepItems(was.Standalone, had.Standalone, m.Standalone, derived.Standalone)
	full := m.WithIDs()
	all := full.partIDs()
	for i, p := range m.partIDs() {
		if k.missing[p.id] {
			*p.id = *all[i].id
		}
	}
}

// keepItems writes the previous ids into a list of items. was has the previous items as written,
// had the same with all ids, and derived the new ones with all ids.
func (k *idKeeper) keepItems(was, had, items, derived []Item) {
	same := inBoth(match(was, items, func(it Item) string { return it.Slug }, func(it Item) string { return it.Name.Resolve(k.locale) }))
	for _, p := range same {
		k.keepCards(p.old.Cards, had[p.oldIndex].Cards, p.new.Cards, derived[p.newIndex].Cards)
	}
	kept := keepSame(k, same, had, derived, itemIdentity)
	for i := range items {
		it := &items[i]
		if !kept[it.Slug] {
			continue
		}
		k.missing[&it.ID] = it.ID == ""
		for j := range it.Cards {
			k.missing[&it.Cards[j].ID] = it.Cards[j].ID == ""
		}
	}
}

// keepCards is [idKeeper.keepItems] for the cards of an item.
func (k *idKeeper) keepCards(was, had, cards, derived []Card) {
	same := inBoth(match(was, cards, func(c Card) string { return c.Link }, func(c Card) string { return c.Title.Resolve(k.locale) }))
	kept := keepSame(k, same, had, derived, cardIdentity)
	for i := range cards {
		k.missing[&cards[i].ID] = kept[cards[i].Link] && cards[i].ID == ""
	}
}

// keepSame writes the previous ids into the items or cards of a list that are in both. It returns
// the names of those whose ids would change.
func keepSame[T any](k *idKeeper, same []pair[T], had, derived []T, identity func(*T) (id *string, name string)) map[string]bool {
	kept := map[string]bool{}
	for _, p := range same {
		old, _ := identity(p.old)
		before, _ := identity(&had[p.oldIndex])
		after, _ := identity(&derived[p.newIndex])
		stays := *old == "" && *before == *after
		if id, name := identity(p.new); *id == "" && !stays && !k.written[*before] {
			kept[name], k.changed = true, true
		}
	}
	for _, p := range same {
		before, _ := identity(&had[p.oldIndex])
		if id, name := identity(p.new); kept[name] && *id == "" && !k.written[*before] {
			*id = *before
		}
	}
	return kept
}

func inBoth[T any](pairs []pair[T]) []pair[T] {
	return slices.DeleteFunc(pairs, func(p pair[T]) bool { return p.old == nil || p.new == nil })
}

// uniqueIDs reports whether the groups, the items and the cards of a menu with all ids have
// unique ones.
func uniqueIDs(m Menu) bool {
	seen := map[[2]string]bool{}
	for _, p := range m.partIDs() {
		if seen[[2]string{p.part, *p.id}] {
			return false
		}
		seen[[2]string{p.part, *p.id}] = true
	}
	return true
}
