package gate

import (
	"fmt"
	"slices"

	"vitrine/internal/domain"
)

// A card has no key that editors write, so rules know it by its link. If only that changes, they know
// it by its menu and title.

// place is the menu and the title of a card.
type place struct{ menu, title string }

// relinked returns the later links of the cards of before whose links are gone: of each the link of a
// card with the same title in the same menu, which is new. Cards are those that [domain.Catalog.Cards]
// yields.
func relinked(before, now *domain.Catalog) map[*domain.Card]string {
	had, has := cardsIn(before, nil).byLink(), cardsIn(now, nil).byLink()
	later := laterMenus(now)
	fresh := map[place][]string{}
	for at, card := range placedCards(now) {
		if link := card.Link; !had[link] && !slices.Contains(fresh[at], link) {
			fresh[at] = append(fresh[at], link)
		}
	}
	links := map[*domain.Card]string{}
	for at, card := range placedCards(before) {
		at.menu = later[at.menu]
		if next := fresh[at]; !has[card.Link] && len(next) > 0 {
			links[card.written], fresh[at] = next[0], next[1:]
		}
	}
	return links
}

// placedCard is a card as readers see it.
type placedCard struct {
	domain.Card
	written *domain.Card
}

// placedCards yields the cards with a title, in the order of menus.
func placedCards(c *domain.Catalog) func(yield func(place, placedCard) bool) {
	apps := c.AppsByKey()
	return func(yield func(place, placedCard) bool) {
		for i := range c.Menus {
			for card := range c.Menus[i].Cards() {
				shown := card.Of(apps[card.App])
				at := place{c.Menus[i].PathSlug, shown.Title.Resolve([]string{c.DefaultLocale})}
				if at.title != "" && !yield(at, placedCard{shown, card}) {
					return
				}
			}
		}
	}
}

// byLink returns the links of cards.
func (p presence) byLink() map[string]bool {
	links := make(map[string]bool, len(p.records))
	for _, s := range p.records {
		links[s.key] = true
	}
	return links
}

// cardsElsewhere holds if the links of many cards change to other sites. Cards with the link of their
// app do not count, because the rule of apps does.
func (c *comparison) cardsElsewhere() []Finding {
	if !c.mayLose(cards) {
		return nil
	}
	links := relinked(c.served, c.candidate)
	moved, all, inMenu, ofMenu := 0, 0, map[string]int{}, map[string]int{}
	var records []Record
	for at, card := range placedCards(c.served) {
		if card.written.Link == "" {
			continue
		}
		all++
		ofMenu[at.menu]++
		r := Record{Kind: domain.KindMenu, Key: at.menu, Field: "link", Before: hostOf(card.Link), After: hostOf(links[card.written])}
		if r.After == "" || r.After == r.Before {
			continue
		}
		moved++
		inMenu[at.menu]++
		if !slices.Contains(records, r) {
			records = append(records, r)
		}
	}
	large := c.values.isLarge(moved, all)
	for menu, n := range inMenu {
		large = large || share{standardMenu}.isLarge(n, ofMenu[menu])
	}
	if !large {
		return nil
	}
	return []Finding{finding(ruleOf(domain.GateBulk, cards, "link"),
		fmt.Sprintf("%d of %d cards have a link to another site (held from %.3g %%, or from %.3g %% of a menu)", moved, all, 100*c.values[0].share, 100*standardMenu.share),
		"the value is stable; so many changes at once are usually a shifted column or a wrong source", records, func(n int) bool { return n > 0 })}
}
