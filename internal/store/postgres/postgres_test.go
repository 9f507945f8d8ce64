package postgres_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"net/url"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	// The driver closes a cancelled connection in the background, within 15 seconds.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/jackc/pgx/v5/pgconn.(*PgConn).asyncClose.func1"))
}

// server returns the DSN of a server to test against.
func server(t testing.TB) string {
	t.Helper()
	dsn := os.Getenv("VITRINE_TEST_POSTGRES")
	if dsn == "" {
		t.Skip("NOT TESTED: set VITRINE_TEST_POSTGRES=postgres://user:password@host/database to a server on which to create and drop schemas and roles")
	}
	return dsn
}

// schema returns the DSN of a new schema, which is dropped when the test ends.
func schema(t testing.TB) string {
	t.Helper()
	u, err := url.Parse(server(t))
	if err != nil {
		t.Fatal("VITRINE_TEST_POSTGRES is not a URL")
	}
	name := "vitrine_test_" + strings.ToLower(rand.Text())
	query := u.Query()
	query.Set("search_path", name)
	u.RawQuery = query.Encode()
	t.Cleanup(func() { statements(t, server(t), `DROP SCHEMA IF EXISTS `+name+` CASCADE`) })
	return u.String()
}

func statements(t testing.TB, dsn string, all ...string) {
	t.Helper()
	db, err := sqlOpen(dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range all {
		if _, err := db.ExecContext(context.Background(), statement); err != nil {
			t.Error(err)
		}
	}
}

func sqlOpen(dsn string) (*sql.DB, error) { return sql.Open("pgx", dsn) }
