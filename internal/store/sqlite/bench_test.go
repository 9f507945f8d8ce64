package sqlite_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"vitrine/internal/store"
	"vitrine/internal/store/sqlite"
	"vitrine/internal/store/storetest"
)

func BenchmarkLarge(b *testing.B) {
	storetest.Benchmark(b, func(b *testing.B) (store.Store, func() int64) {
		path := filepath.Join(b.TempDir(), "vitrine.db")
		s, err := sqlite.Open(context.Background(), path)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { s.Close() })
		return s, func() int64 {
			var bytes int64
			for _, suffix := range []string{"", "-wal"} {
				if info, err := os.Stat(path + suffix); err == nil {
					bytes += info.Size()
				}
			}
			return bytes
		}
	})
}
