// Package sqlstore holds what the engines share that speak SQL: the statements
// on revisions, records, observations and API keys, the migrations, and when a
// write conflicts. The statements are such that SQLite and PostgreSQL read them
// alike; the few things that they do not have in common are a [Dialect].
//
// It knows database/sql; it must not know a driver, a file or a server. A
// *Store is safe for concurrent use, and by several processes.
package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"

	"vitrine/internal/store"
)

// Dialect is what engines do not have in common.
type Dialect interface {
	// Begin begins a transaction. One that reads sees one moment from then on;
	// one that writes has waited for all others that do.
	Begin(ctx context.Context, conn *sql.Conn, writing bool) (*sql.Tx, error)
	// Append inserts rows of values into a table, until the first error of rows,
	// which it returns.
	Append(ctx context.Context, tx *Tx, table string, columns []string, rows iter.Seq2[[]any, error]) error
	// Usable returns an error if the database that was opened is no longer the
	// one that others open now.
	Usable() error
	// Integrity returns an error if the engine's own check finds damage.
	Integrity(ctx context.Context, db *sql.DB) error
	// Explain returns an engine's error with what it means: as one of the errors
	// of package store, or in words. It returns all others as they are.
	Explain(err error) error
}

// Store implements [store.Store] on a database.
type Store struct {
	db      *sql.DB
	dialect Dialect
	schema  Schema
}

var _ store.Store = (*Store)(nil)

// New returns the store of a database whose schema has been migrated (see
// [Schema.Migrate]). The store closes the database.
func New(db *sql.DB, dialect Dialect, schema Schema) *Store {
	return &Store{db: db, dialect: dialect, schema: schema}
}

// Close closes the database.
func (s *Store) Close() error { return s.db.Close() }

// Tx is a transaction on a connection of its own.
type Tx struct {
	*sql.Tx
	Conn *sql.Conn // the same connection, for what database/sql has no words for
}

// read returns what f reads in a transaction that sees one moment. With an error it
// returns the zero value.
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

// write runs f in a transaction that follows all others which write, and
// commits it.
func (s *Store) write(ctx context.Context, what string, f func(tx *Tx) error) error {
	err := s.transact(ctx, true, func(tx *Tx) error {
		if err := f(tx); err != nil {
			return err
		}
		return tx.Commit()
	})
	if err == nil {
		err = s.dialect.Usable() // or it was written where nobody will look
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
	defer tx.Rollback()                                    // does nothing once committed
	if _, err := s.schema.versionOf(ctx, tx); err != nil { // another program may have migrated it meanwhile
		return done(ctx, err)
	}
	return done(ctx, f(&Tx{Tx: tx, Conn: conn}))
}

// done puts the reason why a context ended before what a driver makes of it.
func done(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil || errors.Is(err, ctx.Err()) {
		return err
	}
	return fmt.Errorf("%w: %w", ctx.Err(), err)
}

// explained says what was being done when an error came up. The errors of
// package store speak for themselves.
func (s *Store) explained(what string, err error) error {
	if err == nil {
		return nil
	}
	err = s.dialect.Explain(err)
	for _, known := range []error{
		store.ErrEmpty, store.ErrConflict, store.ErrNoRevision, store.ErrKeyExists, store.ErrNoKey,
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
