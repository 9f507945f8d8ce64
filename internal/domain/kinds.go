package domain

import (
	"slices"
	"strings"
)

// descriptions begins with the catalogue's own fields.
var descriptions = append([]*Description{{
	Kind: KindCatalog, Shape: catalogShape, Names: []string{"catalogue"}, File: "catalog",
	Key:    func(any) string { return "" },
	Size:   func(*Catalog) int { return 1 },
	Record: func(c *Catalog, _ int) any { return c },
	New:    func() any { return new(Catalog) },
	Grow:   func(c *Catalog) any { return c },
	Add:    func(c *Catalog, record any) { takeOwn(c, record.(*Catalog)) },
	Fill:   func(c *Catalog, _ int, record func(i int) any) { takeOwn(c, record(0).(*Catalog)) },
	Own:    func(c *Catalog, _ int) any { return c },
	Take:   takeOwn,
	Shares: func(a, b *Catalog) bool { return false },
}}, lists...)

// takeOwn copies the catalogue's own fields from another one, and keeps the lists.
func takeOwn(to, from *Catalog) {
	own := *from
	for _, d := range lists {
		d.Take(&own, to)
	}
	*to = own
}

// Description describes a kind of records: its shape, its place in a catalogue and in the
// directory, and its keys.
type Description struct {
	Kind  Kind
	Shape *Shape

	// File is the name of the files with the records, without extension. List is the name of
	// their list in it, "" if the file is the record. If each record is a file, Folder is their
	// folder, and File is "".
	File, List, Folder string
	// Raw is true if the files of the folder are not documents: a file is the content of a record.
	Raw bool
	// Long is true for a list of any length, which may be split into several files in a folder
	// and be written with one record per line.
	Long bool
	// Ordered is true if editors choose the order of the records. All other lists are sorted when
	// they are served.
	Ordered bool
	// Plural is the name of several records in documents. Names are further names of the kind;
	// messages use the first one for a record.
	Plural string
	Names  []string

	// KeyField names a record, nil for the catalogue's own fields. The key of a dimension group has
	// its module, too.
	KeyField *Field
	// Key returns the key of a record, as in [Change]: its key, slug, handle, channel id or path
	// slug, `module/key` for dimension groups, "" for the catalogue's own fields.
	Key func(record any) string

	// Size returns the number of records of the kind in a catalogue, Record a pointer to the i-th.
	Size   func(*Catalog) int
	Record func(c *Catalog, i int) any
	// New returns a pointer to an empty record.
	New func() any
	// Grow adds an empty record to a catalogue and returns a pointer to it, which is valid until
	// the next one is added. KindCatalog always has its one record.
	Grow func(*Catalog) any
	// Add adds a record, to which record points, to a catalogue. The catalogue may share it, so it
	// must not be modified afterwards.
	Add func(c *Catalog, record any)
	// Reserve makes room for n more records, so that adding them copies none; nil for KindCatalog.
	Reserve func(c *Catalog, n int)
	// Fill sets the catalogue's list of the kind to n records, to which record returns pointers; the
	// list is nil if n is 0. The catalogue may share the records.
	Fill func(c *Catalog, n int, record func(i int) any)
	// Own returns a pointer to the i-th record of a list that Fill made, which may be modified. If the
	// record is shared, a copy replaces it.
	Own func(c *Catalog, i int) any
	// Take copies the records of the kind from another catalogue. The catalogues share them.
	Take func(to, from *Catalog)
	// Shares reports whether two catalogues have the same list of the kind in memory, as [Merge] and
	// [MergeSince] leave it where they change nothing. Shared lists are equal, because catalogues are
	// not modified. It is false for the catalogue's own fields.
	Shares func(a, b *Catalog) bool

	foldsKeys  bool
	exactNames bool                    // see NameForm
	addressAt  *Field                  // address of a record, usually KeyField
	stableID   func(record any) string // nil if records have no id other than their key
	nameFields []*Field                // the fields with further names
	figures    []*Field                // nil for none
	complete   func(record any) any    // adds derived ids; nil if there are none
}

// Descriptions returns the descriptions of all kinds in the order of the fields of Catalog. They
// are shared and must not be modified.
func Descriptions() []*Description { return descriptions }

// Describe returns the description of a kind, nil for an unknown one.
func Describe(k Kind) *Description {
	for _, d := range descriptions {
		if d.Kind == k {
			return d
		}
	}
	return nil
}

// Named returns the description of the kind with a name: its own, which is that of its files, or one of
// Names; nil for an unknown one.
func Named(name string) *Description {
	for _, d := range descriptions {
		if string(d.Kind) == name || slices.Contains(d.Names, name) {
			return d
		}
	}
	return nil
}

// Kinds returns all kinds in the order of the fields of Catalog.
func Kinds() []Kind {
	kinds := make([]Kind, len(descriptions))
	for i, d := range descriptions {
		kinds[i] = d.Kind
	}
	return kinds
}

// Address returns the key by which clients request a record: its key, handle, path slug or, for a
// nav group, its slug.
func (d *Description) Address(record any) string {
	if d.addressAt == d.KeyField {
		return d.Key(record)
	}
	return *d.addressAt.Line(record)
}

// Keys returns the keys of all records of the kind, in the catalogue's order.
func (d *Description) Keys(c *Catalog) []string {
	keys := make([]string, d.Size(c))
	for i := range keys {
		keys[i] = d.Key(d.Record(c, i))
	}
	return keys
}

// Addresses returns the addresses of all records of the kind, in the catalogue's order.
func (d *Description) Addresses(c *Catalog) []string {
	all := make([]string, d.Size(c))
	for i := range all {
		all[i] = d.Address(d.Record(c, i))
	}
	return all
}

// Identity returns the canonical form of a key. Handles are case-insensitive.
func (d *Description) Identity(key string) string {
	if d.foldsKeys {
		return strings.ToLower(key)
	}
	return key
}

// name is the name of one record in messages.
func (d *Description) name() string { return strings.ReplaceAll(d.Names[0], "-", " ") }

// withDerived returns the record with its derived ids, or the record itself if it has none.
func (d *Description) withDerived(record any) any {
	if d.complete == nil {
		return record
	}
	return d.complete(record)
}

// listed describes a kind whose records are in a list of the catalogue.
func listed[R any](kind Kind, shape *Shape, list func(*Catalog) *[]R) *Description {
	return describe(kind, shape, list, access[R]{
		record: func(at *R) any { return at },
		add:    func(record any) R { return *record.(*R) },
		own:    func(at *R) any { return at },
		empty:  func() any { return new(R) },
	})
}

// listedShared is listed for a list of pointers, of which catalogues share equal records. Copying such
// a list is cheap, and so is finding the records that were replaced.
func listedShared[R any](kind Kind, shape *Shape, list func(*Catalog) *[]*R) *Description {
	return describe(kind, shape, list, access[*R]{
		record: func(at **R) any { return *at },
		add:    func(record any) *R { return record.(*R) },
		own: func(at **R) any {
			owned := **at
			*at = &owned
			return &owned
		},
		empty: func() any { return new(R) },
	})
}

// access is how a list has its records, whose elements are records or pointers to them.
type access[E any] struct {
	record func(at *E) any
	add    func(record any) E
	own    func(at *E) any
	empty  func() any
}

func describe[E any](kind Kind, shape *Shape, list func(*Catalog) *[]E, access access[E]) *Description {
	keyField, nameFields := shape.nameFields()
	add := func(c *Catalog, record any) {
		all := list(c)
		*all = append(*all, access.add(record))
	}
	return &Description{
		Kind: kind, Shape: shape, KeyField: keyField, addressAt: keyField, nameFields: nameFields, figures: shape.Figures(),
		Key:    func(r any) string { return *keyField.Line(r) },
		Size:   func(c *Catalog) int { return len(*list(c)) },
		Record: func(c *Catalog, i int) any { return access.record(&(*list(c))[i]) },
		New:    access.empty,
		Take:   func(to, from *Catalog) { *list(to) = *list(from) },
		Add:    add,
		Grow: func(c *Catalog) any {
			add(c, access.empty())
			all := *list(c)
			return access.record(&all[len(all)-1])
		},
		Reserve: func(c *Catalog, n int) { *list(c) = slices.Grow(*list(c), n) },
		Fill: func(c *Catalog, n int, record func(int) any) {
			var all []E
			if n > 0 {
				all = make([]E, n)
			}
			for i := range all {
				all[i] = access.add(record(i))
			}
			*list(c) = all
		},
		Own: func(c *Catalog, i int) any { return access.own(&(*list(c))[i]) },
		Shares: func(a, b *Catalog) bool {
			x, y := *list(a), *list(b)
			return len(x) == len(y) && (len(x) == 0 || &x[0] == &y[0])
		},
	}
}

func (d *Description) inFile(file, list string) *Description { d.File, d.List = file, list; return d }
func (d *Description) inFolder(folder string) *Description   { d.Folder = folder; return d }
func (d *Description) raw() *Description                     { d.Raw = true; return d }
func (d *Description) ordered() *Description                 { d.Ordered = true; return d }
func (d *Description) foldingKeys() *Description             { d.foldsKeys = true; return d }
func (d *Description) caseSensitive() *Description           { d.exactNames = true; return d }

// keyed sets the key of records if one field does not suffice.
func (d *Description) keyed(key func(record any) string) *Description { d.Key = key; return d }

// addressed sets the address field, if it is not the key field.
func (d *Description) addressed(field string) *Description {
	d.addressAt = d.Shape.Field(field)
	return d
}

// identified adds the id of kinds whose records have one in addition to their key.
func (d *Description) identified(stableID func(record any) string) *Description {
	d.stableID = stableID
	return d
}

// longList is for long lists, whose files and lists have the name of the kind.
func (d *Description) longList() *Description {
	d.File, d.List, d.Long = string(d.Kind), string(d.Kind), true
	return d
}

func (d *Description) named(plural string, names ...string) *Description {
	d.Plural, d.Names = plural, slices.Clip(names)
	return d
}

func withIDs[R any](d *Description, complete func(R) R) *Description {
	d.complete = func(r any) any {
		full := complete(*r.(*R))
		return &full
	}
	return d
}
