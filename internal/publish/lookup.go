package publish

import (
	"slices"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// freeValue identifies a value independently of its place in a record.
type freeValue struct{ name, text string }

func freeValueOf(v domain.Value) freeValue {
	if v.Link != "" {
		return freeValue{text: v.Link} // in whichever field
	}
	return freeValue{v.Name, v.Text}
}

// lookup finds the records of a catalogue. It builds its indexes on first use, so it is not
// safe for concurrent use.
type lookup struct {
	catalog *domain.Catalog
	kinds   map[domain.Kind]*kindLookup
}

type kindLookup struct {
	byKey     map[string]int
	byFormer  map[string][]int
	byID      map[string]int       // of chains; nil if not made yet
	newcomers []int                // records that another catalogue does not have; nil if not made yet
	free      map[freeValue]string // of the newcomers: the key of the first that has the value
}

func newLookup(c *domain.Catalog) *lookup {
	return &lookup{catalog: c, kinds: map[domain.Kind]*kindLookup{}}
}

func (l *lookup) kind(d *domain.Description) *kindLookup {
	k := l.kinds[d.Kind]
	if k != nil {
		return k
	}
	size := d.Size(l.catalog)
	k = &kindLookup{byKey: make(map[string]int, size), byFormer: map[string][]int{}}
	l.kinds[d.Kind] = k
	for i := range size {
		record := d.Record(l.catalog, i)
		k.byKey[store.KeyOf(d, record)] = i
		for _, key := range d.FormerKeys(record) {
			key = store.RecordKey(d.Kind, key)
			k.byFormer[key] = append(k.byFormer[key], i)
		}
	}
	return k
}

// record returns the record of a key, nil for none.
func (l *lookup) record(d *domain.Description, key string) any {
	if i, ok := l.kind(d).byKey[key]; ok {
		return d.Record(l.catalog, i)
	}
	return nil
}

// chainOf returns the chain with an `_id`, as a list of one record or none.
func (l *lookup) chainOf(id string) []any {
	d := domain.Describe(domain.KindChain)
	k := l.kind(d)
	if k.byID == nil {
		k.byID = make(map[string]int, len(l.catalog.Chains))
		for i := range l.catalog.Chains {
			k.byID[l.catalog.Chains[i].StableID()] = i
		}
	}
	if i, ok := k.byID[id]; ok {
		return []any{d.Record(l.catalog, i)}
	}
	return nil
}

// follow returns the records of this catalogue that continue a record of another one: those
// found by its key there, else those found by the present keys of others, which is what the
// other catalogue finds by that key. So a record is followed after it drops its former key.
func (l *lookup) follow(d *domain.Description, key string, others []any) []any {
	records := l.find(d, key)
	for _, other := range others {
		if len(records) > 0 {
			break
		}
		records = l.find(d, store.KeyOf(d, other))
	}
	return records
}

// hasFormerOf reports whether the catalogue has a record whose key is a former key of the given one.
func (l *lookup) hasFormerOf(d *domain.Description, record any) bool {
	return slices.ContainsFunc(d.FormerKeys(record), func(key string) bool {
		return l.record(d, store.RecordKey(d.Kind, key)) != nil
	})
}

// find returns the record with a key, followed by the records that had it.
func (l *lookup) find(d *domain.Description, key string) []any {
	k := l.kind(d)
	var records []any
	if i, ok := k.byKey[key]; ok {
		records = append(records, d.Record(l.catalog, i))
	}
	for _, i := range k.byFormer[key] {
		records = append(records, d.Record(l.catalog, i))
	}
	return records
}

// newcomersOf returns the indexes of the records that another catalogue has under no name.
func (l *lookup) newcomersOf(d *domain.Description, other *lookup) []int {
	k := l.kind(d)
	if k.newcomers != nil {
		return k.newcomers
	}
	k.newcomers = []int{}
	for i := range d.Size(l.catalog) {
		record := d.Record(l.catalog, i)
		if other.record(d, store.KeyOf(d, record)) == nil && !other.hasFormerOf(d, record) {
			k.newcomers = append(k.newcomers, i)
		}
	}
	return k.newcomers
}

// newcomer returns the key of the first record that has a value and that another catalogue
// lacks, "" for none.
func (l *lookup) newcomer(d *domain.Description, v domain.Value, other *lookup) string {
	k := l.kind(d)
	if k.free == nil {
		k.free = map[freeValue]string{}
		for _, i := range l.newcomersOf(d, other) {
			record := d.Record(l.catalog, i)
			for _, v := range d.NewValues(record, nil).All() {
				if _, there := k.free[freeValueOf(v)]; v.Free && !there {
					k.free[freeValueOf(v)] = store.KeyOf(d, record)
				}
			}
		}
	}
	return k.free[freeValueOf(v)]
}

// precedes reports whether one record of an ordered kind precedes another.
func (l *lookup) precedes(d *domain.Description, key, before string) bool {
	k := l.kind(d)
	a, okA := k.byKey[key]
	b, okB := k.byKey[before]
	return okA && okB && a < b
}
