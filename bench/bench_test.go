// Package bench has Go benchmarks of whole requests in process, mainly for their allocations.
// bench/run compares with other programs.
//
//	go test ./bench -run '^$' -bench . -benchmem
package bench

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	bundled "vitrine/catalog"
	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/operations"
	"vitrine/internal/site"
	"vitrine/internal/snapshot"
)

func read(b *testing.B) *domain.Catalog {
	b.Helper()
	dir, err := bundle.Read(context.Background(), bundled.FS, bundle.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return dir.Catalog
}

func handler(b *testing.B, c *domain.Catalog, cacheBytes int64) http.Handler {
	b.Helper()
	pages, err := site.New(site.Config{})
	if err != nil {
		b.Fatal(err)
	}
	s, err := snapshot.Compile(nil, c, snapshot.Revision{Number: 1})
	if err != nil {
		b.Fatal(err)
	}
	s.Finish()
	h, err := operations.New(operations.Config{
		Snapshot:   func() *snapshot.Snapshot { return s },
		Log:        slog.New(slog.DiscardHandler),
		CacheBytes: cacheBytes,
		Pages:      pages,
	})
	if err != nil {
		b.Fatal(err)
	}
	return h
}

// BenchmarkCompile compiles the bundled catalogue.
func BenchmarkCompile(b *testing.B) {
	c := read(b)
	for b.Loop() {
		s, err := snapshot.Compile(nil, c, snapshot.Revision{Number: 1})
		if err != nil {
			b.Fatal(err)
		}
		s.Finish()
	}
}

// BenchmarkSearch makes a new body for each request: there is no cache.
func BenchmarkSearch(b *testing.B) {
	h := handler(b, read(b), 0)
	for _, query := range []string{"q=AI", "q=ethereum", "q=network&tag=mainnet&sort=name&locale=zh", "q=%E5%A4%AA", "q=no+such+thing"} {
		b.Run(query, func(b *testing.B) {
			r := httptest.NewRequest(http.MethodGet, "/api/open/chains?"+query, nil)
			for b.Loop() {
				h.ServeHTTP(&discard{header: http.Header{}}, r)
			}
		})
	}
}

// BenchmarkPages requests pages, and the JSON with the same data, from the cache in the encoding
// of browsers, and without a cache.
func BenchmarkPages(b *testing.B) {
	c := read(b)
	for _, cache := range []struct {
		name  string
		bytes int64
	}{{"cached", 64 << 20}, {"uncached", 0}} {
		h := handler(b, c, cache.bytes)
		for _, path := range []string{
			"/en/chains", "/api/open/chains?limit=50&facets=1&match=groups&locale=en",
			"/en/chains/base", "/api/open/chains/base?locale=en",
			"/en/nav/defi", "/api/open/nav/menus/defi?locale=en",
			"/en/search?q=base", "/api/open/search?q=base&locale=en",
		} {
			b.Run(cache.name+path, func(b *testing.B) {
				r := httptest.NewRequest(http.MethodGet, path, nil)
				r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
				r.Header.Set("Accept", "text/html")
				for b.Loop() {
					w := &discard{header: http.Header{}}
					if h.ServeHTTP(w, r); w.status != http.StatusOK {
						b.Fatal(w.status)
					}
				}
			})
		}
	}
}

// discard is a client that accepts and discards everything.
type discard struct {
	header http.Header
	status int
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }
func (d *discard) WriteHeader(status int)      { d.status = status }
