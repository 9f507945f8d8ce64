package cli

import (
	"fmt"
	"slices"

	"vitrine/internal/catalog"
)

// fields returns what editors wrote of the record, figures left out, each with
// the version since which it reads as it does now.
func (p *past) fields() []field {
	var fields []field
	for _, v := range p.values {
		if !isFigure(v.Path) {
			fields = append(fields, field{path: v.Path, value: v.Value, since: p.versions[v.Version].since})
		}
	}
	return fields
}

// since returns the version since which a figure that editors wrote reads as
// it does now.
func (p *past) since(name catalog.FigureName) since {
	i := slices.IndexFunc(p.values, func(v catalog.ValueSince) bool { return v.Path == string(name) })
	return p.versions[p.values[i].Version].since
}

// isFigure reports whether a path is that of a figure.
func isFigure(path string) bool {
	return slices.Contains([]catalog.FigureName{catalog.FigureTVL, catalog.FigurePlatforms, catalog.FigureFollowers}, catalog.FigureName(path))
}

// oneRecord returns a catalogue that holds one record of c.
func oneRecord(c *catalog.Catalog, kind catalog.Kind, i int) *catalog.Catalog {
	switch kind {
	case catalog.KindGroup:
		return &catalog.Catalog{Groups: c.Groups[i : i+1]}
	case catalog.KindCategory:
		return &catalog.Catalog{Categories: c.Categories[i : i+1]}
	case catalog.KindChain:
		return &catalog.Catalog{Chains: c.Chains[i : i+1]}
	case catalog.KindAccount:
		return &catalog.Catalog{Accounts: c.Accounts[i : i+1]}
	case catalog.KindChannel:
		return &catalog.Catalog{Channels: c.Channels[i : i+1]}
	case catalog.KindNavGroup:
		return &catalog.Catalog{NavGroups: c.NavGroups[i : i+1]}
	case catalog.KindMenu:
		return &catalog.Catalog{Menus: c.Menus[i : i+1]}
	}
	return &catalog.Catalog{Title: c.Title, DefaultLocale: c.DefaultLocale, Locales: c.Locales, LinkSchemes: c.LinkSchemes, Accept: c.Accept}
}

// figuresOf returns the figures of the one record of a catalogue, nil where one
// is not known.
func figuresOf(c *catalog.Catalog) []namedFigure {
	switch {
	case len(c.Chains) > 0:
		return []namedFigure{{catalog.FigureTVL, c.Chains[0].TVL}, {catalog.FigurePlatforms, c.Chains[0].Platforms}}
	case len(c.Accounts) > 0:
		return []namedFigure{{catalog.FigureFollowers, c.Accounts[0].Followers}}
	}
	return nil
}

type namedFigure struct {
	name  catalog.FigureName
	value *catalog.Figure
}

// figures returns the figures that such a record may have with all candidates,
// the one that is served first. Served is the record as it is served; which candidate that
// is was decided by [catalog.Merge] alone.
func (p *past) figures(served *catalog.Catalog) []figure {
	var written []namedFigure
	if n := len(p.versions); n > 0 {
		written = figuresOf(p.versions[n-1].record)
	}
	var figures []figure
	for i, f := range figuresOf(served) {
		var own *catalog.Figure
		if i < len(written) {
			own = written[i].value
		}
		figures = append(figures, figure{name: f.name, candidates: p.candidates(f.name, own, f.value)})
	}
	return figures
}

func (p *past) candidates(name catalog.FigureName, own, served *catalog.Figure) []candidate {
	var won, lost []candidate
	put := func(c candidate, reason string) {
		if len(won) == 0 && served != nil && c.Figure == *served {
			won = append(won, c)
			return
		}
		c.lost = reason
		lost = append(lost, c)
	}
	if own != nil { // on the same date the editors' figure wins, so it comes first
		put(candidate{Figure: *own, since: p.since(name)}, "an observation is newer")
	}
	for _, o := range p.observed {
		if o.Observation.Figure != name {
			continue
		}
		put(candidate{
			Figure:   catalog.Figure{Value: o.Observation.Value, Source: o.Observation.Source, AsOf: o.Observation.AsOf},
			since:    since{revision: o.Revision},
			observed: true,
			id:       o.Observation.UpstreamID,
		}, whyLost(o.Observation.AsOf, served))
	}
	return append(won, lost...)
}

// whyLost says why an observation of a date is not what is served.
func whyLost(asOf catalog.Date, served *catalog.Figure) string {
	switch {
	case served == nil:
		return "it cannot be used"
	case served.Bare():
		return "an editor's number without a date wins"
	case asOf < served.AsOf:
		return fmt.Sprintf("what is served is of %s", served.AsOf)
	}
	return "of the same date, another one wins"
}
