package preview

import (
	"bytes"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/operations"
	"vitrine/internal/parallel"
	"vitrine/internal/query"
)

// operation is a request that is compared in every locale.
type operation struct {
	name, path string
	compare    func(in inLocale) Changes
}

// table returns all requests that are compared.
func (c *comparison) table() []operation {
	var all []operation
	for _, op := range operations.ComparedOperations() {
		if op.Record != "" {
			all = append(all, operation{op.Name, op.Path, c.records(op)})
			continue
		}
		for _, parameters := range op.Requests() {
			all = append(all, operation{op.Name, strings.TrimSuffix(op.Path+"?"+parameters, "?"), c.responses(op, parameters)})
		}
	}
	return all
}

// operations returns the operations with responses that change.
func (c *comparison) operations() []Operation {
	table := c.table()
	found := make([]Changes, len(table)*len(c.locales))
	parallel.Do(len(found), func(i int) {
		found[i] = table[i/len(c.locales)].compare(c.locales[i%len(c.locales)])
	})
	var all []Operation
	for i, op := range table {
		changed := Operation{Name: op.name, Path: op.path}
		for j, in := range c.locales {
			if changes := found[i*len(c.locales)+j]; !changes.isEmpty() {
				changed.add(in.name, changes)
			}
		}
		if len(changed.Changes) > 0 {
			all = append(all, changed)
		}
	}
	return all
}

// responses compares the responses to a request: by their rows, or as a whole if they have none.
func (c *comparison) responses(op operations.Compared, parameters string) func(in inLocale) Changes {
	onlyMoved := strings.HasPrefix(parameters, "sort=") // the rows are those of the first request
	return func(in inLocale) (changes Changes) {
		base, head := op.Body(c.base.Snapshot, parameters, in.base), op.Body(c.head.Snapshot, parameters, in.head)
		if bytes.Equal(base, head) {
			return Changes{}
		}
		before, isList := rowsIn(base)
		after, _ := rowsIn(head)
		changes.Before, changes.After = len(before), len(after)
		old, new := byKey(before), byKey(after)
		switch {
		case !isList:
			changes.Before, changes.After = 1, 1
			changes.Changed.add(func() Row { return changedRow(row{body: base}, row{body: head}) })
			return changes
		case !onlyMoved:
			changes.compare(before, after, old, new)
		}
		changes.Moved = movedRows(before, after, new)
		return changes
	}
}

// compare finds the rows that differ. old and new are the places of rows by key. A card whose id
// changed with its link is one row.
func (c *Changes) compare(before, after []row, old, new map[string]int) {
	gone := map[string]int{} // places of removed cards by place
	for i, r := range before {
		if _, stays := new[r.key]; !stays && r.place() != "" {
			gone[r.place()] = i
		}
	}
	relinked := map[int]bool{}
	var changed picker
	for _, r := range after {
		i, known := old[r.key]
		if !known && r.place() != "" {
			if i, known = gone[r.place()]; known {
				delete(gone, r.place())
				relinked[i] = true
			}
		}
		switch {
		case !known:
			c.Added.add(r.titled)
		case !bytes.Equal(before[i].body, r.body):
			changed.add(func() Row { return changedRow(before[i], r) })
		}
	}
	c.Changed = changed.rows()
	for i, r := range before {
		if _, stays := new[r.key]; !stays && !relinked[i] {
			c.Removed.add(r.titled)
		}
	}
}

// records compares the responses to requests for the address of any record of a kind of either
// catalogue. A former key counts as readers see it: as a response that may change.
func (c *comparison) records(op operations.Compared) func(in inLocale) Changes {
	addresses := c.addresses(op.Record)
	return func(in inLocale) (changes Changes) {
		var changed picker
		for _, address := range addresses {
			before, was := op.RecordBody(c.base.Snapshot, address, in.base)
			after, is := op.RecordBody(c.head.Snapshot, address, in.head)
			old, new := row{address, before}, row{address, after}
			if was {
				changes.Before++
			}
			if is {
				changes.After++
			}
			switch {
			case was && !is:
				changes.Removed.add(old.titled)
			case is && !was:
				changes.Added.add(new.titled)
			case !bytes.Equal(before, after):
				changed.add(func() Row { return changedRow(old, new) })
			}
		}
		changes.Changed = changed.rows()
		return changes
	}
}

// addresses returns the addresses of the records of a kind in either catalogue, sorted.
func (c *comparison) addresses(kind query.Kind) []string {
	d := domain.Named(string(kind))
	all := append(d.Addresses(c.base.Catalog), d.Addresses(c.head.Catalog)...)
	slices.Sort(all)
	return slices.Compact(all)
}

// add adds the changes in a locale to those that are the same in other locales.
func (o *Operation) add(name string, changes Changes) {
	for i := range o.Changes {
		if o.Changes[i].isLike(&changes) {
			o.Changes[i].Locales = append(o.Changes[i].Locales, name)
			return
		}
	}
	changes.Locales = []string{name}
	o.Changes = append(o.Changes, changes)
}

func (c *Changes) isEmpty() bool {
	return c.Added.Total+c.Removed.Total+c.Changed.Total+c.Moved.Total == 0
}

// isLike reports whether the same members of the same rows change, as far as the examples tell.
func (c *Changes) isLike(other *Changes) bool {
	return c.Before == other.Before && c.After == other.After && c.Added.isLike(other.Added) && c.Removed.isLike(other.Removed) &&
		c.Changed.isLike(other.Changed) && c.Moved.isLike(other.Moved)
}

func (r Rows) isLike(other Rows) bool {
	return r.Total == other.Total && slices.EqualFunc(r.Examples, other.Examples, func(a, b Row) bool {
		return a.Key == b.Key && a.From == b.From && a.To == b.To && a.Omitted == b.Omitted &&
			slices.EqualFunc(a.Members, b.Members, func(a, b Member) bool { return a.Name == b.Name })
	})
}
