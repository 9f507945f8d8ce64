package sqlstore

import (
	"context"
	"encoding/hex"
	"fmt"

	"vitrine/internal/store"
)

// retractions selects, for each record that a rollback changed, the version r that the rollback v
// wrote and the version t that it replaced, unless the record was published as in t since. A
// record whose position also changed stays, because its order depends on other records.
//
// SQLite keeps the order of a CROSS JOIN (https://www.sqlite.org/optoverview.html), so it starts
// with the few rollbacks instead of scanning all records.
const retractions = ` FROM revision v CROSS JOIN record r CROSS JOIN record t
	WHERE v.op = 'rollback' AND r.revision = v.number
		AND t.kind = r.kind AND t.key = r.key AND t.revision = (
			SELECT max(p.revision) FROM record p WHERE p.kind = r.kind AND p.key = r.key AND p.revision < r.revision)
		AND (t.position <> r.position OR NOT EXISTS (SELECT 1 FROM record l
			WHERE l.kind = r.kind AND l.key = r.key AND l.revision > r.revision AND l.body IS NOT DISTINCT FROM t.body))`

// neededByRollbacks are the versions that a prune must keep.
const neededByRollbacks = `(
	SELECT r.kind, r.key, r.revision` + retractions + ` UNION ALL
	SELECT t.kind, t.key, t.revision` + retractions + `)`

// Retracted implements [store.Store].
func (s *Store) Retracted(ctx context.Context, yield func(store.Retraction) error) error {
	_, err := read(ctx, s, "read the records that rollbacks changed", func(tx *Tx) (struct{}, error) {
		var taken, restored recordScan
		var rev revisionScan
		rows, err := tx.QueryContext(ctx, `SELECT t.kind, t.key, t.revision, t.position, t.body, t.origin, t.checksum,
			r.kind, r.key, r.revision, r.position, r.body, r.origin, r.checksum, `+revisionColumns+
			retractions+` ORDER BY r.revision, r.kind, r.key`)
		err = each(rows, err, append(append(taken.into(), restored.into()...), rev.into()...), func() error {
			rollback, err := rev.value()
			if err != nil {
				return err
			}
			if taken.damage() != nil || restored.damage() != nil {
				return nil // the removed version is lost; Check reports the damage
			}
			return yield(store.Retraction{Rollback: rollback, Taken: taken.row, Restored: restored.row})
		})
		return struct{}{}, err
	})
	return err
}

// Released implements [store.Store].
func (s *Store) Released(ctx context.Context) ([]store.Release, error) {
	return read(ctx, s, "read the releases of rollbacks", func(tx *Tx) ([]store.Release, error) { return released(ctx, tx) })
}

func released(ctx context.Context, tx *Tx) ([]store.Release, error) {
	var scan releaseScan
	rows, err := tx.QueryContext(ctx, `SELECT rollback, value, checksum FROM released`)
	return collect(rows, err, scan.into(), scan.value)
}

type releaseScan struct {
	release store.Release
	hex     string
	sum     int64
}

func (s *releaseScan) into() []any { return []any{&s.release.Rollback, &s.hex, &s.sum} }

func (s *releaseScan) value() (store.Release, error) {
	release := s.release
	n, err := hex.Decode(release.Value[:], []byte(s.hex))
	if err != nil || n != len(release.Value) || releaseSum(release) != s.sum {
		return store.Release{}, fmt.Errorf("%w: a release of the rollback %d does not match its checksum", store.ErrCorrupt, release.Rollback)
	}
	return release, nil
}

func releaseSum(r store.Release) int64 {
	return newChecksum().number(r.Rollback).bytes(r.Value[:]).value()
}

// release stores new releases, each once.
func release(ctx context.Context, s *Store, tx *Tx, releases []store.Release) error {
	if len(releases) == 0 {
		return nil
	}
	kept, err := released(ctx, tx)
	if err != nil {
		return err
	}
	known := make(map[store.Release]bool, len(kept))
	for _, r := range kept {
		known[r] = true
	}
	err = s.dialect.Append(ctx, tx, "released", []string{"rollback", "value", "checksum"}, func(yield func([]any, error) bool) {
		for _, r := range releases {
			if known[r] {
				continue
			}
			known[r] = true
			if !yield([]any{r.Rollback, hex.EncodeToString(r.Value[:]), releaseSum(r)}, nil) {
				return
			}
		}
	})
	if err != nil {
		return fmt.Errorf("store releases of rollbacks: %w", err)
	}
	return nil
}

// checkReleases checks the releases against their checksums.
func checkReleases(ctx context.Context, tx *Tx) error {
	_, err := released(ctx, tx)
	return err
}
