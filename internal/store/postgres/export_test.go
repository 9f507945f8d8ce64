package postgres

import (
	"context"

	"vitrine/internal/store/sqlstore"
)

// Schema returns the current schema.
func Schema() sqlstore.Schema { return schema }

// OpenWith is [OpenAs] with another schema.
func OpenWith(ctx context.Context, dsn string, schema sqlstore.Schema, mode sqlstore.Mode) (*Store, error) {
	return opened(ctx, dsn, sqlstore.Opening{Mode: mode, Schema: schema})
}
