package site

import (
	"strings"
)

// twin writes the page of a chain as Markdown.
func (m chainMain) twin(p *page) error {
	if m.Status != "live" {
		said, err := p.ended(m)
		if err != nil {
			return err
		}
		p.paragraph(said)
	}
	var facts []inline
	for _, id := range m.IDs {
		facts = append(facts, p.fact("id."+id.Form, code(id.Value)))
	}
	facts = append(facts, p.dimensions(m.Dimensions)...)
	for _, f := range []struct {
		key   string
		chain *named
	}{{"fact.parent", m.Parent}, {"fact.successor", m.Successor}} {
		if f.chain != nil {
			facts = append(facts, p.fact(f.key, p.namedLink(*f.chain)))
		}
	}
	if m.Currency != nil {
		currency, err := p.view.T("currency", "name", m.Currency.Name, "symbol", m.Currency.Symbol, "n", m.Currency.Places())
		if err != nil {
			return err
		}
		facts = append(facts, p.fact("fact.currency", plain(currency)))
	}
	facts = append(facts, p.fact("fact.launched", plain(p.view.Date(m.Launched))), p.fact("fact.aliases", plain(strings.Join(m.Aliases, ", "))))
	p.list(append(facts, p.fact("link.website", p.outward("", m.Website)))...)
	if err := p.record(m.Figures, m.Links); err != nil {
		return err
	}
	var endpoints, apps, children []inline
	for _, e := range m.RPC {
		endpoints = append(endpoints, joined(" ", code(e.URL), plain(e.Note)))
	}
	for _, app := range m.Apps {
		apps = append(apps, joined(": ", link(app.Title, app.Link), plain(app.Description)))
	}
	if m.AllApps > 0 {
		all, err := p.view.T("apps.all", "n", m.AllApps)
		if err != nil {
			return err
		}
		apps = append(apps, p.pageLink(all, "/cards?chain="+m.Slug))
	}
	for _, child := range append(append([]named{}, m.Children...), m.More...) {
		children = append(children, p.namedLink(child))
	}
	for _, s := range []struct {
		key   string
		items []inline
	}{{"section.rpc", endpoints}, {"section.apps", apps}, {"section.children", children}} {
		if err := p.section(s.key, s.items); err != nil {
			return err
		}
	}
	return nil
}

// ended says that a chain is not in use, since when, why and what is instead.
func (p *page) ended(m chainMain) (inline, error) {
	words, err := p.texts("status."+m.Status, "chain.instead")
	if err != nil {
		return "", err
	}
	said := joined(" · ", "**"+words[0]+"**", plain(p.view.Date(m.StatusSince)), plain(m.StatusNote))
	if m.Successor != nil {
		said = joined(" · ", said, words[1]+" "+p.namedLink(*m.Successor))
	}
	return said, nil
}

// twin writes the page of an account or of a channel as Markdown.
func (m personMain) twin(p *page) error {
	if m.HeldBack {
		words, err := p.texts("account.heldback")
		if err != nil {
			return err
		}
		p.paragraph(words[0])
	}
	facts := []inline{p.fact("fact.handle", link(m.Handle, m.Outside))}
	if m.ID != "" {
		facts = []inline{p.fact("fact.channel", link(m.Name, m.Outside)), p.fact("id.channel", code(m.ID))}
	}
	facts = append(facts, p.dimensions(m.Dimensions)...)
	p.list(append(facts, p.fact("link.website", p.outward("", m.Website)))...)
	return p.record(m.Figures, m.Links)
}

// twin writes a list of accounts or of channels as Markdown.
func (m peopleMain) twin(p *page) error {
	keys := []string{"column.account", "column.about", "figure.followers_count", "column.source"}
	if p.view.route.name == "channels" {
		keys = []string{"column.channel", "column.about"}
	}
	columns, err := p.texts(keys...)
	if err != nil {
		return err
	}
	var rows [][]inline
	for _, person := range m.Rows {
		name := joined(" ", p.namedLink(named{person.Name, person.Path}), plain(person.Handle))
		row := []inline{name, joined(" · ", plain(person.Description), plain(strings.Join(person.Categories, ", ")))}
		if len(keys) > len(row) {
			value, from := inline(""), inline("")
			if person.Figure != nil {
				value, from = plain(person.Figure.Value), joined(" · ", plain(person.Figure.Source), plain(person.Figure.Date))
			}
			row = append(row, value, from)
		}
		rows = append(rows, row)
	}
	return p.listing(m.listing, columns, rows)
}

// twin writes the results of a search as Markdown.
func (m searchMain) twin(p *page) error {
	if m.Asked == "" {
		return nil
	}
	if len(m.Rows) == 0 {
		return p.nothing(m.listing)
	}
	for _, note := range m.Notes {
		p.paragraph(plain(note))
	}
	words, err := p.texts("column.name.any", "column.kind", "column.about")
	if err != nil {
		return err
	}
	var rows [][]inline
	for _, r := range m.Rows {
		kind, err := p.texts("kind." + r.Kind)
		if err != nil {
			return err
		}
		out := inline("")
		if r.URL != "" {
			out = p.outward("", r.URL)
		}
		rows = append(rows, []inline{p.namedLink(named{r.Title, r.Path}), kind[0], joined(" · ", plain(r.Description), out)})
	}
	return p.listing(m.listing, words, rows)
}

// record adds what the pages of all records have: figures and links.
func (p *page) record(figures []figureItem, links []linkGroup) error {
	words, err := p.texts("section.figures", "column.figure", "column.value", "column.source")
	if err != nil {
		return err
	}
	var rows [][]inline
	for _, f := range figures {
		name, err := p.texts("figure." + f.Key)
		if err != nil {
			return err
		}
		rows = append(rows, []inline{name[0], plain(f.Value), joined(" · ", plain(f.Source), plain(f.Date))})
	}
	if len(rows) > 0 {
		p.heading(2, words[0])
	}
	p.table(words[1:], rows)
	var items []inline
	for _, group := range links {
		var all []inline
		for _, l := range group.Links {
			all = append(all, p.outward(l.Name, l.URL))
		}
		items = append(items, p.fact("link."+group.Type, joined(", ", all...)))
	}
	return p.section("section.links", items)
}

// section adds a heading and a list; nothing where the list is empty.
func (p *page) section(key string, items []inline) error {
	if len(items) == 0 {
		return nil
	}
	title, err := p.texts(key)
	if err != nil {
		return err
	}
	p.heading(2, title[0])
	p.list(items...)
	return nil
}

// dimensions returns the categories of a record, one item a dimension.
func (p *page) dimensions(all []dimension) []inline {
	var items []inline
	for _, d := range all {
		var categories []inline
		for _, c := range d.Categories {
			categories = append(categories, p.namedLink(c))
		}
		if d.Name == "" {
			items = append(items, p.fact("fact.categories", joined(", ", categories...)))
			continue
		}
		items = append(items, fact(d.Name, joined(", ", categories...)))
	}
	return items
}

// fact is [fact] with a label of the interface.
func (p *page) fact(key string, value inline) inline {
	label, err := p.view.T(key)
	if err != nil { // a type that the interface has no word for says itself
		label = key[strings.LastIndexByte(key, '.')+1:]
	}
	return fact(label, value)
}

// namedLink is a link to the twin of a page of this site whose path is in full.
func (p *page) namedLink(n named) inline {
	path, fragment, _ := strings.Cut(n.Path, "#")
	path, query, _ := strings.Cut(path, "?")
	path = withQuery(p.twin(path), query)
	if fragment != "" {
		path += "#" + fragment
	}
	return link(n.Name, p.view.Absolute(path))
}

// outward is a link that leads out, by its name or else its host.
func (p *page) outward(name, address string) inline {
	if name == "" {
		name = p.view.Host(address)
	}
	return link(name, address)
}

// joined puts what is not empty in a line.
func joined(between inline, parts ...inline) inline {
	var all []string
	for _, part := range parts {
		if part != "" {
			all = append(all, string(part))
		}
	}
	return inline(strings.Join(all, string(between)))
}
