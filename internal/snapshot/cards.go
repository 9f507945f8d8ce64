package snapshot

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/search"
)

// card is a card of a menu with the values of its app, its id and its place.
type card struct {
	*domain.Card
	menu, item string        // path slug, slug
	menuRank   int           // of its menu among all
	position   int           // in the menu
	status     domain.Status // of its app
	links      []domain.Link // of its app
}

var cardShape = domain.CardShape()

// cardSource describes the list of the cards of all menus.
func (c *compiler) cardSource() source[card, CardRow] {
	return source[card, CardRow]{
		kind:      query.KindCard,
		name:      "cards",
		module:    domain.ModuleItem,
		recordsOf: func(c *compiler) (listed, whole []*card) { return pointers(c.cards), nil },
		key:       func(c *card) string { return c.ID },
		compare:   compareCards,
		equal: func(a, b *card) bool {
			return a.item == b.item && a.menuRank == b.menuRank && a.position == b.position && a.status == b.status &&
				slices.Equal(a.links, b.links) && cardShape.Equal(a.Card, b.Card)
		},
		document:   func(c *card) search.Document { return withHost(cardShape.Finding(c.Card), c.Link) },
		status:     func(c *card) domain.Status { return c.status },
		categories: func(c *card) []string { return c.Categories },
		values: map[string]func(*card) []string{
			"menu":  func(c *card) []string { return []string{c.menu} },
			"chain": func(c *card) []string { return c.Chains },
		},
		orderings: []ordering[card]{
			{sort: query.SortMenu, ascending: true, compare: comparePlaces},
			{sort: query.SortTitle, ascending: true, text: func(c *card, in language) string { return in.text(c.Title) }},
		},
		ties: comparePlaces,
		row:  cardRow, pictured: true,
		text: func(c *card) domain.Text { return c.Description },
		result: func(c *card) searchRecord {
			return searchRecord{key: c.ID, title: c.Title, description: c.Description, image: c.Image, url: c.Link, href: menuPath + c.menu}
		},
		isResult: func(c *card) bool { return c.App == "" }, // else the app is a result
	}
}

// allCards returns the cards of all menus by place.
func (c *compiler) allCards() []card {
	var all []card
	for _, menu := range sorted(pointers(c.menus), c.compareMenus) {
		position := 0
		for place, of := range menu.Places() {
			one := card{Card: of, menu: menu.PathSlug, item: place.Item, menuRank: c.menuRanks[menu.PathSlug], position: position}
			if app := c.appsByKey[one.App]; app != nil {
				one.status, one.links = app.Status, app.Links
			}
			all = append(all, one)
			position++
		}
	}
	return all
}

// cardsByApp returns the cards of each app by place, by key of the app.
func cardsByApp(cards []card) map[string][]*card {
	all := map[string][]*card{}
	for i := range cards {
		if app := cards[i].App; app != "" {
			all[app] = append(all[app], &cards[i])
		}
	}
	return all
}

// compareCards compares cards by the keys that identify them: ids are unique in a menu.
func compareCards(a, b *card) int {
	return cmp.Or(strings.Compare(a.menu, b.menu), strings.Compare(a.ID, b.ID))
}

func comparePlaces(a, b *card) int {
	return cmp.Or(cmp.Compare(a.menuRank, b.menuRank), cmp.Compare(a.position, b.position))
}

// withHost returns the document of a record with the host of its link as a text.
func withHost(document domain.Finding, link string) search.Document {
	if host := hostOf(link); host != "" {
		document.Texts = append(document.Texts, host)
	}
	return search.Document(document)
}

// hostOf returns the host of a link, without its port; "" for a path of the site.
func hostOf(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// cardRow returns the view of a card in the list of all cards (docs/api.md#cards).
func cardRow(c *card, in language) CardRow {
	row := CardRow{
		MenuCard: menuCard(c.Card, in), Menu: c.menu, Item: c.item, App: c.App,
		Categories: c.Categories, Chains: c.Chains, Platforms: c.Platforms, Links: links(c.links), Extra: c.Extra,
	}
	if c.App != "" {
		row.Status = cmp.Or(c.status, domain.StatusLive)
	}
	return row
}

// ItemOfCard returns the slug of the item with a card of a menu, "" if there is none.
func (s *Snapshot) ItemOfCard(menu, id string) string {
	item, _ := s.nav.card(menu, id)
	return item
}

// card returns a card of a menu and the slug of its item, an empty card if there is none.
func (n *nav) card(menu, id string) (item string, card *domain.Card) {
	for place, card := range cmp.Or(n.menus[menu], new(domain.Menu)).Places() {
		if card.ID == id {
			return place.Item, card
		}
	}
	return "", new(domain.Card)
}
