package snapshot

import (
	"cmp"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/domain"
	"vitrine/internal/fold"
	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/search"
)

// searched is one kind of what a search over everything finds.
type searched struct {
	kind    query.Kind
	index   *search.Index
	order   func(locale.ID) *order // the default one of its list
	within  *roaring.Bitmap        // the records that can be results; nil for all
	demoted *roaring.Bitmap        // nil for nothing
	finding func(number uint32) domain.Finding
	hit     func(number uint32) hit

	bySymbol func(term string) *roaring.Bitmap // chains by the symbol of their coin; nil for other kinds
	// onChains returns the records on any of some chains, onMain those whose first chain is,
	// which is their main one. The sets are the caller's. Both are nil for records without chains.
	onChains, onMain func(chains *roaring.Bitmap) *roaring.Bitmap
	// chains returns the chains that have a term in a label, once for all kinds of a search.
	chains func(term string) *roaring.Bitmap
}

// beyond returns the records that match a term otherwise than by their texts, nil for none:
// by a symbol, which counts as a label, or by a label of their chains.
func (s *searched) beyond(term string) *roaring.Bitmap {
	switch {
	case s.bySymbol != nil:
		return s.bySymbol(term)
	case s.onChains != nil:
		return s.onChains(s.chains(term))
	}
	return nil
}

// hit is what a result tells of a record.
type hit struct {
	key                string
	name               string      // the same in every language; "" if there is a title
	title, description domain.Text //
	image, url, href   string      // "" for none
	menus              []string    // of an app: where it has cards
	symbol             string      // of a chain's coin; "" for none
}

// searched returns all kinds, in the order of [query.Kinds]; categories are as the
// registry lists them. The indexes of previous, which may be nil, are reused where the
// documents are the same.
func (c *compiler) searched(s, previous *Snapshot, categories []domain.Category) []searched {
	everywhere := func(o *order) func(locale.ID) *order { return func(locale.ID) *order { return o } }
	knownChains, knownApps := s.chains.byProminence(), s.apps.byProminence(&s.cards)
	chains := foundIn(query.KindChain, s.chains.list, everywhere(&knownChains), func(c *domain.Chain) hit {
		return hit{
			key: c.Slug, title: c.Name, description: c.Description, image: c.Logo, url: c.Website, href: "/api/open/chains/" + c.Slug,
			symbol: symbolOf(c),
		}
	})
	chains.bySymbol = s.chains.bySymbol()
	cards := foundIn(query.KindCard, s.cards.list, everywhere(&s.cards.byMenu), func(c *card) hit {
		return hit{key: c.ID, title: c.Title, description: c.Description, image: c.Image, url: c.Link, href: "/api/open/nav/menus/" + c.menu}
	})
	cards.onChains = s.chains.of(s.cards.chains)
	cards.onMain = s.chains.of(mainChains(s.cards.list, func(c *card) []string { return c.Chains }))
	apps := foundIn(query.KindApp, s.apps.list, everywhere(&knownApps), func(a *domain.App) hit {
		return hit{
			key: a.Key, title: a.Title, description: a.Description, image: a.Image, url: a.Link,
			href: "/api/open/apps/" + a.Key, menus: s.apps.menus(a.Key),
		}
	})
	apps.onChains = s.chains.of(s.apps.chains)
	apps.onMain = s.chains.of(mainChains(s.apps.list, func(a *domain.App) []string { return a.Chains }))
	return []searched{
		chains,
		apps,
		foundIn(query.KindUser, s.users.list, everywhere(&s.users.byFollowers), func(a *domain.Account) hit {
			return hit{key: a.Handle, name: a.Name, description: a.Description, url: a.Website, href: "/api/open/twitter/users/" + a.Handle}
		}),
		foundIn(query.KindChannel, s.channels.list, func(id locale.ID) *order { return &s.channels.byName[id] }, func(c *domain.Channel) hit {
			return hit{key: c.ChannelID, name: c.Name, description: c.Description, url: c.Website, href: "/api/open/youtube/channels/" + c.ChannelID}
		}),
		cards,
		c.foundMenus(previous.searched(query.KindMenu)),
		foundCategories(previous.searched(query.KindCategory), categories),
	}
}

// symbolOf returns the symbol of a chain's coin, "" for none.
func symbolOf(c *domain.Chain) string {
	if c.Currency == nil {
		return ""
	}
	return c.Currency.Symbol
}

// bySymbol returns what finds chains by the symbols of their coins, as a whole.
func (c *chains) bySymbol() func(term string) *roaring.Bitmap {
	numbers := map[string][]uint32{}
	for _, number := range c.byKey {
		if symbol := fold.Text(symbolOf(c.records[number])); symbol != "" {
			numbers[symbol] = append(numbers[symbol], number)
		}
	}
	return func(term string) *roaring.Bitmap {
		if numbers[term] == nil {
			return nil
		}
		return roaring.BitmapOf(numbers[term]...)
	}
}

// of returns what finds the records that are on any of some chains. The records are given
// by slug of the chain.
func (c *chains) of(records map[string]*roaring.Bitmap) func(chains *roaring.Bitmap) *roaring.Bitmap {
	used, on := roaring.New(), map[uint32]*roaring.Bitmap{}
	for _, number := range c.byKey {
		if set := records[c.records[number].Slug]; set != nil {
			used.Add(number)
			on[number] = set
		}
	}
	return func(chains *roaring.Bitmap) *roaring.Bitmap {
		found := roaring.New()
		for it := roaring.And(chains, used).Iterator(); it.HasNext(); {
			found.Or(on[it.Next()])
		}
		return found
	}
}

// labelled returns a function that returns the chains that have a term in a label. It looks
// for each term once. The sets are shared and read only.
func (c *chains) labelled() func(term string) *roaring.Bitmap {
	known := map[string]*roaring.Bitmap{}
	return func(term string) *roaring.Bitmap {
		set, ok := known[term]
		if !ok {
			set = c.index.FindLabels([]string{term})
			known[term] = set
		}
		return set
	}
}

// mainChains returns the records of a list by the slug of the first of their chains.
func mainChains[R any](l *list[R], chains func(*R) []string) map[string]*roaring.Bitmap {
	sets := map[string]*roaring.Bitmap{}
	for _, number := range l.byKey {
		if slugs := chains(l.records[number]); len(slugs) > 0 {
			addTo(sets, slugs[0], number)
		}
	}
	return sets
}

// foundIn is of the records of a list.
func foundIn[R any](kind query.Kind, l *list[R], order func(locale.ID) *order, tell func(*R) hit) searched {
	return searched{
		kind: kind, index: l.index, order: order, demoted: l.demoted,
		finding: func(number uint32) domain.Finding { return l.finding(l.records[number]) },
		hit:     func(number uint32) hit { return tell(l.records[number]) },
	}
}

// foundMenus is of all menus: those of the groups in their order, then the others.
func (c *compiler) foundMenus(previous *searched) searched {
	menus := pointers(c.catalog.Menus, every, func(a, b *domain.Menu) int { return cmp.Compare(c.menuRanks[a.PathSlug], c.menuRanks[b.PathSlug]) })
	return foundAmong(previous, query.KindMenu, domain.Describe(domain.KindMenu).Shape, menus, func(m *domain.Menu) hit {
		return hit{key: m.PathSlug, title: m.Title, description: m.Description, image: m.OGImage, href: "/api/open/nav/menus/" + m.PathSlug}
	})
}

// foundCategories is of all categories as the registry lists them.
func foundCategories(previous *searched, categories []domain.Category) searched {
	all := pointers(categories, every, func(a, b *domain.Category) int { return 0 })
	return foundAmong(previous, query.KindCategory, domain.Describe(domain.KindCategory).Shape, all, func(c *domain.Category) hit {
		return hit{key: c.Key, title: c.Name, description: c.Description, href: "/api/open/categories"}
	})
}

// foundAmong is of few records that are in their order. It reuses the index of previous,
// which may be nil, if that is of the same documents.
func foundAmong[R any](previous *searched, kind query.Kind, shape *domain.Shape, records []*R, tell func(*R) hit) searched {
	standing := ranked(ascending[uint32](len(records)), len(records))
	found := searched{
		kind: kind, order: func(locale.ID) *order { return &standing },
		finding: func(number uint32) domain.Finding { return shape.Finding(records[number]) },
		hit:     func(number uint32) hit { return tell(records[number]) },
	}
	if previous.hasDocumentsOf(&found) {
		found.index = previous.index
	} else {
		found.index = search.New(len(records), func(number uint32) search.Document { return search.Document(found.finding(number)) })
	}
	return found
}

// searched returns what a search looks at for a kind, nil for a nil snapshot.
func (s *Snapshot) searched(kind query.Kind) *searched {
	if s == nil {
		return nil
	}
	for i := range s.found {
		if s.found[i].kind == kind {
			return &s.found[i]
		}
	}
	return nil
}

// hasDocumentsOf reports whether the records of s have the same documents, in the same
// order, as those of other. Both are of [foundAmong]; s may be nil, which has none.
func (s *searched) hasDocumentsOf(other *searched) bool {
	if s == nil {
		return false
	}
	n := len(s.order(0).numbers)
	if n != len(other.order(0).numbers) {
		return false
	}
	for number := range uint32(n) {
		if !sameFinding(s.finding(number), other.finding(number)) {
			return false
		}
	}
	return true
}

// sameFinding reports whether records are found by the same texts.
func sameFinding(a, b domain.Finding) bool {
	return slices.Equal(a.Labels, b.Labels) && slices.Equal(a.IDs, b.IDs) && slices.Equal(a.Texts, b.Texts)
}
