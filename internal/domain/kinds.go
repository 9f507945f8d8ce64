package domain

import (
	"slices"
	"strings"
)

// Kind names a list of records of a catalogue.
type Kind string

// The kinds of records. KindCatalog has the catalogue's own fields (title,
// locales) and one record, at index 0.
const (
	KindCatalog  Kind = "catalog"
	KindGroup    Kind = "groups"     // dimension groups
	KindCategory Kind = "categories" //
	KindChain    Kind = "chains"
	KindApp      Kind = "apps"
	KindAccount  Kind = "twitter"
	KindChannel  Kind = "youtube"
	KindNavGroup Kind = "nav"
	KindMenu     Kind = "menus"
)

// descriptions are in the order of the fields of Catalog.
var descriptions = []*Description{
	{
		Kind: KindCatalog, Shape: catalogShape, Names: []string{"catalogue"},
		key:  func(any) string { return "" },
		size: func(*Catalog) int { return 1 },
		at:   func(c *Catalog, _ int) any { return c },
		new:  func() any { return new(Catalog) },
		grow: func(c *Catalog) any { return c },
		fill: func(c *Catalog, _ int, record func(i int) any) { c.takeOwn(record(0).(*Catalog)) },
		take: (*Catalog).takeOwn,
		File: "catalog",
	},
	listed(KindGroup, groupShape, func(c *Catalog) *[]Group { return &c.Groups }, groupKey).
		inFile("categories", "groups").named("dimension groups", "group"),
	listed(KindCategory, categoryShape, func(c *Catalog) *[]Category { return &c.Categories }, func(c *Category) string { return c.Key }).
		inFile("categories", "categories").named("categories", "category"),
	listed(KindChain, chainShape, func(c *Catalog) *[]Chain { return &c.Chains }, func(c *Chain) string { return c.Slug }).
		longList("chains").named("chains", "chain").identified(func(c any) string { return c.(*Chain).StableID() }),
	listed(KindApp, appShape, func(c *Catalog) *[]App { return &c.Apps }, func(a *App) string { return a.Key }).
		longList("apps").named("apps", "app"),
	listed(KindAccount, accountShape, func(c *Catalog) *[]Account { return &c.Accounts }, func(a *Account) string { return a.Handle }).
		longList("twitter").named("accounts", "account", "accounts", "user", "users").foldingKeys(),
	listed(KindChannel, channelShape, func(c *Catalog) *[]Channel { return &c.Channels }, func(c *Channel) string { return c.ChannelID }).
		longList("youtube").named("channels", "channel", "channels").caseSensitive(),
	listed(KindNavGroup, navGroupShape, func(c *Catalog) *[]NavGroup { return &c.NavGroups }, func(g *NavGroup) string { return g.Key }).
		inFile("nav", "groups").named("nav groups", "nav-group", "nav-groups").ordered().addressed("slug"),
	withIDs(listed(KindMenu, menuShape, func(c *Catalog) *[]Menu { return &c.Menus }, func(m *Menu) string { return m.PathSlug }).
		named("menus", "menu"), Menu.WithIDs),
}

func groupKey(g *Group) string { return string(g.Module) + "/" + g.Key }

// takeOwn sets the catalogue's own fields to those of another one. It names the lists of
// records rather than the fields, so that a new field cannot be left out.
func (c *Catalog) takeOwn(from *Catalog) {
	own := *from
	own.Groups, own.Categories, own.Chains, own.Apps = c.Groups, c.Categories, c.Chains, c.Apps
	own.Accounts, own.Channels, own.NavGroups, own.Menus = c.Accounts, c.Channels, c.NavGroups, c.Menus
	*c = own
}

// Description is what there is to know of a kind of records: the shape of one,
// where a catalogue and its directory have them, and by what each is known.
type Description struct {
	Kind  Kind
	Shape *Shape

	// File is the name of the files, without their ending, in which the directory
	// has the records, "" where each is a file of its own. List is the name of the
	// list of them there, "" where there is none.
	File, List string
	// Long says that the records are a list of any length, which may lie in several
	// files, in a folder, and one on a line.
	Long bool
	// Ordered says that the order of the records is the editors' to choose. All
	// other lists are sorted by rules where they are served.
	Ordered bool
	// Plural is what many of them are called, Names what people call the kind
	// beside its own name.
	Plural string
	Names  []string

	foldsKeys  bool
	exactNames bool // see NameForm
	key        func(record any) string
	keyField   string                  // the field that the address of a record is in, "" for none
	stableID   func(record any) string // nil where records have no id beside their key
	nameFields []*Field                // the fields that give further names
	complete   func(record any) any    // with ids; nil where they are all written
	size       func(*Catalog) int
	at         func(*Catalog, int) any
	new        func() any
	grow       func(*Catalog) any
	fill       func(c *Catalog, n int, record func(i int) any)
	take       func(to, from *Catalog)
}

// Descriptions returns those of all kinds in the order of the fields of Catalog.
// They are shared and read only.
func Descriptions() []*Description { return descriptions }

// Describe returns the description of a kind, nil for none.
func Describe(k Kind) *Description {
	for _, d := range descriptions {
		if d.Kind == k {
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

// Size returns how many records of the kind a catalogue has.
func (d *Description) Size(c *Catalog) int { return d.size(c) }

// Record returns a pointer to the i-th record of the kind.
func (d *Description) Record(c *Catalog, i int) any { return d.at(c, i) }

// New returns a pointer to an empty record.
func (d *Description) New() any { return d.new() }

// Grow adds an empty record to a catalogue and returns a pointer to it, which is
// good until the next one is added. There is always the one of KindCatalog.
func (d *Description) Grow(c *Catalog) any { return d.grow(c) }

// Take gives a catalogue the records of another one. The two share them.
func (d *Description) Take(to, from *Catalog) { d.take(to, from) }

// Fill makes copies of n records, which record points to, the catalogue's list
// of the kind; nil if there are none.
func (d *Description) Fill(c *Catalog, n int, record func(i int) any) { d.fill(c, n, record) }

// Key returns what names a record among those of its kind, as [Change] has it:
// its key, slug, handle, channel id or path slug, `module/key` for dimension
// groups, "" for the catalogue's own fields.
func (d *Description) Key(record any) string { return d.key(record) }

// Keys returns the keys of all records of the kind, in the catalogue's order.
func (d *Description) Keys(c *Catalog) []string {
	keys := make([]string, d.size(c))
	for i := range keys {
		keys[i] = d.key(d.at(c, i))
	}
	return keys
}

// Identity returns what is the same for all keys that name the same record:
// handles may be written in any case.
func (d *Description) Identity(key string) string {
	if d.foldsKeys {
		return strings.ToLower(key)
	}
	return key
}

// name is what messages call one record.
func (d *Description) name() string { return strings.ReplaceAll(d.Names[0], "-", " ") }

// withDerived returns the record with the ids that are derived where none is
// written, or the record itself.
func (d *Description) withDerived(record any) any {
	if d.complete == nil {
		return record
	}
	return d.complete(record)
}

// listed describes a kind whose records are in a list of the catalogue.
func listed[R any](kind Kind, shape *Shape, list func(*Catalog) *[]R, key func(*R) string) *Description {
	keyField, nameFields := shape.nameFields()
	return &Description{
		Kind: kind, Shape: shape, keyField: keyField, nameFields: nameFields,
		key:  func(r any) string { return key(r.(*R)) },
		size: func(c *Catalog) int { return len(*list(c)) },
		at:   func(c *Catalog, i int) any { return &(*list(c))[i] },
		new:  func() any { return new(R) },
		take: func(to, from *Catalog) { *list(to) = *list(from) },
		grow: func(c *Catalog) any {
			all := list(c)
			*all = append(*all, *new(R))
			return &(*all)[len(*all)-1]
		},
		fill: func(c *Catalog, n int, record func(int) any) {
			var all []R
			if n > 0 {
				all = make([]R, n)
			}
			for i := range all {
				all[i] = *record(i).(*R)
			}
			*list(c) = all
		},
	}
}

func (d *Description) inFile(file, list string) *Description { d.File, d.List = file, list; return d }
func (d *Description) ordered() *Description                 { d.Ordered = true; return d }
func (d *Description) foldingKeys() *Description             { d.foldsKeys = true; return d }
func (d *Description) caseSensitive() *Description           { d.exactNames = true; return d }
func (d *Description) addressed(field string) *Description   { d.keyField = field; return d }

// identified is of a kind whose records have an id beside their key.
func (d *Description) identified(stableID func(record any) string) *Description {
	d.stableID = stableID
	return d
}

// longList is of a long list, whose name in a file is the file's.
func (d *Description) longList(name string) *Description {
	d.File, d.List, d.Long = name, name, true
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
