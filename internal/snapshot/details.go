package snapshot

import (
	"github.com/go-json-experiment/json/jsontext"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/query"
)

// Record returns the body of the record of a kind that a name means (see [Snapshot.Named]). ok is
// false for an unknown name, and for a kind without bodies. Bodies are encoded at the request, since
// few of them are requested often; package operations caches them.
func (s *Snapshot) Record(kind query.Kind, name string, id locale.ID) (body []byte, ok bool) {
	in := s.in(id)
	if l, isList := s.lists[kind]; isList {
		if view := l.viewNamed(name, in); view != nil {
			return Encode(view), true
		}
		return nil, false
	}
	key, ok := s.keys[kind][name]
	switch {
	case ok && kind == query.KindMenu:
		return Encode(menuView(s.nav.menus[key], in)), true
	case ok && kind == query.KindNavGroup:
		return Encode(s.nav.group(s.nav.groupOf(key), in)), true
	}
	return nil, false
}

// links returns the views of links.
func links(links []domain.Link) []Link {
	return views(links, func(l domain.Link) Link { return Link(l) })
}

// views returns the views of parts of a record, nil for none.
func views[P, V any](parts []P, view func(P) V) []V {
	if len(parts) == 0 {
		return nil
	}
	all := make([]V, len(parts))
	for i, part := range parts {
		all[i] = view(part)
	}
	return all
}

// sources returns the sources of a record with the names that its fields have in responses.
func sources(shape *domain.Shape, of string) domain.JSON {
	var named []byte
	for name, source := range domain.JSON(of).Strings() {
		if f := shape.Field(name); f != nil {
			named = append(named, ',')
			named, _ = jsontext.AppendQuote(named, MemberName(f)) // names and checked texts are valid UTF-8
			named = append(named, ':')
			named, _ = jsontext.AppendQuote(named, source)
		}
	}
	if named == nil {
		return ""
	}
	named[0] = '{'
	return domain.JSON(append(named, '}'))
}

// valueOfFigure returns the value of a figure, nil for none.
func valueOfFigure(f *domain.Figure) *float64 {
	if f == nil {
		return nil
	}
	return &f.Value
}

// compareBool orders false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
