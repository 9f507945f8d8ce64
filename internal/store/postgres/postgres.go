// Package postgres keeps the revisions of a store in a schema of a PostgreSQL
// database.
//
// It knows the server and what is particular to the engine; the statements are
// package sqlstore's. It must not know what is in the rows, who publishes or
// who serves. A *Store is safe for concurrent use, and by several processes.
package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"vitrine/internal/store"
	"vitrine/internal/store/sqlstore"
)

// Store is a schema of a database. It implements [store.Store].
type Store struct {
	*sqlstore.Store
}

type dialect struct{}

var _ sqlstore.Dialect = dialect{}

// Begin lets writers wait for each other, and no reader for them. A writer sees
// what was committed before each of its statements: what was written while it
// waited counts.
func (dialect) Begin(ctx context.Context, conn *sql.Conn, writing bool) (*sql.Tx, error) {
	if !writing {
		return conn.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	}
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		return nil, err
	}
	if _, err := tx.ExecContext(ctx, `LOCK TABLE revision IN SHARE ROW EXCLUSIVE MODE`); err != nil {
		tx.Rollback()
		return nil, err
	}
	return tx, nil
}

func (dialect) Usable() error { return nil }

func (dialect) Append(
	ctx context.Context, tx *sqlstore.Tx, table string, columns []string, rows iter.Seq2[[]any, error],
) error {
	source := newSource(rows)
	defer source.stop()
	err := tx.Conn.Raw(func(conn any) error {
		_, err := conn.(*stdlib.Conn).Conn().CopyFrom(ctx, pgx.Identifier{table}, columns, source)
		return err
	})
	if source.err != nil { // as it was, rather than as the server reports it back
		return source.err
	}
	return err
}

// source gives rows to a COPY.
type source struct {
	next   func() ([]any, error, bool)
	stop   func()
	values []any
	err    error
}

func newSource(rows iter.Seq2[[]any, error]) *source {
	next, stop := iter.Pull2(rows)
	return &source{next: next, stop: stop}
}

func (s *source) Next() bool {
	var more bool
	s.values, s.err, more = s.next()
	return more && s.err == nil
}

func (s *source) Values() ([]any, error) { return s.values, nil }
func (s *source) Err() error             { return s.err }

// Integrity has nothing to look at: PostgreSQL checks its pages where the
// cluster has checksums, and everything else needs rights of an administrator.
func (dialect) Integrity(context.Context, *sql.DB) error { return nil }

func (dialect) Explain(err error) error { return explain(err) }

// explain adds what to do to the errors of a server.
func explain(err error) error {
	var failure *pgconn.PgError
	if !errors.As(err, &failure) {
		return err
	}
	switch failure.Code {
	case "23505", "40001": // unique_violation, serialization_failure
		if failure.TableName == "revision" || failure.Code == "40001" {
			return fmt.Errorf("%w: %w", store.ErrConflict, err)
		}
	case "XX001", "XX002": // data_corrupted, index_corrupted
		return fmt.Errorf("%w: %w", store.ErrCorrupt, err)
	case "55P03": // lock_not_available
		return fmt.Errorf("another process has been writing to it for too long; try again: %w", err)
	case "53100": // disk_full
		return fmt.Errorf("the server's disk is full: %w", err)
	}
	return err
}
