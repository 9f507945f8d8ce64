package snapshot

import (
	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/query"
)

// ListedKind is a kind of records with a description and a list.
type ListedKind struct {
	Kind        query.Kind
	Description *domain.Description
	Name        string // of the list in its body
	Path        string // of the operations of records, up to their key

	whole any // an empty view of a whole record
}

// listedKinds has the kinds of the sources.
var listedKinds = func() []ListedKind {
	var all []ListedKind
	empty := &compiler{catalog: &domain.Catalog{}}
	for _, source := range empty.sources() {
		if of := source.listedKind(); of.Description != nil {
			all = append(all, of)
		}
	}
	return all
}()

// ListedKinds returns the kinds of the sources. The result is shared and must not be modified.
func ListedKinds() []ListedKind { return listedKinds }

// Summary is a record of any kind in a list.
type Summary struct {
	SearchResult
	Categories []string // labels
}

// Summaries returns summaries of the records that a query selects.
func (s *Snapshot) Summaries(q query.List) Page[Summary] {
	return s.list(q.Kind).summariesOf(s.Resolve(q), s.in(q.Locale))
}

// Whole returns the summary and the view of the record of a kind that a name means (see
// [Snapshot.Named]). ok is false for none.
func (s *Snapshot) Whole(kind query.Kind, name string, id locale.ID) (of Summary, view any, ok bool) {
	return s.list(kind).wholeNamed(name, s.in(id))
}

func (l *list[R, V]) summariesOf(q query.List, in language) Page[Summary] {
	m := l.matches(q)
	page := Page[Summary]{Facets: m.facets(), Total: m.total}
	for _, number := range m.numbers() {
		page.Rows = append(page.Rows, l.summary(number, in))
	}
	return page
}

func (l *list[R, V]) summary(number uint32, in language) Summary {
	r := l.records[number]
	return Summary{l.result(r).view(l.kind, in), in.labels(l.categories(r))}
}

func (l *list[R, V]) wholeNamed(name string, in language) (of Summary, view any, ok bool) {
	number, ok := l.named(name)
	if !ok {
		return Summary{}, nil, false
	}
	return l.summary(number, in), l.detailsOf(number, in), true
}
