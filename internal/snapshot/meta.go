package snapshot

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/query"
)

// editorSource is what meta calls the source of a bare figure, which has
// neither source nor date (docs/figures.md#precedence).
const editorSource = "editor"

// origin is what figures are counted by.
type origin struct {
	figure domain.FigureName
	source string
}

// freshness sums up the figures of one origin; older are those older than max_age.
type freshness struct {
	records, older int
	oldest, newest domain.Date // "" while all figures are bare
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

// counts says how many records the lists have for requests without parameters, and how many
// chains there are of each status.
type counts struct {
	users, chains, apps                       int
	liveChains, upcomingChains, retiredChains int
}

func (s *Snapshot) counts() counts {
	users := len(s.users.byKey)
	if s.users.listed != nil {
		users = int(s.users.listed.GetCardinality())
	}
	return counts{
		users: users, chains: s.chains.having(""), apps: s.apps.having(""),
		liveChains: s.chains.having(query.StatusLive), upcomingChains: s.chains.having(query.StatusUpcoming), retiredChains: s.chains.having(query.StatusRetired),
	}
}

func (c *compiler) meta(revision Revision, counts counts) bodies {
	origins := c.origins()
	ordered := slices.SortedFunc(maps.Keys(origins), func(a, b origin) int {
		return cmp.Or(cmp.Compare(rank(a.figure), rank(b.figure)), cmp.Compare(a.source, b.source))
	})
	return c.each(func(w *writer, resolve func(domain.Text) string) {
		w.open('{')
		w.text("title", resolve(c.catalog.Title))
		w.text("defaultLocale", c.catalog.DefaultLocale)
		w.strings("locales", c.catalog.Locales)
		w.number("revision", float64(revision.Number))
		w.text("publishedAt", revision.PublishedAt.UTC().Format(time.RFC3339))
		w.key("counts")
		w.open('{')
		w.number("categories", float64(len(c.catalog.Categories)))
		w.number("users", float64(counts.users))
		w.number("chains", float64(counts.chains))
		w.number("channels", float64(len(c.catalog.Channels)))
		w.number("menus", float64(len(c.catalog.Menus)))
		w.number("apps", float64(counts.apps))
		w.close('}')
		w.key("chainStatus")
		w.open('{')
		w.number("live", float64(counts.liveChains))
		w.number("upcoming", float64(counts.upcomingChains))
		w.number("retired", float64(counts.retiredChains))
		w.close('}')
		array(w, "figures", ordered, func(o origin) {
			f := origins[o]
			w.open('{')
			w.text("figure", string(o.figure))
			w.text("source", o.source)
			w.number("records", float64(f.records))
			w.optional("oldest", string(f.oldest))
			w.optional("newest", string(f.newest))
			if f.older > 0 {
				w.number("older", float64(f.older))
			}
			w.close('}')
		})
		if revision.Demonstration {
			w.key("demonstration")
			w.buf = append(w.buf, "true"...)
		}
		w.close('}')
	})
}

// titles returns the title of the catalogue by locale.ID.
func (c *compiler) titles() []string {
	titles := make([]string, len(c.fallbacks))
	for id, chain := range c.fallbacks {
		titles[id] = c.catalog.Title.Resolve(chain)
	}
	return titles
}

// rank orders the figures as docs/figures.md lists them.
func rank(figure domain.FigureName) int {
	return slices.Index([]domain.FigureName{
		domain.FigureTVL, domain.FigurePlatforms, domain.FigureFollowers,
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
	return origins
}
