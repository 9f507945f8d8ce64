package publish

import (
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/domain"
)

// A large share is half of the records of a kind if that is more than couple, or a
// quarter of them if that is more than handful. A renamed record counts as gone,
// because readers know it by its old name.
const (
	largeShare = 4 // one in so many
	handful    = 5
	couple     = 2
)

// cards is what the gate calls the cards of all menus together, which are no
// kind of records.
const cards = "cards"

// shrinkable returns what [ShrinkRule] can be about.
func shrinkable() []string {
	var kinds []string
	for _, d := range domain.Descriptions() {
		if d.Kind != domain.KindCatalog {
			kinds = append(kinds, string(d.Kind))
		}
	}
	return append(kinds, cards)
}

// shrinkHolds are one hold for each kind that would lose a large share of what
// readers are served of it. A nil catalogue has nothing to lose.
func shrinkHolds(served, serves *domain.Catalog) []Hold {
	if served == nil {
		return nil
	}
	var holds []Hold
	before, after := readersKeys(served), readersKeys(serves)
	for i, kind := range shrinkable() {
		if gone := missing(before[i], after[i]); isLarge(len(gone), len(before[i])) {
			holds = append(holds, Hold{
				Rule:    ShrinkRule + ":" + kind,
				Message: fmt.Sprintf("%d of %d %s would be gone: %s", len(gone), len(before[i]), nounOf(kind), someOf(gone)),
			})
		}
	}
	return holds
}

// readersKeys returns what readers know each record by, in the order of
// [shrinkable].
func readersKeys(c *domain.Catalog) [][]string {
	var all [][]string
	for _, d := range domain.Descriptions() {
		switch d.Kind {
		case domain.KindCatalog:
		case domain.KindAccount:
			all = append(all, listed(domain.Listed(c).Accounts))
		default:
			all = append(all, d.Keys(c))
		}
	}
	return append(all, cardsOf(c))
}

func isLarge(gone, of int) bool {
	return gone > couple && gone*2 >= of || gone > handful && gone*largeShare >= of
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

// listed returns the handles of the accounts that readers get: one whose figure
// is lost is held back, and so lost to them.
func listed(accounts []domain.Account) []string {
	var keys []string
	for _, a := range accounts {
		if !domain.HeldBack(a) {
			keys = append(keys, strings.ToLower(a.Handle))
		}
	}
	return keys
}

// cardsOf returns the links of all cards, those of their apps among them, each as often
// as there are cards of it: a card that moves to another menu is not lost.
func cardsOf(c *domain.Catalog) []string {
	var links []string
	apps := c.AppsByKey()
	collect := func(items []domain.Item) {
		for _, item := range items {
			for _, card := range item.Cards {
				links = append(links, card.Of(apps[card.App]).Link)
			}
		}
	}
	for _, m := range c.Menus {
		for _, g := range m.Groups {
			collect(g.Items)
		}
		collect(m.Standalone)
	}
	return links
}

// missing returns what is in old and not, or not as often, in new; sorted.
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
