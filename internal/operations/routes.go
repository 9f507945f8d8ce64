package operations

import (
	"slices"
	"strings"
)

// operation is one row of the table of operations.
type operation struct {
	name     string   // the operationId of the OpenAPI document
	template string   // the path; a segment in braces matches any one segment
	free     []string // paths that cost no quota; the template may be one of them
	handle   func(h *Handler, e *edition, r request) (reply, error)
	static   bool // needs no snapshot
	colons   bool // the segment may have a colon, which clients escape

	place  int    // in the table
	prefix string // of the template, up to a brace
	open   bool   // the template has a brace
}

// documentPath is where the OpenAPI document is found without a quota.
const documentPath = "/openapi.json"

// operations returns everything that is served: the whole interface on one
// screen (docs/api.md#the-operations).
func operations() []operation {
	table := []operation{
		{name: "getCategories", template: "/api/open/categories", handle: (*Handler).categories},
		{name: "listTwitterUsers", template: "/api/open/twitter/users", handle: (*Handler).users},
		{name: "listChains", template: "/api/open/chains", handle: (*Handler).chains},
		{name: "listNavGroups", template: "/api/open/nav/groups", handle: (*Handler).navGroups},
		{name: "getNavGroup", template: "/api/open/nav/groups/{slug}", handle: (*Handler).navGroup},
		{name: "getNavMenu", template: "/api/open/nav/menus/{pathSlug}", handle: (*Handler).navMenu},
		{name: "getCategoryGroups", template: "/api/open/category-groups", handle: (*Handler).categoryGroups},
		{name: "listYouTubeChannels", template: "/api/open/youtube/channels", handle: (*Handler).channels},
		{name: "getSpec", template: "/api/open/spec", free: []string{documentPath}, handle: (*Handler).spec, static: true},
		{name: "getMeta", template: "/api/open/meta", handle: (*Handler).meta},
		{name: "getChain", template: "/api/open/chains/{chain}", handle: (*Handler).chain, colons: true},
		{name: "getTwitterUser", template: "/api/open/twitter/users/{handle}", handle: (*Handler).user},
		{name: "getYouTubeChannel", template: "/api/open/youtube/channels/{channelId}", handle: (*Handler).channel},
		{name: "listCards", template: "/api/open/nav/cards", handle: (*Handler).cards},
		{name: "search", template: "/api/open/search", handle: (*Handler).search},
		{name: "getIndex", template: "/api/open/", free: []string{"/", "/api/open", "/api/open/"}, handle: (*Handler).index},
	}
	for i := range table {
		op := &table[i]
		op.place = i
		op.prefix, _, op.open = strings.Cut(op.template, "{")
	}
	return table
}

// match finds the operation of an escaped path, and the segment that stands for the
// braces of its template, "" where it has none. Nothing is tidied: a trailing or doubled
// slash, a dot segment or a percent-escape makes a path unknown, but for the colon of a
// chain id, which is why the standard library's mux, which redirects, is not used
// (docs/api.md#paths-and-methods). The result is nil for an unknown path.
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

// freePaths returns the paths of all operations that cost no quota.
func freePaths(operations []operation) []string {
	var paths []string
	for _, op := range operations {
		paths = append(paths, op.free...)
	}
	return paths
}
