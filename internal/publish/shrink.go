package publish

import (
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/catalog"
)

// What a large share is: a quarter of the records of a kind, and more than one
// looks over at a glance; or half of them, and more than two. Renaming a record
// is losing one and gaining another: what readers knew it by is gone.
const (
	largeShare = 4 // the fourth part
	handful    = 5 // as many may go of any kind that keeps more than half
	couple     = 2 // as many may go though none is left
)

// cards is what the gate calls the cards of all menus together, which are no
// kind of records.
const cards = "cards"

// shrinkable returns what [ShrinkRule] can be about.
func shrinkable() []string {
	return []string{
		string(catalog.KindGroup), string(catalog.KindCategory), string(catalog.KindChain), string(catalog.KindAccount),
		string(catalog.KindChannel), string(catalog.KindNavGroup), string(catalog.KindMenu), cards,
	}
}

// shrinkHolds are one hold for each kind that would lose a large share of what
// readers are served of it. A nil catalogue has nothing to lose.
func shrinkHolds(served, serves *catalog.Catalog) []Hold {
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
func readersKeys(c *catalog.Catalog) [][]string {
	return [][]string{
		keysOf(c.Groups, func(g catalog.Group) string { return string(g.Module) + "/" + g.Key }),
		keysOf(c.Categories, func(c catalog.Category) string { return c.Key }),
		keysOf(c.Chains, func(c catalog.Chain) string { return c.Slug }),
		listed(c.Accounts),
		keysOf(c.Channels, func(c catalog.Channel) string { return c.ChannelID }),
		keysOf(c.NavGroups, func(g catalog.NavGroup) string { return g.Key }),
		keysOf(c.Menus, func(m catalog.Menu) string { return m.PathSlug }),
		cardsOf(c),
	}
}

func isLarge(gone, of int) bool {
	return gone > couple && gone*2 >= of || gone > handful && gone*largeShare >= of
}

// nounOf names the records of a kind in a sentence.
func nounOf(kind string) string {
	switch catalog.Kind(kind) {
	case catalog.KindGroup:
		return "dimension groups"
	case catalog.KindAccount:
		return "listed accounts"
	case catalog.KindChannel:
		return "channels"
	case catalog.KindNavGroup:
		return "nav groups"
	}
	return kind
}

func keysOf[R any](records []R, key func(R) string) []string {
	keys := make([]string, len(records))
	for i, r := range records {
		keys[i] = key(r)
	}
	return keys
}

// listed returns the handles of the accounts that readers get: one whose figure
// is lost is held back, and so lost to them.
func listed(accounts []catalog.Account) []string {
	var keys []string
	for _, a := range accounts {
		if !catalog.HeldBack(a) {
			keys = append(keys, strings.ToLower(a.Handle))
		}
	}
	return keys
}

// cardsOf returns the links of all cards, each as often as there are cards of
// it: a card that moves to another menu is not lost.
func cardsOf(c *catalog.Catalog) []string {
	var links []string
	add := func(items []catalog.Item) {
		for _, item := range items {
			for _, card := range item.Cards {
				links = append(links, card.Link)
			}
		}
	}
	for _, m := range c.Menus {
		for _, g := range m.Groups {
			add(g.Items)
		}
		add(m.Standalone)
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
