package postgres

import (
	"context"

	"vitrine/internal/store/sqlstore"
)

// Schema is the current one.
func Schema() sqlstore.Schema { return opening(sqlstore.Leave).Schema }

// OpenWith is [OpenExisting] of a program with another schema.
func OpenWith(ctx context.Context, dsn string, schema sqlstore.Schema, mode sqlstore.Mode) (*Store, error) {
	return opened(ctx, dsn, sqlstore.Opening{Mode: mode, Schema: schema})
}
