package site

import (
	"net/url"
	"slices"
	"strconv"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// menusMain is the data of the list of menus.
type menusMain struct {
	pager
	Groups []menusOfGroup
	All    int // menus on all pages
	Chart  *chart
}

// menusOfGroup is a nav group with its menus.
type menusOfGroup struct {
	Name, Description string
	Menus             []menuLine
}

// menuLine is a menu with its number of cards.
type menuLine struct {
	Path, Title, Description string
	Cards                    int
}

func menusPage(v *view) error {
	all := v.menus()
	shown, err := v.paged(all.rows(), menusOfPage)
	if err != nil {
		return err
	}
	m := all.on(shown)
	if v.query == "" {
		m.Chart = v.appsChart()
	}
	v.Title, v.Description, v.JSON, v.Main = v.T("title.menus"), v.T("menus.lead"), withQuery("/api/open/nav/groups", v.inLanguage()), m
	var entries []entry
	for _, group := range m.Groups {
		for _, menu := range group.Menus {
			entries = append(entries, entry{Title: menu.Title, Link: menu.Path})
		}
	}
	v.link(itemList(v, entries))
	return nil
}

// inLanguage returns the query string of the API for the locale of this page.
func (v *view) inLanguage() string { return "locale=" + v.snapshot.Locales().Name(v.locale) }

// menus returns all menus by nav group.
func (v *view) menus() menusMain {
	counts := v.cardIndex().byMenu
	var m menusMain
	for _, group := range v.Nav {
		g := menusOfGroup{Name: group.Name, Description: group.Description}
		for _, menu := range group.Navs {
			g.Menus = append(g.Menus, menuLine{v.At(menu.Href), menu.Title, cutShort(menu.Description), counts[slugOf(menu)]})
		}
		m.All += len(g.Menus)
		m.Groups = append(m.Groups, g)
	}
	return m
}

// rows returns the number of rows of the groups: one for each menu, or one for a group
// without menus.
func (m menusMain) rows() int {
	n := 0
	for _, group := range m.Groups {
		n += max(1, len(group.Menus))
	}
	return n
}

// on returns the part of all menus on a page.
func (m menusMain) on(shown pager) menusMain {
	part := menusMain{pager: shown, All: m.All}
	row := 0
	for _, group := range m.Groups {
		rows := max(1, len(group.Menus))
		first, last := shown.part(row, row+rows)
		row += rows
		if first >= last {
			continue
		}
		if len(group.Menus) > 0 {
			group.Menus = group.Menus[first:last]
		}
		group.Description = cutShort(group.Description)
		part.Groups = append(part.Groups, group)
	}
	return part
}

// menuMain is the data of the page of a menu.
type menuMain struct {
	pager
	Sections []menuSection
	Cards    int // of the menu, on all pages
	Items    int // on this page
}

// menuSection is a menu group; the last one has the items without a group and no name.
type menuSection struct {
	Name  string
	Items []menuItem
}

// HasLinks reports whether the section has links.
func (s menuSection) HasLinks() bool {
	return slices.ContainsFunc(s.Items, func(i menuItem) bool { return i.Link })
}

// menuItem is a category of cards, or a link, which has one card.
type menuItem struct {
	Anchor, Name, Description string
	Link                      bool
	Entries                   []entry
}

func menuPage(v *view) error {
	menu := v.snapshot.MenuView(query.Slug(v.segment), v.locale)
	if menu == nil {
		return &response.Problem{Code: response.NotFound, Detail: "there is no menu " + strconv.Quote(v.segment)}
	}
	v.address.path = "/nav/" + menu.Slug // also for a former slug
	groups := groupsOf(menu)
	rows, m := 0, menuMain{}
	for _, group := range groups {
		for _, item := range group.Items {
			rows += rowsOf(item)
			m.Cards += len(item.Cards)
		}
	}
	var err error
	if m.pager, err = v.paged(rows, cardsOfPage); err != nil {
		return err
	}
	entries := m.addSections(v, menu.Slug, groups)
	v.Title, v.Description, v.Image, v.Main = menu.Title, menu.Description, menu.OGImage, m
	v.JSON = withQuery("/api/open/nav/menus/"+menu.Slug, v.inLanguage())
	v.Edit = v.snapshot.EditURL(domain.KindMenu, menu.Slug)
	v.link(itemList(v, entries), menus)
	return nil
}

// groupsOf returns the groups of a menu. The last one has the items without a group.
func groupsOf(menu *snapshot.Menu) []snapshot.MenuGroup {
	return append(slices.Clip(menu.Groups), snapshot.MenuGroup{Items: menu.Standalone})
}

// rowsOf returns the number of rows of an item on the pages of its menu.
func rowsOf(item snapshot.MenuItem) int { return max(1, len(item.Cards)) }

// addSections adds the items on the page with the status of the app of each card, and
// returns their cards.
func (m *menuMain) addSections(v *view, slug string, groups []snapshot.MenuGroup) (entries []entry) {
	status := map[string]domain.Status{}
	asked := query.List{Kind: query.KindCard, Locale: v.locale, Status: query.StatusAll, Filters: []query.Filter{{Name: "menu", Value: slug}}}
	for _, card := range snapshot.Rows[snapshot.CardRow](v.snapshot, asked).Rows {
		status[card.ID] = card.Status
	}
	anchors, row := anchors{}, 0
	for _, group := range groups {
		s := menuSection{Name: group.Name}
		for _, item := range group.Items {
			i := menuItem{Anchor: anchors.of(item.Slug), Name: item.Name, Description: cutShort(item.Description), Link: item.Type == domain.ItemLink}
			first, last := m.part(row, row+rowsOf(item))
			row += rowsOf(item)
			if first >= last {
				continue
			}
			for _, card := range item.Cards[min(first, len(item.Cards)):min(last, len(item.Cards))] {
				i.Entries = append(i.Entries, v.cardEntry(card, status[card.ID]))
			}
			entries = append(entries, i.Entries...)
			m.Items++
			s.Items = append(s.Items, i)
		}
		m.Sections = append(m.Sections, s)
	}
	return entries
}

// anchors are the IDs of the elements of a page, each of which is unique.
type anchors map[string]bool

// of returns an unused ID for a slug. All pages have some IDs.
func (a anchors) of(slug string) string {
	if len(a) == 0 {
		for _, taken := range []string{"main", "find", "title"} {
			a[taken] = true
		}
	}
	name := slug
	for n := 2; a[name]; n++ {
		name = slug + "-" + strconv.Itoa(n)
	}
	a[name] = true
	return name
}

// anchorOf returns the fragment for an ID.
func anchorOf(id string) string { return url.PathEscape(id) }
