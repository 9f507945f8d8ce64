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

// AddKey implements [store.Store].
func (s *Store) AddKey(ctx context.Context, key store.APIKey) error {
	if err := storableAPIKey(key); err != nil {
		return fmt.Errorf("add an API key: %w", err)
	}
	return s.write(ctx, "add an API key", func(tx *Tx) error {
		n, err := countKeys(ctx, tx, key.Name, key.CreatedAt)
		if err != nil {
			return err
		}
		if n > 0 {
			return store.ErrKeyExists
		}
		return insertKey(ctx, tx, key)
	})
}

// ReplaceKey implements [store.Store].
func (s *Store) ReplaceKey(ctx context.Context, key store.APIKey, until time.Time) error {
	if err := storableAPIKey(key); err != nil {
		return fmt.Errorf("replace an API key: %w", err)
	}
	return s.write(ctx, "replace an API key", func(tx *Tx) error {
		n, err := countKeys(ctx, tx, key.Name, key.CreatedAt)
		if err != nil {
			return err
		}
		if n == 0 {
			return store.ErrNoKey
		}
		if _, err := endKeys(ctx, tx, key.Name, key.CreatedBy, until); err != nil {
			return err
		}
		return insertKey(ctx, tx, key)
	})
}

// RevokeKey implements [store.Store].
func (s *Store) RevokeKey(ctx context.Context, name, by string, at time.Time) error {
	if at.IsZero() {
		return errors.New("revoke an API key: there is no time")
	}
	if err := storable(by); err != nil {
		return fmt.Errorf("revoke an API key: who revokes it %w", err)
	}
	return s.write(ctx, "revoke an API key", func(tx *Tx) error {
		n, err := endKeys(ctx, tx, name, by, at)
		if err == nil && n == 0 {
			return store.ErrNoKey
		}
		return err
	})
}

// KeysUsed implements [store.Store].
func (s *Store) KeysUsed(ctx context.Context, uses []store.KeyUse) error {
	return s.write(ctx, "record the use of API keys", func(tx *Tx) error {
		for _, use := range uses {
			_, err := tx.ExecContext(ctx, `UPDATE api_key SET last_used_at = $1
				WHERE hash = $2 AND (last_used_at IS NULL OR last_used_at < $1)`, use.At.UnixMilli(), hex.EncodeToString(use.Hash[:]))
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func storableAPIKey(key store.APIKey) error {
	if key.Name == "" {
		return errors.New("it has no name")
	}
	for _, field := range []struct{ what, text string }{{"name", key.Name}, {"limit", key.Limit}, {"maker", key.CreatedBy}} {
		if err := storable(field.text); err != nil {
			return fmt.Errorf("its %s %w", field.what, err)
		}
	}
	return nil
}

func countKeys(ctx context.Context, tx *Tx, name string, at time.Time) (n int, err error) {
	err = tx.QueryRowContext(ctx, `SELECT count(*) FROM api_key WHERE name = $1 AND (ends_at IS NULL OR ends_at > $2)`,
		name, at.UnixMilli()).Scan(&n)
	return n, err
}

// endKeys ends the keys of a name at a time, and returns how many would have been valid then.
func endKeys(ctx context.Context, tx *Tx, name, by string, at time.Time) (int64, error) {
	result, err := tx.ExecContext(ctx, `UPDATE api_key SET ends_at = $1, revoked_by = $2
		WHERE name = $3 AND (ends_at IS NULL OR ends_at > $1)`, at.UnixMilli(), by, name)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

func insertKey(ctx context.Context, tx *Tx, key store.APIKey) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO api_key (name, hash, created_at, created_by, expires_at, ends_at, revoked_by, quota)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		key.Name, hex.EncodeToString(key.Hash[:]), key.CreatedAt.UnixMilli(), key.CreatedBy,
		milliseconds(key.ExpiresAt), milliseconds(key.EndsAt()), key.RevokedBy, key.Limit)
	return err
}

// Keys implements [store.Store].
func (s *Store) Keys(ctx context.Context) ([]store.APIKey, error) {
	return read(ctx, s, "read the API keys", func(tx *Tx) ([]store.APIKey, error) {
		var key store.APIKey
		var hash string
		var created int64
		var expires, ends, used sql.NullInt64
		rows, err := tx.QueryContext(ctx, `SELECT name, hash, created_at, created_by, expires_at, ends_at, revoked_by, last_used_at, quota
			FROM api_key ORDER BY name, created_at, id`)
		into := []any{&key.Name, &hash, &created, &key.CreatedBy, &expires, &ends, &key.RevokedBy, &used, &key.Limit}
		return collect(rows, err, into, func() (store.APIKey, error) {
			sum, err := hex.DecodeString(hash)
			if err != nil || len(sum) != len(key.Hash) {
				return store.APIKey{}, fmt.Errorf("%w: the hash of the API key %q cannot be read", store.ErrCorrupt, key.Name)
			}
			copy(key.Hash[:], sum)
			key.CreatedAt = time.UnixMilli(created).UTC()
			key.ExpiresAt, key.RevokedAt, key.UsedAt = moment(expires), moment(ends), moment(used)
			if ends == expires { // expires without a revocation
				key.RevokedAt = time.Time{}
			}
			return key, nil
		})
	})
}

// milliseconds returns the stored form of a time, NULL for zero.
func milliseconds(at time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: at.UnixMilli(), Valid: !at.IsZero()}
}

// moment returns a stored time.
func moment(at sql.NullInt64) time.Time {
	if !at.Valid {
		return time.Time{}
	}
	return time.UnixMilli(at.Int64).UTC()
}
