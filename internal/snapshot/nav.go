package snapshot

import (
	"slices"

	"vitrine/internal/domain"
)

// nav holds the bodies of navigation, each by locale.ID.
type nav struct {
	list   bodies
	groups map[string]bodies // by slug of the group
	menus  map[string]bodies // by path slug

	groupSlugs, menuSlugs map[string]string // from slugs, former ones included, to present ones
}

func (c *compiler) nav() nav {
	menus := map[string]domain.Menu{}
	for _, menu := range c.catalog.Menus {
		menus[menu.PathSlug] = menu
	}
	n := nav{list: c.navGroups(menus), groups: map[string]bodies{}, menus: map[string]bodies{}, groupSlugs: map[string]string{}, menuSlugs: map[string]string{}}
	for _, group := range c.catalog.NavGroups {
		n.groups[group.Slug] = c.each(func(w *writer, resolve func(domain.Text) string) {
			encodeNavGroup(w, group, menus, resolve)
		})
		for _, slug := range append(slices.Clip(group.Former), group.Slug) {
			n.groupSlugs[slug] = group.Slug
		}
	}
	for _, menu := range c.menus {
		n.menus[menu.PathSlug] = c.each(func(w *writer, resolve func(domain.Text) string) {
			encodeMenu(w, menu, resolve)
		})
		for _, slug := range append(slices.Clip(menu.Former), menu.PathSlug) {
			n.menuSlugs[slug] = menu.PathSlug
		}
	}
	return n
}

// menuRanks returns the place of every menu: those of the groups in their order, then
// the others by path slug.
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

// completeMenus returns all menus with what their cards take from apps, and with ids.
func (c *compiler) completeMenus() []domain.Menu {
	menus := make([]domain.Menu, len(c.catalog.Menus))
	for i, menu := range c.catalog.Menus {
		menus[i] = menu.Complete(c.appsByKey).WithIDs()
	}
	return menus
}

func (c *compiler) navGroups(menus map[string]domain.Menu) bodies {
	total := 0
	for _, group := range c.catalog.NavGroups {
		total += len(group.Menus)
	}
	return c.each(func(w *writer, resolve func(domain.Text) string) {
		w.open('{')
		array(w, "groups", c.catalog.NavGroups, func(group domain.NavGroup) {
			encodeNavGroup(w, group, menus, resolve)
		})
		w.number("totalGroups", float64(len(c.catalog.NavGroups)))
		w.number("totalMenus", float64(total))
		w.close('}')
	})
}

// encodeNavGroup encodes a group and the cards of its menus
// (docs/api.md#navigation-menus).
func encodeNavGroup(w *writer, group domain.NavGroup, menus map[string]domain.Menu, resolve func(domain.Text) string) {
	w.open('{')
	w.text("key", group.Key)
	w.text("slug", group.Slug)
	w.text("name", resolve(group.Name))
	w.optional("description", resolve(group.Description))
	array(w, "navs", group.Menus, func(pathSlug string) {
		menu := menus[pathSlug]
		w.open('{')
		w.text("title", resolve(menu.Title))
		w.optional("description", resolve(menu.Description))
		w.text("href", "/nav/"+pathSlug)
		w.close('}')
	})
	w.close('}')
}

// encodeMenu encodes the tree of a menu (docs/api.md#navigation-menus).
func encodeMenu(w *writer, menu domain.Menu, resolve func(domain.Text) string) {
	w.open('{')
	w.text("menuSlug", menu.PathSlug)
	w.text("title", resolve(menu.Title))
	w.optional("description", resolve(menu.Description))
	w.optional("ogImage", menu.OGImage)
	items := func(item domain.Item) { encodeItem(w, item, resolve) }
	array(w, "groups", menu.Groups, func(group domain.MenuGroup) {
		w.open('{')
		w.text("id", group.ID)
		w.text("name", resolve(group.Name))
		w.text("slug", group.Slug)
		array(w, "items", group.Items, items)
		w.close('}')
	})
	array(w, "standalone", menu.Standalone, items)
	w.strings("blogSlugs", menu.BlogSlugs)
	w.close('}')
}

// encodeItem encodes a category of cards or a link
// (docs/api.md#navigation-menus).
func encodeItem(w *writer, item domain.Item, resolve func(domain.Text) string) {
	w.open('{')
	w.text("id", item.ID)
	w.text("name", resolve(item.Name))
	w.text("slug", item.Slug)
	w.text("type", string(item.Type))
	w.optional("description", resolve(item.Description))
	array(w, "cards", item.Cards, func(card domain.Card) { encodeCard(w, card, resolve) })
	w.close('}')
}

// encodeCard encodes an app card (docs/api.md#navigation-menus).
func encodeCard(w *writer, card domain.Card, resolve func(domain.Text) string) {
	w.open('{')
	w.text("id", card.ID)
	w.text("title", resolve(card.Title))
	w.optional("description", resolve(card.Description))
	w.text("link", card.Link)
	w.nullable("image", card.Image)
	w.close('}')
}
