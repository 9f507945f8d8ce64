package sqlstore

import (
	"context"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// touchedRows selects the numbers of rows by revision, after $1 up to $2. $3 is the weight of a version.
const touchedRows = `SELECT revision, sum(n) FROM (
		SELECT revision, count(*) * $3 AS n FROM record WHERE revision > $1 AND revision <= $2 GROUP BY revision
		UNION ALL
		SELECT revision, count(*) AS n FROM observation WHERE revision > $1 AND revision <= $2 GROUP BY revision) w
	GROUP BY revision`

// touchedVersions selects the versions after revision $1 up to $2, and the newest earlier one of each of
// their records.
const touchedVersions = `SELECT ` + versionColumns + `
	FROM (
		SELECT kind, key, revision FROM record WHERE revision > $1 AND revision <= $2
		UNION ALL
		SELECT c.kind, c.key, (SELECT max(w.revision) FROM record w WHERE w.kind = c.kind AND w.key = c.key AND w.revision <= $1)
			FROM (SELECT DISTINCT kind, key FROM record WHERE revision > $1 AND revision <= $2) c) t
	JOIN record r ON r.kind = t.kind AND r.key = t.key AND r.revision = t.revision
	JOIN revision v ON v.number = r.revision
	ORDER BY r.kind, r.key, r.revision`

const touchedObservations = `SELECT ` + winnerColumns + `, ` + revisionColumns + `
	FROM observation o JOIN revision v ON v.number = o.revision
	WHERE o.revision > $1 AND o.revision <= $2 ORDER BY o.kind, o.key, o.revision, o.seq`

// Touched implements [store.Store].
func (s *Store) Touched(ctx context.Context, since, until int64, most int) (*store.Touched, error) {
	return read(ctx, s, "read the last changes", func(tx *Tx) (*store.Touched, error) {
		if _, err := revision(ctx, tx, until); err != nil {
			return nil, err
		}
		revisions, err := revisionsFrom(ctx, tx, since, until)
		if err != nil {
			return nil, err
		}
		base, err := baseWithin(ctx, tx, revisions, most)
		if err != nil {
			return nil, err
		}
		touched := &store.Touched{Revisions: revisions[base:]}
		since = revisions[base].Number
		if touched.Versions, err = versionsBetween(ctx, tx, since, until); err != nil {
			return nil, err
		}
		touched.Observed, touched.Before, err = observedBetween(ctx, tx, since, until)
		return touched, err
	})
}

// revisionsFrom returns the kept revisions from since to until, oldest first.
func revisionsFrom(ctx context.Context, tx *Tx, since, until int64) ([]store.Revision, error) {
	var scan revisionScan
	rows, err := tx.QueryContext(ctx, `SELECT `+revisionColumns+` FROM revision v
		WHERE v.pruned = 0 AND v.number >= $1 AND v.number <= $2 ORDER BY v.number`, min(since, until), until)
	return collect(rows, err, scan.into(), scan.value)
}

// baseWithin returns the index of the first revision after which at most most rows were written.
func baseWithin(ctx context.Context, tx *Tx, revisions []store.Revision, most int) (int, error) {
	last := len(revisions) - 1
	var number int64
	var n int
	written := map[int64]int{}
	rows, err := tx.QueryContext(ctx, touchedRows, revisions[0].Number, revisions[last].Number, store.VersionRows)
	err = each(rows, err, []any{&number, &n}, func() error {
		written[number] = n
		return nil
	})
	if err != nil {
		return 0, err
	}
	base := last
	for base > 0 {
		if most -= written[revisions[base].Number]; most < 0 {
			break
		}
		base--
	}
	return base, nil
}

func versionsBetween(ctx context.Context, tx *Tx, since, until int64) ([]store.Version, error) {
	rows, err := tx.QueryContext(ctx, touchedVersions, since, until)
	return collectVersions(rows, err)
}

func observedBetween(ctx context.Context, tx *Tx, since, until int64) ([]store.Observed, []domain.Observation, error) {
	rows, err := tx.QueryContext(ctx, touchedObservations, since, until)
	observed, err := collectObserved(rows, err)
	if err != nil {
		return nil, nil, err
	}
	before, err := winnersAt(ctx, tx, since, since)
	return observed, before, err
}
