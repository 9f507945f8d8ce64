package operations

import (
	"slices"

	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

func (h *Handler) categories(g *generation, r request) (reply, error) {
	q, err := query.ParseCategories(r.query, g.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	produce := func() []byte { return g.snapshot.Categories(q) }
	if q.Full { // the same in every locale, so it has none
		return h.bodyReply(r, g.key(r.operation.name, 0, "full "+string(q.Scope)), nil, produce)
	}
	return h.bodyReply(r, g.key(r.operation.name, q.Locale, string(q.Scope)), g.languages[q.Locale], produce)
}

func (h *Handler) categoryGroups(g *generation, r request) (reply, error) {
	q, err := query.ParseCategoryGroups(r.query, g.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	return h.bodyReply(r, g.key(r.operation.name, q.Locale, string(q.Module)), g.languages[q.Locale],
		func() []byte { return snapshot.Encode(g.snapshot.CategoryGroupsView(q)) })
}

// record replies with the record that the path names. All names of a record share the
// cache entry. For names other than the canonical one it sets Content-Location.
func (h *Handler) record(g *generation, r request) (reply, error) {
	id, err := query.ParseLocalized(r.query, g.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	of, name, effort := r.operation.record, r.segment, response.Once
	if of.slug {
		name, effort = query.Slug(name), response.Often
	}
	canonical, ok := g.snapshot.Named(of.kind, name)
	if !ok {
		missing := &response.Problem{Code: response.NotFound, Detail: of.missing}
		if !of.slug {
			missing.Candidates = g.snapshot.Candidates(of.kind, query.ForName(name, id))
		}
		return reply{}, missing
	}
	k := g.key(r.operation.name, id, canonical)
	found, ok := h.cachedReply(r, k, effort)
	if !ok {
		body := of.body(g.snapshot, canonical, id)
		a := &cacheEntry{fields: response.Fields{ContentLanguage: g.languages[id]}}
		if found, err = h.planned(r, k, a, wholePlan(body, effort)); err != nil {
			return reply{}, err
		}
	}
	if r.segment != canonical {
		found.fields.ContentLocation = []string{h.publicPath + g.recordPath(r, canonical, id)}
	}
	return found, nil
}

// recordPath returns the canonical path of a record, with the locale if the query has one.
func (g *generation) recordPath(r request, canonical string, id locale.ID) string {
	path := r.operation.prefix + canonical + r.operation.suffix
	if query.Has(r.query, "locale") {
		path += "?locale=" + g.snapshot.Locales().Name(id)
	}
	return path
}

// index is the body of the index, which lists all operations.
type index struct {
	Title         string           `json:"title"`
	DefaultLocale string           `json:"defaultLocale"`
	Locales       []string         `json:"locales"`
	OpenAPI       string           `json:"openapi"`        // path of the document
	Bulk          string           `json:"bulk,omitempty"` // path of the pointer of the distribution
	Operations    []indexOperation `json:"operations"`
}

type indexOperation struct {
	ID   string `json:"operationId"`
	Path string `json:"path"` // the template
}

func indexKey(g *generation, r request) (key, error) {
	if g == nil {
		return key{}, errNotReady
	}
	id, err := query.ParseLocalized(r.query, g.snapshot.Locales())
	return g.key("index", id, ""), err
}

func (h *Handler) index(g *generation, r request) (reply, error) {
	k, err := indexKey(g, r)
	if err != nil {
		return reply{}, err
	}
	return h.bodyReply(r, k, g.languages[k.locale], func() []byte { return h.indexOf(g, k.locale) })
}

func (h *Handler) indexOf(g *generation, id locale.ID) []byte {
	locales := g.snapshot.Locales()
	all := index{
		Title: g.snapshot.Title(id), DefaultLocale: locales.Name(locales.Default()), Locales: locales.Names(), OpenAPI: documentPath, Bulk: g.snapshot.Revision().Bulk,
	}
	for _, op := range h.operations {
		all.Operations = append(all.Operations, indexOperation{op.name, op.template})
	}
	return snapshot.Encode(&all)
}

func specKey(*generation, request) (key, error) { return key{operation: "spec"}, nil }

func (h *Handler) spec(*generation, request) (reply, error) {
	return reply{body: h.document()}, nil
}

// bodyReply replies with a small body, which produce returns.
func (h *Handler) bodyReply(r request, k key, language []string, produce func() []byte) (reply, error) {
	if found, ok := h.cachedReply(r, k, response.Often); ok {
		return found, nil
	}
	return h.planned(r, k, &cacheEntry{fields: response.Fields{ContentLanguage: language}}, wholePlan(produce(), response.Often))
}

// wholePlan returns the plan of a complete document.
func wholePlan(document []byte, effort response.Effort) plan {
	return plan{
		size: len(document), effort: effort,
		body: func() []byte { return document },
		pieces: func(size int, take func([]byte)) {
			for piece := range slices.Chunk(document, size) {
				take(piece)
			}
		},
	}
}
