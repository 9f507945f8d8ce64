package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// sqliteSetup favours SQLite: an index without texts, row numbers in the order of the list, so
// that nothing is sorted, no disk, and prepared statements.
const sqliteSetup = "FTS5 of modernc.org/sqlite, tokenizer trigram, contentless and optimized; rowid is the place in the list; 1 GiB page cache and mmap; prepared"

type sqliteEngine struct {
	db                  *sql.DB
	pages, bests, total *sql.Stmt
}

func openSQLite(ctx context.Context, dir string, documents []document) (_ engine, setup string, err error) {
	db, err := sql.Open("sqlite", filepath.Join(dir, "search.db"))
	if err != nil {
		return nil, "", err
	}
	db.SetMaxOpenConns(1) // settings apply to one connection
	e := &sqliteEngine{db: db}
	defer func() {
		if err != nil {
			err = errors.Join(err, db.Close())
		}
	}()
	for _, statement := range []string{
		"PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA cache_size = -1048576", "PRAGMA mmap_size = 1073741824",
		"CREATE TABLE accounts (rank INTEGER PRIMARY KEY, body BLOB)",
		"CREATE VIRTUAL TABLE texts USING fts5(folded, content = '', tokenize = 'trigram case_sensitive 1')",
	} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return nil, "", fmt.Errorf("%s: %w", statement, err)
		}
	}
	if err := e.fill(ctx, documents); err != nil {
		return nil, "", err
	}
	if e.pages, err = db.PrepareContext(ctx, `SELECT body FROM accounts WHERE rank IN
		(SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rowid LIMIT 20) ORDER BY rank`); err != nil {
		return nil, "", err
	}
	if e.bests, err = db.PrepareContext(ctx, `SELECT body FROM accounts JOIN
		(SELECT rowid AS place, bm25(texts) AS score FROM texts WHERE texts MATCH ? ORDER BY score LIMIT 20)
		ON accounts.rank = place ORDER BY score`); err != nil {
		return nil, "", err
	}
	if e.total, err = db.PrepareContext(ctx, "SELECT count(*) FROM texts WHERE texts MATCH ?"); err != nil {
		return nil, "", err
	}
	return e, sqliteSetup, nil
}

func (e *sqliteEngine) fill(ctx context.Context, documents []document) (err error) {
	tx, err := e.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	bodies, err := tx.PrepareContext(ctx, "INSERT INTO accounts VALUES (?, ?)")
	if err != nil {
		return err
	}
	texts, err := tx.PrepareContext(ctx, "INSERT INTO texts (rowid, folded) VALUES (?, ?)")
	if err != nil {
		return err
	}
	for _, d := range documents {
		if _, err := bodies.ExecContext(ctx, d.rank, d.body); err != nil {
			return err
		}
		if _, err := texts.ExecContext(ctx, d.rank, d.folded); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO texts (texts) VALUES ('optimize')"); err != nil {
		return err
	}
	return tx.Commit()
}

// phrases returns the FTS5 query for all terms anywhere in a text.
func phrases(terms []string) string {
	quoted := make([]string, len(terms))
	for i, t := range terms {
		quoted[i] = `"` + strings.ReplaceAll(t, `"`, `""`) + `"`
	}
	return strings.Join(quoted, " AND ")
}

func (e *sqliteEngine) page(ctx context.Context, terms []string) ([]byte, error) {
	return list(ctx, e.pages, phrases(terms))
}

// best sorts by BM25.
func (e *sqliteEngine) best(ctx context.Context, terms []string) ([]byte, error) {
	return list(ctx, e.bests, phrases(terms))
}

func list(ctx context.Context, statement *sql.Stmt, match string) (_ []byte, err error) {
	rows, err := statement.QueryContext(ctx, match)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	body := []byte(`{"users":[`)
	for n := 0; rows.Next(); n++ {
		var row sql.RawBytes
		if err := rows.Scan(&row); err != nil {
			return nil, err
		}
		if n > 0 {
			body = append(body, ',')
		}
		body = append(body, row...)
	}
	return append(body, "]}"...), rows.Err()
}

func (e *sqliteEngine) count(ctx context.Context, terms []string) (int, error) {
	var n int
	return n, e.total.QueryRowContext(ctx, phrases(terms)).Scan(&n)
}

func (e *sqliteEngine) close() error { return e.db.Close() }
