package publish_test

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// memory is a store that keeps every revision whole. before is called at the start of each Publish
// and can publish in between.
type memory struct {
	store.Store // for what publishing does not use
	states      []*store.State
	err         error // of every call
	before      func(m *memory)
	draft       store.Draft // of the last publish

	released []store.Release
}

func (m *memory) Head(context.Context) (store.Revision, error) {
	if m.err != nil {
		return store.Revision{}, m.err
	}
	return m.head().Revision, m.empty()
}

func (m *memory) Load(_ context.Context, number int64) (*store.State, error) {
	if m.err != nil {
		return nil, m.err
	}
	if number == 0 {
		return m.head(), m.empty()
	}
	i := slices.IndexFunc(m.states, func(s *store.State) bool { return s.Revision.Number == number })
	if i < 0 {
		return nil, store.ErrNoRevision
	}
	return m.states[i], nil
}

// Retracted compares each rollback with the previous revision, if that is kept.
func (m *memory) Retracted(_ context.Context, yield func(store.Retraction) error) error {
	var all []store.Retraction
	for i, s := range m.states {
		if s.Revision.Op != store.OpRollback || i == 0 {
			continue
		}
		before, after := rowsOf(m.states[i-1].Editors()), rowsOf(s.Editors())
		for id := range union(before, after) {
			r := store.Retraction{Rollback: s.Revision, Taken: before[id], Restored: after[id]}
			if string(r.Taken.Body) == string(r.Restored.Body) && r.Taken.Position == r.Restored.Position {
				continue
			}
			for _, row := range []*store.Row{&r.Taken, &r.Restored} {
				row.Kind, row.Key = id.kind, id.key
			}
			back := func(s *store.State) bool {
				row := rowsOf(s.Editors())[id]
				return string(row.Body) == string(r.Taken.Body)
			}
			if r.Taken.Position != r.Restored.Position || !slices.ContainsFunc(m.states[i+1:], back) {
				all = append(all, r)
			}
		}
	}
	slices.SortFunc(all, func(a, b store.Retraction) int {
		return cmp.Or(cmp.Compare(a.Rollback.Number, b.Rollback.Number), strings.Compare(string(a.Taken.Kind)+a.Taken.Key, string(b.Taken.Kind)+b.Taken.Key))
	})
	for _, r := range all {
		if err := yield(r); err != nil {
			return err
		}
	}
	return m.err
}

func (m *memory) Tombstones(context.Context) ([]store.Version, error) { return nil, m.err }

func (m *memory) Released(context.Context) ([]store.Release, error) { return m.released, m.err }

func (m *memory) History(_ context.Context, limit int) ([]store.Revision, error) {
	var all []store.Revision
	for _, s := range slices.Backward(m.states) {
		if len(all) < limit {
			all = append(all, s.Revision)
		}
	}
	return all, m.err
}

// Versions returns every version of a record, newest first.
func (m *memory) Versions(_ context.Context, kind domain.Kind, key string, _ int64) ([]store.Version, error) {
	var all []store.Version
	id := rowID{kind, key}
	var last store.Row
	for _, s := range m.states {
		row := rowsOf(s.Editors())[id]
		if string(row.Body) != string(last.Body) || (row.Body == nil) != (last.Body == nil) {
			row.Kind, row.Key = kind, key
			all = append(all, store.Version{Revision: s.Revision, Row: row})
		}
		last = row
	}
	slices.Reverse(all)
	return all, m.err
}

type rowID struct {
	kind domain.Kind
	key  string
}

func rowsOf(c *domain.Catalog) map[rowID]store.Row {
	rows := map[rowID]store.Row{}
	for row, err := range store.Rows(c, nil) {
		if err != nil {
			panic(err)
		}
		rows[rowID{row.Kind, row.Key}] = row
	}
	return rows
}

func union(a, b map[rowID]store.Row) map[rowID]store.Row {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

func (m *memory) Publish(_ context.Context, base int64, d store.Draft) (store.Revision, error) {
	if m.before != nil {
		m.before(m)
	}
	if m.err != nil {
		return store.Revision{}, m.err
	}
	if base != m.head().Revision.Number {
		return store.Revision{}, store.ErrConflict
	}
	m.draft = d
	m.released = append(m.released, d.Releases...)
	observed := []domain.Observation(nil)
	if base > 0 {
		observed = m.head().Observed()
	}
	m.add(d.Note.Revision(base), d.Catalog, observed...)
	return m.head().Revision, nil
}

func (m *memory) Observe(_ context.Context, base int64, observations []store.Observation, note store.Note) (store.Revision, error) {
	if m.err != nil {
		return store.Revision{}, m.err
	}
	if base != m.head().Revision.Number {
		return store.Revision{}, store.ErrConflict
	}
	observed := slices.Clone(m.head().Observed())
	for _, o := range observations {
		observed = append(observed, o.Observation)
	}
	m.add(note.Revision(base), m.head().Editors(), observed...)
	return m.head().Revision, nil
}

func (m *memory) head() *store.State {
	if len(m.states) == 0 {
		return &store.State{}
	}
	return m.states[len(m.states)-1]
}

func (m *memory) empty() error {
	if len(m.states) == 0 {
		return store.ErrEmpty
	}
	return nil
}

// add adds a revision without checks.
func (m *memory) add(r store.Revision, c *domain.Catalog, observed ...domain.Observation) {
	var rows []store.Row
	for row, err := range store.Rows(c, nil) {
		if err != nil {
			panic(err) // catalogues of tests can be encoded
		}
		rows = append(rows, row)
	}
	state, err := store.NewState(r, rows, observed)
	if err != nil {
		panic(err)
	}
	m.states = append(m.states, state)
}

var at = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// titled returns a valid catalogue with a title.
func titled(title string) *domain.Catalog {
	return &domain.Catalog{
		Title: domain.Text{{Locale: "en", Value: title}}, DefaultLocale: "en", Locales: []string{"en"},
	}
}

// directory returns a read directory with a digest and a title.
func directory(digest, title string, severities ...domain.Severity) *bundle.Directory {
	d := &bundle.Directory{Catalog: titled(title), Digest: digest, Found: domain.Count{}}
	for _, s := range severities {
		rule := domain.RuleDuplicate
		if s == domain.Warning {
			rule = domain.RuleHeldBack
		}
		d.Problems = append(d.Problems, bundle.Problem{File: "chains.yaml", Line: 1, Column: 1, Severity: s, Rule: rule})
		d.Found[rule]++
	}
	return d
}

func revision(number int64, op store.Op, digest string) store.Revision {
	return store.Revision{Number: number, PublishedAt: at, Op: op, Actor: "ann", Message: "from a test", Digest: digest}
}

var note = publishNote()

// holding returns a store whose head is revision 4, imported with a digest and a title.
func holding(digest, title string) memory {
	var m memory
	m.add(revision(4, store.OpImport, digest), titled(title))
	return m
}

// once returns a function that calls f only the first time.
func once(f func(*memory)) func(*memory) {
	done := false
	return func(m *memory) {
		if !done {
			done = true
			f(m)
		}
	}
}

func title(t *testing.T, s *store.State) string {
	t.Helper()
	text, ok := s.Merged().Title.In("en")
	if !ok {
		t.Fatal("the catalogue has no title")
	}
	return text
}

// failingHead is a memory whose Head fails.
type failingHead struct {
	*memory
	err error
}

func (f failingHead) Head(ctx context.Context) (store.Revision, error) {
	if f.err != nil {
		return store.Revision{}, f.err
	}
	return f.memory.Head(ctx)
}
