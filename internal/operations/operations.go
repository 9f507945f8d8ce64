package operations

import (
	"bytes"
	"encoding/json"
	"slices"

	"vitrine/internal/query"
	"vitrine/internal/response"
)

func (h *Handler) categories(e *edition, r request) (reply, error) {
	q, err := query.ParseCategories(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	produce := func() []byte { return e.snapshot.Categories(q) }
	if q.Full { // the same in every locale, so it has none
		return h.bodyReply(r, e.key(r.operation.name, 0, "full "+string(q.Scope)), nil, produce)
	}
	return h.bodyReply(r, e.key(r.operation.name, q.Locale, string(q.Scope)), e.language(q.Locale), produce)
}

func (h *Handler) categoryGroups(e *edition, r request) (reply, error) {
	q, err := query.ParseCategoryGroups(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	return h.bodyReply(r, e.key(r.operation.name, q.Locale, string(q.Module)), e.language(q.Locale),
		func() []byte { return e.snapshot.CategoryGroups(q) })
}

// record replies with the record that the path names. All names of a record share the
// cache entry. For names other than the canonical one it sets Content-Location.
func (h *Handler) record(e *edition, r request) (reply, error) {
	q, err := query.ParseLocalized(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	of, name, effort := r.operation.record, r.segment, response.Once
	if of.slug {
		name, effort = query.Slug(name), response.Often
	}
	canonical, ok := e.snapshot.Named(of.kind, name)
	if !ok {
		missing := &response.Problem{Code: response.NotFound, Detail: of.missing}
		if !of.slug {
			missing.Candidates = e.snapshot.Candidates(of.kind, query.ForName(name, q.Locale))
		}
		return reply{}, missing
	}
	k := e.key(r.operation.name, q.Locale, canonical)
	found, ok := h.cachedReply(r, k, effort)
	if !ok {
		body := of.body(e.snapshot, canonical, q)
		a := &cacheEntry{fields: response.Fields{ContentLanguage: e.language(q.Locale)}}
		if found, err = h.planned(r, k, a, wholePlan(body, effort)); err != nil {
			return reply{}, err
		}
	}
	if r.segment != canonical {
		found.fields.ContentLocation = []string{e.recordPath(r, canonical, q)}
	}
	return found, nil
}

// recordPath returns the canonical path of a record, with the locale if the query has one.
func (e *edition) recordPath(r request, canonical string, q query.Localized) string {
	path := r.operation.prefix + canonical + r.operation.suffix
	if query.Has(r.query, "locale") {
		path += "?locale=" + e.snapshot.Locales().Name(q.Locale)
	}
	return path
}

// index is the body of the index, which lists all operations.
type index struct {
	Title         string           `json:"title"`
	DefaultLocale string           `json:"defaultLocale"`
	Locales       []string         `json:"locales"`
	OpenAPI       string           `json:"openapi"` // path of the document
	Operations    []indexOperation `json:"operations"`
}

type indexOperation struct {
	ID   string `json:"operationId"`
	Path string `json:"path"` // the template
}

func indexKey(e *edition, r request) (key, error) {
	if e == nil {
		return key{}, errNotReady
	}
	q, err := query.ParseLocalized(r.query, e.snapshot.Locales())
	return e.key("index", q.Locale, ""), err
}

func (h *Handler) index(e *edition, r request) (reply, error) {
	k, err := indexKey(e, r)
	if err != nil {
		return reply{}, err
	}
	return h.bodyReply(r, k, e.language(k.locale), func() []byte { return h.indexOf(e, query.Localized{Locale: k.locale}) })
}

func (h *Handler) indexOf(e *edition, q query.Localized) []byte {
	locales := e.snapshot.Locales()
	all := index{
		Title: e.snapshot.Title(q), DefaultLocale: locales.Name(locales.Default()), Locales: locales.Names(), OpenAPI: documentPath,
	}
	for _, op := range h.operations {
		all.Operations = append(all.Operations, indexOperation{op.name, op.template})
	}
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(all); err != nil {
		panic("operations: encode the index: " + err.Error())
	}
	return bytes.TrimSuffix(body.Bytes(), []byte("\n"))
}

func specKey(*edition, request) (key, error) { return key{operation: "spec"}, nil }

func (h *Handler) spec(*edition, request) (reply, error) {
	return reply{body: h.document}, nil
}

// bodyReply replies with a prepared body of the snapshot.
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
