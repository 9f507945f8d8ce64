package server_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"vitrine/internal/follow"
	"vitrine/internal/server"
)

func ask(h http.Handler, method, path string) (status int, body string) {
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, httptest.NewRequest(method, path, nil))
	return rec.Code, rec.Body.String()
}

func TestAdminPages(t *testing.T) {
	m := server.NewMetrics()
	h := server.NewAdmin(follow.New(follow.Config{Metrics: m.Follow}), m, server.About{})
	for _, tt := range []struct {
		method, path string
		status       int
		body         string
	}{
		{"GET", "/healthz", 200, `{"healthy":true}`},
		{"HEAD", "/healthz", 200, ``},
		{"POST", "/healthz", 405, ``},
		{"GET", "/debug/pprof/", 200, `heap`},
		{"GET", "/debug/pprof/goroutine?debug=1", 200, `goroutine profile`},
		{"GET", "/api/open/chains", 404, ``},
		{"GET", "/", 200, `/metrics`},
		{"POST", "/", 405, ``},
		{"GET", "/nothing", 404, ``},
		{"GET", "/metrics/", 404, ``},
		{"DELETE", "/metrics", 405, ``},
		{"GET", "/debug/pprof/cmdline", 404, ``}, // may hold a password
	} {
		t.Run(tt.method+" "+tt.path, func(t *testing.T) {
			status, body := ask(h, tt.method, tt.path)
			if status != tt.status || !strings.Contains(body, tt.body) {
				t.Errorf("%d %q, want %d with %q", status, body, tt.status, tt.body)
			}
		})
	}
}

func wantMetrics(t *testing.T, h http.Handler, want ...string) {
	t.Helper()
	status, body := ask(h, "GET", "/metrics")
	if status != 200 {
		t.Fatalf("status %d", status)
	}
	for _, line := range want {
		if !strings.Contains("\n"+body, "\n"+line) {
			t.Errorf("no line that begins with %q in\n%s", line, body)
		}
	}
}
