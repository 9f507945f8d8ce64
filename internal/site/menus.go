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
	e := entry{Title: c.Title, Description: c.Description, Host: hostOf(c.Link), Logo: v.Logo(c.Title, c.Image)}
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
	Groups []groupOfMenus
	Total  int // menus
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
	main, err := v.menus()
	if err != nil {
		return response.Document{}, err
	}
	if v.Title, err = v.T("menus.title"); err != nil {
		return response.Document{}, err
	}
	if v.Description, err = v.T("menus.lead"); err != nil {
		return response.Document{}, err
	}
	if main.Plot, err = v.appsPlot(); err != nil {
		return response.Document{}, err
	}
	v.JSON = withQuery("/api/open/nav/groups", v.asked())
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
			g.Menus = append(g.Menus, menuLine{slug, menu.Title, menu.Description, every.held[slug]})
		}
		main.Total += len(g.Menus)
		main.Groups = append(main.Groups, g)
	}
	return main, nil
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
	return nil
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
	Sections     []menuSection
	Cards, Items int // in all sections
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
	raw, ok := v.snapshot.Menu(v.segment, v.localized())
	if !ok {
		return response.Document{}, &response.Problem{Code: response.NotFound, Detail: "there is no menu " + strconv.Quote(v.segment)}
	}
	body := read[menuBody](raw)
	main, err := v.menu(body)
	if err != nil {
		return response.Document{}, err
	}
	v.address.path = "/nav/" + body.MenuSlug // a former slug leads to the present one
	v.Title, v.Description, v.Image = body.Title, body.Description, body.OGImage
	v.JSON = withQuery("/api/open/nav/menus/"+body.MenuSlug, v.asked())
	if err := v.tell([]string{"menus.title", "/nav"}, main.linked()); err != nil {
		return response.Document{}, err
	}
	return v.show("menu", main, main.twin)
}

// menu returns what a menu holds, each card with the status of its app.
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
	anchors := anchors{}
	for _, group := range append(body.Groups, menuGroup{Items: body.Standalone}) {
		s := menuSection{Name: group.Name}
		for _, one := range group.Items {
			i := item{Anchor: anchors.of(one.Slug), Name: one.Name, Description: one.Description, Link: one.Type == "link"}
			for _, card := range one.Cards {
				e, err := v.entry(card, status[card.ID])
				if err != nil {
					return menuMain{}, err
				}
				i.Entries = append(i.Entries, e)
			}
			main.Cards += len(i.Entries)
			main.Items++
			s.Items = append(s.Items, i)
		}
		main.Sections = append(main.Sections, s)
	}
	return main, nil
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
		if s.Name != "" {
			p.heading(2, plain(s.Name))
		}
		p.items(s)
	}
	return nil
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
