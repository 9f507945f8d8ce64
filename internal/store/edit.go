package store

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"vitrine/internal/domain"
)

// edit is the change of a record by a row.
type edit struct {
	key      string
	position int
	index    int // index of the record among the decoded ones; gone for a tombstone
}

// gone is the index of a removed record.
const gone = -1

// edits are the edits of one kind.
type edits []edit

// apply sets the records of a kind in to: those of base, which are ordered by key, with the edits,
// whose records are in read. It returns an error for a duplicate key.
func (e edits) apply(d *domain.Description, to, base, read *domain.Catalog) error {
	if len(e) == 0 {
		d.Take(to, base)
		return nil
	}
	if err := e.sort(d.Kind); err != nil {
		return err
	}
	if d.Ordered {
		return e.applyInOrder(d, to, base, read)
	}
	if d.Size(base) == 0 && e.inOrder() { // usual when everything is loaded
		d.Take(to, read)
		return nil
	}
	out := make([]any, 0, d.Size(base)+len(e))
	next := 0 // of base
	upTo := func(end int) {
		for ; next < end; next++ {
			out = append(out, d.Record(base, next))
		}
	}
	for _, edit := range e {
		from := next
		at, found := sort.Find(d.Size(base)-from, func(i int) int { return strings.Compare(edit.key, KeyOf(d, d.Record(base, from+i))) })
		upTo(from + at)
		if edit.index != gone {
			out = append(out, d.Record(read, edit.index))
		}
		if found {
			next++
		}
	}
	upTo(d.Size(base))
	d.Fill(to, len(out), func(i int) any { return out[i] })
	return nil
}

// takeInRowOrder sets the records of a kind in to: those of from in the order in which states have them.
func takeInRowOrder(d *domain.Description, to, from *domain.Catalog) {
	if d.Ordered || d.Kind == domain.KindCatalog {
		d.Take(to, from)
		return
	}
	var all edits
	for i := range d.Size(from) {
		all = append(all, edit{key: KeyOf(d, d.Record(from, i)), index: i})
	}
	if slices.IsSortedFunc(all, compareKeys) {
		d.Take(to, from)
		return
	}
	slices.SortFunc(all, compareKeys)
	d.Fill(to, len(all), func(i int) any { return d.Record(from, all[i].index) })
}

// inOrder reports whether the edits have all decoded records in their order.
func (e edits) inOrder() bool {
	for i := range e {
		if e[i].index != i {
			return false
		}
	}
	return true
}

// applyInOrder is apply for kinds ordered by position.
func (e edits) applyInOrder(d *domain.Description, to, base, read *domain.Catalog) error {
	type placed struct {
		position int
		record   any
	}
	var all []placed
	for _, edit := range e {
		if edit.index != gone {
			all = append(all, placed{edit.position, d.Record(read, edit.index)})
		}
	}
	for i := range d.Size(base) {
		if record := d.Record(base, i); !e.have(KeyOf(d, record)) {
			all = append(all, placed{i, record})
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.position, b.position) })
	for i, p := range all {
		if p.position != i {
			return fmt.Errorf("%s %q stands at position %d, not %d", d.Kind, KeyOf(d, p.record), p.position, i)
		}
	}
	d.Fill(to, len(all), func(i int) any { return all[i].record })
	return nil
}

// sort orders edits by key.
func (e edits) sort(kind domain.Kind) error {
	if !slices.IsSortedFunc(e, compareKeys) { // engines often return them sorted
		slices.SortFunc(e, compareKeys)
	}
	for i := 1; i < len(e); i++ {
		if e[i-1].key == e[i].key {
			return fmt.Errorf("there are two rows of %s %q", kind, e[i].key)
		}
	}
	return nil
}

func compareKeys(a, b edit) int { return strings.Compare(a.key, b.key) }

// have reports whether sorted edits include a key.
func (e edits) have(key string) bool {
	_, found := slices.BinarySearchFunc(e, key, func(e edit, k string) int { return strings.Compare(e.key, k) })
	return found
}
