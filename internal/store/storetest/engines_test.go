package storetest

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"vitrine/internal/store"
	"vitrine/internal/store/postgres"
	"vitrine/internal/store/sqlite"
	"vitrine/internal/store/sqlstore"
)

// engine is an engine under test.
type engine struct {
	name   string
	schema sqlstore.Schema
	create func(t testing.TB) string // returns the place of an empty database
	open   func(ctx context.Context, place string, how sqlstore.Opening) (checked, error)
	size   func(t testing.TB, place string) (bytes int64)
	has    func(t testing.TB, place, value string) bool // whether the files or rows have a text
}

var engines = []engine{
	{
		name: "sqlite", schema: sqlite.Schema(),
		create: func(t testing.TB) string { return filepath.Join(t.TempDir(), "vitrine.db") },
		open: func(ctx context.Context, path string, how sqlstore.Opening) (checked, error) {
			return sqlite.OpenWith(ctx, path, how)
		},
		size: func(t testing.TB, path string) (bytes int64) {
			for _, suffix := range []string{"", "-wal"} {
				if info, err := os.Stat(path + suffix); err == nil {
					bytes += info.Size()
				}
			}
			return bytes
		},
		has: func(t testing.TB, path, value string) bool { return bytes.Contains(files(t, path), []byte(value)) },
	},
	{
		name: "postgres", schema: postgres.Schema(),
		create: createSchema,
		open: func(ctx context.Context, dsn string, how sqlstore.Opening) (checked, error) {
			return postgres.OpenWith(ctx, dsn, how)
		},
		size: func(t testing.TB, dsn string) (bytes int64) {
			query(t, dsn, &bytes, `SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
				WHERE n.nspname = current_schema() AND c.relkind = 'r'`)
			return bytes
		},
		has: func(t testing.TB, dsn, value string) bool {
			total := 0
			for _, table := range []string{"revision", "record", "observation", "released", "task", "api_key"} {
				var n int
				query(t, dsn, &n, `SELECT count(*) FROM `+table+` r WHERE r::text LIKE '%' || $1 || '%'`, value)
				total += n
			}
			return total > 0
		},
	},
}

// files returns the bytes of a SQLite file and the files beside it.
func files(t testing.TB, path string) []byte {
	t.Helper()
	paths, err := filepath.Glob(path + "*")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	var all []byte
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data...)
	}
	return all
}

// createSchema returns the DSN of a new schema, which is dropped when the test ends.
func createSchema(t testing.TB) string {
	t.Helper()
	server := os.Getenv("VITRINE_TEST_POSTGRES")
	if server == "" {
		t.Skip("NOT TESTED: set VITRINE_TEST_POSTGRES=postgres://user:password@host/database to a server on which to create and drop schemas and roles")
	}
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal("VITRINE_TEST_POSTGRES is not a URL")
	}
	name := "vitrine_test_" + strings.ToLower(rand.Text())
	parameters := u.Query()
	parameters.Set("search_path", name)
	u.RawQuery = parameters.Encode()
	t.Cleanup(func() {
		db, err := sql.Open("pgx", server)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Exec(`DROP SCHEMA IF EXISTS ` + name + ` CASCADE`); err != nil {
			t.Error(err)
		}
	})
	return u.String()
}

// query scans the one value that a query of a PostgreSQL database returns.
func query(t testing.TB, dsn string, into any, statement string, args ...any) {
	t.Helper()
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow(statement, args...).Scan(into); err != nil {
		t.Fatal(err)
	}
}

// at returns the database at a place, whose missing schema is created.
func (e engine) at(place string) database {
	return func(ctx context.Context) (store.Store, error) {
		return e.open(ctx, place, sqlstore.Opening{Mode: sqlstore.Make, Schema: e.schema})
	}
}

// withSchema opens the database at a place with a schema.
func (e engine) withSchema(t *testing.T, place string) opener {
	return func(schema sqlstore.Schema, mode sqlstore.Mode) (store.Store, error) {
		return e.open(t.Context(), place, sqlstore.Opening{Mode: mode, Schema: schema})
	}
}

type opener func(schema sqlstore.Schema, mode sqlstore.Mode) (store.Store, error)

func TestMain(m *testing.M) {
	if name, place, ok := strings.Cut(os.Getenv(victimOf), " "); ok {
		victim(name, place)
	}
	// The driver of PostgreSQL closes a cancelled connection in the background, within 15 seconds.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/jackc/pgx/v5/pgconn.(*PgConn).asyncClose.func1"))
}

// each tests each engine.
func each(t *testing.T, test func(t *testing.T, e engine)) {
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) { test(t, e) })
	}
}

func TestConformance(t *testing.T) {
	each(t, func(t *testing.T, e engine) {
		e.create(t) // skips once for all subtests
		run(t, 60, func(t *testing.T) database { return e.at(e.create(t)) })
	})
}

// TestPreviousSchema runs the suite on stores of the previous schema.
func TestPreviousSchema(t *testing.T) {
	each(t, func(t *testing.T, e engine) {
		previous := sqlstore.Schema{Files: e.schema.Files, Version: e.schema.Version - 1}
		e.create(t) // skips once for all subtests
		run(t, 20, func(t *testing.T) database {
			place := e.create(t)
			s, err := e.withSchema(t, place)(previous, sqlstore.Make)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return e.at(place)
		})
	})
}

// TestEnginesAgree checks that the same history gives the same revisions.
func TestEnginesAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("a long history in one goroutine")
	}
	var all [][][]byte
	for _, e := range engines {
		all = append(all, play(t, e.at(e.create(t)), 7, 40))
	}
	if len(all[0]) != len(all[1]) {
		t.Fatalf("%d and %d revisions", len(all[0]), len(all[1]))
	}
	for i := range all[0] {
		if !bytes.Equal(all[0][i], all[1][i]) {
			t.Errorf("revision %d of %d differs\nSQLite:\n%s\nPostgreSQL:\n%s", i, len(all[0]), all[0][i], all[1][i])
		}
	}
}

// TestPurgeLeavesNothing checks that no file or row has a value of a purged record, also while the
// store is open.
func TestPurgeLeavesNothing(t *testing.T) {
	each(t, func(t *testing.T, e engine) {
		place := e.create(t)
		purgeAccount(t, e.at(place).Open(t))
		if e.has(t, place, purgedValue) {
			t.Error("the value is still there")
		}
	})
}
