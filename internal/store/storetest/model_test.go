package storetest

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// model is a simple store that keeps every revision whole.
type model struct {
	kept     []whole // by number, without gaps
	versions []store.Version
	observed []store.Observed
	released []store.Release // sorted, without duplicates
}

// whole is a loaded revision.
type whole struct {
	revision store.Revision
	editors  *domain.Catalog
	observed []domain.Observation // winning ones
}

// recordID identifies a record.
type recordID struct {
	kind domain.Kind
	key  string
}

func idOf(r store.Row) recordID { return recordID{r.Kind, r.Key} }

func (m *model) head() whole {
	if len(m.kept) == 0 {
		return whole{editors: &domain.Catalog{}}
	}
	return m.kept[len(m.kept)-1]
}

func (m *model) floor() int64 { return m.kept[0].revision.Number }

// publish appends a version of each row that differs.
func (m *model) publish(d store.Draft) {
	head := m.head()
	rev := d.Revision(head.revision.Number)
	before, after, first := map[recordID]store.Row{}, rowsOf(d), len(m.versions)
	if len(m.kept) > 0 {
		before = rowsOf(store.Draft{Catalog: head.editors})
	}
	for id, row := range after {
		if old, ok := before[id]; !ok || !bytes.Equal(old.Body, row.Body) || old.Position != row.Position {
			m.versions = append(m.versions, store.Version{Revision: rev, Row: row})
		}
	}
	for id := range before {
		if _, ok := after[id]; !ok {
			m.versions = append(m.versions, store.Version{Revision: rev, Row: store.Row{Kind: id.kind, Key: id.key}})
		}
	}
	slices.SortFunc(m.versions[first:], func(a, b store.Version) int { return compareRows(a.Row, b.Row) })
	m.kept = append(m.kept, whole{rev, sorted(d.Catalog), head.observed})
	m.released = sortedReleases(append(m.released, d.Releases...))
}

func sortedReleases(all []store.Release) []store.Release {
	slices.SortFunc(all, func(a, b store.Release) int {
		return cmp.Or(cmp.Compare(a.Rollback, b.Rollback), bytes.Compare(a.Value[:], b.Value[:]))
	})
	return slices.Compact(all)
}

func rowsOf(d store.Draft) map[recordID]store.Row {
	all := map[recordID]store.Row{}
	for row, err := range store.Rows(d.Catalog, d.Origin) {
		if err != nil {
			panic(err)
		}
		all[idOf(row)] = row
	}
	return all
}

func (m *model) observe(observations []store.Observation, note store.Note) {
	head := m.head()
	note.Digest = head.revision.Digest
	rev := note.Revision(head.revision.Number)
	for _, o := range observations {
		o.Key = strings.ToLower(o.Key)
		m.observed = append(m.observed, store.Observed{Revision: rev, Observation: o})
	}
	m.kept = append(m.kept, whole{rev, head.editors, m.winners(rev.Number)})
}

// figure identifies a figure of a record.
type figure struct {
	recordID
	name domain.FigureName
}

func figureOf(o domain.Observation) figure { return figure{recordID{o.Kind, o.Key}, o.Figure} }

// winners applies all observations in the order in which they were made.
func (m *model) winners(until int64) []domain.Observation {
	best := map[figure]domain.Observation{}
	for _, o := range m.observed {
		id := figureOf(o.Observation.Observation)
		if old, ok := best[id]; o.Revision.Number <= until && (!ok || o.Observation.AsOf >= old.AsOf) {
			best[id] = o.Observation.Observation
		}
	}
	var winners []domain.Observation
	for _, o := range best {
		winners = append(winners, o)
	}
	sortFigures(winners)
	return winners
}

func sortFigures(all []domain.Observation) {
	slices.SortFunc(all, func(a, b domain.Observation) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Figure, b.Figure))
	})
}

// prune keeps the versions and observations that kept revisions need.
func (m *model) prune(before int64) store.Pruned {
	before = min(before, m.head().revision.Number)
	var p store.Pruned
	p.Revisions = remove(&m.kept, func(w whole) bool { return w.revision.Number < before })
	read := map[recordID]int64{} // the newest version until before
	for _, v := range m.versions {
		if n := v.Revision.Number; n <= before {
			read[idOf(v.Row)] = n
		}
	}
	spared, needed := m.spared(), map[recordID]bool{} // records whose tombstone is needed
	p.Versions = remove(&m.versions, func(v store.Version) bool {
		id := idOf(v.Row)
		switch {
		case spared[versionID{id, v.Revision.Number}]:
			needed[id] = true
			return false
		case v.Revision.Number >= before:
			return false
		case v.Revision.Number == read[id]:
			return v.Row.Body == nil && !needed[id] && v.Revision.Op != store.OpPurge
		}
		return true
	})
	winning := map[int]bool{}
	for _, w := range m.winners(before) {
		last := -1
		for i, o := range m.observed {
			if o.Revision.Number <= before && o.Observation.Observation == w {
				last = i
			}
		}
		winning[last] = true
	}
	i := -1
	p.Observations = remove(&m.observed, func(o store.Observed) bool {
		i++
		return o.Revision.Number < before && !winning[i]
	})
	return p
}

// purge removes records with keys from all revisions. The result has no revision if there are none.
func (m *model) purge(kind domain.Kind, keys []string, note store.Note) store.Purged {
	var purged store.Purged
	isVersion := func(v store.Version) bool { return v.Row.Kind == kind && slices.Contains(keys, v.Row.Key) }
	isObserved := func(o store.Observed) bool {
		return o.Observation.Kind == kind && slices.ContainsFunc(keys, func(key string) bool { return strings.ToLower(key) == o.Observation.Key })
	}
	for _, v := range m.versions {
		if isVersion(v) && v.Row.Body != nil {
			purged.Versions++
		}
	}
	if purged.Versions == 0 && !slices.ContainsFunc(m.observed, isObserved) {
		return purged
	}
	remove(&m.versions, isVersion)
	purged.Observations = remove(&m.observed, isObserved)
	for i, w := range m.kept {
		m.kept[i].editors, m.kept[i].observed = without(w.editors, kind, keys), m.winners(w.revision.Number)
	}
	head := m.head()
	note.Op, note.Digest = store.OpPurge, head.revision.Digest
	purged.Revision = note.Revision(head.revision.Number)
	for _, key := range keys {
		m.versions = append(m.versions, store.Version{Revision: purged.Revision, Row: store.Row{Kind: kind, Key: key}})
	}
	m.kept = append(m.kept, whole{purged.Revision, head.editors, head.observed})
	return purged
}

// tombstones returns those of purges without a newer version, in the order of [store.Store].
func (m *model) tombstones() []store.Version {
	var all []store.Version
	for i, v := range m.versions {
		newer := func(other store.Version) bool { return idOf(other.Row) == idOf(v.Row) }
		if v.Revision.Op == store.OpPurge && !slices.ContainsFunc(m.versions[i+1:], newer) {
			all = append(all, v)
		}
	}
	slices.SortFunc(all, func(a, b store.Version) int {
		return cmp.Or(cmp.Compare(a.Revision.Number, b.Revision.Number), compareRows(a.Row, b.Row))
	})
	return all
}

func compareRows(a, b store.Row) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Key, b.Key))
}

// changes returns the changes from a revision to the head, ordered by kind, key and figure.
func (m *model) changes(from whole) *store.Changes {
	head := m.head()
	changes := &store.Changes{Since: from.revision.Number, Revision: head.revision}
	seen := map[recordID]bool{}
	for _, v := range slices.Backward(m.versions) {
		if id := idOf(v.Row); !seen[id] && v.Revision.Number > changes.Since {
			seen[id] = true
			changes.Rows = append(changes.Rows, v.Row)
		}
	}
	slices.SortFunc(changes.Rows, compareRows)
	for _, o := range head.observed {
		if !slices.Contains(from.observed, o) {
			changes.Observed = append(changes.Observed, o)
		}
	}
	return changes
}

type versionID struct {
	recordID
	revision int64
}

// retractions compares the versions that each rollback wrote with the previous versions, unless
// these were published again.
func (m *model) retractions() (all []store.Retraction, by []versionID) {
	for i, r := range m.versions {
		if r.Revision.Op != store.OpRollback {
			continue
		}
		of := func(v store.Version) bool { return idOf(v.Row) == idOf(r.Row) }
		earlier := slices.DeleteFunc(slices.Clone(m.versions[:i]), func(v store.Version) bool { return !of(v) })
		if len(earlier) == 0 {
			continue
		}
		taken := earlier[len(earlier)-1]
		back := func(v store.Version) bool {
			return of(v) && (v.Row.Body == nil) == (taken.Row.Body == nil) && bytes.Equal(v.Row.Body, taken.Row.Body)
		}
		if taken.Row.Position != r.Row.Position || !slices.ContainsFunc(m.versions[i+1:], back) {
			all = append(all, store.Retraction{Rollback: r.Revision, Taken: taken.Row, Restored: r.Row})
			by = append(by, versionID{idOf(r.Row), r.Revision.Number}, versionID{idOf(r.Row), taken.Revision.Number})
		}
	}
	return all, by
}

// spared returns the versions that retractions need.
func (m *model) spared() map[versionID]bool {
	_, ids := m.retractions()
	spared := map[versionID]bool{}
	for _, id := range ids {
		spared[id] = true
	}
	return spared
}

// remove removes the values that gone returns true for, and returns their number.
func remove[T any](list *[]T, gone func(T) bool) int64 {
	n := len(*list)
	*list = slices.DeleteFunc(*list, gone)
	return int64(n - len(*list))
}

// retracted returns the retractions in the order of [store.Store].
func (m *model) retracted() []store.Retraction {
	all, _ := m.retractions()
	slices.SortFunc(all, func(a, b store.Retraction) int {
		return cmp.Or(cmp.Compare(a.Rollback.Number, b.Rollback.Number), compareRows(a.Taken, b.Taken))
	})
	return all
}

func (m *model) versionsOf(kind domain.Kind, key string, until int64) []store.Version {
	var all []store.Version
	for _, v := range slices.Backward(m.versions) {
		if idOf(v.Row) == (recordID{kind, key}) && v.Revision.Number <= until {
			all = append(all, v)
		}
	}
	return all
}

func (m *model) observationsOf(kind domain.Kind, key string, until int64) []store.Observed {
	var all []store.Observed
	for _, o := range slices.Backward(m.observed) {
		if o.Observation.Kind == kind && o.Observation.Key == strings.ToLower(key) && o.Revision.Number <= until {
			all = append(all, o)
		}
	}
	return all
}

// upstreamIDs returns the last id of each record of a kind at a source.
func (m *model) upstreamIDs(kind domain.Kind, source string) map[string]string {
	ids := map[string]string{}
	for _, o := range m.observed {
		if o.Observation.Kind == kind && o.Observation.Source == source && o.Observation.UpstreamID != "" {
			ids[o.Observation.Key] = o.Observation.UpstreamID
		}
	}
	return ids
}

// touched returns what the revisions after since wrote, as [store.Store] does.
func (m *model) touched(since, until int64, most int) store.Touched {
	var all store.Touched
	for _, w := range slices.Backward(m.kept) {
		number := w.revision.Number
		if number > until {
			continue
		}
		all.Revisions = append(all.Revisions, w.revision)
		if most -= m.written(number); number <= since || most < 0 {
			break
		}
	}
	slices.Reverse(all.Revisions)
	base := all.Revisions[0].Number
	touched := map[recordID]bool{}
	for _, v := range slices.Backward(m.versions) {
		switch number, id := v.Revision.Number, idOf(v.Row); {
		case number > until, number <= base && !touched[id]:
			continue
		default:
			touched[id] = number > base // the first one up to the base is the last
		}
		all.Versions = append(all.Versions, v)
	}
	slices.SortFunc(all.Versions, func(a, b store.Version) int {
		return cmp.Or(compareRows(a.Row, b.Row), cmp.Compare(a.Revision.Number, b.Revision.Number))
	})
	figures := map[figure]bool{}
	for _, o := range m.observed {
		if n := o.Revision.Number; n > base && n <= until {
			all.Observed = append(all.Observed, o)
			figures[figureOf(o.Observation.Observation)] = true
		}
	}
	slices.SortStableFunc(all.Observed, func(a, b store.Observed) int {
		return cmp.Or(cmp.Compare(a.Observation.Kind, b.Observation.Kind), cmp.Compare(a.Observation.Key, b.Observation.Key))
	})
	for _, w := range m.winners(base) {
		if figures[figureOf(w)] {
			all.Before = append(all.Before, w)
		}
	}
	return all
}

// written returns the number of rows of a revision, as [store.Store] counts them.
func (m *model) written(number int64) int {
	n := 0
	for _, v := range m.versions {
		if v.Revision.Number == number {
			n += store.VersionRows
		}
	}
	for _, o := range m.observed {
		if o.Revision.Number == number {
			n++
		}
	}
	return n
}

// compareTouched compares Store.Touched with the model, without and with a bound.
func (p *player) compareTouched() {
	t, n := p.t, len(p.model.kept)
	since := p.model.floor() - 1 + int64(p.random.IntN(n+1))
	until := p.model.floor() + int64(p.random.IntN(n))
	for _, most := range []int{math.MaxInt32, p.random.IntN(8 * store.VersionRows)} {
		got, err := p.store.Touched(t.Context(), since, until, most)
		if err != nil {
			t.Fatal(err)
		}
		want := p.model.touched(since, until, most)
		for _, o := range want.Before { // others may be returned, too
			if !slices.Contains(got.Before, o) {
				t.Errorf("Touched().Before lacks %v", o)
			}
		}
		got.Before = want.Before
		equal(t, "Touched()", &want, got)
	}
}

// without returns a catalogue without the records of a kind with keys.
func without(c *domain.Catalog, kind domain.Kind, keys []string) *domain.Catalog {
	return mapped(c, func(d *domain.Description, records []any) []any {
		return slices.DeleteFunc(records, func(r any) bool { return d.Kind == kind && slices.Contains(keys, store.KeyOf(d, r)) })
	})
}

// sorted returns a catalogue in the order of a loaded editors' layer.
func sorted(c *domain.Catalog) *domain.Catalog {
	return mapped(c, func(d *domain.Description, records []any) []any {
		if !d.Ordered {
			slices.SortFunc(records, func(a, b any) int { return strings.Compare(store.KeyOf(d, a), store.KeyOf(d, b)) })
		}
		return records
	})
}

// mapped returns a catalogue with other records of each kind.
func mapped(c *domain.Catalog, change func(d *domain.Description, records []any) []any) *domain.Catalog {
	out := *c
	for _, d := range domain.Descriptions() {
		if d.Kind == domain.KindCatalog {
			continue
		}
		records := make([]any, d.Size(c))
		for i := range records {
			records[i] = d.Record(c, i)
		}
		records = change(d, records)
		d.Fill(&out, len(records), func(i int) any { return records[i] })
	}
	return &out
}
