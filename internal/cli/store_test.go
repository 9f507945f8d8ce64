package cli

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	neturl "net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/rogpeppe/go-internal/testscript"

	"vitrine/internal/domain"
	"vitrine/internal/store"
	"vitrine/internal/store/sqlstore"
)

// TestStoreScripts runs the scripts of commands that use a store.
func TestStoreScripts(t *testing.T) {
	runScripts(t, "testdata/store", func(env *testscript.Env) error {
		env.Setenv("VITRINE_STORE", "sqlite:"+filepath.Join(env.WorkDir, "my.db"))
		return nil
	})
}

// TestStoreScriptsPostgres runs the same scripts with PostgreSQL.
func TestStoreScriptsPostgres(t *testing.T) {
	server := postgresServer(t)
	runScripts(t, "testdata/store", func(env *testscript.Env) error {
		env.Setenv("VITRINE_STORE", newSchema(env.T().(testing.TB), server))
		return nil
	})
}

// postgresServer returns the DSN of a PostgreSQL server for tests.
func postgresServer(t *testing.T) string {
	t.Helper()
	dsn := os.Getenv("VITRINE_TEST_POSTGRES")
	if dsn == "" {
		t.Skip("NOT TESTED against PostgreSQL: set VITRINE_TEST_POSTGRES to the DSN of a server, such as postgres://postgres@127.0.0.1:5432/test")
	}
	return dsn
}

var schemas atomic.Int64

// newSchema returns a DSN with a new schema, which is dropped at the end of the test.
func newSchema(t testing.TB, dsn string) string {
	t.Helper()
	name := fmt.Sprintf("vitrine_cli_%d_%d", os.Getpid(), schemas.Add(1))
	t.Cleanup(func() {
		db, err := sql.Open("pgx", dsn)
		if err != nil {
			t.Error(err)
			return
		}
		defer db.Close()
		if _, err := db.ExecContext(context.Background(), "DROP SCHEMA IF EXISTS "+name+" CASCADE"); err != nil {
			t.Error(err)
		}
	})
	u, err := neturl.Parse(dsn)
	if err != nil {
		t.Fatal("VITRINE_TEST_POSTGRES is not a URL")
	}
	query := u.Query()
	query.Set("search_path", name)
	u.RawQuery = query.Encode()
	return u.String()
}

// observe KIND KEY FIGURE VALUE SOURCE DATE appends an observation like a sync.
func observeFigure(ts *testscript.TestScript, _ bool, args []string) {
	value, err := strconv.ParseFloat(args[3], 64)
	ts.Check(err)
	s, err := openStore(context.Background(), ts.Getenv("VITRINE_STORE"), sqlstore.Make)
	ts.Check(err)
	defer s.Close()
	head, err := s.Head(context.Background())
	ts.Check(err)
	_, err = s.Observe(context.Background(), head.Number, []store.Observation{{
		Observation: domain.Observation{
			Kind: domain.Kind(args[0]), Key: args[1], Figure: domain.FigureName(args[2]),
			Value: value, Source: args[4], AsOf: domain.Date(args[5]),
		},
		UpstreamID: "e-1",
	}}, store.Note{At: time.Now(), Op: store.OpSync, Actor: "script", Message: "a sync"})
	ts.Check(err)
}

// settle waits longer than the polling intervals of a server.
func settle(*testscript.TestScript, bool, []string) { time.Sleep(2500 * time.Millisecond) }

// TestConcurrentImports checks that each of several concurrent imports is published based on the
// revision it was compared with, or fails with a conflict.
func TestConcurrentImports(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { testImportsAtOnce(t, "sqlite:"+filepath.Join(t.TempDir(), "v.db")) })
	t.Run("postgres", func(t *testing.T) { testImportsAtOnce(t, newSchema(t, postgresServer(t))) })
}

func testImportsAtOnce(t *testing.T, dsn string) {
	const importers = 6
	begin := catalogDir(t, "Begin")
	if status, out := runCommand("import", begin, "--store", dsn); status != 0 {
		t.Fatalf("status %d\n%s", status, out)
	}
	var published atomic.Int64
	var running sync.WaitGroup
	for i := range importers {
		dir := catalogDir(t, "Shop "+strconv.Itoa(i))
		running.Go(func() {
			status, out := runCommand("import", dir, "--store", dsn, "--actor", "ann")
			switch {
			case status == 0 && strings.Contains(out, "\nrevision "):
				published.Add(1)
			case status == 1 && strings.Contains(out, "nothing was published: the changes were relative to revision ") &&
				strings.Contains(out, ", ann: import of ") && strings.HasSuffix(out, " was published meanwhile; run the command again\n"):
			default:
				t.Errorf("status %d\n%s", status, out)
			}
		})
	}
	running.Wait()
	s, err := openStore(t.Context(), dsn, sqlstore.Make)
	must(t, err)
	defer s.Close()
	head, err := s.Head(t.Context())
	if err != nil || head.Number != 1+published.Load() || published.Load() == 0 {
		t.Errorf("the head is %+v, %v; %d were published", head, err, published.Load())
	}
}

// catalogDir writes a catalogue with a title.
func catalogDir(t *testing.T, title string) string {
	t.Helper()
	return filepath.Dir(written(t, "catalog.yaml", "title: "+title+"\ndefault_locale: en\nlocales: [en]\n"))
}

// runCommand runs vitrine in this process and returns its status and output.
func runCommand(args ...string) (status int, out string) {
	var buffer bytes.Buffer
	status = run(context.Background(), args, streams{out: &buffer, err: &buffer})
	return status, buffer.String()
}
