package operations_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"vitrine/internal/operations"
	"vitrine/internal/snapshot"
)

// TestLinksOfAPublicServer checks that links begin with the public URL.
func TestLinksOfAPublicServer(t *testing.T) {
	s := compile(t, fixture(t), 1)
	handler := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return s }, PublicURL: "https://api.example.org/v"})
	for target, want := range map[string]string{
		"/api/open/chains?limit=1":     `<https://api.example.org/v/api/open/chains?limit=1&offset=1&revision=1&sort=tvl&sortDir=desc>; rel="next"`,
		"/api/open/search?q=e&limit=1": `<https://api.example.org/v/api/open/search?limit=1&offset=1&q=e&revision=1>; rel="next"`,
	} {
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, httptest.NewRequest("GET", target, nil))
		if got := recorder.Header().Get("Link"); got != want {
			t.Errorf("GET %s: Link %s, want %s", target, got, want)
		}
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, httptest.NewRequest("GET", "/api/open/nav/menus/HIDDEN", nil))
	if got := recorder.Header().Get("Content-Location"); got != "/v/api/open/nav/menus/hidden" {
		t.Errorf("Content-Location %q, want the canonical path below that of the public URL", got)
	}
	recorder = httptest.NewRecorder()
	handler.ServeHTTP(recorder, httptest.NewRequest("GET", "/openapi.json", nil))
	if !strings.Contains(recorder.Body.String(), `"servers":[{"url":"https://api.example.org/v","description"`) {
		t.Error("the OpenAPI document of a server below a path does not have its address")
	}
}
