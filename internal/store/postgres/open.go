package postgres

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"vitrine/internal/store"
	"vitrine/internal/store/sqlstore"
)

// defaultSchema is used where the DSN has no search_path.
const defaultSchema = "vitrine"

//go:embed schema_*.sql
var schemaFiles embed.FS

// opening returns how a store is opened by this program.
func opening(mode sqlstore.Mode) sqlstore.Opening {
	return sqlstore.Opening{Mode: mode, Schema: sqlstore.Schema{Files: schemaFiles, Version: 1}}
}

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
	return opened(ctx, dsn, opening(sqlstore.Make))
}

// OpenExisting is [Open] without making a store: where there is none, the error
// wraps [fs.ErrNotExist], and nothing was written. A store of an older schema is
// migrated or, where migrating is false, an error that says how to do that. So a
// user who may only SELECT can open a store of the newest schema.
func OpenExisting(ctx context.Context, dsn string, migrating bool) (*Store, error) {
	if migrating {
		return opened(ctx, dsn, opening(sqlstore.Upgrade))
	}
	return opened(ctx, dsn, opening(sqlstore.Leave))
}

func opened(ctx context.Context, dsn string, how sqlstore.Opening) (*Store, error) {
	s, err := open(ctx, dsn, how)
	if missing, ok := errors.AsType[noStore](err); ok {
		missing.dsn = store.RedactDSN(dsn)
		return nil, missing
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", store.RedactDSN(dsn), redacted(explain(err), dsn))
	}
	return s, nil
}

// noStore says that a schema holds no store.
type noStore struct{ schema, dsn string }

func (n noStore) Error() string {
	return fmt.Sprintf("there is no store in the schema %s of %s", n.schema, n.dsn)
}

func (noStore) Unwrap() error { return fs.ErrNotExist }

func open(ctx context.Context, dsn string, how sqlstore.Opening) (*Store, error) {
	config, err := configure(dsn)
	if err != nil {
		return nil, err
	}
	schema := config.RuntimeParams["search_path"]
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(4) // a poller, a loader, a publisher and one to spare
	db.SetMaxIdleConns(2)
	if err := prepare(ctx, db, schema, how); err != nil {
		db.Close()
		return nil, err
	}
	return &Store{sqlstore.New(db, dialect{}, how.Schema)}, nil
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

// secrets returns the passwords of a DSN, both percent-encoded as written and
// decoded. Where the URL cannot be parsed, it returns whatever could be a password.
func secrets(dsn string) []string {
	var all []string
	keep := func(secret string) {
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
		keep(password)
		// Readers of URLs quote only a part of what they cannot read.
		for _, part := range strings.FieldsFunc(password, func(r rune) bool { return strings.ContainsRune("/?#@:%", r) }) {
			if len(part) >= 3 { // or the message would not be readable
				keep(part)
			}
		}
	}
	if u, err := url.Parse(dsn); err == nil {
		for name, values := range u.Query() {
			if strings.Contains(strings.ToLower(name), "passw") {
				for _, v := range values {
					keep(v)
				}
			}
		}
	}
	return all
}

// prepare makes or migrates the schema if it must and may. One that is as it
// should be is only read, which needs no right to change it.
func prepare(ctx context.Context, db *sql.DB, schema string, how sqlstore.Opening) error {
	created, err := exists(ctx, db)
	if err != nil {
		return err
	}
	if !created {
		if err := visible(ctx, db, schema); err != nil {
			return err
		}
	}
	must, err := how.MustMigrate(ctx, db, created)
	if errors.Is(err, fs.ErrNotExist) {
		return noStore{schema: schema}
	}
	if err != nil || !must {
		return err
	}
	err = migrate(ctx, db, schema, how.Schema)
	if denied(err) && created {
		return fmt.Errorf("an older Vitrine wrote it, and this user may not migrate it: run vitrine migrate with a --store that names the owner of its tables: %w", err)
	}
	return err
}

// visible returns an error if there is a schema that the user may not look into:
// to the server it is as if there were none.
func visible(ctx context.Context, db *sql.DB, schema string) error {
	var hidden bool
	err := db.QueryRowContext(ctx,
		`SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1 AND NOT has_schema_privilege(oid, 'USAGE'))`, schema).Scan(&hidden)
	if err == nil && hidden {
		err = fmt.Errorf("this user may not look into the schema %[1]s: GRANT USAGE ON SCHEMA %[1]s, and SELECT on its tables, for reading", schema)
	}
	return err
}

// denied reports whether a server refused something for want of a right.
func denied(err error) bool {
	failure, ok := errors.AsType[*pgconn.PgError](err)
	return ok && failure.Code == "42501" // insufficient_privilege
}

func migrate(ctx context.Context, db *sql.DB, name string, schema sqlstore.Schema) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing once committed
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtext('vitrine'), hashtext($1))`, name); err != nil {
		return err
	}
	if err := createSchema(ctx, tx, name); err != nil {
		return err
	}
	created, err := exists(ctx, tx)
	if err != nil {
		return err
	}
	if err := schema.Migrate(ctx, tx, created); err != nil {
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
