package snapshot

import (
	"maps"
	"slices"

	"vitrine/internal/query"
)

// ListKinds returns the kinds with a list.
func (s *Snapshot) ListKinds() []query.Kind { return slices.Sorted(maps.Keys(s.lists)) }

// RecordKinds returns the kinds that a record may have a body of.
func (s *Snapshot) RecordKinds() []query.Kind {
	return slices.Concat(query.Kinds(), s.ListKinds(), []query.Kind{query.KindNavGroup})
}
