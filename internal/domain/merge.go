package domain

import (
	"math"

	"vitrine/internal/fold"
)

// Observation is a figure as a sync found it: the second layer beside what
// editors write (docs/figures.md#precedence).
type Observation struct {
	Kind   Kind   // KindChain or KindAccount
	Key    string // slug or handle, compared folded
	Figure FigureName
	Value  float64 // finite, 0 or more
	Source string  // never empty
	AsOf   Date    // never empty
}

// Merge returns the catalogue that is served: the editors' one with the
// figures that were observed, by their precedence (docs/figures.md#precedence).
//
//   - A bare figure of the editors wins.
//   - Of a dated one and the observations the newest date wins; on the same
//     date the editors' figure wins, among observations the later in the slice.
//   - A figure that is left out is the newest observation.
//
// Observations of records or figures that the catalogue does not have are
// passed over, and so are those without a date or a finite value, which have
// no place in that order. Editors is not changed; what it holds is shared with
// the result as far as it is the same. A nil catalogue is an empty one.
func Merge(editors *Catalog, observed []Observation) *Catalog {
	editors = orEmpty(editors)
	merged := *editors
	newest := newestObservations(observed)
	if len(newest) == 0 {
		return &merged
	}
	for _, d := range descriptions {
		if figures := d.Shape.Figures(); figures != nil {
			d.Fill(&merged, d.size(editors), func(i int) any { return d.at(editors, i) })
			for i := range d.size(&merged) {
				record := d.at(&merged, i)
				key := fold.Text(d.key(record))
				for _, f := range figures {
					at := f.figure(record)
					*at = newest.figure(d.Kind, key, FigureName(f.Name), *at)
				}
			}
		}
	}
	return &merged
}

// HeldBack reports whether the account is kept out of the list, because
// nobody knows its followers (docs/figures.md#precedence).
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

// figure returns the figure to serve where the editors wrote written.
func (n observations) figure(kind Kind, key string, name FigureName, written *Figure) *Figure {
	o, ok := n[observedFigure{kind, key, name}]
	if !ok || written != nil && (written.Bare() || written.AsOf >= o.AsOf) {
		return written
	}
	return &Figure{Value: o.Value, Source: o.Source, AsOf: o.AsOf}
}
