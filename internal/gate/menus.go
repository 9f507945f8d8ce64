package gate

import (
	"cmp"
	"fmt"

	"vitrine/internal/domain"
)

// standardMenu is the default large share of the cards of one menu. Editors tidy up a menu more often
// than a whole kind, so it is half of them.
var standardMenu = limit{6, .5}

// emptiedMenus holds if readers lose many cards of one menu, because the menu or its cards were
// removed. The rule is that of lost cards, whose own finding counts the cards of all menus.
func (c *comparison) emptiedMenus(window func() (*domain.Catalog, error)) (Finding, bool, error) {
	losses := menuLosses(c.served, c.candidate)
	if len(losses) == 0 {
		return Finding{}, false, nil
	}
	if f, ok := c.losing(losses, ""); ok {
		return f, true, nil
	}
	first, err := window()
	if err != nil || first == nil {
		return Finding{}, false, err
	}
	f, ok := c.losing(menuLosses(first, c.candidate), withinWindow)
	return f, ok, nil
}

// losing returns the finding about the menus with a large loss.
func (c *comparison) losing(losses []menuLoss, when string) (Finding, bool) {
	large := shareOf(c.settings.Shrink, share{standardMenu})
	large[0].share = max(large[0].share, standardMenu.share)
	var records []Record
	for _, l := range losses {
		if large.isLarge(l.lost, l.of) {
			records = append(records, Record{Kind: domain.KindMenu, Key: l.menu, Cause: fmt.Sprintf("%d of %d cards", l.lost, l.of)})
		}
	}
	if len(records) == 0 {
		return Finding{}, false
	}
	whose := "their"
	if len(records) == 1 {
		whose = "its"
	}
	return finding(fmt.Sprintf("%s:%s", domain.GateShrink, cards),
		fmt.Sprintf("%s would lose many of %s cards%s (held from %.3g %%)", c.kind(domain.KindMenu).count(len(records)), whose, when, 100*large[0].share),
		"readers no longer find them in the menu, nor elsewhere", records, func(n int) bool { return n > 0 }), true
}

// menuLoss is the number of cards that readers lose of a menu.
type menuLoss struct {
	menu     string // its path slug before
	lost, of int
}

// menuLosses returns the menus that lose cards, in the order of before. A card that moves to another
// menu is not lost, nor one that becomes an app, nor one with another link.
func menuLosses(before, now *domain.Catalog) []menuLoss {
	had, has := linksByMenu(before, relinked(before, now)), linksByMenu(now, nil)
	missing := countLinks(had)
	for link, n := range countLinks(has) {
		missing[link] -= n
	}
	were, are := cardsIn(before, nil).links, cardsIn(now, nil).links
	later := laterMenus(now)
	var losses []menuLoss
	for i := range before.Menus {
		menu := before.Menus[i].PathSlug
		own := map[string]int{}
		for _, link := range has[later[menu]] {
			own[link]++
		}
		l := menuLoss{menu: menu, of: len(had[menu])}
		for _, link := range had[menu] {
			if own[link]--; own[link] < 0 && missing[link] > 0 && (were[link] || !are[link]) {
				missing[link]--
				l.lost++
			}
		}
		if l.lost > 0 {
			losses = append(losses, l)
		}
	}
	return losses
}

// linksByMenu returns the links of the shown cards of each menu by its path slug, or the later ones of
// relinked cards. Cards of retired apps are not shown.
func linksByMenu(c *domain.Catalog, relinked map[*domain.Card]string) map[string][]string {
	links := map[string][]string{}
	for card := range shownCards(c) {
		if menu := card.place.menu; !card.retired {
			links[menu] = append(links[menu], cmp.Or(relinked[card.written], card.Link))
		}
	}
	return links
}

func countLinks(byMenu map[string][]string) map[string]int {
	n := map[string]int{}
	for _, links := range byMenu {
		for _, link := range links {
			n[link]++
		}
	}
	return n
}

// laterMenus returns the path slug of each menu by that and its former ones.
func laterMenus(c *domain.Catalog) map[string]string {
	slugs := map[string]string{}
	for i := range c.Menus {
		for _, former := range c.Menus[i].Former {
			slugs[former] = c.Menus[i].PathSlug
		}
	}
	for i := range c.Menus {
		slugs[c.Menus[i].PathSlug] = c.Menus[i].PathSlug
	}
	return slugs
}
