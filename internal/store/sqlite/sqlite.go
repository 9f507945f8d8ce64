// Package sqlite stores revisions in a SQLite file.
//
// It has the parts that are specific to the engine; package sqlstore has the statements. It must
// not know the content of rows, publishers or servers. A *Store is safe for concurrent use, and
// several processes on one machine may share a file.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"time"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"vitrine/internal/domain"
	"vitrine/internal/store"
	"vitrine/internal/store/sqlstore"
)

// Store is an open database file. It implements [store.Store].
type Store struct {
	*sqlstore.Store
	path   string
	anchor *sql.Conn // keeps the inode of the opened file from being reused
}

// Close closes the file. No other method may run during or after it.
func (s *Store) Close() error {
	return errors.Join(s.anchor.Close(), s.Store.Close())
}

// dialect is the dialect of SQLite for a file that was opened at path.
type dialect struct {
	path   string
	opened os.FileInfo
	frozen bool // read as immutable
}

var _ sqlstore.Dialect = dialect{}

// Begin waits for other writers, and for readers with an exclusive lock, as long as [patient]
// does.
func (dialect) Begin(ctx context.Context, conn *sql.Conn, writing bool) (tx *sql.Tx, err error) {
	err = patient(ctx, func() error {
		tx, err = beginOnce(ctx, conn, writing)
		return err
	})
	return tx, err
}

// beginOnce begins a transaction, or fails if it is locked.
func beginOnce(ctx context.Context, conn *sql.Conn, writing bool) (*sql.Tx, error) {
	if writing {
		return conn.BeginTx(ctx, nil) // takes the write lock: see _txlock in [dataSource]
	}
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	// The first read fixes the state that a transaction sees.
	var objects int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&objects); err != nil {
		tx.Rollback()
		return nil, err
	}
	return tx, nil
}

// patience is the maximum time to wait for a lock.
const patience = 5 * time.Second

// patient retries a function that fails because of a lock, until it succeeds or patience or ctx
// ends. SQLite's own busy timeout ignores the context, so it is set to a fraction of a second.
func patient(ctx context.Context, try func() error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		err := try()
		if !locked(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func locked(err error) bool {
	if errors.Is(err, errBusy) {
		return true
	}
	var failure *driver.Error
	if !errors.As(err, &failure) {
		return false
	}
	code := failure.Code() & 0xff
	return code == sqlite3.SQLITE_BUSY || code == sqlite3.SQLITE_LOCKED
}

// Usable checks that the file at the path is the opened one. SQLite continues to use a removed
// file, where writes would be lost.
func (d dialect) Usable() error {
	now, err := os.Stat(d.path)
	if err != nil {
		return fmt.Errorf("the file of the store is gone: %w", err)
	}
	if !os.SameFile(d.opened, now) {
		return fmt.Errorf("%w: the file at %s was replaced after the store was opened", store.ErrReplaced, d.path)
	}
	if d.frozen && (now.Size() != d.opened.Size() || !now.ModTime().Equal(d.opened.ModTime()) || logged(d.path)) {
		return fmt.Errorf("%s was changed after it was opened read-only", d.path)
	}
	if now.Size() < d.opened.Size() {
		return d.shrunk(now.Size())
	}
	return nil
}

// shrunk returns an error if a shorter file was truncated. After a prune the file is shorter too,
// but complete. Only SQLite may open the file: if a process closes any descriptor of a file, it loses all
// its locks (https://sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_),
// and another process would delete the log that this one writes to.
func (d dialect) shrunk(size int64) error {
	cut := fmt.Errorf("%w: the file was cut off from %d bytes to %d", store.ErrCorrupt, d.opened.Size(), size)
	if size == 0 {
		return cut
	}
	dsn, err := dataSource(d.path, sqlstore.Read, true)
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return err
	}
	defer db.Close()
	var objects int
	err = db.QueryRow(`SELECT count(*) FROM sqlite_schema`).Scan(&objects) // fails for fewer pages than the header says
	if failure, is := errors.AsType[*driver.Error](err); is && failure.Code()&0xff == sqlite3.SQLITE_CORRUPT {
		return cut
	}
	return err
}

func (dialect) Append(
	ctx context.Context, tx *sqlstore.Tx, table string, columns []string, rows iter.Seq2[[]any, error],
) error {
	places := strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ")
	insert, err := tx.PrepareContext(ctx, `INSERT INTO `+table+` (`+strings.Join(columns, ", ")+`) VALUES (`+places+`)`)
	if err != nil {
		return err
	}
	defer insert.Close()
	for values, err := range rows {
		if err != nil {
			return err
		}
		if _, err := insert.ExecContext(ctx, values...); err != nil {
			return err
		}
	}
	return nil
}

func (dialect) Integrity(ctx context.Context, db *sql.DB) error {
	var result string
	if err := db.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&result); err != nil {
		return err
	}
	if result != "ok" {
		return fmt.Errorf("%w: %s", store.ErrCorrupt, strings.Join(strings.Fields(result), " "))
	}
	return nil
}

// Prune is [sqlstore.Store.Prune], and returns free space to the file system. It rewrites the
// file, which temporarily needs as much space again; servers continue to read it.
func (s *Store) Prune(ctx context.Context, before int64) (store.Pruned, error) {
	size := s.size()
	pruned, err := s.Store.Prune(ctx, before)
	if err != nil || pruned.Revisions == 0 {
		return pruned, err
	}
	if err := s.shrink(ctx); err != nil {
		return pruned, fmt.Errorf("the revisions are removed, and the file %s could not be made smaller: %w", s.path, explain(err))
	}
	pruned.Freed = max(0, size-s.size())
	return pruned, nil
}

// Purge is [sqlstore.Store.Purge], and rewrites the file, so that it has no bytes of the record.
func (s *Store) Purge(ctx context.Context, base int64, kind domain.Kind, keys []string, note store.Note) (store.Purged, error) {
	purged, err := s.Store.Purge(ctx, base, kind, keys, note)
	if err != nil {
		return purged, err
	}
	if err := s.shrink(ctx); err != nil {
		return purged, fmt.Errorf("the record is removed, and free space of the file %s may still have its bytes; run vitrine purge again: %w", s.path, explain(err))
	}
	return purged, nil
}

func (s *Store) shrink(ctx context.Context) error {
	err := patient(ctx, func() error {
		_, err := s.anchor.ExecContext(ctx, `VACUUM`)
		return err
	})
	if err != nil {
		return err
	}
	// The log keeps the changes until no reader needs the previous state.
	return patient(ctx, func() error {
		var busy, log, moved int
		if err := s.anchor.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &log, &moved); err != nil {
			return err
		}
		if busy != 0 {
			return errBusy
		}
		return nil
	})
}

// errBusy reports that other processes were reading the whole time.
var errBusy = errors.New("other processes kept reading; the file shrinks when they are done")

// size returns the size of the file and its log in bytes.
func (s *Store) size() int64 {
	var bytes int64
	for _, suffix := range suffixes() {
		if info, err := os.Stat(s.path + suffix); err == nil && suffix != "-shm" {
			bytes += info.Size()
		}
	}
	return bytes
}

// Explain adds the remedy to errors of the file.
func (dialect) Explain(err error) error { return explain(err) }

// diskFull returns the remedy for a full disk: SQLite needs space for its log even to delete.
const diskFull = "the disk is full: free some space, or move the database to another disk (docs/publishing.md#retention)"

func explain(err error) error {
	var failure *driver.Error
	if !errors.As(err, &failure) {
		return err
	}
	if failure.Code() == sqlite3.SQLITE_IOERR_SHMSIZE { // reading needs some space too
		return fmt.Errorf("%s: %w", diskFull, err)
	}
	switch failure.Code() & 0xff { // the low byte is the primary code
	case sqlite3.SQLITE_CORRUPT:
		return fmt.Errorf("%w: %w", store.ErrCorrupt, err)
	case sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%w: it is not a SQLite database; choose another path: %w", store.ErrCorrupt, err)
	case sqlite3.SQLITE_CANTOPEN:
		return fmt.Errorf("it cannot be opened or created; see that its folder exists and may be written to: %w", err)
	case sqlite3.SQLITE_BUSY:
		return fmt.Errorf("another process has been writing to it for too long; try again: %w", err)
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%s: %w", diskFull, err)
	case sqlite3.SQLITE_READONLY:
		return fmt.Errorf("it may not be written to: %w", err)
	}
	return err
}
