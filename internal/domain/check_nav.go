package domain

import (
	"fmt"
	"slices"
)

// navGroups checks the groups of menus.
func (ck *checker) navGroups() {
	keys, slugs, listed := make(firsts), make(firsts), make(firsts)
	for i, g := range ck.cat.NavGroups {
		at := Ref{Kind: KindNavGroup, Index: i}
		ck.fields(at, navGroupShape, &g)
		sameKey := ck.uniqueKey(at, keys, "key", "give one of them another key, or remove it")
		own := g.Slug != g.Key // a slug that is the key is reported as the key
		if first, repeated := slugs.repeats(g.Slug, i); repeated && (own || !sameKey) {
			ck.repeats(at.in("slug"), Ref{Kind: KindNavGroup, Index: first}, RuleDuplicate,
				fmt.Sprintf("slug %s is already that of nav group %s", quote(g.Slug), quote(ck.cat.NavGroups[first].Key)),
				"give one of them another slug")
		}
		for j, slug := range g.Menus {
			ck.menuRef(at.in("menus").at(j), slug, listed, i)
		}
	}
	ck.unlistedMenus(listed)
}

// menuRef checks that a menu exists and belongs to one group. Listed has the
// first group of every menu.
func (ck *checker) menuRef(at Ref, slug string, listed firsts, group int) {
	if slug == "" {
		ck.emptyEntry(at, "menus")
		return
	}
	first, repeated := listed.repeatsExactly(slug, group)
	if repeated && first == group {
		menus := Ref{Kind: KindNavGroup, Index: group}.in("menus")
		ck.repeats(at, menus.at(slices.Index(ck.cat.NavGroups[group].Menus, slug)), RuleDuplicate,
			fmt.Sprintf("menu %s is listed twice", quote(slug)), "remove one of them")
		return
	}
	if repeated {
		ck.repeats(at, Ref{Kind: KindNavGroup, Index: first}, RuleMenuInTwoGroups,
			fmt.Sprintf("menu %s is already listed by nav group %s", quote(slug), quote(ck.cat.NavGroups[first].Key)),
			"remove it from one of the two")
		return
	}
	if _, ok := ck.menuIndex.lookup(slug); !ok && !ck.unread.Menus[slug] {
		ck.report(at, RuleUnknownMenu, fmt.Sprintf("menu %s does not exist", quote(slug)), ck.unknownMenuRemedy(slug))
	}
}

func (ck *checker) unknownMenuRemedy(slug string) string {
	switch near := ck.menuIndex.suggest(slug); {
	case near != "":
		return fmt.Sprintf("did you mean %q? If not, write nav/%s%s", near, slugify(slug), ck.files.MenuExt)
	case validKey(slug):
		return fmt.Sprintf("write nav/%s%s, or remove it here", slug, ck.files.MenuExt)
	}
	return "write the name of a file in nav/ without its ending"
}

func (ck *checker) unlistedMenus(listed firsts) {
	if ck.unread.Nav {
		return
	}
	for i, m := range ck.cat.Menus {
		if _, ok := listed[m.PathSlug]; !ok && validKey(m.PathSlug) {
			ck.report(Ref{Kind: KindMenu, Index: i}, RuleUnlistedMenu, fmt.Sprintf("no nav group lists menu %s", quote(m.PathSlug)),
				fmt.Sprintf("add it to the menus of a group in %s, or leave it: it is reachable by its address only", ck.files.Nav))
		}
	}
}

// menus checks the menus.
func (ck *checker) menus() {
	seen := make(firsts)
	for i, m := range ck.cat.Menus {
		at := Ref{Kind: KindMenu, Index: i}
		if !validKey(m.PathSlug) {
			ck.report(at, RuleMalformedKey, fmt.Sprintf("path slug %s, the menu's file name, is not well-formed", quote(m.PathSlug)),
				keyRemedy(m.PathSlug))
		}
		if first, repeated := seen.repeats(m.PathSlug, i); repeated {
			ck.repeats(at, Ref{Kind: KindMenu, Index: first}, RuleDuplicate,
				taken("path slug", m.PathSlug, "menu", ck.cat.Menus[first].PathSlug),
				"rename or remove one of the files")
		}
		ck.menu(at, m)
	}
}

func (ck *checker) menu(at Ref, m Menu) {
	ck.fields(at, menuShape, &m)
	slugs := make(firsts)
	for i, g := range m.Groups {
		here := at.in("groups").at(i)
		ck.fields(here, menuGroupShape, &g)
		if first, repeated := slugs.repeats(g.Slug, i); repeated {
			ck.repeats(here.in("slug"), at.in("groups").at(first), RuleDuplicate,
				taken("slug", g.Slug, "group", m.Groups[first].Slug)+" of this menu",
				"give one of them another slug")
		}
		ck.items(here.in("items"), g.Items)
	}
	ck.items(at.in("standalone"), m.Standalone)
	ck.menuIDs(at, m)
}

func (ck *checker) items(at Ref, items []Item) {
	for i, it := range items {
		ck.item(at.at(i), it)
	}
}

func (ck *checker) item(at Ref, it Item) {
	if i, ok := ck.categoryIndex.lookup(it.Slug); ok && ck.scopeSets[i].has(ModuleItem) {
		ck.used[i] = true // an item is what the category of its slug is about
	}
	ck.fields(at, itemShape, &it)
	if it.Type == ItemLink && len(it.Cards) != 1 {
		ck.report(at.in("cards"), RuleLinkItem, fmt.Sprintf("item %s is of type link and has %d cards", quote(it.Slug), len(it.Cards)),
			"give it exactly one card, which carries the link, or make it of type category")
	}
	for i := range it.Cards {
		ck.card(at.in("cards").at(i), &it.Cards[i])
	}
}

// menuIDs checks that groups, items and cards of a menu have ids of their
// own, each kind by itself, the derived ones included.
func (ck *checker) menuIDs(at Ref, m Menu) {
	ids := m.WithIDs()
	groups, items, cards := make(idSet), make(idSet), make(idSet)
	for i, g := range ids.Groups {
		ck.uniqueID(at.in("groups").at(i), groups, m.Groups[i].ID, g.ID)
		ck.itemIDs(at.in("groups").at(i).in("items"), items, cards, m.Groups[i].Items, g.Items)
	}
	ck.itemIDs(at.in("standalone"), items, cards, m.Standalone, ids.Standalone)
}

// itemIDs checks the ids of a list of items and of their cards; written are
// the items as the editors wrote them.
func (ck *checker) itemIDs(at Ref, items, cards idSet, written, list []Item) {
	for i, it := range list {
		ck.uniqueID(at.at(i), items, written[i].ID, it.ID)
		for j, c := range it.Cards {
			ck.uniqueID(at.at(i).in("cards").at(j), cards, written[i].Cards[j].ID, c.ID)
		}
	}
}

// idSet has the ids of one sort of thing in a menu, each with the first place
// of it.
type idSet map[string]idPlace

type idPlace struct {
	at      Ref
	written bool // by the editors; else it is derived
}

func (ck *checker) uniqueID(at Ref, seen idSet, written, id string) {
	before, repeated := seen[id]
	if !repeated {
		seen[id] = idPlace{at, written != ""}
		return
	}
	if written == "" && !before.written { // their slugs are repeated, and reported
		return
	}
	ck.repeats(at.in("id"), before.at, RuleDuplicate, idName(written, id)+" is already in use in this menu", "give one of them another id")
}

// idName names an id in a message. Editors do not see a derived one in their
// files, so the message says where it comes from.
func idName(written, id string) string {
	if written == "" {
		return fmt.Sprintf("the id %s, which is derived because none is written,", quote(id))
	}
	return "id " + quote(id)
}
