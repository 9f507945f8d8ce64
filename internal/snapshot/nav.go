package snapshot

import (
	"cmp"
	"slices"

	"vitrine/internal/domain"
)

// nav holds navigation.
type nav struct {
	groups []domain.NavGroup
	menus  map[string]*domain.Menu // by path slug; with ids, and cards with the values of their apps
}

func (c *compiler) nav() nav {
	n := nav{groups: c.catalog.NavGroups, menus: map[string]*domain.Menu{}}
	for i := range c.menus {
		n.menus[c.menus[i].PathSlug] = &c.menus[i]
	}
	return n
}

// menuRanks returns the rank of each menu: those of the groups in their order, then the others by
// path slug.
func menuRanks(c *domain.Catalog) map[string]int {
	ranks := map[string]int{}
	rank := func(slug string) {
		if _, known := ranks[slug]; !known {
			ranks[slug] = len(ranks)
		}
	}
	for _, group := range c.NavGroups {
		for _, slug := range group.Menus {
			rank(slug)
		}
	}
	var slugs []string
	for i := range c.Menus {
		slugs = append(slugs, c.Menus[i].PathSlug)
	}
	slices.Sort(slugs)
	for _, slug := range slugs {
		rank(slug)
	}
	return ranks
}

// compareMenus orders menus by rank.
func (c *compiler) compareMenus(a, b *domain.Menu) int {
	return cmp.Compare(c.menuRanks[a.PathSlug], c.menuRanks[b.PathSlug])
}

// completeMenus returns all menus with ids, and their cards with the values of apps.
func (c *compiler) completeMenus() []domain.Menu {
	menus := make([]domain.Menu, len(c.catalog.Menus))
	for i, menu := range c.catalog.Menus {
		menus[i] = menu.Complete(c.appsByKey).WithIDs()
	}
	return menus
}

// view returns the view of all groups (docs/api.md#navigation-menus).
func (n *nav) view(in language) *NavGroups {
	all := &NavGroups{
		Groups:      views(n.groups, func(g domain.NavGroup) NavGroup { return *n.group(&g, in) }),
		TotalGroups: len(n.groups),
	}
	for i := range n.groups {
		all.TotalMenus += len(n.groups[i].Menus)
	}
	return all
}

func (n *nav) group(group *domain.NavGroup, in language) *NavGroup {
	return &NavGroup{
		Key: group.Key, Slug: group.Slug, Name: in.text(group.Name), Description: in.text(group.Description),
		Navs: views(group.Menus, func(pathSlug string) NavMenu {
			menu := cmp.Or(n.menus[pathSlug], new(domain.Menu))
			return NavMenu{Title: in.text(menu.Title), Description: in.text(menu.Description), Href: "/nav/" + pathSlug}
		}),
	}
}

// menuView returns the view of a menu (docs/api.md#navigation-menus).
func menuView(menu *domain.Menu, in language) *Menu {
	items := func(items []domain.Item) []MenuItem {
		return views(items, func(item domain.Item) MenuItem { return menuItem(item, in) })
	}
	return &Menu{
		Slug: menu.PathSlug, Title: in.text(menu.Title), Description: in.text(menu.Description), OGImage: in.picture(menu.OGImage),
		Groups: views(menu.Groups, func(group domain.MenuGroup) MenuGroup {
			return MenuGroup{ID: group.ID, Name: in.text(group.Name), Slug: group.Slug, Items: items(group.Items)}
		}),
		Standalone: items(menu.Standalone), BlogSlugs: menu.BlogSlugs,
	}
}

func menuItem(item domain.Item, in language) MenuItem {
	view := MenuItem{ID: item.ID, Name: in.text(item.Name), Slug: item.Slug, Type: item.Type, Description: in.text(item.Description)}
	view.Cards = make([]MenuCard, len(item.Cards))
	for i := range item.Cards {
		view.Cards[i] = menuCard(&item.Cards[i], in)
	}
	return view
}

func menuCard(card *domain.Card, in language) MenuCard {
	return MenuCard{ID: card.ID, Title: in.text(card.Title), Description: in.text(card.Description), Link: card.Link, Image: in.picture(card.Image)}
}

// groupOf returns the group with a slug, an empty one if there is none.
func (n *nav) groupOf(slug string) *domain.NavGroup {
	for i := range n.groups {
		if n.groups[i].Slug == slug {
			return &n.groups[i]
		}
	}
	return new(domain.NavGroup)
}
