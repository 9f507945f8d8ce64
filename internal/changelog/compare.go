package changelog

import (
	"cmp"
	"slices"

	"vitrine/internal/domain"
)

// Compare returns the entries of a revision that replaced old by new, both merged, ordered by kind
// and key. Records that both share may be left out of both. Accounts without followers are
// invisible, so they count as missing.
//
// A renamed record is a change of one record (see [domain.Change]). Fields that readers never see
// are included; the reader of a [Log] decides which fields are public.
func Compare(revision int64, old, new *domain.Catalog) []Entry {
	old, new = visible(old), visible(new)
	var entries []Entry
	for kind, changes := range byKind(domain.Diff(old, new)) {
		d := domain.Describe(kind)
		before, after := byKey(d, old), byKey(d, new)
		for _, change := range changes {
			entries = append(entries, compareRecords(revision, d, change, before[cmp.Or(change.Was, change.Key)], after[change.Key]))
		}
	}
	slices.SortStableFunc(entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Key, b.Key), cmp.Compare(a.ID, b.ID))
	})
	return entries
}

// visible returns a catalogue without the records that readers do not see.
func visible(c *domain.Catalog) *domain.Catalog {
	if c == nil || !slices.ContainsFunc(c.Accounts, domain.HeldBack) {
		return c
	}
	seen := *c
	seen.Accounts = slices.DeleteFunc(slices.Clone(c.Accounts), domain.HeldBack)
	return &seen
}

// byKind returns the changes of records by kind. Pictures are no records of the API: readers see the
// records that show them.
func byKind(changes []domain.Change) map[domain.Kind][]domain.Change {
	all := map[domain.Kind][]domain.Change{}
	for _, c := range changes {
		if c.Kind != domain.KindCatalog && c.Op != domain.Reordered && !domain.Describe(c.Kind).Raw {
			all[c.Kind] = append(all[c.Kind], c)
		}
	}
	return all
}

func byKey(d *domain.Description, c *domain.Catalog) map[string]any {
	all := make(map[string]any)
	if c == nil {
		return all
	}
	for i := range d.Size(c) {
		record := d.Record(c, i)
		all[d.Key(record)] = record
	}
	return all
}

// compareRecords returns the entry of a changed record, given both versions of it.
func compareRecords(revision int64, d *domain.Description, change domain.Change, before, after any) Entry {
	e := Entry{Revision: revision, Kind: d.Kind, Op: change.Op}
	e.Values = differences(hashes(d.Shape.Fields, seen(before)), hashes(d.Shape.Fields, seen(after)))
	if change.Op != domain.Added {
		e.ID, e.Was = d.Identity(cmp.Or(change.Was, change.Key)), d.Address(before)
		e.Key = e.Was
	}
	if change.Op != domain.Removed {
		was := e.ID
		if e.ID, e.Key = d.Identity(change.Key), d.Address(after); was != e.ID {
			e.WasID = was
		}
		return e
	}
	e.Title, e.Name = titleOf(d.Shape, before)
	return e
}

// seen returns a record with the values that readers see, which editors can write in several forms:
// the id of a chain may be derived, and the scopes of a category may be in any order. Menus have no
// values of cards that only lists of cards have. nil stays nil.
func seen(record any) any {
	switch r := record.(type) {
	case *domain.Chain:
		c := *r
		c.ID = r.StableID()
		return &c
	case *domain.Category:
		c := *r
		c.Scopes = slices.Sorted(slices.Values(c.Scopes))
		c.Groups = slices.SortedFunc(slices.Values(c.Groups), func(a, b domain.ModuleGroups) int { return cmp.Compare(a.Module, b.Module) })
		return &c
	case *domain.Menu:
		m := r.Complete(nil) // a copy
		for c := range m.Cards() {
			c.Categories, c.Chains, c.Platforms, c.Aliases, c.Extra = nil, nil, nil, nil, ""
		}
		return &m
	}
	return record
}

// titleOf returns the title of a record, or the name of one whose name has no translations.
func titleOf(shape *domain.Shape, record any) (title Title, name string) {
	f := shape.Field("title")
	if f == nil {
		f = shape.Field("name")
	}
	if f.IsLine() {
		return nil, *f.Line(record)
	}
	return Title(*f.Text(record)), ""
}

// Menus are menus with the apps that their cards name.
type Menus struct {
	Menus []domain.Menu
	Apps  map[string]*domain.App // by key
}

// CompareCards returns the entries of the cards of a revision that replaced old by new, ordered by
// menu and id. A card is identified by its id within its menu, and has the values of its app. Menus
// that both have unchanged, with the same apps, may be left out of both.
func CompareCards(revision int64, old, new Menus) []Entry {
	before, after := old.cards(), new.cards()
	was := make(map[string]card, len(before))
	for _, c := range before {
		was[c.id()] = c
	}
	var entries []Entry
	for _, c := range after {
		e := c.entry(revision, domain.Added)
		var values []hashed
		if b, ok := was[e.ID]; ok {
			delete(was, e.ID)
			e.Op, e.Was, values = domain.Changed, b.ID, b.hashes()
		}
		if e.Values = differences(values, c.hashes()); e.Values != nil {
			entries = append(entries, e)
		}
	}
	for _, c := range was {
		e := c.entry(revision, domain.Removed)
		e.Was, e.Values, e.Title = c.ID, differences(c.hashes(), nil), Title(c.Title)
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.ID, b.ID) })
	return entries
}

// card is a card with the values of its app, its id and its place.
type card struct {
	*domain.Card
	menu, item string      // path slug, slug
	app        *domain.App // nil for none
}

func (m Menus) cards() []card {
	var all []card
	for _, menu := range m.Menus {
		complete := menu.Complete(m.Apps).WithIDs()
		for place, c := range complete.Places() {
			all = append(all, card{c, complete.PathSlug, place.Item, m.Apps[c.App]})
		}
	}
	return all
}

func (c card) id() string { return c.menu + "/" + c.ID }

func (c card) entry(revision int64, op domain.Op) Entry {
	return Entry{Revision: revision, Kind: KindCard, Op: op, ID: c.id(), Key: c.ID, Menu: c.menu}
}

var (
	cardShape = domain.CardShape()
	appShape  = domain.Describe(domain.KindApp).Shape
)

// hashes returns the values of a card: its fields, its item, and what only its app has.
func (c card) hashes() []hashed {
	all := append(hashes(cardShape.Fields, c.Card), hashed{FieldItem, hashOf([]byte(c.item))})
	if c.app != nil {
		all = append(all, hashes([]*domain.Field{appShape.Field("status"), appShape.Field("links")}, c.app)...)
	}
	return all
}
