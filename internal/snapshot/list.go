package snapshot

import (
	"cmp"
	"reflect"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/parallel"
	"vitrine/internal/query"
	"vitrine/internal/search"
)

// list has the encoded records of one list and its indexes.
//
// A record has a number, which it keeps in later snapshots, so that only the entries of changed
// records need an update. Responses do not depend on the numbers.
type list[R, V any] struct {
	source[R, V]

	bodyStart  string  // up to the bracket of the array
	rows       []row   // by number; nil for numbers without a record
	labels     *labels // nil if records have none
	texts      *localizer
	index      func() *search.Index             // made at its first use, as the orders
	tags       map[string]*roaring.Bitmap       // by category slug
	dimensions *dimensions                      // of the categories
	statuses   map[query.Status]*roaring.Bitmap // by requested status, including ""; no entry if it matches all records
	retired    *roaring.Bitmap                  // nil if no record is
	demoted    *roaring.Bitmap                  // last in their class of relevance; nil for none
	names      *names
	orders     map[query.Sort][]func() directions    // by locale.ID; one entry if it is the same in all locales
	filters    map[string]map[string]*roaring.Bitmap // records by parameter and value
	listed     *roaring.Bitmap                       // nil for all
	held       map[string]*R                         // records whose row lacks a figure, with all figures, by key

	locales  int
	rowSizes []rowSizes // by locale.ID

	summaries *summaries

	from [2][]*R // listed and whole records; see source.recordsOf

	records []*R     // by number; nil for numbers without a record
	byKey   []uint32 // numbers in the order of keys
	edits   int      // records that changed since the last full compilation
}

// edit has the differences between two lists. A changed record is both in gone and in changed.
type edit struct {
	gone    *roaring.Bitmap // numbers whose former record is outdated
	changed []uint32        // numbers with a new record, ascending
	size    int             // all numbers are below it
	whole   bool            // all records are in changed
}

// compileList compiles a list. previous is nil or the list of an earlier snapshot, which is not
// modified; its parts are reused where records are equal.
func compileList[R, V any](c *compiler, s source[R, V], previous *list[R, V]) *list[R, V] {
	all, whole := s.recordsOf(c)
	records := sorted(all, s.compare)
	l := &list[R, V]{
		source: s, from: [2][]*R{all, whole}, bodyStart: `{"` + s.name + `":[`, texts: c.texts, dimensions: cmp.Or(c.dimensions[s.module], &dimensions{}),
		locales: len(c.fallbacks), rowSizes: make([]rowSizes, len(c.fallbacks)), filters: map[string]map[string]*roaring.Bitmap{},
		summaries: &summaries{by: map[summaryKey]FigureSummary{}},
	}
	e, ok := l.takeOver(previous, records)
	if !ok {
		previous, e = nil, l.numberAll(records)
	}
	l.encode(e)
	categories := func(number uint32) []string { return l.categories(l.records[number]) }
	if l.isLabelled() {
		var before *labels
		if !e.whole {
			before = previous.labels
		}
		l.labels = c.labels(before, e.size, e.changed, categories)
	}
	l.index = sync.OnceValue(func() *search.Index { return l.updatedIndex(previous, e) })
	l.tags = map[string]*roaring.Bitmap{}
	if !e.whole {
		l.tags = without(previous.tags, e.gone)
	}
	for _, number := range e.changed {
		for _, slug := range categories(number) {
			addTo(l.tags, slug, number)
		}
	}
	l.divide(c)
	l.filter()
	l.names = l.updatedNames(previous, e)
	l.sort(c, previous, e)
	l.held = l.differing(all, whole)
	return l
}

// parts returns functions that make the index and the orders, unless they are made.
func (l *list[R, V]) parts() []func() {
	all := []func(){func() { l.index() }}
	for _, o := range l.orderings {
		for _, made := range l.orders[o.sort] {
			all = append(all, func() { made() })
		}
	}
	return all
}

// isOf reports whether the list has been compiled from the same records in memory.
func (l *list[R, V]) isOf(listed, whole []*R) bool {
	return slices.Equal(l.from[0], listed) && slices.Equal(l.from[1], whole)
}

// filter makes the sets of records for the values of filters.
func (l *list[R, V]) filter() {
	for name, values := range l.values {
		sets := map[string]*roaring.Bitmap{}
		for _, number := range l.byKey {
			for _, value := range values(l.records[number]) {
				addTo(sets, value, number)
			}
		}
		l.filters[name] = sets
	}
	if l.isListed == nil {
		return
	}
	if listed := l.those(l.isListed); int(listed.GetCardinality()) < len(l.byKey) {
		l.listed = listed
	}
}

// divide makes the sets of records by status, and of those that searches demote.
func (l *list[R, V]) divide(c *compiler) {
	demoted := roaring.New()
	for _, slug := range c.demoted {
		if set, ok := l.tags[slug]; ok {
			demoted.Or(set)
		}
	}
	l.divideByStatus()
	if l.retired != nil {
		demoted.Or(l.retired)
	}
	if !demoted.IsEmpty() {
		l.demoted = demoted
	}
}

func (l *list[R, V]) divideByStatus() {
	live, upcoming, retired := roaring.New(), roaring.New(), roaring.New()
	if l.status != nil {
		for _, number := range l.byKey {
			switch l.status(l.records[number]) {
			case domain.StatusUpcoming:
				upcoming.Add(number)
			case domain.StatusRetired:
				retired.Add(number)
			default:
				live.Add(number)
			}
		}
	}
	l.statuses = map[query.Status]*roaring.Bitmap{query.StatusUpcoming: upcoming, query.StatusRetired: retired}
	if !retired.IsEmpty() {
		l.retired = retired
		l.statuses[""] = roaring.Or(live, upcoming)
	}
	if !retired.IsEmpty() || !upcoming.IsEmpty() {
		l.statuses[query.StatusLive] = live
	}
}

// having returns the number of records that a request for a status selects.
func (l *list[R, V]) having(status query.Status) int {
	return l.matches(query.List{Status: status}).total
}

// numberAll assigns new numbers to records.
func (l *list[R, V]) numberAll(records []*R) edit {
	l.records, l.byKey = records, ascending[uint32](len(records))
	l.rows = make([]row, len(records))
	return edit{changed: slices.Clone(l.byKey), gone: roaring.New(), size: len(records), whole: true}
}

// takeOver assigns the numbers and rows of the previous list to records. It returns false if
// there is no previous list, or if so many numbers would be unused that numberAll is better.
func (l *list[R, V]) takeOver(previous *list[R, V], records []*R) (edit, bool) {
	if previous == nil {
		return edit{}, false
	}
	e := edit{gone: roaring.New()}
	l.records = make([]*R, len(previous.records), max(len(previous.records), len(records)))
	l.byKey = make([]uint32, 0, len(records))
	var added []int // indices in byKey of records without a number
	old := previous.byKey
	for _, r := range records {
		order := -1
		for len(old) > 0 {
			was := previous.records[old[0]]
			if order = 0; was != r {
				order = l.compare(was, r)
			}
			if order >= 0 {
				break
			}
			e.gone.Add(old[0])
			old = old[1:]
		}
		if len(old) == 0 || order > 0 {
			added = append(added, len(l.byKey))
			l.byKey = append(l.byKey, 0)
			continue
		}
		number := old[0]
		old = old[1:]
		l.byKey = append(l.byKey, number)
		l.records[number] = r
		if previous.records[number] != r && !l.equal(previous.records[number], r) {
			e.gone.Add(number)
			e.changed = append(e.changed, number)
		}
	}
	e.gone.AddMany(old)
	e.changed = append(e.changed, l.numberAdded(records, added)...)
	slices.Sort(e.changed)
	e.size = len(l.records)
	if e.size > 2*len(records)+maxWaste {
		return edit{}, false
	}
	l.keepRows(previous, &e)
	return e, true
}

// maxWaste is the number of unused numbers that a list of any size may have.
const maxWaste = 64

// numberAdded assigns free numbers to the added records, given by their indices in records, and
// returns these numbers.
func (l *list[R, V]) numberAdded(records []*R, added []int) []uint32 {
	var numbers []uint32
	free := 0
	for _, place := range added {
		for free < len(l.records) && l.records[free] != nil {
			free++
		}
		if free == len(l.records) {
			l.records = append(l.records, nil)
		}
		l.records[free] = records[place]
		l.byKey[place] = uint32(free)
		numbers = append(numbers, uint32(free))
	}
	return numbers
}

// keepRows reuses the rows of unchanged records. A row keeps its whole block in memory. So all
// rows are made again once a quarter of the records has changed.
func (l *list[R, V]) keepRows(previous *list[R, V], e *edit) {
	l.rows = make([]row, e.size)
	l.edits = previous.edits + len(e.changed)
	if l.edits > len(l.byKey)/4 {
		l.edits, e.whole = 0, true
		e.changed = slices.Sorted(slices.Values(l.byKey))
		return
	}
	copy(l.rows, previous.rows)
	for it := e.gone.Iterator(); it.HasNext(); {
		l.rows[it.Next()] = nil
	}
}

// encode makes the changed rows, on all processors if there are many.
func (l *list[R, V]) encode(e edit) {
	const least = 512
	plan := planOf(reflect.TypeFor[V]())
	parallel.Shares(len(e.changed), least, func(_, from, to int) {
		rows := rowWriter{left: to - from, encodings: make([][]byte, l.locales)}
		view := new(V)
		value := reflect.ValueOf(view).Elem()
		for _, number := range e.changed[from:to] {
			record := l.records[number]
			l.rows[number] = rows.row(l.rowText(number), func(b []byte, id locale.ID, m marks) []byte {
				l.setRow(view, record, language{localizer: l.texts, id: id})
				return plan.appendObject(b, value, m)
			})
		}
	})
}

// rowText returns the text of a record that its row may omit, nil for none.
func (l *list[R, V]) rowText(number uint32) domain.Text {
	if l.text == nil {
		return nil
	}
	return l.text(l.records[number])
}

// updatedIndex returns the index of the documents: a new one if previous is nil, else that of
// previous with the changes.
func (l *list[R, V]) updatedIndex(previous *list[R, V], e edit) *search.Index {
	document := func(records []*R, number uint32) search.Document {
		if int(number) >= len(records) || records[number] == nil {
			return search.Document{}
		}
		return l.document(records[number])
	}
	now := func(number uint32) search.Document { return document(l.records, number) }
	if previous == nil {
		return search.New(e.size, now)
	}
	touched := e.gone.Clone()
	touched.AddMany(e.changed)
	changed := slices.DeleteFunc(touched.ToArray(), func(number uint32) bool {
		return sameDocument(document(previous.records, number), now(number))
	})
	return previous.index().With(e.size, changed, now)
}

func addTo(sets map[string]*roaring.Bitmap, name string, number uint32) {
	if sets[name] == nil {
		sets[name] = roaring.New()
	}
	sets[name].Add(number)
}

// without returns copies of sets without the numbers in gone.
func without(sets map[string]*roaring.Bitmap, gone *roaring.Bitmap) map[string]*roaring.Bitmap {
	out := make(map[string]*roaring.Bitmap, len(sets))
	for slug, set := range sets {
		if left := roaring.AndNot(set, gone); !left.IsEmpty() {
			out[slug] = left
		}
	}
	return out
}

// ascending returns the numbers below size.
func ascending[N int | uint32](size int) []N {
	numbers := make([]N, size)
	for i := range numbers {
		numbers[i] = N(i)
	}
	return numbers
}

// pointers returns pointers to the elements of a slice.
func pointers[R any](all []R) []*R {
	to := make([]*R, len(all))
	for i := range all {
		to[i] = &all[i]
	}
	return to
}

// sorted returns records sorted by compare, which may be the same slice.
func sorted[R any](all []*R, compare func(a, b *R) int) []*R {
	if !slices.IsSortedFunc(all, compare) {
		all = slices.Clone(all)
		slices.SortFunc(all, compare)
	}
	return all
}

// differing returns the complete form of the records for which lists hide a figure, by key; nil
// for none. Both slices have the same records in the same order.
func (l *list[R, V]) differing(listed, whole []*R) map[string]*R {
	if len(whole) == 0 || slices.Equal(listed, whole) {
		return nil
	}
	held := map[string]*R{}
	for i := range whole {
		if !l.equal(listed[i], whole[i]) {
			held[l.key(whole[i])] = whole[i]
		}
	}
	return held
}

// complete returns a record with all its figures.
func (l *list[R, V]) complete(number uint32) *R {
	r := l.records[number]
	return cmp.Or(l.held[l.key(r)], r)
}
