package site

import (
	"net/url"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// firstMain is the data of the first page.
type firstMain struct {
	Counts  []counted
	Menus   menusMain
	Largest []entry  // chains
	Sources []string // sentences about their figures
	New     []newsItem
	Figures []snapshot.FigureAge
	Left    int // figures that the page omits
}

// counted is a number of records and their list.
type counted struct {
	Key, Path string
	N         int
}

// The numbers of rows of the lists on the first page.
const (
	firstChains = 8
	firstNews   = 8
)

func firstPage(v *view) error {
	all := v.menus()
	largest := v.figuresOf(v.one(query.KindChain, ""), domain.FigureTVL)
	m := firstMain{Sources: v.sentences(largest, v.Meta.Counts.Chains), Counts: v.counts(), Menus: all.on(pager{Total: all.rows(), First: 1, Last: menusOfFirst})}
	m.Figures, m.Left = most(v.Meta.Figures, figuresOfFirst)
	list := v.one(query.KindChain, "")
	list.Page.Limit = firstChains
	for _, e := range v.chainEntries(snapshot.Rows[snapshot.ChainRow](v.snapshot, list).Rows, largest) {
		if e.Figure != nil {
			m.Largest = append(m.Largest, e)
		}
	}
	for _, e := range balanced(v.snapshot.News(v.locale), firstNews) {
		item := v.newsItem(e)
		item.Note = ""
		m.New = append(m.New, item)
	}
	v.Title, v.Description, v.JSON, v.Main = v.Name(), v.Lead(), withQuery("/api/open/meta", v.asked()), m
	v.Linked = jsonLD{"@context": "https://schema.org", "@graph": []jsonLD{{
		"@type": "WebSite", "name": v.Name(), "url": v.Absolute(v.At("/")), "inLanguage": v.Lang,
		"potentialAction": jsonLD{
			"@type": "SearchAction", "query-input": "required name=q",
			"target": jsonLD{"@type": "EntryPoint", "urlTemplate": v.Absolute(v.At("/search")) + "?q={q}"},
		},
	}}}
	return nil
}

// counts returns the numbers of records that are not 0.
func (v *view) counts() []counted {
	counts := v.Meta.Counts
	of := v.classified(domain.ModuleItem)
	all := append(v.chainCounts(), counted{of.name, of.path, v.snapshot.List(v.one(of.kind, "")).Total}, counted{"menus", "/nav", counts.Menus})
	for _, of := range sections() {
		if of != chains && of != apps && of != cards {
			all = append(all, counted{of.name, of.path, v.count(of)})
		}
	}
	all = append(all, counted{"categories", "/categories", counts.Categories})
	return slices.DeleteFunc(all, func(c counted) bool { return c.N == 0 })
}

// count returns the number of records of a section, with those that its list hides.
func (v *view) count(of section) int {
	list := v.one(of.kind, "")
	list.Unlisted = true
	return v.snapshot.List(list).Total
}

// chainCounts returns the numbers of live mainnets, live test networks and upcoming networks, or of
// all chains if the catalogue does not tell them apart.
func (v *view) chainCounts() []counted {
	networks := v.Meta.ChainNetworks
	if networks == nil {
		return []counted{{"chains", chains.path, v.Meta.Counts.Chains}}
	}
	list := func(pairs url.Values) string { return withQuery(chains.path, pairs.Encode()) }
	live, testnets := string(query.StatusLive), v.snapshot.Roles().Testnet
	mainnets := list(url.Values{"status": {live}})
	if others := v.alternatives(testnets); len(others) > 0 {
		mainnets = list(url.Values{"tag": {strings.Join(others, ",")}, "status": {live}})
	}
	return []counted{
		{"mainnets", mainnets, networks.Mainnets},
		{"testnets", list(url.Values{"tag": {strings.Join(testnets, ",")}, "status": {live}}), networks.Testnets},
		{"upcoming", list(url.Values{"status": {string(query.StatusUpcoming)}}), networks.Upcoming},
	}
}

// alternatives returns the other categories of chains in the dimension group of the first key.
func (v *view) alternatives(keys []string) []string {
	groups := v.common.groups[domain.ModuleChain]
	group := groups[keys[0]]
	var others []string
	for _, category := range v.common.categories {
		if group != "" && groups[category.Key] == group && !slices.Contains(keys, category.Key) {
			others = append(others, category.Key)
		}
	}
	return others
}
