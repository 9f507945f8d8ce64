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
		if !p.isFigure(v.Path) {
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
func (p *past) isFigure(path string) bool {
	return slices.ContainsFunc(catalog.Describe(p.kind).Shape.Figures(), func(f *catalog.Field) bool { return f.Name == path })
}

// figures returns the figures that such a record may have with all candidates,
// the one that is served first. Served points to the record as it is served; which candidate that
// is was decided by [catalog.Merge] alone.
func (p *past) figures(served any) []figure {
	var figures []figure
	d := catalog.Describe(p.kind)
	for _, f := range d.Shape.Figures() {
		var own *catalog.Figure
		if n := len(p.versions); n > 0 && d.Size(p.versions[n-1].record) > 0 {
			own = *f.Figure(d.Record(p.versions[n-1].record, 0))
		}
		name := catalog.FigureName(f.Name)
		figures = append(figures, figure{name: name, candidates: p.candidates(name, own, *f.Figure(served))})
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
