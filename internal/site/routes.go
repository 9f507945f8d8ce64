package site

import (
	"cmp"
	"strings"

	"vitrine/internal/response"
)

// route is one row of the table of pages.
type route struct {
	name    string
	path    string   // without a locale; one that ends in a slash or a dash has a segment behind it
	known   []string // names of the query parameters that it reads
	localed bool     // it is in every language
	twin    bool     // it is there as Markdown as well
	free    bool     // it costs no quota
	make    func(*view) (response.Document, error)
}

// What lists and searches read of a query string; see docs/api.md.
var (
	pagedQuery  = []string{"offset"}
	listQuery   = []string{"q", "tag", "sort", "offset"}
	chainsQuery = []string{"q", "tag", "status", "sort", "sortDir", "offset"}
	cardsQuery  = []string{"q", "tag", "chain", "menu", "status", "sort", "offset"}
	searchQuery = []string{"q", "kind", "offset"}
)

// routes returns everything that the site has: the whole of it on one screen.
func routes() []route {
	return []route{
		{name: "first", path: "/", localed: true, twin: true, free: true, make: firstPage},
		{name: "menus", path: "/nav", known: pagedQuery, localed: true, twin: true, make: menusPage},
		{name: "menu", path: "/nav/", known: pagedQuery, localed: true, twin: true, make: menuPage},
		{name: "cards", path: "/cards", known: cardsQuery, localed: true, twin: true, make: cardsPage},
		{name: "categories", path: "/categories", known: pagedQuery, localed: true, twin: true, make: categoriesPage},
		{name: "news", path: "/news", localed: true, twin: true, make: newsPage},
		{name: "feed", path: "/feed.atom", localed: true, make: feedPage},
		{name: "picture", path: "/og/", localed: true, make: picturePage},
		{name: "robots", path: "/robots.txt", free: true, make: robotsPage},
		{name: "sitemap", path: "/sitemap.xml", make: sitemapPage},
		{name: "sitemap", path: "/sitemap-", make: sitemapFile},
		{name: "icon", path: "/favicon.ico", free: true, make: iconPage},
		{name: "chains", path: "/chains", known: chainsQuery, localed: true, twin: true, make: chainsPage},
		{name: "chain", path: "/chains/", localed: true, twin: true, make: chainPage},
		{name: "accounts", path: "/twitter", known: listQuery, localed: true, twin: true, make: accountsPage},
		{name: "account", path: "/twitter/", localed: true, twin: true, make: accountPage},
		{name: "channels", path: "/youtube", known: listQuery, localed: true, twin: true, make: channelsPage},
		{name: "channel", path: "/youtube/", localed: true, twin: true, make: channelPage},
		{name: "search", path: "/search", known: searchQuery, localed: true, twin: true, make: searchPage},
		{name: "docs", path: "/docs", localed: true, make: docsPage},
		{name: "docs", path: "/docs/", localed: true, twin: true, make: guidePage},

		{name: "llms", path: llmsPath, free: true, make: llms},
		{name: "api-catalog", path: apiCatalogPath, free: true, make: apiCatalog},
		{name: "opensearch", path: openSearchPath, free: true, make: openSearch},
	}
}

// findRoute finds the route of a path without a locale, and what stands behind it.
func (s *Site) findRoute(path string) (*route, string) {
	whole, isTwin := strings.CutSuffix(path, markdown)
	whole = cmp.Or(whole, "/")
	for i, r := range s.routes {
		if isTwin && !r.twin {
			continue
		}
		if r.path == whole {
			return &s.routes[i], ""
		}
		if segment, ok := strings.CutPrefix(whole, r.path); ok && r.hasSegment() && isSegment(segment) {
			return &s.routes[i], segment
		}
	}
	return nil, ""
}

// hasSegment reports whether the path of a route is the beginning of its pages' paths.
func (r route) hasSegment() bool {
	return r.path != "/" && (strings.HasSuffix(r.path, "/") || strings.HasSuffix(r.path, "-"))
}

func isSegment(s string) bool { return s != "" && !strings.ContainsAny(s, "/") }
