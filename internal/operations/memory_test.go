package operations_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"vitrine/internal/operations"
	"vitrine/internal/query"
	"vitrine/internal/ratelimit"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// largeList returns a catalogue whose list of chains is a large body.
func largeList(t testing.TB) *snapshot.Snapshot {
	t.Helper()
	s := compile(t, chainsOf(14_000), 42)
	if size := s.List(query.List{Kind: query.KindChain}).Size; size < response.Large {
		t.Fatalf("the list has %d bytes", size)
	}
	return s
}

func document(t *testing.T, r *http.Response) string {
	t.Helper()
	var from io.Reader = r.Body
	var err error
	switch r.Header.Get("Content-Encoding") {
	case "gzip":
		from, err = gzip.NewReader(r.Body)
	case "br":
		from = brotli.NewReader(r.Body)
	case "zstd":
		from, err = zstd.NewReader(r.Body)
	}
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// TestLargeLists checks that a large list equals the same list made as a small body, in all
// encodings, and that each encoding is made once.
func TestLargeLists(t *testing.T) {
	s := largeList(t)
	for name, cache := range map[string]int64{"cached": 8 << 20, "not cached": 0} {
		t.Run(name, func(t *testing.T) {
			h := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return s }, CacheBytes: cache})
			tags := map[string]bool{}
			for _, target := range []string{"/api/open/chains", "/api/open/chains?q=chain"} {
				want := string(s.List(query.List{Kind: query.KindChain}).Body())
				for _, encoding := range []string{"identity", "gzip", "br", "zstd"} {
					accept := func() http.Header { return http.Header{"Accept-Encoding": {encoding}} }
					got, head := get(t, h, target, accept()), request(t, h, "HEAD", target, accept())
					if content := document(t, got); content != want {
						t.Errorf("%s in %s differs: %d bytes, want %d", target, encoding, len(content), len(want))
					}
					for name := range got.Header {
						if name != "X-Request-Id" && got.Header.Get(name) != head.Header.Get(name) {
							t.Errorf("%s in %s: GET has %s %q, HEAD has %q", target, encoding, name, got.Header.Get(name), head.Header.Get(name))
						}
					}
					tags[got.Header.Get("ETag")] = true
					conditional := accept()
					conditional.Set("If-None-Match", got.Header.Get("ETag"))
					if again := get(t, h, target, conditional); again.StatusCode != 304 || again.Header.Get("ETag") != got.Header.Get("ETag") {
						t.Errorf("%s in %s: status %d, want 304", target, encoding, again.StatusCode)
					}
				}
			}
			if len(tags) != 4 {
				t.Errorf("%d entity tags of one document in four encodings", len(tags))
			}
			if got := get(t, h, "/api/open/chains", http.Header{"Accept-Encoding": {"*;q=0"}}).StatusCode; got != 406 {
				t.Errorf("status %d, want 406", got)
			}
			if stats := h.Stats(); cache > 0 && stats.Misses != 8 {
				t.Errorf("%d bodies were made, want 8", stats.Misses)
			}
			if held, waiting := h.Answers(); held+int64(waiting) != 0 {
				t.Errorf("%d bytes are still held, %d wait", held, waiting)
			}
		})
	}
}

// hostile is a client that requests different responses and reads none of them.
type hostile struct {
	release  chan struct{}
	requests sync.WaitGroup
	mu       sync.Mutex
	refused  []*http.Response
}

// stalledWriter is a client that does not read its response until it is released. It reads
// errors.
type stalledWriter struct {
	*httptest.ResponseRecorder
	release chan struct{}
}

func (w stalledWriter) Write(b []byte) (int, error) {
	if w.Code == http.StatusOK {
		<-w.release
	}
	return w.ResponseRecorder.Write(b)
}

func (c *hostile) ask(h *operations.Handler, target, encoding string) {
	c.requests.Go(func() {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", target, nil)
		r.RemoteAddr = "192.0.2.66:1"
		r.Header.Set("Accept-Encoding", encoding)
		h.ServeHTTP(stalledWriter{w, c.release}, r)
		if response := w.Result(); response.StatusCode != 200 {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.refused = append(c.refused, response)
		}
	})
}

func from(t *testing.T, h *operations.Handler, addr, target, encoding string) *http.Response {
	t.Helper()
	r := httptest.NewRequest("GET", target, nil)
	r.RemoteAddr = addr + ":1"
	r.Header.Set("Accept-Encoding", encoding)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

// TestOneClientDelaysOnlyItself checks that a client with many large, slowly read responses delays
// only itself. Memory stays within its bound, and other clients get responses without delay.
func TestOneClientDelaysOnlyItself(t *testing.T) {
	s := largeList(t)
	for name, attack := range map[string]struct {
		target, encoding string
		middle, large    int64
	}{
		"large lists":            {"/api/open/chains?sort=name&offset=%d", "identity", 1 << 20, 6 << 20},
		"large compressed lists": {"/api/open/chains?sort=name&offset=%d", "br", 1 << 20, 3 << 20},
		"pages":                  {"/api/open/chains?limit=500&offset=%d", "identity", 1 << 20, 3 << 20},
		"compressed pages":       {"/api/open/chains?limit=500&offset=%d", "gzip", 1 << 20, 3 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHandler(t, operations.Config{
					Snapshot: func() *snapshot.Snapshot { return s }, Gate: gate(1000, ratelimit.Policy{}), CacheBytes: 1 << 20, MaxInFlight: 4,
				})
				h.BoundAnswers(attack.middle, attack.large)
				attacker := hostile{release: make(chan struct{})}
				for i := range 60 {
					attacker.ask(h, fmt.Sprintf(attack.target, i), attack.encoding)
					synctest.Wait()
					if held, _ := h.Answers(); held > attack.middle+attack.large {
						t.Fatalf("%d bytes are held", held)
					}
				}
				start := time.Now()
				for i, target := range []string{
					"/api/open/chains?limit=2", "/api/open/chains?limit=500&offset=777", "/api/open/chains", "/api/open/chains?q=chain-12", "/api/open/meta",
				} {
					for _, encoding := range []string{"identity", "zstd"} {
						addr := fmt.Sprintf("198.51.100.%d", i)
						if got := from(t, h, addr, target, encoding); got.StatusCode != 200 || document(t, got) == "" {
							t.Errorf("%s has a %d for %s in %s", addr, got.StatusCode, target, encoding)
						}
					}
				}
				if took := time.Since(start); took > 0 {
					t.Errorf("others waited %v", took)
				}
				time.Sleep(20 * time.Second) // longer than the maximum wait
				synctest.Wait()
				if _, waiting := h.Answers(); waiting > 0 {
					t.Errorf("%d requests wait", waiting)
				}
				close(attacker.release)
				attacker.requests.Wait()
				if n := len(attacker.refused); n == 0 || n == 60 {
					t.Errorf("the attacker is refused %d answers", n)
				}
				for _, refused := range attacker.refused {
					problem := body(t, refused)
					if refused.StatusCode != 503 || !strings.Contains(problem, `"code":"overloaded"`) ||
						refused.Header.Get("Retry-After") == "" || refused.Header.Get("Cache-Control") != "no-store" {
						t.Errorf("status %d, %v: %s", refused.StatusCode, refused.Header, problem)
					}
				}
				if held, _ := h.Answers(); held != 0 {
					t.Errorf("%d bytes are still held", held)
				}
			})
		})
	}
}

// TestConcurrentRequestsShareALargeList checks that concurrent requests for one large body share it.
func TestConcurrentRequestsShareALargeList(t *testing.T) {
	s := largeList(t)
	h := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return s }, CacheBytes: 8 << 20, Gate: gate(1000, ratelimit.Policy{})})
	h.BoundAnswers(1<<20, 2<<20)
	var asking sync.WaitGroup
	for i := range 200 {
		asking.Go(func() {
			if got := from(t, h, fmt.Sprintf("198.51.100.%d", i), "/api/open/chains", "zstd"); got.StatusCode != 200 {
				t.Errorf("status %d", got.StatusCode)
			}
		})
	}
	asking.Wait()
	if bodies := len(h.CachedBodies()); bodies != 1 {
		t.Errorf("%d bodies are cached", bodies)
	}
}

// TestCachedRepliesWithoutContentNeedNoRoom checks that a 304 or HEAD of a cached body is sent
// without delay if no memory is free.
func TestCachedRepliesWithoutContentNeedNoRoom(t *testing.T) {
	s := largeList(t)
	synctest.Test(t, func(t *testing.T) {
		h := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return s }, Gate: gate(1000, ratelimit.Policy{}), CacheBytes: 16 << 20})
		list, page := "/api/open/chains", "/api/open/chains?limit=500"
		tags := map[string]string{}
		for _, target := range []string{list, page} {
			tags[target] = from(t, h, "198.51.100.1", target, "identity").Header.Get("ETag")
		}
		h.BoundAnswers(80<<10, 2<<20)
		attacker := hostile{release: make(chan struct{})}
		attacker.ask(h, "/api/open/chains?sort=name", "identity")
		attacker.ask(h, "/api/open/chains?limit=300", "identity")
		synctest.Wait()
		start := time.Now()
		for target, tag := range tags {
			if got := get(t, h, target, http.Header{"If-None-Match": {tag}}); got.StatusCode != 304 {
				t.Errorf("status %d for the tag of %s, want 304", got.StatusCode, target)
			}
			if got := request(t, h, "HEAD", target, http.Header{}); got.StatusCode != 200 || got.Header.Get("ETag") != tag {
				t.Errorf("status %d with %s for HEAD of %s, want 200", got.StatusCode, got.Header.Get("ETag"), target)
			}
		}
		if took := time.Since(start); took > 0 {
			t.Errorf("they waited %v", took)
		}
		if got := get(t, h, list, http.Header{}).StatusCode; got != 503 {
			t.Errorf("status %d for %s itself: there was room, so nothing was tried", got, list)
		}
		close(attacker.release)
		attacker.requests.Wait()
		if held, _ := h.Answers(); held != 0 {
			t.Errorf("%d bytes are still held", held)
		}
	})
}
