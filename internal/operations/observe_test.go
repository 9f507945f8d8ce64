package operations_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/admission"
	"vitrine/internal/clientip"
	"vitrine/internal/operations"
	"vitrine/internal/ratelimit"
	"vitrine/internal/snapshot"
)

// observed is a handler with its recorded outcomes and log.
type observed struct {
	*operations.Handler
	outcomes []string
	log      bytes.Buffer
}

func observing(t testing.TB, s *snapshot.Snapshot, config operations.Config) *observed {
	t.Helper()
	o := &observed{}
	config.Snapshot = func() *snapshot.Snapshot { return s }
	config.CacheBytes = 1 << 20
	config.Log = slog.New(slog.NewTextHandler(&o.log, &slog.HandlerOptions{ReplaceAttr: withoutTimes}))
	config.Observe = func(got operations.Outcome) {
		if got.Took < 0 {
			t.Errorf("a request took %v", got.Took)
		}
		line := fmt.Sprintf("%s %d %d", operations.Operations()[got.Operation], got.Status, got.Bytes)
		if got.Broken {
			line += " broken"
		}
		o.outcomes = append(o.outcomes, line)
	}
	var err error
	if o.Handler, err = operations.New(config); err != nil {
		t.Fatal(err)
	}
	return o
}

func withoutTimes(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey || a.Key == "took_us" {
		return slog.Attr{}
	}
	return a
}

func (o *observed) want(t *testing.T, outcomes ...string) {
	t.Helper()
	if diff := cmp.Diff(outcomes, o.outcomes); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	o.outcomes = nil
	if n := o.Stats().InFlight; n != 0 {
		t.Errorf("%d requests in flight, want none", n)
	}
}

func TestOutcomes(t *testing.T) {
	s := compile(t, fixture(t), 1)
	empty, full := observing(t, nil, operations.Config{}), observing(t, s, operations.Config{})
	crowded := observing(t, s, operations.Config{MaxInFlight: 1})
	defer crowded.Occupy()()
	for _, tt := range []struct {
		h              *observed
		method, target string
		header         http.Header
		want           string // * stands for the size of the body
	}{
		{full, "GET", "/api/open/chains", nil, "listChains 200 *"},
		{full, "GET", "/api/open/chains", nil, "listChains 200 *"}, // from the cache
		{full, "GET", "/api/open/chains", http.Header{"Accept-Encoding": {"gzip"}}, "listChains 200 *"},
		{full, "HEAD", "/api/open/chains", nil, "listChains 200 0"},
		{full, "GET", "/api/open/chains", http.Header{"If-None-Match": {"*"}}, "listChains 304 0"},
		{full, "GET", "/api/open/chains?limit=x", nil, "listChains 400 *"},
		{full, "POST", "/api/open/chains", nil, "listChains 405 *"},
		{full, "GET", "/api/open/chains", http.Header{"Accept-Encoding": {"identity;q=0, *;q=0"}}, "listChains 406 *"},
		{full, "GET", "/api/open/nav/menus/nothing", nil, "getNavMenu 404 *"},
		{full, "OPTIONS", "/api/open/chains", nil, "options 204 0"},
		{full, "GET", "/metrics", nil, "unknown 404 *"},
		{full, "GET", "/api/open/spec", nil, "getSpec 200 *"},
		{full, "GET", "/openapi.json", nil, "getSpec 200 *"},
		{full, "GET", "/", nil, "getIndex 200 *"},
		{full, "POST", "/api/open", nil, "getIndex 405 *"},
		{empty, "GET", "/", nil, "getIndex 503 *"},
		{empty, "GET", "/api/open/spec", nil, "getSpec 200 *"},
		{empty, "GET", "/api/open/meta", nil, "getMeta 503 *"},
		{crowded, "GET", "/api/open/meta", nil, "getMeta 503 *"},
	} {
		t.Run(tt.method+" "+tt.target, func(t *testing.T) {
			size := len(body(t, request(t, tt.h, tt.method, tt.target, tt.header)))
			tt.h.want(t, strings.ReplaceAll(tt.want, "*", fmt.Sprint(size)))
		})
	}
	if got := crowded.Stats().Shed; got != 1 {
		t.Errorf("%d requests were shed, want 1", got)
	}
	if got := full.Stats().Shed; got != 0 {
		t.Errorf("%d requests were shed without a bound", got)
	}
}

// gone is a disconnected client. Writing to it fails after two bytes, or panics with cause.
type gone struct {
	*httptest.ResponseRecorder
	cause any
}

func (g gone) Write([]byte) (int, error) {
	if g.cause != nil {
		panic(g.cause)
	}
	return 2, errors.New("broken pipe")
}

func TestBrokenAnswersAreCounted(t *testing.T) {
	s := compile(t, fixture(t), 1)
	for _, tt := range []struct {
		name    string
		cause   any
		panics  any
		outcome string
		logged  bool
	}{
		{"gone", nil, nil, "listChains 200 2 broken", false},
		{"aborted", http.ErrAbortHandler, http.ErrAbortHandler, "listChains 0 0 broken", false},
		{"panic after the header", "a fault", http.ErrAbortHandler, "listChains 0 0 broken", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := observing(t, s, operations.Config{LogRequests: slog.LevelDebug})
			func() {
				defer func() {
					if got := recover(); got != tt.panics {
						t.Errorf("panic(%v), want %v", got, tt.panics)
					}
				}()
				o.ServeHTTP(gone{httptest.NewRecorder(), tt.cause}, httptest.NewRequest("GET", "/api/open/chains", nil))
			}()
			o.want(t, tt.outcome)
			if got := strings.Contains(o.log.String(), "level=ERROR"); got != tt.logged {
				t.Errorf("an error is logged: %v, want %v\n%s", got, tt.logged, o.log.String())
			}
		})
	}
}

func TestPanicsAreCounted(t *testing.T) {
	o := observing(t, new(snapshot.Snapshot), operations.Config{LogRequests: slog.LevelDebug})
	size := len(body(t, get(t, o, "/api/open/meta", nil)))
	o.want(t, fmt.Sprintf("getMeta 500 %d", size))
	if line := o.log.String(); !strings.Contains(line, `level=ERROR msg=request`) || !strings.Contains(line, `error="panic: `) ||
		strings.Count(line, "\n") != 1 {
		t.Errorf("want one line with the error, got\n%s", line)
	}
}

func TestRequestLog(t *testing.T) {
	o := observing(t, compile(t, fixture(t), 1), operations.Config{LogRequests: slog.LevelInfo, Gate: gate(7, ratelimit.Policy{})})
	secrets := http.Header{
		"X-Request-Id": {"mine"}, "Authorization": {"Basic secret"}, "X-Forwarded-For": {"203.0.113.9"}, "Cookie": {"secret"},
	}
	for _, tt := range []struct{ method, target, want string }{
		{"OPTIONS", "/api/open/chains?q=secret", `operation=options method=OPTIONS path=/api/open/chains status=204 bytes=0`},
		{"HEAD", "/api/open/chains?q=secret", `operation=listChains method=HEAD path=/api/open/chains status=200 bytes=0`},
		{"HEAD", "/api/open/chains?sort=secret", `operation=listChains method=HEAD path=/api/open/chains status=400 bytes=0 code=invalid_parameter`},
		{"HEAD", "/a%0d%0alevel=ERROR%1b[31m%ff%e2%80%ae", `operation=unknown method=HEAD path="/a%0d%0alevel=ERROR%1b[31m%ff%e2%80%ae" status=404 bytes=0 code=not_found`},
		{"HEAD", "/" + strings.Repeat("x", 300), `operation=unknown method=HEAD path=/` + strings.Repeat("x", 255) + `… status=404 bytes=0 code=not_found`},
	} {
		t.Run(tt.method+" "+tt.target, func(t *testing.T) {
			o.log.Reset()
			request(t, o, tt.method, tt.target, secrets.Clone())
			if diff := cmp.Diff("level=INFO msg=request id=mine client=192.0.2.1 "+tt.want+"\n", o.log.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestRequestLogNamesCallers checks that lines have the client as quotas identify it and the name
// of its key, but never the key or values of the client.
func TestRequestLogNamesCallers(t *testing.T) {
	keys := admission.NewKeys([]admission.Key{
		{Name: "ci", Hash: sha256.Sum256([]byte("right"))},
		{Name: "old ci", Hash: sha256.Sum256([]byte("expired")), Until: time.Now()},
	}, nil)
	limits := admission.Config{
		Anonymous: ratelimit.Policy{Quota: 3, Window: time.Hour}, Key: ratelimit.Policy{Quota: 1, Window: time.Hour},
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.1/32")}, Forwarded: clientip.XForwardedFor,
	}
	gate := admission.New(ratelimit.NewMemory(), func() *admission.Keys { return keys }, slog.New(slog.DiscardHandler), limits)
	o := observing(t, compile(t, fixture(t), 1), operations.Config{LogRequests: slog.LevelInfo, Gate: gate})
	for _, tt := range []struct {
		remote string
		key    string
		want   string
	}{
		{"192.0.2.1:4000", "", `client=192.0.2.1 operation=getMeta method=HEAD path=/api/open/meta status=200 bytes=0`},
		{"192.0.2.1:4000", "right", `client=192.0.2.1 operation=getMeta method=HEAD path=/api/open/meta status=200 bytes=0 api_key=ci`},
		{"192.0.2.1:4000", "right", `client=192.0.2.1 operation=getMeta method=HEAD path=/api/open/meta status=429 bytes=0 api_key=ci code=rate_limited`},
		{"192.0.2.1:4000", "wrong", `client=192.0.2.1 operation=getMeta method=HEAD path=/api/open/meta status=401 bytes=0 code=invalid_api_key`},
		{"192.0.2.1:4000", "expired", `client=192.0.2.1 operation=getMeta method=HEAD path=/api/open/meta status=401 bytes=0 api_key="old ci" code=invalid_api_key`},
		{"[2001:db8:1:2:3:4:5:6]:4000", "", `client=2001:db8:1:2::/64 operation=getMeta method=HEAD path=/api/open/meta status=200 bytes=0`},
		{"10.0.0.1:4000", "", `client=203.0.113.9 operation=getMeta method=HEAD path=/api/open/meta status=200 bytes=0`},
		{"@", "", `client=none operation=getMeta method=HEAD path=/api/open/meta status=200 bytes=0`},
	} {
		o.log.Reset()
		r := httptest.NewRequest("HEAD", "/api/open/meta", nil)
		r.RemoteAddr = tt.remote
		r.Header = http.Header{"X-Api-Key": {tt.key}, "Authorization": {"Bearer " + tt.key}, "X-Request-Id": {"mine"}, "X-Forwarded-For": {"198.51.100.1, 203.0.113.9"}}
		o.ServeHTTP(httptest.NewRecorder(), r)
		if diff := cmp.Diff("level=INFO msg=request id=mine "+tt.want+"\n", o.log.String()); diff != "" {
			t.Errorf("%s with %q (-want +got):\n%s", tt.remote, tt.key, diff)
		}
	}
}

func TestCacheStats(t *testing.T) {
	o := observing(t, compile(t, fixture(t), 1), operations.Config{})
	for range 3 {
		get(t, o, "/api/open/chains", nil)
	}
	get(t, o, "/api/open/chains?locale=en", nil) // the same body
	get(t, o, "/api/open/meta", nil)
	o.WeighedBytes() // the cache updates its counters asynchronously
	got := o.Stats()
	if got.Hits != 3 || got.Misses != 2 || got.Answers != 2 || got.Bodies != 2 || got.Budget != 1<<20 || got.Bytes == 0 {
		t.Errorf("%+v", got)
	}
}

func TestOperationsAreDistinct(t *testing.T) {
	names := operations.Operations()
	if distinct := slices.Compact(slices.Sorted(slices.Values(names))); len(distinct) != len(names) {
		t.Errorf("a name repeats in %q", names)
	}
}
