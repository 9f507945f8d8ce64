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

// in asks for an encoding, also of small bodies.
func in(encoding string) http.Header {
	return http.Header{"Accept-Encoding": {"identity;q=0, " + encoding}}
}

func TestEqualBodiesAreKeptOnce(t *testing.T) {
	h := serving(t, compile(t, fixture(t), 42))
	for _, target := range []string{
		"/api/open/chains?q=nothing", "/api/open/chains?q=nobody&locale=zh", "/api/open/chains?tag=none&sort=name", "/api/open/chains?offset=99",
	} {
		get(t, h, target, nil)
	}
	if got := len(h.KeptBodies()); got != 1 {
		t.Errorf("%d bodies are kept of four equal ones", got)
	}
}

// TestCompressedFormsCount: what is weighed is what is kept, compressed forms
// included.
func TestCompressedFormsCount(t *testing.T) {
	const budget = 64 << 10
	s := compile(t, fixture(t), 42)
	h := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return s }, CacheBytes: budget})
	for _, target := range everyOperation {
		for _, encoding := range []string{"gzip", "br", "zstd"} {
			get(t, h, target, in(encoding))
			if kept, weighed := h.KeptBytes(), h.WeighedBytes(); kept != weighed || kept > budget {
				t.Fatalf("%s in %s: %d bytes are kept, %d are counted, the budget is %d", target, encoding, kept, weighed, budget)
			}
		}
	}
	if h.KeptBytes() == 0 {
		t.Error("nothing is kept")
	}
}

// published runs a handler in a bubble of time; publish swaps the snapshot and
// returns when the handler has warmed up.
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

func TestWhatWasAskedForIsReadyAfterAPublish(t *testing.T) {
	published(t, marked(fixture(t), 1), func(t *testing.T, h *operations.Handler, publish func(*domain.Catalog)) {
		get(t, h, "/api/open/chains?q=e&limit=3", in("br"))
		get(t, h, "/api/open/nav/menus/tools?locale=zh-CN", in("zstd"))
		get(t, h, "/api/open/meta", nil)
		old := h.KeptBodies()

		publish(marked(fixture(t), 2))
		if got := len(h.KeptBodies()); got != len(old) {
			t.Errorf("%d bodies are ready, %d were asked for", got, len(old))
		}
		for _, body := range h.KeptBodies() {
			if slices.Contains(old, body) {
				t.Error("a body of the old edition is kept")
			}
		}
		ready := h.KeptBytes()
		if weighed := h.WeighedBytes(); weighed != ready {
			t.Errorf("%d bytes are ready, %d are counted", ready, weighed)
		}
		get(t, h, "/api/open/chains?limit=3&q=E", in("br"))
		get(t, h, "/api/open/nav/menus/tools?locale=zh", in("zstd"))
		get(t, h, "/api/open/meta", nil)
		if got := h.KeptBytes(); got != ready {
			t.Errorf("%d bytes had to be made for the same requests", got-ready)
		}
		if get(t, h, "/api/open/meta", in("gzip")); h.KeptBytes() == ready {
			t.Error("an encoding that nobody asked for was made")
		}
	})
}

// TestUnaskedIsForgotten: what nobody asks for any more is prepared for some
// editions still, and then not again.
func TestUnaskedIsForgotten(t *testing.T) {
	published(t, marked(fixture(t), 1), func(t *testing.T, h *operations.Handler, publish func(*domain.Catalog)) {
		get(t, h, "/api/open/chains", in("br"))
		for edition := range 8 {
			publish(marked(fixture(t), 2+edition))
			if got := len(h.KeptBodies()); got != 1 {
				t.Fatalf("%d bodies are ready %d editions after it was asked for, want 1", got, edition+1)
			}
		}
		publish(marked(fixture(t), 10))
		if got := len(h.KeptBodies()); got != 0 {
			t.Errorf("%d bodies are ready that nobody asked for", got)
		}
	})
}

func TestUnchangedBodiesStay(t *testing.T) {
	published(t, fixture(t), func(t *testing.T, h *operations.Handler, publish func(*domain.Catalog)) {
		get(t, h, "/api/open/chains", in("br"))
		old, bytes := h.KeptBodies(), h.KeptBytes()
		publish(fixture(t))
		if got := h.KeptBodies(); !slices.Equal(got, old) || h.KeptBytes() != bytes {
			t.Error("a body that a publish did not touch was made again")
		}
	})
}

func TestWhatIsGoneIsNotPrepared(t *testing.T) {
	published(t, fixture(t), func(t *testing.T, h *operations.Handler, publish func(*domain.Catalog)) {
		get(t, h, "/api/open/nav/menus/hidden?locale=pt", in("br"))
		next := fixture(t)
		next.Menus = slices.DeleteFunc(next.Menus, func(m domain.Menu) bool { return m.PathSlug == "hidden" })
		next.Locales = []string{"en"}
		publish(next)
		if got := len(h.KeptBodies()); got != 0 {
			t.Errorf("%d bodies of a menu that is gone", got)
		}
		if got := get(t, h, "/api/open/nav/menus/hidden", nil).StatusCode; got != http.StatusNotFound {
			t.Errorf("status %d, want 404", got)
		}
	})
}

// TestLinksHaveTheSearchOfTheirClient: requests that share a body need not be
// spelled alike.
func TestLinksHaveTheSearchOfTheirClient(t *testing.T) {
	h := serving(t, compile(t, fixture(t), 42))
	for range 2 {
		for q, want := range map[string]string{"a": "q=a&", "A": "q=A&", "+a": "q=+a&"} {
			response := get(t, h, "/api/open/chains?limit=1&q="+q, nil)
			want = "</api/open/chains?limit=1&offset=1&" + want + "sort=tvl&sortDir=desc>; rel=\"next\""
			if got := response.Header.Get("Link"); got != want {
				t.Errorf("q=%s: Link %s, want %s", q, got, want)
			}
		}
	}
	if got := len(h.KeptBodies()); got != 1 {
		t.Errorf("%d bodies are kept of equal requests", got)
	}
}

// TestRememberedSpellings: that a request was answered before changes nothing
// for those that look like it.
func TestRememberedSpellings(t *testing.T) {
	h := serving(t, compile(t, fixture(t), 42))
	const chains, page = "/api/open/chains", "/api/open/chains?locale=zh&limit=1&q=%C3%A9"
	for range 3 {
		if got, want := body(t, get(t, h, page, nil)), body(t, get(t, h, chains+"?q=e&locale=ZH_cn&limit=1", nil)); got != want {
			t.Errorf("two spellings of a request: %s and %s", got, want)
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
