package site

import (
	"cmp"
	"net/url"
	"strings"

	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// route is one row of the table of pages.
type route struct {
	name    string
	path    string   // without a locale; one that ends in a slash or a dash has a segment behind it
	known   []string // names of the query parameters that it reads
	parse   checker  // the API's reader of these parameters; nil where it knows none
	localed bool     // it is in every language
	twin    bool     // it is there as Markdown as well
	ahead   bool     // it is made when a snapshot is published; see [Site.Prepared]
	make    func(*view) (response.Document, error)

	// has reports whether a record has a name; nil where what stands behind the path is no
	// name that a catalogue chooses.
	has func(of *snapshot.Snapshot, name string) bool
}

// What lists and searches read of a query string; see docs/api.md.
var (
	pagedQuery  = []string{"offset"}
	listQuery   = []string{"q", "tag", "sort", "offset"}
	chainsQuery = []string{"q", "tag", "status", "sort", "sortDir", "offset"}
	cardsQuery  = []string{"q", "tag", "chain", "menu", "status", "sort", "offset"}
	searchQuery = []string{"q", "kind", "offset"}
)

// checker checks a query string as an operation of the API does.
type checker func(raw string, locales *locale.Set) error

func checkedBy[T any](parse func(string, *locale.Set) (T, error)) checker {
	return func(raw string, locales *locale.Set) error {
		_, err := parse(raw, locales)
		return err
	}
}

// routes returns everything that the site has: the whole of it on one screen.
func routes() []route {
	return []route{
		{name: "first", path: "/", localed: true, twin: true, ahead: true, make: firstPage},
		{name: "menus", path: "/nav", known: pagedQuery, parse: checkedBy(query.ParseList), localed: true, twin: true, make: menusPage},
		{name: "menu", path: "/nav/", known: pagedQuery, parse: checkedBy(query.ParseList), localed: true, twin: true, make: menuPage, has: hasMenu},
		{name: "cards", path: "/cards", known: cardsQuery, parse: checkedBy(query.ParseCards), localed: true, twin: true, make: cardsPage},
		{name: "categories", path: "/categories", known: pagedQuery, parse: checkedBy(query.ParseList), localed: true, twin: true, make: categoriesPage},
		{name: "news", path: "/news", localed: true, twin: true, make: newsPage},
		{name: "feed", path: feedPath, localed: true, make: feedPage},
		{name: "picture", path: "/og/", localed: true, make: picturePage},
		{name: "robots", path: "/robots.txt", ahead: true, make: robotsPage},
		{name: "sitemap", path: "/sitemap.xml", make: sitemapPage},
		{name: "sitemap", path: "/sitemap-", make: sitemapFile},
		{name: "icon", path: "/favicon.ico", ahead: true, make: iconPage},
		{name: "chains", path: "/chains", known: chainsQuery, parse: checkedBy(query.ParseChains), localed: true, twin: true, make: chainsPage},
		{name: "chain", path: "/chains/", localed: true, twin: true, make: chainPage, has: hasChain},
		{name: "accounts", path: "/twitter", known: listQuery, parse: checkedBy(query.ParseList), localed: true, twin: true, make: accountsPage},
		{name: "account", path: "/twitter/", localed: true, twin: true, make: accountPage},
		{name: "channels", path: "/youtube", known: listQuery, parse: checkedBy(query.ParseList), localed: true, twin: true, make: channelsPage},
		{name: "channel", path: "/youtube/", localed: true, twin: true, make: channelPage, has: hasChannel},
		{name: "search", path: "/search", known: searchQuery, parse: checkedBy(query.ParseSearch), localed: true, twin: true, make: searchPage},
		{name: "docs", path: "/docs", localed: true, make: docsPage},
		{name: "docs", path: "/docs/", localed: true, twin: true, make: guidePage},

		{name: "llms", path: llmsPath, ahead: true, make: llms},
		{name: "api-catalog", path: apiCatalogPath, ahead: true, make: apiCatalog},
		{name: "opensearch", path: openSearchPath, ahead: true, make: openSearch},
	}
}

// findRoute finds the route of a path without a locale, of a page or of its twin.
func (s *Site) findRoute(path string) *route {
	if r, _ := s.routeOf(path); r != nil {
		return r
	}
	whole, isTwin := strings.CutSuffix(path, markdown)
	if r, _ := s.routeOf(cmp.Or(whole, "/")); isTwin && r != nil && r.twin {
		return r
	}
	return nil
}

// routeOf finds the route of the path of a page without its locale, and what stands behind
// it.
func (s *Site) routeOf(path string) (*route, string) {
	for i, r := range s.routes {
		if r.path == path {
			return &s.routes[i], ""
		}
		if segment, ok := strings.CutPrefix(path, r.path); ok && r.hasSegment() && isSegment(segment) {
			return &s.routes[i], segment
		}
	}
	return nil, ""
}

// isRecord reports whether a path without a locale is that of a record, by the whole of
// its last segment.
func (s *Site) isRecord(of *snapshot.Snapshot, path string) bool {
	r, segment := s.routeOf(path)
	if r == nil || r.has == nil {
		return false
	}
	name, err := url.PathUnescape(segment)
	return err == nil && r.has(of, name)
}

func hasChain(of *snapshot.Snapshot, name string) bool {
	_, ok := of.Chain(name, query.Localized{})
	return ok
}

func hasMenu(of *snapshot.Snapshot, name string) bool {
	_, ok := of.Menu(query.Slug(name), query.Localized{})
	return ok
}

func hasChannel(of *snapshot.Snapshot, name string) bool {
	_, ok := of.Channel(name, query.Localized{})
	return ok
}

// hasSegment reports whether the path of a route is the beginning of its pages' paths.
func (r route) hasSegment() bool {
	return r.path != "/" && (strings.HasSuffix(r.path, "/") || strings.HasSuffix(r.path, "-"))
}

func isSegment(s string) bool { return s != "" && !strings.ContainsAny(s, "/") }
