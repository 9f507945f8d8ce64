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

// applicationID marks a file as ours in its header ("Vitr"), so that the
// database of another program is never written to.
const applicationID = 0x56697472

//go:embed schema_*.sql
var schemaFiles embed.FS

// opening returns how a store is opened by this program.
func opening(mode sqlstore.Mode) sqlstore.Opening {
	return sqlstore.Opening{Mode: mode, Schema: sqlstore.Schema{Files: schemaFiles, Version: 1}}
}

// Open opens the database at path, which it creates if there is no such file or
// an empty one; the folder must exist. What it creates, the owner alone may read
// and write; the files beside it have its mode. A file that is not a SQLite database
// ([store.ErrCorrupt]), belongs to another program or was written by a newer
// Vitrine that older ones cannot read is an error and stays as it is. Open does
// not read the whole file to see whether it is sound: every row that is read
// later is held against its checksum, and [sqlstore.Store.Check] reads all.
func Open(ctx context.Context, path string) (*Store, error) {
	s, err := open(ctx, path, opening(sqlstore.Make))
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, explain(err))
	}
	return s, nil
}

// OpenExisting is [Open] without making a store: where there is none, neither a
// file nor a schema in it, the error wraps [fs.ErrNotExist], and nothing was
// written. A store of an older schema is migrated or, where migrating is false,
// an error that says how to do that. A file that may only be read is opened to
// be read: every write fails.
func OpenExisting(ctx context.Context, path string, migrating bool) (*Store, error) {
	if migrating {
		return existing(ctx, path, opening(sqlstore.Upgrade))
	}
	return existing(ctx, path, opening(sqlstore.Leave))
}

func existing(ctx context.Context, path string, how sqlstore.Opening) (*Store, error) {
	s, err := open(ctx, path, how)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, noStore(path)
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, explain(err))
	}
	return s, nil
}

// noStore says that there is no store at a path.
type noStore string

func (path noStore) Error() string { return "there is no store at " + string(path) }

func (noStore) Unwrap() error { return fs.ErrNotExist }

func open(ctx context.Context, path string, how sqlstore.Opening) (*Store, error) {
	if err := cutOff(path); err != nil {
		return nil, err
	}
	switch info, err := os.Stat(path); {
	case err != nil && (how.Mode != sqlstore.Make || !errors.Is(err, fs.ErrNotExist)):
		return nil, err
	case err == nil && !info.Mode().IsRegular(): // to open a pipe is to wait for somebody who writes to it
		return nil, errors.New("it is not a regular file; choose another path")
	}
	s, err := openAs(ctx, path, how, false)
	if err == nil || how.Mode == sqlstore.Make || !unwritable(err) || logged(path) {
		return s, err
	}
	// Readers share an index of the log in a file of its own, which cannot be made
	// here. There is no log, so that the file is all there is to read.
	how.Mode = sqlstore.Leave
	frozen, failed := openAs(ctx, path, how, true)
	if failed != nil && unwritable(failed) {
		return nil, err
	}
	return frozen, failed
}

// openAs opens a file that is there or may be made. Frozen says that it is taken
// for one that nobody writes to; [dialect.Usable] sees if somebody does.
func openAs(ctx context.Context, path string, how sqlstore.Opening, frozen bool) (s *Store, err error) {
	dsn, err := dataSource(path, how.Mode, frozen)
	if err != nil {
		return nil, err
	}
	var opened os.FileInfo
	if frozen { // before anything of it is read
		if opened, err = os.Stat(path); err != nil {
			return nil, err
		}
	}
	if how.Mode == sqlstore.Make {
		if err := create(path); err != nil {
			return nil, err
		}
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

// unwritable reports whether an error is that of a file or a folder that may
// not be written to.
func unwritable(err error) bool {
	var failure *driver.Error
	if !errors.As(err, &failure) {
		return false
	}
	code := failure.Code() & 0xff
	return code == sqlite3.SQLITE_CANTOPEN || code == sqlite3.SQLITE_READONLY
}

// logged reports whether there are changes in the log of a file that may not
// be in the file itself.
func logged(path string) bool {
	info, err := os.Stat(path + "-wal")
	return err == nil && info.Size() > 0
}

// create makes the file if there is none, with a mode that lets its owner alone read
// it: SQLite would let others read it, and gives the files beside it the same mode.
// If the file cannot be made, opening it fails with an error that explains why.
func create(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil
	}
	return file.Close()
}

// cutOff returns an error if the file is empty while its log is not: SQLite
// would take it for a new database and throw the log away.
func cutOff(path string) error {
	file, err := os.Stat(path)
	if err != nil || file.Size() > 0 {
		return nil // opening it says what is wrong with it
	}
	if logged(path) {
		return fmt.Errorf("%w: the file is empty, and the log of its changes is not", store.ErrCorrupt)
	}
	return nil
}

// dataSource returns the file as a URI. It is made absolute because a URI
// reads names such as ":memory:" in ways of its own.
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
			// A number that clients have seen must not come back for something
			// else after a power failure.
			"synchronous(full)",
			"cache_size(-16384)",           // KiB
			"journal_size_limit(67108864)", // the log of a large import does not stay
		},
		// A publish takes the write lock when it begins, so that it waits for
		// others there rather than failing in the middle.
		"_txlock": {"immediate"},
		"mode":    {"rw"}, // which makes no file
	}
	if mode == sqlstore.Make {
		query.Set("mode", "rwc")
	}
	if frozen {
		query.Set("mode", "ro")
		query.Set("immutable", "1")
	}
	uri := url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: query.Encode()}
	return uri.String(), nil
}

// prepare makes or migrates the schema if it must and may. A file that is as it
// should be is only read.
func prepare(ctx context.Context, conn *sql.Conn, how sqlstore.Opening) error {
	must, err := mustMigrate(ctx, conn, how)
	if err != nil {
		return err
	}
	if must {
		if err := migrate(ctx, conn, how.Schema); err != nil {
			return err
		}
	}
	if how.Mode == sqlstore.Leave {
		return nil
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

func migrate(ctx context.Context, conn *sql.Conn, schema sqlstore.Schema) error {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing once committed
	created, err := ours(ctx, tx)
	if err != nil {
		return err
	}
	if !created {
		if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
			return err
		}
	}
	if err := schema.Migrate(ctx, tx, created); err != nil {
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
