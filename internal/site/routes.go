package site

import (
	"cmp"
	"net/url"
	"strings"

	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// route is a row of the table of pages and files.
type route struct {
	name     string
	path     string           // without a locale; a path that ends in a slash or a dash is followed by a segment
	known    []string         // names of the query parameters of the page
	takes    query.Parameters // of the operation of the API that checks them
	localed  bool             // it exists in every locale
	english  bool             // it is in English only: the other locales lead to the English one
	markdown bool             // it has a Markdown version
	prepared bool             // it is rendered when a snapshot is published; see [Site.Prepared]
	template string           // of pages without its extension, of files with it; "" for name
	file     string           // Content-Type of a file; "" for a page

	// load sets the data of the template. An error is a [*response.Problem] or an error of
	// package query.
	load func(*view) error
	// canonical spells the values of a canonical query, which depend on the catalogue; nil for none.
	canonical func(of *snapshot.Snapshot, query string) string
	record    query.Kind // of the records that the segment names and whose names may end in ".md", "" for none
}

// The query parameters of lists and searches; see docs/api.md.
var (
	pagedQuery   = []string{"offset"}
	listQuery    = []string{"q", "tag", "sort", "offset"}
	chainsQuery  = []string{"q", "tag", "status", "sort", "sortDir", "offset"}
	appsQuery    = []string{"q", "tag", "chain", "platform", "status", "sort", "offset"}
	cardsQuery   = []string{"q", "tag", "chain", "menu", "status", "sort", "offset"}
	searchQuery  = []string{"q", "kind", "offset"}
	newsQuery    = []string{"event"}
	changesQuery = []string{"kind", "offset"}
	compareQuery = []string{"chain", "app", "add"}
)

// routes returns all pages and files, except the assets.
func routes() []route {
	all := []route{
		{name: "first", path: "/", localed: true, markdown: true, prepared: true, load: firstPage},
		{name: "menus", path: "/nav", known: pagedQuery, takes: query.ListParameters(query.KindUser), localed: true, markdown: true, load: menusPage},
		{name: "menu", path: "/nav/", known: pagedQuery, takes: query.ListParameters(query.KindUser), localed: true, markdown: true, load: menuPage, record: query.KindMenu},
		{name: "cards", path: "/cards", known: cardsQuery, takes: query.ListParameters(query.KindCard), localed: true, markdown: true, template: "list", load: listPage(cards, cardRows, menus)},
		{name: "categories", path: "/categories", known: pagedQuery, takes: query.ListParameters(query.KindUser), localed: true, markdown: true, load: categoriesPage},
		{name: "news", path: "/news", known: newsQuery, localed: true, markdown: true, load: newsPage},
		{name: "changes", path: "/changes", known: changesQuery, takes: query.ChangesParameters, localed: true, markdown: true, load: changesPage},
		{name: "data", path: "/data", localed: true, markdown: true, load: dataPage},
		{name: "chains", path: "/chains", known: chainsQuery, takes: query.ListParameters(query.KindChain), localed: true, markdown: true, template: "list", load: listPage(chains, chainRows)},
		{name: "chain", path: "/chains/", localed: true, markdown: true, template: "record", load: chainRecord.page("there is no chain with this slug or id", partsOfChain), record: query.KindChain},
		{name: "apps", path: "/apps", known: appsQuery, takes: query.ListParameters(query.KindApp), localed: true, markdown: true, template: "list", load: listPage(apps, appRows)},
		{name: "app", path: "/apps/", localed: true, markdown: true, template: "record", load: appRecord.page("there is no app with this key", partsOfApp), record: query.KindApp},
		{name: "accounts", path: "/twitter", known: listQuery, takes: query.ListParameters(query.KindUser), localed: true, markdown: true, template: "list", load: listPage(accounts, accountRows)},
		{name: "account", path: "/twitter/", localed: true, markdown: true, template: "record", load: accountRecord.page("there is no account with this handle", partsOfAccount)},
		{name: "channels", path: "/youtube", known: listQuery, takes: query.ListParameters(query.KindChannel), localed: true, markdown: true, template: "list", load: plainPage(channels, "channels.description")},
		{name: "channel", path: "/youtube/", localed: true, markdown: true, template: "record", load: channelRecord.page("there is no channel with this id", partsOfChannel), record: query.KindChannel},
		{name: "compare", path: "/compare", known: compareQuery, localed: true, markdown: true, load: comparePage, canonical: canonicalComparison},
		{name: "search", path: "/search", known: searchQuery, takes: query.SearchParameters, localed: true, markdown: true, load: searchPage},
		{name: "docs", path: "/docs", localed: true, english: true, load: referencePage},
		{name: "docs", path: "/docs/", localed: true, english: true, markdown: true, load: guidePage},

		{name: "feed", path: feedPath, localed: true, template: "feed.xml", file: "application/atom+xml; charset=utf-8", load: loadFeed},
		{name: "jsonFeed", path: jsonFeedPath, localed: true, file: "application/feed+json; charset=utf-8", load: loadJSONFeed},
		{name: "changesFeed", path: changesFeedPath, localed: true, template: "feed.xml", file: "application/atom+xml; charset=utf-8", load: loadChangesFeed},
		{name: iconRoute, path: "/favicon.ico", prepared: true, file: svgType, load: loadIcon},
		{name: "robots", path: "/robots.txt", prepared: true, template: "robots.txt", file: "text/plain; charset=utf-8", load: loadNothing},
		{name: "sitemap", path: "/sitemap.xml", file: "application/xml; charset=utf-8", load: loadSitemap},
		{name: "sitemap", path: "/sitemap-", file: "application/xml; charset=utf-8", load: loadSitemapPart},
		{name: "llms", path: llmsPath, prepared: true, template: "llms.md", file: "text/markdown; charset=utf-8", load: loadLLMs},
		{name: "api-catalog", path: apiCatalogPath, prepared: true, template: "api-catalog.json", file: `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`, load: loadNothing},
		{name: "opensearch", path: openSearchPath, prepared: true, template: "opensearch.xml", file: "application/opensearchdescription+xml", load: loadOpenSearch},
	}
	for _, of := range plainSections {
		all = append(all,
			route{name: of.name, path: of.path, known: listQuery, takes: query.ListParameters(of.kind), localed: true, markdown: true, template: "list", load: plainPage(of, "lead."+of.name)},
			route{name: string(of.kind), path: of.records + "/", localed: true, markdown: true, template: "record", load: newRecordPage(of, nil).page("there is no "+string(of.kind)+" with this name", nil), record: of.kind})
	}
	return all
}

// findRoute returns the route of a path without a locale, of a page or its Markdown
// version; nil if there is none.
func (s *Site) findRoute(path string) *route {
	if r, _ := s.routeOf(path); r != nil {
		return r
	}
	whole, isMarkdown := strings.CutSuffix(path, markdownSuffix)
	if r, _ := s.routeOf(cmp.Or(whole, "/")); isMarkdown && r != nil && r.markdown {
		return r
	}
	return nil
}

// routeOf returns the route of the path of a page without its locale, and the segment that
// follows the path of the route; nil if there is none.
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

// isRecord reports whether a path without a locale is the path of a record, including the
// end of its last segment.
func (s *Site) isRecord(of *snapshot.Snapshot, path string) bool {
	r, segment := s.routeOf(path)
	if r == nil || r.record == "" {
		return false
	}
	name, err := url.PathUnescape(segment)
	if r.record == query.KindMenu {
		name = query.Slug(name)
	}
	_, ok := of.Named(r.record, name)
	return err == nil && ok
}

// kind returns the kind of the records whose pages the route has, "" for none.
func (r *route) kind() query.Kind {
	for _, of := range sections() {
		if of.records != "" && of.records+"/" == r.path {
			return of.kind
		}
	}
	return ""
}

// hasSegment reports whether a segment follows the path of the route.
func (r *route) hasSegment() bool {
	return r.path != "/" && (strings.HasSuffix(r.path, "/") || strings.HasSuffix(r.path, "-"))
}

func isSegment(s string) bool { return s != "" && !strings.ContainsAny(s, "/") }
