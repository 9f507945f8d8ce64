package site

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"weak"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// perSnapshot caches a value for each locale of the latest snapshot. It does not keep the
// snapshot in memory. It is safe for concurrent use.
type perSnapshot[T any] struct {
	mu       sync.Mutex
	snapshot weak.Pointer[snapshot.Snapshot]
	byLocale map[locale.ID]T
}

// of returns the value for a snapshot and locale. It calls create on a cache miss, while
// other callers wait.
func (p *perSnapshot[T]) of(s *snapshot.Snapshot, id locale.ID, create func() T) T {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.snapshot.Value() != s {
		p.snapshot, p.byLocale = weak.Make(s), map[locale.ID]T{}
	}
	value, ok := p.byLocale[id]
	if !ok {
		value = create()
		p.byLocale[id] = value
	}
	return value
}

// cached returns the value for a snapshot and locale, the zero value if there is none.
func (p *perSnapshot[T]) cached(s *snapshot.Snapshot, id locale.ID) T {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.snapshot.Value() != s {
		var none T
		return none
	}
	return p.byLocale[id]
}

// common is the data that most pages of a locale share. It is read only.
type common struct {
	words      *dictionary // with those of the catalogue
	site       snapshot.SiteView
	meta       snapshot.Meta
	nav        []snapshot.NavGroup
	categories []snapshot.Category                        // in the order of the registry
	labels     map[string]string                          // names of categories by key
	groups     map[domain.Module]map[string]string        // keys of dimension groups by category
	dimensions map[domain.Module][]snapshot.CategoryGroup // in their order
	byApp      map[string]int                             // numbers of apps that are not retired, by category
	has        map[string]bool                            // the parts of the site that have content; see [view.Has]
}

func newCommon(s *snapshot.Snapshot, id locale.ID, words *dictionaries) *common {
	site := s.SiteView(id)
	c := &common{
		words: words.of(s.Locales().Name(id)).with(s.Locales().Name(id), site.Words), site: site,
		meta: *s.MetaView(id), nav: s.NavGroupsView(id).Groups, categories: s.CategoriesView(query.Categories{Locale: id}),
		byApp: countsOf(s, apps, id), labels: map[string]string{}, groups: map[domain.Module]map[string]string{}, dimensions: map[domain.Module][]snapshot.CategoryGroup{},
	}
	c.has = map[string]bool{
		menus.name:   c.meta.Counts.Menus > 0,
		"categories": c.meta.Counts.Categories > 0, "news": len(s.News(id)) > 0,
	}
	for _, of := range sections() {
		if of != cards {
			c.has[of.name] = s.List(query.List{Kind: of.kind, Locale: id, Status: query.StatusAll, Unlisted: true}).Total > 0
		}
	}
	for _, figure := range c.meta.Figures {
		c.has[string(figure.Figure)] = true
	}
	for _, category := range c.categories {
		c.labels[category.Key] = category.Name
	}
	for _, module := range domain.Modules() {
		groups := map[string]string{}
		for _, category := range s.FullCategoriesView(module) {
			groups[category.Key] = category.GroupKey
		}
		c.groups[module] = groups
		c.dimensions[module] = s.CategoryGroupsView(query.CategoryGroups{Locale: id, Module: module}).Groups
	}
	return c
}

// cardIndex sums up all cards in one locale.
type cardIndex struct {
	byMenu  map[string]int // number of cards that are not retired, by menu
	on      chainIndex
	menus   []selectable
	offsets map[string]int // of items that are not on the first page of their menu, by place; see [placeOfItem]
}

// cardIndex returns the index of all cards in the locale of a view.
func (v *view) cardIndex() *cardIndex {
	return v.site.cards.of(v.snapshot, v.locale, func() *cardIndex {
		index := &cardIndex{
			byMenu: v.snapshot.FilterCounts(v.one(query.KindCard, ""), "menu"), on: v.newChainIndex(query.KindCard),
			menus: v.menuChoices(), offsets: map[string]int{},
		}
		for _, menu := range index.menus {
			if menu.Records >= cardsOfPage { // with its empty items it may have a second page
				v.addOffsets(menu.Value, index.offsets)
			}
		}
		return index
	})
}

// addOffsets adds the offsets of the pages of a menu on which its items begin, except for
// the first page.
func (v *view) addOffsets(slug string, offsets map[string]int) {
	menu, row := v.snapshot.MenuView(slug, v.locale), 0
	if menu == nil {
		return
	}
	for _, group := range groupsOf(menu) {
		for _, item := range group.Items {
			if offset := row / cardsOfPage * cardsOfPage; offset > 0 {
				offsets[placeOfItem(slug, item.Slug)] = offset
			}
			row += rowsOf(item)
		}
	}
}

// selectable is an option of a filter.
type selectable struct {
	Value, Name string
	Records     int // matches without other filters
	On          bool
}

// chainIndex has the chains on which records of a list run.
type chainIndex struct {
	names  map[string]string // by slug
	chains []selectable      // by name
}

// newChainIndex returns the index of the chains of the records of a kind.
func (v *view) newChainIndex(kind query.Kind) chainIndex {
	index := chainIndex{names: map[string]string{}}
	for slug, n := range v.snapshot.FilterCounts(v.one(kind, query.StatusAll), "chain") {
		if chain := v.recordNamed(chains, slug); chain != nil {
			index.names[slug] = chain.Name
			index.chains = append(index.chains, selectable{Value: slug, Name: chain.Name, Records: n})
		}
	}
	slices.SortFunc(index.chains, func(a, b selectable) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.Value, b.Value))
	})
	return index
}

// appIndex sums up all apps in one locale.
type appIndex struct {
	on        chainIndex
	platforms []selectable // in the order of the catalogue
}

// appIndex returns the index of all apps in the locale of a view.
func (v *view) appIndex() *appIndex {
	return v.site.apps.of(v.snapshot, v.locale, func() *appIndex {
		index := &appIndex{on: v.newChainIndex(query.KindApp)}
		counts := v.snapshot.FilterCounts(v.one(query.KindApp, query.StatusAll), "platform")
		for _, platform := range domain.Platforms() {
			if n := counts[string(platform)]; n > 0 {
				index.platforms = append(index.platforms, selectable{Value: string(platform), Name: v.T("platform." + string(platform)), Records: n})
			}
		}
		return index
	})
}

// menuChoices returns the menus of cards: those of the nav groups in their order, then the others by path
// slug, which is their name.
func (v *view) menuChoices() []selectable {
	var all []selectable
	left := v.snapshot.FilterCounts(v.one(query.KindCard, query.StatusAll), "menu")
	add := func(slug, title string) {
		if n := left[slug]; n > 0 {
			all = append(all, selectable{Value: slug, Name: cmp.Or(title, slug), Records: n})
			delete(left, slug)
		}
	}
	for _, group := range v.Nav {
		for _, menu := range group.Navs {
			add(slugOf(menu), menu.Title)
		}
	}
	for _, slug := range slices.Sorted(maps.Keys(left)) {
		add(slug, "")
	}
	return all
}

// slugOf returns the path slug of a menu.
func slugOf(menu snapshot.NavMenu) string { return strings.TrimPrefix(menu.Href, "/nav/") }

// options returns the selected option and those with the most records, in their order.
func options(all []selectable, value string) []selectable {
	all = slices.Clone(all)
	for i := range all {
		all[i].On = all[i].Value == value
	}
	return largest(all, selectablesOf, func(one selectable) (int, bool) { return one.Records, one.On })
}

// placeOfItem returns the place of an item on the first page of its menu, as a path without
// a locale.
func placeOfItem(menu, item string) string { return "/nav/" + menu + "#" + anchorOf(item) }

// itemPath returns the place of an item on the page of its menu where the item begins.
func (v *view) itemPath(menu, item string) string {
	offset, ok := v.cardIndex().offsets[placeOfItem(menu, item)]
	if !ok {
		return v.At(placeOfItem(menu, item))
	}
	return v.At("/nav/" + menu + "?offset=" + strconv.Itoa(offset) + "#" + anchorOf(item))
}
