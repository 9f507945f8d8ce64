package sqlstore

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
)

// A schema has a number, and says the number of the oldest one whose programs
// can still read and write it: the version and the min_reader of the table
// schema_version. So a program goes on working beside a newer one that has
// migrated the database, unless the newer one says that it cannot.

// schemaVersion is the number of the newest schema that this program knows.
const schemaVersion = 7

// Querier is what reads one row.
type Querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Migrate brings the schema to the newest version, in the transaction of the
// caller, which sees to it that no other process migrates at the same time. The
// file schema_N.sql of schemas has the statements that lead to version N; created
// tells whether there is a schema at all. A schema that is newer stays as it is,
// if it can be used.
func Migrate(ctx context.Context, tx *sql.Tx, created bool, schemas embed.FS) error {
	version := 0
	if created {
		var err error
		if version, err = compatibleVersion(ctx, tx); err != nil {
			return err
		}
	}
	for version++; version <= schemaVersion; version++ {
		statements, err := schemas.ReadFile(fmt.Sprintf("schema_%d.sql", version))
		if err == nil {
			_, err = tx.ExecContext(ctx, string(statements))
		}
		if err == nil && version == bodiesSchema && created {
			err = rewriteBodies(ctx, tx)
		}
		if err != nil {
			return fmt.Errorf("migrate to schema %d: %w", version, err)
		}
	}
	return nil
}

// Opening is what opening a store may do to its schema.
type Opening int

// What opening a store may do. A command that only reads opens it with Leave.
const (
	Leave   Opening = iota // nothing
	Upgrade                // bring the schema that is there to the newest version
	Make                   // that, and make one where there is none
)

// MustMigrate returns whether the schema is to be made or migrated before it is
// used; created tells whether there is one. It is [fs.ErrNotExist] if there is
// none and none may be made, and an error that says what to do if the schema
// cannot be used, or not without a migration that may not be done.
func (o Opening) MustMigrate(ctx context.Context, q Querier, created bool) (bool, error) {
	if !created {
		if o != Make {
			return false, fs.ErrNotExist
		}
		return true, nil
	}
	version, err := compatibleVersion(ctx, q)
	if err != nil || version >= schemaVersion {
		return false, err
	}
	if o == Leave {
		return false, fmt.Errorf("an older Vitrine wrote it (schema %d; this one needs schema %d), and only to read it migrates nothing: "+
			"run vitrine migrate with the same --store", version, schemaVersion)
	}
	return true, nil
}

func compatible(ctx context.Context, q Querier) error {
	_, err := compatibleVersion(ctx, q)
	return err
}

func compatibleVersion(ctx context.Context, q Querier) (int, error) {
	var version, minReader int
	err := q.QueryRowContext(ctx, `SELECT version, min_reader FROM schema_version`).Scan(&version, &minReader)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, errors.New("its schema has no version, so that no Vitrine wrote it whole")
	case err != nil:
		return 0, fmt.Errorf("read the version of the schema: %w", err)
	case version < 1:
		return 0, fmt.Errorf("its schema version is %d, which no Vitrine wrote", version)
	case minReader > schemaVersion:
		return 0, fmt.Errorf("a newer Vitrine wrote it (schema %d, for programs that know schema %d; this one knows up to %d): use that one",
			version, minReader, schemaVersion)
	}
	return version, nil
}
