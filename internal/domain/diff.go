package domain

import (
	"cmp"
	"slices"
	"strings"
)

// Op is the type of a change.
type Op string

// The operations. Reordered applies to a list, not to a record.
const (
	Added     Op = "added"
	Removed   Op = "removed"
	Changed   Op = "changed"
	Reordered Op = "reordered"
)

// Change is the change of one record. A renamed record that lists its former key is Changed, and
// Was is its key in the old catalogue, else "". Key is the record's key, slug, handle or channel
// id, `module/key` for dimension groups and "" for the catalogue's own fields. Fields has the
// differences of a Changed record in the order of its fields, and is nil if it is Added or
// Removed. Reordered has Key "" and one field with an empty Path: the keys in both catalogues, in
// the order of each.
type Change struct {
	Kind   Kind          `json:"kind"`
	Key    string        `json:"key"`
	Was    string        `json:"was,omitempty"`
	Op     Op            `json:"op"`
	Fields []FieldChange `json:"fields"`
}

// FieldChange is one difference within a record. Path has the names that editors write:
// `name.zh-hans`, `llama_tvl.value`, `categories`,
// `groups[basics].items[wallets].cards[https://example.org].title.en`. Parts of a menu with the
// same name are numbered, `items[wallets#2]`, and matched by their labels. Old and New are the
// values as text, "" for none. An added or removed part of a menu is one change with its label as
// value.
//
// Moved means that a part has moved, and Old and New are its places: the position from 1 in the
// same list, `place 3`; else the list, `groups[basics].items[wallets].cards`, after its menu if
// that differs, `menu explorers: standalone`. Both menus then have the change. Further
// differences of the part follow. For a reordered list, the smallest set of parts that explains
// the order is moved.
type FieldChange struct {
	Path  string `json:"path"`
	Old   string `json:"old"`
	New   string `json:"new"`
	Moved bool   `json:"moved,omitempty"`
}

// Diff returns the changes from old to new, ordered by kind and then by key; nil for none. A nil
// catalogue is empty.
//
// Every field counts, derived ids of parts of menus as if they were written. So does every order
// that is served or written: of locales, of nav groups, of lists within a record. The order of
// dimension groups, categories, chains, accounts, channels and menus does not count, because
// responses sort them. A record is identified by its key, byte for byte. A different key is
// another record, unless one added record lists the key of a removed one as former, or the
// reverse.
func Diff(old, new *Catalog) []Change { return DeltaOf(old, new).Changes() }

// Changes returns the changes from the old to the new catalogue, as [Diff] does.
func (x *Delta) Changes() []Change {
	var changes []Change
	for _, d := range descriptions {
		records := x.compareRecords(d)
		if d.complete != nil { // parts may have moved between such records
			nameMoves(records)
		}
		if d.Ordered {
			changes = append(changes, diffOrderOf(d, x.old, x.new)...)
		}
		changes = append(changes, changesOf(records)...)
	}
	return changes
}

func orEmpty(c *Catalog) *Catalog {
	if c == nil {
		return &Catalog{}
	}
	return c
}

// recordChange is a Change under construction.
type recordChange struct {
	Change
	differences []difference
}

func changesOf(records []recordChange) []Change {
	var changes []Change
	for _, r := range records {
		for _, d := range r.differences {
			r.Fields = append(r.Fields, d.FieldChange)
		}
		changes = append(changes, r.Change)
	}
	return changes
}

// compareRecords returns the records of a kind that differ, ordered by key.
func (x *Delta) compareRecords(d *Description) []recordChange {
	var changes []recordChange
	old, new := x.Records(d)
	pairs := matchRecords(d, old, new)
	was := d.joinRenamed(pairs)
	for i, p := range pairs {
		c := recordChange{Change: Change{Kind: d.Kind, Key: p.name.String(), Was: was[i]}}
		switch {
		case p.old == nil && p.new == nil: // joined with its successor
			continue
		case p.old == nil:
			c.Op = Added
		case p.new == nil:
			c.Op = Removed
		case d.Shape.Equal(*p.old, *p.new): // at another place of an ordered kind
			continue
		default:
			c.Op, c.differences = Changed, diffParts("", d.parts(*p.old), d.parts(*p.new))
			if c.Was != "" && d.stableID != nil && d.stableID(*p.old) == d.stableID(*p.new) { // the id was written to keep it
				c.differences = slices.DeleteFunc(c.differences, func(d difference) bool { return d.Path == "id" })
			}
			if c.differences == nil && c.Was == "" {
				continue
			}
		}
		changes = append(changes, c)
	}
	slices.SortStableFunc(changes, func(a, b recordChange) int { return strings.Compare(a.Key, b.Key) })
	return changes
}

// FieldChanges returns the differences between two records of the kind, whatever their keys are, as
// [Change] has them.
func (d *Description) FieldChanges(old, new any) []FieldChange {
	var changes []FieldChange
	for _, f := range diffParts("", d.parts(old), d.parts(new)) {
		changes = append(changes, f.FieldChange)
	}
	return changes
}

// joinRenamed joins the pair of an added record with that of a removed one if only one of them
// lists the other's key as former. It empties the pairs of the removed ones, and returns the old
// keys by the index of the pair.
func (d *Description) joinRenamed(pairs []pair[any]) map[int]string {
	gone := map[string]int{}
	for i, p := range pairs {
		if p.new == nil {
			gone[d.Identity(d.Address(*p.old))] = i
		}
	}
	if len(gone) == 0 || d.Shape.Field(formerField) == nil {
		return nil
	}
	heirs := map[int][]int{} // of removed records
	come := map[string]int{}
	for i, p := range pairs {
		if p.old != nil {
			continue
		}
		come[d.Identity(d.Address(*p.new))] = i
		for _, key := range d.FormerKeys(*p.new) {
			if from, ok := gone[d.Identity(key)]; ok {
				heirs[from] = append(heirs[from], i)
			}
		}
	}
	for _, from := range gone { // renames that are reverted
		for _, key := range d.FormerKeys(*pairs[from].old) {
			if to, ok := come[d.Identity(key)]; ok && !slices.Contains(heirs[from], to) {
				heirs[from] = append(heirs[from], to)
			}
		}
	}
	was := map[int]string{}
	for from := range pairs {
		to := heirs[from]
		if len(to) != 1 || pairs[to[0]].old != nil {
			continue
		}
		was[to[0]] = pairs[from].name.String()
		pairs[to[0]].old, pairs[to[0]].oldIndex = pairs[from].old, pairs[from].oldIndex
		pairs[from].old = nil
	}
	return was
}

// matchRecords pairs records of a kind by key in any order.
func matchRecords(d *Description, old, new []any) []pair[any] {
	unlabelled := func(any) string { return "" } // keys are unique
	return match(old, new, d.Key, unlabelled)
}

func (d *Description) records(c *Catalog) []any {
	all := make([]any, d.Size(c))
	for i := range all {
		all[i] = d.Record(c, i)
	}
	return all
}

// diffOrderOf returns the change in the order of the records that both catalogues have, if any.
func diffOrderOf(d *Description, old, new *Catalog) []Change {
	both := slices.DeleteFunc(matchRecords(d, d.records(old), d.records(new)), func(p pair[any]) bool { return p.old == nil || p.new == nil })
	byNew := slices.Clone(both)
	slices.SortFunc(byNew, func(a, b pair[any]) int { return cmp.Compare(a.newIndex, b.newIndex) })
	before, after := joinNames(both), joinNames(byNew)
	if before == after {
		return nil
	}
	return []Change{{Kind: d.Kind, Op: Reordered, Fields: []FieldChange{{Old: before, New: after}}}}
}

func joinNames(pairs []pair[any]) string {
	out := make([]string, len(pairs))
	for i, p := range pairs {
		out[i] = p.name.String()
	}
	return joinList(out)
}
