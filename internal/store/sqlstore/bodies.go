package sqlstore

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// bodiesSchema is the schema since which bodies are as package recordjson writes
// them.
const bodiesSchema = 5

// bodiesAtOnce is how many bodies one statement writes. The driver of SQLite
// looks for each value among all of a statement, so more would take longer.
const bodiesAtOnce = 64

// rewriteBodies writes all bodies in the encoding of schema 5, with their
// checksums. A row that is damaged, or that this program cannot read, stays as it
// is: it was no better before.
func rewriteBodies(ctx context.Context, tx *sql.Tx) error {
	for _, kind := range domain.Kinds() {
		after := recordScan{row: store.Row{Kind: kind}}
		for {
			page, err := recordsAfter(ctx, tx, after)
			if err != nil {
				return err
			}
			if len(page) == 0 {
				break
			}
			after = page[len(page)-1]
			if err := writeBodies(ctx, tx, upgraded(page)); err != nil {
				return err
			}
		}
	}
	return nil
}

// recordsAfter returns the next rows of the kind of one, by key and revision. The
// first condition on keys is for SQLite, which would search all keys without.
func recordsAfter(ctx context.Context, tx *sql.Tx, after recordScan) ([]recordScan, error) {
	var page []recordScan
	var scan recordScan
	rows, err := tx.QueryContext(ctx, `SELECT kind, key, revision, position, body, origin, checksum FROM record
		WHERE kind = $1 AND key >= $2 AND (key > $2 OR revision > $3) ORDER BY key, revision LIMIT $4`,
		string(after.row.Kind), after.row.Key, after.revision, bodiesAtOnce)
	err = each(rows, err, scan.into(), func() error {
		page = append(page, scan)
		page[len(page)-1].row.Body = bytes.Clone(scan.row.Body)
		return nil
	})
	return page, err
}

// upgraded returns the rows whose bodies read otherwise now.
func upgraded(page []recordScan) []recordScan {
	var out []recordScan
	for _, r := range page {
		if r.row.Body == nil || r.damage() != nil {
			continue
		}
		body, err := store.UpgradeBody(r.row.Kind, r.row.Key, r.row.Body)
		if err != nil || bytes.Equal(body, r.row.Body) {
			continue
		}
		r.row.Body = body
		out = append(out, r)
	}
	return out
}

// writeBodies replaces the bodies of rows that are there. It is an insertion
// whose rows all conflict: of an update with a list of values SQLite makes a
// search through all rows for each.
func writeBodies(ctx context.Context, tx *sql.Tx, records []recordScan) error {
	if len(records) == 0 {
		return nil
	}
	var values strings.Builder
	var args []any
	for i, r := range records {
		if i > 0 {
			values.WriteString(", ")
		}
		n := len(args)
		fmt.Fprintf(&values, "($%d, $%d, $%d, $%d, $%d, $%d, $%d)", n+1, n+2, n+3, n+4, n+5, n+6, n+7)
		args = append(args, recordValues(r.row, r.revision)...)
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO record (`+strings.Join(recordColumns, ", ")+`) VALUES `+values.String()+`
		ON CONFLICT (kind, key, revision) DO UPDATE SET body = excluded.body, checksum = excluded.checksum`, args...)
	return err
}
