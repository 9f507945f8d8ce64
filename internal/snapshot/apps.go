package snapshot

import (
	"cmp"
	"math"
	"slices"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/search"
)

func (c *compiler) appSource() source[domain.App, AppRow] {
	cards := c.appCards
	return source[domain.App, AppRow]{
		kind:        query.KindApp,
		path:        "/api/open/apps/",
		description: domain.Describe(domain.KindApp),
		key:         func(a *domain.App) string { return a.Key },
		document: func(a *domain.App) search.Document {
			return withHost(domain.Describe(domain.KindApp).Shape.Finding(a), a.Link)
		},
		values: map[string]func(*domain.App) []string{
			"chain":    func(a *domain.App) []string { return a.Chains },
			"platform": func(a *domain.App) []string { return domain.Convert[string](a.Platforms) },
		},
		orderings: []ordering[domain.App]{{sort: query.SortTitle, ascending: true, text: func(a *domain.App, in language) string { return in.text(a.Title) }}},
		pictured:  true,
		whole:     App{},
		details: func(_ *list[domain.App, AppRow], a *domain.App, _ language) any {
			return &App{Menus: places(cards[a.Key])}
		},
		menus:      func(a *domain.App) []string { return menus(cards[a.Key]) },
		prominence: c.appProminence(),
	}
}

// Paths of operations, up to the key of the record.
const (
	menuPath           = "/api/open/nav/menus/"
	navGroupPath       = "/api/open/nav/groups/"
	categoriesPath     = "/api/open/categories"
	categoryGroupsPath = "/api/open/category-groups?module="
)

// places returns the distinct places of cards in the order of the cards.
func places(cards []*card) []AppPlace {
	var all []AppPlace
	for _, card := range cards {
		if place := (AppPlace{card.menu, card.item, menuPath + card.menu}); !slices.Contains(all, place) {
			all = append(all, place)
		}
	}
	return all
}

// menus returns the distinct path slugs of the menus of cards, in the order of the cards; never
// nil.
func menus(cards []*card) []string {
	all := []string{}
	for _, card := range cards {
		if !slices.Contains(all, card.menu) {
			all = append(all, card.menu)
		}
	}
	return all
}

// appProminence orders apps by the best place of their cards in an item, then by the numbers of
// their cards, chains and platforms, then by key. Apps without a card are last.
func (c *compiler) appProminence() func(a, b *domain.App) int {
	cards, best := c.appCards, map[string]int{}
	for i := range c.catalog.Apps {
		best[c.catalog.Apps[i].Key] = math.MaxInt
	}
	type item struct{ menu, slug string }
	count := map[item]int{}
	for i := range c.cards {
		card := &c.cards[i]
		of := item{card.menu, card.item}
		best[card.App] = min(best[card.App], count[of])
		count[of]++
	}
	return func(a, b *domain.App) int {
		return cmp.Or(
			cmp.Compare(best[a.Key], best[b.Key]),
			cmp.Compare(len(cards[b.Key]), len(cards[a.Key])),
			cmp.Compare(len(b.Chains), len(a.Chains)),
			cmp.Compare(len(b.Platforms), len(a.Platforms)),
			cmp.Compare(a.Key, b.Key),
		)
	}
}
