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

// Schema returns the schema that this version knows.
func Schema() sqlstore.Schema { return sqlstore.Schema{Files: schemaFiles, Version: 2} }

// plainName matches the supported names of schemas, which need no quotes.
var plainName = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,62}$`)

// Open opens the store of a database, `postgres://user:password@host/database`, in the schema
// `vitrine` or that of `?search_path=NAME`. It creates a missing schema, which needs the right
// CREATE on the database, and migrates none. Errors never contain the password.
//
// Defaults of the DSN: connecting takes 5 seconds at most, waiting for another writer 5
// seconds, a statement 2 minutes, and the server ends transactions that are idle for a minute.
func Open(ctx context.Context, dsn string) (*Store, error) {
	return OpenAs(ctx, dsn, sqlstore.Make)
}

// OpenAs is [Open] with a mode. Unless that creates, the error for a missing store wraps
// [fs.ErrNotExist], and nothing is written. With [sqlstore.Read], the right to SELECT is enough.
func OpenAs(ctx context.Context, dsn string, mode sqlstore.Mode) (*Store, error) {
	return OpenWith(ctx, dsn, sqlstore.Opening{Mode: mode, Schema: Schema()})
}

// OpenWith is [OpenAs] with a schema, which may be of another version.
func OpenWith(ctx context.Context, dsn string, how sqlstore.Opening) (*Store, error) {
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

// noStore returns the error for a schema without a store.
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
	db.SetMaxOpenConns(4) // poller, loader, publisher and a spare one
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
		// Not %w: the driver's error has the whole DSN.
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

// redacted returns an error without the password of a DSN. An error that contains the password is
// replaced by its text, so that it cannot be unwrapped.
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

// secrets returns the passwords of a DSN, percent-encoded and decoded. For a malformed URL it
// returns everything that may be a password.
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
		// URL parsers quote only a part of malformed input.
		for _, part := range strings.FieldsFunc(password, func(r rune) bool { return strings.ContainsRune("/?#@:%", r) }) {
			if len(part) >= 3 { // shorter parts would make messages unreadable
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

// prepare creates or migrates the schema if necessary and allowed. Otherwise it only reads, which
// needs no right to write.
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
	err = migrate(ctx, db, schema, how)
	if denied(err) && created {
		return fmt.Errorf("this user may not migrate it: run vitrine migrate with a --store that names the owner of its tables: %w", err)
	}
	return err
}

// visible returns an error for a schema that the user may not use, which otherwise looks like a
// missing one.
func visible(ctx context.Context, db *sql.DB, schema string) error {
	var hidden bool
	err := db.QueryRowContext(ctx,
		`SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1 AND NOT has_schema_privilege(oid, 'USAGE'))`, schema).Scan(&hidden)
	if err == nil && hidden {
		err = fmt.Errorf("this user may not look into the schema %[1]s: GRANT USAGE ON SCHEMA %[1]s, and SELECT on its tables, for reading", schema)
	}
	return err
}

// denied reports whether the server rejected a statement for lack of a right.
func denied(err error) bool {
	failure, ok := errors.AsType[*pgconn.PgError](err)
	return ok && failure.Code == "42501" // insufficient_privilege
}

func migrate(ctx context.Context, db *sql.DB, name string, how sqlstore.Opening) error {
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
	if must, err := how.MustMigrate(ctx, tx, created); err != nil || !must { // another process may have created it
		return err
	}
	if err := how.Schema.Migrate(ctx, tx, created); err != nil {
		return err
	}
	return tx.Commit()
}

// createSchema checks first whether the schema exists, because `IF NOT EXISTS` needs the right to
// create.
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
