package gate

import (
	"fmt"
	"iter"
	"slices"

	"vitrine/internal/domain"
)

// A card has no key that editors write, so rules know it by its link. If only that changes, they know
// it by its menu and title.

// place is the menu and the title of a card.
type place struct{ menu, title string }

// shownCard is a card as readers see it, with the values of its app.
type shownCard struct {
	domain.Card
	written *domain.Card
	place   place // with the title in the default locale, "" for none
	retired bool  // its app is
}

// shownCards yields the cards of all menus in their order.
func shownCards(c *domain.Catalog) iter.Seq[shownCard] {
	apps := c.AppsByKey()
	return func(yield func(shownCard) bool) {
		for i := range c.Menus {
			for written := range c.Menus[i].Cards() {
				app := apps[written.App]
				shown := written.Of(app)
				at := place{c.Menus[i].PathSlug, shown.Title.Resolve([]string{c.DefaultLocale})}
				if !yield(shownCard{shown, written, at, app != nil && app.Status.Retired()}) {
					return
				}
			}
		}
	}
}

// relinked returns the later links of the cards of before whose links are gone: of each the link of a
// card with the same title in the same menu, which is new. The keys are cards as
// [domain.Menu.Cards] yields them.
func relinked(before, now *domain.Catalog) map[*domain.Card]string {
	had, has := cardsIn(before, nil).byLink(), cardsIn(now, nil).byLink()
	later := laterMenus(now)
	fresh := map[place][]string{}
	for card := range shownCards(now) {
		if at := card.place; at.title != "" && !had[card.Link] && !slices.Contains(fresh[at], card.Link) {
			fresh[at] = append(fresh[at], card.Link)
		}
	}
	links := map[*domain.Card]string{}
	for card := range shownCards(before) {
		at := place{later[card.place.menu], card.place.title}
		if next := fresh[at]; !has[card.Link] && len(next) > 0 {
			links[card.written], fresh[at] = next[0], next[1:]
		}
	}
	return links
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
	for card := range shownCards(c.served) {
		menu := card.place.menu
		if card.written.Link == "" || card.place.title == "" {
			continue
		}
		all++
		ofMenu[menu]++
		r := Record{Kind: domain.KindMenu, Key: menu, Field: "link", Before: hostOf(card.Link), After: hostOf(links[card.written])}
		if r.After == "" || r.After == r.Before {
			continue
		}
		moved++
		inMenu[menu]++
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
