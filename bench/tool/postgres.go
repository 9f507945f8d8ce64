package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// postgresSetup describes the configuration of PostgreSQL. The memory of the server is that of
// its operator.
const postgresSetup = "pg_trgm, GIN over the folded texts, vacuumed and analysed; LIKE; a plan for each search; jit off, work_mem 64MB, random_page_cost 1.1"

type postgresEngine struct {
	conn   *pgx.Conn
	schema string
}

// openPostgres fills a schema of its own, which close drops.
func openPostgres(ctx context.Context, dsn string, documents []document) (_ engine, setup string, err error) {
	if dsn == "" {
		return nil, "", errors.New("no DSN")
	}
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return nil, "", err
	}
	e := &postgresEngine{conn, "vitrine_bench_" + strings.ToLower(rand.Text())}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.close())
		}
	}()
	if err := e.fill(ctx, documents); err != nil {
		return nil, "", err
	}
	var version string
	if err := conn.QueryRow(ctx, "SELECT 'PostgreSQL ' || current_setting('server_version') || ', shared_buffers ' || current_setting('shared_buffers')").Scan(&version); err != nil {
		return nil, "", err
	}
	return e, version + "; " + postgresSetup, nil
}

func (e *postgresEngine) fill(ctx context.Context, documents []document) error {
	if err := e.exec(ctx,
		"CREATE SCHEMA "+e.schema,
		"SET search_path = "+e.schema+", public",
		"CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA "+e.schema,
		// The extension may be in another schema, such as that of an interrupted run.
		"SELECT set_config('search_path', format('%s, %s', current_setting('search_path'), extnamespace::regnamespace), false) FROM pg_extension WHERE extname = 'pg_trgm'",
		"CREATE TABLE accounts (rank integer, folded text, body bytea)",
	); err != nil {
		return err
	}
	rows := pgx.CopyFromSlice(len(documents), func(i int) ([]any, error) {
		return []any{documents[i].rank, documents[i].folded, documents[i].body}, nil
	})
	if _, err := e.conn.CopyFrom(ctx, pgx.Identifier{e.schema, "accounts"}, []string{"rank", "folded", "body"}, rows); err != nil {
		return err
	}
	return e.exec(ctx,
		"SET maintenance_work_mem = '512MB'",
		"ALTER TABLE accounts ADD PRIMARY KEY (rank)",
		"CREATE INDEX ON accounts USING gin (folded gin_trgm_ops)",
		"VACUUM ANALYZE accounts",
		"SET jit = off", "SET work_mem = '64MB'", "SET random_page_cost = 1.1", "SET plan_cache_mode = force_custom_plan",
	)
}

func (e *postgresEngine) exec(ctx context.Context, statements ...string) error {
	for _, s := range statements {
		if _, err := e.conn.Exec(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

// conditions returns the condition that a text contains all terms.
func conditions(terms []string) (string, []any) {
	escape := strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`)
	var and []string
	var values []any
	for i, t := range terms {
		and = append(and, fmt.Sprintf("folded LIKE $%d", i+1))
		values = append(values, "%"+escape.Replace(t)+"%")
	}
	return strings.Join(and, " AND "), values
}

func (e *postgresEngine) page(ctx context.Context, terms []string) ([]byte, error) {
	where, values := conditions(terms)
	return e.list(ctx, where+" ORDER BY rank", values)
}

// best sorts by the number of trigrams that the best part of the texts shares with the terms.
func (e *postgresEngine) best(ctx context.Context, terms []string) ([]byte, error) {
	where, values := conditions(terms)
	values = append(values, strings.Join(terms, " "))
	return e.list(ctx, where+fmt.Sprintf(" ORDER BY word_similarity($%d, folded) DESC, rank", len(values)), values)
}

func (e *postgresEngine) list(ctx context.Context, where string, values []any) ([]byte, error) {
	rows, err := e.conn.Query(ctx, "SELECT body FROM accounts WHERE "+where+fmt.Sprintf(" LIMIT %d", page), values...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	body := []byte(`{"users":[`)
	for n := 0; rows.Next(); n++ {
		if n > 0 {
			body = append(body, ',')
		}
		body = append(body, rows.RawValues()[0]...) // bytea is raw in pgx's binary format
	}
	return append(body, "]}"...), rows.Err()
}

func (e *postgresEngine) count(ctx context.Context, terms []string) (int, error) {
	where, values := conditions(terms)
	var n int
	return n, e.conn.QueryRow(ctx, "SELECT count(*) FROM accounts WHERE "+where, values...).Scan(&n)
}

// close drops the schema, also after an interruption.
func (e *postgresEngine) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_, err := e.conn.Exec(ctx, "DROP SCHEMA IF EXISTS "+e.schema+" CASCADE")
	return errors.Join(err, e.conn.Close(ctx))
}
