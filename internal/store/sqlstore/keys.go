package sqlstore

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"vitrine/internal/store"
)

// AddKey keeps an API key (see [store.Store]).
func (s *Store) AddKey(ctx context.Context, key store.APIKey) error {
	if key.Name == "" {
		return errors.New("add an API key: it has no name")
	}
	if err := storable(key.Name); err != nil {
		return fmt.Errorf("add an API key: its name %w", err)
	}
	if err := storable(key.Limit); err != nil {
		return fmt.Errorf("add an API key: its limit %w", err)
	}
	return s.write(ctx, "add an API key", func(tx *Tx) error {
		var n int
		err := tx.QueryRowContext(ctx, `SELECT count(*) FROM api_key WHERE name = $1 AND revoked_at IS NULL`, key.Name).Scan(&n)
		if err != nil {
			return err
		}
		if n > 0 {
			return store.ErrKeyExists
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO api_key (name, hash, created_at, revoked_at, quota) VALUES ($1, $2, $3, $4, $5)`,
			key.Name, hex.EncodeToString(key.Hash[:]), key.CreatedAt.UnixMilli(), revokedAt(key.RevokedAt), key.Limit)
		return err
	})
}

func revokedAt(at time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: at.UnixMilli(), Valid: !at.IsZero()}
}

// Keys returns all API keys (see [store.Store]).
func (s *Store) Keys(ctx context.Context) ([]store.APIKey, error) {
	var keys []store.APIKey
	err := s.read(ctx, "read the API keys", func(tx *Tx) error {
		var name, hash, limit string
		var created int64
		var revoked sql.NullInt64
		rows, err := tx.QueryContext(ctx, `SELECT name, hash, created_at, revoked_at, quota FROM api_key ORDER BY name, created_at, id`)
		return each(rows, err, []any{&name, &hash, &created, &revoked, &limit}, func() error {
			key := store.APIKey{Name: name, CreatedAt: time.UnixMilli(created).UTC(), Limit: limit}
			sum, err := hex.DecodeString(hash)
			if err != nil || len(sum) != len(key.Hash) {
				return fmt.Errorf("%w: the hash of the API key %q cannot be read", store.ErrCorrupt, name)
			}
			copy(key.Hash[:], sum)
			if revoked.Valid {
				key.RevokedAt = time.UnixMilli(revoked.Int64).UTC()
			}
			keys = append(keys, key)
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return keys, nil
}

// RevokeKey revokes an API key (see [store.Store]).
func (s *Store) RevokeKey(ctx context.Context, name string, at time.Time) error {
	if at.IsZero() {
		return errors.New("revoke an API key: there is no time")
	}
	return s.write(ctx, "revoke an API key", func(tx *Tx) error {
		result, err := tx.ExecContext(ctx, `UPDATE api_key SET revoked_at = $1 WHERE name = $2 AND revoked_at IS NULL`,
			at.UnixMilli(), name)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		if err == nil && n == 0 {
			return store.ErrNoKey
		}
		return err
	})
}
