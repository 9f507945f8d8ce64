package sqlstore

import (
	"context"
	"errors"
	"fmt"

	"vitrine/internal/store"
)

// Prune implements [store.Store]. Versions and Observations of pruned revisions keep their actor
// and time.
func (s *Store) Prune(ctx context.Context, before int64) (store.Pruned, error) {
	var pruned store.Pruned
	err := s.write(ctx, "prune", func(tx *Tx) error {
		head, err := head(ctx, tx)
		if errors.Is(err, store.ErrEmpty) {
			return nil
		}
		if err != nil {
			return err
		}
		// The remaining rows must be readable: the pruned ones may be needed for a repair.
		oldest := min(before, head.Number)
		for _, number := range []int64{oldest, head.Number} {
			rev, err := revision(ctx, tx, number)
			if errors.Is(err, store.ErrNoRevision) {
				continue // pruned before
			}
			if err != nil {
				return err
			}
			if _, err := load(ctx, tx, rev); err != nil {
				return fmt.Errorf("revision %d is to be kept but cannot be read: %w", number, err)
			}
		}
		pruned, err = prune(ctx, tx, oldest)
		return err
	})
	if err != nil {
		return store.Pruned{}, err
	}
	return pruned, nil
}

func prune(ctx context.Context, tx *Tx, before int64) (store.Pruned, error) {
	var p store.Pruned
	var tombstones, rows int64
	for _, step := range []struct {
		count     *int64
		statement string
	}{
		{&p.Revisions, `UPDATE revision SET pruned = 1 WHERE number < $1 AND pruned = 0`},
		// Versions that were replaced before…
		{&p.Versions, `DELETE FROM record WHERE revision < $1 AND EXISTS (
			SELECT 1 FROM record n WHERE n.kind = record.kind AND n.key = record.key
				AND n.revision > record.revision AND n.revision <= $1)
			AND (kind, key, revision) NOT IN ` + neededByRollbacks},
		// …then tombstones without an earlier version, unless a rollback or a purge needs them.
		{&tombstones, `DELETE FROM record WHERE revision < $1 AND body IS NULL
			AND (kind, key, revision) NOT IN ` + neededByRollbacks + `
			AND revision NOT IN (SELECT number FROM revision WHERE op = 'purge') AND NOT EXISTS (
			SELECT 1 FROM record o WHERE o.kind = record.kind AND o.key = record.key AND o.revision < record.revision)`},
		// A lost observation never wins again.
		{&p.Observations, `DELETE FROM observation WHERE revision < $1 AND EXISTS (
			SELECT 1 FROM observation n WHERE n.kind = observation.kind AND n.key = observation.key
				AND n.figure = observation.figure AND n.revision <= $1
				AND (n.as_of, n.revision, n.seq) > (observation.as_of, observation.revision, observation.seq))`},
		{&rows, `DELETE FROM revision WHERE number < $1
			AND NOT EXISTS (SELECT 1 FROM record r WHERE r.revision = revision.number)
			AND NOT EXISTS (SELECT 1 FROM observation o WHERE o.revision = revision.number)`},
	} {
		result, err := tx.ExecContext(ctx, step.statement, before)
		if err != nil {
			return store.Pruned{}, err
		}
		if *step.count, err = result.RowsAffected(); err != nil {
			return store.Pruned{}, err
		}
	}
	p.Versions += tombstones
	return p, nil
}
