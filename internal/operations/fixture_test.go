package operations_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/operations"
	"vitrine/internal/snapshot"
)

// fixture reads the catalogue of testdata/catalog, which has no errors.
func fixture(t testing.TB) *domain.Catalog {
	t.Helper()
	dir, err := bundle.Read(context.Background(), os.DirFS("testdata/catalog"), bundle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range dir.Problems {
		if problem.Severity == domain.Error {
			t.Fatal(problem)
		}
	}
	return dir.Catalog
}

func compile(t testing.TB, c *domain.Catalog, number int64) *snapshot.Snapshot {
	t.Helper()
	return compileAfter(t, nil, c, number)
}

// compileAfter compiles a catalogue as the successor of a snapshot.
func compileAfter(t testing.TB, previous *snapshot.Snapshot, c *domain.Catalog, number int64) *snapshot.Snapshot {
	t.Helper()
	s, err := snapshot.Compile(previous, c, snapshot.Revision{
		Number:      number,
		PublishedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newHandler(t testing.TB, config operations.Config) *operations.Handler {
	t.Helper()
	config.Log = slog.New(slog.DiscardHandler)
	h, err := operations.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// serving returns a handler that serves one snapshot.
func serving(t testing.TB, s *snapshot.Snapshot) *operations.Handler {
	return newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return s }, CacheBytes: 1 << 20})
}

func get(t testing.TB, h http.Handler, target string, header http.Header) *http.Response {
	t.Helper()
	return request(t, h, http.MethodGet, target, header)
}

func request(t testing.TB, h http.Handler, method, target string, header http.Header) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, target, nil)
	if header != nil {
		r.Header = header
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(t testing.TB, r *http.Response) string {
	t.Helper()
	content, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
