package snapshot

import (
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/parallel"
	"vitrine/internal/query"
)

// apps is the list of apps, ordered by title. The key breaks ties.
type apps struct {
	*list[domain.App]
	byTitle []order // by locale.ID

	chains, platforms map[string]*roaring.Bitmap // apps by what they are filtered by
	places            map[string][]*card         // cards of an app in the order of cards.byMenu, by key of the app
}

// apps compiles the apps, from those of an earlier snapshot if it is not nil. cards are
// those of the same snapshot.
func (c *compiler) apps(previous *apps, cards *cards) apps {
	if previous == nil {
		previous = &apps{byTitle: make([]order, len(c.fallbacks))}
	}
	l, e := compileList(c, appSource(), previous.list, pointers(c.catalog.Apps, every, compareApps))
	result := apps{
		list: l, byTitle: make([]order, len(c.fallbacks)),
		chains: map[string]*roaring.Bitmap{}, platforms: map[string]*roaring.Bitmap{},
		places: cards.byApp(),
	}
	byKey := func(a, b uint32) int { return compareApps(l.records[a], l.records[b]) }
	parallel.Do(len(c.fallbacks), func(id int) {
		fallback := c.fallbacks[id]
		byTitle := c.collated(locale.ID(id), e.size, func(number uint32) string { return l.records[number].Title.Resolve(fallback) })
		result.byTitle[id] = l.updatedOrder(&previous.byTitle[id], e, directed(byTitle, byKey)(true))
	})
	for _, number := range l.byKey {
		for _, slug := range l.records[number].Chains {
			addTo(result.chains, slug, number)
		}
		for _, platform := range l.records[number].Platforms {
			addTo(result.platforms, string(platform), number)
		}
	}
	return result
}

// result answers a query that names its chain by its slug.
func (a *apps) result(q query.Apps) Result {
	var conditions []*roaring.Bitmap
	if q.Chain != "" {
		conditions = append(conditions, orEmpty(a.chains[q.Chain]))
	}
	if q.Platform != "" {
		conditions = append(conditions, orEmpty(a.platforms[string(q.Platform)]))
	}
	return a.list.result(q.List, &a.byTitle[q.Locale], conditions...)
}

// menus returns the path slugs of the menus that have a card of an app, each once, in
// the order of its cards.
func (a *apps) menus(key string) []string {
	var menus []string
	for _, card := range a.places[key] {
		if !slices.Contains(menus, card.menu) {
			menus = append(menus, card.menu)
		}
	}
	return menus
}

// Place is where a card stands.
type Place struct {
	Menu string // path slug
	Item string // slug
}

// FirstPlace returns where the first card of an app stands; false where no menu has one.
func (s *Snapshot) FirstPlace(app string) (Place, bool) {
	cards := s.apps.places[app]
	if len(cards) == 0 {
		return Place{}, false
	}
	return Place{cards[0].menu, cards[0].item}, true
}

var appShape = domain.Describe(domain.KindApp).Shape

func compareApps(a, b *domain.App) int { return strings.Compare(a.Key, b.Key) }

func appSource() source[domain.App] {
	return source[domain.App]{
		name:       "apps",
		compare:    compareApps,
		kind:       domain.Describe(domain.KindApp),
		compareKey: func(a *domain.App, key string) int { return strings.Compare(a.Key, key) },
		equal:      func(a, b *domain.App) bool { return appShape.Equal(a, b) },
		finding: func(a *domain.App) domain.Finding {
			return withHost(appShape.Finding(a), a.Link)
		},
		module:     domain.ModuleItem,
		status:     func(a *domain.App) domain.Status { return a.Status },
		encode:     encodeApp,
		text:       func(a *domain.App) domain.Text { return a.Description },
		categories: func(a *domain.App) []string { return a.Categories },
	}
}

// encodeApp encodes an app as a list has it (docs/api.md#apps).
func encodeApp(app *domain.App, w *writer, resolve func(domain.Text) string) {
	w.open('{')
	encodeAppFields(app, w, resolve)
	w.close('}')
}

func encodeAppFields(app *domain.App, w *writer, resolve func(domain.Text) string) {
	w.text("key", app.Key)
	w.text("title", resolve(app.Title))
	w.recordText("description", resolve(app.Description))
	w.text("link", app.Link)
	w.optional("image", app.Image)
	some(w, "categorySlugs", app.Categories)
	some(w, "chains", app.Chains)
	some(w, "platforms", app.Platforms)
	w.text("status", app.Status.String())
}

// encodeWhole encodes everything that there is to say of an app (docs/api.md#apps).
func (a *apps) encodeWhole(app *domain.App, w *writer, resolve func(domain.Text) string) {
	encodeAppFields(app, w, resolve)
	w.optional("launched", string(app.Launched))
	w.optional("statusSince", string(app.StatusSince))
	w.optional("statusNote", resolve(app.StatusNote))
	w.optional("successor", app.Successor)
	w.links(app.Links)
	if places := a.distinctPlaces(app.Key); len(places) > 0 {
		array(w, "menus", places, func(p Place) {
			w.open('{')
			w.text("menu", p.Menu)
			w.text("item", p.Item)
			w.text("href", "/api/open/nav/menus/"+p.Menu)
			w.close('}')
		})
	}
	some(w, "aliases", app.Aliases)
	some(w, "former", app.Former)
	w.json("extra", app.Extra)
}

// distinctPlaces returns where the cards of an app stand, each place once, in the order of
// the cards.
func (a *apps) distinctPlaces(key string) []Place {
	var places []Place
	for _, card := range a.places[key] {
		if place := (Place{card.menu, card.item}); !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	return places
}
