package sqlite

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"vitrine/internal/store"
	"vitrine/internal/store/sqlstore"
)

// applicationID marks a file as ours in its header ("Vitr"), so that the
// database of another program is never written to.
const applicationID = 0x56697472

//go:embed schema_1.sql
var schema1 string

//go:embed schema_2.sql
var schema2 string

// steps returns the statements that lead from schema to schema.
func steps() []string {
	return []string{schema1 + fmt.Sprintf("PRAGMA application_id = %d;", applicationID), schema2}
}

// Open opens the database at path, which it creates if there is no such file or
// an empty one; the folder must exist. A file that is not a SQLite database
// ([store.ErrCorrupt]), belongs to another program or was written by a newer
// Vitrine that older ones cannot read is an error and stays as it is. Open does
// not read the whole file to see whether it is sound: every row that is read
// later is held against its checksum, and [sqlstore.Store.Check] reads all.
func Open(ctx context.Context, path string) (*Store, error) {
	s, err := open(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, explain(err))
	}
	return s, nil
}

func open(ctx context.Context, path string) (s *Store, err error) {
	dsn, err := dataSource(path)
	if err != nil {
		return nil, err
	}
	if err := cutOff(path); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(5) // a poller, a loader, a publisher, one to spare, and the anchor
	var anchor *sql.Conn
	err = patient(ctx, func() error {
		anchor, err = db.Conn(ctx)
		return err
	})
	if err == nil {
		err = patient(ctx, func() error { return prepare(ctx, anchor) })
	}
	var opened os.FileInfo
	if err == nil {
		opened, err = os.Stat(path)
	}
	if err != nil {
		if anchor != nil {
			anchor.Close()
		}
		db.Close()
		return nil, err
	}
	return &Store{Store: sqlstore.New(db, dialect{path: path, opened: opened}), anchor: anchor}, nil
}

// cutOff returns an error if the file is empty while its log is not: SQLite
// would take it for a new database and throw the log away.
func cutOff(path string) error {
	file, err := os.Stat(path)
	if err != nil || file.Size() > 0 {
		return nil // opening it says what is wrong with it
	}
	if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 {
		return fmt.Errorf("%w: the file is empty, and the log of its changes is not", store.ErrCorrupt)
	}
	return nil
}

// dataSource returns the file as a URI. It is made absolute because a URI
// reads names such as ":memory:" in ways of its own.
func dataSource(path string) (string, error) {
	if path == "" {
		return "", errors.New("the path of the database is empty")
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	query := url.Values{
		"_pragma": {
			"busy_timeout(100)", // milliseconds; see [patient]
			// A number that clients have seen must not come back for something
			// else after a power failure.
			"synchronous(full)",
			"cache_size(-16384)",           // KiB
			"journal_size_limit(67108864)", // the log of a large import does not stay
		},
		// A publish takes the write lock when it begins, so that it waits for
		// others there rather than failing in the middle.
		"_txlock": {"immediate"},
	}
	uri := url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: query.Encode()}
	return uri.String(), nil
}

// prepare migrates the schema if it must. A file that is as it should be is
// only read.
func prepare(ctx context.Context, conn *sql.Conn) error {
	current, err := look(ctx, conn)
	if err != nil {
		return err
	}
	if !current {
		if err := migrate(ctx, conn); err != nil {
			return err
		}
	}
	// Only now, because it writes to the file: readers no longer wait for a
	// publish, nor a publish for readers.
	var mode string
	if err := conn.QueryRowContext(ctx, `PRAGMA journal_mode`).Scan(&mode); err != nil || mode == "wal" {
		return err
	}
	_, err = conn.ExecContext(ctx, `PRAGMA journal_mode = WAL`)
	return err
}

// look returns whether the schema is one to work with.
func look(ctx context.Context, conn *sql.Conn) (current bool, err error) {
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return false, err
	}
	defer tx.Rollback() // nothing was written
	created, err := ours(ctx, tx)
	if err != nil || !created {
		return false, err
	}
	return sqlstore.Compatible(ctx, tx)
}

func migrate(ctx context.Context, conn *sql.Conn) error {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing once committed
	created, err := ours(ctx, tx)
	if err != nil {
		return err
	}
	if err := sqlstore.Migrate(ctx, tx, created, steps()); err != nil {
		return err
	}
	return tx.Commit()
}

// ours reports whether the file has a schema of ours; false if it has none. The
// schema of another program is an error.
func ours(ctx context.Context, tx *sql.Tx) (bool, error) {
	var id, objects int
	err := tx.QueryRowContext(ctx, `SELECT
		(SELECT application_id FROM pragma_application_id),
		(SELECT count(*) FROM sqlite_schema)`).Scan(&id, &objects)
	switch {
	case err != nil:
		return false, err
	case id == 0 && objects == 0:
		return false, nil
	case id != applicationID:
		return false, errors.New("it is the database of another program; choose another path")
	}
	return true, nil
}
