package snapshot

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/domain"
	"vitrine/internal/fold"
	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/search"
)

// sources returns the descriptions of all lists. A list in sources is compiled, reused, served,
// named and searched; no other code names it.
func (c *compiler) sources() []compilable {
	return []compilable{c.chainSource(), c.accountSource(), c.channelSource(), c.cardSource(), c.appSource()}
}

// compilable is a [source] of records of any type.
type compilable interface {
	compile(c *compiler, previous *Snapshot) anyList
	listedKind() ListedKind
}

// anyList is a [list] of records of any type.
type anyList interface {
	kindOf() query.Kind
	moduleOf() domain.Module
	find(q query.List, in language) Result
	facetsOf(q query.List) []Facet
	filterCounts(q query.List, filter string) map[string]int
	keysOf(q query.List) []string
	having(status query.Status) int
	summarize(q query.List, name domain.FigureName) FigureSummary
	listedFigure(key string, name domain.FigureName) *domain.Figure
	keyed(key string) (number uint32, ok bool)
	keyNamed(name string) (key string, ok bool)
	viewNamed(name string, in language) any
	summariesOf(q query.List, in language) Page[Summary]
	wholeNamed(name string, in language) (of Summary, view any, ok bool)
	titleOf(key string, in language) (title, href string)
	searchable(chains anyList) searchable
	parts() []func()
}

// source describes a list of records of type R, whose rows are views of type V. Fields are
// required unless they say otherwise. With a description, all but kind, path and whole have defaults.
type source[R, V any] struct {
	kind        query.Kind
	name        string              // of the list in its body; "" for the plural of the description
	path        string              // of the operations of records, up to their key
	description *domain.Description // nil for records whose only names are keys, which are not unique
	module      domain.Module       // of the categories; "" for that of the field with categories

	// recordsOf returns the records in the form of lists. No two compare as equal. whole has the
	// same records with the figures that lists hide, nil if there are none. nil for all records of
	// the description.
	recordsOf   func(c *compiler) (listed, whole []*R)
	key         func(r *R) string              // nil for that of the description
	compareKeys func(a, b string) int          // nil for strings.Compare
	compare     func(a, b *R) int              // 0 for the same record in two snapshots; nil for the order of keys
	equal       func(a, b *R) bool             // whether all served values are equal; nil compares all fields of the description
	document    func(r *R) search.Document     // the searched texts; nil for the searched fields of the description
	isListed    func(r *R) bool                // false for records that lists hide; nil for none
	status      func(r *R) domain.Status       // nil for that of the field status, if there is one
	categories  func(r *R) []string            // nil for those of the field with categories, if there is one
	values      map[string]func(r *R) []string // values of the record for each filter, by parameter; nil for no filters. Searches know those of "chain"
	orderings   []ordering[R]                  // the first is the default; nil for the order of names
	apart       bool                           // the list depends on no records of other kinds, except categories and their groups
	ties        func(a, b *R) int              // of all orderings; nil for compare

	// row and details return views without the members that setters set from the fields of the
	// description.
	row      func(r *R, in language) V                         // nil for none but those members
	pictured bool                                              // rows have addresses of pictures
	text     func(r *R) domain.Text                            // of the member with the mark text; nil for that of the field description, if there is one
	whole    any                                               // an empty view of the whole record; nil for records without details
	details  func(l *list[R, V], r *R, in language) (view any) // a pointer to such a view; nil for none but those members
	setters  viewSetters                                       // of these views; those of an earlier snapshot, or set by withDefaults

	// How a name is resolved; see [Snapshot.Named]. All may be left out.
	namePrefix string                                    // that a name may have before it
	otherName  func(name string) (other string, ok bool) // a further name to look up if no record has the name as its own
	nearKey    func(l *list[R, V], name string) string   // the key closest to an unknown name, "" for none

	// The search over everything.
	result     func(r *R) searchRecord // nil for the fields of the description
	menus      func(r *R) []string     // path slugs; nil for none
	prominence func(a, b *R) int       // order within a class of relevance; nil for the default order
	symbol     func(r *R) string       // searched as a label; nil for none
	isResult   func(r *R) bool         // false for records that match only searches that name the kind; nil for none
}

// withDefaults returns the source with defaults from the description and the keys.
func (s source[R, V]) withDefaults() source[R, V] {
	if s.description != nil {
		s = s.described()
	}
	if s.compareKeys == nil {
		s.compareKeys = strings.Compare
	}
	if s.compare == nil {
		s.compare = func(a, b *R) int { return s.compareKeys(s.key(a), s.key(b)) }
	}
	if s.ties == nil {
		s.ties = s.compare
	}
	if s.categories == nil {
		s.categories = func(*R) []string { return nil }
	}
	return s
}

// described returns the source with defaults from its description.
func (s source[R, V]) described() source[R, V] {
	d := s.description
	s.name = cmp.Or(s.name, d.Plural)
	if s.setters.row == nil {
		s.setters = newViewSetters(d.Shape, reflect.TypeFor[V](), s.whole)
	}
	if s.recordsOf == nil {
		s.recordsOf = func(c *compiler) (listed, whole []*R) {
			if d.Shape.Figures() != nil {
				whole = recordsIn[R](d, c.whole)
			}
			return recordsIn[R](d, c.catalog), whole
		}
	}
	if s.key == nil {
		s.key = func(r *R) string { return d.Key(r) }
	}
	if s.equal == nil {
		s.equal = func(a, b *R) bool { return d.Shape.Equal(a, b) }
	}
	if s.document == nil {
		s.document = func(r *R) search.Document { return search.Document(d.Shape.Finding(r)) }
	}
	if f := d.Shape.Categories(); f != nil {
		s.module = f.Scope
		if s.categories == nil {
			s.categories = func(r *R) []string { return f.Lines(r) }
		}
	}
	if f := d.Shape.Field("status"); f != nil && s.status == nil {
		s.status = func(r *R) domain.Status { return domain.Status(*f.Line(r)) }
	}
	if f := d.Shape.Field("description"); f != nil && s.text == nil {
		s.text = func(r *R) domain.Text { return *f.Text(r) }
	}
	named := nameOf(d.Shape)
	if s.result == nil {
		s.result = s.resultOf(named, d.Shape)
	}
	if s.orderings == nil {
		s.orderings = []ordering[R]{{ascending: true, text: func(r *R, in language) string {
			line, text := named.texts(r)
			return cmp.Or(line, in.text(text))
		}}}
	}
	return s
}

// resultOf returns a function that returns the values of a record for results, from the fields of a shape.
func (s source[R, V]) resultOf(named namedBy, shape *domain.Shape) func(r *R) searchRecord {
	description := shape.Field("description")
	image, link := firstLink(shape, true), firstLink(shape, false)
	line := func(f *domain.Field, r *R) string {
		if f == nil {
			return ""
		}
		return *f.Line(r)
	}
	return func(r *R) searchRecord {
		found := searchRecord{key: s.key(r), image: line(image, r), url: line(link, r), href: s.path + s.key(r)}
		found.name, found.title = named.texts(r)
		if description != nil {
			found.description = *description.Text(r)
		}
		if s.symbol != nil {
			found.symbol = s.symbol(r)
		}
		if s.menus != nil {
			found.menus = s.menus(r)
		}
		return found
	}
}

// namedBy is the field with the displayed name of records: a text, or a line that is the same in all
// locales.
type namedBy struct{ *domain.Field }

func nameOf(shape *domain.Shape) namedBy {
	return namedBy{cmp.Or(shape.Field("name"), shape.Field("title"))}
}

// texts returns the name of a record, as a line or as a text.
func (f namedBy) texts(record any) (line string, text domain.Text) {
	if f.Line != nil {
		return *f.Line(record), nil
	}
	return "", *f.Text(record)
}

// firstLink returns the first link of a shape that is a picture (isImage), or that is not; nil for none.
func firstLink(shape *domain.Shape, isImage bool) *domain.Field {
	for _, f := range shape.Fields {
		if f.Type == domain.TypeLink && f.IsImage() == isImage {
			return f
		}
	}
	return nil
}

// recordsIn returns all records of a description in a catalogue.
func recordsIn[R any](d *domain.Description, c *domain.Catalog) []*R {
	all := make([]*R, d.Size(c))
	for i := range all {
		all[i] = d.Record(c, i).(*R)
	}
	return all
}

// compile compiles the list; previous is nil or an earlier snapshot.
func (s source[R, V]) compile(c *compiler, previous *Snapshot) anyList {
	if previous != nil {
		s.setters = previous.lists[s.kind].(*list[R, V]).setters
	}
	s = s.withDefaults()
	var before *list[R, V]
	if c.sameLocales && (c.sameNames || !s.isLabelled()) && (c.samePictures || !s.pictured) {
		before = previous.lists[s.kind].(*list[R, V])
	}
	if before != nil && s.apart && c.sameRules && before.isOf(s.recordsOf(c)) {
		return before
	}
	return compileList(c, s, before)
}

// listedKind returns the kind of the records; its description is nil for records without one.
func (s source[R, V]) listedKind() ListedKind {
	if s.description == nil {
		return ListedKind{}
	}
	s = s.described()
	return ListedKind{s.kind, s.description, s.name, s.path, s.whole}
}

// isLabelled reports whether rows have labels of categories.
func (s *source[R, V]) isLabelled() bool { return planOf(reflect.TypeFor[V]()).marks()&markLabels != 0 }

// Rows returns the views of the records that a query selects in the list with such rows.
func Rows[V any](s *Snapshot, q query.List) Page[V] {
	for kind, l := range s.lists {
		if l, ok := l.(interface {
			page(q query.List, in language) Page[V]
		}); ok {
			q.Kind = kind
			return l.page(s.Resolve(q), s.in(q.Locale))
		}
	}
	panic("snapshot: no list has rows of the type " + reflect.TypeFor[V]().Name())
}

// Keys returns the keys of the records that a query selects, in its order.
func (s *Snapshot) Keys(q query.List) []string { return s.list(q.Kind).keysOf(s.Resolve(q)) }

// Details returns the view, of type V, of the record of a kind that a name means (see
// [Snapshot.Named]), also if lists hide it; nil for none.
func Details[V any](s *Snapshot, kind query.Kind, name string, id locale.ID) *V {
	view, _ := s.list(kind).viewNamed(name, s.in(id)).(*V)
	return view
}

func (l *list[R, V]) kindOf() query.Kind { return l.kind }

func (l *list[R, V]) moduleOf() domain.Module { return l.module }

// find returns the encoded records that a query selects, in the language of the query.
func (l *list[R, V]) find(q query.List, in language) Result {
	m := l.matches(q)
	if q.Details && l.whole != nil {
		return m.detailed(in)
	}
	return m.result()
}

// facetsOf returns the facets that a query requests.
func (l *list[R, V]) facetsOf(q query.List) []Facet { return l.matches(q).facets() }

// keysOf returns the keys of the records that a query selects, in its order.
func (l *list[R, V]) keysOf(q query.List) []string {
	var keys []string
	for _, number := range l.matches(q).numbers() {
		keys = append(keys, l.key(l.records[number]))
	}
	return keys
}

// page returns the views of the records that a query selects.
func (l *list[R, V]) page(q query.List, in language) Page[V] { return l.matches(q).page(in) }

// keyNamed returns the key of the record that a name means; see [Snapshot.Named].
func (l *list[R, V]) keyNamed(name string) (key string, ok bool) {
	number, ok := l.named(name)
	if !ok {
		return "", false
	}
	return l.key(l.records[number]), true
}

// viewNamed returns the view of the record that a name means, nil for none.
func (l *list[R, V]) viewNamed(name string, in language) any {
	number, ok := l.named(name)
	if !ok || l.whole == nil {
		return nil
	}
	return l.detailsOf(number, in)
}

// setRow sets the view of a record in the list.
func (l *list[R, V]) setRow(view *V, r *R, in language) {
	if *view = *new(V); l.row != nil {
		*view = l.row(r, in)
	}
	l.setters.row.set(reflect.ValueOf(view).Elem(), r, in)
}

// detailsOf returns a pointer to the view of the whole record with a number.
func (l *list[R, V]) detailsOf(number uint32, in language) any {
	r := l.complete(number)
	var view any
	if l.details != nil {
		view = l.details(l, r, in)
	} else {
		view = reflect.New(reflect.TypeOf(l.whole)).Interface()
	}
	l.setters.whole.set(reflect.ValueOf(view).Elem(), r, in)
	return view
}

// titleOf returns the title and the path of the record with a key, "" for none.
func (l *list[R, V]) titleOf(key string, in language) (title, href string) {
	number, ok := l.keyed(key)
	if !ok {
		return "", ""
	}
	r := l.result(l.records[number])
	return cmp.Or(r.name, in.text(r.title)), r.href
}

// searchable returns the records for a search over everything.
func (l *list[R, V]) searchable(chains anyList) searchable {
	s := searchable{
		kind: l.kind, index: l.index, demoted: l.demoted,
		order:    func(id locale.ID) *order { return l.order("", false, id) },
		document: func(number uint32) search.Document { return l.document(l.records[number]) },
		record:   func(number uint32) searchRecord { return l.result(l.records[number]) },
	}
	if l.prominence != nil {
		known := sync.OnceValue(func() *order {
			return newOrder(slices.Clone(l.byKey), len(l.records), func(a, b uint32) int { return l.prominence(l.records[a], l.records[b]) })
		})
		s.order = func(locale.ID) *order { return known() }
	}
	if l.nearKey != nil {
		s.nearKey = func(name string) string { return l.nearKey(l, name) }
	}
	if l.isResult != nil {
		s.results = l.those(l.isResult)
	}
	if l.symbol != nil {
		s.bySymbol = l.bySymbol()
	}
	if of := l.values["chain"]; of != nil {
		s.onChains = onChains(chains, l.filters["chain"])
		s.onMain = onChains(chains, l.byMainChain(of))
	}
	return s
}

// those returns the records for which holds returns true.
func (l *list[R, V]) those(holds func(r *R) bool) *roaring.Bitmap {
	set := roaring.New()
	for _, number := range l.byKey {
		if holds(l.records[number]) {
			set.Add(number)
		}
	}
	return set
}

// bySymbol returns a function that returns the records with a symbol, nil for none.
func (l *list[R, V]) bySymbol() func(term string) *roaring.Bitmap {
	numbers := map[string][]uint32{}
	for _, number := range l.byKey {
		if symbol := fold.Text(l.symbol(l.records[number])); symbol != "" {
			numbers[symbol] = append(numbers[symbol], number)
		}
	}
	return func(term string) *roaring.Bitmap {
		if numbers[term] == nil {
			return nil
		}
		return roaring.BitmapOf(numbers[term]...)
	}
}

// byMainChain returns the records by the slug of the first of their chains, which chainsOf returns.
func (l *list[R, V]) byMainChain(chainsOf func(r *R) []string) map[string]*roaring.Bitmap {
	sets := map[string]*roaring.Bitmap{}
	for _, number := range l.byKey {
		if slugs := chainsOf(l.records[number]); len(slugs) > 0 {
			addTo(sets, slugs[0], number)
		}
	}
	return sets
}

// onChains returns a function that returns the records on any of some chains. records are by
// slug of the chain.
func onChains(chains anyList, records map[string]*roaring.Bitmap) func(chains *roaring.Bitmap) *roaring.Bitmap {
	used, on := roaring.New(), map[uint32]*roaring.Bitmap{}
	for slug, set := range records {
		if number, ok := chains.keyed(slug); ok {
			used.Add(number)
			on[number] = set
		}
	}
	return func(chains *roaring.Bitmap) *roaring.Bitmap {
		matches := roaring.New()
		for it := roaring.And(chains, used).Iterator(); it.HasNext(); {
			matches.Or(on[it.Next()])
		}
		return matches
	}
}
