package tables

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver
)

// WriteSQLite writes the tables into a new SQLite file. Its bytes depend on the version of SQLite. A
// table with texts has an external-content FTS5 table NAME_fts.
func WriteSQLite(ctx context.Context, path string, s *Source) (err error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	// The file is complete or discarded, so it needs neither a journal nor syncs.
	query := url.Values{"_pragma": {"journal_mode(off)", "synchronous(off)", "locking_mode(exclusive)", "cache_size(-65536)"}}
	name := url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: query.Encode()}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	for _, t := range tablesOf(s) {
		if err := t.insert(ctx, tx); err != nil {
			return errors.Join(fmt.Errorf("table %s: %w", t.name, err), tx.Rollback())
		}
	}
	return tx.Commit()
}

// insert creates the table with its rows, and then its indexes.
func (t table) insert(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, t.create()); err != nil {
		return err
	}
	insert, err := tx.PrepareContext(ctx, fmt.Sprintf("INSERT INTO %s VALUES (%s)", quoted(t.name), strings.TrimSuffix(strings.Repeat("?,", len(t.columns)), ",")))
	if err != nil {
		return err
	}
	defer insert.Close()
	err = t.rows(func(row []any) error {
		_, err := insert.ExecContext(ctx, row...)
		return err
	})
	if err != nil {
		return err
	}
	for _, statement := range t.indexes() {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// create returns the statement that creates the table.
func (t table) create() string {
	var parts, keys []string
	for _, c := range t.columns {
		part := quoted(c.name) + " TEXT"
		if c.number {
			part = quoted(c.name) + " REAL"
		}
		if c.refers != "" {
			part += " REFERENCES " + quoted(c.refers)
		}
		parts = append(parts, part)
		if c.key {
			keys = append(keys, quoted(c.name))
		}
	}
	if len(keys) > 0 {
		parts = append(parts, "PRIMARY KEY ("+strings.Join(keys, ", ")+")")
	}
	return fmt.Sprintf("CREATE TABLE %s (\n\t%s\n)", quoted(t.name), strings.Join(parts, ",\n\t"))
}

// indexes returns the statements that create the indexes of a filled table.
func (t table) indexes() []string {
	var statements, searched []string
	for _, c := range t.columns {
		if c.indexed {
			statements = append(statements, fmt.Sprintf("CREATE INDEX %s ON %s (%s)", quoted(t.name+"_by_"+c.name), quoted(t.name), quoted(c.name)))
		}
		if c.searched {
			searched = append(searched, quoted(c.name))
		}
	}
	if len(searched) == 0 {
		return statements
	}
	fts := quoted(t.name + "_fts")
	return append(statements,
		fmt.Sprintf("CREATE VIRTUAL TABLE %s USING fts5(%s, content=%s, tokenize=\"unicode61 remove_diacritics 2\")", fts, strings.Join(searched, ", "), quoted(t.name)),
		fmt.Sprintf("INSERT INTO %s(%s) VALUES ('rebuild')", fts, fts))
}

// quoted returns a name as an identifier.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
