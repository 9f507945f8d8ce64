package domain

import (
	"iter"
	"slices"
)

// NavGroup is a group of menus.
type NavGroup struct {
	Key         string
	Slug        string // Key by default; never empty
	Name        Text
	Description Text
	Menus       []string // path slugs
	Former      []string // former slugs
}

// Menu is a navigation menu.
type Menu struct {
	PathSlug    string
	Title       Text
	Description Text
	OGImage     string
	BlogSlugs   []string
	Aliases     []string
	Former      []string // former path slugs
	Groups      []MenuGroup
	Standalone  []Item
}

// MenuGroup is a sidebar group of a menu. Slug is unique within its menu.
type MenuGroup struct {
	Slug  string
	ID    string // "" if derived
	Name  Text
	Items []Item
}

// ItemType is the type of an item: a category of cards or a single link.
type ItemType string

// The item types (docs/api.md#navigation-menus).
const (
	ItemCategory ItemType = "category"
	ItemLink     ItemType = "link"
)

// Item is a category of cards or a link. An item of type link has one card.
type Item struct {
	Slug        string
	ID          string   // "" if derived
	Name        Text     //
	Type        ItemType // ItemCategory by default; never empty
	Description Text
	Cards       []Card
}

// CardPlace is the place of a card in its menu.
type CardPlace struct {
	Group string // its slug, "" for a standalone item
	Item  string // its slug
}

// Places yields the cards of the menu as written with their places, in the order of groups and items.
// Cards of standalone items come last.
func (m *Menu) Places() iter.Seq2[CardPlace, *Card] {
	return func(yield func(CardPlace, *Card) bool) {
		for group, items := range m.itemLists() {
			for _, item := range items {
				for i := range item.Cards {
					if !yield(CardPlace{group, item.Slug}, &item.Cards[i]) {
						return
					}
				}
			}
		}
	}
}

// Cards yields the cards of [Menu.Places].
func (m *Menu) Cards() iter.Seq[*Card] {
	return func(yield func(*Card) bool) {
		m.Places()(func(_ CardPlace, c *Card) bool { return yield(c) })
	}
}

// itemLists yields the items of each group with the slug of the group, then the standalone ones
// with "".
func (m *Menu) itemLists() iter.Seq2[string, []Item] {
	return func(yield func(string, []Item) bool) {
		for _, g := range m.Groups {
			if !yield(g.Slug, g.Items) {
				return
			}
		}
		yield("", m.Standalone)
	}
}

// clone returns a copy of the menu that shares texts and lists of strings with m.
func (m Menu) clone() Menu {
	items := func(items []Item) []Item {
		items = slices.Clone(items)
		for i := range items {
			items[i].Cards = slices.Clone(items[i].Cards)
		}
		return items
	}
	m.Groups = slices.Clone(m.Groups)
	for i := range m.Groups {
		m.Groups[i].Items = items(m.Groups[i].Items)
	}
	m.Standalone = items(m.Standalone)
	return m
}

// Complete returns a copy of the menu in which each card has the values of its app. The copy
// shares texts and lists of strings with m, which is not modified.
func (m Menu) Complete(apps map[string]*App) Menu {
	m = m.clone()
	for _, items := range m.itemLists() {
		for _, item := range items {
			for i, card := range item.Cards {
				item.Cards[i] = card.Of(apps[card.App])
			}
		}
	}
	return m
}

var navGroupShape = &Shape{
	Name:  "a group of menus",
	About: "A group of menus",
	Fields: []*Field{
		line("key", func(g *NavGroup) *string { return &g.Key }).names().form(formKey).about("Unique", `"defi"`),
		orElse(line("slug", func(g *NavGroup) *string { return &g.Slug }).form(formKey).about("Unique name in URLs; the key if omitted", `"defi"`),
			func(g *NavGroup) string { return g.Key }),
		title("name", func(g *NavGroup) *Text { return &g.Name }).about("Displayed name", `"DeFi"`),
		description("description", func(g *NavGroup) *Text { return &g.Description }).about("Line below the name"),
		linesField("menus", func(g *NavGroup) *[]string { return &g.Menus }).checksWithRecord().refersTo(KindMenu).
			about("Path slugs of its menus (names of files in nav/), in order; a menu is in at most one group", `["wallets", "explorers"]`),
		former(func(g *NavGroup) *[]string { return &g.Former }).about("Previous slugs, which still resolve to it", `["old-slug"]`),
	},
}

var menuShape = &Shape{
	Name:  "a map with title, groups and standalone",
	About: "One menu: a file in nav/ whose name is the path slug of the menu",
	Fields: []*Field{
		line("path_slug", func(m *Menu) *string { return &m.PathSlug }).checksWithRecord().names().calls().fromFileName().form(formKey),
		title("title", func(m *Menu) *Text { return &m.Title }).calls().about("Title of the menu", `"Wallets"`),
		description("description", func(m *Menu) *Text { return &m.Description }).searched().about("Line below the title"),
		image("og_image", func(m *Menu) *string { return &m.OGImage }).about("Image for link previews of the menu", `"https://example.org/og.png"`),
		linesField("blog_slugs", func(m *Menu) *[]string { return &m.BlogSlugs }).about("Slugs of related blog posts", `["how-to-choose-a-wallet"]`),
		aliases(func(m *Menu) *[]string { return &m.Aliases }).about("Other words by which search finds the menu", `["Monedero"]`),
		former(func(m *Menu) *[]string { return &m.Former }).about("Previous path slugs, which still resolve to it", `["old-slug"]`),
		partsField(TypeParts, "groups", menuGroupShape, func(m *Menu) *[]MenuGroup { return &m.Groups }).checksWithRecord().about("Sidebar groups of items"),
		partsField(TypeParts, "standalone", itemShape, func(m *Menu) *[]Item { return &m.Standalone }).checksWithRecord().about("Items without a group"),
	},
}

var menuGroupShape = &Shape{
	Name:  "a group of items",
	About: "A sidebar group of items",
	Fields: []*Field{
		line("slug", func(g *MenuGroup) *string { return &g.Slug }).names().form(formKey).about("Unique within the menu", `"basics"`),
		writtenID(func(g *MenuGroup) *string { return &g.ID }),
		title("name", func(g *MenuGroup) *Text { return &g.Name }).about("Displayed name", `"Basics"`),
		partsField(TypeParts, "items", itemShape, func(g *MenuGroup) *[]Item { return &g.Items }).checksWithRecord().about("Items of the group"),
	},
}

var itemShape = &Shape{
	Name:  "an item",
	About: "A category of cards, or a link",
	Fields: []*Field{
		line("slug", func(it *Item) *string { return &it.Slug }).names().form(formKey).about("Name in URLs", `"hot-wallets"`),
		writtenID(func(it *Item) *string { return &it.ID }),
		title("name", func(it *Item) *Text { return &it.Name }).about("Displayed name", `"Hot wallets"`),
		orElse(line("type", func(it *Item) *string { return (*string)(&it.Type) }).form(formItemType).
			about("category (default) or link, which has exactly one card", `"link"`),
			func(*Item) string { return string(ItemCategory) }),
		description("description", func(it *Item) *Text { return &it.Description }).about("Line below the name"),
		partsField(TypeParts, "cards", cardShape, func(it *Item) *[]Card { return &it.Cards }).checksWithRecord().about("Cards of the item; exactly one if the type is link"),
	},
}
