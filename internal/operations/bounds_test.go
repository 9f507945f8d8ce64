package operations_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// BenchmarkLargest measures the most expensive requests within the bounds.
func BenchmarkLargest(b *testing.B) {
	const target, header = 8 << 10, 16 << 10
	filled := func(from, piece string, size int) string {
		return from + strings.Repeat(piece, (size-len(from))/len(piece))
	}
	h := serving(b, compile(b, fixture(b), 42))
	for _, test := range []struct {
		name, target string
		header       http.Header
		status       int
	}{
		{"encodings", "/api/open/spec", http.Header{"Accept-Encoding": {filled("", "a,", header-100)}}, 200},
		{"tags", "/api/open/spec", http.Header{"If-None-Match": {filled("", `"",`, header-100)}}, 200},
		{"lines", "/api/open/spec", http.Header{"Accept-Encoding": strings.Split(filled("", "gzip;q=0.001,", 1200), ",")}, 200},
		{"more lines than may be", "/api/open/spec", http.Header{"A": strings.Split(filled("", "a,", 8000), ",")}, 431},
		{"search", filled("/api/open/chains?q=", "%e4%b8%ad", target), nil, 400},
		{"longest search", filled("/api/open/chains?q=", "%e4%b8%ad+", 1020), nil, 200},
		{"filter", filled("/api/open/chains?tag=", "a,bc,", target), nil, 200},
		{"filters", filled("/api/open/chains?tag=x", "&tag=a", target), nil, 200},
		{"unknown parameters", filled("/api/open/chains?x", "&%41", target), nil, 200},
		{"path", filled("/", "a/", target), nil, 404},
	} {
		b.Run(test.name, func(b *testing.B) {
			r := httptest.NewRequest(http.MethodGet, test.target, nil)
			r.Header = test.header
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != test.status {
				b.Fatalf("status %d, want %d", w.Code, test.status)
			}
			b.ReportAllocs()
			for b.Loop() {
				h.ServeHTTP(&nowhere{header: http.Header{}}, r)
			}
		})
	}
}
