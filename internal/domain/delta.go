package domain

// Delta is the records in which two catalogues differ. Comparisons that only concern those do not
// look at the others: a catalogue may have hundreds of thousands of records, of which one changed.
type Delta struct {
	old, new *Catalog
	kinds    []unequal // in the order of descriptions
}

// unequal has the indices of the records of a kind without an equal record with the same key in the
// other catalogue, ascending. Of a kind whose order editors choose, equal records at different
// indices are also included.
type unequal struct{ old, new []int }

// DeltaOf compares two catalogues. A nil catalogue is empty. The result refers to both, which must
// not be modified. The cost is that of comparing each record with one other, unless they share it.
func DeltaOf(old, new *Catalog) *Delta {
	delta := &Delta{old: orEmpty(old), new: orEmpty(new)}
	for _, d := range descriptions {
		delta.kinds = append(delta.kinds, d.compare(delta.old, delta.new))
	}
	return delta
}

// Merged returns the delta of two catalogues that are those of x with observations: [Merge] keeps
// the order of records, and equal records with the same observations are equal.
func (x *Delta) Merged(old, new *Catalog) *Delta {
	return &Delta{old: old, new: new, kinds: x.kinds}
}

// Catalogs returns the compared catalogues.
func (x *Delta) Catalogs() (old, new *Catalog) { return x.old, x.new }

// Records returns the records of a kind that differ, in the order of their catalogues: of each
// catalogue those without an equal record with the same key in the other one.
func (x *Delta) Records(d *Description) (old, new []any) {
	of := x.kinds[d.Kind.rank()]
	return d.recordsAt(x.old, of.old), d.recordsAt(x.new, of.new)
}

// Indices is [Delta.Records] as indices, which are shared and must not be modified.
func (x *Delta) Indices(kind Kind) (old, new []int) {
	of := x.kinds[kind.rank()]
	return of.old, of.new
}

// Size returns the number of records that differ in either catalogue.
func (x *Delta) Size() int {
	n := 0
	for _, of := range x.kinds {
		n += len(of.old) + len(of.new)
	}
	return n
}

func (d *Description) recordsAt(c *Catalog, indices []int) []any {
	all := make([]any, len(indices))
	for i, index := range indices {
		all[i] = d.Record(c, index)
	}
	return all
}

// compare pairs the records of a kind by key. Most catalogues have the same order, in which the next
// record is the right one; an index is only made if it is not.
func (d *Description) compare(old, new *Catalog) (differ unequal) {
	if d.Shares(old, new) {
		return unequal{}
	}
	size, next := d.Size(old), 0
	paired := make([]bool, size)
	var index map[string]int
	for i := range d.Size(new) {
		record := d.Record(new, i)
		at, found := next, true
		if at < size && d.Record(old, at) == record && !paired[at] && (!d.Ordered || at == i) { // shared
			paired[at] = true
			next++
			continue
		}
		key := d.Key(record)
		if at >= size || d.Key(d.Record(old, at)) != key {
			if index == nil {
				index = d.indexKeys(old)
			}
			at, found = index[key]
		}
		if found {
			next = at + 1
		}
		if found && !paired[at] && (!d.Ordered || at == i) && d.Shape.Equal(d.Record(old, at), record) {
			paired[at] = true
			continue
		}
		differ.new = append(differ.new, i)
	}
	for i, is := range paired {
		if !is {
			differ.old = append(differ.old, i)
		}
	}
	return differ
}

func (d *Description) indexKeys(c *Catalog) map[string]int {
	index := make(map[string]int, d.Size(c))
	for i := range d.Size(c) {
		index[d.Key(d.Record(c, i))] = i
	}
	return index
}
