package site

import (
	"slices"
	"sync"
	"weak"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// kept keeps what was made of the snapshot that was asked for last, once for each
// language, and not for longer than that snapshot: it holds none in memory.
type kept[T any] struct {
	mu       sync.Mutex
	snapshot weak.Pointer[snapshot.Snapshot]
	byLocale map[locale.ID]T
}

// of returns what was made of a snapshot in a language. Where that was not done yet,
// read does it, while all who ask wait.
func (k *kept[T]) of(s *snapshot.Snapshot, id locale.ID, read func() (T, error)) (T, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.snapshot.Value() != s {
		k.snapshot, k.byLocale = weak.Make(s), map[locale.ID]T{}
	}
	if found, ok := k.byLocale[id]; ok {
		return found, nil
	}
	found, err := read()
	if err == nil {
		k.byLocale[id] = found
	}
	return found, err
}

// have returns what was made of a snapshot in a language, the zero value for nothing.
func (k *kept[T]) have(s *snapshot.Snapshot, id locale.ID) T {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.snapshot.Value() != s {
		var none T
		return none
	}
	return k.byLocale[id]
}

// common is what nearly every page of a language reads of the catalogue. It is shared by
// them: nobody may write into it.
type common struct {
	meta       metaBody
	nav        []navGroup
	categories []category                          // all, in the order of the registry
	labels     map[string]string                   // names of categories by key
	groups     map[domain.Module]map[string]string // keys of dimensions by category
	dimensions map[domain.Module][]dimensionName   // in their order
}

func readCommon(s *snapshot.Snapshot, id locale.ID) *common {
	in := query.Localized{Locale: id}
	c := &common{
		meta:       read[metaBody](s.Meta(in)),
		nav:        read[navGroupsBody](s.NavGroups(in)).Groups,
		categories: read[categoriesBody](s.Categories(query.Categories{Locale: id})).Categories,
		labels:     map[string]string{},
		groups:     map[domain.Module]map[string]string{},
		dimensions: map[domain.Module][]dimensionName{},
	}
	for _, category := range c.categories {
		c.labels[category.Key] = category.Name
	}
	for _, module := range domain.Modules() {
		groups := map[string]string{}
		for _, category := range read[categoriesOfBody](s.Categories(query.Categories{Locale: id, Scope: module, Full: true})).Categories {
			groups[category.Key] = category.Group
		}
		c.groups[module] = groups
		c.dimensions[module] = read[dimensionsBody](s.CategoryGroups(query.CategoryGroups{Locale: id, Module: module})).Groups
	}
	return c
}

// everyCard is what all cards together say in one language. Whoever looks for it reads
// every card of the catalogue.
type everyCard struct {
	held          map[string]int    // cards that are not retired, by menu
	names         map[string]string // of the chains that they name, by slug
	chains, menus []selectable
	offsets       map[string]int // of items that the first page of their menu lacks, by place; see [placeOfItem]
}

// everyCard returns what all cards say in the language of a view.
func (v *view) everyCard() (everyCard, error) {
	return v.site.every.of(v.snapshot, v.locale, func() (everyCard, error) {
		all, _, err := v.cards("status=all&locale=" + v.snapshot.Locales().Name(v.locale))
		if err != nil {
			return everyCard{}, err
		}
		names := v.chainNames(all.Cards)
		found := everyCard{held: map[string]int{}, offsets: map[string]int{}, names: names, chains: chainChoices(all.Cards, names), menus: v.menuChoices(all.Cards)}
		for _, card := range all.Cards {
			if card.Status != string(domain.StatusRetired) {
				found.held[card.Menu]++
			}
		}
		for _, menu := range found.menus {
			if menu.Cards >= cardsOfPage { // with its empty items it may have a second page
				v.offsetsOf(menu.Value, found.offsets)
			}
		}
		return found, nil
	})
}

// choices returns selectables of which the one with a value is chosen: that one, and as
// many of the others as a page has, those with the most cards.
func choices(all []selectable, value string) []selectable {
	all = slices.Clone(all)
	for i := range all {
		all[i].On = all[i].Value == value
	}
	return largest(all, selectablesOf, func(one selectable) (int, bool) { return one.Cards, one.On })
}
