package store

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/catalog"
)

// edit is what a row says about a record.
type edit[R any] struct {
	key      string
	position int
	gone     bool
	record   R // the zero value where the record is gone
}

type edits[R any] []edit[R]

// add decodes a row. A body whose record has another key than its row is
// damaged, however well it can be read.
func add[B, R any](to *edits[R], row Row, record func(B) R, key func(R) string) error {
	e := edit[R]{key: row.Key, position: row.Position, gone: row.Body == nil}
	if !e.gone {
		body, err := decode[B](row.Body)
		if err != nil {
			return err
		}
		if e.record = record(body); key(e.record) != row.Key {
			return fmt.Errorf("it holds the record of %q", key(e.record))
		}
	}
	*to = append(*to, e)
	return nil
}

// apply returns base, which is ordered by key and stays as it is, with the
// edits; nil for no records. It adds an error to err if a key comes twice.
func apply[R any](edits edits[R], base []R, kind catalog.Kind, key func(R) string, err *error) []R {
	if len(edits) == 0 {
		return base
	}
	if e := edits.sort(kind); e != nil {
		*err = cmp.Or(*err, e)
		return nil
	}
	out := make([]R, 0, len(base)+edits.records())
	for i := range edits {
		e := &edits[i]
		at, found := slices.BinarySearchFunc(base, e.key, func(r R, k string) int { return strings.Compare(key(r), k) })
		out = append(out, base[:at]...)
		if !e.gone {
			out = append(out, e.record)
		}
		if found {
			at++
		}
		base = base[at:]
	}
	out = append(out, base...)
	if len(out) == 0 {
		return nil
	}
	return out
}

// applyNav is apply for nav groups, which are ordered by their positions.
func applyNav(changed edits[catalog.NavGroup], base []catalog.NavGroup, err *error) []catalog.NavGroup {
	if len(changed) == 0 {
		return base
	}
	if e := changed.sort(catalog.KindNavGroup); e != nil {
		*err = cmp.Or(*err, e)
		return nil
	}
	all := slices.DeleteFunc(slices.Clone(changed), func(e edit[catalog.NavGroup]) bool { return e.gone })
	for i, g := range base {
		if !changed.have(g.Key) {
			all = append(all, edit[catalog.NavGroup]{key: g.Key, position: i, record: g})
		}
	}
	slices.SortStableFunc(all, func(a, b edit[catalog.NavGroup]) int { return cmp.Compare(a.position, b.position) })
	var out []catalog.NavGroup
	for i, e := range all {
		if e.position != i {
			*err = cmp.Or(*err, fmt.Errorf("%s %q stands at position %d, not %d", catalog.KindNavGroup, e.key, e.position, i))
			return nil
		}
		out = append(out, e.record)
	}
	return out
}

// sort orders edits by key.
func (e edits[R]) sort(kind catalog.Kind) error {
	byKey := func(a, b edit[R]) int { return strings.Compare(a.key, b.key) }
	if !slices.IsSortedFunc(e, byKey) { // an engine may well have them in order
		slices.SortFunc(e, byKey)
	}
	for i := 1; i < len(e); i++ {
		if e[i-1].key == e[i].key {
			return fmt.Errorf("there are two rows of %s %q", kind, e[i].key)
		}
	}
	return nil
}

// have reports whether edits, which are sorted, are about key.
func (e edits[R]) have(key string) bool {
	_, found := slices.BinarySearchFunc(e, key, func(e edit[R], k string) int { return strings.Compare(e.key, k) })
	return found
}

// records returns how many edits have a record.
func (e edits[R]) records() int {
	n := 0
	for i := range e {
		if !e[i].gone {
			n++
		}
	}
	return n
}
