package sqlstore

import (
	"context"
	"fmt"

	"vitrine/internal/store"
)

// Check returns [store.ErrCorrupt] if the database is damaged, or the error that prevented the
// check. It reads everything: the engine's own check, the checksum of each row, the sequence of
// kept revisions, the revision of each row, and the head.
func (s *Store) Check(ctx context.Context) error {
	if err := s.dialect.Usable(); err != nil {
		return s.explained("check", err)
	}
	if err := s.dialect.Integrity(ctx, s.db); err != nil {
		return s.explained("check", done(ctx, err))
	}
	return s.explained("check", s.transact(ctx, false, func(tx *Tx) error {
		for _, check := range []func(context.Context, *Tx) error{
			checkRevisions, checkRecords, checkObservations, checkReleases, checkHead,
		} {
			if err := check(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	}))
}

func checkRevisions(ctx context.Context, tx *Tx) error {
	var scan revisionScan
	var pruned int
	var last int64
	rows, err := tx.QueryContext(ctx, `SELECT `+revisionColumns+`, v.pruned FROM revision v ORDER BY v.number`)
	return each(rows, err, append(scan.into(), &pruned), func() error {
		if _, err := scan.value(); err != nil {
			return err
		}
		if pruned != 0 {
			return nil
		}
		if n := scan.revision.Number; last != 0 && n != last+1 {
			return fmt.Errorf("%w: revision %d follows revision %d", store.ErrCorrupt, n, last)
		}
		last = scan.revision.Number
		return nil
	})
}

func checkRecords(ctx context.Context, tx *Tx) error {
	var scan recordScan
	var known bool
	rows, err := tx.QueryContext(ctx, `SELECT r.kind, r.key, r.revision, r.position, r.body, r.origin, r.checksum,
		EXISTS (SELECT 1 FROM revision v WHERE v.number = r.revision) FROM record r`)
	return each(rows, err, append(scan.into(), &known), func() error {
		if !known {
			return fmt.Errorf("%w: %s %q is of revision %d, which does not exist", store.ErrCorrupt, scan.row.Kind, scan.row.Key, scan.revision)
		}
		return scan.damage()
	})
}

func checkObservations(ctx context.Context, tx *Tx) error {
	var scan observationScan
	var known bool
	rows, err := tx.QueryContext(ctx, `SELECT o.kind, o.key, o.figure, o.revision, o.seq, o.value, o.source, o.as_of,
		o.upstream_id, o.checksum, EXISTS (SELECT 1 FROM revision v WHERE v.number = o.revision) FROM observation o`)
	return each(rows, err, append(scan.into(), &known), func() error {
		if !known {
			return fmt.Errorf("%w: %s %q was observed in revision %d, which does not exist", store.ErrCorrupt, scan.o.Kind, scan.o.Key, scan.revision)
		}
		_, err := scan.value()
		return err
	})
}

func checkHead(ctx context.Context, tx *Tx) error {
	var revisions, rows int64
	err := tx.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM revision), (SELECT count(*) FROM record)`).Scan(&revisions, &rows)
	if err != nil || revisions == 0 && rows == 0 {
		return err
	}
	rev, err := head(ctx, tx)
	if err != nil {
		return err
	}
	_, err = load(ctx, tx, rev)
	return err
}
