package operations_test

import (
	"crypto/sha256"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"vitrine/internal/admission"
	"vitrine/internal/operations"
	"vitrine/internal/ratelimit"
	"vitrine/internal/snapshot"
)

// gate returns a gate with a quota of requests per minute and, unless zero, a policy for bytes.
// The only valid key is "right".
func gate(quota int64, bytes ratelimit.Policy) *admission.Gate {
	keys := admission.NewKeys([]admission.Key{{Name: "holder", Hash: sha256.Sum256([]byte("right"))}}, nil)
	return admission.New(ratelimit.NewMemory(), func() *admission.Keys { return keys }, slog.New(slog.DiscardHandler), admission.Config{
		Anonymous: ratelimit.Policy{Quota: quota, Window: time.Minute},
		Key:       ratelimit.Policy{Quota: 300, Window: time.Minute},
		Bytes:     bytes,
	})
}

func limitedTo(t testing.TB, s *snapshot.Snapshot, quota int64) *operations.Handler {
	return newHandler(t, operations.Config{
		Snapshot: func() *snapshot.Snapshot { return s }, Gate: gate(quota, ratelimit.Policy{}), CacheBytes: 1 << 20,
	})
}

// TestChargedRequests checks that every request except OPTIONS is charged, whatever its status
// (docs/api.md#quotas).
func TestChargedRequests(t *testing.T) {
	h := limitedTo(t, compile(t, fixture(t), 42), 7)
	for _, tt := range []struct {
		method, target string
		header         http.Header
		status         int
		left           string
	}{
		{"GET", "/api/open/chains", nil, 200, `"anonymous";r=6;`},
		{"OPTIONS", "/api/open/chains", nil, 204, ""},
		{"HEAD", "/api/open/chains", nil, 200, `"anonymous";r=5;`},
		{"GET", "/api/open/chains", http.Header{"If-None-Match": {"*"}}, 304, `"anonymous";r=4;`},
		{"GET", "/api/open/chains?sort=x", nil, 400, `"anonymous";r=3;`},
		{"GET", "/api/open/unknown", nil, 404, `"anonymous";r=2;`},
		{"POST", "/api/open/chains", nil, 405, `"anonymous";r=1;`},
		{"GET", "/api/open/chains", http.Header{"X-Api-Key": {"right"}}, 200, `"key";r=299;`},
		{"GET", "/api/open/chains", http.Header{"X-Api-Key": {"wrong"}}, 401, `"anonymous";r=0;`},
		{"GET", "/api/open/chains", http.Header{"X-Api-Key": {"wrong"}}, 429, `"anonymous";r=0;`},
		{"GET", "/elsewhere", nil, 429, `"anonymous";r=0;`},
		{"POST", "/api/open/chains", nil, 429, `"anonymous";r=0;`},
		{"OPTIONS", "/api/open/unknown", nil, 204, ""},
		{"GET", "/", nil, 200, ""}, // entry points cost nothing
		{"GET", "/api/open", nil, 200, ""},
		{"HEAD", "/api/open/", nil, 200, ""},
		{"GET", "/api/open/", http.Header{"If-None-Match": {"*"}}, 304, ""},
		{"GET", "/api/open/?a=b&locale=zz", nil, 200, ""},
		{"GET", "/api/open/?locale=en&locale=en", nil, 429, `"anonymous";r=0;`}, // a body that is not prepared is charged
		{"GET", "/openapi.json", http.Header{"X-Api-Key": {"wrong"}}, 200, ""},  // nor does the error reveal whether the key exists
		{"POST", "/openapi.json", nil, 429, `"anonymous";r=0;`},
		{"GET", "/api%2Fopen", nil, 429, `"anonymous";r=0;`},
		{"GET", "/api/open/spec", nil, 429, `"anonymous";r=0;`},
		{"GET", "/elsewhere", http.Header{"X-Api-Key": {"right"}}, 404, `"key";r=29`}, // a key regains a unit in 200 ms
	} {
		got := request(t, h, tt.method, tt.target, tt.header)
		if got.StatusCode != tt.status || !strings.HasPrefix(got.Header.Get("RateLimit"), tt.left) || (tt.left == "") != (got.Header.Get("RateLimit") == "") {
			t.Errorf("%s %s %v: status %d, RateLimit %q; want %d, %q…", tt.method, tt.target, tt.header,
				got.StatusCode, got.Header.Get("RateLimit"), tt.status, tt.left)
		}
		if refused := tt.status == 429 || tt.status == 401; refused && got.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s %s: a refusal with Cache-Control %q", tt.method, tt.target, got.Header.Get("Cache-Control"))
		}
		if (tt.status == 429) != (got.Header.Get("Retry-After") != "") {
			t.Errorf("%s %s: status %d with Retry-After %q", tt.method, tt.target, tt.status, got.Header.Get("Retry-After"))
		}
	}
}

// TestChargedBytes checks that the encoded bytes of a response are charged.
func TestChargedBytes(t *testing.T) {
	s := compile(t, fixture(t), 42)
	h := newHandler(t, operations.Config{
		Snapshot: func() *snapshot.Snapshot { return s }, CacheBytes: 1 << 20,
		Gate: gate(60, ratelimit.Policy{Quota: 1 << 20, Window: 365 * 24 * time.Hour}),
	})
	left := int64(1 << 20)
	for _, tt := range []struct {
		method string
		header http.Header
	}{
		{"GET", nil}, {"HEAD", nil}, {"GET", http.Header{"If-None-Match": {"*"}}}, {"GET", http.Header{"Accept-Encoding": {"br"}}}, {"GET", nil},
	} {
		got := request(t, h, tt.method, "/api/open/spec", tt.header)
		if want := remaining(left); !strings.Contains(got.Header.Get("RateLimit"), want) {
			t.Errorf("%s %v: RateLimit %q, want %s", tt.method, tt.header, got.Header.Get("RateLimit"), want)
		}
		left -= int64(len(body(t, got)))
	}
}

func remaining(bytes int64) string { return fmt.Sprintf(`"bytes";r=%d;`, bytes) }
