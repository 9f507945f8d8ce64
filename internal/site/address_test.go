package site

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/response"
)

// The path of a request is canonical whatever the case of its language.
func TestCanonical(t *testing.T) {
	s, of := siteOf(t, Config{}), hostileSnapshot(t)
	for _, c := range []struct{ path, query, accept, want, wantQuery string }{
		{"/AR/chains", "", "", "/ar/chains", ""},
		{"/Ar", "", "", "/ar", ""},
		{"/AR.md", "", "", "/ar.md", ""},
		{"/Chains", "", "", "/Chains", ""},
		{"/en/chains", "", "text/markdown", "/en/chains.md", ""},
		{"/ar/docs", "", "", "/en/docs", ""},
		{"/AR/docs/caching", "", "text/markdown", withMarkdown("/en/docs/caching"), ""},
		{"/docs/caching", "", "", "/en/docs/caching", ""},
		{withMarkdown("/ar/docs/caching"), "", "", withMarkdown("/en/docs/caching"), ""},
		{"/en/chains", "", "text/markdown;q=0", "/en/chains", ""},
		{"/en/chains", "", "text/html;q=0.5, text/markdown;q=0.9", "/en/chains.md", ""},
		{"/en/chains", "", "text/markdown, text/html", "/en/chains", ""},
		{"/en/chains", "", "text/markdownish", "/en/chains", ""},
		{"/en/chains", "x=1&q=a;b", "", "/en/chains", "q=a%3Bb"},
		{"/en/chains", "theme=dark&q=%61+b%20c&%74ag=%78", "", "/en/chains", "q=a+b+c&tag=x"},
		{"/en/chains", "sort=zzz&sortDir=up&status=none&offset=0", "", "/en/chains", ""},
		{"/en/chains", "sort=name&sortDir=asc&status=all&offset=050", "", "/en/chains", "status=all&sort=name&sortDir=asc&offset=50"},
		{"/en/chains", "sort=name&sort=zzz", "", "/en/chains", "sort=name"},
		{"/en/chains", "q=%zz&offset=x", "", "/en/chains", "q=%zz&offset=x"}, // for the page to report
		{"/en/twitter", "sort=tvl&q=a", "", "/en/twitter", "q=a"},
		{"/en/search", "kind=card,chain,card&q=a", "", "/en/search", "q=a&kind=chain%2Ccard"},
		{"/en/news", "event=ended&x=1", "", "/en/news", "event=ended"},
		{"/en/news", "event=soon", "", "/en/news", ""},
		{"/en/search", "kind=nothing", "", "/en/search", ""},
		{"/en/search", "kind=chain,nothing", "", "/en/search", ""},
		{"/en/changes", "kind=app,group,,app,+chain", "", "/en/changes", "kind=chain%2Capp%2Cgroup"},
		{"/en/changes", "kind=chain,nothing", "", "/en/changes", ""},
		{"/en/changes", "kind=" + strings.Join(domain.Convert[string](query.ChangeKinds()), ","), "", "/en/changes", ""},
		{"/en/", "q=a&sort=tvl&theme=light", "", "/en/", ""},
	} {
		path, query, _ := s.Canonical(of, c.path, c.query, http.Header{"Accept": {c.accept}})
		if path != c.want || query != c.wantQuery {
			t.Errorf("%s?%s, %s: %s?%s; want %s?%s", c.path, c.query, c.accept, path, query, c.want, c.wantQuery)
		}
	}
}

// Accept-Language selects the language of paths without one, Accept the form of pages with
// two. The values of the headers make no difference.
func TestHeadersThatSelectAPage(t *testing.T) {
	s, of := siteOf(t, Config{}), hostileSnapshot(t)
	for path, want := range map[string]string{
		"/ar/chains": "Accept", "/AR/chains/x": "Accept", "/ar": "Accept", "/ar/": "Accept", "/ar/chains.md": "", "/ar.md": "",
		"/ar/feed.atom": "", "/ar/docs": "", "/ar/nothing/here": "",
		"/chains": "Accept-Language, Accept", "/": "Accept-Language, Accept", "/chains.md": "Accept-Language", "/feed.atom": "Accept-Language",
		"/robots.txt": "", "/llms.txt": "", "/nothing": "", "/theme.css": "Cookie", s.assets.names["site.css"]: "",
	} {
		for _, header := range []http.Header{nil, {"Accept": {"text/markdown"}, "Accept-Language": {"ar"}, "Cookie": {"theme=dark"}}} {
			_, _, by := s.Canonical(of, path, "", header)
			if got := strings.Join(by, ", "); got != want {
				t.Errorf("%s with %v: %q; want %q", path, header, got, want)
			}
		}
	}
}

// A page has one address in a language, and one as Markdown.
func TestOneAddress(t *testing.T) {
	s, of := siteOf(t, Config{PublicURL: public}), hostileSnapshot(t)
	for _, path := range []string{
		"/en/chains.md.md", "/chains.md.md", "/en/chains/x.md.md", "/en/feed.atom.md", "/en/docs.md", "/en/robots.txt",
		"/en/llms.txt", "/en/sitemap.xml", "/en/.well-known/api-catalog", "/en/en/chains", "/en//chains",
	} {
		path, query, _ := s.Canonical(of, path, "", nil)
		if _, err := s.Page(of, path, query); !errors.Is(err, errUnknown) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A wrong percent-encoding is an error of the client on every page with the parameter.
func TestBadlyWrittenQuery(t *testing.T) {
	s, of := siteOf(t, Config{}), hostileSnapshot(t)
	for _, r := range routes() {
		for _, name := range r.known {
			path, raw, _ := s.Canonical(of, "/en"+r.path, name+"=%zz", nil)
			_, err := s.Page(of, path, raw)
			var invalid *query.Error
			if !errors.As(err, &invalid) || invalid.Parameter != name {
				t.Errorf("%s?%s: %v", path, raw, err)
			}
			path, raw, _ = s.Canonical(of, "/en"+r.path, name+"=;", nil)
			_, err = s.Page(of, path, raw)
			if problem := (*response.Problem)(nil); err != nil && !errors.As(err, &invalid) && !errors.As(err, &problem) {
				t.Errorf("%s?%s: %v", path, raw, err)
			}
			if _, err := url.ParseQuery(raw); err != nil {
				t.Errorf("%s?%s: %v", path, raw, err)
			}
		}
	}
}

// The first valid theme is a header of the response, not a page.
func TestThemeOfAnAddress(t *testing.T) {
	s := siteOf(t, Config{})
	for raw, want := range map[string]string{
		"": "", "theme=": "", "theme=no": "", "theme=1&theme=dark": "dark", "q=a&theme=light&theme=dark": "light", "atheme=dark": "",
	} {
		got := s.Personal(raw)
		cookie, cached := got.Get("Set-Cookie"), got.Get("Cache-Control")
		if want == "" && got != nil || want != "" && (!strings.HasPrefix(cookie, "theme="+want+";") || cached != "no-store") {
			t.Errorf("%s: %v", raw, got)
		}
	}
}
