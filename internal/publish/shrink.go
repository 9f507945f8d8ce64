package publish

import (
	"fmt"
	"slices"

	"vitrine/internal/domain"
)

// A loss is large if it is half of the records of a kind and more than couple, or a
// quarter of them and more than handful. A renamed record that does not name its former
// key counts as lost, because readers know it by that key.
const (
	largeShare = 4 // a quarter
	handful    = 5
	couple     = 2
)

// cards names the cards of all menus together, which are not a kind, in rules.
const cards = "cards"

// shrinkable returns the suffixes of [ShrinkRule].
func shrinkable() []string {
	var kinds []string
	for _, d := range domain.Descriptions() {
		if d.Kind != domain.KindCatalog {
			kinds = append(kinds, string(d.Kind))
		}
	}
	return append(kinds, cards)
}

// shrinkHolds returns one hold for each kind with a large loss of served records. A nil
// served catalogue has nothing to lose.
func shrinkHolds(served, serves *domain.Catalog) []Hold {
	if served == nil {
		return nil
	}
	var holds []Hold
	hold := func(kind string, gone []string, of int) {
		if isLarge(len(gone), of) {
			holds = append(holds, Hold{
				Rule:    ShrinkRule + ":" + kind,
				Message: fmt.Sprintf("%s would be gone: %s", shareOf(len(gone), of, nounOf(kind)), someOf(gone)),
			})
		}
	}
	for _, d := range domain.Descriptions() {
		if d.Kind != domain.KindCatalog {
			gone, of := goneRecords(d, served, serves)
			hold(string(d.Kind), gone, of)
		}
	}
	gone, of := goneCards(served, serves)
	hold(cards, gone, of)
	return holds
}

// goneRecords returns the addresses of the records of a kind in served that are not in
// serves, sorted, and the number of records in served. A record is in serves if a record has
// its address, as its own or as a former one. An app is also in serves if a card without an
// app has its link, because the app moved into the card.
func goneRecords(d *domain.Description, served, serves *domain.Catalog) (gone []string, of int) {
	found := map[string]bool{}
	for _, r := range listed(d, serves) {
		found[d.Identity(d.Address(r))] = true
		for _, key := range d.FormerKeys(r) {
			found[d.Identity(key)] = true
		}
	}
	var links map[string]bool
	if d.Kind == domain.KindApp {
		links = linksWithoutApp(serves)
	}
	known := listed(d, served)
	for _, r := range known {
		if app, is := r.(*domain.App); is && links[app.Link] {
			continue
		}
		if address := d.Identity(d.Address(r)); !found[address] {
			gone = append(gone, address)
		}
	}
	slices.Sort(gone)
	return gone, len(known)
}

// linksWithoutApp returns the links of the cards that name no app.
func linksWithoutApp(c *domain.Catalog) map[string]bool {
	links := map[string]bool{}
	for card := range c.Cards() {
		if card.App == "" {
			links[card.Link] = true
		}
	}
	return links
}

// goneCards returns the links of cards in served that are not in serves, each as often as
// cards with it are missing, sorted, and the number of cards in served. A card that moved to
// another menu is not missing, and neither is one that became an app: an app in serves has
// its link, and none in served had.
func goneCards(served, serves *domain.Catalog) (gone []string, of int) {
	known := cardLinks(served)
	apps := map[string]bool{}
	for _, app := range serves.Apps {
		apps[app.Link] = true
	}
	for _, app := range served.Apps {
		delete(apps, app.Link)
	}
	gone = slices.DeleteFunc(missing(known, cardLinks(serves)), func(link string) bool { return apps[link] })
	return gone, len(known)
}

func isLarge(gone, of int) bool {
	return gone > couple && gone*2 >= of || gone > handful && gone*largeShare >= of
}

// shareOf describes a large loss and the threshold from which losses are held.
func shareOf(gone, of int, noun string) string {
	threshold := 100 / largeShare
	if gone <= handful {
		threshold = 50
	}
	return fmt.Sprintf("%d of %d %s (%d %%; held from %d %%)", gone, of, noun, (100*gone+of/2)/of, threshold)
}

// nounOf names the records of a kind in a sentence.
func nounOf(kind string) string {
	switch d := domain.Describe(domain.Kind(kind)); {
	case d == nil:
		return kind
	case d.Kind == domain.KindAccount:
		return "listed accounts"
	default:
		return d.Plural
	}
}

// listed returns the served records of a kind. An account without a figure is held back,
// so it does not count.
func listed(d *domain.Description, c *domain.Catalog) []any {
	if d.Kind == domain.KindAccount {
		c = domain.Listed(c)
	}
	var all []any
	for i := range d.Size(c) {
		r := d.Record(c, i)
		if a, is := r.(*domain.Account); is && domain.HeldBack(*a) {
			continue
		}
		all = append(all, r)
	}
	return all
}

// cardLinks returns the link of each card, its own or that of its app.
func cardLinks(c *domain.Catalog) []string {
	var links []string
	apps := c.AppsByKey()
	for card := range c.Cards() {
		links = append(links, card.Of(apps[card.App]).Link)
	}
	return links
}

// missing returns the elements of old that new does not have, or has less often; sorted.
func missing(old, new []string) []string {
	there := make(map[string]int, len(new))
	for _, key := range new {
		there[key]++
	}
	var gone []string
	for _, key := range old {
		if there[key]--; there[key] < 0 {
			gone = append(gone, key)
		}
	}
	slices.Sort(gone)
	return gone
}
