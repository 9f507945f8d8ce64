package snapshot

import (
	"cmp"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/fold"
	"vitrine/internal/query"
)

// chainList is the list of chains.
type chainList = list[domain.Chain, ChainRow]

func (c *compiler) chainSource() source[domain.Chain, ChainRow] {
	tvl := func(c *domain.Chain) *domain.Figure { return c.TVL }
	platforms := func(c *domain.Chain) *domain.Figure { return c.Platforms }
	children := childrenOf(c.catalog.Chains)
	shape := domain.Describe(domain.KindChain).Shape
	return source[domain.Chain, ChainRow]{
		kind:        query.KindChain,
		path:        "/api/open/chains/",
		description: domain.Describe(domain.KindChain),
		key:         func(c *domain.Chain) string { return c.Slug },
		orderings: []ordering[domain.Chain]{
			{sort: query.SortTVL, ascending: true, descending: true, figures: []func(*domain.Chain) *domain.Figure{tvl, platforms}},
			{sort: query.SortPlatforms, ascending: true, descending: true, figures: []func(*domain.Chain) *domain.Figure{platforms}},
			{sort: query.SortName, ascending: true, descending: true, text: func(c *domain.Chain, in language) string { return in.text(c.Name) }},
			{sort: query.SortChainID, ascending: true, descending: true, compare: func(a, b *domain.Chain) int { return compareChainIDs(a.ChainID, b.ChainID) }},
		},
		row: chainRow, pictured: true,
		equal: func(a, b *domain.Chain) bool { return shape.Equal(a, b) && slices.Equal(a.RPC, b.RPC) }, // with the observed reach
		whole: Chain{},
		details: func(l *chainList, c *domain.Chain, in language) any {
			return &Chain{
				ChainRow: chainRow(c, in), RPC: views(c.RPC, endpoint), Currency: (*Currency)(c.Currency),
				Children: children[c.Slug], SameID: sameID(l, c),
			}
		},
		otherName: domain.ChainIDName,
		symbol:    symbolOf,
		prominence: func(a, b *domain.Chain) int {
			return cmp.Or(
				compareFigures(a.TVL, b.TVL),
				compareFigures(a.Platforms, b.Platforms),
				cmp.Compare(len(children[b.Slug]), len(children[a.Slug])),
				cmp.Compare(a.Slug, b.Slug),
			)
		},
	}
}

// ChainStatus returns the status of the chain with a slug, which rows lack, and its date, "" if
// unknown. An unknown chain is live.
func (s *Snapshot) ChainStatus(slug string) (status domain.Status, since domain.Date) {
	l := s.list(query.KindChain).(*chainList)
	number, ok := l.keyed(slug)
	if !ok {
		return domain.StatusLive, ""
	}
	chain := l.records[number]
	return cmp.Or(chain.Status, domain.StatusLive), chain.StatusSince
}

// childrenOf returns the slugs of the chains with the same parent, ascending, by the slug of the
// parent.
func childrenOf(chains []domain.Chain) map[string][]string {
	children := map[string][]string{}
	for i := range chains {
		if parent := chains[i].Parent; parent != "" {
			children[parent] = append(children[parent], chains[i].Slug)
		}
	}
	for _, slugs := range children {
		slices.Sort(slugs)
	}
	return children
}

// chainRow returns the view of a chain in a list (docs/api.md#chains).
func chainRow(chain *domain.Chain, _ language) ChainRow { return ChainRow{ID: chain.StableID()} }

// endpoint returns the view of an endpoint. One that answers for another chain does not serve this one: it is down.
func endpoint(e domain.Endpoint) Endpoint {
	view := Endpoint{URL: e.URL, Note: e.Note}
	switch e.Reached.Reach {
	case domain.ReachUp:
		view.State = "up"
	case domain.ReachDown, domain.ReachWrongChain:
		view.State = "down"
	default:
		return view
	}
	view.StateSince = e.Reached.Since
	return view
}

// symbolOf returns the symbol of a chain's coin, "" for none.
func symbolOf(c *domain.Chain) string {
	if c.Currency == nil {
		return ""
	}
	return c.Currency.Symbol
}

// sameID returns the slugs of the other chains with the id of a chain in any spelling, ascending.
func sameID(l *chainList, chain *domain.Chain) []string {
	var slugs []string
	shared := sharedSpelling(chain)
	for number := range l.table().with(shared) {
		if other := l.records[number]; other.Slug != chain.Slug && sharedSpelling(other) == shared {
			slugs = append(slugs, other.Slug)
		}
	}
	slices.Sort(slugs)
	return slugs
}

// sharedSpelling returns the canonical folded spelling of equal chain ids: with the eip155
// namespace for a number, else the id itself.
func sharedSpelling(chain *domain.Chain) string {
	shared := fold.Text(chain.ChainID)
	for name := range domain.Describe(domain.KindChain).NamesOf(chain) {
		if name.Class == domain.NameChainID && strings.HasPrefix(name.Value, "eip155:") {
			shared = name.Value
		}
	}
	return shared
}

// compareChainIDs compares decimal numbers by value, then other ids by code point.
func compareChainIDs(a, b string) int {
	aDigits, bDigits := digitsOnly(a), digitsOnly(b)
	switch {
	case aDigits && bDigits:
		a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	case aDigits:
		return -1
	case bDigits:
		return 1
	}
	return cmp.Compare(a, b) // the order of UTF-8 is that of code points
}

func digitsOnly(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// compareFigures sorts figures descending, unknown ones last.
func compareFigures(a, b *domain.Figure) int {
	if a == nil || b == nil {
		return compareBool(a == nil, b == nil)
	}
	return cmp.Compare(b.Value, a.Value)
}
