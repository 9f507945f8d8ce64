package response

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/query"
)

func TestFail(t *testing.T) {
	tests := []struct {
		name   string
		err    error
		status int
		cache  string
		body   string
	}{
		{
			"parameter", &query.Error{Parameter: "scope", Detail: "scope must be one of chain, item", Allowed: []string{"chain", "item"}},
			400, cacheError,
			`{"type":"urn:vitrine:problem:invalid_parameter","title":"Invalid parameter","status":400,` +
				`"detail":"scope must be one of chain, item","code":"invalid_parameter","parameter":"scope",` +
				`"allowed":["chain","item"],"requestId":"r1"}`,
		},
		{
			"not found", &Problem{Code: NotFound, Detail: "nothing here"}, 404, cacheError,
			`{"type":"urn:vitrine:problem:not_found","title":"Not found","status":404,"detail":"nothing here",` +
				`"code":"not_found","requestId":"r1"}`,
		},
		{"method", &Problem{Code: MethodNotAllowed}, 405, cacheNever, ""},
		{"not acceptable", &Problem{Code: NotAcceptable}, 406, cacheNever, ""},
		{"target", &Problem{Code: URITooLong}, 414, cacheNever, ""},
		{"headers", &Problem{Code: HeadersTooLarge}, 431, cacheNever, ""},
		{"overloaded", &Problem{Code: Overloaded}, 503, cacheNever, ""},
		{"not ready", &Problem{Code: NotReady}, 503, cacheNever, ""},
		{"API key", &Problem{Code: InvalidAPIKey}, 401, cacheNever, ""},
		{"rate limit", &Problem{Code: RateLimited, RetryAfter: 7}, 429, cacheNever, ""},
		{
			"internal says nothing of the inside", errors.New("secret: password"), 500, cacheNever,
			`{"type":"urn:vitrine:problem:internal","title":"Internal error","status":500,` +
				`"detail":"something went wrong on our side; quote the requestId when you report it","code":"internal","requestId":"r1"}`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			w.Header().Set("X-Request-Id", "r1")
			Fail(w, httptest.NewRequest("GET", "/", nil), test.err)
			got := w.Result()
			if got.StatusCode != test.status || got.Header.Get("Cache-Control") != test.cache {
				t.Errorf("status %d, Cache-Control %q; want %d, %q", got.StatusCode, got.Header.Get("Cache-Control"), test.status, test.cache)
			}
			if got.Header.Get("Content-Type") != "application/json" {
				t.Errorf("Content-Type %q", got.Header.Get("Content-Type"))
			}
			body := read(t, got.Body)
			if !json.Valid(body) {
				t.Fatalf("not JSON: %s", body)
			}
			if test.body != "" && string(body) != test.body {
				t.Errorf("(-want +got)\n%s", cmp.Diff(test.body, string(body)))
			}
			if (got.Header.Get("Allow") != "") != (test.status == 405) {
				t.Errorf("Allow %q", got.Header.Get("Allow"))
			}
			if (got.Header.Get("Retry-After") != "") != (test.status == 503 || test.status == 429) {
				t.Errorf("Retry-After %q", got.Header.Get("Retry-After"))
			}
		})
	}
}

func read(t testing.TB, r io.Reader) []byte {
	t.Helper()
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// TestFailHeaders checks that errors have the headers that tell clients how to proceed.
func TestFailHeaders(t *testing.T) {
	for _, test := range []struct {
		problem     Problem
		name, value string
	}{
		{Problem{Code: RateLimited, RetryAfter: 17}, "Retry-After", "17"},
		{Problem{Code: RateLimited}, "Retry-After", "1"},
		{Problem{Code: NotReady}, "Retry-After", "5"},
		{Problem{Code: InvalidAPIKey}, "WWW-Authenticate", `Bearer error="invalid_token", ApiKey header="X-API-Key"`},
		{Problem{Code: MethodNotAllowed}, "Allow", "GET, HEAD, OPTIONS"},
		{Problem{Code: NotFound}, "Retry-After", ""},
	} {
		w := httptest.NewRecorder()
		Fail(w, httptest.NewRequest(http.MethodGet, "/", nil), &test.problem)
		if got := w.Header().Get(test.name); got != test.value {
			t.Errorf("%s: %s is %q, want %q", test.problem.Code, test.name, got, test.value)
		}
	}
}

// TestLength checks that the length of a selection is that of the sent content.
func TestLength(t *testing.T) {
	body := NewPacker().Body([]byte(`{"a":1}`), Often)
	for _, test := range []struct {
		method string
		header http.Header
	}{{"GET", nil}, {"HEAD", nil}, {"GET", http.Header{"If-None-Match": {"*"}}}, {"GET", http.Header{"Accept-Encoding": {"identity;q=0, gzip"}}}} {
		r, w := httptest.NewRequest(test.method, "/", nil), httptest.NewRecorder()
		r.Header = test.header
		selection, err := Select(r, body)
		if err != nil {
			t.Fatal(err)
		}
		selection.Send(w, r, Fields{})
		if got := selection.Length(r); got != w.Body.Len() {
			t.Errorf("%s %v: the length is %d, %d bytes were sent", test.method, test.header, got, w.Body.Len())
		}
	}
}
