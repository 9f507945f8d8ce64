package snapshot

import (
	"maps"
	"slices"

	"vitrine/internal/locale"
	"vitrine/internal/query"
)

// ListKinds returns the kinds with a list.
func (s *Snapshot) ListKinds() []query.Kind { return slices.Sorted(maps.Keys(s.lists)) }

// RecordKinds returns the kinds that a record may have a body of.
func (s *Snapshot) RecordKinds() []query.Kind {
	return slices.Concat(query.Kinds(), s.ListKinds(), []query.Kind{query.KindNavGroup})
}

// The bodies of views.

func (s *Snapshot) Meta(id locale.ID) []byte { return Encode(s.MetaView(id)) }

func (s *Snapshot) NavGroups(id locale.ID) []byte { return Encode(s.NavGroupsView(id)) }

func (s *Snapshot) CategoryGroups(q query.CategoryGroups) []byte {
	return Encode(s.CategoryGroupsView(q))
}

func (s *Snapshot) Search(q query.Search) (body []byte, total int) {
	view := s.SearchView(q)
	return Encode(view), view.Total
}
