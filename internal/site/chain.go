package site

import (
	"cmp"
	"net/url"
	"slices"

	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// chainMain is the data of the page of a chain beside recordMain.
type chainMain struct {
	*snapshot.Chain
	FirstRPC *snapshot.Endpoint // of a chain that is not retired, nil for none
	OtherRPC []snapshot.Endpoint
	Wallet   string // JSON for wallets, "" for none
	Apps     []entry
	AllApps  int     // of the chain
	AppList  string  // address of the list of all apps
	Children []named // the first
	More     []named // the other children
	Unnamed  int     // children that the page omits
}

// Bounds of the page of a chain.
const (
	appsOfChain   = 24
	childrenFirst = 24 // that are visible at first
	childrenMost  = 500
)

// partsOfChain adds the endpoints, the apps and the children of a chain to its page.
func partsOfChain(v *view, m *recordMain, record any) map[string][]fact {
	chain, evm := record.(*snapshot.Chain), v.snapshot.Roles().EVM
	m.ID, m.Scale, m.Chain = chain.ChainID, v.T("figures.scale"), &chainMain{Chain: chain}
	chain.RPC, m.Left = most(chain.RPC, partsOfRecord)
	m.Chain.divideRPC()
	if !chain.Status.Retired() {
		m.Chain.Wallet = wallet(chain, evm, v.imageAddress(chain.Logo))
	}
	m.Compare = v.comparison(comparedChains.parameter, []string{chain.Slug})
	m.Chain.addChildren(v)
	var list section
	m.Chain.Apps, m.Chain.AllApps, list = v.appsOf(chain.Slug)
	m.Chain.AppList = withQuery(v.At(list.path), url.Values{"chain": {chain.Slug}}.Encode())
	v.Description = v.T("chain.description", "name", chain.Name, "id", chain.ChainID)
	return v.factsOfChain(chain)
}

// factsOfChain returns the facts of the fields of a chain that have none by their types.
func (v *view) factsOfChain(chain *snapshot.Chain) map[string][]fact {
	own := map[string][]fact{}
	id := fact{IsList: true}
	for _, form := range chainIDs(chain, v.snapshot.Roles().EVM) {
		id.Label = cmp.Or(id.Label, v.T("id."+form.Form))
		id.Values = append(id.Values, v.copyable(form.Value))
	}
	own["chain_id"] = []fact{id}
	if chain.Currency != nil {
		own["native_currency"] = []fact{textFact(v.T("fact.currency"), value{Text: v.currency(chain.Currency)})}
	}
	return own
}

// divideRPC chooses the endpoint that the page of a chain shows first: one that is not down.
func (m *chainMain) divideRPC() {
	if m.Status.Retired() || len(m.RPC) == 0 {
		return
	}
	first := max(slices.IndexFunc(m.RPC, func(e snapshot.Endpoint) bool { return e.State != "down" }), 0)
	m.FirstRPC = &m.RPC[first]
	m.OtherRPC = slices.Delete(slices.Clone(m.RPC), first, first+1)
}

// addChildren adds the names of the children of the chain.
func (m *chainMain) addChildren(v *view) {
	for i, slug := range m.Chain.Children {
		child := v.recordNamed(chains, slug)
		switch {
		case child == nil || i >= childrenMost:
			m.Unnamed++
		case i < childrenFirst:
			m.Children = append(m.Children, *child)
		default:
			m.More = append(m.More, *child)
		}
	}
}

// appsOf returns the first apps of a chain, the number of all, and their list. In a catalogue without
// apps, they are its cards, each address once.
func (v *view) appsOf(slug string) (some []entry, n int, of section) {
	if v.Has(apps.name) {
		list := v.one(query.KindApp, "")
		list.Filters, list.Page.Limit = []query.Filter{{Name: "chain", Value: slug}}, appsOfChain
		page := snapshot.Rows[snapshot.AppRow](v.snapshot, list)
		for _, app := range page.Rows {
			e := v.appEntry(app, chainIndex{})
			e.More = "" // all run on this chain
			some = append(some, e)
		}
		return some, page.Total, apps
	}
	list := v.one(query.KindCard, "")
	list.Filters, list.Page.Limit = []query.Filter{{Name: "chain", Value: slug}}, 4*appsOfChain
	page := snapshot.Rows[snapshot.CardRow](v.snapshot, list)
	var distinct []snapshot.CardRow
	for _, card := range page.Rows {
		same := func(other snapshot.CardRow) bool { return other.Link == card.Link }
		if len(some) < appsOfChain && !slices.ContainsFunc(distinct, same) {
			distinct = append(distinct, card)
			some = append(some, v.cardEntry(card.MenuCard, card.Status))
		}
	}
	return some, page.Total, cards
}
