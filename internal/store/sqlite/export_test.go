package sqlite

import (
	"context"

	"vitrine/internal/store/sqlstore"
)

// Schema is the current one.
func Schema() sqlstore.Schema { return opening(sqlstore.Leave).Schema }

// OpenWith is [OpenExisting] of a program with another schema.
func OpenWith(ctx context.Context, path string, schema sqlstore.Schema, mode sqlstore.Mode) (*Store, error) {
	return existing(ctx, path, sqlstore.Opening{Mode: mode, Schema: schema})
}
