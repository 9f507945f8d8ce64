package site

import (
	"vitrine/internal/domain"
	"vitrine/internal/response"
)

// firstMain is what the first page shows.
type firstMain struct {
	Counts  []counted
	Menus   menusMain
	Largest []chainItem
	TVL     []figureAge // of the largest
	New     []happening
	Figures []figureAge
	Left    int // figures that the page leaves out
	Ages    *plot
}

// counted is how many there are of something, and where they are.
type counted struct {
	Key, Path string
	N         int
}

// How many rows the lists of the first page have.
const (
	firstChains = 8
	firstNews   = 8
)

func firstPage(v *view) (response.Document, error) {
	main := firstMain{TVL: v.agesOf(domain.FigureTVL)}
	main.Figures, main.Left = most(v.Meta.Figures, figuresOfFirst)
	var err error
	if main.Counts, err = v.counts(); err != nil {
		return response.Document{}, err
	}
	menus, err := v.menus()
	if err != nil {
		return response.Document{}, err
	}
	main.Menus = menus.on(pager{Total: menus.rows(), First: 1, Last: menusOfFirst})
	if main.Largest, err = v.largest(firstChains); err != nil {
		return response.Document{}, err
	}
	if main.New, err = v.latest(firstNews); err != nil {
		return response.Document{}, err
	}
	if main.Ages, err = v.agesPlot(); err != nil {
		return response.Document{}, err
	}
	if v.Description, err = v.T("first.lead"); err != nil {
		return response.Document{}, err
	}
	v.Title, v.JSON = v.Name(), withQuery("/api/open/meta", v.asked())
	v.graph(v.searchAction())
	return v.show("first", main, main.twin)
}

// counts says how many there are of everything that there is.
func (v *view) counts() ([]counted, error) {
	_, cards, err := v.cards("limit=1")
	if err != nil {
		return nil, err
	}
	var some []counted
	for _, c := range []counted{
		{"chains", "/chains", v.Meta.Counts["chains"]},
		{"cards", "/cards", cards},
		{"menus", "/nav", v.Meta.Counts["menus"]},
		{"users", "/twitter", v.Meta.Counts["users"]},
		{"channels", "/youtube", v.Meta.Counts["channels"]},
		{"categories", "/categories", v.Meta.Counts["categories"]},
	} {
		if c.N > 0 {
			some = append(some, c)
		}
	}
	return some, nil
}

// agesOf returns where the figures of a name come from.
func (v *view) agesOf(name domain.FigureName) []figureAge {
	var of []figureAge
	for _, f := range v.Meta.Figures {
		if f.Figure == string(name) && len(of) < sourcesOfList {
			of = append(of, f)
		}
	}
	return of
}

func (m firstMain) twin(p *page) error {
	var counts []inline
	for _, c := range m.Counts {
		said, err := p.view.T("count."+c.Key, "n", c.N)
		if err != nil {
			return err
		}
		counts = append(counts, p.pageLink(said, c.Path))
	}
	p.list(counts...)
	words, err := p.texts("menus.title", "first.largest", "column.name", "column.chainId", "column.kind", "column.tvl",
		"news.title", "first.figures", "column.figure", "column.source", "column.records", "column.oldest", "column.newest")
	if err != nil {
		return err
	}
	if len(m.Menus.Groups) > 0 {
		p.heading(2, words[0])
	}
	var groups []inline
	for _, g := range m.Menus.Groups {
		var menus inline
		for i, menu := range g.Menus {
			if i > 0 {
				menus += ", "
			}
			menus += p.pageLink(menu.Title, "/nav/"+menu.Slug)
		}
		groups = append(groups, fact(g.Name, menus))
	}
	p.list(groups...)
	if len(m.Largest) > 0 {
		p.heading(2, words[1])
		rows, err := p.chainRows(m.Largest)
		if err != nil {
			return err
		}
		p.table(words[2:6], rows)
	}
	if len(m.New) > 0 {
		p.heading(2, words[6])
		p.happenings(m.New)
	}
	if len(m.Figures) > 0 {
		p.heading(2, words[7])
	}
	var rows [][]inline
	for _, f := range m.Figures {
		name, err := p.view.T("figure." + f.Figure)
		if err != nil {
			return err
		}
		source, err := p.view.Source(f.Source)
		if err != nil {
			return err
		}
		rows = append(rows, []inline{plain(name), plain(source), plain(p.view.Int(f.Records)), plain(p.view.Date(f.Oldest)), plain(p.view.Date(f.Newest))})
	}
	p.table(words[8:], rows)
	return nil
}
