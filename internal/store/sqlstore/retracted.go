package sqlstore

import (
	"context"

	"vitrine/internal/store"
)

// retractions selects, of each record that a rollback changed, the version r
// that the rollback v wrote and the version t that it replaced, unless that has
// been published again since. Of a rollback whose t was pruned by a program that
// did not keep it, nothing is known.
//
// SQLite keeps the order of a CROSS JOIN (https://www.sqlite.org/optoverview.html),
// and so begins with the rollbacks, which are few, and does not look at all records.
const retractions = ` FROM revision v CROSS JOIN record r CROSS JOIN record t
	WHERE v.op = 'rollback' AND r.revision = v.number
		AND t.kind = r.kind AND t.key = r.key AND t.revision = (
			SELECT max(p.revision) FROM record p WHERE p.kind = r.kind AND p.key = r.key AND p.revision < r.revision)
		AND NOT EXISTS (SELECT 1 FROM record l
			WHERE l.kind = r.kind AND l.key = r.key AND l.revision > r.revision AND l.body IS NOT DISTINCT FROM t.body
				AND (l.position = t.position OR t.body IS DISTINCT FROM r.body))`

// neededByRollbacks are the versions that a prune has to spare.
const neededByRollbacks = `(
	SELECT r.kind, r.key, r.revision` + retractions + ` UNION ALL
	SELECT t.kind, t.key, t.revision` + retractions + `)`

// Retracted returns what rollbacks took away (see [store.Store]).
func (s *Store) Retracted(ctx context.Context) ([]store.Retraction, error) {
	return read(ctx, s, "read what rollbacks took away", func(tx *Tx) (all []store.Retraction, err error) {
		var record recordScan
		var rev revisionScan
		var moved bool
		rows, err := tx.QueryContext(ctx, `SELECT t.kind, t.key, t.revision, t.position, t.body, t.origin, t.checksum, `+revisionColumns+`,
			t.body IS NOT DISTINCT FROM r.body`+retractions+` ORDER BY r.revision, r.kind, r.key`)
		err = each(rows, err, append(append(record.into(), rev.into()...), &moved), func() error {
			rollback, err := rev.value()
			if err != nil {
				return err
			}
			if record.damage() != nil {
				return nil // nothing can read as it did; Check tells of the damage
			}
			all = append(all, store.Retraction{Rollback: rollback, Row: record.row, Moved: moved})
			return nil
		})
		return all, err
	})
}
