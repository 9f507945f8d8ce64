package operations_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestOnlyTheKeyAffectsTheBody checks that request data outside the cache key never affects a
// cacheable response, so that clients cannot poison caches.
func TestOnlyTheKeyAffectsTheBody(t *testing.T) {
	h := serving(t, compile(t, fixture(t), 42))
	for _, target := range []string{"/api/open/chains?limit=2&offset=1", "/api/open/nav/groups", "/api/open/nope", "/api/open/chains?sort=x"} {
		plain := get(t, h, target, http.Header{"X-Request-Id": {"same"}})
		want := body(t, plain)
		for name, value := range map[string]string{
			"Accept": "text/html", "Accept-Language": "zh", "Cookie": "locale=zh", "Forwarded": "host=evil.example",
			"Origin": "https://evil.example", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "evil",
			"X-Forwarded-Prefix": "/evil", "X-Host": "evil.example", "X-Http-Method-Override": "POST",
			"X-Original-Url": "/api/open/meta", "X-Rewrite-Url": "/api/open/meta", "Range": "bytes=0-1",
		} {
			got := get(t, h, target, http.Header{"X-Request-Id": {"same"}, name: {value}})
			if content := body(t, got); got.StatusCode != plain.StatusCode || content != want {
				t.Errorf("%s with %s: status %d, %s", target, name, got.StatusCode, content)
			}
			for header, values := range got.Header {
				if strings.Join(values, "\n") != strings.Join(plain.Header[header], "\n") {
					t.Errorf("%s with %s: %s: %q, want %q", target, name, header, values, plain.Header[header])
				}
			}
		}
	}
	address := listen(t, h)
	const target = " /api/open/chains?limit=2&offset=1 HTTP/1.1\r\nX-Request-Id: same\r\nHost: "
	plain, want := raw(t, address, "GET"+target+"a\r\n\r\n")
	other, got := raw(t, address, "GET"+target+"evil.example\r\n\r\n")
	if got != want || other.Header.Get("Link") != plain.Header.Get("Link") || plain.Header.Get("Link") == "" {
		t.Errorf("another Host: Link %q, %s", other.Header.Get("Link"), got)
	}
}

// TestSearchesSplitNoHeader checks that search terms are escaped in response headers.
func TestSearchesSplitNoHeader(t *testing.T) {
	address := listen(t, serving(t, compile(t, fixture(t), 42)))
	for _, search := range []string{"a%C2%A0%3E%22;%20rel=x,%20%3Chttps://evil.example", "%E2%80%A8Evil:%201", "a>;rel=\"next\",<//evil"} {
		response, _ := raw(t, address, "GET /api/open/chains?limit=1&offset=1&q="+search+" HTTP/1.1\r\nHost: a\r\n\r\n")
		link := response.Header.Get("Link")
		if response.StatusCode != 200 || strings.Count(link, "<") != strings.Count(link, "rel=\"") ||
			!strings.HasPrefix(link, "</api/open/chains?") || strings.Contains(link, "<//") || strings.Contains(link, "<http") {
			t.Errorf("%s: status %d, Link %q", search, response.StatusCode, link)
		}
	}
}
