package operations_test

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"vitrine/internal/operations"
	"vitrine/internal/snapshot"
)

// raw sends bytes unchanged to a real listener, and reads one response.
func raw(t *testing.T, address, request string) (*http.Response, string) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	method, _, _ := strings.Cut(request, " ")
	response, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%q: %v", request, err)
	}
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(content)
}

func listen(t *testing.T, h http.Handler) string {
	t.Helper()
	server := httptest.NewUnstartedServer(h)
	server.Config.DisableGeneralOptionsHandler = true
	server.Config.MaxHeaderBytes = 60 << 10 // the value of the server
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

func TestPathsAndMethodsOnTheWire(t *testing.T) {
	address := listen(t, serving(t, compile(t, fixture(t), 42)))
	tests := []struct {
		method, target string
		status         int
	}{
		{"GET", "/api/open/chains", 200},
		{"HEAD", "/api/open/chains", 200},
		{"OPTIONS", "/api/open/chains", 204},
		{"GET", "http://elsewhere.example/api/open/chains?limit=1", 200},
		{"GET", "/api/open/chains?", 200},
		{"POST", "/api/open/chains", 405},
		{"DELETE", "/api/open/nav/menus/unknown", 405},
		{"BREW", "/api/open/spec", 405},
		{"get", "/api/open/chains", 405},
		{"POST", "/api/open/nav/menus/tools/", 404},
		{"POST", "/api/open/unknown", 404},
		{"OPTIONS", "/api/open/unknown", 204},
		{"OPTIONS", "*", 204},
		{"GET", "/api/open/chains/", 404},
		{"GET", "/api/open//chains", 404},
		{"GET", "//api/open/chains", 404},
		{"GET", "/api/open/./chains", 404},
		{"GET", "/api/open/x/../chains", 404},
		{"GET", "/api/open/%63hains", 404},
		{"GET", "/api/open/chains%2F", 404},
		{"GET", "/api/open%2Fchains", 404},
		{"GET", "/api/open/Chains", 404},
		{"GET", "/api/open/chains;a=b", 404},
		{"GET", "/api/open/", 200},
		{"HEAD", "/api/open", 200},
		{"GET", "/?locale=zh&x=%zz", 200},
		{"GET", "/openapi.json", 200},
		{"GET", "/openapi.json?locale=%zz", 200},
		{"OPTIONS", "/", 204},
		{"POST", "/", 405},
		{"DELETE", "/openapi.json", 405},
		{"GET", "/?locale=en&locale=en", 400},
		{"GET", "//", 404},
		{"GET", "/%2e", 404},
		{"GET", "/api", 404},
		{"GET", "/api/", 404},
		{"GET", "/api/open//", 404},
		{"GET", "/%61pi/open", 404},
		{"GET", "/openapi.json/", 404},
		{"GET", "/openapi.yaml", 404},
		{"GET", "/metrics", 404}, // metrics are not public
		{"GET", "/healthz", 404},
		{"GET", "/readyz", 404},
		{"GET", "/debug/pprof/", 404},
		{"GET", "/debug/vars", 404},
		{"GET", "/api/open/nav/menus/tools", 200},
		{"GET", "/api/open/nav/menus/hidden", 200},
		{"GET", "/api/open/nav/menus/t%6Fols", 404},
		{"GET", "/api/open/nav/menus/unknown", 404},
		{"GET", "/api/open/nav/menus/", 404},
		{"GET", "/api/open/nav/menus/..", 404},
		{"POST", "/api/open/nav/menus/..", 404},
		{"GET", "/api/open/nav/menus/tools/x", 404},
		{"GET", "/api/open/nav/menus/\xe4\xb8\xad", 404},
		{"GET", "/api/open/nav/groups/more-menus", 200},
		{"GET", "/api/open/nav/groups/more", 404},
		{"GET", "/api/open/chains?q=%zz", 400},
		{"GET", "/api/open/chains?q=a;b&limit=1", 200},
		{"GET", "/api/open/chains?q=\xff", 400},
		{"GET", "/api/open/chains?locale=%00", 400},
		{"GET", "/api/open/chains?locale=\xe4\xb8\xad", 200},
		{"GET", "/api/open/chains?unknown=%zz&%zz=%zz", 200},
	}
	for _, test := range tests {
		t.Run(test.method+" "+test.target, func(t *testing.T) {
			response, content := raw(t, address, fmt.Sprintf("%s %s HTTP/1.1\r\nHost: test\r\n\r\n", test.method, test.target))
			if response.StatusCode != test.status {
				t.Fatalf("status %d, want %d\n%s", response.StatusCode, test.status, content)
			}
			for name, want := range map[string]string{
				"Access-Control-Allow-Origin": "*", "Vary": "Accept-Encoding", "Catalog-Revision": "42",
			} {
				if got := response.Header.Get(name); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			if response.Header.Get("X-Request-Id") == "" {
				t.Error("no X-Request-Id")
			}
			if response.StatusCode != 204 && response.Header.Get("Content-Type") != "application/json" {
				t.Errorf("Content-Type %q", response.Header.Get("Content-Type"))
			}
			if response.Header.Get("Location") != "" {
				t.Error("a redirect")
			}
			if response.StatusCode == 405 && response.Header.Get("Allow") != "GET, HEAD, OPTIONS" {
				t.Errorf("Allow %q", response.Header.Get("Allow"))
			}
		})
	}
}

func TestLocalesOnTheWire(t *testing.T) {
	address := listen(t, serving(t, compile(t, fixture(t), 42)))
	tests := []struct{ value, language string }{
		{"", "en"}, {"EN", "en"}, {"en_GB", "en"}, {"zh", "zh-hans"}, {"ZH-cn", "zh-hans"}, {"zh-TW", "zh-hans"},
		{"zh_hant", "zh-hans"}, {"pt", "pt-br"}, {"pt-PT", "pt-br"}, {"pt_br", "pt-br"}, {"fr", "en"}, {"und", "en"},
		{"und-Hans", "en"}, {"x-private", "en"}, {"zh-x-private", "zh-hans"}, {"de_DE.UTF-8", "en"}, {"de-", "en"},
		{"%F0%9F%98%80", "en"}, {strings.Repeat("en-", 30), "en"}, {"+zh", "en"},
	}
	for _, test := range tests {
		response, _ := raw(t, address, "GET /api/open/meta?locale="+test.value+" HTTP/1.1\r\nHost: test\r\n\r\n")
		if got := response.Header.Get("Content-Language"); response.StatusCode != 200 || got != test.language {
			t.Errorf("locale=%s: status %d, Content-Language %q; want 200, %q", test.value, response.StatusCode, got, test.language)
		}
	}
}

func TestEncodingsOnTheWire(t *testing.T) {
	address := listen(t, serving(t, compile(t, fixture(t), 42)))
	const target = "/api/open/spec"
	_, plain := raw(t, address, "GET "+target+" HTTP/1.1\r\nHost: test\r\n\r\n")
	tests := []struct{ accept, encoding string }{
		{"gzip, deflate, br, zstd", "br"}, // as sent by browsers
		{"zstd", "zstd"}, {"br;q=0.1", "br"}, {"x-gzip", "gzip"}, {"gzip, zstd;q=0.5, identity;q=0.7", "gzip"},
		{"*", "br"}, {"*;q=0.5, identity", ""}, {"deflate", ""}, {"", ""},
		{"gzip\r\nAccept-Encoding: zstd", "zstd"}, // two lines are one list
	}
	for _, test := range tests {
		response, content := raw(t, address,
			"GET "+target+" HTTP/1.1\r\nHost: test\r\nAccept-Encoding: "+test.accept+"\r\n\r\n")
		got := fetched{status: response.StatusCode, header: response.Header, body: content}
		if got.status != 200 || got.header.Get("Content-Encoding") != test.encoding {
			t.Errorf("%q: status %d, Content-Encoding %q, want 200 and %q", test.accept, got.status, got.header.Get("Content-Encoding"), test.encoding)
		}
		if unpacked(t, got) != plain {
			t.Errorf("%q: different body", test.accept)
		}
		if response.ContentLength != int64(len(content)) {
			t.Errorf("%q: Content-Length %d of %d bytes", test.accept, response.ContentLength, len(content))
		}
	}
	response, _ := raw(t, address, "GET "+target+" HTTP/1.1\r\nHost: test\r\nAccept-Encoding: deflate, *;q=0\r\n\r\n")
	if response.StatusCode != 406 || response.Header.Get("Content-Encoding") != "" {
		t.Errorf("status %d, want 406", response.StatusCode)
	}
}

func TestHeadHasTheHeadersOfGet(t *testing.T) {
	h := serving(t, compile(t, fixture(t), 42))
	for _, target := range []string{"/api/open/chains?limit=2", "/api/open/chains", "/", "/openapi.json", "/api/open/nope", "/api/open/chains?sort=x", "/api/open/spec"} {
		header := func() http.Header {
			return http.Header{"X-Request-Id": {"same"}, "Accept-Encoding": {"gzip"}}
		}
		a, b := get(t, h, target, header()), request(t, h, http.MethodHead, target, header())
		if fmt.Sprint(a.Header) != fmt.Sprint(b.Header) || a.StatusCode != b.StatusCode {
			t.Errorf("%s: GET %d %v, HEAD %d %v", target, a.StatusCode, a.Header, b.StatusCode, b.Header)
		}
		if body(t, b) != "" {
			t.Errorf("%s: HEAD has a body", target)
		}
	}
}

func TestRequestID(t *testing.T) {
	h := serving(t, compile(t, fixture(t), 42))
	for id, kept := range map[string]bool{
		"abc-1._X": true, strings.Repeat("a", 128): true, strings.Repeat("a", 129): false, "": false, "a b": false, "é": false, "a\"b": false,
	} {
		got := get(t, h, "/api/open/meta", http.Header{"X-Request-Id": {id}}).Header.Get("X-Request-Id")
		if kept != (got == id) || got == "" {
			t.Errorf("X-Request-Id %q became %q", id, got)
		}
	}
}

func TestNotReady(t *testing.T) {
	h := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return nil }})
	for target, status := range map[string]int{
		"/api/open/chains": 503, "/api/open/nav/menus/x": 503, "/api/open/nope": 404, "/api/open/spec": 200,
		"/openapi.json": 200, "/": 503,
	} {
		response := get(t, h, target, nil)
		if response.StatusCode != status {
			t.Errorf("%s: status %d, want %d", target, response.StatusCode, status)
		}
		if got := response.Header.Get("Catalog-Revision"); got != "" {
			t.Errorf("%s: Catalog-Revision %q without a catalogue", target, got)
		}
	}
}

// TestOverloaded occupies the only place with a request that waits for another one's body.
func TestOverloaded(t *testing.T) {
	s := compile(t, fixture(t), 42)
	h := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return s }, MaxInFlight: 1})
	release := h.Occupy()
	response := get(t, h, "/api/open/meta", nil)
	if response.StatusCode != 503 || response.Header.Get("Retry-After") == "" || !strings.Contains(body(t, response), `"code":"overloaded"`) {
		t.Errorf("status %d, want 503 overloaded", response.StatusCode)
	}
	release()
	if response := get(t, h, "/api/open/meta", nil); response.StatusCode != 200 {
		t.Errorf("status %d after the place was free again", response.StatusCode)
	}
}

// TestSlowReaderHoldsNoPlace checks that a client that does not read its response does not block
// the next request.
func TestSlowReaderHoldsNoPlace(t *testing.T) {
	s := compile(t, fixture(t), 42)
	inside, release := make(chan struct{}), make(chan struct{})
	h := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return s }, MaxInFlight: 1})
	blocked := blockingWriter{httptest.NewRecorder(), inside, release}
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.ServeHTTP(blocked, httptest.NewRequest("GET", "/api/open/meta", nil))
	}()
	<-inside
	if response := get(t, h, "/api/open/meta", nil); response.StatusCode != 200 {
		t.Errorf("status %d while another client reads slowly", response.StatusCode)
	}
	close(release)
	<-done
}

// blockingWriter is a client that does not read until it is released.
type blockingWriter struct {
	*httptest.ResponseRecorder
	inside, release chan struct{}
}

func (w blockingWriter) Write(b []byte) (int, error) {
	close(w.inside)
	<-w.release
	return w.ResponseRecorder.Write(b)
}

// TestCachedBodiesAreBounded checks that keys count: long lists of unknown tags have their own
// weight in the cache.
func TestCachedBodiesAreBounded(t *testing.T) {
	const budget = 1 << 20
	s := compile(t, fixture(t), 42)
	h := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return s }, CacheBytes: budget})
	for i := range 1000 {
		get(t, h, fmt.Sprintf("/api/open/chains?tag=%d,%s", i, strings.Repeat("x", 7_000)), nil)
	}
	if cached := h.CachedBytes(); cached > budget {
		t.Errorf("%d bytes are cached, the budget is %d", cached, budget)
	}
}

func TestPanicIsAnInternalError(t *testing.T) {
	// A snapshot that was never compiled makes every operation panic.
	h := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return new(snapshot.Snapshot) }})
	response := get(t, h, "/api/open/chains", nil)
	content := body(t, response)
	if response.StatusCode != 500 || !strings.Contains(content, `"code":"internal"`) || strings.Contains(content, "nil pointer") {
		t.Errorf("status %d\n%s", response.StatusCode, content)
	}
	if response.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("Cache-Control %q", response.Header.Get("Cache-Control"))
	}
}

func TestPages(t *testing.T) {
	h := serving(t, compile(t, fixture(t), 42))
	tests := []struct {
		query, slugs, total, link string
	}{
		{"sort=name&sortDir=asc", "galileo zero arbitrum bitcoin celo ethereum openai-chain", "7", ""},
		{"q=mainnet+e", "ethereum", "1", ""},
		{"q=Mainnet++E", "ethereum", "1", ""}, // shares the key
		{"tag=nobody", "", "0", ""},
		{"sort=name&sortDir=asc&limit=3", "galileo zero arbitrum", "7",
			`</api/open/chains?limit=3&offset=3&revision=42&sort=name&sortDir=asc>; rel="next"`},
		{"sort=name&sortDir=asc&limit=3&offset=3&locale=zh", "celo openai-chain bitcoin", "7",
			`</api/open/chains?limit=3&locale=zh-hans&offset=6&revision=42&sort=name&sortDir=asc>; rel="next", ` +
				`</api/open/chains?limit=3&locale=zh-hans&offset=0&revision=42&sort=name&sortDir=asc>; rel="prev"`},
		{"sort=name&sortDir=asc&offset=5", "ethereum openai-chain", "7",
			`</api/open/chains?limit=5&offset=0&revision=42&sort=name&sortDir=asc>; rel="prev"`},
		{"offset=5&match=all", "bitcoin openai-chain", "7", // shares the key of offset=5
			`</api/open/chains?limit=5&offset=0&revision=42&sort=tvl&sortDir=desc>; rel="prev"`},
		{"limit=1&tag=l2,mainnet&match=all", "arbitrum", "1", ""},
		{"limit=1&tag=mainnet,l2&match=any&facets=0", "celo", "3",
			`</api/open/chains?limit=1&offset=1&revision=42&sort=tvl&sortDir=desc&tag=l2%2Cmainnet>; rel="next"`},
		{"limit=1000", "celo ethereum arbitrum zero galileo bitcoin openai-chain", "7", ""},
		{"offset=0", "celo ethereum arbitrum zero galileo bitcoin openai-chain", "7", ""},
		{"limit=2&offset=99999999999999999999", "", "7",
			`</api/open/chains?limit=2&offset=5&revision=42&sort=tvl&sortDir=desc>; rel="prev"`},
		{"limit=1&q=Mainnet+E&tag=Mainnet,x", "ethereum", "1", ""},
		{"limit=1&q=c&tag=l2&tag=mainnet", "celo", "1", ""},
	}
	for _, test := range tests {
		response := get(t, h, "/api/open/chains?"+test.query, nil)
		var slugs []string
		for _, part := range strings.Split(body(t, response), `"slug":"`)[1:] {
			slug, _, _ := strings.Cut(part, `"`)
			slugs = append(slugs, slug)
		}
		if got := strings.Join(slugs, " "); got != test.slugs {
			t.Errorf("%s: %s, want %s", test.query, got, test.slugs)
		}
		if got := response.Header.Get("Total-Count"); got != test.total {
			t.Errorf("%s: Total-Count %q, want %q", test.query, got, test.total)
		}
		if got := response.Header.Get("Link"); got != test.link {
			t.Errorf("%s: Link\n%s, want\n%s", test.query, got, test.link)
		}
	}
}
