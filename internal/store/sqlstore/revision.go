package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"vitrine/internal/store"
)

// revisionColumns are the columns of a revisionScan. The row of a pruned revision stays while a
// version or observation refers to it.
const revisionColumns = `v.number, v.published_at, v.op, v.actor, v.message, v.digest, v.source, v.publisher, v.accepted, v.checksum`

type revisionScan struct {
	revision store.Revision
	millis   int64
	source   string // see [sourceOf]
	sum      int64
}

func (r *revisionScan) into() []any {
	rev := &r.revision
	return []any{&rev.Number, &r.millis, &rev.Op, &rev.Actor, &rev.Message, &rev.Digest, &r.source, &rev.Publisher, &rev.Accepted, &r.sum}
}

func (r *revisionScan) value() (store.Revision, error) {
	rev := r.revision
	rev.PublishedAt = time.UnixMilli(r.millis).UTC()
	rev.Commit, rev.Modified = strings.CutSuffix(r.source, modified)
	if revisionSum(rev) != r.sum {
		return store.Revision{}, fmt.Errorf("%w: revision %d does not match its checksum", store.ErrCorrupt, rev.Number)
	}
	return rev, nil
}

func revisionSum(rev store.Revision) int64 {
	return newChecksum().number(rev.Number).number(rev.PublishedAt.UnixMilli()).
		text(string(rev.Op)).text(rev.Actor).text(rev.Message).text(rev.Digest).
		text(sourceOf(rev)).text(rev.Publisher).text(rev.Accepted).value()
}

// modified is the suffix of the source of a revision whose files differed from the commit.
const modified = "+modified"

// sourceOf returns the stored form of the git commit, "" for none.
func sourceOf(rev store.Revision) string {
	if rev.Modified && rev.Commit != "" {
		return rev.Commit + modified
	}
	return rev.Commit
}

// Head implements [store.Store].
func (s *Store) Head(ctx context.Context) (store.Revision, error) {
	return read(ctx, s, "read the head", func(tx *Tx) (store.Revision, error) { return head(ctx, tx) })
}

// head reads the head, which always exists except in an empty store.
func head(ctx context.Context, q Querier) (store.Revision, error) {
	rev, err := oneRevision(q.QueryRowContext(ctx,
		`SELECT `+revisionColumns+` FROM revision v ORDER BY v.number DESC LIMIT 1`))
	if errors.Is(err, sql.ErrNoRows) {
		return store.Revision{}, store.ErrEmpty
	}
	return rev, err
}

// revision reads a kept revision, 0 for the head.
func revision(ctx context.Context, q Querier, number int64) (store.Revision, error) {
	if number == 0 {
		return head(ctx, q)
	}
	rev, err := oneRevision(q.QueryRowContext(ctx,
		`SELECT `+revisionColumns+` FROM revision v WHERE v.number = $1 AND v.pruned = 0`, number))
	if errors.Is(err, sql.ErrNoRows) {
		return store.Revision{}, fmt.Errorf("revision %d: %w", number, store.ErrNoRevision)
	}
	return rev, err
}

func oneRevision(row *sql.Row) (store.Revision, error) {
	var scan revisionScan
	if err := row.Scan(scan.into()...); err != nil {
		return store.Revision{}, err
	}
	return scan.value()
}

// History implements [store.Store].
func (s *Store) History(ctx context.Context, limit int) ([]store.Revision, error) {
	query, args := `SELECT `+revisionColumns+` FROM revision v WHERE v.pruned = 0 ORDER BY v.number DESC`, []any(nil)
	if limit > 0 {
		query, args = query+` LIMIT $1`, []any{limit}
	}
	return read(ctx, s, "read the history", func(tx *Tx) ([]store.Revision, error) {
		var scan revisionScan
		rows, err := tx.QueryContext(ctx, query, args...)
		return collect(rows, err, scan.into(), scan.value)
	})
}

// follow writes the revision after base, without its content. It is the first write of a
// transaction, and the compare-and-set of a publish.
func follow(ctx context.Context, tx *Tx, base int64, note store.Note) (store.Revision, error) {
	rev := note.Revision(base)
	for name, value := range map[string]string{
		"operation": string(rev.Op), "actor": rev.Actor, "message": rev.Message, "digest": rev.Digest, "commit": rev.Commit,
		"publisher": rev.Publisher, "acceptances": rev.Accepted,
	} {
		if err := storable(value); err != nil {
			return store.Revision{}, fmt.Errorf("the %s of the revision %w", name, err)
		}
	}
	if note.Task != nil {
		if err := setTask(ctx, tx, note.Task.Token, *note.Task); err != nil {
			return store.Revision{}, err
		}
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO revision
		(number, published_at, op, actor, message, digest, source, publisher, accepted, content, pruned, checksum)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0, $10)`,
		rev.Number, rev.PublishedAt.UnixMilli(), string(rev.Op), rev.Actor, rev.Message, rev.Digest, sourceOf(rev), rev.Publisher, rev.Accepted, revisionSum(rev))
	return rev, err
}

// headAt returns the head, and [store.ErrConflict] unless its number is base, which is 0 for an
// empty store.
func headAt(ctx context.Context, tx *Tx, base int64) (store.Revision, error) {
	rev, err := head(ctx, tx)
	if errors.Is(err, store.ErrEmpty) {
		rev, err = store.Revision{}, nil
	}
	if err != nil {
		return store.Revision{}, err
	}
	if rev.Number != base {
		return store.Revision{}, fmt.Errorf("%w: the head is revision %d, not %d", store.ErrConflict, rev.Number, base)
	}
	return rev, nil
}

// storable returns an error for a text that some engine cannot store.
func storable(text string) error {
	switch {
	case !utf8.ValidString(text):
		return errors.New("is not UTF-8")
	case strings.ContainsRune(text, 0):
		return errors.New("contains a NUL")
	}
	return nil
}
