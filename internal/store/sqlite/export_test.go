package sqlite

import (
	"context"

	"vitrine/internal/store/sqlstore"
)

// Schema returns the current schema.
func Schema() sqlstore.Schema { return schema }

// OpenWith is [OpenAs] with another schema.
func OpenWith(ctx context.Context, path string, schema sqlstore.Schema, mode sqlstore.Mode) (*Store, error) {
	return opened(ctx, path, sqlstore.Opening{Mode: mode, Schema: schema})
}
