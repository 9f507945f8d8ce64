package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"slices"

	"vitrine/internal/domain"
	"vitrine/internal/parallel"
	"vitrine/internal/store"
)

// currentRecords selects the versions of records at revision $1. It finds the newest ones by
// grouping: a subquery per version takes PostgreSQL quadratic time in the number of versions of a
// record.
const currentRecords = `SELECT r.kind, r.key, r.revision, r.position, r.body, r.origin, r.checksum
	FROM (SELECT kind, key, max(revision) AS newest FROM record WHERE revision <= $1 GROUP BY kind, key) n
	JOIN record r ON r.kind = n.kind AND r.key = n.key AND r.revision = n.newest
	WHERE r.body IS NOT NULL`

// currentRecord selects the version of the record of kind $1 with key $2 at revision $3.
const currentRecord = `SELECT r.kind, r.key, r.revision, r.position, r.body, r.origin, r.checksum
	FROM (SELECT * FROM record WHERE kind = $1 AND key = $2 AND revision <= $3 ORDER BY revision DESC LIMIT 1) r
	WHERE r.body IS NOT NULL`

// changedRecords selects the newest versions that were written after revision $1. They are few and
// found by revision, without reading the others.
const changedRecords = `SELECT r.kind, r.key, r.revision, r.position, r.body, r.origin, r.checksum FROM record r
	WHERE r.revision > $1 AND NOT EXISTS (
		SELECT 1 FROM record n WHERE n.kind = r.kind AND n.key = r.key AND n.revision > r.revision)`

type recordScan struct {
	row      store.Row
	revision int64
	sum      int64
}

func (r *recordScan) into() []any {
	row := &r.row
	return []any{&row.Kind, &row.Key, &r.revision, &row.Position, &row.Body, &row.Origin, &r.sum}
}

// damage returns an error if the record does not match its checksum.
func (r *recordScan) damage() error {
	if recordSum(r.row, r.revision) != r.sum {
		return fmt.Errorf("%w: %s %q of revision %d does not match its checksum",
			store.ErrCorrupt, r.row.Kind, r.row.Key, r.revision)
	}
	return nil
}

// eachRecord calls f with the records of a revision and their checksums, in no particular order. f
// owns its arguments.
func eachRecord(ctx context.Context, tx *Tx, number int64, f func(row store.Row, sum int64, damage error) error) error {
	var scan recordScan
	rows, err := tx.QueryContext(ctx, currentRecords, number)
	return each(rows, err, scan.into(), func() error { return f(scan.row, scan.sum, scan.damage()) })
}

// records yields the records of a revision in no particular order, and adds their checksums to
// sum. It ends with the first error, including damage.
func records(ctx context.Context, tx *Tx, number int64, sum *int64) iter.Seq2[store.Row, error] {
	return func(yield func(store.Row, error) bool) {
		errEnough := errors.New("enough")
		err := eachRecord(ctx, tx, number, func(row store.Row, own int64, damage error) error {
			if damage != nil {
				return damage
			}
			*sum += own
			if !yield(row, nil) {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			yield(store.Row{}, err)
		}
	}
}

// Load implements [store.Store].
func (s *Store) Load(ctx context.Context, number int64) (*store.State, error) {
	what := "load the head"
	if number != 0 {
		what = fmt.Sprintf("load revision %d", number)
	}
	return read(ctx, s, what, func(tx *Tx) (*store.State, error) {
		rev, err := revision(ctx, tx, number)
		if err != nil {
			return nil, err
		}
		return load(ctx, tx, rev)
	})
}

func load(ctx context.Context, tx *Tx, rev store.Revision) (*store.State, error) {
	var b store.Builder
	sum := emptyContent
	for row, err := range parallel.Ahead(records(ctx, tx, rev.Number, &sum)) {
		if err == nil {
			err = foreign(b.Add(row))
		}
		if err != nil {
			return nil, err
		}
	}
	if err := checkContent(ctx, tx, rev.Number, sum); err != nil {
		return nil, err
	}
	winners, err := winnersAt(ctx, tx, rev.Number, 0)
	if err != nil {
		return nil, err
	}
	for _, o := range winners {
		b.Observe(o)
	}
	state, err := b.State(rev)
	return state, corrupt(err)
}

// checkContent returns an error unless the records are those that the revision was written with.
func checkContent(ctx context.Context, tx *Tx, number, sum int64) error {
	var written int64
	if err := tx.QueryRowContext(ctx, `SELECT content FROM revision WHERE number = $1`, number).Scan(&written); err != nil {
		return err
	}
	if written != sum {
		return fmt.Errorf("%w: revision %d lacks records that it was written with", store.ErrCorrupt, number)
	}
	return nil
}

// corrupt returns the error for intact rows that do not form a state: some are missing.
func corrupt(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", store.ErrCorrupt, err)
}

// foreign returns the error for an intact row that this version cannot decode. It is not damage,
// for which a store would be put aside: a newer version may have written it.
func foreign(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("this version of Vitrine cannot read it: %w", err)
}

// Changes implements [store.Store].
func (s *Store) Changes(ctx context.Context, since int64) (*store.Changes, error) {
	return read(ctx, s, fmt.Sprintf("read what changed since revision %d", since), func(tx *Tx) (*store.Changes, error) {
		return changesSince(ctx, tx, since)
	})
}

func changesSince(ctx context.Context, tx *Tx, since int64) (*store.Changes, error) {
	if since == 0 {
		return nil, fmt.Errorf("revision 0: %w", store.ErrNoRevision)
	}
	if _, err := revision(ctx, tx, since); err != nil {
		return nil, err
	}
	head, err := head(ctx, tx)
	if err != nil {
		return nil, err
	}
	changes := &store.Changes{Since: since, Revision: head}
	var scan recordScan
	rows, err := tx.QueryContext(ctx, changedRecords, since)
	changes.Rows, err = collect(rows, err, scan.into(), func() (store.Row, error) { return scan.row, scan.damage() })
	if err != nil {
		return nil, err
	}
	changes.Observed, err = changedWinners(ctx, tx, since, head.Number)
	return changes, err
}

// changedWinners returns the winning observations of a revision that differ from those of an
// earlier one.
func changedWinners(ctx context.Context, tx *Tx, since, until int64) ([]domain.Observation, error) {
	before, err := winnersAt(ctx, tx, since, since)
	if err != nil || until == since {
		return nil, err
	}
	after, err := winnersAt(ctx, tx, until, since)
	if err != nil {
		return nil, err
	}
	old := make(map[domain.Observation]bool, len(before))
	for _, o := range before {
		old[o] = true
	}
	return slices.DeleteFunc(after, func(o domain.Observation) bool { return old[o] }), nil
}

// Versions implements [store.Store].
func (s *Store) Versions(ctx context.Context, kind domain.Kind, key string, until int64) ([]store.Version, error) {
	return read(ctx, s, "read versions", func(tx *Tx) ([]store.Version, error) {
		rows, err := tx.QueryContext(ctx, `SELECT `+versionColumns+`
			FROM record r JOIN revision v ON v.number = r.revision
			WHERE r.kind = $1 AND r.key = $2 AND (r.revision <= $3 OR $3 = 0) ORDER BY r.revision DESC`,
			string(kind), store.RecordKey(kind, key), until)
		return collectVersions(rows, err)
	})
}

// versionColumns are the columns of collectVersions.
const versionColumns = `r.kind, r.key, r.revision, r.position, r.body, r.origin, r.checksum, ` + revisionColumns

func collectVersions(rows *sql.Rows, err error) ([]store.Version, error) {
	var record recordScan
	var rev revisionScan
	return collect(rows, err, slices.Concat(record.into(), rev.into()), func() (store.Version, error) {
		revision, err := rev.value()
		if err == nil {
			err = record.damage()
		}
		return store.Version{Revision: revision, Row: record.row}, err
	})
}
