package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
)

// Schema is the schema that this program knows. It uses databases of Version and of the version
// before (docs/decisions/0045-rolling-upgrades.md).
type Schema struct {
	// Files has schema_N.sql for each N up to Version: the statements that lead from
	// version N-1 to N. They set version in the table schema_version, and min_reader if
	// programs that know only an older schema can no longer use the database. min_reader is less
	// than N, because programs that know N-1 may still run.
	Files   fs.FS
	Version int
}

// Querier reads one row.
type Querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Mode is the permission of opening a store to change it.
type Mode int

const (
	Read    Mode = iota // nothing, for commands that only read
	Write               // content, in an existing schema
	Make                // also create a missing schema
	Migrate             // also migrate an existing schema to the newest version
)

// Creates reports whether a missing schema is created.
func (m Mode) Creates() bool { return m >= Make }

// Opening has the options of opening a store.
type Opening struct {
	Mode   Mode
	Schema Schema
}

// MustMigrate reports whether the schema has to be created or migrated before use. created
// reports whether there is one. The error is [fs.ErrNotExist] if o may not create a missing
// schema, else it names the remedy: the schema cannot be used, or o may not migrate it.
func (o Opening) MustMigrate(ctx context.Context, q Querier, created bool) (bool, error) {
	if !created {
		if !o.Mode.Creates() {
			return false, fs.ErrNotExist
		}
		return true, nil
	}
	if o.Mode != Migrate {
		_, err := o.Schema.usable(ctx, q)
		return false, err
	}
	version, err := o.Schema.versionOf(ctx, q)
	return version < o.Schema.Version, err
}

// Migrate brings a database to the newest version, in a transaction of the caller that
// excludes other migrations; created says whether there is a schema. A newer compatible
// schema stays as it is.
func (s Schema) Migrate(ctx context.Context, tx *sql.Tx, created bool) error {
	version := 0
	if created {
		var err error
		if version, err = s.versionOf(ctx, tx); err != nil {
			return err
		}
	}
	for version++; version <= s.Version; version++ {
		statements, err := fs.ReadFile(s.Files, fmt.Sprintf("schema_%d.sql", version))
		if err == nil {
			_, err = tx.ExecContext(ctx, string(statements))
		}
		if err != nil {
			return fmt.Errorf("migrate to schema %d: %w", version, err)
		}
	}
	return nil
}

// usable returns the version of a database, and an error with the remedy if this program cannot
// use it without a migration.
func (s Schema) usable(ctx context.Context, q Querier) (int, error) {
	version, err := s.versionOf(ctx, q)
	if err == nil && version < s.Version-1 {
		err = fmt.Errorf("an older Vitrine wrote it (schema %d; this one needs schema %d or %d): run vitrine migrate with the same --store",
			version, s.Version-1, s.Version)
	}
	return version, err
}

// versionOf returns the version of a database, and an error if this program can neither use nor
// migrate it.
func (s Schema) versionOf(ctx context.Context, q Querier) (int, error) {
	var version, minReader int
	err := q.QueryRowContext(ctx, `SELECT version, min_reader FROM schema_version`).Scan(&version, &minReader)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, errors.New("its schema has no version, so no Vitrine wrote it completely")
	case err != nil:
		return 0, fmt.Errorf("read the version of the schema: %w", err)
	case version < 1:
		return 0, fmt.Errorf("its schema version is %d, which no Vitrine wrote", version)
	case minReader > s.Version:
		return 0, fmt.Errorf("a newer Vitrine wrote it (schema %d, for programs that know schema %d; this one knows up to %d): use that one",
			version, minReader, s.Version)
	}
	return version, nil
}
