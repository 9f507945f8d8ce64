package domain

import (
	"math"

	"vitrine/internal/fold"
)

// Observation is a figure observed by a sync, or the reach of an address observed by probes: the
// second layer in addition to the editors' records (docs/figures.md#precedence).
type Observation struct {
	Kind   Kind
	Key    string     // slug, handle, key or channel id, compared folded
	Figure FigureName // or what [ReachFigure] returns
	Value  float64    // finite, 0 or more
	Source string     // never empty
	AsOf   Date       // never empty
}

// Merge returns the catalogue to serve: that of the editors with observed figures, by precedence
// (docs/figures.md#precedence).
//
//   - A bare figure of the editors wins.
//   - Among a dated figure and the observations, the newest date wins. On the same date, the
//     editors' figure wins, among observations the later in the slice.
//   - A missing figure is the newest observation.
//   - Endpoints get their newest observed reach.
//
// Observations of unknown records or figures are ignored, and so are those without a date or a
// finite value. editors is not modified; the result shares unchanged records with it, and the lists of
// kinds without observations. A nil catalogue is empty.
func Merge(editors *Catalog, observed []Observation) *Catalog {
	editors = orEmpty(editors)
	merged := *editors
	newest := newestObservations(observed)
	for _, d := range descriptions {
		if d.figures != nil && newest.have(d.Kind) {
			d.Fill(&merged, d.Size(editors), func(i int) any { return d.Record(editors, i) })
			for i := range d.Size(editors) {
				newest.merge(d, &merged, i)
			}
		}
	}
	return &merged
}

// MergeSince is [Merge] of editors and observed, given merged, which is that of the editors' catalogue
// before and of other observations. changed has all observations in which those differ from observed.
// The result shares the lists with merged for which nothing differs, and of others the records that both
// lists share. The cost is a walk through the other lists and one through the observations.
func MergeSince(merged, before, editors *Catalog, observed, changed []Observation) *Catalog {
	out := *editors
	for _, d := range descriptions {
		if d.figures == nil {
			continue
		}
		if keys := keysOf(d.Kind, changed); keys == nil && d.Shares(before, editors) {
			d.Take(&out, merged)
		} else {
			d.mergeAgain(&out, merged, before, editors, keys, observed)
		}
	}
	return &out
}

// mergeAgain sets the list of the kind in out to that of the editors with the figures of observed. It
// takes the records of merged of which neither the editors' record nor, by the changed keys, the
// observations differ.
func (d *Description) mergeAgain(out, merged, before, editors *Catalog, changed map[string]bool, observed []Observation) {
	var again []int // which merge other records or observations
	keys := map[string]bool{}
	same := d.aligned(before)
	var key []byte // of the last record, for its memory
	d.Fill(out, d.Size(editors), func(i int) any {
		record := d.Record(editors, i)
		at, unedited := same(record)
		if unedited && changed == nil {
			return d.Record(merged, at)
		}
		key = fold.Append(key[:0], d.Key(record))
		if unedited && !changed[string(key)] {
			return d.Record(merged, at)
		}
		keys[string(key)] = true
		again = append(again, i)
		return record
	})
	newest := newestObservations(observationsOf(d.Kind, keys, observed))
	for _, i := range again {
		newest.merge(d, out, i)
	}
}

// aligned returns a function that returns the index in a catalogue of the same record in memory. It is
// called with the records of another catalogue in their order, and does not find all if that differs.
func (d *Description) aligned(in *Catalog) func(record any) (at int, ok bool) {
	const maxRemoved = 64 // in a row
	next, size := 0, d.Size(in)
	return func(record any) (int, bool) {
		for at := next; at < min(next+maxRemoved, size); at++ {
			if d.Record(in, at) == record {
				next = at + 1
				return at, true
			}
		}
		return 0, false
	}
}

// keysOf returns the folded keys of the observed records of a kind, nil for none.
func keysOf(kind Kind, observed []Observation) map[string]bool {
	var keys map[string]bool
	for i := range observed {
		if observed[i].Kind == kind {
			if keys == nil {
				keys = map[string]bool{}
			}
			keys[fold.Text(observed[i].Key)] = true
		}
	}
	return keys
}

// observationsOf returns the observations of the records of a kind with some folded keys, in their
// order.
func observationsOf(kind Kind, keys map[string]bool, observed []Observation) []Observation {
	var of []Observation
	for i := range observed {
		if o := &observed[i]; o.Kind == kind && keys[fold.Text(o.Key)] {
			of = append(of, *o)
		}
	}
	return of
}

// HeldBack reports whether lists hide the account because its followers are unknown
// (docs/figures.md#precedence).
func HeldBack(a *Account) bool { return a.Followers == nil }

type observedFigure struct {
	kind   Kind
	key    string
	figure FigureName
}

type observations map[observedFigure]Observation

// have reports whether there are observations of a kind.
func (n observations) have(kind Kind) bool {
	for id := range n {
		if id.kind == kind {
			return true
		}
	}
	return false
}

// merge sets the figures and the reach of the i-th record of a list that [Description.Fill] made.
func (n observations) merge(d *Description, c *Catalog, i int) {
	record := d.Record(c, i)
	key := fold.Text(d.Key(record))
	for _, f := range d.figures {
		written := *f.Figure(record)
		if figure := n.figure(d.Kind, key, FigureName(f.Name), written); figure != written {
			record = d.Own(c, i)
			*f.Figure(record) = figure
		}
	}
	if d.Kind == KindChain {
		n.reach(d.Own(c, i).(*Chain), key)
	}
}

func newestObservations(observed []Observation) observations {
	newest := make(observations)
	for _, o := range observed {
		if o.AsOf == "" || math.IsNaN(o.Value) || math.IsInf(o.Value, 0) {
			continue
		}
		id := observedFigure{o.Kind, fold.Text(o.Key), o.Figure}
		if known, ok := newest[id]; !ok || o.AsOf >= known.AsOf {
			newest[id] = o
		}
	}
	return newest
}

// figure returns the figure to serve, given that of the editors.
func (n observations) figure(kind Kind, key string, name FigureName, written *Figure) *Figure {
	o, ok := n[observedFigure{kind, key, name}]
	if !ok || written != nil && (written.Bare() || written.AsOf >= o.AsOf) {
		return written
	}
	return &Figure{Value: o.Value, Source: o.Source, AsOf: o.AsOf}
}
