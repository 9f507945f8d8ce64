package snapshot

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/query"
)

// editorSource is the source of bare figures in meta. They have neither source nor date
// (docs/figures.md#precedence).
const editorSource = "editor"

// origin is the key by which figures are counted.
type origin struct {
	figure domain.FigureName
	source string
}

// origins are the origins of the figures of a kind.
type origins map[origin]*freshness

// freshness summarises the figures of one origin; older counts those beyond max_age.
type freshness struct {
	records, older int
	oldest, newest domain.Date // "" if all figures are bare
}

func (f *freshness) add(date domain.Date, older bool) {
	f.records++
	if older {
		f.older++
	}
	if f.oldest == "" || date != "" && date < f.oldest {
		f.oldest = date
	}
	f.newest = max(f.newest, date)
}

// meta returns the view of the catalogue without its title.
func (c *compiler) meta(s *Snapshot) Meta {
	count := func(kind query.Kind, status query.Status) int { return s.list(kind).having(status) }
	meta := Meta{
		DefaultLocale: c.catalog.DefaultLocale, Locales: c.catalog.Locales,
		Revision: s.revision.Number, PublishedAt: s.revision.PublishedAt.UTC().Format(time.RFC3339),
		Counts: Counts{
			Categories: len(c.catalog.Categories), Users: count(query.KindUser, ""), Chains: count(query.KindChain, ""),
			Channels: count(query.KindChannel, ""), Menus: len(c.catalog.Menus), Apps: count(query.KindApp, ""),
		},
		ChainStatus: ChainStatus{
			Live:     count(query.KindChain, query.StatusLive),
			Upcoming: count(query.KindChain, query.StatusUpcoming),
			Retired:  count(query.KindChain, query.StatusRetired),
		},
		Figures: figureAges(s.origins, c.catalog.Sources), Demonstration: s.revision.Demonstration,
	}
	if testnets := s.Roles().Testnet; len(testnets) > 0 {
		live := query.List{Status: query.StatusLive, Tags: testnets}
		n := s.list(query.KindChain).(*chainList).matches(live).total
		meta.ChainNetworks = &ChainNetworks{meta.ChainStatus.Live - n, n, meta.ChainStatus.Upcoming}
	}
	if s.revision.Bulk != "" {
		meta.Bulk = &Bulk{s.revision.Bulk}
	}
	return meta
}

// figureAges returns the ages of figures by name and source.
func figureAges(of map[domain.Kind]origins, sources figureSources) []FigureAge {
	all := origins{}
	for _, some := range of {
		maps.Copy(all, some) // a figure is of one kind
	}
	ordered := slices.SortedFunc(maps.Keys(all), func(a, b origin) int {
		return cmp.Or(cmp.Compare(rank(a.figure), rank(b.figure)), cmp.Compare(a.source, b.source))
	})
	return views(ordered, func(o origin) FigureAge {
		f := all[o]
		return FigureAge{Figure: o.figure, Source: o.source, SourceURL: sources.named(o.source).URL, Records: f.records, Oldest: f.oldest, Newest: f.newest, Older: f.older}
	})
}

// rank orders the figures as docs/figures.md lists them.
func rank(figure domain.FigureName) int {
	return slices.Index([]domain.FigureName{
		domain.FigureTVL, domain.FigurePlatforms, domain.FigureFollowers, domain.FigureSubscribers,
	}, figure)
}

// origins returns the origins of the figures by kind. Those of kinds that the catalogue shares with that
// of previous, which may be nil, are reused.
func (c *compiler) origins(previous *Snapshot, limits domain.Ages) map[domain.Kind]origins {
	all := map[domain.Kind]origins{}
	for _, d := range domain.Descriptions() {
		figures := d.Shape.Figures()
		if figures == nil {
			continue
		}
		if previous != nil && d.Shares(previous.catalog, c.whole) && previous.limits.Equal(limits) {
			all[d.Kind] = previous.origins[d.Kind]
			continue
		}
		of := origins{}
		for _, f := range figures {
			of.count(c.whole, d, f, limits)
		}
		all[d.Kind] = of
	}
	return all
}

// count adds a figure of all records of a kind.
func (o origins) count(c *domain.Catalog, d *domain.Description, field *domain.Field, limits domain.Ages) {
	name := domain.FigureName(field.Name)
	var source string // of the previous record, which mostly has the same
	var f *freshness
	for i := range d.Size(c) {
		figure := *field.Figure(d.Record(c, i))
		if figure == nil {
			continue
		}
		if f == nil || figure.Source != source {
			source = figure.Source
			key := origin{name, cmp.Or(source, editorSource)}
			if f = o[key]; f == nil {
				f = &freshness{}
				o[key] = f
			}
		}
		f.add(figure.AsOf, limits.Older(name, figure))
	}
}
