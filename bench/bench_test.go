// Package bench measures Vitrine against what else could do its work, in
// pairs and in one run, since lone figures of a busy machine say little:
//
//	make bench
package bench

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	bundled "vitrine/catalog"
	"vitrine/internal/api"
	"vitrine/internal/bundle"
	"vitrine/internal/catalog"
	"vitrine/internal/snapshot"
)

func read(b *testing.B) *catalog.Catalog {
	b.Helper()
	dir, err := bundle.Read(context.Background(), bundled.FS, bundle.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return dir.Catalog
}

func handler(b *testing.B, c *catalog.Catalog, cacheBytes int64) http.Handler {
	b.Helper()
	s, err := snapshot.Compile(c, snapshot.Revision{Number: 1})
	if err != nil {
		b.Fatal(err)
	}
	h, err := api.New(api.Config{
		Snapshot:   func() *snapshot.Snapshot { return s },
		Log:        slog.New(slog.DiscardHandler),
		CacheBytes: cacheBytes,
	})
	if err != nil {
		b.Fatal(err)
	}
	return h
}

// BenchmarkCompile compiles the bundled catalogue, 2,587 chains in two locales.
func BenchmarkCompile(b *testing.B) {
	c := read(b)
	for b.Loop() {
		if _, err := snapshot.Compile(c, snapshot.Revision{Number: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCompileLarge compiles 200,000 accounts in five locales.
func BenchmarkCompileLarge(b *testing.B) {
	c := accounts(200_000, "en", "zh-hans", "de", "fr", "es")
	for b.Loop() {
		if _, err := snapshot.Compile(c, snapshot.Revision{Number: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

func accounts(n int, locales ...string) *catalog.Catalog {
	c := &catalog.Catalog{DefaultLocale: locales[0], Locales: locales}
	for i := range n {
		var description catalog.Text
		for _, l := range locales {
			description = append(description, catalog.Translation{Locale: l, Value: fmt.Sprintf("Account number %d writes in %s about things", i, l)})
		}
		c.Accounts = append(c.Accounts, catalog.Account{
			Handle: fmt.Sprintf("account_%d", i), Name: fmt.Sprintf("Account %d", i), Description: description,
			Followers: &catalog.Figure{Value: float64(i * 7919 % 1_000_003)},
		})
	}
	return c
}

// BenchmarkSearch joins a new body for every request: nothing is kept.
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

// BenchmarkAgainstStaticFiles asks Vitrine and the standard library's file
// server for the same bytes, over loopback, in turns. The metric static/vitrine
// is how many times as long the file server takes: above 1, Vitrine is faster.
func BenchmarkAgainstStaticFiles(b *testing.B) {
	h := handler(b, read(b), 64<<20)
	for name, path := range map[string]string{
		"all-chains": "/api/open/chains",
		"one-page":   "/api/open/chains?limit=20",
		"menu":       "/api/open/nav/menus/ai-tools",
	} {
		b.Run(name, func(b *testing.B) {
			root := b.TempDir()
			if err := os.WriteFile(filepath.Join(root, "body.json"), body(b, h, path), 0o644); err != nil {
				b.Fatal(err)
			}
			vitrine := httptest.NewServer(h)
			defer vitrine.Close()
			static := httptest.NewServer(http.FileServer(http.Dir(root)))
			defer static.Close()

			var ours, theirs time.Duration
			for b.Loop() {
				ours += fetch(b, vitrine.Client(), vitrine.URL+path)
				theirs += fetch(b, static.Client(), static.URL+"/body.json")
			}
			b.ReportMetric(float64(theirs)/float64(ours), "static/vitrine")
		})
	}
}

func body(b *testing.B, h http.Handler, path string) []byte {
	b.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	if w.Code != http.StatusOK {
		b.Fatalf("%s: status %d", path, w.Code)
	}
	return w.Body.Bytes()
}

func fetch(b *testing.B, client *http.Client, url string) time.Duration {
	b.Helper()
	start := time.Now()
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		b.Fatal(err)
	}
	request.Header.Set("Accept-Encoding", "identity")
	response, err := client.Do(request)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

// discard is a client that takes everything and keeps nothing.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }
func (d *discard) WriteHeader(int)             {}
