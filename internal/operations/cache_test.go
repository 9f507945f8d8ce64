package operations_test

import (
	"context"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/operations"
	"vitrine/internal/snapshot"
)

// in returns headers that accept only one encoding, also for small bodies.
func in(encoding string) http.Header {
	return http.Header{"Accept-Encoding": {"identity;q=0, " + encoding}}
}

func TestEqualBodiesAreCachedOnce(t *testing.T) {
	h := serving(t, compile(t, fixture(t), 42))
	for _, target := range []string{
		"/api/open/chains?q=nothing", "/api/open/chains?q=nobody&locale=zh", "/api/open/chains?tag=none&sort=name", "/api/open/chains?offset=99",
	} {
		get(t, h, target, nil)
	}
	if got := len(h.CachedBodies()); got != 1 {
		t.Errorf("%d bodies are cached for four requests with equal bodies, want 1", got)
	}
}

// TestCompressedFormsCount checks that the weight of the cache includes compressed forms.
func TestCompressedFormsCount(t *testing.T) {
	const budget = 64 << 10
	s := compile(t, fixture(t), 42)
	h := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return s }, CacheBytes: budget})
	for _, target := range everyOperation {
		for _, encoding := range []string{"gzip", "br", "zstd"} {
			get(t, h, target, in(encoding))
			if cached, weighed := h.CachedBytes(), h.WeighedBytes(); cached != weighed || cached > budget {
				t.Fatalf("%s in %s: %d bytes are cached, %d are counted, the budget is %d", target, encoding, cached, weighed, budget)
			}
		}
	}
	if h.CachedBytes() == 0 {
		t.Error("nothing is cached")
	}
}

// published calls check with a running handler in a synctest bubble. publish swaps the
// snapshot and returns when the cache is warm.
func published(t *testing.T, first *domain.Catalog, check func(t *testing.T, h *operations.Handler, publish func(*domain.Catalog))) {
	synctest.Test(t, func(t *testing.T) {
		var current atomic.Pointer[snapshot.Snapshot]
		current.Store(compile(t, first, 1))
		h := newHandler(t, operations.Config{Snapshot: current.Load, CacheBytes: 1 << 20})
		ctx, stop := context.WithCancel(t.Context())
		changed, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			h.Run(ctx, func() <-chan struct{} { return changed })
		}()
		settle := func() {
			time.Sleep(time.Second)
			synctest.Wait()
		}
		settle()
		check(t, h, func(next *domain.Catalog) {
			current.Store(compile(t, next, current.Load().Revision().Number+1))
			changed <- struct{}{}
			settle()
		})
		stop()
		<-done
	})
}

func TestCacheIsWarmAfterPublish(t *testing.T) {
	published(t, marked(fixture(t), 1), func(t *testing.T, h *operations.Handler, publish func(*domain.Catalog)) {
		get(t, h, "/api/open/chains?q=e&limit=3", in("br"))
		get(t, h, "/api/open/nav/menus/tools?locale=zh-CN", in("zstd"))
		get(t, h, "/api/open/meta", nil)
		old := h.CachedBodies()

		publish(marked(fixture(t), 2))
		if got := len(h.CachedBodies()); got != len(old) {
			t.Errorf("%d bodies are cached after the publish, %d before", got, len(old))
		}
		for _, body := range h.CachedBodies() {
			if slices.Contains(old, body) {
				t.Error("a body of the old generation is cached")
			}
		}
		ready := h.CachedBytes()
		if weighed := h.WeighedBytes(); weighed != ready {
			t.Errorf("%d bytes are cached, %d are counted", ready, weighed)
		}
		get(t, h, "/api/open/chains?limit=3&q=E", in("br"))
		get(t, h, "/api/open/nav/menus/tools?locale=zh", in("zstd"))
		get(t, h, "/api/open/meta", nil)
		if got := h.CachedBytes(); got != ready {
			t.Errorf("equivalent requests added %d bytes to the cache", got-ready)
		}
		if get(t, h, "/api/open/meta", in("gzip")); h.CachedBytes() == ready {
			t.Error("gzip was encoded before the first request for it")
		}
	})
}

// TestWarmingEnds checks that an entry without requests is warmed for keepWarm generations.
func TestWarmingEnds(t *testing.T) {
	published(t, marked(fixture(t), 1), func(t *testing.T, h *operations.Handler, publish func(*domain.Catalog)) {
		get(t, h, "/api/open/chains", in("br"))
		for i := range 8 {
			publish(marked(fixture(t), 2+i))
			if got := len(h.CachedBodies()); got != 1 {
				t.Fatalf("%d bodies are cached %d generations after the request, want 1", got, i+1)
			}
		}
		publish(marked(fixture(t), 10))
		if got := len(h.CachedBodies()); got != 0 {
			t.Errorf("%d bodies are cached without recent requests, want 0", got)
		}
	})
}

func TestUnchangedBodiesStay(t *testing.T) {
	published(t, fixture(t), func(t *testing.T, h *operations.Handler, publish func(*domain.Catalog)) {
		get(t, h, "/api/open/chains", in("br"))
		old, bytes := h.CachedBodies(), h.CachedBytes()
		publish(fixture(t))
		if got := h.CachedBodies(); !slices.Equal(got, old) || h.CachedBytes() != bytes {
			t.Error("an unchanged body was replaced")
		}
	})
}

func TestRemovedRecordsAreNotWarmed(t *testing.T) {
	published(t, fixture(t), func(t *testing.T, h *operations.Handler, publish func(*domain.Catalog)) {
		get(t, h, "/api/open/nav/menus/hidden?locale=pt", in("br"))
		next := fixture(t)
		next.Menus = slices.DeleteFunc(next.Menus, func(m domain.Menu) bool { return m.PathSlug == "hidden" })
		next.Locales = []string{"en"}
		publish(next)
		if got := len(h.CachedBodies()); got != 0 {
			t.Errorf("%d bodies of a removed menu are cached", got)
		}
		if got := get(t, h, "/api/open/nav/menus/hidden", nil).StatusCode; got != http.StatusNotFound {
			t.Errorf("status %d, want 404", got)
		}
	})
}

// TestLinksHaveTheSearchOfTheirClient checks that Link repeats `q` as the client wrote it, also
// if requests share a body.
func TestLinksHaveTheSearchOfTheirClient(t *testing.T) {
	h := serving(t, compile(t, fixture(t), 42))
	for range 2 {
		for q, want := range map[string]string{"a": "q=a&", "A": "q=A&", "+a": "q=+a&"} {
			response := get(t, h, "/api/open/chains?limit=1&q="+q, nil)
			want = "</api/open/chains?limit=1&offset=1&" + want + "revision=42&sort=tvl&sortDir=desc>; rel=\"next\""
			if got := response.Header.Get("Link"); got != want {
				t.Errorf("q=%s: Link %s, want %s", q, got, want)
			}
		}
	}
	if got := len(h.CachedBodies()); got != 1 {
		t.Errorf("%d bodies are cached for equivalent requests, want 1", got)
	}
}

// TestRememberedSpellings checks that cached spellings do not change responses to similar
// requests.
func TestRememberedSpellings(t *testing.T) {
	h := serving(t, compile(t, fixture(t), 42))
	const chains, page = "/api/open/chains", "/api/open/chains?locale=zh&limit=1&q=%C3%A9"
	for range 3 {
		if got, want := body(t, get(t, h, page, nil)), body(t, get(t, h, chains+"?q=e&locale=ZH_cn&limit=1", nil)); got != want {
			t.Errorf("equivalent requests got different bodies: %s and %s", got, want)
		}
		for _, test := range []struct {
			method, target string
			status         int
		}{
			{"GET", chains, 200}, {"HEAD", chains, 200}, {"POST", chains, 405}, {"OPTIONS", chains, 204}, {"GET", "/api/open/%63hains", 404},
			{"GET", chains + "?sort=x", 400}, {"GET", "/api/open/nav/menus/tools", 200}, {"GET", "/api/open/nav/menus/t%6Fols", 404},
		} {
			if got := request(t, h, test.method, test.target, nil).StatusCode; got != test.status {
				t.Errorf("%s %s: status %d, want %d", test.method, test.target, got, test.status)
			}
		}
	}
}
