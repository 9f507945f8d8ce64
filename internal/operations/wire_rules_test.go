package operations_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

// rule is a sentence of docs/api.md with a request, and facts of the response. `Name: value` is a
// header, `!Name` a missing header, anything else is part of the body. In requests, {tag} is the
// entity tag of /api/open/spec in br, {plain} that of its identity form.
type rule struct {
	says    string
	lines   []string // request line and headers; Host is added if missing
	status  int
	outcome []string
}

const (
	spec = "GET /api/open/spec HTTP/1.1"
	meta = "GET /api/open/meta HTTP/1.1" // a small body
)

func wireRules() map[string][]rule {
	long := strings.Repeat("a", 8<<10)
	return map[string][]rule{
		"forms of a request": {
			{"HTTP/1.0 needs no Host", []string{"GET /api/open/meta HTTP/1.0", "-Host"}, 200, []string{`"revision":42`}},
			{"an empty Host is one", []string{meta, "Host:"}, 200, nil},
			{"absolute form", []string{"GET http://elsewhere.example/api/open/meta HTTP/1.1"}, 200, nil},
			{"absolute form without a path", []string{"GET http://elsewhere.example HTTP/1.1"}, 404, nil},
			{"absolute form, other scheme", []string{"GET ftp://elsewhere.example/api/open/meta HTTP/1.1"}, 200, nil},
			{"a target that is no path", []string{"GET mailto:a@example.org HTTP/1.1"}, 404, nil},
			{"authority form", []string{"CONNECT elsewhere.example:443 HTTP/1.1"}, 404, nil},
			{"asterisk form", []string{"OPTIONS * HTTP/1.1"}, 204, []string{"Allow: GET, HEAD, OPTIONS", "!Content-Type"}},
			{"asterisk form, other method", []string{"GET * HTTP/1.1"}, 404, nil},
			{"a fragment is part of the path", []string{"GET /api/open/meta# HTTP/1.1"}, 404, nil},
			{"a folded header", []string{spec, "Accept-Encoding: gzip;q=0.5,", " zstd"}, 200, []string{"Content-Encoding: zstd"}},
			{"no upgrades", []string{meta, "Connection: Upgrade", "Upgrade: websocket"}, 200, nil},
			{"methods are case-sensitive", []string{"head /api/open/meta HTTP/1.1"}, 405, []string{"Allow: GET, HEAD, OPTIONS"}},
			{"any token is a method", []string{"M!#$%&'*+-.^_`|~ /api/open/meta HTTP/1.1"}, 405, nil},
			{"a known path with a parameter of paths", []string{"GET /api/open/meta; HTTP/1.1"}, 404, nil},
			{"Accept is not looked at", []string{meta, "Accept: text/html;q=1, */*;q=0"}, 200, []string{"Content-Type: application/json"}},
			{"Accept-Language is not looked at", []string{meta, "Accept-Language: zh"}, 200, []string{"Content-Language: en"}},
		},
		"HEAD": {
			{"headers of GET", []string{"HEAD /api/open/spec HTTP/1.1", "Accept-Encoding: br"}, 200, []string{"Content-Encoding: br", "ETag: {tag}"}},
			{"304", []string{"HEAD /api/open/spec HTTP/1.1", "Accept-Encoding: br", "If-None-Match: {tag}"}, 304, []string{"ETag: {tag}"}},
			{"the length of a list", []string{"HEAD /api/open/twitter/users HTTP/1.1"}, 200, []string{"Total-Count: 3", "!Link"}},
			{"errors", []string{"HEAD /api/open/nope HTTP/1.1"}, 404, []string{"Content-Type: application/json"}},
		},
		"encodings": {
			{"no header: the plain form", []string{spec}, 200, []string{"!Content-Encoding", "ETag: {plain}"}},
			{"an empty header: the plain form", []string{spec, "Accept-Encoding:"}, 200, []string{"!Content-Encoding"}},
			{"several lines are one list", []string{spec, "Accept-Encoding: gzip", "Accept-Encoding: identity;q=0"}, 200, []string{"Content-Encoding: gzip"}},
			{"weights over lines", []string{spec, "Accept-Encoding: br;q=0.1", "Accept-Encoding: gzip;q=0.2"}, 200, []string{"Content-Encoding: gzip"}},
			{"case does not matter", []string{spec, "aCCEPT-eNCODING: ZSTD;Q=0.5"}, 200, []string{"Content-Encoding: zstd"}},
			{"white space", []string{spec, "Accept-Encoding: \t gzip \t;\t q=0.5 , , "}, 200, []string{"Content-Encoding: gzip"}},
			{"x-gzip is gzip", []string{spec, "Accept-Encoding: x-gzip"}, 200, []string{"Content-Encoding: gzip"}},
			{"unknown codings count for nothing", []string{spec, "Accept-Encoding: deflate, compress, dcb, sdch"}, 200, []string{"!Content-Encoding"}},
			{"a small body stays as it is", []string{meta, "Accept-Encoding: gzip, br, zstd, identity;q=0.1"}, 200, []string{"!Content-Encoding"}},
			{"unless that is ruled out", []string{meta, "Accept-Encoding: gzip, identity;q=0"}, 200, []string{"Content-Encoding: gzip"}},
			{"406: all are ruled out", []string{spec, "Accept-Encoding: *;q=0"}, 406, []string{"!ETag", "!Content-Encoding", `"code":"not_acceptable"`}},
			{"406: identity is ruled out and nothing named", []string{spec, "Accept-Encoding: identity;q=0"}, 406, nil},
			{"406: unknown codings do not help", []string{spec, "Accept-Encoding: deflate, identity;q=0.000"}, 406, []string{"Cache-Control: no-store"}},
			{"no 406 for a weight that is none", []string{spec, "Accept-Encoding: identity;q=0.0000"}, 200, nil},
			{"errors are never refused", []string{"GET /api/open/nope HTTP/1.1", "Accept-Encoding: *;q=0"}, 404, []string{"!Content-Encoding"}},
			{"406 comes before If-None-Match", []string{spec, "Accept-Encoding: *;q=0", "If-None-Match: *"}, 406, nil},
		},
		"conditional requests": {
			{"the tag", []string{spec, "If-None-Match: {plain}"}, 304, []string{"ETag: {plain}", "!Content-Type", "!Content-Length", "!Content-Encoding"}},
			{"304 keeps what caches update", []string{"GET /api/open/meta?locale=zh HTTP/1.1", "If-None-Match: *"}, 304,
				[]string{"Content-Language: zh-hans", "Cache-Control: public, max-age=60, stale-while-revalidate=300, stale-if-error=86400"}},
			{"weak", []string{spec, "If-None-Match: W/{plain}"}, 304, nil},
			{"weakness in lower case is none", []string{spec, "If-None-Match: w/{plain}"}, 200, nil},
			{"a list", []string{spec, `If-None-Match: "x", "a,b c", {plain}`}, 304, nil},
			{"several lines", []string{spec, `If-None-Match: "x"`, "If-None-Match: {plain}"}, 304, nil},
			{"bytes beyond ASCII in another tag", []string{spec, "If-None-Match: \"\xe9\xff\", {plain}"}, 304, nil},
			{"any", []string{spec, "If-None-Match: *"}, 304, nil},
			{"304 of a list has its length, which may change where a page stays", []string{"GET /api/open/chains?limit=1 HTTP/1.1", "If-None-Match: *"}, 304, []string{"Total-Count: 7"}},
			{"any stands alone", []string{spec, `If-None-Match: "x", *`}, 200, nil},
			{"another tag", []string{spec, `If-None-Match: "x"`}, 200, nil},
			{"empty", []string{spec, "If-None-Match:"}, 200, nil},
			{"no quotes", []string{spec, "If-None-Match: x"}, 200, nil},
			{"open quotes", []string{spec, `If-None-Match: "`}, 200, nil},
			{"the tag of another encoding", []string{spec, "Accept-Encoding: br", "If-None-Match: {plain}"}, 200, []string{"ETag: {tag}"}},
			{"the tag of this encoding", []string{spec, "Accept-Encoding: br", "If-None-Match: {tag}"}, 304, []string{"ETag: {tag}"}},
			{"errors are not conditional", []string{"GET /api/open/nope HTTP/1.1", "If-None-Match: *"}, 404, nil},
			{"If-Modified-Since is ignored", []string{spec, "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT"}, 200, nil},
			{"and does not undo If-None-Match", []string{spec, "If-None-Match: {plain}", "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT"}, 304, nil},
			{"If-Unmodified-Since is ignored", []string{spec, "If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT"}, 200, nil},
			{"If-Match is ignored", []string{spec, `If-Match: "x"`}, 200, nil},
			{"Range is ignored", []string{spec, "Range: bytes=0-1"}, 200, []string{"!Content-Range", "!Accept-Ranges"}},
			{"Range that cannot be met is ignored", []string{spec, "Range: bytes=99999999-"}, 200, nil},
			{"If-Range is ignored", []string{spec, "Range: bytes=0-1", "If-Range: {plain}"}, 200, nil},
		},
		"request ids": {
			{"the caller's", []string{meta, "X-Request-Id: aZ0._-"}, 200, []string{"X-Request-Id: aZ0._-"}},
			{"in errors, too", []string{"GET /api/open/nope HTTP/1.1", "x-request-id: mine"}, 404, []string{"X-Request-Id: mine", `"requestId":"mine"`}},
			{"white space around is not part of it", []string{meta, "X-Request-Id: \tmine  "}, 200, []string{"X-Request-Id: mine"}},
			{"empty", []string{meta, "X-Request-Id:"}, 200, []string{"X-Request-Id: {new}"}},
			{"too long", []string{meta, "X-Request-Id: " + strings.Repeat("a", 129)}, 200, []string{"X-Request-Id: {new}"}},
			{"other characters", []string{meta, "X-Request-Id: a/b"}, 200, []string{"X-Request-Id: {new}"}},
			{"other bytes", []string{meta, "X-Request-Id: \xff"}, 200, []string{"X-Request-Id: {new}"}},
			{"two are none", []string{meta, "X-Request-Id: a", "X-Request-Id: b"}, 200, []string{"X-Request-Id: {new}"}},
		},
		"parameters": {
			{"an unknown one holds anything", []string{"GET /api/open/meta?x=%zz&%=&=&&x HTTP/1.1"}, 200, nil},
			{"names are decoded", []string{"GET /api/open/meta?%6cocale=zh HTTP/1.1"}, 200, []string{"Content-Language: zh-hans"}},
			{"names are case-sensitive", []string{"GET /api/open/meta?Locale=zh HTTP/1.1"}, 200, []string{"Content-Language: en"}},
			{"empty values are absent", []string{"GET /api/open/meta?locale=&locale=zh&locale HTTP/1.1"}, 200, []string{"Content-Language: zh-hans"}},
			{"twice is an error", []string{"GET /api/open/meta?locale=en&locale=en HTTP/1.1"}, 400, []string{`"parameter":"locale"`}},
			{"except tag", []string{"GET /api/open/chains?tag=a&tag=a HTTP/1.1"}, 200, nil},
			{"plus is a space", []string{"GET /api/open/chains?q=mainnet+ethereum HTTP/1.1"}, 200, []string{`"slug":"ethereum"`}},
			{"an escaped plus is a plus", []string{"GET /api/open/chains?q=mainnet%2Bethereum HTTP/1.1"}, 200, []string{`{"chains":[]}`}},
			{"a semicolon is part of the value", []string{"GET /api/open/chains?sort=tvl;limit=1 HTTP/1.1"}, 400, []string{`"parameter":"sort"`}},
			{"an equals sign is part of the value", []string{"GET /api/open/chains?q==&limit=1 HTTP/1.1"}, 200, nil},
			{"percent-encoding", []string{"GET /api/open/chains?q=%e4%b8%a HTTP/1.1"}, 400, []string{`"parameter":"q"`}},
			{"UTF-8", []string{"GET /api/open/chains?q=%ed%a0%80 HTTP/1.1"}, 400, []string{`"parameter":"q"`}},
			{"raw bytes are fine where they are UTF-8", []string{"GET /api/open/chains?q=\u4ee5 HTTP/1.1"}, 200, nil},
			{"control characters", []string{"GET /api/open/chains?q=a%00 HTTP/1.1"}, 400, []string{`"parameter":"q"`}},
			{"control characters beyond ASCII", []string{"GET /api/open/chains?tag=%c2%85 HTTP/1.1"}, 400, []string{`"parameter":"tag"`}},
			{"control characters in an unknown one", []string{"GET /api/open/chains?limit=1&x=%00 HTTP/1.1"}, 200, nil},
			{"the longest q", []string{"GET /api/open/chains?q=" + strings.Repeat("%e4%b8%ad", 200) + " HTTP/1.1"}, 200, nil},
			{"a longer q", []string{"GET /api/open/chains?q=" + strings.Repeat("%e4%b8%ad", 201) + " HTTP/1.1"}, 400, []string{`"parameter":"q"`}},
			{"an enumeration lists what is allowed", []string{"GET /api/open/chains?sortDir=ASC HTTP/1.1"}, 400, []string{`"allowed":["asc","desc"]`, "Cache-Control: public, max-age=10"}},
		},
		"sizes": {
			{"the longest URL", []string{"GET /api/open/meta?x=" + long[len("/api/open/meta?x="):] + " HTTP/1.1"}, 200, nil},
			{"a longer URL", []string{"GET /api/open/meta?xy=" + long[len("/api/open/meta?x="):] + " HTTP/1.1"}, 414, []string{`"code":"uri_too_long"`, "Cache-Control: no-store"}},
			{"a path counts as well", []string{"HEAD /" + long + " HTTP/1.1"}, 414, nil},
			{"but OPTIONS, which asks for nothing", []string{"OPTIONS /" + long + " HTTP/1.1"}, 204, nil},
			{"large headers", []string{meta, "Cookie: " + long[:8000], "X-Filler: " + long[:8000]}, 200, nil},
			{"larger headers", []string{meta, "Cookie: " + long, "X-Filler: " + long, "X-Request-Id: mine"}, 431,
				[]string{`"code":"headers_too_large"`, "Cache-Control: no-store", "X-Request-Id: mine"}},
			{"a long Host counts as well", []string{meta, "Host: " + long + long}, 431, nil},
			{"as many lines as may be", append([]string{meta, "Host: test", "Connection: close"}, header(98)...), 200, nil},
			{"more lines", append([]string{meta, "Host: test", "Connection: close"}, header(99)...), 431, nil},
			{"far more than we take", []string{meta, "Cookie: " + strings.Repeat(long, 6)}, 431, []string{`"code":"headers_too_large"`}},
		},
	}
}

// header returns n lines of a header.
func header(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = "A: b"
	}
	return lines
}

func TestRulesOnTheWire(t *testing.T) {
	address := listen(t, serving(t, compile(t, fixture(t), 42)))
	plain, _ := raw(t, address, written([]string{spec}))
	packed, _ := raw(t, address, written([]string{spec, "Accept-Encoding: br"}))
	known := strings.NewReplacer("{plain}", plain.Header.Get("ETag"), "{tag}", packed.Header.Get("ETag"))
	for section, rules := range wireRules() {
		for _, test := range rules {
			t.Run(section+"/"+test.says, func(t *testing.T) {
				response, content := raw(t, address, known.Replace(written(test.lines)))
				if response.StatusCode != test.status {
					t.Fatalf("status %d, want %d\n%s", response.StatusCode, test.status, content)
				}
				ofEvery(t, response, content)
				for _, fact := range test.outcome {
					holds(t, known.Replace(fact), response, content)
				}
			})
		}
	}
}

// written makes a request of its lines. It does not ask the server to close the
// connection: a busy kernel may then reset it before all is read.
func written(lines []string) string {
	all := strings.Join(lines, "\n")
	if !strings.Contains(all, "Host:") && !strings.Contains(all, "-Host") {
		lines = append(lines[:1:1], append([]string{"Host: test"}, lines[1:]...)...)
	}
	return strings.ReplaceAll(strings.Join(lines, "\r\n")+"\r\n", "-Host\r\n", "") + "\r\n"
}

var (
	ofAColumn = regexp.MustCompile(`^(!?[A-Z][A-Za-z-]+)(?:: (.*))?$`)
	newID     = regexp.MustCompile(`^[a-z2-7]{24}$`)
)

func holds(t *testing.T, fact string, response *http.Response, content string) {
	t.Helper()
	parts := ofAColumn.FindStringSubmatch(fact)
	if parts == nil {
		if !strings.Contains(content, fact) {
			t.Errorf("the body has no %s\n%s", fact, content)
		}
		return
	}
	name, missing := strings.CutPrefix(parts[1], "!")
	got := response.Header.Values(name)
	switch {
	case missing && len(got) > 0:
		t.Errorf("%s is %q, want none", name, got)
	case missing:
	case len(got) != 1:
		t.Errorf("%s is %q, want one value", name, got)
	case parts[2] == "{new}" && !newID.MatchString(got[0]):
		t.Errorf("%s is %q, want a new one", name, got[0])
	case parts[2] != "{new}" && got[0] != parts[2]:
		t.Errorf("%s is %q, want %q", name, got[0], parts[2])
	}
}

// ofEvery checks what every response carries.
func ofEvery(t testing.TB, response *http.Response, content string) {
	t.Helper()
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin": "*", "Vary": "Accept-Encoding", "X-Content-Type-Options": "nosniff", "Catalog-Revision": "42",
	} {
		if got := response.Header.Values(name); len(got) != 1 || got[0] != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	id := response.Header.Values("X-Request-Id")
	if len(id) != 1 || len(id[0]) > 128 || strings.Trim(id[0], "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") != "" {
		t.Errorf("X-Request-Id is %q", id)
	}
	if got := response.Header.Get("Access-Control-Expose-Headers"); !strings.Contains(got, "X-Request-Id") {
		t.Errorf("Access-Control-Expose-Headers is %q", got)
	}
	if response.Header.Get("Location") != "" {
		t.Error("a redirect")
	}
	bodiless := response.StatusCode == 204 || response.StatusCode == 304
	if got := response.Header.Get("Content-Type"); (got == "application/json") == bodiless {
		t.Errorf("status %d with Content-Type %q", response.StatusCode, got)
	}
	if content != "" && response.Header.Get("Content-Encoding") == "" && !json.Valid([]byte(content)) {
		t.Errorf("not JSON: %s", content)
	}
	if content != "" && response.ContentLength != int64(len(content)) {
		t.Errorf("Content-Length %d of %d bytes", response.ContentLength, len(content))
	}
}

// TestResponsesOfTheStandardLibrary lists the answers that no handler can
// give (docs/decisions/0002): the day one of them changes, so must the page.
func TestResponsesOfTheStandardLibrary(t *testing.T) {
	address := listen(t, serving(t, compile(t, fixture(t), 42)))
	tests := []struct {
		name, request string
		status        int
	}{
		{"no Host", "GET /api/open/meta HTTP/1.1\r\n\r\n", 400},
		{"two Hosts", "GET /api/open/meta HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400},
		{"a malformed Host", "GET /api/open/meta HTTP/1.1\r\nHost: a b\r\n\r\n", 400},
		{"a target without a slash", "GET api/open/meta HTTP/1.1\r\nHost: a\r\n\r\n", 400},
		{"a broken escape in the path", "GET /api/open/%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400},
		{"a space in the target", "GET /api/open/me ta HTTP/1.1\r\nHost: a\r\n\r\n", 400},
		{"a control character in the target", "GET /api/open/\x01 HTTP/1.1\r\nHost: a\r\n\r\n", 400},
		{"a method that is no token", "G(T /api/open/meta HTTP/1.1\r\nHost: a\r\n\r\n", 400},
		{"HTTP/0.9", "GET /api/open/meta\r\n\r\n", 400},
		{"HTTP/2 without its preface", "GET /api/open/meta HTTP/2.0\r\nHost: a\r\n\r\n", 505},
		{"an empty line first", "\r\nGET /api/open/meta HTTP/1.1\r\nHost: a\r\n\r\n", 400},
		{"a header without a colon", "GET /api/open/meta HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n", 400},
		{"a space before a colon", "GET /api/open/meta HTTP/1.1\r\nHost: a\r\nA : b\r\n\r\n", 400},
		{"a NUL in a header", "GET /api/open/meta HTTP/1.1\r\nHost: a\r\nA: \x00\r\n\r\n", 400},
		{"a length that is no number", "GET /api/open/meta HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\na", 400},
		{"two lengths", "GET /api/open/meta HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na", 400},
		{"an unknown transfer encoding", "GET /api/open/meta HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501},
		{"an unknown expectation", "GET /api/open/meta HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n", 417},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			response, _ := raw(t, address, test.request)
			if response.StatusCode != test.status || response.Header.Get("X-Request-Id") != "" {
				t.Errorf("status %d, X-Request-Id %q; want %d and none", response.StatusCode, response.Header.Get("X-Request-Id"), test.status)
			}
			if !response.Close {
				t.Error("the connection stays open")
			}
		})
	}
}

// TestBodiesAreIgnored sends requests with bodies, pipelined with the next ones: a body must never
// be parsed as a request.
func TestBodiesAreIgnored(t *testing.T) {
	address := listen(t, serving(t, compile(t, fixture(t), 42)))
	const next = "GET /api/open/nope HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
	tests := []struct {
		name, request string
		statuses      string
	}{
		{"none", "GET /api/open/meta HTTP/1.1\r\nHost: a\r\n\r\n", "200 404"},
		{"bare line feeds", "GET /api/open/meta HTTP/1.1\nHost: a\n\n", "200 404"},
		{"a length", "GET /api/open/meta HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nPOST /", "200 404"},
		{"no length", "GET /api/open/meta HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "200 404"},
		{"chunks", "GET /api/open/meta HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nPOST /\r\n0\r\n\r\n", "200 404"},
		{"chunks with trailers", "GET /api/open/meta HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: b\r\n\r\n", "200 404"},
		{"HEAD", "HEAD /api/open/meta HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nPOST /", "200 404"},
		{"OPTIONS", "OPTIONS * HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nPOST /", "204 404"},
		{"a method that is refused", "POST /api/open/meta HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nPOST /", "405 404"},
		{"304", "GET /api/open/meta HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\nContent-Length: 6\r\n\r\nPOST /", "304 404"},
		{"too large headers", "GET /api/open/meta HTTP/1.1\r\nHost: a\r\nA: " + strings.Repeat("a", 17<<10) + "\r\nContent-Length: 6\r\n\r\nPOST /", "431 404"},
		{"HTTP/1.0 that stays", "GET /api/open/meta HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "200 404"},
		{"HTTP/1.0", "GET /api/open/meta HTTP/1.0\r\n\r\n", "200"},
		{"an expectation", "GET /api/open/meta HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 6\r\n\r\nPOST /", "200"},
		{"an expectation without a body", "GET /api/open/meta HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n", "200 404"},
		{"broken chunks", "GET /api/open/meta HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nPOST / HTTP/1.1\r\n\r\n", "200"},
		{"more than anybody would read", "GET /api/open/meta HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\nPOST /", "200"},
		{"chunks, whatever a length says", "GET /api/open/meta HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "200 404"},
		{"many at once", strings.Repeat("GET /api/open/meta HTTP/1.1\r\nHost: a\r\n\r\n", 5), "200 200 200 200 200 404"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			method, _, _ := strings.Cut(test.request, " ")
			var got []string
			for _, response := range exchangeAll(t, address, test.request+next, method) {
				got = append(got, fmt.Sprint(response.StatusCode))
			}
			if statuses := strings.Join(got, " "); statuses != test.statuses {
				t.Errorf("statuses %s, want %s", statuses, test.statuses)
			}
		})
	}
}

// exchangeAll sends bytes and reads responses until the server closes the connection. The first
// response is to a request with the method.
func exchangeAll(t *testing.T, address, request, method string) []*http.Response {
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
	var responses []*http.Response
	for r := bufio.NewReader(conn); ; method = "GET" {
		if _, err := r.Peek(1); err != nil {
			return responses // a reset, too: the server did not read all
		}
		response, err := http.ReadResponse(r, &http.Request{Method: method})
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		ofEvery(t, response, string(content))
		responses = append(responses, response)
	}
}
