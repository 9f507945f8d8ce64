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

// Migration checks that a newer version of Vitrine migrates a store of the current schema. open
// opens the same existing store with a schema.
func Migration(t *testing.T, current sqlstore.Schema, open func(schema sqlstore.Schema, migrating bool) (store.Store, error)) {
	t.Helper()
	version := current.Version + 1
	next := func(statements string) sqlstore.Schema {
		files := fstest.MapFS{fmt.Sprintf("schema_%d.sql", version): {Data: []byte(statements)}}
		return sqlstore.Schema{Files: files, Version: version}
	}
	mustOpen := func(schema sqlstore.Schema, migrating bool) store.Store {
		s, err := open(schema, migrating)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	publish := func(s store.Store, base int64) error {
		_, err := s.Publish(t.Context(), base, store.Draft{Catalog: Rich(), Note: store.Note{Op: store.OpImport}})
		return err
	}
	bump := fmt.Sprintf(`UPDATE schema_version SET version = %d`, version)
	const column = `ALTER TABLE record ADD COLUMN colour text; `

	running := mustOpen(current, true)
	if err := publish(running, 0); err != nil {
		t.Fatal(err)
	}
	older := fmt.Sprintf("an older Vitrine wrote it (schema %d; this one needs schema %d)", current.Version, version)
	if s, err := open(next(column+bump), false); err == nil || !strings.Contains(err.Error(), older) || !strings.Contains(err.Error(), "run vitrine migrate") {
		t.Errorf("an older schema opened for reading: %v, %v", s, err)
	}
	if s, err := open(next(column+bump+`; DROP TABLE colours`), true); err == nil {
		t.Errorf("a failing migration: %v", s)
	}
	migrated := mustOpen(next(column+bump), true) // fails if the column exists already
	if err := errors.Join(publish(migrated, 1), publish(running, 2)); err != nil {
		t.Errorf("publishes of both versions: %v", err)
	}
	mustOpen(next("not executed again"), true)

	version++
	mustOpen(next(fmt.Sprintf(`UPDATE schema_version SET version = %d, min_reader = %d`, version, version)), true)
	newer := fmt.Sprintf("a newer Vitrine wrote it (schema %d, for programs that know schema %d; this one knows up to %d)", version, version, current.Version)
	for _, err := range []error{publish(running, 3), second(running.Load(t.Context(), 0)), second(open(current, true))} {
		if err == nil || errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), newer) {
			t.Errorf("with an incompatible newer schema: %v", err)
		}
	}
}

func second[T any](_ T, err error) error { return err }
