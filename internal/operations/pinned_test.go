package operations_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"vitrine/internal/operations"
	"vitrine/internal/snapshot"
)

// swapped calls check in a synctest bubble with a handler, and a function that makes it serve a
// snapshot.
func swapped(t *testing.T, check func(t *testing.T, h *operations.Handler, serve func(*snapshot.Snapshot))) {
	synctest.Test(t, func(t *testing.T) {
		var current atomic.Pointer[snapshot.Snapshot]
		h := newHandler(t, operations.Config{Snapshot: current.Load, CacheBytes: 1 << 20})
		check(t, h, func(s *snapshot.Snapshot) {
			current.Store(s)
			get(t, h, "/api/open/meta", nil) // the handler notices
		})
	})
}

// revisionOf returns a snapshot whose content depends on its revision.
func revisionOf(t *testing.T, revision int) *snapshot.Snapshot {
	t.Helper()
	return compile(t, marked(fixture(t), revision), int64(revision))
}

// nextOf returns the target of the link to the next page.
func nextOf(t *testing.T, of fetched) string {
	t.Helper()
	for _, match := range linkPattern.FindAllStringSubmatch(of.header.Get("Link"), -1) {
		if match[2] == "next" {
			return match[1]
		}
	}
	t.Fatalf("no next page in Link %q: %s", of.header.Get("Link"), of.body)
	return ""
}

// TestPagesOfOneRevision follows a link after publishes.
func TestPagesOfOneRevision(t *testing.T) {
	snapshots, alone := make([]*snapshot.Snapshot, 5), make([]http.Handler, 5)
	for i := range snapshots {
		snapshots[i] = revisionOf(t, i)
		alone[i] = serving(t, snapshots[i])
	}
	for _, first := range []string{
		"/api/open/chains?limit=1&locale=zh", "/api/open/apps?view=full&limit=1&status=all", "/api/open/twitter/users?followers=any&limit=1",
		"/api/open/nav/cards?limit=1", "/api/open/search?q=a&limit=1", "/api/open/chains?id=celo,bitcoin&limit=1",
	} {
		swapped(t, func(t *testing.T, h *operations.Handler, serve func(*snapshot.Snapshot)) {
			serve(snapshots[1])
			next := nextOf(t, fetch(t, h, first))
			expect := func(revision int, notice string) {
				t.Helper()
				want := fetch(t, alone[revision], next)
				for range 2 { // the second request may hit a cached spelling
					got := fetch(t, h, next)
					if got.body != want.body || got.header.Get("Etag") != want.header.Get("Etag") {
						t.Fatalf("%s: %s, want the page of revision %d: %s", next, got.body, revision, want.body)
					}
					for name, value := range map[string]string{
						"Catalog-Revision": strconv.Itoa(revision), "Catalog-Notice": notice, "Total-Count": want.header.Get("Total-Count"), "Link": want.header.Get("Link"),
					} {
						if got.header.Get(name) != value {
							t.Fatalf("%s: %s %q, want %q", next, name, got.header.Get(name), value)
						}
					}
					head := request(t, h, http.MethodHead, next, nil)
					same := request(t, h, http.MethodGet, next, http.Header{"If-None-Match": {want.header.Get("Etag")}})
					if same.StatusCode != http.StatusNotModified {
						t.Fatalf("%s: status %d, want 304", next, same.StatusCode)
					}
					for _, name := range []string{"Catalog-Revision", "Catalog-Notice", "Total-Count", "Link", "Etag"} {
						if head.Header.Get(name) != got.header.Get(name) || same.Header.Get(name) != got.header.Get(name) {
							t.Fatalf("%s: %s is %q, %q for HEAD, %q for a 304", next, name, got.header.Get(name), head.Header.Get(name), same.Header.Get(name))
						}
					}
				}
			}
			expect(1, "")
			serve(snapshots[2])
			expect(1, "")
			if got := fetch(t, h, strings.Replace(next, "revision=1", "revision=2", 1)); got.header.Get("Catalog-Revision") != "2" || got.header.Get("Catalog-Notice") != "" {
				t.Errorf("%s: headers %v", next, got.header)
			}
			time.Sleep(time.Minute)
			expect(1, "") // kept for at least a minute
			time.Sleep(time.Hour)
			expect(2, "moved;from=1;to=2")
			serve(snapshots[3])
			serve(snapshots[4])
			expect(4, "moved;from=1;to=4")
			next = strings.Replace(next, "revision=1", "revision=3", 1)
			expect(3, "")
			serve(snapshots[4]) // the same revision again, such as with other positions
			expect(3, "")
			next = strings.Replace(next, "revision=3", "revision=999999999999999", 1)
			expect(4, "moved;from=999999999999999;to=4")
		})
	}
}

// TestMovedComesFirst checks that other notices follow, five in all, and that errors have none.
func TestMovedComesFirst(t *testing.T) {
	h := serving(t, compile(t, fixture(t), 42))
	for target, want := range map[string]string{
		"chains?revision=42&page=1": `ignored;parameter="page";instead="offset"`,
		"chains?page=1&revision=41": `moved;from=41;to=42, ignored;parameter="page";instead="offset"`,
		"chains?revision=41&id=2,3,4,5,6": `moved;from=41;to=42, unknown;parameter="id";value="2", unknown;parameter="id";value="3", ` +
			`unknown;parameter="id";value="4", unknown;parameter="id";value="5"`,
		"search?q=celo&revision=7":  "moved;from=7;to=42",
		"chains/celo?revision=7":    `ignored;parameter="revision"`,
		"nav/groups?revision=7":     `ignored;parameter="revision"`,
		"chains?revision=7&limit=0": "",
	} {
		if got := fetch(t, h, "/api/open/"+target).header.Get("Catalog-Notice"); got != want {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
	for _, malformed := range []string{"0", "-1", "x", "1.0", "1000000000000000", "99999999999999999999", "%zz", "1&revision=2"} {
		got := fetch(t, h, "/api/open/chains?revision="+malformed)
		if got.status != http.StatusBadRequest || !strings.Contains(got.body, `"parameter":"revision"`) {
			t.Errorf("revision=%s: %d %s", malformed, got.status, got.body)
		}
	}
}

// TestOnePreviousRevisionIsKept checks that frequent publishes keep no more than two snapshots in
// memory, and that an idle handler keeps one.
func TestOnePreviousRevisionIsKept(t *testing.T) {
	swapped(t, func(t *testing.T, h *operations.Handler, serve func(*snapshot.Snapshot)) {
		var all []weak.Pointer[snapshot.Snapshot]
		kept := func() (revisions []int) {
			synctest.Wait()
			for range 2 { // an object with a finaliser takes two
				runtime.GC()
			}
			for i, s := range all {
				if s.Value() != nil {
					revisions = append(revisions, i+1)
				}
			}
			return revisions
		}
		for i := range 20 {
			s := revisionOf(t, i+1)
			serve(s)
			all = append(all, weak.Make(s))
			h.AwaitPrepared()
			fetch(t, h, fmt.Sprintf("/api/open/chains?limit=1&revision=%d", i))
			time.Sleep(time.Second)
		}
		if got := fmt.Sprint(kept()); got != "[19 20]" {
			t.Errorf("the revisions %s are in memory, want the last two", got)
		}
		time.Sleep(time.Hour)
		if got := fmt.Sprint(kept()); got != "[20]" {
			t.Errorf("the revisions %s are in memory after an hour, want the last one", got)
		}
		stats := h.Stats().Answers
		fetch(t, h, "/api/open/chains?limit=1&revision=19")
		fetch(t, h, "/api/open/chains?limit=1&revision=18")
		if now := h.Stats().Answers; now != stats+1 {
			t.Errorf("%d cache entries for equal pages, want one", now-stats)
		}
	})
}

// TestPinnedPagesEqualTheModel compares random pages at random times with a model that knows the
// present revision, and the previous one with its end.
func TestPinnedPagesEqualTheModel(t *testing.T) {
	const revisions = 6
	seeds, steps := uint64(3), 150
	if testing.Short() {
		seeds, steps = 1, 50
	}
	snapshots, alone := make([]*snapshot.Snapshot, revisions+1), make([]http.Handler, revisions+1)
	for i := range snapshots {
		snapshots[i] = revisionOf(t, i)
		alone[i] = serving(t, snapshots[i])
	}
	for seed := range seeds {
		random := rand.New(rand.NewPCG(seed, 1))
		swapped(t, func(t *testing.T, h *operations.Handler, serve func(*snapshot.Snapshot)) {
			now, previous, until := 1, 0, time.Time{}
			serve(snapshots[now])
			for range steps {
				switch random.IntN(3) {
				case 0:
					if next := 1 + random.IntN(revisions); next != now {
						now, previous, until = next, now, time.Now().Add(2*time.Minute)
						serve(snapshots[now])
					}
				case 1:
					time.Sleep(time.Duration(random.IntN(50)) * time.Second)
				}
				synctest.Wait()
				asked, want, notice := 1+random.IntN(revisions+1), now, ""
				target := everyOperation[random.IntN(len(everyOperation))]
				isList := strings.Contains(target, "users") || strings.Contains(target, "chains") || strings.Contains(target, "channels")
				pinned := target + "&revision=" + url.QueryEscape(strconv.Itoa(asked))
				if !strings.Contains(target, "?") {
					pinned = target + "?revision=" + strconv.Itoa(asked)
				}
				switch {
				case !isList:
					notice = `ignored;parameter="revision"`
				case asked == previous && asked != now && time.Now().Before(until):
					want = previous
				case asked != now:
					notice = fmt.Sprintf("moved;from=%d;to=%d", asked, now)
				}
				got, expected := fetch(t, h, pinned), fetch(t, alone[want], target)
				if got.body != expected.body || got.header.Get("Catalog-Revision") != strconv.Itoa(want) || got.header.Get("Catalog-Notice") != notice {
					t.Fatalf("seed %d: %s: revision %s, notice %s, want %d and %s (present %d, previous %d until %v, now %v)",
						seed, pinned, got.header.Get("Catalog-Revision"), got.header.Get("Catalog-Notice"), want, notice, now, previous, until, time.Now())
				}
			}
		})
	}
}
