package response

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/query"
)

func TestNegotiate(t *testing.T) {
	tests := []struct {
		accept string
		large  encoding // "" for not acceptable
		small  encoding
	}{
		{"", identity, identity},
		{"gzip", gzipped, identity},
		{"GZIP", gzipped, identity},
		{"x-gzip", gzipped, identity},
		{"gzip, deflate, br, zstd", gzipped, identity},
		{"br", identity, identity},
		{"gzip;q=0", identity, identity},
		{"gzip;q=0.5", gzipped, identity},
		{"gzip;q=0.001", gzipped, identity},
		{"gzip;q=0.5, identity", identity, identity},
		{"gzip;q=0.5, identity;q=0.4", gzipped, identity},
		{"gzip ; q=1 , identity ; q=1", gzipped, identity},
		{"identity;q=0", "", ""},
		{"identity;q=0, gzip", gzipped, gzipped},
		{"identity;q=0, *", gzipped, gzipped},
		{"*;q=0", "", ""},
		{"*;q=0, gzip;q=0.1", gzipped, gzipped},
		{"*;q=0, identity;q=0.1", identity, identity},
		{"*", gzipped, identity},
		{"gzip;q=0, *", identity, identity},
		{"gzip;q=0.25, *;q=0.75", identity, identity},
		{"gzip;q=0.75, *;q=0.25", gzipped, identity},
		{"gzip;q=nan", identity, identity},
		{"gzip;q=2", identity, identity},
		{"gzip;q=-1", identity, identity},
		{"gzip;level=9", identity, identity},
		{"gzip;q=", identity, identity},
		{",,;q=1, gzip", gzipped, identity},
		{"br, identity;q=0", "", ""},
	}
	for _, test := range tests {
		for small, want := range map[bool]encoding{false: test.large, true: test.small} {
			got, ok := negotiate([]string{test.accept}, small)
			if !ok {
				got = ""
			}
			if got != want {
				t.Errorf("negotiate(%q, small %v) = %q, want %q", test.accept, small, got, want)
			}
		}
	}
	if got, ok := negotiate(nil, false); got != identity || !ok {
		t.Errorf("without the header: %q, %v", got, ok)
	}
	if got, ok := negotiate([]string{"identity;q=0", "gzip"}, true); got != gzipped || !ok {
		t.Errorf("two header lines are one list: %q, %v", got, ok)
	}
}

func TestMatches(t *testing.T) {
	const tag = `"abc"`
	tests := []struct {
		fields []string
		want   bool
	}{
		{nil, false},
		{[]string{""}, false},
		{[]string{`"abc"`}, true},
		{[]string{`W/"abc"`}, true},
		{[]string{`*`}, true},
		{[]string{`"x", "abc"`}, true},
		{[]string{`"x","abc"`}, true},
		{[]string{`"x"`, `"abc"`}, true},
		{[]string{`,, "a,b" , W/"abc" ,`}, true},
		{[]string{`"ABC"`}, false},
		{[]string{`abc`}, false},
		{[]string{`"abc`}, false},
		{[]string{`"abc-gzip"`}, false},
		{[]string{`nonsense, "abc"`}, false},
		{[]string{`"x", "y"`}, false},
	}
	for _, test := range tests {
		if got := matches(test.fields, tag); got != test.want {
			t.Errorf("matches(%q) = %v, want %v", test.fields, got, test.want)
		}
	}
}

func send(t *testing.T, method string, body *Body, header http.Header) *http.Response {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequest(method, "/", nil)
	r.Header = header
	Send(w, r, body, Fields{ContentLanguage: "zh-hans", TotalCount: "7"})
	return w.Result()
}

func TestSend(t *testing.T) {
	document := []byte(`{"text":"` + strings.Repeat("long ", 1000) + `"}`)
	body := NewBody(document)

	plain := send(t, "GET", body, nil)
	packed := send(t, "GET", body, http.Header{"Accept-Encoding": {"gzip"}})
	head := send(t, "HEAD", body, http.Header{"Accept-Encoding": {"gzip"}})

	if got := read(t, plain.Body); !bytes.Equal(got, document) {
		t.Error("the plain body is not the document")
	}
	unpacked, err := gzip.NewReader(packed.Body)
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, unpacked); !bytes.Equal(got, document) {
		t.Error("the unpacked body is not the document")
	}
	if plain.Header.Get("ETag") == packed.Header.Get("ETag") {
		t.Error("two encodings share one strong entity tag")
	}
	if diff := cmp.Diff(packed.Header, head.Header); diff != "" {
		t.Errorf("headers of GET and HEAD (-GET +HEAD)\n%s", diff)
	}
	if got := read(t, head.Body); len(got) > 0 {
		t.Error("HEAD has a body")
	}
	if got := send(t, "GET", NewBody(document), nil).Header.Get("ETag"); got != plain.Header.Get("ETag") {
		t.Error("the same document has two entity tags")
	}

	again := send(t, "GET", body, http.Header{"Accept-Encoding": {"gzip"}, "If-None-Match": {packed.Header.Get("ETag")}})
	if again.StatusCode != http.StatusNotModified || len(read(t, again.Body)) > 0 {
		t.Errorf("status %d, want 304 without a body", again.StatusCode)
	}
	for _, name := range []string{"ETag", "Cache-Control", "Content-Language"} {
		if again.Header.Get(name) != packed.Header.Get(name) {
			t.Errorf("304 has %s %q, 200 has %q", name, again.Header.Get(name), packed.Header.Get(name))
		}
	}
	other := send(t, "GET", body, http.Header{"Accept-Encoding": {"gzip"}, "If-None-Match": {plain.Header.Get("ETag")}})
	if other.StatusCode != http.StatusOK {
		t.Errorf("the tag of another encoding gives %d, want 200", other.StatusCode)
	}
	refused := send(t, "GET", body, http.Header{"Accept-Encoding": {"*;q=0"}})
	if refused.StatusCode != http.StatusNotAcceptable {
		t.Errorf("status %d, want 406", refused.StatusCode)
	}
	for _, name := range []string{"ETag", "Content-Language", "Total-Count"} {
		if got := refused.Header.Get(name); got != "" {
			t.Errorf("406 tells of a body that it does not have: %s %q", name, got)
		}
	}
}

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
		{"overloaded", &Problem{Code: Overloaded}, 503, cacheNever, ""},
		{"not ready", &Problem{Code: NotReady}, 503, cacheNever, ""},
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
			if (got.Header.Get("Retry-After") != "") != (test.status == 503) {
				t.Errorf("Retry-After %q", got.Header.Get("Retry-After"))
			}
		})
	}
}

func read(t *testing.T, r io.Reader) []byte {
	t.Helper()
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// FuzzAcceptEncoding: no header makes negotiation fail while it allows
// identity, and the outcome is one of ours.
func FuzzAcceptEncoding(f *testing.F) {
	for _, seed := range []string{"gzip;q=0.5", "*;q=0", "identity;q=0,gzip", ";;,=", "gzip;q=1e9"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, accept string) {
		got, ok := negotiate([]string{accept}, false)
		if got != identity && got != gzipped {
			t.Fatalf("encoding %q", got)
		}
		if !ok && !strings.Contains(accept, "0") {
			t.Fatalf("%q was refused without any weight of 0", accept)
		}
	})
}
