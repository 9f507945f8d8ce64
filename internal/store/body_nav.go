package store

import "vitrine/internal/catalog"

type navGroupRow struct {
	Key         string   `json:"key"`
	Slug        string   `json:"slug"`
	Name        textRow  `json:"name,omitempty"`
	Description textRow  `json:"description,omitempty"`
	Menus       []string `json:"menus,omitempty"`
}

func fromNavGroup(g catalog.NavGroup) navGroupRow {
	return navGroupRow{
		Key:         g.Key,
		Slug:        g.Slug,
		Name:        fromText(g.Name),
		Description: fromText(g.Description),
		Menus:       g.Menus,
	}
}

func (r navGroupRow) record() catalog.NavGroup {
	return catalog.NavGroup{
		Key:         r.Key,
		Slug:        r.Slug,
		Name:        r.Name.text(),
		Description: r.Description.text(),
		Menus:       r.Menus,
	}
}

// menuRow holds a menu with all that is in it: a menu is published, compared
// and rolled back as one record, as it is one file of the directory.
type menuRow struct {
	PathSlug    string         `json:"path_slug"`
	Title       textRow        `json:"title,omitempty"`
	Description textRow        `json:"description,omitempty"`
	OGImage     string         `json:"og_image,omitempty"`
	BlogSlugs   []string       `json:"blog_slugs,omitempty"`
	Groups      []menuGroupRow `json:"groups,omitempty"`
	Standalone  []itemRow      `json:"standalone,omitempty"`
}

func fromMenu(m catalog.Menu) menuRow {
	return menuRow{
		PathSlug:    m.PathSlug,
		Title:       fromText(m.Title),
		Description: fromText(m.Description),
		OGImage:     m.OGImage,
		BlogSlugs:   m.BlogSlugs,
		Groups:      each(m.Groups, fromMenuGroup),
		Standalone:  each(m.Standalone, fromItem),
	}
}

func (r menuRow) record() catalog.Menu {
	return catalog.Menu{
		PathSlug:    r.PathSlug,
		Title:       r.Title.text(),
		Description: r.Description.text(),
		OGImage:     r.OGImage,
		BlogSlugs:   r.BlogSlugs,
		Groups:      each(r.Groups, menuGroupRow.record),
		Standalone:  each(r.Standalone, itemRow.record),
	}
}

type menuGroupRow struct {
	Slug  string    `json:"slug"`
	ID    string    `json:"id,omitempty"`
	Name  textRow   `json:"name,omitempty"`
	Items []itemRow `json:"items,omitempty"`
}

func fromMenuGroup(g catalog.MenuGroup) menuGroupRow {
	return menuGroupRow{Slug: g.Slug, ID: g.ID, Name: fromText(g.Name), Items: each(g.Items, fromItem)}
}

func (r menuGroupRow) record() catalog.MenuGroup {
	return catalog.MenuGroup{Slug: r.Slug, ID: r.ID, Name: r.Name.text(), Items: each(r.Items, itemRow.record)}
}

type itemRow struct {
	Slug        string           `json:"slug"`
	ID          string           `json:"id,omitempty"`
	Name        textRow          `json:"name,omitempty"`
	Type        catalog.ItemType `json:"type"`
	Description textRow          `json:"description,omitempty"`
	Cards       []cardRow        `json:"cards,omitempty"`
}

func fromItem(i catalog.Item) itemRow {
	return itemRow{
		Slug:        i.Slug,
		ID:          i.ID,
		Name:        fromText(i.Name),
		Type:        i.Type,
		Description: fromText(i.Description),
		Cards:       each(i.Cards, fromCard),
	}
}

func (r itemRow) record() catalog.Item {
	return catalog.Item{
		Slug:        r.Slug,
		ID:          r.ID,
		Name:        r.Name.text(),
		Type:        r.Type,
		Description: r.Description.text(),
		Cards:       each(r.Cards, cardRow.record),
	}
}

type cardRow struct {
	Title       textRow `json:"title,omitempty"`
	ID          string  `json:"id,omitempty"`
	Description textRow `json:"description,omitempty"`
	Link        string  `json:"link"`
	Image       string  `json:"image,omitempty"`
}

func fromCard(c catalog.Card) cardRow {
	return cardRow{
		Title:       fromText(c.Title),
		ID:          c.ID,
		Description: fromText(c.Description),
		Link:        c.Link,
		Image:       c.Image,
	}
}

func (r cardRow) record() catalog.Card {
	return catalog.Card{
		Title:       r.Title.text(),
		ID:          r.ID,
		Description: r.Description.text(),
		Link:        r.Link,
		Image:       r.Image,
	}
}
