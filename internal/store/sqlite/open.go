package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"vitrine/internal/store"
	"vitrine/internal/store/sqlstore"
)

// applicationID marks a file as Vitrine's ("Vitr"), so that databases of other programs are never
// written.
const applicationID = 0x56697472

//go:embed schema_*.sql
var schemaFiles embed.FS

// Schema returns the schema that this version knows.
func Schema() sqlstore.Schema { return sqlstore.Schema{Files: schemaFiles, Version: 2} }

// Open opens the database at path, and creates it if the file is missing or empty; the directory
// must exist. A new file and those beside it are readable by the owner only. Errors, which leave
// the file unchanged: a file that is no SQLite database ([store.ErrCorrupt]), of another program,
// or of an incompatible version; Open migrates nothing. Open does not check the whole file: rows are checked against
// their checksums when they are read, and [sqlstore.Store.Check] checks all.
func Open(ctx context.Context, path string) (*Store, error) {
	return OpenAs(ctx, path, sqlstore.Make)
}

// OpenAs is [Open] with a mode. Unless it is [sqlstore.Make], the error for a missing file or
// schema wraps [fs.ErrNotExist], and nothing is written. With [sqlstore.Read] an older schema is
// an error with the remedy. A read-only file is opened for reading; writes then fail.
func OpenAs(ctx context.Context, path string, mode sqlstore.Mode) (*Store, error) {
	return OpenWith(ctx, path, sqlstore.Opening{Mode: mode, Schema: Schema()})
}

// OpenWith is [OpenAs] with a schema, which may be of another version.
func OpenWith(ctx context.Context, path string, how sqlstore.Opening) (*Store, error) {
	s, err := open(ctx, path, how)
	if errors.Is(err, fs.ErrNotExist) && !how.Mode.Creates() {
		return nil, noStore(path)
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, explain(err))
	}
	return s, nil
}

// noStore returns the error for a path without a store.
type noStore string

func (path noStore) Error() string { return "there is no store at " + string(path) }

func (noStore) Unwrap() error { return fs.ErrNotExist }

func open(ctx context.Context, path string, how sqlstore.Opening) (*Store, error) {
	if err := cutOff(path); err != nil {
		return nil, err
	}
	switch info, err := os.Stat(path); {
	case err != nil && (!how.Mode.Creates() || !errors.Is(err, fs.ErrNotExist)):
		return nil, err
	case err == nil && !info.Mode().IsRegular(): // opening a pipe would block
		return nil, errors.New("it is not a regular file; choose another path")
	}
	s, err := openAs(ctx, path, how, false)
	if err == nil || how.Mode.Creates() || !unwritable(err) || logged(path) {
		return s, err
	}
	// Readers share an index of the log in a file that cannot be created here. There is no log, so
	// the database file is complete.
	how.Mode = sqlstore.Read
	frozen, failed := openAs(ctx, path, how, true)
	if failed != nil && unwritable(failed) {
		return nil, err
	}
	return frozen, failed
}

// openAs opens a file. frozen means that no process writes to it; [dialect.Usable] detects
// changes.
func openAs(ctx context.Context, path string, how sqlstore.Opening, frozen bool) (s *Store, err error) {
	dsn, err := dataSource(path, how.Mode, frozen)
	if err != nil {
		return nil, err
	}
	var opened os.FileInfo
	if frozen { // before reading it
		if opened, err = os.Stat(path); err != nil {
			return nil, err
		}
	}
	if how.Mode.Creates() {
		if err := create(path); err != nil {
			return nil, err
		}
	}
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(5) // poller, loader, publisher, a spare one and the anchor
	var anchor *sql.Conn
	err = patient(ctx, func() error {
		anchor, err = db.Conn(ctx)
		return err
	})
	if err == nil {
		err = patient(ctx, func() error { return prepare(ctx, anchor, how) })
	}
	if err == nil && !frozen {
		opened, err = os.Stat(path)
	}
	if err != nil {
		if anchor != nil {
			anchor.Close()
		}
		db.Close()
		return nil, err
	}
	return &Store{Store: sqlstore.New(db, dialect{path: path, opened: opened, frozen: frozen}, how.Schema), path: path, anchor: anchor}, nil
}

// unwritable reports whether an error is caused by a read-only file or directory.
func unwritable(err error) bool {
	var failure *driver.Error
	if !errors.As(err, &failure) {
		return false
	}
	code := failure.Code() & 0xff
	return code == sqlite3.SQLITE_CANTOPEN || code == sqlite3.SQLITE_READONLY
}

// logged reports whether the log of a file may have changes that the file lacks.
func logged(path string) bool {
	info, err := os.Stat(path + "-wal")
	return err == nil && info.Size() > 0
}

// create creates a missing file, readable by the owner only: SQLite would use the default mode.
// Errors are ignored, because opening the file then fails with a better one.
func create(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil
	}
	return file.Close()
}

// cutOff returns an error if the file is empty but its log is not: SQLite would create a new
// database and discard the log.
func cutOff(path string) error {
	file, err := os.Stat(path)
	if err != nil || file.Size() > 0 {
		return nil // opening it reports the error
	}
	if logged(path) {
		return fmt.Errorf("%w: the file is empty, and the log of its changes is not", store.ErrCorrupt)
	}
	return nil
}

// dataSource returns the URI of the file, with an absolute path because names such as ":memory:"
// are special in URIs.
func dataSource(path string, mode sqlstore.Mode, frozen bool) (string, error) {
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
			// A revision number that clients have seen must not be reused after a power failure.
			"synchronous(full)",
			"cache_size(-16384)",           // KiB
			"journal_size_limit(67108864)", // removes the log of a large import
		},
		// A publish takes the write lock at its beginning, so that it waits there instead of
		// failing later.
		"_txlock": {"immediate"},
		"mode":    {"rw"}, // does not create a file
	}
	if mode.Creates() {
		query.Set("mode", "rwc")
	}
	if frozen {
		query.Set("mode", "ro")
		query.Set("immutable", "1")
	}
	uri := url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: query.Encode()}
	return uri.String(), nil
}

// prepare creates or migrates the schema if necessary and allowed. Otherwise it only reads the
// file.
func prepare(ctx context.Context, conn *sql.Conn, how sqlstore.Opening) error {
	must, err := mustMigrate(ctx, conn, how)
	if err != nil {
		return err
	}
	if must {
		if err := migrate(ctx, conn, how); err != nil {
			return err
		}
	}
	if how.Mode == sqlstore.Read {
		return nil
	}
	// WAL mode is set last, because it writes to the file. With it, readers and publishes do not
	// wait for each other.
	var mode string
	if err := conn.QueryRowContext(ctx, `PRAGMA journal_mode`).Scan(&mode); err != nil || mode == "wal" {
		return err
	}
	_, err = conn.ExecContext(ctx, `PRAGMA journal_mode = WAL`)
	return err
}

func mustMigrate(ctx context.Context, conn *sql.Conn, how sqlstore.Opening) (bool, error) {
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return false, err
	}
	defer tx.Rollback() // nothing was written
	created, err := ours(ctx, tx)
	if err != nil {
		return false, err
	}
	return how.MustMigrate(ctx, tx, created)
}

func migrate(ctx context.Context, conn *sql.Conn, how sqlstore.Opening) error {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing once committed
	created, err := ours(ctx, tx)
	if err != nil {
		return err
	}
	if must, err := how.MustMigrate(ctx, tx, created); err != nil || !must { // another process may have created it
		return err
	}
	if !created {
		if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
			return err
		}
	}
	if err := how.Schema.Migrate(ctx, tx, created); err != nil {
		return err
	}
	return tx.Commit()
}

// ours reports whether the file has Vitrine's schema, false for no schema. The schema of another
// program is an error.
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
