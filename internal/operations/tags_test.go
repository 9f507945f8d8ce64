package operations_test

import (
	"net/http"
	"testing"

	"vitrine/internal/operations"
	"vitrine/internal/snapshot"
)

// TestCacheTags checks the tags of a list, a record, a 304, an error and other responses, in both headers.
func TestCacheTags(t *testing.T) {
	snap := compile(t, smallCatalog(), servedRevision)
	for header, want := range map[string]map[string]string{
		"": {"/api/open/chains": ""},
		"Cache-Tag": {
			"/api/open/chains": "catalogue,chain", "/api/open/chains/nothing": "catalogue,chain", "/api/open/chains?limit=x": "catalogue,chain",
			"/api/open/nav/groups": "catalogue", "/api/open/": "catalogue", "/nothing": "",
		},
		"Surrogate-Key": {"/api/open/twitter/users": "catalogue user", "/api/open/search?q=a": "catalogue"},
	} {
		h := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return snap }, CacheTags: header, CacheBytes: 1 << 20})
		for path, tags := range want {
			first := get(t, h, path, nil)
			same := get(t, h, path, http.Header{"If-None-Match": {first.Header.Get("ETag")}})
			for name, response := range map[string]*http.Response{"first": first, "conditional": same} {
				for _, one := range []string{"Cache-Tag", "Surrogate-Key"} {
					expected := ""
					if one == header {
						expected = tags
					}
					if got := response.Header.Get(one); got != expected {
						t.Errorf("%s, %s request: %s %q, want %q", path, name, one, got, expected)
					}
				}
			}
		}
	}
}
