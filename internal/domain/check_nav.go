package domain

import (
	"fmt"
	"slices"

	"vitrine/internal/fold"
)

// navGroups checks the addresses of nav groups, and that each menu is in one group.
func (ck *checker) navGroups() {
	slugs, listed := make(firsts), make(firsts)
	for i, g := range ck.cat.NavGroups {
		at := Ref{Kind: KindNavGroup, Index: i}
		first, repeated := slugs.repeats(g.Slug, i)
		if repeated && (g.Slug != g.Key || fold.Text(g.Key) != fold.Text(ck.cat.NavGroups[first].Key)) { // else the key is reported
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

// menuRef checks that a menu exists and belongs to only one group. listed has the first group of
// every menu.
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
	menus := ck.references(KindMenu).index
	if _, ok := menus.lookup(slug); !ok && !ck.unread.Menus[slug] {
		ck.report(at, RuleUnknownMenu, fmt.Sprintf("menu %s does not exist", quote(slug)), ck.unknownMenuRemedy(menus, slug))
	}
}

func (ck *checker) unknownMenuRemedy(menus *index, slug string) string {
	switch near := menus.suggest(slug); {
	case near != "":
		return fmt.Sprintf("did you mean %q? If not, write nav/%s%s", near, slugify(slug), ck.files.MenuExt)
	case validKey(slug):
		return fmt.Sprintf("write nav/%s%s, or remove it here", slug, ck.files.MenuExt)
	}
	return "write the name of a file in nav/ without its ending"
}

func (ck *checker) unlistedMenus(listed firsts) {
	if ck.unread.Kinds[KindNavGroup] {
		return
	}
	for i, m := range ck.cat.Menus {
		if _, ok := listed[m.PathSlug]; !ok && validKey(m.PathSlug) {
			ck.report(Ref{Kind: KindMenu, Index: i}, RuleUnlistedMenu, fmt.Sprintf("no nav group lists menu %s", quote(m.PathSlug)),
				fmt.Sprintf("add it to the menus of a group in %s, or leave it: it is reachable by its address only", ck.files.Nav))
		}
	}
}

// menu checks the groups and items of a menu, and its ids.
func (ck *checker) menu(at Ref, m *Menu) {
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
	if i, ok := ck.categories.lookup(it.Slug); ok && slices.Contains(ck.scopes[i], ModuleItem) {
		ck.usedCategories[i] = true // the item is about the category of its slug
	}
	ck.fields(at, itemShape, &it)
	if it.Type == ItemLink && len(it.Cards) != 1 {
		ck.report(at.in("cards"), RuleLinkItem, fmt.Sprintf("item %s is of type link and has %d cards", quote(it.Slug), len(it.Cards)),
			"give it exactly one card, which carries the link, or make it of type category")
	}
	for i := range it.Cards {
		ck.fields(at.in("cards").at(i), cardShape, &it.Cards[i])
		if app, ok := ck.references(KindApp).index.lookup(it.Cards[i].App); ok {
			ck.usedApps[app] = true
		}
	}
}

// menuIDs checks that the groups, the items and the cards of a menu have unique ids, derived ones
// included.
func (ck *checker) menuIDs(at Ref, m *Menu) {
	ids := m.WithIDs()
	groups, items, cards := make(idSet), make(idSet), make(idSet)
	for i, g := range ids.Groups {
		ck.uniqueID(at.in("groups").at(i), groups, m.Groups[i].ID, g.ID)
		ck.itemIDs(at.in("groups").at(i).in("items"), items, cards, m.Groups[i].Items, g.Items)
	}
	ck.itemIDs(at.in("standalone"), items, cards, m.Standalone, ids.Standalone)
}

// itemIDs checks the ids of a list of items and of their cards. written has the items as written.
func (ck *checker) itemIDs(at Ref, items, cards idSet, written, list []Item) {
	for i, it := range list {
		ck.uniqueID(at.at(i), items, written[i].ID, it.ID)
		for j, c := range it.Cards {
			ck.uniqueID(at.at(i).in("cards").at(j), cards, written[i].Cards[j].ID, c.ID)
		}
	}
}

// idSet has the ids of the groups, items or cards of a menu, with the first place of each.
type idSet map[string]idPlace

type idPlace struct {
	at      Ref
	written bool // otherwise derived
}

func (ck *checker) uniqueID(at Ref, seen idSet, written, id string) {
	before, repeated := seen[id]
	if !repeated {
		seen[id] = idPlace{at, written != ""}
		return
	}
	if written == "" && !before.written { // their repeated slugs are reported
		return
	}
	ck.repeats(at.in("id"), before.at, RuleDuplicate, idName(written, id)+" is already in use in this menu", "give one of them another id")
}

// idName describes an id in a message. Editors do not see derived ids in their files, so the
// message explains the derivation.
func idName(written, id string) string {
	if written == "" {
		return fmt.Sprintf("the id %s, which is derived because none is written,", quote(id))
	}
	return "id " + quote(id)
}
