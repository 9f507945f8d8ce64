package operations_test

import (
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/admission"
	"vitrine/internal/domain"
	"vitrine/internal/operations"
	"vitrine/internal/ratelimit"
	"vitrine/internal/snapshot"
)

const (
	svgHead  = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">`
	smallSVG = svgHead + `<path d="M0 0h24v24z"/></svg>`
	smallPNG = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAAAAADRSSBWAAAAD0lEQVR42mJiYAAEAAD//wAJAAOe8oGkAAAAAElFTkSuQmCC"
)

// pictured returns a catalogue with pictures.
func pictured(content string) *domain.Catalog {
	en := func(s string) domain.Text { return text("en", s) }
	return &domain.Catalog{
		Title: en("T"), DefaultLocale: "en", Locales: []string{"en"},
		Assets:    []domain.Asset{{File: "base.svg", Content: content}, {File: "a.png", Content: smallPNG}},
		Chains:    []domain.Chain{{Slug: "base", Name: en("Base"), ChainID: "8453", Logo: "assets/base.svg"}, {Slug: "far", Name: en("Far"), ChainID: "2", Logo: "https://a.example/l.svg"}},
		Apps:      []domain.App{{Key: "app", Title: en("App"), Link: "/app", Image: "assets/a.png"}},
		NavGroups: []domain.NavGroup{{Key: "g", Slug: "g", Name: en("G"), Menus: []string{"m"}}},
		Menus: []domain.Menu{{PathSlug: "m", Title: en("M"), OGImage: "assets/a.png", Standalone: []domain.Item{
			{Slug: "i", Name: en("I"), Type: domain.ItemCategory, Cards: []domain.Card{{App: "app"}}},
		}}},
	}
}

// pathIn returns the path of a picture in a response.
func pathIn(t *testing.T, h http.Handler, target, before, ending string) string {
	t.Helper()
	_, rest, found := strings.Cut(body(t, get(t, h, target, nil)), before)
	end := strings.Index(rest, `"`)
	if !found || end < 0 || !strings.HasPrefix(rest, "/assets/") || !strings.HasSuffix(rest[:end], ending) {
		t.Fatalf("%s has no picture after %s: %.200s", target, before, rest)
	}
	return rest[:end]
}

func TestPicturesInResponses(t *testing.T) {
	h := serving(t, compile(t, pictured(smallSVG), 1))
	svg := pathIn(t, h, "/api/open/chains/base", `"logo":"`, ".svg")
	for _, tt := range []struct{ target, member string }{
		{"/api/open/chains", "logo"}, {"/api/open/chains?view=full", "logo"}, {"/api/open/search?q=base", "image"},
	} {
		if got := pathIn(t, h, tt.target, `"`+tt.member+`":"`, ".svg"); got != svg {
			t.Errorf("%s: %s, want %s", tt.target, got, svg)
		}
	}
	png := pathIn(t, h, "/api/open/apps/app", `"image":"`, ".png")
	for _, tt := range []struct{ target, member string }{
		{"/api/open/apps", "image"}, {"/api/open/nav/cards", "image"}, {"/api/open/nav/menus/m", "image"}, {"/api/open/nav/menus/m", "ogImage"},
		{"/api/open/search?q=app", "image"}, {"/api/open/search?q=m&kind=menu", "image"},
	} {
		if got := pathIn(t, h, tt.target, `"`+tt.member+`":"`, ".png"); got != png {
			t.Errorf("%s: %s, want %s", tt.target, got, png)
		}
	}
	if got := body(t, get(t, h, "/api/open/chains/far", nil)); !strings.Contains(got, `"logo":"https://a.example/l.svg"`) {
		t.Errorf("a logo of another host: %s", got)
	}
}

func TestPicturesAreServed(t *testing.T) {
	gate := admission.New(ratelimit.NewMemory(), func() *admission.Keys { return nil }, slog.New(slog.DiscardHandler), admission.Config{})
	large := svgHead + strings.Repeat("<path d=\"M0 0h24v24z\"/>", 1500) + "</svg>"
	s := compile(t, pictured(large), 1)
	var seen []string
	h := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return s }, Gate: gate, CacheBytes: 1 << 20, Observe: func(o operations.Outcome) {
		seen = append(seen, operations.Operations()[o.Operation])
	}})
	svg, png := pathIn(t, h, "/api/open/chains/base", `"logo":"`, ".svg"), pathIn(t, h, "/api/open/apps/app", `"image":"`, ".png")
	seen = nil
	for _, tt := range []struct{ path, mediaType, content string }{{svg, "image/svg+xml", large}, {png, "image/png", "\x89PNG"}} {
		got := get(t, h, tt.path, nil)
		if text := body(t, got); got.StatusCode != 200 || !strings.HasPrefix(text, tt.content) {
			t.Errorf("%s: %d %.60q", tt.path, got.StatusCode, text)
		}
		for name, want := range map[string]string{
			"Content-Type": tt.mediaType, "Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff",
			"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox", "Access-Control-Allow-Origin": "*", "Ratelimit": "",
		} {
			if got := got.Header.Get(name); got != want {
				t.Errorf("%s: %s %q, want %q", tt.path, name, got, want)
			}
		}
		again := get(t, h, tt.path, http.Header{"If-None-Match": {got.Header.Get("ETag")}})
		if again.StatusCode != 304 || body(t, again) != "" {
			t.Errorf("%s again: %d", tt.path, again.StatusCode)
		}
		if head := request(t, h, "HEAD", tt.path, nil); head.StatusCode != 200 || head.Header.Get("Content-Length") != got.Header.Get("Content-Length") || body(t, head) != "" {
			t.Errorf("%s: HEAD %d %v", tt.path, head.StatusCode, head.Header)
		}
	}
	if got := get(t, h, svg, http.Header{"Accept-Encoding": {"br"}}); got.Header.Get("Content-Encoding") != "br" || len(body(t, got)) > len(large)/10 {
		t.Errorf("compressed: %v", got.Header)
	}
	if len(seen) != 7 || slices.ContainsFunc(seen, func(name string) bool { return name != "asset" }) {
		t.Errorf("operations %q", seen)
	}
	for _, tt := range []struct {
		method, path string
		status       int
	}{
		{"POST", svg, 405}, {"OPTIONS", svg, 204}, {"GET", svg + "/", 404}, {"GET", "/assets/base.svg", 404}, {"GET", "/assets/", 404},
		{"GET", strings.Replace(svg, "/assets/", "/assets/%2e/", 1), 404}, {"GET", svg + "?" + strings.Repeat("x", 9000), 414},
	} {
		if got := request(t, h, tt.method, tt.path, nil); got.StatusCode != tt.status {
			t.Errorf("%s %s: %d, want %d", tt.method, tt.path, got.StatusCode, tt.status)
		}
	}
}

// TestReplacedPicture: a replaced picture has another path in all responses. The earlier one is served while
// pages in caches may have it.
func TestReplacedPicture(t *testing.T) {
	current := compile(t, pictured(smallSVG), 1)
	h := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return current }, CacheBytes: 1 << 20})
	first := pathIn(t, h, "/api/open/chains", `"logo":"`, ".svg")
	same := pathIn(t, h, "/api/open/apps", `"image":"`, ".png")
	next := pictured(svgHead + `<path d="M1 1h24v24z"/></svg>`)
	current = compileAfter(t, current, next, 2)
	second := pathIn(t, h, "/api/open/chains", `"logo":"`, ".svg")
	if second == first || pathIn(t, h, "/api/open/apps", `"image":"`, ".png") != same {
		t.Errorf("%s was replaced by %s", first, second)
	}
	for _, path := range []string{first, second, same} {
		if got := get(t, h, path, nil); got.StatusCode != 200 {
			t.Errorf("%s: %d", path, got.StatusCode)
		}
	}
	whole := compile(t, next, 2)
	if got, want := body(t, get(t, serving(t, current), "/api/open/chains?view=full", nil)), body(t, get(t, serving(t, whole), "/api/open/chains?view=full", nil)); got != want {
		t.Errorf("compiled after another snapshot: %s, want %s", got, want)
	}
}
