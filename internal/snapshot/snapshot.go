// Package snapshot compiles one revision of a catalogue into the form in which
// it is served, and answers typed queries from it.
//
// [Compile] does everything that can be known beforehand: each record is
// localised and encoded for every locale, each list sorted in every order, each
// text indexed. A query selects prepared bytes and joins them; nothing is
// localised, sorted or encoded on the way. Compile is pure: no I/O, no clock,
// and the same catalogue gives the same bytes in whatever order its lists came.
//
// The package must not know HTTP, query strings or stores. A *Snapshot never
// changes and is safe for any number of readers; the bytes that it returns are
// shared and read only, except those of a [Result].
package snapshot

import (
	"maps"
	"slices"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/query"
)

// Revision says which published revision a snapshot was compiled from.
type Revision struct {
	Number      int64
	PublishedAt time.Time
	// Demonstration says that this is the catalogue that comes with the program.
	// Meta then has a member that says so.
	Demonstration bool
}

// Snapshot is one compiled revision. Make one with [Compile].
type Snapshot struct {
	revision Revision
	locales  *locale.Set
	roles    domain.Roles

	registry registry
	users    users
	chains   chains
	channels channels
	cards    cards
	apps     apps
	nav      nav
	found    []searched // in the order of query.Kinds
	meta     bodies
	titles   []string // by locale.ID
	news     []event  // the newest first

	names map[string]domain.Text // of categories by key
}

// bodies is one response body in every locale, by locale.ID.
type bodies [][]byte

// Revision returns the revision that the snapshot was compiled from.
func (s *Snapshot) Revision() Revision { return s.revision }

// Locales returns the locales of the catalogue.
func (s *Snapshot) Locales() *locale.Set { return s.locales }

// Categories returns the body of the category registry. The full form is the
// same in every locale.
func (s *Snapshot) Categories(q query.Categories) []byte {
	if q.Full {
		return s.registry.full[q.Scope]
	}
	return s.registry.short[q.Scope][q.Locale]
}

// CategoryGroups returns the body with the dimension groups of a module, nil
// when q.Module is none of [domain.Modules].
func (s *Snapshot) CategoryGroups(q query.CategoryGroups) []byte {
	prepared := s.registry.groups[q.Module]
	if prepared == nil {
		return nil
	}
	return prepared[q.Locale]
}

// Users returns accounts, by followers.
func (s *Snapshot) Users(q query.List) Result {
	if listed := s.users.listed; listed != nil {
		return s.users.result(q, &s.users.byFollowers, listed)
	}
	return s.users.result(q, &s.users.byFollowers)
}

// Channels returns channels, by name in the collation of the locale.
func (s *Snapshot) Channels(q query.List) Result {
	return s.channels.result(q, &s.channels.byName[q.Locale])
}

// Chains returns chains in the order that the query asks for.
func (s *Snapshot) Chains(q query.Chains) Result {
	return s.chains.result(q.List, s.chains.order(q))
}

// Cards returns the cards of all menus in the order that the query asks for.
func (s *Snapshot) Cards(q query.Cards) Result {
	return s.cards.result(s.ResolveCards(q))
}

// Apps returns apps, by title in the collation of the locale.
func (s *Snapshot) Apps(q query.Apps) Result {
	return s.apps.result(s.ResolveApps(q))
}

// NavGroups returns the body of the list of navigation groups.
func (s *Snapshot) NavGroups(q query.Localized) []byte {
	return s.nav.list[q.Locale]
}

// NavGroup returns the body of one navigation group, by its slug or a former one; false
// where no group has it.
func (s *Snapshot) NavGroup(slug string, q query.Localized) ([]byte, bool) {
	prepared, ok := s.nav.groups[s.nav.groupSlugs[slug]]
	if !ok {
		return nil, false
	}
	return prepared[q.Locale], true
}

// NavGroupSlug returns the slug of the navigation group that has a slug, maybe a former one;
// false where none has it.
func (s *Snapshot) NavGroupSlug(slug string) (string, bool) {
	now, ok := s.nav.groupSlugs[slug]
	return now, ok
}

// Menu returns the body of one menu, by its path slug or a former one; false where no menu
// has it.
func (s *Snapshot) Menu(pathSlug string, q query.Localized) ([]byte, bool) {
	prepared, ok := s.nav.menus[s.nav.menuSlugs[pathSlug]]
	if !ok {
		return nil, false
	}
	return prepared[q.Locale], true
}

// Meta returns the body that tells of the catalogue itself.
func (s *Snapshot) Meta(q query.Localized) []byte {
	return s.meta[q.Locale]
}

// Title returns the title of the catalogue.
func (s *Snapshot) Title(q query.Localized) string {
	return s.titles[q.Locale]
}

// Roles returns which categories and groups have a meaning to programs, empty lists where
// the catalogue does not say; read only.
func (s *Snapshot) Roles() domain.Roles { return s.roles }

// compiler holds what the compilation of every part needs.
type compiler struct {
	catalog   *domain.Catalog // as lists have it, see [domain.Listed]
	whole     *domain.Catalog // with the figures that lists do not have
	locales   *locale.Set
	fallbacks [][]string             // locale.Set.Fallback by locale.ID
	names     map[string]domain.Text // of categories by key

	dimensions map[domain.Module]*dimensions
	demoted    []string // keys of the categories that a search puts last

	appsByKey map[string]*domain.App
	menus     []domain.Menu  // of completeMenus
	menuRanks map[string]int // by path slug
}

// Compile compiles a catalogue that [domain.Check] finds no error in. It keeps
// references into c, which nobody may change any more. An error means that the
// catalogue declares no valid set of locales.
//
// previous is nil or any earlier snapshot, which stays as it is. Records that did
// not change since are taken over from it, so that a small change costs little.
// What is served is the same without it.
func Compile(previous *Snapshot, c *domain.Catalog, revision Revision) (*Snapshot, error) {
	locales, err := locale.NewSet(c.DefaultLocale, c.Locales)
	if err != nil {
		return nil, err
	}
	comp := &compiler{catalog: domain.Listed(c), whole: c, locales: locales, names: map[string]domain.Text{}}
	for id := range locales.Len() {
		comp.fallbacks = append(comp.fallbacks, locales.Fallback(locale.ID(id)))
	}
	for _, category := range c.Categories {
		comp.names[category.Key] = category.Name
	}

	categories := comp.registryOrder()
	comp.dimensions = comp.allDimensions(categories)
	if rules := c.Search; rules != nil {
		comp.demoted = rules.Demote
	}
	comp.appsByKey, comp.menuRanks = c.AppsByKey(), menuRanks(c)
	comp.menus = comp.completeMenus()

	s := &Snapshot{revision: revision, locales: locales, names: comp.names}
	if c.Roles != nil {
		s.roles = *c.Roles
	}
	s.registry = comp.registry(categories)
	s.nav = comp.nav()
	before := comp.reusable(previous)
	s.chains = comp.chains(before.chains)
	s.users = comp.users(before.users)
	s.channels = comp.channels(before.channels)
	s.cards = comp.cards(before.cards)
	s.apps = comp.apps(before.apps, &s.cards)
	s.found = comp.searched(s, previous, categories)
	s.titles = comp.titles()
	s.news = comp.news(&s.apps)
	s.meta = comp.meta(revision, s.counts())
	return s, nil
}

// lists are those that records may be taken over from, nil for those whose may not.
type lists struct {
	chains   *chains
	users    *users
	channels *channels
	cards    *cards
	apps     *apps
}

// reusable returns the lists of a snapshot whose records may be taken over: all lists
// are encoded for the locales of their snapshot, and accounts and channels with the
// labels of its categories.
func (c *compiler) reusable(previous *Snapshot) lists {
	sameLocales := previous != nil && previous.locales.Default() == c.locales.Default() &&
		slices.Equal(previous.locales.Names(), c.locales.Names())
	switch {
	case !sameLocales:
		return lists{}
	case !maps.EqualFunc(previous.names, c.names, slices.Equal[domain.Text]):
		return lists{chains: &previous.chains, cards: &previous.cards, apps: &previous.apps}
	}
	return lists{&previous.chains, &previous.users, &previous.channels, &previous.cards, &previous.apps}
}

// each encodes something in every locale. resolve gives a text in that locale, by
// its own fallback (docs/api.md#languages).
func (c *compiler) each(encode func(w *writer, resolve func(domain.Text) string)) bodies {
	prepared := make(bodies, len(c.fallbacks))
	for id, chain := range c.fallbacks {
		var w writer
		encode(&w, resolver(chain))
		prepared[id] = w.buf
	}
	return prepared
}

// resolver gives texts in the first locale of a fallback chain that they have.
func resolver(chain []string) func(domain.Text) string {
	return func(t domain.Text) string { return t.Resolve(chain) }
}
