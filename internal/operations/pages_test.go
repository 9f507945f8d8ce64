package operations_test

import (
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vitrine/internal/operations"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// noPages is a site without a page.
type noPages struct{}

func (noPages) Canonical(_ *snapshot.Snapshot, path, query string, _ http.Header) (string, string, bool) {
	return path, query, false
}

func (noPages) Page(*snapshot.Snapshot, string, string) (response.Document, error) {
	return response.Document{}, &response.Problem{Code: response.NotFound, Detail: "none"}
}

func (noPages) Failure(_ *snapshot.Snapshot, _ string, _ http.Header, failure response.Failure) response.Document {
	return response.Document{Body: []byte("<p>" + failure.Title), Fields: response.Fields{
		ContentLanguage: []string{"en"}, More: http.Header{"Content-Type": {"text/html"}, "Vary": {"Accept-Encoding, Accept, Accept-Language"}},
	}}
}

func (noPages) Free(string) bool { return false }

// An error beside the API depends on what the client takes, so that what a program was
// told is not kept for people, nor the other way round. Below the API it does not.
func TestErrorsOfPagesVary(t *testing.T) {
	h := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return compile(t, fixture(t), 1) }, Pages: noPages{}})
	for _, c := range []struct {
		path, accept, kind, language string
		varies                       bool
	}{
		{"/nope", "text/html", "text/html", "en", true},
		{"/nope", "*/*", "application/json", "", true},
		{"/api/open/nope", "text/html", "application/json", "", false},
		{"/api/open/nope", "*/*", "application/json", "", false},
	} {
		r := get(t, h, c.path, http.Header{"Accept": {c.accept}})
		varies := strings.Contains(r.Header.Get("Vary"), "Accept,")
		if got := r.Header.Get("Content-Type"); r.StatusCode != http.StatusNotFound || got != c.kind || r.Header.Get("Content-Language") != c.language || varies != c.varies {
			t.Errorf("%s for %s: %d, %s, %q, Vary: %s", c.path, c.accept, r.StatusCode, got, r.Header.Get("Content-Language"), r.Header.Get("Vary"))
		}
	}
}

// slowPages has pages that take a while to make.
type slowPages struct {
	noPages
	made, now, most atomic.Int64
}

func (p *slowPages) Page(_ *snapshot.Snapshot, path, _ string) (response.Document, error) {
	p.made.Add(1)
	p.most.Store(max(p.most.Load(), p.now.Add(1)))
	defer p.now.Add(-1)
	time.Sleep(100 * time.Millisecond)
	if path == "/panic" {
		panic("a page that fails")
	}
	return response.Document{Body: []byte(path), Fields: response.Fields{More: http.Header{"Content-Type": {"text/html"}}}}, nil
}

// Requests that ask for one page at once wait for the same making of it; of different
// pages, no more are made at a time than there are processors.
func TestPagesAreMadeOnce(t *testing.T) {
	of, pages := compile(t, fixture(t), 1), &slowPages{}
	h := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return of }, Pages: pages, CacheBytes: 1 << 20})
	all := func(path func(int) string, want int) {
		var wg sync.WaitGroup
		for i := range 24 {
			wg.Go(func() {
				if r := get(t, h, path(i), http.Header{}); r.StatusCode != want {
					t.Errorf("%s: %d", path(i), r.StatusCode)
				}
			})
		}
		wg.Wait()
	}
	all(func(int) string { return "/one" }, http.StatusOK)
	if n := pages.made.Load(); n > 2 {
		t.Errorf("one page was made %d times", n)
	}
	all(func(i int) string { return "/" + strconv.Itoa(i) }, http.StatusOK)
	if n := pages.most.Load(); n > int64(runtime.GOMAXPROCS(0)) {
		t.Errorf("%d pages were made at a time", n)
	}
	all(func(int) string { return "/panic" }, http.StatusInternalServerError)
	all(func(int) string { return "/one" }, http.StatusOK)
}
