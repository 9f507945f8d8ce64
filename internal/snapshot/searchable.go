package snapshot

import (
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/search"
)

// searchable is one kind of records in a search over everything.
type searchable struct {
	kind     query.Kind
	index    func() *search.Index   // made at its first use
	order    func(locale.ID) *order // the default order of its list
	results  *roaring.Bitmap        // matches of searches that do not name the kind; nil for all
	within   *roaring.Bitmap        // restriction of one search; nil for all
	demoted  *roaring.Bitmap        // nil for none
	document func(number uint32) search.Document
	record   func(number uint32) searchRecord
	nearKey  func(name string) string // the key closest to an unknown name; nil if labels suffice

	bySymbol func(term string) *roaring.Bitmap // the records with a symbol; nil for records without
	// onChains returns the records on any of some chains, onMain those whose first, main chain is
	// one of them. The caller owns the sets. Both are nil for records without chains.
	onChains, onMain func(chains *roaring.Bitmap) *roaring.Bitmap
	// chains returns the chains with a term in a label, once for all kinds of a search.
	chains func(term string) *roaring.Bitmap
}

// beyond returns the records that match a term other than by their texts, nil for none: by a
// symbol, which counts as a label, or by a label of their chains.
func (s *searchable) beyond(term string) *roaring.Bitmap {
	switch {
	case s.bySymbol != nil:
		return s.bySymbol(term)
	case s.onChains != nil:
		return s.onChains(s.chains(term))
	}
	return nil
}

// searchRecord has the values of a record for results and suggestions, in all locales.
type searchRecord struct {
	key                string
	name               string      // the same in all locales; "" if there is a title
	title, description domain.Text //
	image, url, href   string      // "" for none
	menus              []string    // of an app: the menus of its cards
	symbol             string      // of a chain's coin; "" for none
}

// searchables returns all kinds in the order of [query.Kinds]. Categories are in the order of the
// registry. The indexes of previous, which may be nil, are reused for equal documents.
func (c *compiler) searchables(s, previous *Snapshot, categories []domain.Category) []searchable {
	var all []searchable
	for _, kind := range query.Kinds() {
		switch kind {
		case query.KindMenu:
			all = append(all, c.searchableMenus(previous.searchable(kind)))
		case query.KindCategory:
			all = append(all, searchableCategories(previous.searchable(kind), categories))
		default:
			all = append(all, s.list(kind).searchable(s.list(query.KindChain)))
		}
	}
	return all
}

// searchableMenus returns all menus: those of the groups in their order, then the others.
func (c *compiler) searchableMenus(previous *searchable) searchable {
	menus := sorted(pointers(c.catalog.Menus), c.compareMenus)
	return searchableRecords(previous, query.KindMenu, domain.Describe(domain.KindMenu).Shape, menus, func(m *domain.Menu) searchRecord {
		return searchRecord{key: m.PathSlug, title: m.Title, description: m.Description, image: m.OGImage, href: menuPath + m.PathSlug}
	})
}

// searchableCategories returns all categories in the order of the registry.
func searchableCategories(previous *searchable, categories []domain.Category) searchable {
	all := pointers(categories)
	return searchableRecords(previous, query.KindCategory, domain.Describe(domain.KindCategory).Shape, all, func(c *domain.Category) searchRecord {
		return searchRecord{key: c.Key, title: c.Name, description: c.Description, href: categoriesPath}
	})
}

// searchableRecords returns few records in their order. It reuses the index of previous, which
// may be nil, if its documents are the same.
func searchableRecords[R any](previous *searchable, kind query.Kind, shape *domain.Shape, records []*R, view func(*R) searchRecord) searchable {
	standing := ranked(ascending[uint32](len(records)), len(records))
	s := searchable{
		kind: kind, order: func(locale.ID) *order { return standing },
		document: func(number uint32) search.Document { return search.Document(shape.Finding(records[number])) },
		record:   func(number uint32) searchRecord { return view(records[number]) },
	}
	if previous.hasDocumentsOf(&s) {
		s.index = previous.index
	} else {
		s.index = sync.OnceValue(func() *search.Index { return search.New(len(records), s.document) })
	}
	return s
}

// searchable returns the records of a kind for a search, nil for a nil snapshot.
func (s *Snapshot) searchable(kind query.Kind) *searchable {
	if s == nil {
		return nil
	}
	for i := range s.searchables {
		if s.searchables[i].kind == kind {
			return &s.searchables[i]
		}
	}
	return nil
}

// hasDocumentsOf reports whether the records of s have the same documents in the same order as
// those of other. Both are from [searchableRecords]; s may be nil, which has none.
func (s *searchable) hasDocumentsOf(other *searchable) bool {
	if s == nil {
		return false
	}
	n := len(s.order(0).numbers)
	if n != len(other.order(0).numbers) {
		return false
	}
	for number := range uint32(n) {
		if !sameDocument(s.document(number), other.document(number)) {
			return false
		}
	}
	return true
}

// sameDocument reports whether documents are equal.
func sameDocument(a, b search.Document) bool {
	return slices.Equal(a.Labels, b.Labels) && slices.Equal(a.IDs, b.IDs) && slices.Equal(a.Texts, b.Texts)
}
