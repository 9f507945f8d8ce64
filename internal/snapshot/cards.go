package snapshot

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/parallel"
	"vitrine/internal/query"
)

// card is a card of a menu with what it takes from its app, its id, and where it
// stands.
type card struct {
	domain.Card
	menu, item string        // path slug, slug
	menuRank   int           // of its menu among all
	position   int           // in the menu
	status     domain.Status // of its app
	links      []domain.Link // of its app
}

// cards is the list of the cards of all menus, and its orders.
type cards struct {
	*list[card]
	byMenu  order
	byTitle []order // by locale.ID

	menus, chains map[string]*roaring.Bitmap // cards by what they are filtered by
	appless       *roaring.Bitmap            // those that have no app
}

// cards compiles the cards of all menus, from those of an earlier snapshot if it is
// not nil.
func (c *compiler) cards(previous *cards) cards {
	if previous == nil {
		previous = &cards{byTitle: make([]order, len(c.fallbacks))}
	}
	all := c.allCards()
	l, e := compileList(c, cardSource(), previous.list, pointers(all, every, compareCards))
	byPlace := func(a, b uint32) int { return comparePlaces(l.records[a], l.records[b]) }
	result := cards{
		list: l, byMenu: l.updatedOrder(&previous.byMenu, e, byPlace), byTitle: make([]order, len(c.fallbacks)),
		menus: map[string]*roaring.Bitmap{}, chains: map[string]*roaring.Bitmap{}, appless: roaring.New(),
	}
	parallel.Do(len(c.fallbacks), func(id int) {
		fallback := c.fallbacks[id]
		byTitle := c.collated(locale.ID(id), e.size, func(number uint32) string { return l.records[number].Title.Resolve(fallback) })
		result.byTitle[id] = l.updatedOrder(&previous.byTitle[id], e, directed(byTitle, byPlace)(true))
	})
	for _, number := range l.byKey {
		addTo(result.menus, l.records[number].menu, number)
		if l.records[number].App == "" {
			result.appless.Add(number)
		}
		for _, slug := range l.records[number].Chains {
			addTo(result.chains, slug, number)
		}
	}
	return result
}

// allCards returns the cards of all menus in no particular order.
func (c *compiler) allCards() []card {
	var all []card
	for _, menu := range c.menus {
		position := 0
		add := func(items []domain.Item) {
			for _, item := range items {
				for _, each := range item.Cards {
					one := card{Card: each, menu: menu.PathSlug, item: item.Slug, menuRank: c.menuRanks[menu.PathSlug], position: position}
					if app := c.appsByKey[each.App]; app != nil {
						one.status, one.links = app.Status, app.Links
					}
					all = append(all, one)
					position++
				}
			}
		}
		for _, group := range menu.Groups {
			add(group.Items)
		}
		add(menu.Standalone)
	}
	return all
}

// compareCards orders cards by what they are known by: ids are unique in a menu.
func compareCards(a, b *card) int {
	return cmp.Or(strings.Compare(a.menu, b.menu), strings.Compare(a.ID, b.ID))
}

func comparePlaces(a, b *card) int {
	return cmp.Or(cmp.Compare(a.menuRank, b.menuRank), cmp.Compare(a.position, b.position))
}

var cardShape = domain.CardShape()

func cardSource() source[card] {
	return source[card]{
		name:    "cards",
		compare: compareCards,
		equal: func(a, b *card) bool {
			return a.item == b.item && a.menuRank == b.menuRank && a.position == b.position && a.status == b.status &&
				slices.Equal(a.links, b.links) && cardShape.Equal(&a.Card, &b.Card)
		},
		finding: func(c *card) domain.Finding {
			return withHost(cardShape.Finding(&c.Card), c.Link)
		},
		module:     domain.ModuleItem,
		status:     func(c *card) domain.Status { return c.status },
		encode:     encodeListedCard,
		text:       func(c *card) domain.Text { return c.Description },
		categories: func(c *card) []string { return c.Categories },
	}
}

// withHost adds the host of a link to what a record is found by.
func withHost(found domain.Finding, link string) domain.Finding {
	if host := hostOf(link); host != "" {
		found.Texts = append(found.Texts, host)
	}
	return found
}

// byApp returns the cards of each app in the default order, by key of the app.
func (c *cards) byApp() map[string][]*card {
	all := map[string][]*card{}
	for _, number := range c.byMenu.numbers {
		if one := c.records[number]; one.App != "" {
			all[one.App] = append(all[one.App], one)
		}
	}
	return all
}

// hostOf returns the host of a link, without its port; "" for a path of the site.
func hostOf(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// encodeListedCard encodes a card and where it stands (docs/api.md#cards).
func encodeListedCard(c *card, w *writer, resolve func(domain.Text) string) {
	w.open('{')
	w.text("id", c.ID)
	w.text("title", resolve(c.Title))
	w.recordText("description", resolve(c.Description))
	w.text("link", c.Link)
	w.nullable("image", c.Image)
	w.text("menu", c.menu)
	w.text("item", c.item)
	w.optional("app", c.App)
	some(w, "categorySlugs", c.Categories)
	some(w, "chains", c.Chains)
	some(w, "platforms", c.Platforms)
	if c.App != "" {
		w.text("status", c.status.String())
	}
	w.links(c.links)
	w.json("extra", c.Extra)
	w.close('}')
}

// result answers a query that names its menu and chain by their keys.
func (c *cards) result(q query.Cards) Result {
	o := &c.byMenu
	if q.Sort == query.SortTitle {
		o = &c.byTitle[q.Locale]
	}
	var conditions []*roaring.Bitmap
	if q.Menu != "" {
		conditions = append(conditions, orEmpty(c.menus[q.Menu]))
	}
	if q.Chain != "" {
		conditions = append(conditions, orEmpty(c.chains[q.Chain]))
	}
	return c.list.result(q.List, o, conditions...)
}
