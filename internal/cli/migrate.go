package cli

import (
	"context"
	"fmt"
	"io"

	"vitrine/internal/store"
)

// migrateCmd creates the store, or migrates it to the schema of this version, which no other command
// does (docs/operating.md#upgrade-and-downgrade).
type migrateCmd struct {
	storeFlag
}

func (c *migrateCmd) Run(ctx context.Context, to streams) error {
	return withStore(ctx, c.openToMigrate, func(s store.Store) error {
		schema, err := s.Schema(ctx)
		if err != nil {
			return could{err}
		}
		return reportSchema(to.out, schema)
	})
}

func reportSchema(w io.Writer, schema store.Schema) error {
	of := "this version"
	if schema.Version > schema.Newest {
		of = "a newer version, which this one can use"
	}
	_, err := fmt.Fprintf(w, "the store has schema %d, that of %s\n", schema.Version, of)
	return printed(err)
}
