package history

import (
	"context"
	"fmt"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// Explanation says where each value of a record comes from.
type Explanation struct {
	Record
	Values  []Value  // what editors wrote, figures left out, in the record's order
	Figures []Figure // all that such a record may have, in the record's order
}

// Value is a value that editors wrote, as text.
type Value struct {
	Path, Text string
	Since      Since
}

// Since is the version of a record since which a value reads as it does.
type Since struct {
	Revision store.Revision
	Origin   string // where it was written, as file:line, "" when not known
	OrBefore bool   // perhaps longer: what came before was pruned
}

// Figure is a figure with all that was known for it; the one that is served
// comes first.
type Figure struct {
	Name       domain.FigureName
	Candidates []Candidate
}

// Candidate is one value of a figure.
type Candidate struct {
	domain.Figure
	Since      Since
	Observed   bool   // else editors wrote it
	UpstreamID string // the record's at the source, "" when it has none
	Lost       string // why it is not served, "" for the one that is
}

// Explain returns where the values of a record of a store come from, as of the
// record's revision.
func Explain(ctx context.Context, s store.Store, r Record) (*Explanation, error) {
	key, until := store.RecordKey(r.Kind, r.Key), r.State.Revision.Number
	versions, err := readVersions(ctx, s, r.Kind, key, until)
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
	for _, v := range domain.Since(r.Kind, records(versions)) {
		since := versions[v.Version].Since
		if f := d.Shape.Field(v.Path); f != nil && f.Type == domain.TypeFigure {
			figures[v.Path] = since
			continue
		}
		e.Values = append(e.Values, Value{Path: v.Path, Text: v.Value, Since: since})
	}
	served := d.Record(r.State.Merged(), r.Index)
	for _, f := range d.Shape.Figures() {
		known := candidates{served: *f.Figure(served)}
		if since, ok := figures[f.Name]; ok { // on the same date the editors' figure wins, so it comes first
			written := d.Record(versions[len(versions)-1].record, 0)
			known.add(Candidate{Figure: **f.Figure(written), Since: since}, "an observation is newer")
		}
		known.addObserved(domain.FigureName(f.Name), observed)
		e.Figures = append(e.Figures, Figure{domain.FigureName(f.Name), append(known.won, known.lost...)})
	}
	return e, nil
}

// candidates are those of one figure. Which one is served was decided by
// [domain.Merge] alone.
type candidates struct {
	served    *domain.Figure // nil for none
	won, lost []Candidate    // won has one at most
}

// add takes a candidate, and why it lost if it did.
func (k *candidates) add(c Candidate, reason string) {
	if len(k.won) == 0 && k.served != nil && c.Figure == *k.served {
		k.won = append(k.won, c)
		return
	}
	c.Lost = reason
	k.lost = append(k.lost, c)
}

func (k *candidates) addObserved(name domain.FigureName, observed []store.Observed) {
	for _, o := range observed {
		if o.Observation.Figure != name {
			continue
		}
		k.add(Candidate{
			Figure:     domain.Figure{Value: o.Observation.Value, Source: o.Observation.Source, AsOf: o.Observation.AsOf},
			Since:      Since{Revision: o.Revision},
			Observed:   true,
			UpstreamID: o.Observation.UpstreamID,
		}, whyLost(o.Observation.AsOf, k.served))
	}
}

// whyLost says why an observation of a date is not what is served.
func whyLost(asOf domain.Date, served *domain.Figure) string {
	switch {
	case served == nil:
		return "it cannot be used"
	case served.Bare():
		return "an editor's number without a date wins"
	case asOf < served.AsOf:
		return fmt.Sprintf("what is served is of %s", served.AsOf)
	}
	return "of the same date, another one wins"
}
