package site

import (
	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// firstMain is the data of the first page.
type firstMain struct {
	Counts  []counted
	Menus   menusMain
	Largest []entry              // chains
	TVL     []snapshot.FigureAge // sources of their figures
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
	m := firstMain{TVL: v.agesOf(domain.FigureTVL), Counts: v.counts(), Menus: all.on(pager{Total: all.rows(), First: 1, Last: menusOfFirst})}
	m.Figures, m.Left = most(v.Meta.Figures, figuresOfFirst)
	list := v.one(query.KindChain, "")
	list.Page.Limit = firstChains
	for _, e := range v.chainEntries(snapshot.Rows[snapshot.ChainRow](v.snapshot, list).Rows) {
		if e.Figure != nil {
			m.Largest = append(m.Largest, e)
		}
	}
	for _, e := range balanced(v.snapshot.News(v.locale), firstNews) {
		item := v.newsItem(e)
		item.Note = ""
		m.New = append(m.New, item)
	}
	v.Title, v.Description, v.JSON, v.Main = v.Name(), v.T("first.lead"), withQuery("/api/open/meta", v.asked()), m
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
	cards := v.snapshot.List(v.one(query.KindCard, "")).Total
	var some []counted
	for _, c := range []counted{
		{"chains", "/chains", counts.Chains}, {"cards", "/cards", cards}, {"menus", "/nav", counts.Menus},
		{"accounts", "/twitter", counts.Users}, {"channels", "/youtube", counts.Channels}, {"categories", "/categories", counts.Categories},
	} {
		if c.N > 0 {
			some = append(some, c)
		}
	}
	return some
}
