package storetest

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"vitrine/internal/store"
	"vitrine/internal/store/sqlstore"
)

// TestMigration checks that a newer version of Vitrine uses a store of the current schema, and
// migrates it only on request.
func TestMigration(t *testing.T) {
	each(t, func(t *testing.T, e engine) {
		place := e.create(t)
		e.at(place).Open(t)
		migrates(t, e.schema, e.withSchema(t, place))
	})
}

func migrates(t *testing.T, current sqlstore.Schema, open opener) {
	version := current.Version + 1
	next := func(statements string) sqlstore.Schema {
		files := fstest.MapFS{fmt.Sprintf("schema_%d.sql", version): {Data: []byte(statements)}}
		return sqlstore.Schema{Files: files, Version: version}
	}
	mustOpen := func(schema sqlstore.Schema, mode sqlstore.Mode) store.Store {
		s, err := open(schema, mode)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	publish := func(s store.Store, base int64) error {
		_, err := s.Publish(t.Context(), base, store.Draft{Catalog: rich(), Note: store.Note{Op: store.OpImport}})
		return err
	}
	bump := fmt.Sprintf(`UPDATE schema_version SET version = %d`, version)
	const column = `ALTER TABLE record ADD COLUMN colour text; `

	running := mustOpen(current, sqlstore.Write)
	if err := publish(running, 0); err != nil {
		t.Fatal(err)
	}
	ahead := mustOpen(next(column+bump), sqlstore.Make) // migrates nothing
	schema, err := ahead.Schema(t.Context())
	if err := errors.Join(err, publish(ahead, 1), publish(running, 2)); err != nil {
		t.Errorf("publishes of both versions before the migration: %v", err)
	}
	equal(t, "the schema before the migration", store.Schema{Version: current.Version, Newest: version}, schema)
	if s, err := open(next(column+bump+`; DROP TABLE colours`), sqlstore.Migrate); err == nil {
		t.Errorf("a failing migration: %v", s)
	}
	migrated := mustOpen(next(column+bump), sqlstore.Migrate) // fails if the column exists already
	restarted := mustOpen(current, sqlstore.Make)
	if err := errors.Join(publish(migrated, 3), publish(ahead, 4), publish(running, 5), publish(restarted, 6)); err != nil {
		t.Errorf("publishes of both versions after the migration: %v", err)
	}
	if schema, err = restarted.Schema(t.Context()); err != nil {
		t.Error(err)
	}
	equal(t, "the schema after the migration", store.Schema{Version: version, Newest: current.Version}, schema)
	mustOpen(next("not executed again"), sqlstore.Migrate)

	version += 2
	older := fmt.Sprintf("an older Vitrine wrote it (schema %d; this one needs schema %d or %d)", version-2, version-1, version)
	for _, mode := range []sqlstore.Mode{sqlstore.Read, sqlstore.Write, sqlstore.Make} {
		if s, err := open(next(bump), mode); err == nil || !strings.Contains(err.Error(), older) || !strings.Contains(err.Error(), "run vitrine migrate") {
			t.Errorf("a schema two steps behind: %v, %v", s, err)
		}
	}

	version--
	mustOpen(next(fmt.Sprintf(`UPDATE schema_version SET version = %d, min_reader = %d`, version, version)), sqlstore.Migrate)
	newer := fmt.Sprintf("a newer Vitrine wrote it (schema %d, for programs that know schema %d; this one knows up to %d)", version, version, current.Version)
	for _, err := range []error{publish(running, 7), second(running.Load(t.Context(), 0)), second(open(current, sqlstore.Make))} {
		if err == nil || errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), newer) {
			t.Errorf("with an incompatible newer schema: %v", err)
		}
	}
}

// TestSteps checks that programs that know a schema can use a store of the next one: each step of the
// schema leaves min_reader below its number.
func TestSteps(t *testing.T) {
	each(t, func(t *testing.T, e engine) { steps(t, e.schema, e.withSchema(t, e.create(t))) })
}

func steps(t *testing.T, current sqlstore.Schema, open opener) {
	before := sqlstore.Schema{Files: current.Files, Version: 1}
	for step := range current.Version {
		schema := sqlstore.Schema{Files: current.Files, Version: step + 1}
		s, err := open(schema, sqlstore.Migrate)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		older, err := open(before, sqlstore.Write)
		if err != nil {
			t.Fatalf("schema %d excludes the version before: %v", schema.Version, err)
		}
		t.Cleanup(func() { older.Close() })
		before = schema
	}
}

func second[T any](_ T, err error) error { return err }
