package snapshot

import (
	"cmp"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/domain"
	"vitrine/internal/parallel"
	"vitrine/internal/query"
	"vitrine/internal/search"
)

// list holds the encoded records of one list, and what selects among them.
//
// A record has a number, which it keeps from one snapshot to the next: so what is
// kept by number needs an update only where records changed. Nothing that is
// served depends on the numbers.
type list[R any] struct {
	bodyStart string  // up to the bracket of the array
	rows      []row   // by number; empty where no record has the number
	labels    *labels // nil where records have none
	texts     *localizer
	index     *search.Index
	tags      map[string]*roaring.Bitmap       // by category slug
	module    *dimensions                      // of the categories
	statuses  map[query.Status]*roaring.Bitmap // by what a request may ask for, "" included; no entry where that is all
	retired   *roaring.Bitmap                  // nil where no record is
	demoted   *roaring.Bitmap                  // what comes last in its class of relevance; nil for nothing
	finding   func(r *R) domain.Finding
	names     *names

	compareKey func(r *R, key string) int // nil where records have no names
	kind       *domain.Description        // of source

	locales  int
	rowSizes []rowSizes // by locale.ID

	records []*R     // by number; nil where no record has it
	byKey   []uint32 // numbers in the order of keys
	edits   int      // records that changed since all were compiled
}

// source is what a list is made of.
type source[R any] struct {
	name       string // of the list in the body
	compare    func(a, b *R) int
	compareKey func(r *R, key string) int // as compare does; nil where records have no names
	kind       *domain.Description        // nil where records have no names
	equal      func(a, b *R) bool
	finding    func(r *R) domain.Finding
	module     domain.Module
	status     func(r *R) domain.Status // nil where records have none
	encode     func(r *R, w *writer, resolve func(domain.Text) string)
	text       func(r *R) domain.Text // what encode writes by recordText; nil for nothing
	categories func(r *R) []string
	labels     bool // encode leaves the labels of the categories out for a mark
}

// edit is what turns the list of one snapshot into that of the next. A record
// that reads differently is both in gone and in changed.
type edit struct {
	gone    *roaring.Bitmap // numbers whose former record is out of date
	changed []uint32        // numbers whose record is new, ascending
	size    int             // all numbers are below it
	whole   bool            // all records are in changed
}

// compileList compiles a list of records, which must be sorted by source.compare,
// no two of them equal. previous is nil or the list of an earlier snapshot, which
// stays as it is; what did not change is taken over from it.
func compileList[R any](c *compiler, s source[R], previous *list[R], records []*R) (*list[R], edit) {
	l := &list[R]{
		bodyStart: bodyStart(s.name), texts: newLocalizer(c.locales.Names(), c.fallbacks),
		module: c.dimensions[s.module], finding: s.finding, compareKey: s.compareKey, kind: s.kind,
		locales: len(c.fallbacks), rowSizes: make([]rowSizes, len(c.fallbacks)),
	}
	e, ok := l.takeOver(s, previous, records)
	if !ok {
		previous, e = nil, l.numberAll(records)
	}
	l.encode(c, s, e)
	categories := func(number uint32) []string { return s.categories(l.records[number]) }
	if s.labels {
		var before *labels
		if !e.whole {
			before = previous.labels
		}
		l.labels = c.labels(before, e.size, e.changed, categories)
	}
	l.index = l.updatedIndex(s, previous, e)
	l.tags = map[string]*roaring.Bitmap{}
	if !e.whole {
		l.tags = without(previous.tags, e.gone)
	}
	for _, number := range e.changed {
		for _, slug := range categories(number) {
			addTo(l.tags, slug, number)
		}
	}
	l.divide(c, s)
	if s.compareKey != nil {
		l.names = l.updatedNames(previous, e)
	}
	return l, e
}

// divide tells records apart by status, and finds what a search puts last.
func (l *list[R]) divide(c *compiler, s source[R]) {
	demoted := roaring.New()
	for _, slug := range c.demoted {
		if set, ok := l.tags[slug]; ok {
			demoted.Or(set)
		}
	}
	l.divideByStatus(s)
	if l.retired != nil {
		demoted.Or(l.retired)
	}
	if !demoted.IsEmpty() {
		l.demoted = demoted
	}
}

func (l *list[R]) divideByStatus(s source[R]) {
	live, upcoming, retired := roaring.New(), roaring.New(), roaring.New()
	if s.status != nil {
		for _, number := range l.byKey {
			switch s.status(l.records[number]) {
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

// having returns how many records a request for a status finds.
func (l *list[R]) having(status query.Status) int {
	if set, ok := l.statuses[status]; ok {
		return int(set.GetCardinality())
	}
	return len(l.byKey)
}

// bodyStart returns what the body of a list begins with.
func bodyStart(name string) string {
	var w writer
	w.open('{')
	w.key(name)
	w.open('[')
	return string(w.buf)
}

// numberAll numbers records anew.
func (l *list[R]) numberAll(records []*R) edit {
	l.records, l.byKey = records, ascending[uint32](len(records))
	l.rows = make([]row, len(records))
	return edit{changed: slices.Clone(l.byKey), gone: roaring.New(), size: len(records), whole: true}
}

// takeOver gives records the numbers, and the rows, that they have in the previous
// list. It returns false where there is none, and where so many numbers would be
// without a record that all records had better be numbered anew.
func (l *list[R]) takeOver(s source[R], previous *list[R], records []*R) (edit, bool) {
	if previous == nil {
		return edit{}, false
	}
	e := edit{gone: roaring.New()}
	l.records = make([]*R, len(previous.records), max(len(previous.records), len(records)))
	l.byKey = make([]uint32, 0, len(records))
	var added []int // places in byKey of records that have no number yet
	old := previous.byKey
	for _, r := range records {
		order := -1
		for len(old) > 0 {
			if order = s.compare(previous.records[old[0]], r); order >= 0 {
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
		if !s.equal(previous.records[number], r) {
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
	l.keepRows(s, previous, &e)
	return e, true
}

// maxWaste is how many numbers may be without a record however small a list is.
const maxWaste = 64

// numberAdded gives free numbers to the records that were added, whose places in
// records are given, and returns these numbers.
func (l *list[R]) numberAdded(records []*R, added []int) []uint32 {
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

// keepRows takes over the rows of records that did not change. A row keeps the
// whole block that it is in; so when a quarter of all records have changed since
// all rows were made, all are made again.
func (l *list[R]) keepRows(s source[R], previous *list[R], e *edit) {
	l.rows = make([]row, e.size)
	l.edits = previous.edits + len(e.changed)
	if l.edits > len(l.byKey)/4 {
		l.edits, e.whole = 0, true
		e.changed = slices.Sorted(slices.Values(l.byKey))
		return
	}
	copy(l.rows, previous.rows)
	for it := e.gone.Iterator(); it.HasNext(); {
		l.rows[it.Next()] = row{}
	}
	for number := range l.rows { // or the texts would keep the former records in memory
		if r := &l.rows[number]; r.text != nil {
			r.text = s.text(l.records[number])
		}
	}
}

// encode makes the rows that changed, on all processors where they are many.
func (l *list[R]) encode(c *compiler, s source[R], e edit) {
	const least = 512
	parallel.Shares(len(e.changed), least, func(_, from, to int) {
		rows := rowWriter{left: to - from}
		for _, number := range e.changed[from:to] {
			record := l.records[number]
			var text domain.Text
			if s.text != nil {
				text = s.text(record)
			}
			l.rows[number] = rows.encode(c, text, func(w *writer, resolve func(domain.Text) string) { s.encode(record, w, resolve) })
		}
	})
}

// updatedIndex returns the index of what records are found by: a new one where
// previous is nil, else that of previous with what changed.
func (l *list[R]) updatedIndex(s source[R], previous *list[R], e edit) *search.Index {
	finding := func(records []*R, number uint32) domain.Finding {
		if int(number) >= len(records) || records[number] == nil {
			return domain.Finding{}
		}
		return s.finding(records[number])
	}
	now := func(number uint32) search.Document { return search.Document(finding(l.records, number)) }
	if previous == nil {
		return search.New(e.size, now)
	}
	touched := e.gone.Clone()
	touched.AddMany(e.changed)
	changed := slices.DeleteFunc(touched.ToArray(), func(number uint32) bool {
		return sameFinding(finding(previous.records, number), finding(l.records, number))
	})
	return previous.index.With(e.size, changed, now)
}

func addTo(sets map[string]*roaring.Bitmap, name string, number uint32) {
	if sets[name] == nil {
		sets[name] = roaring.New()
	}
	sets[name].Add(number)
}

// without returns copies of sets, without the numbers in gone.
func without(sets map[string]*roaring.Bitmap, gone *roaring.Bitmap) map[string]*roaring.Bitmap {
	out := make(map[string]*roaring.Bitmap, len(sets))
	for slug, set := range sets {
		if left := roaring.AndNot(set, gone); !left.IsEmpty() {
			out[slug] = left
		}
	}
	return out
}

// updatedOrder returns an order of the list: that of the previous list brought up
// to date, or a new one where all records changed.
func (l *list[R]) updatedOrder(previous *order, e edit, compare comparison) order {
	if e.whole {
		return newOrder(slices.Clone(l.byKey), e.size, compare)
	}
	return previous.updated(e.gone, slices.Clone(e.changed), e.size, compare)
}

// ascending returns the numbers below size.
func ascending[N int | uint32](size int) []N {
	numbers := make([]N, size)
	for i := range numbers {
		numbers[i] = N(i)
	}
	return numbers
}

// pointers returns the elements of a slice that keep accepts, sorted by compare.
func pointers[R any](all []R, keep func(*R) bool, compare func(a, b *R) int) []*R {
	kept := make([]*R, 0, len(all))
	for i := range all {
		if keep(&all[i]) {
			kept = append(kept, &all[i])
		}
	}
	if !slices.IsSortedFunc(kept, compare) {
		slices.SortFunc(kept, compare)
	}
	return kept
}

func every[R any](*R) bool { return true }

// compareHandles orders handles without regard to case, which is what tells
// accounts apart (docs/figures.md#missing-figures).
func compareHandles(a, b string) int {
	for i := range min(len(a), len(b)) {
		if x, y := lower(a[i]), lower(b[i]); x != y {
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(len(a), len(b))
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
