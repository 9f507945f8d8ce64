package sqlstore

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"strings"

	"vitrine/internal/store"
)

// bodiesSchema is the schema since which bodies are as package recordjson writes
// them.
const bodiesSchema = 5

// bodiesAtOnce is how many bodies one statement writes: five values each, of
// which PostgreSQL takes 65,535 and SQLite 32,766.
const bodiesAtOnce = 1000

// rewriteBodies writes all bodies in the encoding of schema 5, with their
// checksums. A row that is damaged, or that this program cannot read, stays as it
// is: it was no better before.
func rewriteBodies(ctx context.Context, tx *sql.Tx) error {
	var after recordScan // the last row that was looked at
	for {
		page, err := recordsAfter(ctx, tx, after)
		if err != nil || len(page) == 0 {
			return err
		}
		after = page[len(page)-1]
		if err := writeBodies(ctx, tx, upgraded(page)); err != nil {
			return err
		}
	}
}

func recordsAfter(ctx context.Context, tx *sql.Tx, after recordScan) ([]recordScan, error) {
	var page []recordScan
	var scan recordScan
	rows, err := tx.QueryContext(ctx, `SELECT kind, key, revision, position, body, origin, checksum FROM record
		WHERE (kind, key, revision) > ($1, $2, $3) ORDER BY kind, key, revision LIMIT $4`,
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
		r.sum = recordSum(r.row, r.revision)
		out = append(out, r)
	}
	return out
}

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
		fmt.Fprintf(&values, "($%d, $%d, CAST($%d AS bigint), $%d, CAST($%d AS bigint))", n+1, n+2, n+3, n+4, n+5)
		args = append(args, string(r.row.Kind), r.row.Key, r.revision, string(r.row.Body), r.sum)
	}
	_, err := tx.ExecContext(ctx, `WITH v (kind, key, revision, body, checksum) AS (VALUES `+values.String()+`)
		UPDATE record SET body = v.body, checksum = v.checksum FROM v
		WHERE record.kind = v.kind AND record.key = v.key AND record.revision = v.revision`, args...)
	return err
}
