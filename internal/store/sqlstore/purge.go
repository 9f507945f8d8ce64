package sqlstore

import (
	"context"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

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
		note.Op, note.Digest = store.OpPurge, head.Digest
		if purged.Revision, err = follow(ctx, tx, base, note); err != nil {
			return err
		}
		if err := copyContent(ctx, tx, base, purged.Revision.Number); err != nil {
			return err
		}
		for _, row := range rows {
			if err := deleteRecord(ctx, tx, row, &purged); err != nil {
				return err
			}
		}
		if purged.Versions == 0 && purged.Observations == 0 {
			return store.ErrNoRecord
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

// withoutRecord removes the checksum of the record of kind $1 with key $2 from the contents of the
// revisions that have it.
const withoutRecord = `UPDATE revision SET content = content - (
		SELECT r.checksum FROM record r WHERE r.kind = $1 AND r.key = $2 AND r.revision <= revision.number
		ORDER BY r.revision DESC LIMIT 1)
	WHERE (SELECT r.body FROM record r WHERE r.kind = $1 AND r.key = $2 AND r.revision <= revision.number
		ORDER BY r.revision DESC LIMIT 1) IS NOT NULL`

// deleteRecord deletes the versions and observations of a record, and counts them.
func deleteRecord(ctx context.Context, tx *Tx, row store.Row, purged *store.Purged) error {
	if _, err := tx.ExecContext(ctx, withoutRecord, string(row.Kind), row.Key); err != nil {
		return err
	}
	var tombstones int64
	for _, step := range []struct {
		count          *int64
		statement, key string
	}{
		{&purged.Versions, `DELETE FROM record WHERE kind = $1 AND key = $2 AND body IS NOT NULL`, row.Key},
		{&tombstones, `DELETE FROM record WHERE kind = $1 AND key = $2`, row.Key},
		{&purged.Observations, `DELETE FROM observation WHERE kind = $1 AND key = $2`, store.FigureKey(row.Key)},
	} {
		result, err := tx.ExecContext(ctx, step.statement, string(row.Kind), step.key)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		if err != nil {
			return err
		}
		*step.count += n
	}
	return nil
}

// copyContent copies the content of a revision to another.
func copyContent(ctx context.Context, tx *Tx, from, to int64) error {
	_, err := tx.ExecContext(ctx, `UPDATE revision SET content = (SELECT b.content FROM revision b WHERE b.number = $1) WHERE number = $2`, from, to)
	return err
}
