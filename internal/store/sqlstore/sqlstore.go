// Package sqlstore has the common parts of SQL engines: the statements on revisions, records,
// observations and API keys, migrations and conflicts. The statements are valid in SQLite and
// PostgreSQL; a [Dialect] has the differences.
//
// It knows database/sql, but must not know a driver, file or server. A *Store is safe for
// concurrent use, also by several processes.
package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"

	"vitrine/internal/store"
)

// Dialect has the differences between engines.
type Dialect interface {
	// Begin begins a transaction. A reading one sees one moment. A writing one waits for all other
	// writers.
	Begin(ctx context.Context, conn *sql.Conn, writing bool) (*sql.Tx, error)
	// Append inserts rows into a table until the first error of rows, which it returns.
	Append(ctx context.Context, tx *Tx, table string, columns []string, rows iter.Seq2[[]any, error]) error
	// Usable returns an error if the opened database is no longer the one at its path.
	Usable() error
	// Integrity returns an error if the engine's own check finds damage.
	Integrity(ctx context.Context, db *sql.DB) error
	// Explain adds the meaning to an engine's error: an error of package store or a remedy. It
	// returns other errors unchanged.
	Explain(err error) error
}

// Store implements [store.Store] on a database.
type Store struct {
	db      *sql.DB
	dialect Dialect
	schema  Schema
}

var _ store.Store = (*Store)(nil)

// New returns the store of a migrated database (see [Schema.Migrate]). The store closes the
// database.
func New(db *sql.DB, dialect Dialect, schema Schema) *Store {
	return &Store{db: db, dialect: dialect, schema: schema}
}

// Schema implements [store.Store].
func (s *Store) Schema(ctx context.Context) (store.Schema, error) {
	return read(ctx, s, "read the schema", func(tx *Tx) (store.Schema, error) {
		return store.Schema{Version: tx.version, Newest: s.schema.Version}, nil
	})
}

// Close closes the database.
func (s *Store) Close() error { return s.db.Close() }

// Tx is a transaction on its own connection.
type Tx struct {
	*sql.Tx
	Conn    *sql.Conn // the same connection, for driver-specific calls
	version int       // of the schema
}

// needs returns [store.ErrSchema] if the schema is older than a version.
func (tx *Tx) needs(version int) error {
	if tx.version >= version {
		return nil
	}
	return fmt.Errorf("the store has schema %d, and this needs schema %d: %w", tx.version, version, store.ErrSchema)
}

// read returns the result of f in a reading transaction, the zero value with an error.
func read[T any](ctx context.Context, s *Store, what string, f func(tx *Tx) (T, error)) (v T, err error) {
	err = s.transact(ctx, false, func(tx *Tx) error {
		v, err = f(tx)
		return err
	})
	if err != nil {
		var none T
		return none, s.explained(what, err)
	}
	return v, nil
}

// write runs f in a transaction that excludes other writers, and commits it.
func (s *Store) write(ctx context.Context, what string, f func(tx *Tx) error) error {
	err := s.transact(ctx, true, func(tx *Tx) error {
		if err := f(tx); err != nil {
			return err
		}
		return tx.Commit()
	})
	if err == nil {
		err = s.dialect.Usable() // otherwise the write would be lost
	}
	return s.explained(what, err)
}

func (s *Store) transact(ctx context.Context, writing bool, f func(tx *Tx) error) error {
	if err := s.dialect.Usable(); err != nil {
		return err
	}
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return done(ctx, err)
	}
	defer conn.Close()
	tx, err := s.dialect.Begin(ctx, conn, writing)
	if err != nil {
		return done(ctx, err)
	}
	defer tx.Rollback()                      // does nothing once committed
	version, err := s.schema.usable(ctx, tx) // another process may have migrated it
	if err != nil {
		return done(ctx, err)
	}
	return done(ctx, f(&Tx{Tx: tx, Conn: conn, version: version}))
}

// done prefers the cause of a context's end over the driver's error.
func done(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil || errors.Is(err, ctx.Err()) {
		return err
	}
	return fmt.Errorf("%w: %w", ctx.Err(), err)
}

// explained adds the action to an error, except to errors of package store.
func (s *Store) explained(what string, err error) error {
	if err == nil {
		return nil
	}
	err = s.dialect.Explain(err)
	for _, known := range []error{
		store.ErrEmpty, store.ErrConflict, store.ErrNoRevision, store.ErrKeyExists, store.ErrNoKey, store.ErrTaken, store.ErrNoRecord,
	} {
		if errors.Is(err, known) {
			return err
		}
	}
	return fmt.Errorf("%s: %w", what, err)
}

// collect scans the rows of a query and returns the value of each.
func collect[T any](rows *sql.Rows, err error, into []any, value func() (T, error)) ([]T, error) {
	var all []T
	err = each(rows, err, into, func() error {
		v, err := value()
		all = append(all, v)
		return err
	})
	return all, err
}

// each scans the rows of a query and calls f after each.
func each(rows *sql.Rows, err error, into []any, f func() error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if err := f(); err != nil {
			return err
		}
	}
	return rows.Err()
}
