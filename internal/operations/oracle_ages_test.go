package operations_test

import (
	"slices"
	"time"

	"vitrine/internal/domain"
)

// old reports whether a figure is older than the catalogue allows, and whether lists hide such
// figures.
func (o oracle) old(name domain.FigureName, f *domain.Figure) (old, held bool) {
	if f == nil || f.AsOf == "" || o.catalog.MaxAge == nil {
		return false, false
	}
	var limit *domain.AgeLimit
	newest := f.AsOf
	see := func(other *domain.Figure) {
		if other != nil && other.AsOf > newest {
			newest = other.AsOf
		}
	}
	switch name {
	case "llama_tvl":
		limit = o.catalog.MaxAge.TVL
		for _, c := range o.catalog.Chains {
			see(c.TVL)
		}
	case "platforms":
		limit = o.catalog.MaxAge.Platforms
		for _, c := range o.catalog.Chains {
			see(c.Platforms)
		}
	case "followers_count":
		limit = o.catalog.MaxAge.Followers
		for _, a := range o.catalog.Accounts {
			see(a.Followers)
		}
	case "subscriber_count":
		limit = o.catalog.MaxAge.Subscribers
		for _, c := range o.catalog.Channels {
			see(c.Subscribers)
		}
	}
	if limit == nil {
		return false, false
	}
	from, err := time.Parse("2006-01-02", string(f.AsOf))
	if err != nil {
		panic(err)
	}
	to, err := time.Parse("2006-01-02", string(newest))
	if err != nil {
		panic(err)
	}
	old = from.AddDate(0, 0, int(limit.Days)).Before(to)
	return old, old && limit.Older != "mark"
}

// listed returns chains and accounts with the figures of lists.
func (o oracle) listed() ([]domain.Chain, []*domain.Account) {
	chains, accounts := slices.Clone(o.catalog.Chains), slices.Clone(o.catalog.Accounts)
	without := func(name domain.FigureName, f *domain.Figure) *domain.Figure {
		if _, held := o.old(name, f); held {
			return nil
		}
		return f
	}
	for i, c := range o.catalog.Chains {
		chains[i].TVL, chains[i].Platforms = without("llama_tvl", c.TVL), without("platforms", c.Platforms)
	}
	for i, a := range o.catalog.Accounts {
		account := *a
		account.Followers = without("followers_count", a.Followers)
		accounts[i] = &account
	}
	return chains, accounts
}

// ages sets the maximum ages of figures, usually.
func (g generator) ages(c *domain.Catalog) {
	if g.chance(40) {
		return
	}
	limit := func() *domain.AgeLimit {
		if g.chance(40) {
			return nil
		}
		return &domain.AgeLimit{Days: pick(g, []float64{1, 100, 365, 536, 537, 1000}), Older: pick(g, []domain.Older{"", "", "mark"})}
	}
	c.MaxAge = &domain.MaxAges{TVL: limit(), Platforms: limit(), Followers: limit(), Subscribers: limit()}
}
