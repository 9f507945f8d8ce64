package operations

import (
	"slices"
	"strings"

	"vitrine/internal/query"
)

// operation is one row of the table of operations.
type operation struct {
	name     string           // the operationId of the OpenAPI document
	template string           // the path; a segment in braces matches any one segment
	free     []string         // paths that cost no quota if the reply is prepared; may include the template
	takes    query.Parameters // nil for pages
	lists    query.Kind       // the kind of the records of a list
	handle   func(h *Handler, e *edition, r request) (reply, error)
	key      func(e *edition, r request) (key, error) // of the reply; set where one may be prepared
	static   bool                                     // needs no snapshot
	colons   bool                                     // the segment may have a colon, which clients escape

	place  int    // in the table
	prefix string // of the template, up to a brace
	open   bool   // the template has a brace
}

// documentPath is where the OpenAPI document is found without a quota.
const documentPath = "/openapi.json"

// operations returns the table of all operations (docs/api.md#the-operations).
func operations() []operation {
	table := []operation{
		{name: "getCategories", template: "/api/open/categories", takes: query.CategoriesParameters, handle: (*Handler).categories},
		{name: "listTwitterUsers", template: "/api/open/twitter/users", takes: query.ListParameters, lists: query.KindUser, handle: (*Handler).users},
		{name: "listChains", template: "/api/open/chains", takes: query.ChainsParameters, lists: query.KindChain, handle: (*Handler).chains},
		{name: "listNavGroups", template: "/api/open/nav/groups", takes: query.LocalizedParameters, handle: (*Handler).navGroups},
		{name: "getNavGroup", template: "/api/open/nav/groups/{slug}", takes: query.LocalizedParameters, handle: (*Handler).navGroup},
		{name: "getNavMenu", template: "/api/open/nav/menus/{pathSlug}", takes: query.LocalizedParameters, handle: (*Handler).navMenu},
		{name: "getCategoryGroups", template: "/api/open/category-groups", takes: query.CategoryGroupsParameters, handle: (*Handler).categoryGroups},
		{name: "listYouTubeChannels", template: "/api/open/youtube/channels", takes: query.ListParameters, lists: query.KindChannel, handle: (*Handler).channels},
		{name: "getSpec", template: "/api/open/spec", takes: query.Parameters{}, free: []string{documentPath}, handle: (*Handler).spec, key: specKey, static: true},
		{name: "getMeta", template: "/api/open/meta", takes: query.LocalizedParameters, handle: (*Handler).meta},
		{name: "getChain", template: "/api/open/chains/{chain}", takes: query.LocalizedParameters, handle: (*Handler).chain, colons: true},
		{name: "getTwitterUser", template: "/api/open/twitter/users/{handle}", takes: query.LocalizedParameters, handle: (*Handler).user},
		{name: "getYouTubeChannel", template: "/api/open/youtube/channels/{channelId}", takes: query.LocalizedParameters, handle: (*Handler).channel},
		{name: "listCards", template: "/api/open/nav/cards", takes: query.CardsParameters, lists: query.KindCard, handle: (*Handler).cards},
		{name: "search", template: "/api/open/search", takes: query.SearchParameters, handle: (*Handler).search},
		{name: "listApps", template: "/api/open/apps", takes: query.AppsParameters, lists: query.KindApp, handle: (*Handler).apps},
		{name: "getApp", template: "/api/open/apps/{app}", takes: query.LocalizedParameters, handle: (*Handler).app},
		{name: "getIndex", template: "/api/open/", takes: query.LocalizedParameters, free: []string{"/", "/api/open", "/api/open/"}, handle: (*Handler).index, key: indexKey},
	}
	for i := range table {
		op := &table[i]
		op.place = i
		op.prefix, _, op.open = strings.Cut(op.template, "{")
	}
	return table
}

// match finds the operation of an escaped path, and the segment that stands for the
// braces of its template, "" for none. Paths are not cleaned: a trailing or doubled slash,
// a dot segment or a percent-escape other than the colon of a chain id makes a path
// unknown (docs/api.md#paths-and-methods). The mux of the standard library redirects such
// paths, so it is not used. The result is nil for an unknown path.
func match(operations []operation, escapedPath string) (*operation, string) {
	escaped := strings.Contains(escapedPath, "%")
	for i := range operations {
		op := &operations[i]
		if escaped && !op.colons {
			continue
		}
		if slices.Contains(op.free, escapedPath) {
			return op, ""
		}
		if !op.open {
			if escapedPath == op.prefix {
				return op, ""
			}
			continue
		}
		segment, below := strings.CutPrefix(escapedPath, op.prefix)
		if op.colons {
			segment = colons.Replace(segment)
		}
		if below && isSegment(segment) {
			return op, segment
		}
	}
	return nil, ""
}

// colons undoes the one escape that a segment may have.
var colons = strings.NewReplacer("%3A", ":", "%3a", ":")

func isSegment(s string) bool {
	return s != "" && s != "." && s != ".." && !strings.ContainsAny(s, "/%")
}

// freePaths returns the paths of all operations that cost no quota if the reply is prepared.
func freePaths(operations []operation) []string {
	var paths []string
	for _, op := range operations {
		paths = append(paths, op.free...)
	}
	return paths
}
