package site

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/query"
	"vitrine/internal/response"
)

// menuBody is a menu as the API has it.
type menuBody struct {
	MenuSlug    string      `json:"menuSlug"`
	Title       string      `json:"title"`
	Description string      `json:"description"`
	OGImage     string      `json:"ogImage"`
	Groups      []menuGroup `json:"groups"`
	Standalone  []menuItem  `json:"standalone"`
}

type menuGroup struct {
	Name  string     `json:"name"`
	Items []menuItem `json:"items"`
}

type menuItem struct {
	Name        string     `json:"name"`
	Slug        string     `json:"slug"`
	Type        string     `json:"type"`
	Description string     `json:"description"`
	Cards       []menuCard `json:"cards"`
}

// cards answers a query of cards from the API's own list.
func (v *view) cards(raw string) (cardsBody, int, error) {
	q, err := query.ParseCards(raw, v.snapshot.Locales())
	if err != nil {
		return cardsBody{}, 0, err
	}
	body, total := listOf[cardsBody](v.snapshot.Cards(q))
	return body, total, nil
}

// entry is a card as pages show it: a link as a whole, or text where its address is
// none to follow.
type entry struct {
	Title, Description string
	Link               string // "" for none to follow
	Out                bool   // it leads to another host
	Host               string
	Logo               logo
	Status, State      string // the status and its name, "" for live
	More               string // what else is to be said, "" for nothing
}

// entry returns how a card is shown whose app has a status, "" for none.
func (v *view) entry(c menuCard, status string) (entry, error) {
	e := entry{Title: c.Title, Description: cutShort(c.Description), Host: hostOf(c.Link), Logo: v.Logo(c.Title, c.Image)}
	if followable(c.Link) {
		e.Link, e.Out = c.Link, e.Host != ""
	}
	if status == "" || status == "live" {
		return e, nil
	}
	state, err := v.T("status." + status)
	e.Status, e.State = status, state
	return e, err
}

// hostOf returns the host of a link as people read it, "" for a path of the site.
func hostOf(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(u.Hostname(), "www.")
}

// menusMain is what the page of all menus shows.
type menusMain struct {
	pager
	Groups []groupOfMenus
	All    int // menus, of which some may be on other pages
	Plot   *plot
}

// groupOfMenus is a group and its menus.
type groupOfMenus struct {
	Slug, Name, Description string
	Menus                   []menuLine
}

// menuLine is a menu and what it holds.
type menuLine struct {
	Slug, Title, Description string
	Cards                    int
}

func menusPage(v *view) (response.Document, error) {
	all, err := v.menus()
	if err != nil {
		return response.Document{}, err
	}
	shown, err := v.pager(all.rows(), menusOfPage)
	if err != nil {
		return response.Document{}, err
	}
	main := all.on(shown)
	if v.Title, err = v.T("menus.title"); err != nil {
		return response.Document{}, err
	}
	if v.Description, err = v.T("menus.lead"); err != nil {
		return response.Document{}, err
	}
	if v.query == "" {
		if main.Plot, err = v.appsPlot(); err != nil {
			return response.Document{}, err
		}
	}
	v.JSON = withQuery("/api/open/nav/groups", v.inLanguage())
	if err := v.tell(nil, main.linked(v)); err != nil {
		return response.Document{}, err
	}
	return v.show("menus", main, main.twin)
}

// menus returns the groups of all menus, with how many cards each menu holds.
func (v *view) menus() (menusMain, error) {
	every, err := v.everyCard()
	if err != nil {
		return menusMain{}, err
	}
	var main menusMain
	for _, group := range v.Nav {
		g := groupOfMenus{Slug: group.Slug, Name: group.Name, Description: group.Description}
		for _, menu := range group.Navs {
			slug := strings.TrimPrefix(menu.Href, "/nav/")
			g.Menus = append(g.Menus, menuLine{slug, menu.Title, cutShort(menu.Description), every.held[slug]})
		}
		main.All += len(g.Menus)
		main.Groups = append(main.Groups, g)
	}
	return main, nil
}

// rows returns how many rows the groups take: one a menu, or one for a group that has none.
func (m menusMain) rows() int {
	n := 0
	for _, group := range m.Groups {
		n += max(1, len(group.Menus))
	}
	return n
}

// on returns the part of all menus that is on a page.
func (m menusMain) on(shown pager) menusMain {
	part := menusMain{pager: shown, All: m.All}
	row := 0
	for _, group := range m.Groups {
		first, last := shown.has(row, row+max(1, len(group.Menus)))
		row += max(1, len(group.Menus))
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

func (m menusMain) twin(p *page) error {
	for _, group := range m.Groups {
		p.heading(2, plain(group.Name))
		p.paragraph(plain(group.Description))
		var menus []inline
		for _, menu := range group.Menus {
			held, err := p.view.T("menus.held", "n", menu.Cards)
			if err != nil {
				return err
			}
			menus = append(menus, sentence(p.pageLink(menu.Title, "/nav/"+menu.Slug), plain(menu.Description), plain(held)))
		}
		p.list(menus...)
	}
	words, err := p.texts("cards.title")
	if err != nil {
		return err
	}
	p.list("[" + words[0] + "](" + inline(p.view.Absolute(twin(p.view.At("/cards")))) + ")")
	return p.pages(m.pager)
}

// sentence joins what a line of a list says.
func sentence(parts ...inline) inline {
	var said []string
	for _, part := range parts {
		if part != "" {
			said = append(said, string(part))
		}
	}
	return inline(strings.Join(said, " — "))
}

// menuMain is what the page of a menu shows.
type menuMain struct {
	pager
	Sections []menuSection
	Cards    int // of the menu, of which some may be on other pages
	Items    int // here
}

// menuSection is a group of a menu, or what stands in none, which is last and has no name.
type menuSection struct {
	Name  string
	Items []item
}

// HasLinks reports whether some items are links.
func (s menuSection) HasLinks() bool {
	return slices.ContainsFunc(s.Items, func(i item) bool { return i.Link })
}

// item is a category of cards, or a link, which has one.
type item struct {
	Anchor, Name, Description string
	Link                      bool
	Entries                   []entry
}

func menuPage(v *view) (response.Document, error) {
	raw, ok := v.snapshot.Menu(query.Slug(v.segment), v.localized())
	if !ok {
		return response.Document{}, &response.Problem{Code: response.NotFound, Detail: "there is no menu " + strconv.Quote(v.segment)}
	}
	body := read[menuBody](raw)
	v.address.path = "/nav/" + body.MenuSlug // a former slug leads to the present one
	main, err := v.menu(body)
	if err != nil {
		return response.Document{}, err
	}
	v.Title, v.Description, v.Image = body.Title, body.Description, body.OGImage
	v.JSON = withQuery("/api/open/nav/menus/"+body.MenuSlug, v.inLanguage())
	if err := v.tell([]string{"menus.title", "/nav"}, main.linked()); err != nil {
		return response.Document{}, err
	}
	return v.show("menu", main, main.twin)
}

// rows returns how many rows an item takes on the pages of its menu.
func (i menuItem) rows() int { return max(1, len(i.Cards)) }

// menu returns what this page has of a menu, each card with the status of its app.
func (v *view) menu(body menuBody) (menuMain, error) {
	listed, _, err := v.cards(url.Values{"menu": {body.MenuSlug}, "status": {"all"}}.Encode())
	if err != nil {
		return menuMain{}, err
	}
	status := map[string]string{}
	for _, card := range listed.Cards {
		status[card.ID] = card.Status
	}
	var main menuMain
	groups, rows := append(body.Groups, menuGroup{Items: body.Standalone}), 0
	for _, group := range groups {
		for _, one := range group.Items {
			rows += one.rows()
			main.Cards += len(one.Cards)
		}
	}
	if main.pager, err = v.pager(rows, cardsOfPage); err != nil {
		return menuMain{}, err
	}
	anchors, row := anchors{}, 0
	for _, group := range groups {
		s := menuSection{Name: group.Name}
		for _, one := range group.Items {
			i := item{Anchor: anchors.of(one.Slug), Name: one.Name, Description: cutShort(one.Description), Link: one.Type == "link"}
			first, last := main.has(row, row+one.rows())
			row += one.rows()
			if first >= last {
				continue
			}
			for _, card := range one.Cards[min(first, len(one.Cards)):min(last, len(one.Cards))] {
				e, err := v.entry(card, status[card.ID])
				if err != nil {
					return menuMain{}, err
				}
				i.Entries = append(i.Entries, e)
			}
			main.Items++
			s.Items = append(s.Items, i)
		}
		main.Sections = append(main.Sections, s)
	}
	return main, nil
}

// placeOfItem is where an item stands on the page, or the first one, of its menu. It is a
// path without a locale.
func placeOfItem(menu, item string) string { return "/nav/" + menu + "#" + url.PathEscape(item) }

// offsetsOf adds the offsets of the pages of a menu on which its items begin, but for
// those on the first page.
func (v *view) offsetsOf(menu string, offsets map[string]int) {
	raw, ok := v.snapshot.Menu(menu, v.localized())
	if !ok {
		return
	}
	body, row := read[menuBody](raw), 0
	for _, group := range append(body.Groups, menuGroup{Items: body.Standalone}) {
		for _, one := range group.Items {
			if offset := row / cardsOfPage * cardsOfPage; offset > 0 {
				offsets[placeOfItem(menu, one.Slug)] = offset
			}
			row += one.rows()
		}
	}
}

// itemPath returns the path of an item of a menu, on the page of the menu where it begins.
func (v *view) itemPath(menu, item string) (string, error) {
	every, err := v.everyCard()
	if err != nil {
		return "", err
	}
	place := placeOfItem(menu, item)
	path := v.At(place)
	if offset, ok := every.offsets[place]; ok {
		before, after, _ := strings.Cut(path, "#")
		path = withQuery(before, "offset="+strconv.Itoa(offset)) + "#" + after
	}
	return path, nil
}

// anchors are the names of places of a page: each is there once, and none is one that
// every page has.
type anchors map[string]bool

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

func (m menuMain) twin(p *page) error {
	for _, s := range m.Sections {
		if s.Name != "" && len(s.Items) > 0 {
			p.heading(2, plain(s.Name))
		}
		p.items(s)
	}
	return p.pages(m.pager)
}

// items adds the items of a section: those of cards with a heading, links as a list.
func (p *page) items(s menuSection) {
	level := 3
	if s.Name == "" {
		level = 2
	}
	var links []inline
	for _, item := range s.Items {
		lines := make([]inline, len(item.Entries))
		for i, e := range item.Entries {
			lines[i] = p.entry(e)
		}
		if item.Link {
			for _, line := range lines {
				links = append(links, sentence(plain(item.Name), line))
			}
			continue
		}
		p.heading(level, plain(item.Name))
		p.paragraph(plain(item.Description))
		p.list(lines...)
	}
	p.list(links...)
}

// entry is a card as an item of a list.
func (p *page) entry(e entry) inline {
	title := plain(e.Title)
	if e.Link != "" {
		title = link(e.Title, e.Link)
	}
	return sentence(title, plain(e.State), plain(e.Description))
}
