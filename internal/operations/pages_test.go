package operations_test

import (
	"context"
	"net/http"
	"net/http/httptest"
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

// noPages is a site without pages.
type noPages struct{}

func (noPages) Canonical(_ *snapshot.Snapshot, path, query string, _ http.Header) (string, string, []string) {
	return path, query, nil
}

func (noPages) Page(*snapshot.Snapshot, string, string) (response.Document, error) {
	return response.Document{}, &response.Problem{Code: response.NotFound, Detail: "none"}
}

func (noPages) IsFeed(path string) bool { return strings.HasPrefix(path, "/sitemap") }
func (noPages) Failure(_ *snapshot.Snapshot, _ string, _ http.Header, failure response.Failure) response.Document {
	return response.Document{Body: []byte("<p>" + failure.Title), Fields: response.Fields{
		ContentLanguage: []string{"en"}, More: http.Header{"Content-Type": {"text/html"}},
	}}
}

func (noPages) Personal(string) http.Header { return nil }

func (noPages) MayBePrepared(string) bool { return false }

func (noPages) Prepared(*snapshot.Snapshot) []string { return nil }

func (noPages) PrepareRefusals(*snapshot.Snapshot) error { return nil }

func (noPages) Refusal(*snapshot.Snapshot, string, http.Header, response.Code) (response.Document, bool) {
	return response.Document{}, false
}

// TestErrorsOfPagesVary checks that errors outside the API vary by Accept, so that caches do not
// give a person the error of a program, or the reverse. Errors of the API do not vary.
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
		varies := strings.HasSuffix(r.Header.Get("Vary"), ", Accept")
		if got := r.Header.Get("Content-Type"); r.StatusCode != http.StatusNotFound || got != c.kind || r.Header.Get("Content-Language") != c.language || varies != c.varies {
			t.Errorf("%s for %s: %d, %s, %q, Vary: %s", c.path, c.accept, r.StatusCode, got, r.Header.Get("Content-Language"), r.Header.Get("Vary"))
		}
	}
}

// greetings has pages in two languages. The first segment of a canonical path is the language.
type greetings struct{ noPages }

func (greetings) Canonical(_ *snapshot.Snapshot, path, query string, header http.Header) (string, string, []string) {
	if strings.HasPrefix(path, "/en/") || strings.HasPrefix(path, "/ja/") {
		return path, query, nil
	}
	if header.Get("Accept-Language") == "ja" {
		return "/ja" + path, query, []string{"Accept-Language"}
	}
	return "/en" + path, query, []string{"Accept-Language"}
}

func (greetings) Page(_ *snapshot.Snapshot, path, _ string) (response.Document, error) {
	if strings.HasSuffix(path, "/nope") {
		return response.Document{}, &response.Problem{Code: response.NotFound, Detail: "none"}
	}
	return response.Document{Body: []byte(path)}, nil
}

// TestPagesVaryByTheirAddress checks that all addresses of a page share a cache entry, and that
// each response has the Vary of its own address.
func TestPagesVaryByTheirAddress(t *testing.T) {
	of := compile(t, fixture(t), 1)
	h := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return of }, Pages: greetings{}, CacheBytes: 1 << 20})
	for range 3 { // rendered, cached, cached by its spelling
		for _, c := range []struct{ path, language, want, vary string }{
			{"/ja/hello", "en", "/ja/hello", "Accept-Encoding"},
			{"/hello", "ja", "/ja/hello", "Accept-Encoding, Accept-Language"},
			{"/hello", "en", "/en/hello", "Accept-Encoding, Accept-Language"},
			{"/en/hello", "ja", "/en/hello", "Accept-Encoding"},
			{"/ja/nope", "en", "", "Accept-Encoding, Accept"},
			{"/nope", "en", "", "Accept-Encoding, Accept-Language, Accept"},
		} {
			r := get(t, h, c.path, http.Header{"Accept-Language": {c.language}})
			if got := body(t, r); c.want != "" && got != c.want || r.Header.Get("Vary") != c.vary {
				t.Errorf("%s in %s: %s, Vary: %s; want %s, %s", c.path, c.language, got, r.Header.Get("Vary"), c.want, c.vary)
			}
		}
	}
}

// slowPages has pages that take a while to render.
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

// TestPagesAreRenderedOnce checks that concurrent requests for a page share one render, and that at
// most one render per processor runs.
func TestPagesAreRenderedOnce(t *testing.T) {
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
		t.Errorf("one page was rendered %d times", n)
	}
	all(func(i int) string { return "/" + strconv.Itoa(i) }, http.StatusOK)
	if n := pages.most.Load(); n > int64(runtime.GOMAXPROCS(0)) {
		t.Errorf("%d pages were rendered concurrently", n)
	}
	all(func(int) string { return "/panic" }, http.StatusInternalServerError)
	all(func(int) string { return "/one" }, http.StatusOK)
}

// heldPages has pages that render when they are released.
type heldPages struct {
	noPages
	begun chan string
	letGo chan struct{}
}

func (p *heldPages) Page(_ *snapshot.Snapshot, path, _ string) (response.Document, error) {
	p.begun <- path
	<-p.letGo
	return response.Document{Body: []byte(path)}, nil
}

// TestPagesOfDisconnectedClients checks that a disconnected client stops waiting. A render with
// other waiting requests continues. A queued render without any is dropped.
func TestPagesOfDisconnectedClients(t *testing.T) {
	of, places := compile(t, fixture(t), 1), runtime.GOMAXPROCS(0)
	pages := &heldPages{begun: make(chan string, 100), letGo: make(chan struct{})}
	h := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return of }, Pages: pages, CacheBytes: 1 << 20})
	ask := func(ctx context.Context, path string) <-chan *httptest.ResponseRecorder {
		answered := make(chan *httptest.ResponseRecorder, 1)
		go func() {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil))
			answered <- w
		}()
		return answered
	}
	ctx, leave := context.WithCancel(t.Context())
	var stayed, left []<-chan *httptest.ResponseRecorder
	for i := range places { // all places are taken
		path := "/held/" + strconv.Itoa(i)
		left = append(left, ask(ctx, path))
		<-pages.begun
		stayed = append(stayed, ask(t.Context(), path))
	}
	left = append(left, ask(ctx, "/never"))
	h.AwaitRenders(places+1, 2*places+1)
	leave()
	for _, answered := range left {
		if w := <-answered; w.Code != http.StatusServiceUnavailable {
			t.Errorf("a disconnected client got status %d", w.Code)
		}
	}
	close(pages.letGo)
	for i, answered := range stayed {
		if w := <-answered; w.Code != http.StatusOK || w.Body.String() != "/held/"+strconv.Itoa(i) {
			t.Errorf("the remaining request got %d, %s", w.Code, w.Body)
		}
	}
	if w := <-ask(t.Context(), "/another"); w.Code != http.StatusOK {
		t.Errorf("a later page: %d", w.Code)
	}
	if again := <-pages.begun; again != "/another" || len(pages.begun) > 0 {
		t.Errorf("%s was rendered, and %d more", again, len(pages.begun))
	}
}
