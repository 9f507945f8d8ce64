// Package snapshot compiles one revision of a catalogue into its served form, and answers typed
// queries from it.
//
// [Compile] prepares everything that does not depend on a request: it localises and encodes each
// record for every locale. [Snapshot.Finish] sorts each list in every order and indexes each text;
// without it, the first requests do. A list query selects prepared rows and joins them. Each record
// has one view (see views.go), from which rows, details, pages and tools are made. Compile is pure:
// it uses no I/O and no clock, and returns the same bytes for the same catalogue in any order.
//
// The package must not know HTTP, query strings or stores. A *Snapshot is immutable and safe for
// concurrent use. The bytes that it returns are shared and must not be modified, except those of
// a [Result].
package snapshot

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"vitrine/internal/changelog"
	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/parallel"
	"vitrine/internal/query"
)

// Revision identifies the published revision of a snapshot.
type Revision struct {
	Number      int64
	PublishedAt time.Time
	// Demonstration is true for the catalogue that is included in the program. Meta then has the
	// member demonstration.
	Demonstration bool
	// Bulk is the path of the distribution's pointer, which meta and errors name; "" for none.
	Bulk string
}

// Snapshot is a compiled revision. Make one with [Compile].
type Snapshot struct {
	revision Revision
	locales  *locale.Set
	places   Positions // nil if unknown

	registry    registry
	lists       map[query.Kind]anyList
	nav         nav
	keys        map[query.Kind]map[string]string // of kinds without a list, by name
	catalog     *domain.Catalog                  // the source
	limits      domain.Ages
	origins     map[domain.Kind]origins
	searchables []searchable // in the order of query.Kinds
	meta        Meta         // without a title
	texts       *localizer
	pictures    *pictures
	news        []event        // the newest first
	changes     *changelog.Log // nil if unknown

	names map[string]domain.Text // of categories by key
}

// Revision returns the revision of the snapshot.
func (s *Snapshot) Revision() Revision { return s.revision }

// Locales returns the locales of the catalogue.
func (s *Snapshot) Locales() *locale.Set { return s.locales }

// Categories returns the body of the category registry. The full form is the same in all locales.
func (s *Snapshot) Categories(q query.Categories) []byte {
	if q.Full {
		return Encode(&categoryList[FullCategory]{s.FullCategoriesView(q.Scope)})
	}
	return Encode(&categoryList[Category]{s.CategoriesView(q)})
}

// CategoriesView returns the short form of the registry. It ignores q.Full.
func (s *Snapshot) CategoriesView(q query.Categories) []Category {
	return s.registry.view(q.Scope, s.in(q.Locale))
}

// FullCategoriesView returns the full form of the registry of a scope; "" means all scopes.
func (s *Snapshot) FullCategoriesView(scope domain.Module) []FullCategory {
	return s.registry.fullView(scope, s.locales.Names())
}

// CategoryGroupsView returns the dimension groups of a module, by priority and key.
func (s *Snapshot) CategoryGroupsView(q query.CategoryGroups) *CategoryGroups {
	return categoryGroups(q.Module, s.registry.groups[q.Module], s.locales.Names(), s.in(q.Locale))
}

// List returns the encoded records of the list of a kind. It panics for a kind without a
// list.
func (s *Snapshot) List(q query.List) Result {
	return s.list(q.Kind).find(s.Resolve(q), s.in(q.Locale))
}

// Facets returns the facets of a list, whether the query asks for them or not.
func (s *Snapshot) Facets(q query.List) []Facet {
	q.Facets = true
	return s.list(q.Kind).facetsOf(s.Resolve(q))
}

// FilterCounts returns the number of records that a query selects by value of a filter, without zeros.
func (s *Snapshot) FilterCounts(q query.List, filter string) map[string]int {
	return s.list(q.Kind).filterCounts(s.Resolve(q), filter)
}

// list returns the list of a kind. It panics for a kind without one.
func (s *Snapshot) list(kind query.Kind) anyList {
	l, ok := s.lists[kind]
	if !ok {
		panic("snapshot: no source describes a list of the kind " + string(kind))
	}
	return l
}

// NavGroupsView returns the view of all navigation groups.
func (s *Snapshot) NavGroupsView(id locale.ID) *NavGroups { return s.nav.view(s.in(id)) }

// MenuView returns the view of a menu by its path slug or a former one, nil if no menu has it.
func (s *Snapshot) MenuView(pathSlug string, id locale.ID) *Menu {
	menu, ok := s.nav.menus[s.keys[query.KindMenu][pathSlug]]
	if !ok {
		return nil
	}
	return menuView(menu, s.in(id))
}

// MetaView returns the view of the catalogue.
func (s *Snapshot) MetaView(id locale.ID) *Meta {
	meta := s.meta
	meta.Title = s.Title(id)
	return &meta
}

// Title returns the title of the catalogue.
func (s *Snapshot) Title(id locale.ID) string { return s.in(id).text(s.catalog.Title) }

// SiteView is how the site presents the catalogue in a locale; "" for the defaults of the program.
type SiteView struct {
	Lead, Footer    string
	Imprint, Accent string
	Icon            string            // address of a picture
	Words           map[string]string // of the locale, by key
}

// SiteView returns how the site presents the catalogue.
func (s *Snapshot) SiteView(id locale.ID) SiteView {
	in, site := s.in(id), orZero(s.catalog.Site)
	view := SiteView{
		Lead: in.text(site.Lead), Footer: in.text(site.Footer), Imprint: site.Imprint, Accent: site.Accent, Icon: in.picture(site.Icon), Words: map[string]string{},
	}
	for _, w := range site.Words {
		if w.Locale == s.locales.Name(id) {
			view.Words[w.Key] = w.Text
		}
	}
	return view
}

// Roles returns the categories and groups with a meaning to programs, empty lists if the
// catalogue defines none. The result must not be modified.
func (s *Snapshot) Roles() domain.Roles { return orZero(s.catalog.Roles) }

// orZero returns the value that a pointer points to, the zero value for nil.
func orZero[T any](of *T) T { return *cmp.Or(of, new(T)) }

// compiler has the shared inputs of all parts of a compilation.
type compiler struct {
	catalog   *domain.Catalog // in the form of lists, see [domain.Listed]
	whole     *domain.Catalog // with the figures that lists hide
	locales   *locale.Set
	fallbacks [][]string // locale.Set.Fallback by locale.ID
	texts     *localizer
	names     map[string]domain.Text // of categories by key

	keys       map[query.Kind]map[string]string // see [keysByName]
	dimensions map[domain.Module]*dimensions
	demoted    []string // keys of the categories that searches demote

	appsByKey map[string]*domain.App
	menus     []domain.Menu      // of completeMenus
	menuRanks map[string]int     // by path slug
	cards     []card             // of all menus, by place
	appCards  map[string][]*card // by key of the app

	// Rows of the previous snapshot may be reused, with sameNames also those with names of categories,
	// with samePictures also those with pictures.
	sameLocales, sameNames, samePictures bool
	sameRules                            bool // lists of the previous snapshot may be reused, if its records and texts may be
}

// Compile compiles a catalogue without errors of [domain.Check]. It keeps references into c,
// which must not be modified afterwards. It returns an error if the catalogue has no valid set of
// locales.
//
// previous is nil or an earlier snapshot, which is not modified. Compile reuses its unchanged
// records, so that small changes are cheap; the result is the same.
//
// Indexes of searches and orders of lists are made at their first use. Until [Snapshot.Finish] returns, a
// request may have to make what it needs, and the snapshot keeps previous in memory.
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
	var before *pictures
	if previous != nil {
		before = previous.pictures
	}
	pictures := newPictures(before, c.Assets)
	comp.texts = newLocalizer(locales.Names(), comp.fallbacks, pictures)

	categories := comp.registryOrder()
	comp.keys, comp.dimensions = keysByName(c), map[domain.Module]*dimensions{}
	for _, module := range domain.Modules() {
		comp.dimensions[module] = comp.newDimensions(module, categories)
	}
	comp.demoted = orZero(c.Search).Demote
	comp.appsByKey, comp.menuRanks = c.AppsByKey(), menuRanks(c)
	comp.menus = comp.completeMenus()
	comp.cards = comp.allCards()
	comp.appCards = cardsByApp(comp.cards)
	if previous != nil {
		comp.sameLocales = previous.locales.Default() == locales.Default() && slices.Equal(previous.locales.Names(), locales.Names())
		comp.sameRules = slices.Equal(orZero(previous.catalog.Search).Demote, comp.demoted) && shares(previous.catalog, c, domain.KindCategory, domain.KindGroup)
		comp.samePictures = pictures.keep(before)
		comp.sameNames = maps.EqualFunc(previous.names, comp.names, slices.Equal[domain.Text])
	}

	s := &Snapshot{
		catalog: c, revision: revision, locales: locales, keys: comp.keys, names: comp.names, texts: comp.texts, pictures: pictures,
		registry: comp.registry(categories), nav: comp.nav(), lists: map[query.Kind]anyList{},
	}
	sources := comp.sources()
	lists := make([]anyList, len(sources))
	parallel.Do(len(sources), func(i int) { lists[i] = sources[i].compile(comp, previous) })
	for _, l := range lists {
		s.lists[l.kindOf()] = l
	}
	s.searchables = comp.searchables(s, previous, categories)
	s.news = comp.news()
	s.limits = domain.AgesOf(c)
	s.origins = comp.origins(previous, s.limits)
	s.meta = comp.meta(s)
	return s, nil
}

// Finish makes all indexes and orders, on all processors. It does nothing if they are made. It is safe for
// concurrent use, also beside requests.
func (s *Snapshot) Finish() {
	var parts []func()
	for _, kind := range slices.Sorted(maps.Keys(s.lists)) {
		parts = append(parts, s.lists[kind].parts()...)
	}
	for _, kind := range s.searchables {
		parts = append(parts, func() { kind.index() }, func() { kind.order(0) })
	}
	parallel.Do(len(parts), func(i int) { parts[i]() })
}

// shares reports whether two catalogues share the lists of some kinds.
func shares(a, b *domain.Catalog, kinds ...domain.Kind) bool {
	return !slices.ContainsFunc(kinds, func(kind domain.Kind) bool { return !domain.Describe(kind).Shares(a, b) })
}

// in returns the language of a locale. Texts use its own fallbacks (docs/api.md#languages).
func (c *compiler) in(id locale.ID) language {
	return language{c.texts, id, c.names, c.catalog.Sources}
}

func (s *Snapshot) in(id locale.ID) language {
	return language{s.texts, id, s.names, s.catalog.Sources}
}
