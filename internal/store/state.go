package store

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"vitrine/internal/domain"
	"vitrine/internal/fold"
)

// Changes are the differences between the states of two revisions.
type Changes struct {
	Since    int64    // the revision before the changes
	Revision Revision // the revision with the changes

	// Rows are the newest versions of the rows written in between, one per record, in any order; a
	// nil Body is a tombstone. A record may have been changed back.
	Rows []Row

	// Observed are the new winning observations (see [State]), one per figure, in any order.
	Observed []domain.Observation
}

// State is both layers at a revision. It is immutable and safe for concurrent use. Its results are
// shared and read only.
//
// Of all observations of a figure up to the revision, the one with the newest date wins, and of
// the same date the later one. A state has only the winning ones.
type State struct {
	Revision Revision

	editors  *domain.Catalog
	observed []domain.Observation
	merged   func() *domain.Catalog
}

// NewState returns the state of rows and winning observations, which may be in any order and are
// not kept. It returns an error for damage: a row that cannot be decoded, has an unknown kind or
// occurs twice, a missing row of the catalogue itself, or positions of nav groups that are not
// consecutive from 0.
func NewState(revision Revision, rows []Row, observed []domain.Observation) (*State, error) {
	return new(Builder).build(revision, rows, observed)
}

// StateOf returns the state of a revision that published a checked catalogue into an empty store, as
// Load returns it. The catalogue must not be modified afterwards.
func StateOf(revision Revision, c *domain.Catalog) *State {
	editors := &domain.Catalog{}
	for _, d := range domain.Descriptions() {
		takeInRowOrder(d, editors, c)
	}
	return &State{Revision: revision, editors: editors, merged: sync.OnceValue(func() *domain.Catalog { return domain.Merge(editors, nil) })}
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

// Editors returns the editors' layer: nav groups in their order, other lists ordered by row key.
func (s *State) Editors() *domain.Catalog { return s.editors }

// Observed returns the winning observations, ordered by kind, key and figure.
// Their keys are folded.
func (s *State) Observed() []domain.Observation { return s.observed }

// ObservedOf returns the winning observations of the record with a row key, ordered by figure; nil
// for none.
func (s *State) ObservedOf(kind domain.Kind, key string) []domain.Observation {
	of := domain.Observation{Kind: kind, Key: FigureKey(key)}
	first, _ := slices.BinarySearchFunc(s.observed, of, compareFigures)
	last := first
	for last < len(s.observed) && s.observed[last].Kind == kind && s.observed[last].Key == of.Key {
		last++
	}
	return s.observed[first:last:last]
}

// Written returns the editors' record whose figures have a key (see [FigureKey]), and the key of its
// row; nil for none.
func (s *State) Written(kind domain.Kind, figureKey string) (record any, key string) {
	d := domain.Describe(kind)
	n := d.Size(s.editors)
	at := func(i int) string { return KeyOf(d, d.Record(s.editors, i)) }
	if i := sort.Search(n, func(i int) bool { return at(i) >= figureKey }); i < n && at(i) == figureKey {
		return d.Record(s.editors, i), figureKey
	}
	for i := range n { // the row keys of channels are not folded
		if key := at(i); FigureKey(key) == figureKey {
			return d.Record(s.editors, i), key
		}
	}
	return nil, ""
}

// Merged returns the served catalogue: [domain.Merge] of both layers. It is computed on first use.
func (s *State) Merged() *domain.Catalog { return s.merged() }

// Apply returns the state with changes. It decodes the changed rows and shares the others with s,
// which stays unchanged, also in the merged catalogue. It returns an error if the changes start from another revision, and those
// of [NewState].
func (s *State) Apply(changes *Changes) (*State, error) {
	if changes.Since != s.Revision.Number {
		return nil, fmt.Errorf("the changes start from revision %d, the state is of %d", changes.Since, s.Revision.Number)
	}
	b := Builder{base: s}
	return b.build(changes.Revision, changes.Rows, changes.Observed)
}

// Builder makes a state from rows and observations that are added one by one. The zero value is
// ready. A Builder is for one goroutine and one state.
type Builder struct {
	base *State // the state before the rows, nil for none

	decoder  domain.Decoder
	head     bool           // whether the row of the catalogue was added
	read     domain.Catalog // the decoded records in order
	edits    map[domain.Kind]edits
	observed []domain.Observation
}

// Add adds a row, which it does not keep. It returns an error if the row cannot be decoded.
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
	if row.Body != nil || d.Kind == domain.KindCatalog { // which has no tombstone
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

// record decodes a body. A record with another key than its row is damaged.
func (b *Builder) record(d *domain.Description, row Row) error {
	record := d.Grow(&b.read)
	for _, f := range d.Shape.Fields {
		if f.InFileName {
			*f.Line(record) = row.Key
		}
	}
	if err := b.decoder.Decode(row.Body, d.Shape, record); err != nil {
		return err
	}
	if key := KeyOf(d, record); key != row.Key {
		return fmt.Errorf("it has the record of %q", key)
	}
	return nil
}

// Observe adds the winning observation of a figure.
func (b *Builder) Observe(o domain.Observation) {
	o.Key = FigureKey(o.Key)
	b.observed = append(b.observed, o)
}

// FigureKey returns the key of a record's figures, which is folded (see [domain.Observation]).
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
	return &State{Revision: revision, editors: editors, observed: observed, merged: b.merged(editors, observed)}, nil
}

// merged returns the function that merges both layers: from those of the base, if any.
func (b *Builder) merged(editors *domain.Catalog, observed []domain.Observation) func() *domain.Catalog {
	if b.base == nil {
		return sync.OnceValue(func() *domain.Catalog { return domain.Merge(editors, observed) })
	}
	merged, before, changed := b.base.Merged(), b.base.editors, b.observed // so that the result does not retain the base
	return sync.OnceValue(func() *domain.Catalog { return domain.MergeSince(merged, before, editors, observed, changed) })
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

// winners returns base with the new observations.
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
