package site

// twin writes the list of chains as Markdown.
func (m chainsMain) twin(p *page) error {
	columns, err := p.texts("column.name", "column.chainId", "column.kind", "column.tvl")
	if err != nil {
		return err
	}
	rows, err := p.chainRows(m.Rows)
	if err != nil {
		return err
	}
	for _, f := range m.TVL {
		source, err := p.view.Source(f.Source)
		if err != nil {
			return err
		}
		said, err := p.view.T("figure.tvl", "source", source, "date", p.view.Date(f.Newest))
		if err != nil {
			return err
		}
		p.paragraph(plain(said))
	}
	return p.listing(m.listing, columns, rows)
}

// chainRows returns rows of a table: name, id, kind, TVL.
func (p *page) chainRows(chains []chainItem) ([][]inline, error) {
	var rows [][]inline
	for _, chain := range chains {
		tvl := ""
		if chain.TVL != nil {
			money, err := p.view.Money(chain.TVL)
			if err != nil {
				return nil, err
			}
			tvl = money
		}
		rows = append(rows, []inline{p.pageLink(chain.Name, "/chains/"+chain.Slug), code(chain.ChainID), joined(" · ", plain(chain.Facts), plain(chain.State)), plain(tvl)})
	}
	return rows, nil
}
