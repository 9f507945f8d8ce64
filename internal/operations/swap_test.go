package operations_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/operations"
	"vitrine/internal/snapshot"
)

// everyOperation has a request for each operation, and some with parameters.
var everyOperation = []string{
	"/api/open/categories", "/api/open/categories?scope=chain", "/api/open/categories?includeI18n=1",
	"/api/open/twitter/users", "/api/open/twitter/users?q=alpha", "/api/open/twitter/users?tag=defi&locale=pt",
	"/api/open/chains", "/api/open/chains?q=e&sort=name&locale=zh", "/api/open/chains?tag=l2&limit=1",
	"/api/open/nav/groups", "/api/open/nav/groups/start", "/api/open/nav/menus/tools", "/api/open/nav/menus/hidden",
	"/api/open/category-groups?module=chain", "/api/open/youtube/channels", "/api/open/spec", "/api/open/meta",
}

// TestSwapsUnderReaders swaps the snapshot a thousand times under concurrent requests to all
// operations. Each response must equal, byte for byte, that of a handler that serves only its
// revision.
func TestSwapsUnderReaders(t *testing.T) {
	const revisions, swaps, readers = 8, 1000, 4
	type answer struct{ body, tag string }
	snapshots := make([]*snapshot.Snapshot, revisions)
	want := make([]map[string]answer, revisions)
	for i := range snapshots {
		snapshots[i] = compile(t, marked(fixture(t), i), int64(i))
		alone := serving(t, snapshots[i])
		want[i] = map[string]answer{}
		for _, target := range everyOperation {
			response := get(t, alone, target, nil)
			want[i][target] = answer{body(t, response), response.Header.Get("ETag")}
		}
	}
	for _, target := range everyOperation {
		if a, b := want[0][target], want[1][target]; (a == b) != (target == "/api/open/spec") {
			t.Fatalf("%s: the revisions do not differ, so this test could not tell them apart", target)
		}
	}

	var current atomic.Pointer[snapshot.Snapshot]
	current.Store(snapshots[0])
	h := newHandler(t, operations.Config{Snapshot: current.Load, CacheBytes: 64 << 10})
	changed := make(chan struct{}, 1)
	ctx, cancel := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	wait.Go(func() { h.Run(ctx, func() <-chan struct{} { return changed }) })
	stop := make(chan struct{})
	var requests atomic.Int64
	for range readers {
		wait.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				target := everyOperation[rand.IntN(len(everyOperation))]
				pinned, named := target, 1+rand.IntN(2*revisions)
				if named < revisions && target != "/api/open/spec" {
					pinned += map[bool]string{true: "&", false: "?"}[strings.Contains(target, "?")] + fmt.Sprintf("revision=%d", named)
				}
				w := httptest.NewRecorder()
				h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, pinned, nil))
				requests.Add(1)
				revision, err := strconv.Atoi(w.Header().Get("Catalog-Revision"))
				if err != nil || w.Code != http.StatusOK {
					t.Errorf("%s: status %d, revision %q", target, w.Code, w.Header().Get("Catalog-Revision"))
					return
				}
				if got := (answer{w.Body.String(), w.Header().Get("ETag")}); got != want[revision][target] {
					t.Errorf("%s: the response is not that of revision %d", target, revision)
					return
				}
				moved := fmt.Sprintf("moved;from=%d;to=%d", named, revision)
				if notice := w.Header().Get("Catalog-Notice"); pinned != target && notice != moved && revision != named && !strings.HasPrefix(notice, "ignored") {
					t.Errorf("%s: revision %d with the notice %s", pinned, revision, notice)
					return
				}
			}
		})
	}
	for swap := range swaps {
		current.Store(snapshots[rand.IntN(revisions)])
		select {
		case changed <- struct{}{}:
		default:
		}
		for requests.Load() < int64(2*swap) && !t.Failed() { // the readers keep pace
			runtime.Gosched()
		}
	}
	close(stop)
	cancel()
	wait.Wait()
	t.Logf("%d swaps under %d requests", swaps, requests.Load())
}

// marked changes every part of a catalogue that operations serve.
func marked(c *domain.Catalog, revision int) *domain.Catalog {
	mark := func(text domain.Text) {
		for i := range text {
			text[i].Value += fmt.Sprintf(" r%d", revision)
		}
	}
	mark(c.Title)
	for i := range c.Groups {
		mark(c.Groups[i].Name)
	}
	for i := range c.Categories {
		mark(c.Categories[i].Name)
	}
	for i := range c.Chains {
		mark(c.Chains[i].Name)
	}
	for i := range c.Accounts {
		c.Accounts[i].Name += strings.Repeat("!", revision)
	}
	for i := range c.Channels {
		c.Channels[i].Name += strings.Repeat("!", revision)
	}
	for i := range c.NavGroups {
		mark(c.NavGroups[i].Name)
	}
	for i := range c.Menus {
		mark(c.Menus[i].Title)
	}
	return c
}
