package cli

import (
	"database/sql"
	"path/filepath"
	"testing"

	"vitrine/internal/logtest"
)

// TestServerOnThePreviousSchema checks that a server uses a store of the previous schema, names the
// remedy once, and leaves the schema to `vitrine migrate`.
func TestServerOnThePreviousSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	from, err := newServed("sqlite:"+path, "off")
	if err != nil {
		t.Fatal(err)
	}
	if status, out := runCommand("migrate", "--store", from.dsn); status != 0 {
		t.Fatal(out)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), `DROP TABLE task; UPDATE schema_version SET version = 1`); err != nil {
		t.Fatal(err)
	}
	var log logtest.Lines
	open := from.opener(log.Logger())
	opened := func() int {
		t.Helper()
		s, err := open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		schema, err := s.Schema(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return schema.Version
	}
	if version := opened(); version != 1 {
		t.Errorf("the server migrated the store to schema %d", version)
	}
	opened()
	log.Want(t, `schema=1 newest=2 remedy="once all servers have this version, run vitrine migrate`)
	if status, out := runCommand("migrate", "--store", from.dsn); status != 0 || out != "the store has schema 2, that of this version\n" {
		t.Errorf("status %d\n%s", status, out)
	}
	if version := opened(); version != 2 {
		t.Errorf("schema %d after a migration", version)
	}
	log.Want(t)
}
