package server_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vitrine/internal/follow"
	"vitrine/internal/operations"
	"vitrine/internal/server"
)

func TestRequestMetrics(t *testing.T) {
	m := server.NewMetrics()
	admin := server.NewAdmin(follow.New(follow.Config{Metrics: m.Follow}), m, server.About{})
	chains, unknown := slices.Index(operations.Operations(), "listChains"), slices.Index(operations.Operations(), "unknown")
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			m.Observe(operations.Outcome{Operation: chains, Status: 200, Bytes: 1000, Took: 70 * time.Microsecond})
		})
	}
	wait.Wait()
	m.Observe(operations.Outcome{Operation: chains, Status: 304, Took: 3 * time.Millisecond})
	m.Observe(operations.Outcome{Operation: chains, Status: 200, Bytes: 1, Took: time.Minute, Broken: true})
	m.Observe(operations.Outcome{Operation: unknown, Status: 0, Broken: true})
	wantMetrics(t, admin,
		`vitrine_http_requests_total{code="200",operation="listChains"} 9`,
		`vitrine_http_requests_total{code="304",operation="listChains"} 1`,
		`vitrine_http_requests_total{code="none",operation="unknown"} 1`,
		`vitrine_http_request_duration_seconds_bucket{operation="listChains",le="5e-05"} 0`,
		`vitrine_http_request_duration_seconds_bucket{operation="listChains",le="0.0001"} 8`,
		`vitrine_http_request_duration_seconds_bucket{operation="listChains",le="10"} 9`,
		`vitrine_http_request_duration_seconds_bucket{operation="listChains",le="+Inf"} 10`,
		`vitrine_http_response_body_bytes_total{operation="listChains"} 8001`,
		`vitrine_http_responses_broken_total{operation="listChains"} 1`,
		`vitrine_http_responses_broken_total{operation="getMeta"} 0`,
	)
}

func TestObserveAllocatesNothing(t *testing.T) {
	m := server.NewMetrics()
	o := operations.Outcome{Status: 200, Bytes: 1000, Took: time.Millisecond}
	if n := testing.AllocsPerRun(100, func() { m.Observe(o) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkObserve(b *testing.B) {
	m := server.NewMetrics()
	o := operations.Outcome{Status: 200, Bytes: 1000, Took: time.Millisecond}
	b.ReportAllocs()
	for b.Loop() {
		m.Observe(o)
	}
}

func TestWatch(t *testing.T) {
	m := server.NewMetrics()
	h := server.NewAdmin(follow.New(follow.Config{Metrics: m.Follow}), m, server.About{})
	value := 1.0
	read := func() float64 { return value }
	m.Watch("vitrine_things", "Things.", read)
	m.Watch("vitrine_seen_total", "Things seen.", read, "colour", "red", "size", "large")
	m.Watch("vitrine_seen_total", "Things seen.", read, "colour", "blue", "size", "large")
	wantMetrics(t, h, "# TYPE vitrine_things gauge", "# TYPE vitrine_seen_total counter", "vitrine_things 1")
	value = 2
	wantMetrics(t, h, "vitrine_things 2",
		`vitrine_seen_total{colour="red",size="large"} 2`, `vitrine_seen_total{colour="blue",size="large"} 2`)
}

func TestMetricsAreCompressed(t *testing.T) {
	m := server.NewMetrics()
	h := server.NewAdmin(follow.New(follow.Config{Metrics: m.Follow}), m, server.About{})
	r, w := httptest.NewRequest("GET", "/metrics", nil), httptest.NewRecorder()
	r.Header.Set("Accept-Encoding", "gzip")
	h.ServeHTTP(w, r)
	if got := w.Header().Get("Content-Encoding"); got != "gzip" {
		t.Fatalf("Content-Encoding %q, want gzip", got)
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(w.Body.Bytes()))
	must(t, err)
	if text, err := io.ReadAll(unzipped); err != nil || !strings.Contains(string(text), "\nvitrine_revision 0\n") {
		t.Errorf("%v, %s", err, text)
	}
}
