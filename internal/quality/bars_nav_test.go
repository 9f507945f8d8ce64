package quality_test

import (
	"fmt"
	"slices"

	"vitrine/internal/domain"
)

func navBars(min atLeast) []bar {
	return []bar{
		{"sizes of the navigation", func(c *domain.Catalog) []finding { return navSizes(c, min) }},
		{"menus have groups and standalone items", lopsidedMenus},
		{"every menu is in a group", strayMenus},
		{"items of cards have cards", emptyItems},
	}
}

// itemsOf returns all items of a menu, those of its groups first.
func itemsOf(m domain.Menu) []domain.Item {
	var out []domain.Item
	for _, g := range m.Groups {
		out = append(out, g.Items...)
	}
	return append(out, m.Standalone...)
}

func cardsOf(m domain.Menu) []domain.Card {
	var out []domain.Card
	for _, it := range itemsOf(m) {
		out = append(out, it.Cards...)
	}
	return out
}

func cardRecord(m domain.Menu, card domain.Card) string {
	return "card " + m.PathSlug + " " + card.Link
}

func navSizes(c *domain.Catalog, min atLeast) []finding {
	cards := 0
	for _, m := range c.Menus {
		cards += len(cardsOf(m))
	}
	return slices.Concat(tooFew(len(c.NavGroups), min.navGroups, "nav groups"),
		tooFew(len(c.Menus), min.menus, "menus"), tooFew(cards, min.cards, "cards"))
}

func lopsidedMenus(c *domain.Catalog) []finding {
	var out []finding
	for _, m := range c.Menus {
		if len(m.Groups) == 0 || len(m.Standalone) == 0 {
			out = append(out, finding{"menu " + m.PathSlug, fmt.Sprintf("%d groups and %d standalone items, want some of each", len(m.Groups), len(m.Standalone))})
		}
		for _, g := range m.Groups {
			if len(g.Items) == 0 {
				out = append(out, finding{"group " + m.PathSlug + "/" + g.Slug, "no items"})
			}
		}
	}
	return out
}

// strayMenus finds groups without menus as well.
func strayMenus(c *domain.Catalog) []finding {
	var out []finding
	var listed []string
	for _, g := range c.NavGroups {
		listed = append(listed, g.Menus...)
		if len(g.Menus) == 0 {
			out = append(out, finding{"nav group " + g.Key, "no menus"})
		}
	}
	for _, m := range c.Menus {
		if !slices.Contains(listed, m.PathSlug) {
			out = append(out, finding{"menu " + m.PathSlug, "in no nav group"})
		}
	}
	return out
}

func emptyItems(c *domain.Catalog) []finding {
	var out []finding
	for _, m := range c.Menus {
		for _, it := range itemsOf(m) {
			if len(it.Cards) == 0 {
				out = append(out, finding{"item " + m.PathSlug + "/" + it.Slug, "no cards"})
			}
		}
	}
	return out
}
