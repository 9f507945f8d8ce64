package history

import (
	"context"
	"fmt"
	"slices"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// Entry is the change of a record by a revision, as readers see it: with observed figures. A
// record that was added or removed has no fields.
type Entry struct {
	Since
	domain.Change
	Purged bool // removed from all revisions, so nothing before is known
}

// Log returns the changes of a record up to a revision, newest first; nil if no kept revision has
// it. If the record names a former key, its changes under that key follow. Key is the one at the
// revision.
func Log(ctx context.Context, s store.Store, kind domain.Kind, key string, until int64) ([]Entry, error) {
	oldest, err := oldest(ctx, s)
	if err != nil {
		return nil, err
	}
	l := recordLog{store: s, kind: domain.Describe(kind), oldest: oldest}
	for ok := true; ok; {
		moments, err := l.moments(ctx, key, until)
		if err != nil {
			return nil, err
		}
		if key, until, ok, err = l.add(ctx, moments); err != nil {
			return nil, err
		}
	}
	return l.entries, nil
}

// recordLog is a log in the making.
type recordLog struct {
	store   store.Store
	kind    *domain.Description
	oldest  int64 // number of the oldest kept revision
	entries []Entry
}

// moment is what readers see of a record from a revision on.
type moment struct {
	Since
	key      string // of the row
	record   any    // nil if there is none
	position int
	purged   bool
}

// add adds the changes from each moment to the next, newest first. If the record had another key
// before one of them, add ends there, and returns that key and the last revision with it.
func (l *recordLog) add(ctx context.Context, moments []moment) (was string, until int64, renamed bool, err error) {
	for i, m := range slices.Backward(moments) {
		var before moment
		if i > 0 {
			before = moments[i-1]
		}
		change, differs := l.change(before, m)
		if change.Op == domain.Added && (i > 0 || len(l.kind.FormerKeys(m.record)) > 0) {
			if change, err = l.followed(ctx, m.Revision.Number, change); err != nil {
				return "", 0, false, err
			}
		}
		if differs {
			l.entries = append(l.entries, Entry{m.Since, change, m.purged})
		}
		if before.record == nil && change.Was != "" {
			return change.Was, m.Revision.Number - 1, true, nil
		}
	}
	return "", 0, false, nil
}

// change compares two moments. differs is false if they read the same.
func (l *recordLog) change(before, after moment) (c domain.Change, differs bool) {
	c = domain.Change{Kind: l.kind.Kind, Key: after.key}
	switch {
	case after.purged:
		c.Op = domain.Removed
		return c, true
	case before.record == nil && after.record == nil:
		return c, false
	case before.record == nil:
		c.Op, c.Key = domain.Added, l.kind.Key(after.record)
		return c, true
	case after.record == nil:
		c.Op, c.Key = domain.Removed, l.kind.Key(before.record)
		return c, true
	}
	c.Op, c.Key, c.Fields = domain.Changed, l.kind.Key(after.record), l.kind.FieldChanges(before.record, after.record)
	if was := l.kind.Key(before.record); was != c.Key {
		c.Was = was
	}
	if before.position != after.position {
		c.Fields = append(c.Fields, domain.FieldChange{Old: place(before.position), New: place(after.position), Moved: true})
	}
	return c, len(c.Fields) > 0 || c.Was != ""
}

func place(position int) string { return fmt.Sprintf("place %d", position+1) }

// followed returns the change by which a revision renamed a record that it added under its key, or
// added if there is none.
func (l *recordLog) followed(ctx context.Context, revision int64, added domain.Change) (domain.Change, error) {
	if revision <= l.oldest {
		return added, nil
	}
	old, err := l.load(ctx, revision-1)
	if err != nil {
		return added, err
	}
	new, err := l.load(ctx, revision)
	if err != nil {
		return added, err
	}
	for _, c := range domain.Diff(old, new) {
		if c.Key == added.Key && c.Was != "" {
			return c, nil
		}
	}
	return added, nil
}

// load returns the records of the kind at a revision.
func (l *recordLog) load(ctx context.Context, revision int64) (*domain.Catalog, error) {
	state, err := l.store.Load(ctx, revision)
	if err != nil {
		return nil, err
	}
	only := &domain.Catalog{}
	l.kind.Take(only, state.Merged())
	return only, nil
}

// moments returns what readers saw of a record after each revision that wrote or observed it,
// oldest first.
func (l *recordLog) moments(ctx context.Context, key string, until int64) ([]moment, error) {
	versions, err := l.store.Versions(ctx, l.kind.Kind, key, until) // the newest first
	if err != nil {
		return nil, err
	}
	observed, err := l.store.Observations(ctx, l.kind.Kind, key, until) // the newest first
	if err != nil {
		return nil, err
	}
	var moments []moment
	var written any // nil for none
	var now moment
	newest := map[domain.FigureName]domain.Observation{}
	v, o := len(versions)-1, len(observed)-1
	for v >= 0 || o >= 0 {
		if o < 0 || v >= 0 && versions[v].Revision.Number <= observed[o].Revision.Number {
			row := versions[v].Row
			if written, err = row.Record(); err != nil {
				return nil, err
			}
			now = moment{Since: sinceOf(versions[v:], l.oldest), key: row.Key, position: row.Position}
			now.purged = row.Body == nil && now.Revision.Op == store.OpPurge
			v--
		} else {
			now.Since, now.purged = Since{Revision: observed[o].Revision}, false
		}
		for ; o >= 0 && observed[o].Revision.Number == now.Revision.Number; o-- {
			found := observed[o].Observation.Observation
			if found.AsOf >= newest[found.Figure].AsOf { // as in [store.State]
				newest[found.Figure] = found
			}
		}
		now.record = l.served(written, newest)
		moments = append(moments, now)
	}
	return moments, nil
}

// served returns a record with the figures that readers see, nil for nil.
func (l *recordLog) served(record any, newest map[domain.FigureName]domain.Observation) any {
	if record == nil || len(newest) == 0 {
		return record
	}
	editors := &domain.Catalog{}
	l.kind.Fill(editors, 1, func(int) any { return record })
	var observed []domain.Observation // of different figures, so their order does not matter
	for _, o := range newest {
		observed = append(observed, o)
	}
	return l.kind.Record(domain.Merge(editors, observed), 0)
}
