package snapshot

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
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

// metas returns the view of the catalogue by locale.ID.
func (c *compiler) metas(s *Snapshot) []Meta {
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
		Figures: c.figureAges(), Demonstration: s.revision.Demonstration,
	}
	if s.revision.Bulk != "" {
		meta.Bulk = &Bulk{s.revision.Bulk}
	}
	metas := make([]Meta, len(c.fallbacks))
	for id := range metas {
		metas[id] = meta
		metas[id].Title = c.in(locale.ID(id)).text(c.catalog.Title)
	}
	return metas
}

// figureAges returns the ages of figures by name and source.
func (c *compiler) figureAges() []FigureAge {
	origins := c.origins()
	ordered := slices.SortedFunc(maps.Keys(origins), func(a, b origin) int {
		return cmp.Or(cmp.Compare(rank(a.figure), rank(b.figure)), cmp.Compare(a.source, b.source))
	})
	return views(ordered, func(o origin) FigureAge {
		f := origins[o]
		return FigureAge{Figure: o.figure, Source: o.source, Records: f.records, Oldest: f.oldest, Newest: f.newest, Older: f.older}
	})
}

// rank orders the figures as docs/figures.md lists them.
func rank(figure domain.FigureName) int {
	return slices.Index([]domain.FigureName{
		domain.FigureTVL, domain.FigurePlatforms, domain.FigureFollowers, domain.FigureSubscribers,
	}, figure)
}

func (c *compiler) origins() map[origin]*freshness {
	origins := map[origin]*freshness{}
	ages := domain.AgesOf(c.whole)
	count := func(name domain.FigureName, figure *domain.Figure) {
		if figure == nil {
			return
		}
		key := origin{name, cmp.Or(figure.Source, editorSource)}
		f, ok := origins[key]
		if !ok {
			f = &freshness{}
			origins[key] = f
		}
		f.add(figure.AsOf, ages.Older(name, figure))
	}
	for _, chain := range c.whole.Chains {
		count(domain.FigureTVL, chain.TVL)
		count(domain.FigurePlatforms, chain.Platforms)
	}
	for _, account := range c.whole.Accounts {
		count(domain.FigureFollowers, account.Followers)
	}
	for _, channel := range c.whole.Channels {
		count(domain.FigureSubscribers, channel.Subscribers)
	}
	return origins
}
