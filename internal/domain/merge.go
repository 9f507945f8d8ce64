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
// finite value. editors is not modified; the result shares unchanged records with it. A nil
// catalogue is empty.
func Merge(editors *Catalog, observed []Observation) *Catalog {
	editors = orEmpty(editors)
	merged := *editors
	newest := newestObservations(observed)
	if len(newest) == 0 {
		return &merged
	}
	for _, d := range descriptions {
		if figures := d.Shape.Figures(); figures != nil {
			d.Fill(&merged, d.Size(editors), func(i int) any { return d.Record(editors, i) })
			for i := range d.Size(&merged) {
				record := d.Record(&merged, i)
				key := fold.Text(d.Key(record))
				for _, f := range figures {
					at := f.Figure(record)
					*at = newest.figure(d.Kind, key, FigureName(f.Name), *at)
				}
			}
		}
	}
	newest.reach(&merged)
	return &merged
}

// HeldBack reports whether lists hide the account because its followers are unknown
// (docs/figures.md#precedence).
func HeldBack(a Account) bool { return a.Followers == nil }

type observedFigure struct {
	kind   Kind
	key    string
	figure FigureName
}

type observations map[observedFigure]Observation

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
