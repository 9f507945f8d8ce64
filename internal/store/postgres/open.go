package postgres

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"vitrine/internal/store"
	"vitrine/internal/store/sqlstore"
)

// defaultSchema is used where the DSN has no search_path.
const defaultSchema = "vitrine"

//go:embed schema_1.sql
var schema1 string

//go:embed schema_2.sql
var schema2 string

// steps returns the statements that lead from schema to schema.
func steps() []string { return []string{schema1, schema2} }

// plainName is what a schema may be called here: names that need no quotes.
var plainName = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,62}$`)

// Open opens the store of a database, `postgres://user:password@host/database`.
// It lives in the schema `vitrine` or, with `?search_path=NAME`, in that one,
// which is created if there is none: the user needs the right CREATE on the
// database for that, and none if somebody made the schema for it. Errors never
// hold the DSN's password.
//
// Where the DSN says nothing else, connecting takes 5 seconds at most, waiting
// for another writer 5 seconds, a statement 2 minutes, and a transaction in
// which nothing happens for a minute is ended by the server.
func Open(ctx context.Context, dsn string) (*Store, error) {
	s, err := open(ctx, dsn)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", store.RedactDSN(dsn), redacted(explain(err), dsn))
	}
	return s, nil
}

func open(ctx context.Context, dsn string) (*Store, error) {
	config, err := configure(dsn)
	if err != nil {
		return nil, err
	}
	schema := config.RuntimeParams["search_path"]
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(4) // a poller, a loader, a publisher and one to spare
	db.SetMaxIdleConns(2)
	if err := prepare(ctx, db, schema); err != nil {
		db.Close()
		return nil, err
	}
	return &Store{sqlstore.New(db, dialect{})}, nil
}

func configure(dsn string) (*pgx.ConnConfig, error) {
	if scheme, _, _ := strings.Cut(dsn, "://"); scheme != "postgres" && scheme != "postgresql" {
		return nil, errors.New("it is not a postgres:// URL")
	}
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		// Not %w: the driver's error holds the whole DSN.
		return nil, fmt.Errorf("it cannot be read as a postgres:// URL "+
			"(characters such as / : @ # in the user's name and password are percent-encoded there): %v", err)
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = 5 * time.Second
	}
	for name, value := range map[string]string{
		"application_name":                    "vitrine",
		"search_path":                         defaultSchema,
		"lock_timeout":                        "5s",
		"statement_timeout":                   "120s",
		"idle_in_transaction_session_timeout": "60s",
	} {
		if config.RuntimeParams[name] == "" {
			config.RuntimeParams[name] = value
		}
	}
	if schema := config.RuntimeParams["search_path"]; !plainName.MatchString(schema) {
		return nil, fmt.Errorf("search_path is %q: give the name of one schema, of lower-case letters, digits and _", schema)
	}
	return config, nil
}

// redacted returns an error without the password of a DSN. One that has it
// loses its type: what holds a password must not be unwrapped.
func redacted(err error, dsn string) error {
	text := err.Error()
	for _, secret := range secrets(dsn) {
		text = strings.ReplaceAll(text, secret, "***")
	}
	if text == err.Error() {
		return err
	}
	return errors.New(text)
}

// secrets returns the passwords of a DSN, as they are written and as they are
// meant. Of a URL that cannot be read all is secret that could be one.
func secrets(dsn string) []string {
	var all []string
	add := func(secret string) {
		if secret == "" {
			return
		}
		all = append(all, secret)
		if meant, err := url.PathUnescape(secret); err == nil && meant != secret {
			all = append(all, meant)
		}
	}
	_, rest, _ := strings.Cut(dsn, "://")
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		_, password, _ := strings.Cut(rest[:at], ":")
		add(password)
		// Readers of URLs quote only a part of what they cannot read.
		for _, part := range strings.FieldsFunc(password, func(r rune) bool { return strings.ContainsRune("/?#@:%", r) }) {
			if len(part) >= 3 { // or the message would not be readable
				add(part)
			}
		}
	}
	if u, err := url.Parse(dsn); err == nil {
		for name, values := range u.Query() {
			if strings.Contains(strings.ToLower(name), "passw") {
				for _, v := range values {
					add(v)
				}
			}
		}
	}
	return all
}

// prepare migrates the schema if it must. One that is as it should be is only
// read, which needs no right to change it.
func prepare(ctx context.Context, db *sql.DB, schema string) error {
	created, err := exists(ctx, db)
	if err != nil {
		return err
	}
	if created {
		if current, err := sqlstore.Compatible(ctx, db); err != nil || current {
			return err
		}
	}
	return migrate(ctx, db, schema)
}

func migrate(ctx context.Context, db *sql.DB, schema string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing once committed
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtext('vitrine'), hashtext($1))`, schema); err != nil {
		return err
	}
	if err := createSchema(ctx, tx, schema); err != nil {
		return err
	}
	created, err := exists(ctx, tx)
	if err != nil {
		return err
	}
	if err := sqlstore.Migrate(ctx, tx, created, steps()); err != nil {
		return err
	}
	return tx.Commit()
}

// createSchema asks first: `IF NOT EXISTS` alone needs the right to create.
func createSchema(ctx context.Context, tx *sql.Tx, schema string) error {
	var there bool
	err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1)`, schema).Scan(&there)
	if err != nil || there {
		return err
	}
	_, err = tx.ExecContext(ctx, `CREATE SCHEMA `+pgx.Identifier{schema}.Sanitize())
	return err
}

// exists reports whether the schema holds a store.
func exists(ctx context.Context, q sqlstore.Querier) (bool, error) {
	var there bool
	err := q.QueryRowContext(ctx, `SELECT to_regclass('schema_version') IS NOT NULL`).Scan(&there)
	return there, err
}
