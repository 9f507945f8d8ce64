package storetest

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// model is a simple store that keeps every revision whole.
type model struct {
	kept     []whole // by number, without gaps
	versions []version
	observed []observation
	released []store.Release // sorted, without duplicates
}

// whole is a loaded revision.
type whole struct {
	revision store.Revision
	editors  *domain.Catalog
	observed []domain.Observation // winning ones
}

type version struct {
	revision store.Revision
	row      store.Row
}

type observation struct {
	revision store.Revision
	store.Observation
}

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
	before, after := map[string]store.Row{}, rowsOf(d)
	if len(m.kept) > 0 {
		before = rowsOf(store.Draft{Catalog: head.editors})
	}
	for id, row := range after {
		if old, ok := before[id]; !ok || !bytes.Equal(old.Body, row.Body) || old.Position != row.Position {
			m.versions = append(m.versions, version{rev, row})
		}
	}
	for id, row := range before {
		if _, ok := after[id]; !ok {
			m.versions = append(m.versions, version{rev, store.Row{Kind: row.Kind, Key: row.Key}})
		}
	}
	m.kept = append(m.kept, whole{rev, sorted(d.Catalog), head.observed})
	m.released = sortedReleases(append(m.released, d.Releases...))
}

func sortedReleases(all []store.Release) []store.Release {
	slices.SortFunc(all, func(a, b store.Release) int {
		return cmp.Or(cmp.Compare(a.Rollback, b.Rollback), bytes.Compare(a.Value[:], b.Value[:]))
	})
	return slices.Compact(all)
}

func rowsOf(d store.Draft) map[string]store.Row {
	all := map[string]store.Row{}
	for row, err := range store.Rows(d.Catalog, d.Origin) {
		if err != nil {
			panic(err)
		}
		all[string(row.Kind)+" "+row.Key] = row
	}
	return all
}

func (m *model) observe(observations []store.Observation, note store.Note) {
	head := m.head()
	note.Digest = head.revision.Digest
	rev := note.Revision(head.revision.Number)
	for _, o := range observations {
		o.Key = strings.ToLower(o.Key)
		m.observed = append(m.observed, observation{rev, o})
	}
	m.kept = append(m.kept, whole{rev, head.editors, m.winners(rev.Number)})
}

// winners applies all observations in the order in which they were made.
func (m *model) winners(until int64) []domain.Observation {
	best := map[[3]string]domain.Observation{}
	for _, o := range m.observed {
		id := [3]string{string(o.Kind), o.Key, string(o.Figure)}
		if old, ok := best[id]; o.revision.Number <= until && (!ok || o.AsOf >= old.AsOf) {
			best[id] = o.Observation.Observation
		}
	}
	var ids [][3]string
	for id := range best {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b [3]string) int { return strings.Compare(strings.Join(a[:], " "), strings.Join(b[:], " ")) })
	var winners []domain.Observation
	for _, id := range ids {
		winners = append(winners, best[id])
	}
	return winners
}

// prune keeps the versions and observations that kept revisions need.
func (m *model) prune(before int64) store.Pruned {
	before = min(before, m.head().revision.Number)
	var p store.Pruned
	p.Revisions = remove(&m.kept, func(w whole) bool { return w.revision.Number < before })
	read := map[[2]string]int64{} // the newest version until before
	for _, v := range m.versions {
		if n := v.revision.Number; n <= before {
			read[[2]string{string(v.row.Kind), v.row.Key}] = n
		}
	}
	spared, needed := m.spared(), map[[2]string]bool{} // records whose tombstone is needed
	p.Versions = remove(&m.versions, func(v version) bool {
		id := [2]string{string(v.row.Kind), v.row.Key}
		switch {
		case spared[v.id()]:
			needed[id] = true
			return false
		case v.revision.Number >= before:
			return false
		case v.revision.Number == read[id]:
			return v.row.Body == nil && !needed[id]
		}
		return true
	})
	winning := map[int]bool{}
	for _, w := range m.winners(before) {
		last := -1
		for i, o := range m.observed {
			if o.revision.Number <= before && o.Observation.Observation == w {
				last = i
			}
		}
		winning[last] = true
	}
	i := -1
	p.Observations = remove(&m.observed, func(o observation) bool {
		i++
		return o.revision.Number < before && !winning[i]
	})
	return p
}

type versionID struct {
	kind     domain.Kind
	key      string
	revision int64
}

func (v version) id() versionID { return versionID{v.row.Kind, v.row.Key, v.revision.Number} }

// retractions compares the versions that each rollback wrote with the previous versions, unless
// these were published again.
func (m *model) retractions() (all []store.Retraction, by []versionID) {
	for i, r := range m.versions {
		if r.revision.Op != store.OpRollback {
			continue
		}
		of := func(v version) bool { return v.row.Kind == r.row.Kind && v.row.Key == r.row.Key }
		before := slices.IndexFunc(slices.Collect(reversed(m.versions[:i])), of)
		if before < 0 {
			continue
		}
		taken := m.versions[i-1-before]
		back := func(v version) bool {
			return of(v) && (v.row.Body == nil) == (taken.row.Body == nil) && bytes.Equal(v.row.Body, taken.row.Body)
		}
		if taken.row.Position != r.row.Position || !slices.ContainsFunc(m.versions[i+1:], back) {
			all = append(all, store.Retraction{Rollback: r.revision, Taken: taken.row, Restored: r.row})
			by = append(by, r.id(), taken.id())
		}
	}
	return all, by
}

func reversed[T any](list []T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, v := range slices.Backward(list) {
			if !yield(v) {
				return
			}
		}
	}
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

func remove[T any](list *[]T, gone func(T) bool) int64 {
	var kept []T
	for _, v := range *list {
		if !gone(v) {
			kept = append(kept, v)
		}
	}
	n := len(*list) - len(kept)
	*list = kept
	return int64(n)
}

// retracted returns the retractions in the order of [store.Store].
func (m *model) retracted() []store.Retraction {
	all, _ := m.retractions()
	slices.SortFunc(all, func(a, b store.Retraction) int {
		return cmp.Or(cmp.Compare(a.Rollback.Number, b.Rollback.Number),
			strings.Compare(string(a.Taken.Kind), string(b.Taken.Kind)), strings.Compare(a.Taken.Key, b.Taken.Key))
	})
	return all
}

func (m *model) versionsOf(kind domain.Kind, key string, until int64) []store.Version {
	var all []store.Version
	for _, v := range slices.Backward(m.versions) {
		if v.row.Kind == kind && v.row.Key == key && v.revision.Number <= until {
			all = append(all, store.Version{Revision: v.revision, Row: v.row})
		}
	}
	return all
}

func (m *model) observationsOf(kind domain.Kind, key string, until int64) []store.Observed {
	var all []store.Observed
	for _, o := range slices.Backward(m.observed) {
		if o.Kind == kind && o.Key == key && o.revision.Number <= until {
			all = append(all, store.Observed{Revision: o.revision, Observation: o.Observation})
		}
	}
	return all
}

// sorted returns a catalogue in the order of a loaded editors' layer.
func sorted(c *domain.Catalog) *domain.Catalog {
	out := *c
	for _, d := range domain.Descriptions() {
		if d.Kind == domain.KindCatalog {
			continue
		}
		records := make([]any, d.Size(c))
		for i := range records {
			records[i] = d.Record(c, i)
		}
		if !d.Ordered {
			slices.SortFunc(records, func(a, b any) int { return strings.Compare(d.Identity(d.Key(a)), d.Identity(d.Key(b))) })
		}
		d.Fill(&out, len(records), func(i int) any { return records[i] })
	}
	return &out
}
