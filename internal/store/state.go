package store

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"vitrine/internal/domain"
	"vitrine/internal/fold"
	"vitrine/internal/recordjson"
)

// Changes is what turns the state of one revision into that of a later one.
type Changes struct {
	Since    int64    // the revision that the changes start from
	Revision Revision // the one that they lead to

	// Rows are the newest versions of the rows that were written in between, in
	// any order, one a record; a nil Body is a tombstone. A record that was
	// changed and changed back may be among them.
	Rows []Row

	// Observed are the figures for which another observation wins (see [State]),
	// in any order, one a figure.
	Observed []domain.Observation
}

// State is both layers as of one revision. It is immutable, all of its methods
// are safe for concurrent use, and what they return is shared and read only.
//
// Of all observations of a figure up to the revision one wins: the one with
// the newest date, of the same date the one that was made later. The others are
// not part of a state.
type State struct {
	Revision Revision

	editors  *domain.Catalog
	observed []domain.Observation
	merged   func() *domain.Catalog
}

// NewState returns the state that rows, in any order, and winning observations
// add up to. Rows and observed are not kept. It is an error if a row cannot be
// read, is not of a kind that is known or comes twice, if there is no row of
// the catalogue itself, or if nav groups do not stand at the positions from 0
// on: what holds them is damaged then.
func NewState(revision Revision, rows []Row, observed []domain.Observation) (*State, error) {
	return new(Builder).build(revision, rows, observed)
}

func (b *Builder) build(revision Revision, rows []Row, observed []domain.Observation) (*State, error) {
	for _, row := range rows {
		if err := b.Add(row); err != nil {
			return nil, err
		}
	}
	for _, o := range observed {
		b.Observe(o)
	}
	return b.State(revision)
}

// Editors returns the editors' layer: nav groups as they were written, all
// other lists ordered by the keys of their rows.
func (s *State) Editors() *domain.Catalog { return s.editors }

// Observed returns the winning observations, ordered by kind, key and figure.
// Their keys are folded.
func (s *State) Observed() []domain.Observation { return s.observed }

// Merged returns what is served: [domain.Merge] of the two layers. It is
// computed when it is asked for first.
func (s *State) Merged() *domain.Catalog { return s.merged() }

// Apply returns the state that changes lead to. It decodes the rows that
// changed and shares all others with s, which stays as it is. It is an error if
// the changes start from another revision, and as for [NewState].
func (s *State) Apply(changes *Changes) (*State, error) {
	if changes.Since != s.Revision.Number {
		return nil, fmt.Errorf("the changes start from revision %d, the state is of %d", changes.Since, s.Revision.Number)
	}
	b := Builder{base: s}
	return b.build(changes.Revision, changes.Rows, changes.Observed)
}

// Builder makes a state of rows and observations that come one by one. The
// zero value is ready; a Builder is for one goroutine and one state.
type Builder struct {
	base *State // what the rows change, nil for nothing

	decoder  recordjson.Decoder
	head     bool           // there was the row of the catalogue
	read     domain.Catalog // the records of rows, as they came
	edits    map[domain.Kind]edits
	observed []domain.Observation
}

// Add takes a row, of which nothing is kept. It is an error if the row cannot
// be read.
func (b *Builder) Add(row Row) error {
	if err := b.addRow(row); err != nil {
		return fmt.Errorf("decode %s %q: %w", row.Kind, row.Key, err)
	}
	return nil
}

func (b *Builder) addRow(row Row) error {
	d := domain.Describe(row.Kind)
	if d == nil {
		return fmt.Errorf("no record is of the kind %q", row.Kind)
	}
	if d.Kind == domain.KindCatalog && b.head {
		return fmt.Errorf("there is a second %s row", d.Kind)
	}
	e := edit{key: row.Key, position: row.Position, index: gone}
	if row.Body != nil || d.Kind == domain.KindCatalog { // which is never gone
		e.index = d.Size(&b.read)
		if err := b.record(d, row); err != nil {
			return err
		}
	}
	if d.Kind == domain.KindCatalog {
		b.head = true
		return nil
	}
	if b.edits == nil {
		b.edits = map[domain.Kind]edits{}
	}
	b.edits[d.Kind] = append(b.edits[d.Kind], e)
	return nil
}

// record decodes a body. If its record has another key than its row, the row is
// damaged even though the body can be read.
func (b *Builder) record(d *domain.Description, row Row) error {
	record := d.Grow(&b.read)
	for _, f := range d.Shape.Fields {
		if f.InFileName() {
			*f.Line(record) = row.Key
		}
	}
	if err := b.decoder.Decode(row.Body, d.Shape, record); err != nil {
		return err
	}
	if key := KeyOf(d, record); key != row.Key {
		return fmt.Errorf("it holds the record of %q", key)
	}
	return nil
}

// Record returns the record of a row, as a pointer. It is an error if the row has no
// body or cannot be read.
func Record(row Row) (any, error) {
	if row.Body == nil {
		return nil, fmt.Errorf("decode %s %q: it has no body", row.Kind, row.Key)
	}
	var b Builder
	if err := b.Add(row); err != nil {
		return nil, err
	}
	return domain.Describe(row.Kind).Record(&b.read, 0), nil
}

// Observe takes the winning observation of a figure.
func (b *Builder) Observe(o domain.Observation) {
	o.Key = FigureKey(o.Key)
	b.observed = append(b.observed, o)
}

// FigureKey returns the key under which figures of a record are kept: records
// are compared folded where they are observed (see [domain.Observation]).
func FigureKey(key string) string { return fold.Text(key) }

// State returns the state. Errors are those of [NewState].
func (b *Builder) State(revision Revision) (*State, error) {
	base := b.base
	if base == nil {
		base = &State{editors: &domain.Catalog{}}
	}
	editors, err := b.editors(base.editors)
	if err != nil {
		return nil, err
	}
	observed, err := b.winners(base.observed)
	if err != nil {
		return nil, err
	}
	return &State{
		Revision: revision,
		editors:  editors,
		observed: observed,
		merged:   sync.OnceValue(func() *domain.Catalog { return domain.Merge(editors, observed) }),
	}, nil
}

func (b *Builder) editors(base *domain.Catalog) (*domain.Catalog, error) {
	head := &b.read
	if !b.head {
		if b.base == nil {
			return nil, fmt.Errorf("there is no %s row", domain.KindCatalog)
		}
		head = base
	}
	editors := &domain.Catalog{}
	for _, d := range domain.Descriptions() {
		if d.Kind == domain.KindCatalog {
			d.Take(editors, head)
			continue
		}
		if err := b.edits[d.Kind].apply(d, editors, base, &b.read); err != nil {
			return nil, err
		}
	}
	return editors, nil
}

// winners returns base with the figures that were observed anew.
func (b *Builder) winners(base []domain.Observation) ([]domain.Observation, error) {
	if len(b.observed) == 0 {
		return base, nil
	}
	slices.SortFunc(b.observed, compareFigures)
	out := make([]domain.Observation, 0, len(base)+len(b.observed))
	for i, o := range b.observed {
		if i > 0 && compareFigures(b.observed[i-1], o) == 0 {
			return nil, fmt.Errorf("%s of %s %q has two winning observations", o.Figure, o.Kind, o.Key)
		}
		at, found := slices.BinarySearchFunc(base, o, compareFigures)
		out = append(append(out, base[:at]...), o)
		if found {
			at++
		}
		base = base[at:]
	}
	return append(out, base...), nil
}

func compareFigures(a, b domain.Observation) int {
	return cmp.Or(
		strings.Compare(string(a.Kind), string(b.Kind)),
		strings.Compare(a.Key, b.Key),
		strings.Compare(string(a.Figure), string(b.Figure)),
	)
}
