package operations

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// operation is one row of the table of operations. The router, the parsing of parameters,
// the index, cache keys and notices derive from the table; a test compares it with the
// OpenAPI document.
type operation struct {
	name     string           // the operationId of the OpenAPI document
	template string           // the path; a segment in braces matches any one segment
	takes    query.Parameters // of the query string
	free     []string         // paths that cost no quota if the reply is prepared, else one unit as all others; may include the template
	list     query.Kind       // of the records of a list, "" for none
	record   *record          // the record that the segment names, nil for none
	handle   func(h *Handler, g *generation, r request) (reply, error)
	key      func(g *generation, r request) (key, error) // of the reply; set if it may be prepared
	static   bool                                        // needs no snapshot
	colons   bool                                        // the segment may have a colon, which clients escape

	deprecated *deprecation // nil for none

	tags           []string // the value of the header for cache tags, nil for none
	place          int      // in the table
	prefix, suffix string   // of the template, around the braces; all is prefix without braces
	open           bool     // the template has braces
}

// record describes an operation for one record.
type record struct {
	kind    query.Kind
	missing string // the detail of the error for an unknown name
	slug    bool   // names are slugs, whose case does not matter; else records have more names, and the error has candidates
	// body returns the body for the record with a key; nil for [snapshot.Snapshot.Record].
	body func(s *snapshot.Snapshot, key string, id locale.ID) []byte
}

// documentPath is the path of the OpenAPI document that costs no quota.
const documentPath = "/openapi.json"

// operations returns the table of all operations (docs/api.md#the-operations).
func operations() []operation {
	return []operation{
		{name: "getCategories", template: "/api/open/categories", takes: query.CategoriesParameters, handle: (*Handler).categories},
		listOperation("listTwitterUsers", "/api/open/twitter/users", query.KindUser),
		listOperation("listChains", "/api/open/chains", query.KindChain),
		localizedOperation("listNavGroups", "/api/open/nav/groups", func(s *snapshot.Snapshot, id locale.ID) any { return s.NavGroupsView(id) }),
		recordOperation("getNavGroup", "/api/open/nav/groups/{slug}", record{
			kind: query.KindNavGroup, slug: true,
			missing: "there is no navigation group with this slug; /api/open/nav/groups lists all",
		}),
		recordOperation("getNavMenu", "/api/open/nav/menus/{pathSlug}", record{
			kind: query.KindMenu, slug: true,
			missing: "there is no menu with this pathSlug; take the segment after /nav/ of a navs[].href of /api/open/nav/groups",
		}),
		{name: "getCategoryGroups", template: "/api/open/category-groups", takes: query.CategoryGroupsParameters, handle: (*Handler).categoryGroups},
		listOperation("listYouTubeChannels", "/api/open/youtube/channels", query.KindChannel),
		{name: "getSpec", template: "/api/open/spec", takes: query.Parameters{}, free: []string{documentPath}, handle: (*Handler).spec, key: specKey, static: true},
		localizedOperation("getMeta", "/api/open/meta", func(s *snapshot.Snapshot, id locale.ID) any { return s.MetaView(id) }),
		recordOperation("getChain", "/api/open/chains/{chain}", record{
			kind:    query.KindChain,
			missing: "there is no chain with this slug, id or name; /api/open/chains?status=all lists all",
		}),
		recordOperation("getTwitterUser", "/api/open/twitter/users/{handle}", record{
			kind:    query.KindUser,
			missing: "there is no account with this handle or name; /api/open/twitter/users lists those whose followers are known",
		}),
		recordOperation("getYouTubeChannel", "/api/open/youtube/channels/{channelId}", record{
			kind:    query.KindChannel,
			missing: "there is no channel with this id or name; /api/open/youtube/channels lists all",
		}),
		listOperation("listCards", "/api/open/nav/cards", query.KindCard),
		{name: "search", template: "/api/open/search", takes: query.SearchParameters, handle: (*Handler).search},
		listOperation("listApps", "/api/open/apps", query.KindApp),
		recordOperation("getApp", "/api/open/apps/{app}", record{
			kind:    query.KindApp,
			missing: "there is no app with this key or name; /api/open/apps?status=all lists all",
		}),
		{name: "listChanges", template: "/api/open/changes", takes: query.ChangesParameters, handle: (*Handler).changes},
		{name: "getIndex", template: "/api/open/", takes: query.LocalizedParameters, free: []string{"/", "/api/open", "/api/open/"}, handle: (*Handler).index, key: indexKey},
	}
}

func listOperation(name, template string, kind query.Kind) operation {
	return operation{name: name, template: template, takes: query.ListParameters(kind), list: kind, handle: (*Handler).list}
}

// localizedOperation returns an operation whose body depends only on the locale.
func localizedOperation(name, template string, view func(*snapshot.Snapshot, locale.ID) any) operation {
	return operation{name: name, template: template, takes: query.LocalizedParameters, handle: func(h *Handler, g *generation, r request) (reply, error) {
		id, err := query.ParseLocalized(r.query, g.snapshot.Locales())
		if err != nil {
			return reply{}, err
		}
		return h.bodyReply(r, g.key(r.operation.name, id, ""), g.languages[id], func() []byte { return snapshot.Encode(view(g.snapshot, id)) })
	}}
}

func recordOperation(name, template string, of record) operation {
	if of.body == nil {
		of.body = func(s *snapshot.Snapshot, key string, id locale.ID) []byte {
			body, _ := s.Record(of.kind, key, id)
			return body
		}
	}
	return operation{
		name: name, template: template, takes: query.LocalizedParameters, record: &of, handle: (*Handler).record,
		colons: of.kind == query.KindChain, // ids of chains have one
	}
}

// newRoutes returns a table that [match] can search. It fails for an operation that match
// does not find at its path: another one has the path, or the template is not supported.
func newRoutes(table []operation) ([]operation, error) {
	for i := range table {
		op := &table[i]
		op.place = i
		var rest string
		op.prefix, rest, op.open = strings.Cut(op.template, "{")
		_, op.suffix, _ = strings.Cut(rest, "}")
	}
	for i := range table {
		op := &table[i]
		example := parameter.ReplaceAllString(op.template, "x")
		if found, _ := match(table, example); found != op || strings.ContainsAny(example, "{}") {
			return nil, fmt.Errorf("operation %s: no request reaches the path %s; use a path of its own with at most one segment in braces", op.name, op.template)
		}
	}
	return table, nil
}

// parameter matches a path parameter of a template.
var parameter = regexp.MustCompile(`\{[^{}/]*\}`)

// match finds the operation of an escaped path, and the segment that stands for the
// braces of its template, "" for none. It does not clean paths: a trailing or doubled slash,
// a dot segment or a percent-escape other than the colon of a chain id makes a path
// unknown (docs/api.md#paths-and-methods). (The mux of the standard library redirects such
// paths.) The result is nil for an unknown path.
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
		if segment, ok := op.segment(escapedPath); ok {
			return op, segment
		}
	}
	return nil, ""
}

// segment returns the segment of a path that stands for the braces of the template. ok is
// false for a path of another operation.
func (op *operation) segment(escapedPath string) (segment string, ok bool) {
	if !op.open {
		return "", escapedPath == op.prefix
	}
	segment, ok = strings.CutPrefix(escapedPath, op.prefix)
	if !ok {
		return "", false
	}
	if segment, ok = strings.CutSuffix(segment, op.suffix); !ok {
		return "", false
	}
	if op.colons {
		segment = colons.Replace(segment)
	}
	return segment, isSegment(segment)
}

// colons decodes the one escape that a segment may have.
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
