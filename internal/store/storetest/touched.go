package storetest

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// compareTouched compares Store.Touched with the model, without and with a bound.
func (p *player) compareTouched() {
	t, n := p.t, len(p.model.kept)
	since := p.model.floor() - 1 + int64(p.random.IntN(n+1))
	until := p.model.floor() + int64(p.random.IntN(n))
	for _, most := range []int{math.MaxInt32, p.random.IntN(8 * store.VersionRows)} {
		name := fmt.Sprintf("Touched(%d, %d, %d)", since, until, most)
		got, err := p.store.Touched(t.Context(), since, until, most)
		if err != nil {
			t.Fatal(err)
		}
		want := p.model.touched(since, until, most)
		equal(t, name+".Revisions", want.Revisions, got.Revisions)
		equal(t, name+".Versions", want.Versions, got.Versions)
		equal(t, name+".Observed", want.Observed, got.Observed)
		for _, o := range want.Before { // others may be returned, too
			if !slices.Contains(got.Before, o) {
				t.Errorf("%s.Before lacks %v", name, o)
			}
		}
	}
	if _, err := p.store.Touched(t.Context(), since, p.model.head().revision.Number+1, 0); err == nil {
		t.Error("Touched accepts a revision that does not exist")
	}
}

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
	touched := map[[2]string]bool{}
	for _, v := range slices.Backward(m.versions) {
		id := [2]string{string(v.row.Kind), v.row.Key}
		switch number := v.revision.Number; {
		case number > until, number <= base && !touched[id]:
			continue
		default:
			touched[id] = number > base // the first one up to the base is the last
		}
		all.Versions = append(all.Versions, store.Version{Revision: v.revision, Row: v.row})
	}
	slices.SortFunc(all.Versions, func(a, b store.Version) int {
		return cmp.Or(cmp.Compare(a.Row.Kind, b.Row.Kind), cmp.Compare(a.Row.Key, b.Row.Key), cmp.Compare(a.Revision.Number, b.Revision.Number))
	})
	figures := map[[3]string]bool{}
	for _, o := range m.observed {
		if n := o.revision.Number; n > base && n <= until {
			all.Observed = append(all.Observed, store.Observed{Revision: o.revision, Observation: o.Observation})
			figures[figureID(o.Observation.Observation)] = true
		}
	}
	slices.SortStableFunc(all.Observed, func(a, b store.Observed) int {
		return cmp.Or(cmp.Compare(a.Observation.Kind, b.Observation.Kind), cmp.Compare(a.Observation.Key, b.Observation.Key))
	})
	for _, w := range m.winners(base) {
		if figures[figureID(w)] {
			all.Before = append(all.Before, w)
		}
	}
	return all
}

func figureID(o domain.Observation) [3]string {
	return [3]string{string(o.Kind), o.Key, string(o.Figure)}
}

// written returns the number of rows of a revision, as [store.Store] counts them.
func (m *model) written(number int64) int {
	n := 0
	for _, v := range m.versions {
		if v.revision.Number == number {
			n += store.VersionRows
		}
	}
	for _, o := range m.observed {
		if o.revision.Number == number {
			n++
		}
	}
	return n
}
