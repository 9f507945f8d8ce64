package postgres_test

import (
	"context"
	"net/url"
	"testing"

	"vitrine/internal/store"
	"vitrine/internal/store/postgres"
	"vitrine/internal/store/storetest"
)

func BenchmarkLarge(b *testing.B) {
	server(b)
	storetest.Benchmark(b, func(b *testing.B) (store.Store, func() int64) {
		dsn := schema(b)
		s, err := postgres.Open(context.Background(), dsn)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { s.Close() })
		return s, func() int64 { return size(b, dsn) }
	})
}

// size returns the size of a schema's tables and indexes.
func size(b *testing.B, dsn string) int64 {
	u, err := url.Parse(dsn)
	if err != nil {
		b.Fatal("VITRINE_TEST_POSTGRES is not a URL")
	}
	db, err := sqlOpen(dsn)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	var bytes int64
	err = db.QueryRow(`SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname = $1 AND c.relkind = 'r'`, u.Query().Get("search_path")).Scan(&bytes)
	if err != nil {
		b.Fatal(err)
	}
	return bytes
}
