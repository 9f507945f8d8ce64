package admission_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dunglas/httpsfv"
	"github.com/google/go-cmp/cmp"

	"vitrine/internal/admission"
	"vitrine/internal/clientip"
	"vitrine/internal/ratelimit"
	"vitrine/internal/response"
)

func perMinute(n int64) ratelimit.Policy { return ratelimit.Policy{Quota: n, Window: time.Minute} }

// site is a gate with its log and keys.
type site struct {
	*admission.Gate
	log  *bytes.Buffer
	keys *admission.Keys
}

func newSite(config admission.Config) *site {
	s := &site{log: &bytes.Buffer{}}
	log := slog.New(slog.NewTextHandler(s.log, nil))
	s.Gate = admission.New(ratelimit.NewMemory(), func() *admission.Keys { return s.keys }, log, config)
	return s
}

func withKeys(limits map[string]*ratelimit.Policy) *admission.Keys {
	var keys []admission.Key
	for key, limit := range limits {
		keys = append(keys, admission.Key{Name: "name of " + key, Hash: sha256.Sum256([]byte(key)), Limit: limit})
	}
	return admission.NewKeys(keys, nil)
}

// answer is the result of a request.
type answer struct {
	Code         response.Code // "" for an admitted one
	Policy, Left string
	RetryAfter   int64
}

func (s *site) ask(remote string, header http.Header, bytes ...int) answer {
	return s.askFor(admission.API, remote, header, bytes...)
}

func (s *site) askFor(class admission.Class, remote string, header http.Header, bytes ...int) answer {
	r := httptest.NewRequest(http.MethodGet, "/api/open/chains", nil)
	r.RemoteAddr = remote
	if header != nil {
		r.Header = header
	}
	sent := http.Header{}
	pass, err := s.Admit(r, class, sent)
	got := answer{Policy: sent.Get("RateLimit-Policy"), Left: sent.Get("RateLimit")}
	if problem, ok := errors.AsType[*response.Problem](err); ok {
		got.Code, got.RetryAfter = problem.Code, problem.RetryAfter
		return got
	}
	for _, n := range bytes {
		pass.Sent(r.Context(), n)
	}
	return got
}

const someone = "192.0.2.1:4000"

// TestQuotaOfAnAddress admits 60 requests and refuses the next one until Retry-After.
func TestQuotaOfAnAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(admission.Config{Anonymous: perMinute(60)})
		for i := range 60 {
			want := answer{Policy: `"anonymous";q=60;w=60`, Left: fmt.Sprintf(`"anonymous";r=%d;t=1`, 59-i)}
			if diff := cmp.Diff(want, s.ask(someone, nil)); diff != "" {
				t.Fatalf("request %d (-want +got):\n%s", i+1, diff)
			}
		}
		want := answer{Code: response.RateLimited, Policy: `"anonymous";q=60;w=60`, Left: `"anonymous";r=0;t=1`, RetryAfter: 1}
		for range 3 {
			if diff := cmp.Diff(want, s.ask(someone, nil)); diff != "" {
				t.Fatalf("one too many (-want +got):\n%s", diff)
			}
		}
		if got := s.ask("192.0.2.2:4000", nil); got.Code != "" {
			t.Errorf("another address is refused: %v", got)
		}
		time.Sleep(time.Duration(want.RetryAfter) * time.Second)
		if got := s.ask(someone, nil); got.Code != "" {
			t.Errorf("refused after Retry-After: %v", got)
		}
	})
}

// TestRetryAfterIsEnough checks that waiting for Retry-After suffices, for any policy and time.
func TestRetryAfterIsEnough(t *testing.T) {
	for _, policy := range []string{"7/s", "60/m", "7/m", "13/h", "1/h"} {
		synctest.Test(t, func(t *testing.T) {
			limit, _, err := ratelimit.ParsePolicy(policy)
			if err != nil {
				t.Fatal(err)
			}
			s := newSite(admission.Config{Anonymous: limit, Bytes: perMinute(1000)})
			for i := range 200 {
				time.Sleep(time.Duration(i*i) * 777 * time.Microsecond)
				got := s.ask(someone, nil, i*37%1700)
				if got.Code == "" {
					continue
				}
				if got.RetryAfter < 1 {
					t.Fatalf("%s: Retry-After %d", policy, got.RetryAfter)
				}
				time.Sleep(time.Duration(got.RetryAfter) * time.Second)
				if again := s.ask(someone, nil); again.Code != "" {
					t.Fatalf("%s: refused after Retry-After: %d: %v", policy, got.RetryAfter, again)
				}
			}
		})
	}
}

func TestKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(admission.Config{Anonymous: perMinute(3), Key: perMinute(300)})
		with := func(values ...string) http.Header { return http.Header{"X-Api-Key": values} }
		anonymous := func(left int, t int) answer {
			return answer{Policy: `"anonymous";q=3;w=60`, Left: fmt.Sprintf(`"anonymous";r=%d;t=%d`, left, t)}
		}
		invalid := func(a answer) answer { a.Code = response.InvalidAPIKey; return a }
		own := ratelimit.Policy{Quota: 1000, Window: time.Hour}
		for _, step := range []struct {
			name   string
			keys   *admission.Keys
			header http.Header
			want   answer
		}{
			{"keys are not loaded", nil, with("good"), answer{
				Code: response.NotReady, Policy: `"anonymous";q=3;w=60`, Left: `"anonymous";r=2;t=20`,
			}},
			{"an empty key", withKeys(nil), with("", ""), anonymous(1, 20)},
			{"unknown", withKeys(nil), with("good"), invalid(anonymous(0, 20))},
			{"unknown, over quota", withKeys(nil), with("good"), answer{
				Code: response.RateLimited, Policy: `"anonymous";q=3;w=60`, Left: `"anonymous";r=0;t=20`, RetryAfter: 20,
			}},
			{"known", withKeys(map[string]*ratelimit.Policy{"good": nil}), with("good"),
				answer{Policy: `"key";q=300;w=60`, Left: `"key";r=299;t=1`}},
			{"a limit of its own", withKeys(map[string]*ratelimit.Policy{"better": &own}), with("better"),
				answer{Policy: `"key";q=1000;w=3600`, Left: `"key";r=999;t=4`}},
			{"no limit", withKeys(map[string]*ratelimit.Policy{"best": {}}), with("best"), answer{}},
		} {
			s.keys = step.keys
			if diff := cmp.Diff(step.want, s.ask(someone, step.header)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", step.name, diff)
			}
		}
		time.Sleep(time.Minute)
		s.keys = withKeys(map[string]*ratelimit.Policy{"good": nil})
		for _, values := range [][]string{{"good", "better"}, {"Good"}, {"good" + strings.Repeat("\x00", 252)}} {
			if got := s.ask(someone, with(values...)); got.Code != response.InvalidAPIKey {
				t.Errorf("%q: %v", values, got)
			}
		}
		if got := s.ask(someone, with(strings.Repeat("x", 10_000))); got.Code != response.RateLimited {
			t.Errorf("the request over the anonymous quota: %v", got)
		}
		if got := s.ask(someone, with("good")); got.Code != "" {
			t.Errorf("a valid key is charged to its address: %v", got)
		}
	})
}

// TestWhereAKeyMayBe checks both headers. Different keys are refused, other schemes ignored.
func TestWhereAKeyMayBe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(admission.Config{Anonymous: perMinute(60), Key: perMinute(300)})
		s.keys = withKeys(map[string]*ratelimit.Policy{"good": nil, "other": nil})
		for _, tt := range []struct {
			name               string
			key, authorization []string
			policy             string // "" for a key that is refused
		}{
			{"bearer", nil, []string{"Bearer good"}, "key"},
			{"the scheme in another case", nil, []string{"bEARER   good "}, "key"},
			{"an unknown bearer", nil, []string{"Bearer bad"}, ""},
			{"a bearer of two words", nil, []string{"Bearer good good"}, ""},
			{"an empty bearer", nil, []string{"Bearer ", "Bearer"}, "anonymous"},
			{"another scheme", nil, []string{"Basic good", "Bearergood", "good", ""}, "anonymous"},
			{"another scheme beside a key", []string{"good"}, []string{"Basic bad"}, "key"},
			{"the same key in both", []string{"good"}, []string{"Bearer good"}, "key"},
			{"the same key twice", []string{"good", "", "good"}, []string{"Bearer good", "Bearer good"}, "key"},
			{"different valid keys", []string{"good"}, []string{"Bearer other"}, ""},
			{"different bearers", nil, []string{"Bearer good", "Bearer other"}, ""},
			{"different keys in one header", []string{"good", "other"}, nil, ""},
			{"a valid and an unknown key", []string{"bad"}, []string{"Bearer good"}, ""},
		} {
			got := s.ask(someone, http.Header{"X-Api-Key": tt.key, "Authorization": tt.authorization})
			want, code := tt.policy, response.Code("")
			if want == "" {
				want, code = "anonymous", response.InvalidAPIKey
			}
			if got.Code != code || !strings.HasPrefix(got.Policy, `"`+want+`";`) {
				t.Errorf("%s: %q, %s; want %q, %s", tt.name, got.Code, got.Policy, code, want)
			}
		}
	})
}

// TestPagesCountSeparately checks that pages and feeds have their own quotas, share those of keys
// and bytes, and that invalid keys are charged to the API quota.
func TestPagesCountSeparately(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(admission.Config{Anonymous: perMinute(1), Pages: perMinute(2), Key: perMinute(300)})
		s.keys = withKeys(map[string]*ratelimit.Policy{"good": nil})
		page := func(header http.Header) answer { return s.askFor(admission.Page, someone, header) }
		for _, step := range []struct {
			name   string
			got    answer
			code   response.Code
			policy string
		}{
			{"the API", s.ask(someone, nil), "", `"anonymous";q=1;w=60`},
			{"a page", page(nil), "", `"pages";q=2;w=60`},
			{"the API, over quota", s.ask(someone, nil), response.RateLimited, `"anonymous";q=1;w=60`},
			{"a page with a wrong key", page(http.Header{"X-Api-Key": {"bad"}}), response.RateLimited, `"anonymous";q=1;w=60`},
			{"another page", page(nil), "", `"pages";q=2;w=60`},
			{"a page over quota", page(nil), response.RateLimited, `"pages";q=2;w=60`},
			{"a sitemap", s.askFor(admission.Feed, someone, nil), "", `"feeds";q=2;w=60`},
			{"a page with a key", page(http.Header{"X-Api-Key": {"good"}}), "", `"key";q=300;w=60`},
		} {
			if step.got.Code != step.code || step.got.Policy != step.policy {
				t.Errorf("%s: %q, %s", step.name, step.got.Code, step.got.Policy)
			}
		}
	})
}

// TestBytes checks that bytes are charged after admission and may exceed the quota.
func TestBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(admission.Config{Anonymous: perMinute(60), Bytes: perMinute(600)})
		policies := `"anonymous";q=60;w=60, "bytes";q=600;w=60;qu="content-bytes"`
		for _, step := range []struct {
			sent int
			want answer
		}{
			{599, answer{Policy: policies, Left: `"anonymous";r=59;t=1, "bytes";r=600;t=0`}},
			{0, answer{Policy: policies, Left: `"anonymous";r=58;t=1, "bytes";r=1;t=1`}},
			{301, answer{Policy: policies, Left: `"anonymous";r=57;t=1, "bytes";r=1;t=1`}},
			{0, answer{Code: response.RateLimited, Policy: policies, Left: `"anonymous";r=57;t=1, "bytes";r=0;t=31`, RetryAfter: 31}},
		} {
			if diff := cmp.Diff(step.want, s.ask(someone, nil, step.sent)); diff != "" {
				t.Errorf("before %d bytes (-want +got):\n%s", step.sent, diff)
			}
		}
		time.Sleep(31 * time.Second)
		if got := s.ask(someone, nil); got.Code != "" {
			t.Errorf("refused after Retry-After: %v", got)
		}
	})
}

func TestOff(t *testing.T) {
	s := newSite(admission.Config{})
	s.keys = withKeys(nil)
	for range 1000 {
		if got := s.ask(someone, nil); got != (answer{}) {
			t.Fatalf("without limits: %v", got)
		}
	}
	if got := s.ask(someone, http.Header{"X-Api-Key": {"bad"}}); got != (answer{Code: response.InvalidAPIKey}) {
		t.Errorf("an unknown key without limits: %v", got)
	}
	var none *admission.Gate
	header := http.Header{}
	pass, err := none.Admit(httptest.NewRequest(http.MethodGet, "/", nil), admission.API, header)
	pass.Sent(t.Context(), 1)
	if err != nil || len(header) != 0 {
		t.Errorf("no gate: %v, %v", err, header)
	}
}

// TestConfigure checks that a new configuration applies at once and keeps debts.
func TestConfigure(t *testing.T) {
	s := newSite(admission.Config{Anonymous: perMinute(2)})
	s.ask(someone, nil)
	s.ask(someone, nil)
	s.Configure(admission.Config{Anonymous: perMinute(4)})
	if got := s.ask(someone, nil); got.Code != response.RateLimited || got.Policy != `"anonymous";q=4;w=60` {
		t.Errorf("a client over quota after a change: %v", got)
	}
	if got, none := s.Config().Anonymous, (*admission.Gate)(nil).Config().Anonymous; got != perMinute(4) || none.Quota != 0 {
		t.Errorf("Config is %v, and %v for a nil gate", got, none)
	}
	s.Configure(admission.Config{Anonymous: perMinute(4), TrustedProxies: trusted("192.0.2.1"), Forwarded: clientip.Forwarded})
	if got := s.ask(someone, http.Header{"Forwarded": {"for=198.51.100.1"}}); got.Code != "" {
		t.Errorf("another client behind the proxy: %v", got)
	}
	s.Configure(admission.Config{})
	if got := s.ask(someone, nil); got != (answer{}) {
		t.Errorf("without limits: %v", got)
	}
}

func trusted(addr string) []netip.Prefix {
	return []netip.Prefix{netip.PrefixFrom(netip.MustParseAddr(addr), 32)}
}

// TestSpoofedHeaders checks that clients cannot change their identity by headers.
func TestSpoofedHeaders(t *testing.T) {
	for _, tt := range []struct {
		name    string
		proxies []netip.Prefix
		remote  string
		header  func(i int) http.Header
	}{
		{"no proxy is trusted", nil, someone, func(i int) http.Header {
			return http.Header{"X-Forwarded-For": {fmt.Sprintf("203.0.%d.%d", i>>8, i&255)}}
		}},
		{"left of the proxy's entry", trusted("192.0.2.1"), someone, func(i int) http.Header {
			return http.Header{"X-Forwarded-For": {fmt.Sprintf("203.0.%d.%d", i>>8, i&255), "198.51.100.9"}}
		}},
		{"in the other header", trusted("192.0.2.1"), someone, func(i int) http.Header {
			return http.Header{"Forwarded": {fmt.Sprintf("for=203.0.%d.%d", i>>8, i&255)}, "X-Forwarded-For": {"198.51.100.9"}}
		}},
		{"in one /64", trusted("192.0.2.1"), someone, func(i int) http.Header {
			return http.Header{"X-Forwarded-For": {fmt.Sprintf("2001:db8::%x:1", i)}}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSite(admission.Config{
				Anonymous: ratelimit.Policy{Quota: 100, Window: time.Hour}, TrustedProxies: tt.proxies, Forwarded: clientip.XForwardedFor,
			})
			admitted := 0
			for i := range 10_000 {
				if s.ask(tt.remote, tt.header(i)).Code == "" {
					admitted++
				}
			}
			if admitted != 100 {
				t.Errorf("%d requests were admitted, want 100", admitted)
			}
		})
	}
}

func TestWarningOfAProxy(t *testing.T) {
	forwarded := http.Header{"X-Forwarded-For": {"203.0.113.9"}}
	s := newSite(admission.Config{Anonymous: perMinute(60), TrustedProxies: trusted("10.0.0.1"), Forwarded: clientip.XForwardedFor})
	s.ask("192.0.2.1:1", forwarded) // any client may send the header
	s.ask("10.0.0.1:1", forwarded)
	s.ask("10.0.0.2:1", nil)
	s.ask("@", forwarded)
	if s.log.Len() > 0 {
		t.Errorf("logged without a reason: %s", s.log)
	}
	s.ask("10.0.0.2:1", forwarded)
	s.ask("10.0.0.3:1", http.Header{"Forwarded": {"for=203.0.113.9"}})
	if got := s.log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "--trusted-proxy 10.0.0.2") {
		t.Errorf("logged\n%s, want one line with the remedy", got)
	}
}

func TestWarningOfAHeader(t *testing.T) {
	s := newSite(admission.Config{Anonymous: perMinute(60), TrustedProxies: trusted("192.0.2.1"), Forwarded: clientip.XForwardedFor})
	s.ask(someone, nil)
	s.ask(someone, http.Header{"X-Forwarded-For": {"203.0.113.9"}, "Forwarded": {"for=203.0.113.9"}})
	if s.log.Len() > 0 {
		t.Errorf("logged without a reason: %s", s.log)
	}
	for range 2 {
		s.ask(someone, http.Header{"Forwarded": {"for=203.0.113.9"}})
	}
	if got := s.log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "--forwarded-header") {
		t.Errorf("logged\n%s, want one line with the remedy", got)
	}
}

// TestStructuredFields compares the headers with those that a library encodes.
func TestStructuredFields(t *testing.T) {
	s := newSite(admission.Config{
		Anonymous: ratelimit.Policy{Quota: 1 << 50, Window: time.Hour}, Bytes: ratelimit.Policy{Quota: 1 << 50, Window: time.Second},
	})
	got := s.ask(someone, nil)
	item := func(name string, params ...any) httpsfv.Item {
		item := httpsfv.NewItem(name)
		for i := 0; i < len(params); i += 2 {
			item.Params.Add(params[i].(string), params[i+1])
		}
		return item
	}
	const largest = int64(999_999_999_999_999)
	for _, tt := range []struct {
		got  string
		want httpsfv.List
	}{
		{got.Policy, httpsfv.List{
			item("anonymous", "q", largest, "w", int64(3600)), item("bytes", "q", largest, "w", int64(1), "qu", "content-bytes"),
		}},
		{got.Left, httpsfv.List{item("anonymous", "r", largest, "t", int64(1)), item("bytes", "r", largest, "t", int64(0))}},
	} {
		want, err := httpsfv.Marshal(tt.want)
		if err != nil {
			t.Fatal(err)
		}
		if tt.got != want {
			t.Errorf("got  %s\nwant %s", tt.got, want)
		}
		if _, err := httpsfv.UnmarshalList([]string{tt.got}); err != nil {
			t.Errorf("%s: %v", tt.got, err)
		}
	}
}

func BenchmarkAdmit(b *testing.B) {
	plenty := ratelimit.Policy{Quota: 1 << 40, Window: time.Minute}
	for _, bench := range []struct {
		name   string
		config admission.Config
		header http.Header
	}{
		{"anonymous", admission.Config{Anonymous: plenty}, http.Header{}},
		{"key", admission.Config{Anonymous: plenty, Key: plenty}, http.Header{"X-Api-Key": {"vitrine_" + strings.Repeat("a", 32)}}},
		{"proxied", admission.Config{Anonymous: plenty, TrustedProxies: trusted("192.0.2.1"), Forwarded: clientip.XForwardedFor},
			http.Header{"X-Forwarded-For": {"203.0.113.9, 198.51.100.7"}}},
		{"bytes", admission.Config{Anonymous: plenty, Bytes: plenty}, http.Header{}},
		{"off", admission.Config{}, http.Header{}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			s := newSite(bench.config)
			s.keys = withKeys(map[string]*ratelimit.Policy{"vitrine_" + strings.Repeat("a", 32): nil})
			r := httptest.NewRequest(http.MethodGet, "/api/open/chains", nil)
			r.RemoteAddr, r.Header = someone, bench.header
			header := http.Header{}
			b.ReportAllocs()
			for b.Loop() {
				clear(header)
				pass, err := s.Admit(r, admission.API, header)
				if err != nil {
					b.Fatal(err)
				}
				pass.Sent(r.Context(), 1000)
			}
		})
	}
}

// TestBulkData checks that bytes of bulk data have quotas of their own, a larger one for keys, and
// requests for them one of their own without a key.
func TestBulkData(t *testing.T) {
	s := newSite(admission.Config{
		Anonymous: perMinute(1), Pages: perMinute(9), Key: perMinute(20), Bytes: perMinute(100), Bulk: perMinute(1000), BulkKey: perMinute(5000),
	})
	own := perMinute(7)
	s.keys = withKeys(map[string]*ratelimit.Policy{"good": nil, "own": &own})
	policy := func(requests, bytes string) string { return requests + ";w=60, " + bytes + `;w=60;qu="content-bytes"` }
	for _, tt := range []struct{ key, policy string }{
		{"", policy(`"bulk";q=9`, `"bulk-bytes";q=1000`)},
		{"good", policy(`"key";q=20`, `"bulk-bytes";q=5000`)},
		{"own", policy(`"key";q=7`, `"bulk-bytes";q=5000`)},
	} {
		var header http.Header
		if tt.key != "" {
			header = http.Header{"X-Api-Key": {tt.key}}
		}
		if got := s.askFor(admission.Bulk, someone, header, 6000); got.Code != "" || got.Policy != tt.policy {
			t.Errorf("key %q: %+v, want policy %s", tt.key, got, tt.policy)
		}
		if got := s.askFor(admission.Bulk, someone, header); got.Code != response.RateLimited {
			t.Errorf("key %q is admitted over its quota of bytes: %+v", tt.key, got)
		}
		if got := s.ask(someone, header); got.Code != "" {
			t.Errorf("key %q: bulk data was charged to the API: %+v", tt.key, got)
		}
	}
}
