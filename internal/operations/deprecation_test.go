package operations_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"vitrine/internal/operations"
	"vitrine/internal/snapshot"
)

// TestDeprecation checks the headers of a deprecated operation in a response with and without other links, a 304
// and an error, and that other operations lack them.
func TestDeprecation(t *testing.T) {
	snap := compile(t, smallCatalog(), servedRevision)
	h := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return snap }, CacheBytes: 1 << 20})
	h.Deprecate("listChains", time.Unix(1_800_000_000, 0), time.Date(2028, 2, 29, 1, 2, 3, 0, time.FixedZone("", 3600)), "https://example.org/news")
	const list = "/api/open/chains"
	etag := get(t, h, list, nil).Header.Get("ETag")
	for _, tt := range []struct {
		path   string
		header http.Header
		status int
		link   bool
	}{
		{list, nil, 200, true},
		{list + "?limit=1", nil, 200, true}, // has links to pages
		{list + "?limit=1", nil, 200, true}, // from the cache, without a second link
		{list, http.Header{"If-None-Match": {etag}}, 304, true},
		{list + "?limit=x", nil, 400, false},
	} {
		response := get(t, h, tt.path, tt.header)
		if response.StatusCode != tt.status || response.Header.Get("Deprecation") != "@1800000000" || response.Header.Get("Sunset") != "Tue, 29 Feb 2028 00:02:03 GMT" {
			t.Errorf("%s: status %d, headers %v", tt.path, response.StatusCode, response.Header)
		}
		links := slices.DeleteFunc(response.Header.Values("Link"), func(link string) bool {
			return link != `<https://example.org/news>; rel="deprecation"; type="text/html"`
		})
		if len(links) == 1 != tt.link {
			t.Errorf("%s: links %q", tt.path, response.Header.Values("Link"))
		}
	}
	if header := get(t, h, "/api/open/apps", nil).Header; header.Get("Deprecation") != "" || header.Get("Sunset") != "" {
		t.Errorf("another operation has the headers %v", header)
	}
}
