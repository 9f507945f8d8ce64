package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/store"
	"vitrine/internal/store/postgres"
	"vitrine/internal/store/sqlstore"
)

func open(t *testing.T, dsn string) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// rich returns a catalogue with records that tests damage.
func rich() *domain.Catalog {
	text := func(value string) domain.Text { return domain.Text{{Locale: "en", Value: value}} }
	return &domain.Catalog{
		Title: text("Rich"), DefaultLocale: "en", Locales: []string{"en"},
		Chains: []domain.Chain{{Slug: "ethereum", ChainID: "1", Name: text("Ethereum")}, {Slug: "base", ChainID: "8453", Name: text("Base")}},
	}
}

func publish(t *testing.T, s store.Store, base int64) {
	t.Helper()
	if _, err := s.Publish(t.Context(), base, store.Draft{Catalog: rich()}); err != nil {
		t.Fatal(err)
	}
}

func TestConcurrentOpensOfANewSchema(t *testing.T) {
	dsn := schema(t)
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			s, err := postgres.Open(t.Context(), dsn)
			if err != nil {
				t.Error(err)
				return
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// TestNewerSchemas checks that a newer compatible schema is used unchanged, and that an
// incompatible one is refused, also after opening.
func TestNewerSchemas(t *testing.T) {
	dsn := schema(t)
	running := open(t, dsn)
	publish(t, running, 0)
	statements(t, dsn,
		`UPDATE schema_version SET version = 9, min_reader = 1`,
		`ALTER TABLE record ADD COLUMN colour text NOT NULL DEFAULT 'red'`,
		`ALTER TABLE revision ADD COLUMN signature bytea`,
		`CREATE TABLE stamp (id bigint PRIMARY KEY)`,
	)
	for i, s := range []*postgres.Store{running, open(t, dsn)} {
		publish(t, s, int64(i+1))
		if err := s.Check(t.Context()); err != nil {
			t.Error(err)
		}
	}
	statements(t, dsn, `UPDATE schema_version SET min_reader = 9`)
	const want = "a newer Vitrine wrote it (schema 9, for programs that know schema 9; this one knows up to 2)"
	if _, err := running.Load(t.Context(), 0); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Load() error = %v", err)
	}
	if _, err := running.Publish(t.Context(), 3, store.Draft{Catalog: rich()}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Publish() error = %v", err)
	}
	if s, err := postgres.Open(t.Context(), dsn); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Open() = %v, %v", s, err)
	}
}

// TestSchemaAndRights checks the default schema, and that an existing schema needs no right to
// create one.
func TestSchemaAndRights(t *testing.T) {
	dsn := schema(t)
	open(t, dsn)
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	name := u.Query().Get("search_path")
	role := name + "_role"
	statements(t, server(t),
		`CREATE ROLE `+role+` LOGIN PASSWORD 'x'`,
		`GRANT USAGE ON SCHEMA `+name+` TO `+role,
		`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA `+name+` TO `+role,
	)
	t.Cleanup(func() { statements(t, server(t), `DROP OWNED BY `+role, `DROP ROLE `+role) })
	u.User = url.UserPassword(role, "x")
	publish(t, open(t, u.String()), 0)
}

// schemaOf returns the name of the schema of a DSN.
func schemaOf(t *testing.T, dsn string) string {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query().Get("search_path")
}

// role creates a role that is dropped when the test ends, and returns its name and DSN.
func role(t *testing.T, dsn string) (name, as string) {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	name = schemaOf(t, dsn) + "_reader"
	statements(t, server(t), `CREATE ROLE `+name+` LOGIN PASSWORD 'x'`)
	t.Cleanup(func() { statements(t, server(t), `DROP OWNED BY `+name, `DROP ROLE `+name) })
	u.User = url.UserPassword(name, "x")
	return name, u.String()
}

// TestOpenAs checks that opening an existing store creates no schema and, for reading,
// migrates none.
func TestOpenAs(t *testing.T) {
	dsn := schema(t)
	for _, mode := range []sqlstore.Mode{sqlstore.Read, sqlstore.Write} {
		s, err := postgres.OpenAs(t.Context(), dsn, mode)
		if s != nil || !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "there is no store in the schema "+schemaOf(t, dsn)+" of postgres://") {
			t.Errorf("an empty database: %v, %v", s, err)
		}
	}
	if n := tables(t, dsn); n != -1 {
		t.Errorf("a schema of %d tables was created", n)
	}

	publish(t, open(t, dsn), 0)
	reader, asReader := role(t, dsn)
	if s, err := postgres.OpenAs(t.Context(), asReader, sqlstore.Read); s != nil || err == nil || !strings.Contains(err.Error(), "this user may not look into the schema") {
		t.Errorf("a hidden schema: %v, %v", s, err)
	}
	statements(t, dsn,
		`GRANT USAGE ON SCHEMA `+schemaOf(t, dsn)+` TO `+reader,
		`GRANT SELECT ON ALL TABLES IN SCHEMA `+schemaOf(t, dsn)+` TO `+reader,
	)
	next := sqlstore.Schema{Files: fstest.MapFS{"schema_3.sql": {Data: []byte(`DROP TABLE released`)}}, Version: 3}
	const old = "this user may not migrate it: run vitrine migrate"
	if s, err := postgres.OpenWith(t.Context(), asReader, sqlstore.Opening{Mode: sqlstore.Migrate, Schema: next}); s != nil || err == nil || !strings.Contains(err.Error(), old) {
		t.Errorf("an old schema without the right to change it: %v, %v", s, err)
	}
}

// tables returns the number of tables in the schema of a DSN, -1 if there is no schema.
func tables(t *testing.T, dsn string) (n int) {
	t.Helper()
	db, err := sqlOpen(dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.QueryRowContext(t.Context(), `SELECT coalesce((SELECT (SELECT count(*) FROM pg_class WHERE relnamespace = n.oid)
		FROM pg_namespace n WHERE nspname = $1), -1)`, schemaOf(t, dsn)).Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestReaderNeedsOnlySelect checks that all queries of a server need only the right to SELECT, as
// docs/operating.md states.
func TestReaderNeedsOnlySelect(t *testing.T) {
	dsn := schema(t)
	publish(t, open(t, dsn), 0)
	reader, asReader := role(t, dsn)
	statements(t, dsn,
		`GRANT USAGE ON SCHEMA `+schemaOf(t, dsn)+` TO `+reader,
		`GRANT SELECT ON ALL TABLES IN SCHEMA `+schemaOf(t, dsn)+` TO `+reader,
	)
	s, err := postgres.OpenAs(t.Context(), asReader, sqlstore.Write)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	publish(t, open(t, dsn), 1)
	for what, ask := range map[string]func() error{
		"Head":     func() error { _, err := s.Head(t.Context()); return err },
		"Load":     func() error { _, err := s.Load(t.Context(), 0); return err },
		"Changes":  func() error { _, err := s.Changes(t.Context(), 1); return err },
		"History":  func() error { _, err := s.History(t.Context(), 0); return err },
		"Keys":     func() error { _, err := s.Keys(t.Context()); return err },
		"Versions": func() error { _, err := s.Versions(t.Context(), domain.KindChain, "base", 0); return err },
		"Check":    func() error { return s.Check(t.Context()) },
	} {
		if err := ask(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := s.Publish(t.Context(), 2, store.Draft{Catalog: rich()}); err == nil {
		t.Error("a user with SELECT only published")
	}
}

func TestDamagedRecordsAreCorrupt(t *testing.T) {
	for name, statement := range map[string]string{
		"another letter":      `UPDATE record SET body = replace(body, 'Base', 'Case') WHERE key = 'base'`,
		"another revision":    `UPDATE record SET revision = 0 WHERE key = 'base'`,
		"no catalogue row":    `DELETE FROM record WHERE kind = 'catalog'`,
		"another time":        `UPDATE revision SET published_at = 7`,
		"the head is missing": `DELETE FROM revision`,
	} {
		t.Run(name, func(t *testing.T) {
			dsn := schema(t)
			s := open(t, dsn)
			publish(t, s, 0)
			if err := s.Check(t.Context()); err != nil {
				t.Fatal(err)
			}
			statements(t, dsn, statement)
			if _, err := s.Load(t.Context(), 0); err == nil {
				t.Error("it was loaded")
			}
			if err := s.Check(t.Context()); !errors.Is(err, store.ErrCorrupt) {
				t.Errorf("Check() error = %v, want ErrCorrupt", err)
			}
		})
	}
}

// TestLockedTable checks that a waiting writer returns when its context ends.
func TestLockedTable(t *testing.T) {
	dsn := schema(t)
	s := open(t, dsn)
	publish(t, s, 0)
	locked, release := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	defer wg.Wait()
	defer close(release)
	wg.Go(func() { lock(t, dsn, locked, release) })
	<-locked
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := s.Publish(ctx, 1, store.Draft{Catalog: rich()}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Publish() error = %v, want context.DeadlineExceeded", err)
	}
	if _, err := s.Load(t.Context(), 0); err != nil {
		t.Errorf("a reader waits for a writer: %v", err)
	}
}

func lock(t *testing.T, dsn string, locked, release chan struct{}) {
	defer close(locked)
	db, err := sqlOpen(dsn)
	if err != nil {
		t.Error(err)
		return
	}
	defer db.Close()
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Error(err)
		return
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(t.Context(), `LOCK TABLE revision IN SHARE ROW EXCLUSIVE MODE`); err != nil {
		t.Error(err)
	}
	locked <- struct{}{}
	<-release
}

// TestSilentServer checks that a server that does not respond is detected in time.
func TestSilentServer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err = postgres.Open(ctx, fmt.Sprintf("postgres://u:s3cr3t@%s/db", listener.Addr()))
	if err == nil || strings.Contains(err.Error(), "s3cr3t") {
		t.Errorf("error %v, want one without the password", err)
	}
}

// TestPasswordsAreNotShown checks the errors of malformed DSNs.
func TestPasswordsAreNotShown(t *testing.T) {
	for _, dsn := range []string{
		"postgres://u:s3cr3t@127.0.0.1:1/db",
		"postgres://u:s3cr3t@127.0.0.1:1/db?sslmode=require",
		"postgres://u:s3cr3t@127.0.0.1:port/db",
		"postgres://u:s3cr3t@host name/db",
		"postgres://u:s3cr3t@[::1/db",
		"postgres://u:s3cr3t/s3cr3t@host/db",
		"postgres://u:s3cr3t#s3cr3t@host/db",
		"postgres://u:s3cr3t?s3cr3t@host/db",
		"postgres://u:s3cr3t%zzs3cr3t@host/db",
		"postgres://u:s3cr3t s3cr3t@127.0.0.1:1/db",
		"postgres://u:s3cr3t\x7f@host/db",
		"postgres://127.0.0.1:1/db?user=u&password=s3cr3t",
		"postgres://127.0.0.1:1/db?user=u&password=s3cr3t&sslmode=no",
		"postgres://127.0.0.1:1/db?user=u&password=s3cr3t&connect_timeout=x",
		"postgres://u:s3cr3t@127.0.0.1:1/db?search_path=a,b",
		"postgres://u:s3cr3t@127.0.0.1:1/db?sslmode=verify-full&sslrootcert=/missing",
		"host=127.0.0.1 port=1 user=u password=s3cr3t dbname=db",
		"host=127.0.0.1 port=x user=u password='s3cr3t s3cr3t",
	} {
		s, err := postgres.Open(t.Context(), dsn)
		if err == nil {
			s.Close()
			t.Errorf("%s was opened", dsn)
			continue
		}
		if strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("the password is in %q", err)
		}
		for e := err; e != nil; e = errors.Unwrap(e) {
			if strings.Contains(fmt.Sprintf("%+v %#v", e, e), "s3cr3t") {
				t.Errorf("the password is in %#v", e)
			}
		}
	}
}
