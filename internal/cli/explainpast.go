package cli

import (
	"fmt"
	"strings"

	"vitrine/internal/catalog"
)

// fields returns what editors wrote of the record, figures left out, each with
// the version since which it reads as it does now.
func (p *past) fields() []field {
	if len(p.versions) == 0 {
		return nil
	}
	current := p.versions[len(p.versions)-1]
	var fields []field
	for _, f := range p.difference(p.blank(), current.record) {
		if figureOf(f.Path) == "" {
			fields = append(fields, field{path: f.Path, value: f.New, since: p.since(f.Path)})
		}
	}
	return fields
}

// since returns the newest version that changed what stands at or below a path.
func (p *past) since(path string) since {
	for i := len(p.versions) - 1; i > 0; i-- {
		for _, f := range p.difference(p.versions[i-1].record, p.versions[i].record) {
			if within(f.Path, path) {
				return p.versions[i].since
			}
		}
	}
	return p.versions[0].since
}

// within reports whether a path names the value at another one or a part of it.
func within(path, of string) bool {
	rest, ok := strings.CutPrefix(path, of)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// difference returns what differs between two versions. A record that is not
// there differs in all of its fields from one that is.
func (p *past) difference(old, new *catalog.Catalog) []catalog.FieldChange {
	changes := catalog.Diff(p.called(old), p.called(new))
	if len(changes) == 0 {
		return nil
	}
	return changes[0].Fields
}

// figureOf returns the figure that a path belongs to, "" for none.
func figureOf(path string) catalog.FigureName {
	for _, name := range []catalog.FigureName{catalog.FigureTVL, catalog.FigurePlatforms, catalog.FigureFollowers} {
		if within(path, string(name)) {
			return name
		}
	}
	return ""
}

// blank is the record without any field but its key.
func (p *past) blank() *catalog.Catalog {
	c := &catalog.Catalog{}
	switch p.kind {
	case catalog.KindGroup:
		module, key, _ := strings.Cut(p.key, "/")
		c.Groups = []catalog.Group{{Module: catalog.Module(module), Key: key}}
	case catalog.KindCategory:
		c.Categories = []catalog.Category{{Key: p.key}}
	case catalog.KindChain:
		c.Chains = []catalog.Chain{{Slug: p.key}}
	case catalog.KindAccount:
		c.Accounts = []catalog.Account{{Handle: p.key}}
	case catalog.KindChannel:
		c.Channels = []catalog.Channel{{ChannelID: p.key}}
	case catalog.KindNavGroup:
		c.NavGroups = []catalog.NavGroup{{Key: p.key}}
	case catalog.KindMenu:
		c.Menus = []catalog.Menu{{PathSlug: p.key}}
	}
	return c
}

// called returns a version in a form that compares field by field: nothing
// but the record, blank where it was deleted, and an account under the handle
// that it has now, however its case was written then.
func (p *past) called(c *catalog.Catalog) *catalog.Catalog {
	if p.kind == catalog.KindCatalog {
		return c
	}
	if len(keysOf(c, p.kind)) == 0 {
		return p.blank()
	}
	only := oneRecord(c, p.kind, 0)
	if p.kind == catalog.KindAccount {
		account := only.Accounts[0]
		account.Handle = p.key
		only.Accounts = []catalog.Account{account}
	}
	return only
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
	return &catalog.Catalog{Title: c.Title, DefaultLocale: c.DefaultLocale, Locales: c.Locales, LinkSchemes: c.LinkSchemes}
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
		written = figuresOf(p.called(p.versions[n-1].record))
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
		put(candidate{Figure: *own, since: p.since(string(name))}, "an observation is newer")
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
