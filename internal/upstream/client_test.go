package upstream_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"vitrine/internal/upstream"
)

// server is an upstream with a client whose sleeps are recorded.
type server struct {
	*httptest.Server
	client *upstream.Client
	slept  []time.Duration
	calls  atomic.Int64
}

var now = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

func newServer(t *testing.T, options upstream.Options, handle func(call int, w http.ResponseWriter, r *http.Request)) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handle(int(s.calls.Add(1)), w, r)
	}))
	t.Cleanup(s.Close)
	options.AllowPrivate = true
	options.Sleep = func(_ context.Context, d time.Duration) error { s.slept = append(s.slept, d); return nil }
	options.Jitter = func() float64 { return 0.5 }
	options.Now = func() time.Time { return now }
	s.client = upstream.New(options)
	t.Cleanup(s.client.Close)
	return s
}

func TestGet(t *testing.T) {
	s := newServer(t, upstream.Options{UserAgent: "vitrine/1"}, func(_ int, w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") == `"a"` && r.Header.Get("If-Modified-Since") != "" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("ETag", `"a"`)
		w.Header().Set("Last-Modified", "Sun, 22 Nov 2026 00:00:00 GMT")
		fmt.Fprintf(w, "%s %s", r.UserAgent(), r.Header.Get("Authorization"))
	})
	first, err := s.client.Get(t.Context(), upstream.Request{URL: s.URL, Header: http.Header{"Authorization": {"Bearer k"}}})
	if err != nil || string(first.Body) != "vitrine/1 Bearer k" || first.ETag != `"a"` || first.NotModified || first.Date.IsZero() {
		t.Fatalf("first: %+v, %v", first, err)
	}
	second, err := s.client.Get(t.Context(), upstream.Request{URL: s.URL, ETag: first.ETag, LastModified: first.LastModified})
	if err != nil || !second.NotModified || second.Body != nil {
		t.Fatalf("second: %+v, %v", second, err)
	}
}

func TestGetRetries(t *testing.T) {
	after := func(header http.Header, status int) func(int, http.ResponseWriter, *http.Request) {
		return func(call int, w http.ResponseWriter, _ *http.Request) {
			if call < 3 {
				for name, values := range header {
					w.Header()[name] = values
				}
				w.WriteHeader(status)
				return
			}
			fmt.Fprint(w, "ok")
		}
	}
	reset := strconv.FormatInt(now.Add(70*time.Second).Unix(), 10)
	tests := []struct {
		name   string
		handle func(int, http.ResponseWriter, *http.Request)
		slept  []time.Duration
		fails  string
	}{
		{"backoff doubles", after(nil, 503), []time.Duration{time.Second, 2 * time.Second}, ""},
		{"Retry-After in seconds", after(http.Header{"Retry-After": {"7"}}, 429), []time.Duration{7 * time.Second, 7 * time.Second}, ""},
		{"Retry-After as a date", after(http.Header{"Retry-After": {"Mon, 23 Nov 2026 12:00:30 GMT"}}, 503), []time.Duration{30 * time.Second, 30 * time.Second}, ""},
		{"reset of X", after(http.Header{"X-Rate-Limit-Remaining": {"0"}, "X-Rate-Limit-Reset": {reset}}, 429), []time.Duration{70 * time.Second, 70 * time.Second}, ""},
		{"too long a wait", after(http.Header{"Retry-After": {"900"}}, 429), nil, "answers 429 Too Many Requests; it allows the next request in 15m0s"},
		{"always 500", func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
			[]time.Duration{time.Second, 2 * time.Second, 4 * time.Second}, "answers 500"},
		{"401 is final", func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }, nil, "answers 401"},
		{"truncated", func(call int, w http.ResponseWriter, _ *http.Request) {
			if call == 1 {
				w.Header().Set("Content-Length", "100")
			}
			fmt.Fprint(w, "ok")
		}, []time.Duration{time.Second}, ""},
		{"connection closed", func(call int, w http.ResponseWriter, _ *http.Request) {
			if call == 1 {
				panic(http.ErrAbortHandler)
			}
			fmt.Fprint(w, "ok")
		}, []time.Duration{time.Second}, ""},
		{"unsolicited 304", func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(304) }, nil, "answers 304"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newServer(t, upstream.Options{}, tt.handle)
			document, err := s.client.Get(t.Context(), upstream.Request{URL: s.URL + "/secret-path?key=secret-key"})
			if fmt.Sprint(s.slept) != fmt.Sprint(tt.slept) {
				t.Errorf("slept %v, want %v", s.slept, tt.slept)
			}
			if tt.fails == "" {
				if err != nil || string(document.Body) != "ok" {
					t.Errorf("%+v, %v", document, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.fails) || strings.Contains(err.Error(), "secret") {
				t.Errorf("error %v, want %s", err, tt.fails)
			}
		})
	}
}

func TestGetBounds(t *testing.T) {
	bomb := func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		block := bytes.Repeat([]byte("0"), 1<<20)
		for range 64 {
			if _, err := z.Write(block); err != nil {
				return
			}
		}
		z.Close()
	}
	s := newServer(t, upstream.Options{MaxBytes: 1 << 20}, bomb)
	if _, err := s.client.Get(t.Context(), upstream.Request{URL: s.URL}); !errors.Is(err, upstream.ErrTooLarge) || s.calls.Load() != 1 {
		t.Errorf("a gzip bomb: %v after %d calls", err, s.calls.Load())
	}
	s = newServer(t, upstream.Options{Timeout: 50 * time.Millisecond, Attempts: 2}, func(_ int, w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(200)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	// On a busy machine, an attempt may end before the server sees it. The pauses count all attempts.
	if _, err := s.client.Get(t.Context(), upstream.Request{URL: s.URL + "/?key=secret"}); err == nil || len(s.slept) != 1 || strings.Contains(err.Error(), "secret") {
		t.Errorf("an endless body: %v after %d attempts", err, len(s.slept)+1)
	}
	for to, want := range map[string]string{"/again": "refused: more than 5", "ftp://example.org/": "refused: it leads to ftp"} {
		s = newServer(t, upstream.Options{}, func(_ int, w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) })
		if _, err := s.client.Get(t.Context(), upstream.Request{URL: s.URL}); err == nil || !strings.Contains(err.Error(), want) || len(s.slept) > 0 {
			t.Errorf("redirects to %s: %v after %d pauses", to, err, len(s.slept))
		}
	}
}

func TestGetRefusesPrivateAddresses(t *testing.T) {
	var called atomic.Bool
	private := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { called.Store(true) }))
	defer private.Close()
	port := private.URL[strings.LastIndex(private.URL, ":"):]
	client := upstream.New(upstream.Options{Attempts: 2, Sleep: func(context.Context, time.Duration) error { return nil }})
	defer client.Close()
	for _, url := range []string{
		private.URL, "http://localhost" + port, "http://[::1]" + port, "http://10.0.0.1/", "http://169.254.169.254/latest/meta-data",
		"http://192.168.1.1/", "http://100.64.0.1/", "http://0.0.0.0" + port, "http://[fe80::1]/", "http://[fd00::1]/", "http://[::ffff:127.0.0.1]" + port,
		"http://198.18.0.1/", "http://[64:ff9b::7f00:1]/",
	} {
		if _, err := client.Get(t.Context(), upstream.Request{URL: url}); !errors.Is(err, upstream.ErrPrivate) {
			t.Errorf("%s: %v", url, err)
		}
	}
	if called.Load() {
		t.Error("a private server was called")
	}
	for _, url := range []string{"file:///etc/passwd", "ftp://example.org/", "", "http://", "://"} {
		if _, err := client.Get(t.Context(), upstream.Request{URL: url}); err == nil {
			t.Errorf("%q is fetched", url)
		}
	}
}

// TestGetRefusesRedirects checks that a public address cannot lead to a private one, by name or by
// number. The public address is behind a proxy, which the test is.
func TestGetRefusesRedirects(t *testing.T) {
	var called atomic.Bool
	private := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { called.Store(true) }))
	defer private.Close()
	port := private.URL[strings.LastIndex(private.URL, ":"):]
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
	}))
	defer proxy.Close()
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy", "REQUEST_METHOD"} {
		t.Setenv(name, "")
	}
	t.Setenv("HTTP_PROXY", proxy.URL)
	client := upstream.New(upstream.Options{Attempts: 1})
	defer client.Close()
	for _, to := range []string{
		private.URL, "http://localhost" + port + "/", "http://10.0.0.1/", "http://169.254.169.254/latest/meta-data", "http://[::1]" + port + "/",
	} {
		_, err := client.Get(t.Context(), upstream.Request{URL: "http://upstream.example/?key=secret&to=" + to})
		if !errors.Is(err, upstream.ErrPrivate) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", to, err)
		}
	}
	if called.Load() {
		t.Error("a private server was called")
	}
}

func TestRest(t *testing.T) {
	reset := func(after time.Duration) http.Header {
		return http.Header{"X-Rate-Limit-Remaining": {"0"}, "X-Rate-Limit-Reset": {strconv.FormatInt(now.Add(after).Unix(), 10)}}
	}
	for _, tt := range []struct {
		name   string
		header http.Header
		slept  []time.Duration
		ok     bool
	}{
		{"requests remain", http.Header{"X-Rate-Limit-Remaining": {"7"}, "X-Rate-Limit-Reset": {"1"}}, nil, true},
		{"no quota", http.Header{}, nil, true},
		{"the reset is near", reset(70 * time.Second), []time.Duration{70 * time.Second}, true},
		{"the reset has passed", reset(-time.Minute), []time.Duration{0}, true},
		{"the reset is far away", reset(15 * time.Minute), nil, false},
		{"the reset is unknown", http.Header{"X-Rate-Limit-Remaining": {"0"}}, nil, false},
	} {
		s := newServer(t, upstream.Options{}, nil)
		if ok := s.client.Rest(t.Context(), tt.header); ok != tt.ok || fmt.Sprint(s.slept) != fmt.Sprint(tt.slept) {
			t.Errorf("%s: %t after %v, want %t after %v", tt.name, ok, s.slept, tt.ok, tt.slept)
		}
	}
}

// TestGetTellsNoReferrer checks that a redirect does not pass on the address, which may hold a key.
func TestGetTellsNoReferrer(t *testing.T) {
	s := newServer(t, upstream.Options{}, func(call int, w http.ResponseWriter, r *http.Request) {
		if call == 1 {
			http.Redirect(w, r, "/moved", http.StatusFound)
			return
		}
		fmt.Fprint(w, r.URL.Path, r.Referer())
	})
	document, err := s.client.Get(t.Context(), upstream.Request{URL: s.URL + "/?key=secret"})
	if err != nil || string(document.Body) != "/moved" {
		t.Errorf("%+v, %v", document, err)
	}
}

func TestGetEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := newServer(t, upstream.Options{}, func(_ int, _ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	if _, err := s.client.Get(ctx, upstream.Request{URL: s.URL}); !errors.Is(err, context.Canceled) || s.calls.Load() != 1 {
		t.Errorf("%v after %d calls", err, s.calls.Load())
	}
}

func TestRedacted(t *testing.T) {
	if got := upstream.Redacted("https://user:pass@Pro-API.llama.fi/KEY/api?key=1"); got != "https://Pro-API.llama.fi" {
		t.Error(got)
	}
}
