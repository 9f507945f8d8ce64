// Package postgres stores revisions in a schema of a PostgreSQL database.
//
// It has the parts that are specific to the engine; package sqlstore has the statements. It must
// not know the content of rows, publishers or servers. A *Store is safe for concurrent use, also
// by several processes.
package postgres

import (
	"cmp"
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

// Begin makes writers wait for each other, but not for readers. Each statement of a writer sees
// all earlier commits, including those that it waited for.
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
	next, stop := iter.Pull2(rows)
	defer stop()
	var failed error // of rows, not the server's report of it
	source := pgx.CopyFromFunc(func() (values []any, err error) {
		values, failed, _ = next()
		return values, failed
	})
	err := tx.Conn.Raw(func(conn any) error {
		_, err := conn.(*stdlib.Conn).Conn().CopyFrom(ctx, pgx.Identifier{table}, columns, source)
		return err
	})
	return cmp.Or(failed, err)
}

// Integrity checks nothing: PostgreSQL checks its pages if the cluster has checksums, and further
// checks need administrator rights.
func (dialect) Integrity(context.Context, *sql.DB) error { return nil }

func (dialect) Explain(err error) error { return explain(err) }

// explain adds the remedy to errors of a server.
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
