package server_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"vitrine/internal/follow"
	"vitrine/internal/server"
)

// TestAdminIsNotForPages checks that the admin listener rejects web pages and serves programs.
func TestAdminIsNotForPages(t *testing.T) {
	m := server.NewMetrics()
	h := server.NewAdmin(follow.New(follow.Config{Metrics: m.Follow}), m, server.About{})
	const loopback, private = "127.0.0.1", "10.0.0.5"
	for _, tt := range []struct {
		name, on, host, site string
		status               int
	}{
		{"an address", loopback, "127.0.0.1:9090", "", 200},
		{"an address without a port", loopback, "127.0.0.1", "", 200},
		{"an IPv6 address", "::1", "[::1]:9090", "", 200},
		{"an IPv6 address without a port", "::1", "[::1]", "", 200},
		{"localhost", loopback, "LocalHost:9090", "", 200},
		{"no Host, as in HTTP/1.0", loopback, "", "", 200},
		{"a name that resolves to 127.0.0.1", loopback, "evil.example:9090", "", 421},
		{"a name that resolves to ::1", "::1", "evil.example:9090", "", 421},
		{"a name that starts like an address", loopback, "127.0.0.1.evil.example:9090", "", 421},
		{"a name that ends in localhost", loopback, "evillocalhost", "", 421},
		{"too many colons", loopback, "evil:1:2", "", 421},
		{"a scraper that uses a host name", private, "vitrine.monitoring.svc:9090", "", 200},
		{"an operator who enters the address", loopback, "127.0.0.1:9090", "none", 200},
		{"a link on the list of pages", loopback, "127.0.0.1:9090", "same-origin", 200},
		{"an image on another site", loopback, "127.0.0.1:9090", "cross-site", 403},
		{"another port of the machine", loopback, "127.0.0.1:9090", "same-site", 403},
		{"an image on another site, on a private address", private, "vitrine.monitoring.svc:9090", "cross-site", 403},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/debug/pprof/", nil)
			r.Host = tt.host
			r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.ParseIP(tt.on)}))
			if tt.site != "" {
				r.Header.Set("Sec-Fetch-Site", tt.site)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != tt.status {
				t.Errorf("status %d, want %d", w.Code, tt.status)
			}
		})
	}
}
