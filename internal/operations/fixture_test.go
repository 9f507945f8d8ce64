package operations_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"testing"
	"time"

	"vitrine/internal/bundle"
	"vitrine/internal/changelog"
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
	return s.WithChanges(logTo(c, s.Revision()))
}

// logTo returns a log from revision 1 to a later one, which changed, renamed, added and removed
// records of a catalogue.
func logTo(c *domain.Catalog, rev snapshot.Revision) *changelog.Log {
	now := changelog.Revision{Number: rev.Number, PublishedAt: rev.PublishedAt}
	if rev.Number <= 1 {
		return changelog.New(now)
	}
	before := *c
	before.Chains, before.Apps = slices.Clone(c.Chains), slices.Clone(c.Apps)
	for i, chain := range before.Chains {
		if len(chain.Former) > 0 {
			before.Chains[i].Slug, before.Chains[i].Former = chain.Former[0], nil
			break
		}
	}
	if len(before.Apps) > 0 {
		before.Apps[0].Title = text("en", "Before")
	}
	if len(before.NavGroups) > 0 {
		before.NavGroups = before.NavGroups[1:]
	}
	before.Accounts = append(slices.Clone(c.Accounts), &domain.Account{Handle: "gone_since", Name: "Gone", Followers: &domain.Figure{Value: 1}})
	now.Entries = slices.Concat(
		changelog.Compare(rev.Number, &before, c),
		changelog.CompareCards(rev.Number, changelog.Menus{Menus: before.Menus, Apps: before.AppsByKey()}, changelog.Menus{Menus: c.Menus, Apps: c.AppsByKey()}),
	)
	return changelog.New(changelog.Revision{Number: 1, PublishedAt: rev.PublishedAt.AddDate(0, -1, 0)}).Append(now)
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
