package sqlite

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// applicationID marks a file as ours in its header ("Vitr"), so that the
// database of another program is never written to.
const applicationID = 0x56697472

// schemaVersion is the version that schema.sql makes; a file keeps its own in
// its header (user_version).
const schemaVersion = 1

//go:embed schema.sql
var schema string

// Open opens the database at path, which it creates if there is no such file;
// the folder must exist. A file that is not a SQLite database, belongs to
// another program or was written by a newer Vitrine is an error and stays as
// it is.
func Open(ctx context.Context, path string) (*Store, error) {
	dsn, err := dataSource(path)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	db.SetMaxOpenConns(4) // a poller, a loader, a publisher and one to spare
	if err := prepare(ctx, db); err != nil {
		db.Close()
		return nil, fmt.Errorf("open %s: %w", path, explain(err))
	}
	return &Store{db: db}, nil
}

// dataSource returns the file as a URI. It is made absolute because a URI
// reads names such as ":memory:" in ways of its own.
func dataSource(path string) (string, error) {
	if path == "" {
		return "", errors.New("the path of the database is empty")
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("open %s: %w", path, err)
	}
	query := url.Values{
		// Durability stays at SQLite's default (full): a number that clients
		// have seen must not come back for something else after a crash.
		"_pragma": {"busy_timeout(5000)", "foreign_keys(1)"},
		// A publish takes the write lock when it begins, so that it waits for
		// others there rather than failing in the middle.
		"_txlock": {"immediate"},
	}
	uri := url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: query.Encode()}
	return uri.String(), nil
}

func prepare(ctx context.Context, db *sql.DB) error {
	if err := migrate(ctx, db); err != nil {
		return err
	}
	// Only now, because it writes to the file: readers no longer wait for a
	// publish, nor a publish for readers.
	_, err := db.ExecContext(ctx, `PRAGMA journal_mode = WAL`)
	return err
}

func migrate(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing once committed
	version, err := fileVersion(ctx, tx)
	if err != nil {
		return err
	}
	if version == schemaVersion {
		return nil
	}
	steps := schema + fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", applicationID, schemaVersion)
	if _, err := tx.ExecContext(ctx, steps); err != nil {
		return fmt.Errorf("create the schema: %w", err)
	}
	return tx.Commit()
}

// fileVersion returns the version of the file's schema, 0 for a new file.
func fileVersion(ctx context.Context, tx *sql.Tx) (int, error) {
	var id, version, objects int
	err := tx.QueryRowContext(ctx, `SELECT
		(SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version),
		(SELECT count(*) FROM sqlite_schema)`).Scan(&id, &version, &objects)
	if err != nil {
		return 0, err
	}
	switch {
	case id == 0 && version == 0 && objects == 0:
		return 0, nil
	case id != applicationID:
		return 0, errors.New("it is the database of another program; choose another path")
	case version > schemaVersion:
		return 0, fmt.Errorf("it was written by a newer Vitrine (schema %d, this one knows up to %d); use that one",
			version, schemaVersion)
	case version < 1:
		return 0, fmt.Errorf("its schema version is %d, which no Vitrine wrote", version)
	}
	return version, nil
}

// explain adds what to do to the errors that a wrong path brings.
func explain(err error) error {
	var failure *driver.Error
	if !errors.As(err, &failure) {
		return err
	}
	switch failure.Code() & 0xff { // the low byte is the primary code
	case sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("it is not a SQLite database; choose another path: %w", err)
	case sqlite3.SQLITE_CANTOPEN:
		return fmt.Errorf("it cannot be opened or created; see that its folder exists and may be written to: %w", err)
	}
	return err
}
