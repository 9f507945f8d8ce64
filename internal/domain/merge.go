package domain

import (
	"math"
	"slices"

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
	merged, none := *editors, &Catalog{}
	for _, d := range descriptions {
		if d.figures != nil && slices.ContainsFunc(observed, func(o Observation) bool { return o.Kind == d.Kind }) {
			d.mergeAgain(&merged, none, none, editors, nil, observed)
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
	same := d.aligned(before)
	var key []byte // of the last record, for its memory
	d.Fill(out, d.Size(editors), func(i int) any {
		record := d.Record(editors, i)
		at, unedited := same(record)
		if unedited && changed != nil {
			key = fold.Append(key[:0], d.Key(record))
			unedited = !changed[string(key)]
		}
		if unedited {
			return d.Record(merged, at)
		}
		again = append(again, i)
		return record
	})
	var keys map[string]bool // nil for all
	if len(again) < d.Size(editors) {
		keys = make(map[string]bool, len(again))
		for _, i := range again {
			keys[fold.Text(d.Key(d.Record(editors, i)))] = true
		}
	}
	newest := newestOf(d.Kind, keys, observed)
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

// HeldBack reports whether lists hide the account because its followers are unknown
// (docs/figures.md#precedence).
func HeldBack(a *Account) bool { return a.Followers == nil }

type observedFigure struct {
	key    string
	figure FigureName
}

// observations are the newest ones of records of a kind.
type observations map[observedFigure]Observation

// merge sets the figures and the reach of the i-th record of a list that [Description.Fill] made.
func (n observations) merge(d *Description, c *Catalog, i int) {
	record := d.Record(c, i)
	key := fold.Text(d.Key(record))
	for _, f := range d.figures {
		written := *f.Figure(record)
		if figure := n.figure(key, FigureName(f.Name), written); figure != written {
			record = d.Own(c, i)
			*f.Figure(record) = figure
		}
	}
	if d.Kind == KindChain {
		n.reach(d.Own(c, i).(*Chain), key)
	}
}

// newestOf returns the newest observations of the records of a kind with some folded keys, nil for all.
func newestOf(kind Kind, keys map[string]bool, observed []Observation) observations {
	newest := make(observations)
	for i := range observed {
		o := &observed[i]
		if o.Kind != kind || o.AsOf == "" || math.IsNaN(o.Value) || math.IsInf(o.Value, 0) {
			continue
		}
		id := observedFigure{fold.Text(o.Key), o.Figure}
		if known, ok := newest[id]; (keys == nil || keys[id.key]) && (!ok || o.AsOf >= known.AsOf) {
			newest[id] = *o
		}
	}
	return newest
}

// figure returns the figure to serve, given that of the editors.
func (n observations) figure(key string, name FigureName, written *Figure) *Figure {
	o, ok := n[observedFigure{key, name}]
	if !ok || written != nil && (written.Bare() || written.AsOf >= o.AsOf) {
		return written
	}
	return &Figure{Value: o.Value, Source: o.Source, AsOf: o.AsOf}
}
