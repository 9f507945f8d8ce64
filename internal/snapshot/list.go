package snapshot

import (
	"cmp"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/catalog"
	"vitrine/internal/parallel"
	"vitrine/internal/query"
	"vitrine/internal/search"
)

// list holds the encoded records of one list, and what selects among them.
//
// Records have numbers, which a record keeps from one snapshot to the next, so
// that what is prepared by number can be brought up to date. Which number a
// record has is nowhere to be seen in what is served.
type list[R any] struct {
	open   string  // what the body begins with, up to the bracket of the array
	rows   []row   // by number; without a form where no record has the number
	pieces *pieces // nil where rows share none
	texts  *passages
	index  *search.Index
	tags   map[string]*roaring.Bitmap // by category slug

	lengths []lengths // by locale.ID

	records []*R     // by number; nil where no record has it
	byKey   []uint32 // numbers in the order of keys
	edits   int      // records that changed since all were compiled
}

// source is what a list is made of.
type source[R any] struct {
	name       string // of the list in the body
	compare    func(a, b *R) int
	shape      *catalog.Shape // by which records are compared and searched
	encode     func(r *R, w *writer, resolve func(catalog.Text) string)
	passage    func(r *R) catalog.Text // what encode writes as the body; nil for nothing
	categories func(r *R) []string
	labels     bool // rows have the labels of their categories as a shared piece
}

// edit is what turns the list of one snapshot into that of the next.
type edit struct {
	changed []uint32        // numbers of records that are new or read otherwise, ascending
	gone    *roaring.Bitmap // numbers whose record of before is no more, or reads otherwise
	size    int             // all numbers are below it
	whole   bool            // all records are in changed
}

// compileList compiles a list of records, which are sorted by source.compare, none
// equal to another. previous is nil or the list of an earlier snapshot, which
// stays as it is, and of which everything that did not change is taken over.
func compileList[R any](c *compiler, s source[R], previous *list[R], records []*R) (*list[R], edit) {
	l := &list[R]{
		open: opening(s.name), texts: newPassages(c.locales.Names(), c.fallbacks), lengths: make([]lengths, len(c.fallbacks)),
	}
	e, ok := l.follow(s, previous, records)
	if !ok {
		previous, e = nil, l.begin(records)
	}
	l.encode(c, s, e)
	categories := func(number uint32) []string { return s.categories(l.records[number]) }
	if s.labels {
		var before *pieces
		if !e.whole {
			before = previous.pieces
		}
		l.pieces = c.sharedPieces(before, e.size, e.changed, categories)
	}
	l.index = l.indexed(s, previous, e)
	l.tags = map[string]*roaring.Bitmap{}
	if !e.whole {
		l.tags = without(previous.tags, e.gone)
	}
	for _, number := range e.changed {
		for _, slug := range categories(number) {
			l.tag(slug, number)
		}
	}
	return l, e
}

func opening(name string) string {
	var w writer
	w.open('{')
	w.key(name)
	w.open('[')
	return string(w.buf)
}

// begin numbers records that have no list before.
func (l *list[R]) begin(records []*R) edit {
	l.records, l.byKey = records, ascending(len(records))
	l.rows = make([]row, len(records))
	return edit{changed: slices.Clone(l.byKey), gone: roaring.New(), size: len(records), whole: true}
}

// follow numbers records as the list before does. It is false where there is
// none, or where it has so many numbers without a record that all are better
// given out anew.
func (l *list[R]) follow(s source[R], previous *list[R], records []*R) (edit, bool) {
	if previous == nil {
		return edit{}, false
	}
	e := edit{gone: roaring.New()}
	l.records = make([]*R, len(previous.records), max(len(previous.records), len(records)))
	l.byKey = make([]uint32, 0, len(records))
	var added []int // places in byKey that have no number yet
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
		if !s.shape.Equal(previous.records[number], r) {
			e.gone.Add(number)
			e.changed = append(e.changed, number)
		}
	}
	e.gone.AddMany(old)
	e.changed = append(e.changed, l.number(records, added)...)
	slices.Sort(e.changed)
	e.size = len(l.records)
	if e.size > 2*len(records)+minSize {
		return edit{}, false
	}
	l.keepRows(s, previous, &e)
	return e, true
}

// minSize is up to how many records are not worth saving the memory of.
const minSize = 64

// number gives numbers that are free to the records that were added, whose
// places in byKey are given, and returns them.
func (l *list[R]) number(records []*R, added []int) []uint32 {
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

// keepRows takes over the rows that stay. A row that stays keeps the block in
// which it is, so when a quarter of all have changed since they were all made,
// they are all made again.
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
	for number := range l.rows { // what a row refers to is to be the record's own
		if r := &l.rows[number]; r.text != nil {
			r.text = s.passage(l.records[number])
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
			var text catalog.Text
			if s.passage != nil {
				text = s.passage(record)
			}
			l.rows[number] = rows.encode(c, text, func(w *writer, resolve func(catalog.Text) string) { s.encode(record, w, resolve) })
		}
	})
}

// indexed returns the index of the texts: that of the list before, nil for none,
// with those that changed.
func (l *list[R]) indexed(s source[R], previous *list[R], e edit) *search.Index {
	texts := func(records []*R, number uint32) []string {
		if int(number) >= len(records) || records[number] == nil {
			return nil
		}
		return s.shape.Searched(nil, records[number])
	}
	now := func(number uint32) []string { return texts(l.records, number) }
	if previous == nil {
		return search.New(e.size, now)
	}
	touched := e.gone.Clone()
	touched.AddMany(e.changed)
	changed := slices.DeleteFunc(touched.ToArray(), func(number uint32) bool {
		return slices.Equal(texts(previous.records, number), now(number))
	})
	return previous.index.With(e.size, changed, now)
}

func (l *list[R]) tag(slug string, number uint32) {
	set, ok := l.tags[slug]
	if !ok {
		set = roaring.New()
		l.tags[slug] = set
	}
	set.Add(number)
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

// order returns an order of the list: the one before, brought up to date, unless
// nothing is left of it.
func (l *list[R]) order(previous *order, e edit, compare comparison) order {
	if e.whole {
		return newOrder(slices.Clone(l.byKey), e.size, compare)
	}
	return previous.with(e.gone, slices.Clone(e.changed), e.size, compare)
}

// size returns how many records there are.
func (l *list[R]) size() int { return len(l.byKey) }

// selected returns the records that match search terms and tags, nil where the
// query has neither. It is only read.
func (l *list[R]) selected(q query.List) *roaring.Bitmap {
	if len(q.Terms) == 0 && len(q.Tags) == 0 {
		return nil
	}
	if len(q.Tags) == 0 {
		return l.index.Find(q.Terms)
	}
	tagged := l.tagged(q.Tags)
	if len(q.Terms) == 0 || tagged.IsEmpty() {
		return tagged
	}
	return roaring.And(tagged, l.index.Find(q.Terms))
}

// tagged returns the records that have any of the tags. It is only read.
func (l *list[R]) tagged(slugs []string) *roaring.Bitmap {
	var sets []*roaring.Bitmap
	for _, slug := range slugs {
		if set, ok := l.tags[slug]; ok {
			sets = append(sets, set)
		}
	}
	if len(sets) == 1 {
		return sets[0]
	}
	return roaring.FastOr(sets...)
}

func ascending(size int) []uint32 {
	numbers := make([]uint32, size)
	for i := range numbers {
		numbers[i] = uint32(i)
	}
	return numbers
}

// pointers returns the elements of a slice that keep approves of, by compare.
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

// labelled encodes the pair of fields that accounts and channels share: the
// labels of their categories, for display, which all records with the same
// categories share, and the slugs, in the same order.
func labelled(w *writer, field string, slugs []string) {
	w.key(field)
	w.buf = append(w.buf, insert)
	w.strings("categorySlugs", slugs)
}

// compareHandles orders handles without regard to case, which is what tells
// accounts apart (contract, "check").
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
