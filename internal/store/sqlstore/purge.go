package sqlstore

import (
	"context"
	"slices"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// purgedVersion is a version of a record to purge.
type purgedVersion struct {
	revision, sum int64
	tombstone     bool
}

// Purge implements [store.Store].
func (s *Store) Purge(ctx context.Context, base int64, kind domain.Kind, keys []string, note store.Note) (store.Purged, error) {
	var purged store.Purged
	rows := make([]store.Row, len(keys))
	for i, key := range keys {
		rows[i] = store.Row{Kind: kind, Key: store.RecordKey(kind, key)}
	}
	err := s.write(ctx, "purge", func(tx *Tx) error {
		purged = store.Purged{}
		head, err := headAt(ctx, tx, base)
		if err != nil {
			return err
		}
		if base == 0 {
			return store.ErrEmpty
		}
		deleted := make([][]purgedVersion, len(rows))
		for i, row := range rows {
			if deleted[i], err = deleteRecord(ctx, tx, row, &purged); err != nil {
				return err
			}
		}
		if purged.Versions == 0 && purged.Observations == 0 {
			return store.ErrNoRecord
		}
		note.Op, note.Digest = store.OpPurge, head.Digest
		if purged.Revision, err = follow(ctx, tx, base, note); err != nil {
			return err
		}
		if err := copyContent(ctx, tx, base, purged.Revision.Number); err != nil {
			return err
		}
		for _, versions := range deleted {
			if err := subtract(ctx, tx, versions, purged.Revision.Number); err != nil {
				return err
			}
		}
		return s.dialect.Append(ctx, tx, "record", recordColumns, func(yield func([]any, error) bool) {
			for _, row := range rows {
				if !yield(recordValues(row, purged.Revision.Number), nil) {
					return
				}
			}
		})
	})
	if err != nil {
		return store.Purged{}, err
	}
	return purged, nil
}

// Tombstones implements [store.Store]. It starts with the few purges, as [Store.Retracted] does with
// rollbacks.
func (s *Store) Tombstones(ctx context.Context) ([]store.Version, error) {
	return read(ctx, s, "read the tombstones of purges", func(tx *Tx) ([]store.Version, error) {
		rows, err := tx.QueryContext(ctx, `SELECT `+versionColumns+` FROM revision v CROSS JOIN record r
			WHERE v.op = 'purge' AND r.revision = v.number AND r.body IS NULL AND NOT EXISTS (
				SELECT 1 FROM record n WHERE n.kind = r.kind AND n.key = r.key AND n.revision > r.revision)
			ORDER BY v.number, r.kind, r.key`)
		return collectVersions(rows, err)
	})
}

// versionsOf returns the versions of a record, oldest first.
func versionsOf(ctx context.Context, tx *Tx, row store.Row) ([]purgedVersion, error) {
	var v purgedVersion
	var tombstone int
	rows, err := tx.QueryContext(ctx, `SELECT revision, checksum, CASE WHEN body IS NULL THEN 1 ELSE 0 END FROM record
		WHERE kind = $1 AND key = $2 ORDER BY revision`, string(row.Kind), row.Key)
	return collect(rows, err, []any{&v.revision, &v.sum, &tombstone}, func() (purgedVersion, error) {
		v.tombstone = tombstone == 1
		return v, nil
	})
}

// deleteRecord deletes the versions and observations of a record, and counts them. It returns the
// versions.
func deleteRecord(ctx context.Context, tx *Tx, row store.Row, purged *store.Purged) ([]purgedVersion, error) {
	versions, err := versionsOf(ctx, tx, row)
	if err != nil {
		return nil, err
	}
	for _, v := range versions {
		if !v.tombstone {
			purged.Versions++
		}
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM record WHERE kind = $1 AND key = $2`, string(row.Kind), row.Key); err != nil {
		return nil, err
	}
	result, err := tx.ExecContext(ctx, `DELETE FROM observation WHERE kind = $1 AND key = $2`, string(row.Kind), store.FigureKey(row.Key))
	if err != nil {
		return nil, err
	}
	n, err := result.RowsAffected()
	purged.Observations += n
	return versions, err
}

// copyContent copies the content of a revision to another.
func copyContent(ctx context.Context, tx *Tx, from, to int64) error {
	_, err := tx.ExecContext(ctx, `UPDATE revision SET content = (SELECT b.content FROM revision b WHERE b.number = $1) WHERE number = $2`, from, to)
	return err
}

// subtract removes the checksums of deleted versions from the contents of the revisions that had
// them, up to a revision.
func subtract(ctx context.Context, tx *Tx, versions []purgedVersion, last int64) error {
	if len(versions) == 0 {
		return nil
	}
	type content struct{ number, sum int64 }
	var c content
	rows, err := tx.QueryContext(ctx, `SELECT number, content FROM revision WHERE number >= $1 AND number <= $2`, versions[0].revision, last)
	contents, err := collect(rows, err, []any{&c.number, &c.sum}, func() (content, error) { return c, nil })
	if err != nil {
		return err
	}
	for _, c := range contents {
		i, exact := slices.BinarySearchFunc(versions, c.number, func(v purgedVersion, number int64) int { return int(v.revision - number) })
		if !exact {
			i-- // the version before
		}
		if versions[i].tombstone {
			continue
		}
		if _, err := tx.ExecContext(ctx, `UPDATE revision SET content = $1 WHERE number = $2`, c.sum-versions[i].sum, c.number); err != nil {
			return err
		}
	}
	return nil
}
