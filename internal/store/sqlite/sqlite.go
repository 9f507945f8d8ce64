// Package sqlite keeps the revisions of a store in one SQLite file.
//
// It knows the engine and its SQL; it must not know what is in the rows
// (package store), who publishes or who serves. A *Store is safe for
// concurrent use, and several processes may share a file on one machine.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"vitrine/internal/catalog"
	"vitrine/internal/store"
)

// Store is an open database file.
type Store struct {
	db *sql.DB
}

// Close releases the file. No other method may run then or later.
func (s *Store) Close() error { return s.db.Close() }

// Head returns the revision that is published now, [store.ErrEmpty] if there
// is none. It reads one row and is cheap enough to be polled.
func (s *Store) Head(ctx context.Context) (store.Revision, error) {
	return head(ctx, s.db)
}

// Load returns the published catalogue and its revision, both as of one
// moment; [store.ErrEmpty] if there is none. The catalogue is the caller's. It
// is as it was published, not checked again.
func (s *Store) Load(ctx context.Context) (*catalog.Catalog, store.Revision, error) {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, store.Revision{}, fmt.Errorf("begin to read: %w", err)
	}
	defer tx.Rollback() // nothing is written: there is nothing to lose
	rev, err := head(ctx, tx)
	if err != nil {
		return nil, store.Revision{}, err
	}
	c, err := records(ctx, tx)
	if err != nil {
		return nil, store.Revision{}, fmt.Errorf("load revision %d: %w", rev.Number, err)
	}
	return c, rev, nil
}

// Publish makes the draft the revision that follows base, 0 for an empty
// store. If the head is another revision it changes nothing and returns
// [store.ErrConflict]. When it returns without an error the revision is on
// the disk.
func (s *Store) Publish(ctx context.Context, base int64, d store.Draft) (store.Revision, error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return store.Revision{}, fmt.Errorf("begin to publish: %w", err)
	}
	defer tx.Rollback() // does nothing once committed
	rev := d.Revision(base)
	if err := moveHead(ctx, tx, base, rev); err != nil {
		return store.Revision{}, err
	}
	if err := replaceRecords(ctx, tx, rev.Number, d.Catalog); err != nil {
		return store.Revision{}, fmt.Errorf("publish revision %d: %w", rev.Number, err)
	}
	if err := tx.Commit(); err != nil {
		return store.Revision{}, fmt.Errorf("publish revision %d: %w", rev.Number, err)
	}
	return rev, nil
}

type queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func head(ctx context.Context, q queryer) (store.Revision, error) {
	var rev store.Revision
	var millis int64
	err := q.QueryRowContext(ctx, `SELECT number, published_at, digest, message FROM head`).
		Scan(&rev.Number, &millis, &rev.Digest, &rev.Message)
	if errors.Is(err, sql.ErrNoRows) {
		return store.Revision{}, store.ErrEmpty
	}
	if err != nil {
		return store.Revision{}, fmt.Errorf("read the head: %w", err)
	}
	rev.PublishedAt = time.UnixMilli(millis).UTC()
	return rev, nil
}

// moveHead is the compare-and-set of a publish.
func moveHead(ctx context.Context, tx *sql.Tx, base int64, rev store.Revision) error {
	statement := `UPDATE head SET number = ?, published_at = ?, digest = ?, message = ? WHERE number = ?`
	args := []any{rev.Number, rev.PublishedAt.UnixMilli(), rev.Digest, rev.Message, base}
	if base == 0 {
		statement = `INSERT INTO head (id, number, published_at, digest, message) VALUES (1, ?, ?, ?, ?)
			ON CONFLICT DO NOTHING`
		args = args[:len(args)-1]
	}
	result, err := tx.ExecContext(ctx, statement, args...)
	if err != nil {
		return fmt.Errorf("move the head to revision %d: %w", rev.Number, err)
	}
	moved, err := result.RowsAffected()
	if err != nil {
		return fmt.Errorf("move the head to revision %d: %w", rev.Number, err)
	}
	if moved == 0 {
		return store.ErrConflict
	}
	return nil
}

func replaceRecords(ctx context.Context, tx *sql.Tx, revision int64, c *catalog.Catalog) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM record`); err != nil {
		return err
	}
	insert, err := tx.PrepareContext(ctx,
		`INSERT INTO record (kind, key, position, revision, body) VALUES (?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer insert.Close()
	for row, err := range store.Rows(c) {
		if err != nil {
			return err
		}
		_, err = insert.ExecContext(ctx, string(row.Kind), row.Key, row.Position, revision, string(row.Body))
		if err != nil {
			return fmt.Errorf("write %s %q: %w", row.Kind, row.Key, err)
		}
	}
	return nil
}

func records(ctx context.Context, tx *sql.Tx) (*catalog.Catalog, error) {
	rows, err := tx.QueryContext(ctx, `SELECT kind, key, position, body FROM record ORDER BY kind, position`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var b store.Builder
	for rows.Next() {
		var row store.Row
		if err := rows.Scan(&row.Kind, &row.Key, &row.Position, &row.Body); err != nil {
			return nil, err
		}
		if err := b.Add(row); err != nil {
			return nil, err
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return b.Catalog()
}
