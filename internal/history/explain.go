package history

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// Explanation has the origin of each value of a record.
type Explanation struct {
	Record
	Values  []Value  // values of editors without figures, in the record's order
	Figures []Figure // all figures of the kind, in the record's order
	Probed  []Probed // newest states of addresses, by name; nil for none
}

// Probed is the state of an address, as probes observed it.
type Probed struct {
	Name string `json:"name"` // field and address, as rpc:https://rpc.example.org/
	domain.Reached
	Revision store.Revision `json:"since"` // that has the state first
}

// Value is a value of an editor as text.
type Value struct {
	Path string `json:"path"`
	Text string `json:"value"`
	Since
}

// Since is the version of a record that set a value.
type Since struct {
	Revision store.Revision `json:"since"`
	OrBefore bool           `json:"orBefore,omitempty"` // older versions were pruned, so the value may be older
	Origin   string         `json:"origin,omitempty"`   // position as file:line, "" if unknown
}

// Figure is a figure with its candidates, the served one first.
type Figure struct {
	Name       domain.FigureName `json:"figure"`
	Candidates []Candidate       `json:"candidates"`
}

// Layer is the layer of a state that a value belongs to.
type Layer string

// The layers.
const (
	Editors  Layer = "editors"
	Observed Layer = "observed" // upstream
)

// Candidate is one value of a figure.
type Candidate struct {
	Value      float64     `json:"value"`
	Served     bool        `json:"served"`
	Lost       string      `json:"reason,omitempty"` // why it is not served, "" for the served one
	Layer      Layer       `json:"layer"`
	Source     string      `json:"source,omitempty"`
	AsOf       domain.Date `json:"asOf,omitempty"`       // "" for an editor's number without a source
	UpstreamID string      `json:"upstreamId,omitempty"` // id of the record at the source, "" for none
	Since
}

// Explain returns the origins of the values of a record, as of the record's revision.
func Explain(ctx context.Context, s store.Store, r Record) (*Explanation, error) {
	key, until := store.RecordKey(r.Kind, r.Key), r.State.Revision.Number
	records, since, err := versionsOf(ctx, s, r.Kind, key, until)
	if err != nil {
		return nil, err
	}
	observed, err := s.Observations(ctx, r.Kind, key, until) // the newest first
	if err != nil {
		return nil, err
	}
	d := domain.Describe(r.Kind)
	e := &Explanation{Record: r}
	figures := map[string]Since{} // of those that editors wrote
	for _, v := range d.Since(records) {
		if f := d.Shape.Field(v.Path); f != nil && f.Type == domain.TypeFigure {
			figures[v.Path] = since[v.Version]
			continue
		}
		e.Values = append(e.Values, Value{Path: v.Path, Text: v.Value, Since: since[v.Version]})
	}
	served := d.Record(r.State.Merged(), r.Index)
	for _, f := range d.Shape.Figures() {
		var written []Candidate
		if since, ok := figures[f.Name]; ok { // on the same date the editors' figure wins, so it comes first
			w := **f.Figure(records[len(records)-1])
			written = []Candidate{{Value: w.Value, Source: w.Source, AsOf: w.AsOf, Layer: Editors, Lost: "an observation is newer", Since: since}}
		}
		name := domain.FigureName(f.Name)
		e.Figures = append(e.Figures, Figure{name, candidatesOf(name, *f.Figure(served), written, observed)})
	}
	e.Probed = probed(observed)
	return e, nil
}

// probed returns the newest states among observations, which are ordered newest first.
func probed(observed []store.Observed) []Probed {
	newest := map[domain.FigureName]Probed{}
	for _, o := range observed {
		reached := o.Observation.Reached()
		was, ok := newest[o.Observation.Figure]
		if o.Observation.Source == domain.SourceProbe && (!ok || reached.Since > was.Since) {
			newest[o.Observation.Figure] = Probed{string(o.Observation.Figure), reached, o.Revision}
		}
	}
	return slices.SortedFunc(maps.Values(newest), func(a, b Probed) int { return cmp.Compare(a.Name, b.Name) })
}

// candidatesOf returns the candidates of a figure, those that editors wrote before observed ones, but the
// served one first. [domain.Merge] alone decides which is served, nil for none.
func candidatesOf(name domain.FigureName, served *domain.Figure, written []Candidate, observed []store.Observed) []Candidate {
	all := written
	for _, seen := range observed {
		if o := seen.Observation; o.Figure == name {
			all = append(all, Candidate{
				Value: o.Value, Source: o.Source, AsOf: o.AsOf, Layer: Observed, Lost: whyLost(o.AsOf, served),
				UpstreamID: o.UpstreamID, Since: Since{Revision: seen.Revision},
			})
		}
	}
	i := slices.IndexFunc(all, func(c Candidate) bool {
		return served != nil && domain.Figure{Value: c.Value, Source: c.Source, AsOf: c.AsOf} == *served
	})
	if i < 0 {
		return all
	}
	first := all[i]
	first.Served, first.Lost = true, ""
	return slices.Insert(slices.Delete(all, i, i+1), 0, first)
}

// whyLost returns why an observation with a date is not served.
func whyLost(asOf domain.Date, served *domain.Figure) string {
	switch {
	case served == nil:
		return "it is invalid"
	case served.Bare():
		return "an editor's number without a date wins"
	case asOf < served.AsOf:
		return fmt.Sprintf("the served one is of %s", served.AsOf)
	}
	return "of the same date, another one wins"
}
