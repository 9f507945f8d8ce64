package site

import (
	"cmp"
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
	has        map[string]bool                            // the parts of the site that have content; see [view.Has]
}

func newCommon(s *snapshot.Snapshot, id locale.ID, words *dictionaries) *common {
	in, site := query.Localized{Locale: id}, s.SiteView(id)
	c := &common{
		words: words.of(s.Locales().Name(id)).with(s.Locales().Name(id), site.Words), site: site,
		meta: s.MetaView(in), nav: s.NavGroupsView(in).Groups, categories: s.CategoriesView(query.Categories{Locale: id}),
		labels: map[string]string{}, groups: map[domain.Module]map[string]string{}, dimensions: map[domain.Module][]snapshot.CategoryGroup{},
	}
	c.has = map[string]bool{
		chains.name: s.List(query.List{Kind: query.KindChain, Locale: id, Status: query.StatusAll}).Total > 0,
		menus.name:  c.meta.Counts.Menus > 0 || c.meta.Counts.Apps > 0, accounts.name: countAccounts(s, id) > 0, channels.name: c.meta.Counts.Channels > 0,
		"categories": c.meta.Counts.Categories > 0, "news": len(s.News(id)) > 0,
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
	byMenu        map[string]int    // number of cards that are not retired, by menu
	names         map[string]string // of the chains of cards, by slug
	chains, menus []selectable
	offsets       map[string]int // of items that are not on the first page of their menu, by place; see [placeOfItem]
}

// cardIndex returns the index of all cards in the locale of a view.
func (v *view) cardIndex() *cardIndex {
	return v.site.cards.of(v.snapshot, v.locale, func() *cardIndex {
		all := snapshot.Rows[snapshot.CardRow](v.snapshot, query.List{Kind: query.KindCard, Locale: v.locale, Status: query.StatusAll}).Rows
		names := v.chainNames(all)
		index := &cardIndex{byMenu: map[string]int{}, offsets: map[string]int{}, names: names, chains: chainChoices(all, names), menus: v.menuChoices(all)}
		for _, card := range all {
			if !card.Status.Retired() {
				index.byMenu[card.Menu]++
			}
		}
		for _, menu := range index.menus {
			if menu.Cards >= cardsOfPage { // with its empty items it may have a second page
				v.addOffsets(menu.Value, index.offsets)
			}
		}
		return index
	})
}

// addOffsets adds the offsets of the pages of a menu on which its items begin, except for
// the first page.
func (v *view) addOffsets(slug string, offsets map[string]int) {
	menu, row := v.snapshot.MenuView(slug, v.localized()), 0
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
	Cards       int // matches without other filters
	On          bool
}

// chainNames returns the names of the chains of cards by slug.
func (v *view) chainNames(cards []snapshot.CardRow) map[string]string {
	names := map[string]string{}
	for _, card := range cards {
		for _, slug := range card.Chains {
			if _, ok := names[slug]; ok {
				continue
			}
			if chain := snapshot.Details[snapshot.Chain](v.snapshot, query.KindChain, slug, v.localized()); chain != nil {
				names[slug] = chain.Name
			}
		}
	}
	return names
}

// chainChoices returns the chains of cards by name.
func chainChoices(cards []snapshot.CardRow, names map[string]string) []selectable {
	counts := map[string]int{}
	for _, card := range cards {
		for _, slug := range card.Chains {
			counts[slug]++
		}
	}
	var all []selectable
	for slug, name := range names {
		all = append(all, selectable{Value: slug, Name: name, Cards: counts[slug]})
	}
	slices.SortFunc(all, func(a, b selectable) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.Value, b.Value))
	})
	return all
}

// menuChoices returns the menus of cards in their order. The name of a menu without nav
// group is its path slug.
func (v *view) menuChoices(cards []snapshot.CardRow) []selectable {
	titles, places := map[string]string{}, map[string]int{}
	for _, group := range v.Nav {
		for _, menu := range group.Navs {
			titles[slugOf(menu)] = menu.Title
		}
	}
	var all []selectable
	for _, card := range cards {
		place, ok := places[card.Menu]
		if !ok {
			place = len(all)
			places[card.Menu] = place
			all = append(all, selectable{Value: card.Menu, Name: cmp.Or(titles[card.Menu], card.Menu)})
		}
		all[place].Cards++
	}
	return all
}

// slugOf returns the path slug of a menu.
func slugOf(menu snapshot.NavMenu) string { return strings.TrimPrefix(menu.Href, "/nav/") }

// options returns the selected option and those with the most cards, in their order.
func options(all []selectable, value string) []selectable {
	all = slices.Clone(all)
	for i := range all {
		all[i].On = all[i].Value == value
	}
	return largest(all, selectablesOf, func(one selectable) (int, bool) { return one.Cards, one.On })
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
