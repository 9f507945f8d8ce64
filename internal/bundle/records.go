package bundle

import (
	"vitrine/internal/catalog"
)

// decode adds to c what a document (or, of a long list, one record) of a kind
// of file says.
func (d *decoder) decode(of catalog.Kind, n *node, c *catalog.Catalog) {
	switch of {
	case catalog.KindCatalog:
		d.catalog(n, c)
	case catalog.KindCategory:
		d.categories(n, c)
	case catalog.KindChain:
		c.Chains = append(c.Chains, d.chain(n))
	case catalog.KindAccount:
		c.Accounts = append(c.Accounts, d.account(n))
	case catalog.KindChannel:
		c.Channels = append(c.Channels, d.channel(n))
	case catalog.KindNavGroup:
		d.nav(n, c)
	case catalog.KindMenu:
		c.Menus = append(c.Menus, d.menu(n))
	}
}

// document begins to decode a map that is a whole file; an empty file is an
// empty map, and `$schema` is for the editor's program. List names the field
// that a bare list probably is, "" for none.
func (d *decoder) document(n *node, what, list string) *fields {
	if n.kind == null {
		return &fields{d: d}
	}
	if d.bareList(n, what, list) {
		return &fields{d: d}
	}
	m := d.object(n, what)
	m.known = append(m.known, "$schema")
	return m
}

func (d *decoder) catalog(n *node, c *catalog.Catalog) {
	m := d.document(n, "a map with title, default_locale and locales", "")
	c.DefaultLocale = d.string(m.field("default_locale"))
	if c.DefaultLocale != "" {
		d.locale = c.DefaultLocale
	}
	c.Title = d.localised(m.field("title"))
	c.Locales = d.strings(m.field("locales"))
	c.LinkSchemes = d.strings(m.field("link_schemes"))
	for _, item := range d.records(m.field("accept")) {
		c.Accept = append(c.Accept, d.acceptance(item))
	}
	m.done()
}

func (d *decoder) acceptance(n *node) catalog.Acceptance {
	m := d.object(n, "a map with rule, kind, key, locale and reason")
	defer m.done()
	return catalog.Acceptance{
		Rule:   catalog.Rule(d.string(m.field("rule"))),
		Kind:   catalog.Kind(d.string(m.field("kind"))),
		Key:    d.string(m.field("key")),
		Locale: d.string(m.field("locale")),
		Reason: d.string(m.field("reason")),
	}
}

func (d *decoder) categories(n *node, c *catalog.Catalog) {
	m := d.document(n, "a map with groups and categories", "categories")
	if d.loneIn(m, "categories", func(d *decoder, n *node) { d.category(n) }) || d.loneIn(m, "groups", func(d *decoder, n *node) { d.group(n) }) {
		return
	}
	for _, item := range d.records(m.field("groups")) {
		c.Groups = append(c.Groups, d.group(item))
	}
	for _, item := range d.records(m.field("categories")) {
		c.Categories = append(c.Categories, d.category(item))
	}
	m.done()
}

func (d *decoder) group(n *node) catalog.Group {
	m := d.object(n, "a group")
	defer m.done()
	return catalog.Group{
		Key:      d.string(m.field("key")),
		Module:   catalog.Module(d.string(m.field("module"))),
		Name:     d.localised(m.field("name")),
		Priority: d.number(m.field("priority")),
	}
}

func (d *decoder) category(n *node) catalog.Category {
	m := d.object(n, "a category")
	defer m.done()
	return catalog.Category{
		Key:         d.string(m.field("key")),
		Name:        d.localised(m.field("name")),
		Description: d.localised(m.field("description")),
		Parent:      d.string(m.field("parent")),
		Priority:    d.number(m.field("priority")),
		Scopes:      d.modules(m.field("scopes")),
		Groups:      d.moduleGroups(m.field("groups")),
	}
}

func (d *decoder) modules(n *node) []catalog.Module {
	var out []catalog.Module
	for _, s := range d.strings(n) {
		out = append(out, catalog.Module(s))
	}
	return out
}

func (d *decoder) moduleGroups(n *node) []catalog.ModuleGroups {
	if n == nil || n.kind == null {
		return nil
	}
	if n.kind != object {
		d.wrongType(n, "a map from scope to group keys", "write {chain: [group-key]}")
		return nil
	}
	d.uniqueKeys(n)
	var out []catalog.ModuleGroups
	for i, key := range n.keys {
		if n.at(key.text) == i {
			out = append(out, catalog.ModuleGroups{Module: catalog.Module(key.text), Keys: d.strings(n.items[i])})
		}
	}
	return out
}

func (d *decoder) chain(n *node) catalog.Chain {
	m := d.object(n, "a chain")
	defer m.done()
	return catalog.Chain{
		Slug:       d.string(m.field("slug")),
		Name:       d.localised(m.field("name")),
		ChainID:    d.chainID(m.field("chain_id")),
		ID:         d.string(m.field("id")),
		Logo:       d.link(m.field("logo")),
		Categories: d.strings(m.field("categories")),
		TVL:        d.figure(m.field(string(catalog.FigureTVL)), false),
		Platforms:  d.figure(m.field(string(catalog.FigurePlatforms)), true),
		Aliases:    d.strings(m.field("aliases")),
	}
}

func (d *decoder) account(n *node) catalog.Account {
	m := d.object(n, "an account")
	defer m.done()
	return catalog.Account{
		Handle:      withoutAt(d.string(m.field("handle"))),
		Name:        d.string(m.field("name")),
		Description: d.localised(m.field("description")),
		Categories:  d.strings(m.field("categories")),
		Followers:   d.figure(m.field(string(catalog.FigureFollowers)), true),
	}
}

// withoutAt drops a leading @ of a handle (contract, "The catalogue directory").
func withoutAt(handle string) string {
	if len(handle) > 0 && handle[0] == '@' {
		return handle[1:]
	}
	return handle
}

func (d *decoder) channel(n *node) catalog.Channel {
	m := d.object(n, "a channel")
	defer m.done()
	return catalog.Channel{
		ChannelID:   d.string(m.field("channel_id")),
		Name:        d.string(m.field("name")),
		Description: d.localised(m.field("description")),
		Categories:  d.strings(m.field("categories")),
	}
}

func (d *decoder) nav(n *node, c *catalog.Catalog) {
	m := d.document(n, "a map with groups", "groups")
	if d.loneIn(m, "groups", func(d *decoder, n *node) { d.navGroup(n) }) {
		return
	}
	for _, item := range d.records(m.field("groups")) {
		c.NavGroups = append(c.NavGroups, d.navGroup(item))
	}
	m.done()
}

func (d *decoder) navGroup(n *node) catalog.NavGroup {
	m := d.object(n, "a group of menus")
	defer m.done()
	g := catalog.NavGroup{
		Key:         d.string(m.field("key")),
		Slug:        d.string(m.field("slug")),
		Name:        d.localised(m.field("name")),
		Description: d.localised(m.field("description")),
		Menus:       d.strings(m.field("menus")),
	}
	if g.Slug == "" {
		g.Slug = g.Key
	}
	return g
}

// menu decodes a menu but for its path slug, which is the name of its file.
func (d *decoder) menu(n *node) catalog.Menu {
	m := d.document(n, "a map with title, groups and standalone", "")
	defer m.done()
	menu := catalog.Menu{
		Title:       d.localised(m.field("title")),
		Description: d.localised(m.field("description")),
		OGImage:     d.link(m.field("og_image")),
		BlogSlugs:   d.strings(m.field("blog_slugs")),
	}
	for _, item := range d.records(m.field("groups")) {
		menu.Groups = append(menu.Groups, d.menuGroup(item))
	}
	menu.Standalone = d.items(m.field("standalone"))
	return menu
}

func (d *decoder) menuGroup(n *node) catalog.MenuGroup {
	m := d.object(n, "a group of items")
	defer m.done()
	return catalog.MenuGroup{
		Slug:  d.string(m.field("slug")),
		ID:    d.string(m.field("id")),
		Name:  d.localised(m.field("name")),
		Items: d.items(m.field("items")),
	}
}

func (d *decoder) items(n *node) []catalog.Item {
	var out []catalog.Item
	for _, item := range d.records(n) {
		out = append(out, d.item(item))
	}
	return out
}

func (d *decoder) item(n *node) catalog.Item {
	m := d.object(n, "an item")
	defer m.done()
	item := catalog.Item{
		Slug:        d.string(m.field("slug")),
		ID:          d.string(m.field("id")),
		Name:        d.localised(m.field("name")),
		Type:        catalog.ItemType(d.string(m.field("type"))),
		Description: d.localised(m.field("description")),
	}
	if item.Type == "" {
		item.Type = catalog.ItemCategory
	}
	for _, card := range d.records(m.field("cards")) {
		item.Cards = append(item.Cards, d.card(card))
	}
	return item
}

func (d *decoder) card(n *node) catalog.Card {
	m := d.object(n, "a card")
	defer m.done()
	return catalog.Card{
		Title:       d.localised(m.field("title")),
		ID:          d.string(m.field("id")),
		Description: d.localised(m.field("description")),
		Link:        d.link(m.field("link")),
		Image:       d.link(m.field("image")),
	}
}
