package operations

import (
	"bytes"
	"encoding/json"
	"slices"

	"vitrine/internal/query"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

func (h *Handler) categories(e *edition, r request) (reply, error) {
	q, err := query.ParseCategories(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	produce := func() []byte { return e.snapshot.Categories(q) }
	if q.Full { // the same in every locale, so it has none
		return h.bodyReply(r, e.key("categories/full", 0, string(q.Scope)), nil, produce)
	}
	return h.bodyReply(r, e.key("categories", q.Locale, string(q.Scope)), e.language(q.Locale), produce)
}

func (h *Handler) categoryGroups(e *edition, r request) (reply, error) {
	q, err := query.ParseCategoryGroups(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	return h.bodyReply(r, e.key("category-groups", q.Locale, string(q.Module)), e.language(q.Locale),
		func() []byte { return e.snapshot.CategoryGroups(q) })
}

func (h *Handler) users(e *edition, r request) (reply, error) {
	q, err := query.ParseList(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	return h.listReply(e, r, listRequest{operation: "twitter/users", List: q}, func() snapshot.Result { return e.snapshot.Users(q) })
}

func (h *Handler) channels(e *edition, r request) (reply, error) {
	q, err := query.ParseList(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	return h.listReply(e, r, listRequest{operation: "youtube/channels", List: q}, func() snapshot.Result { return e.snapshot.Channels(q) })
}

func (h *Handler) chains(e *edition, r request) (reply, error) {
	q, err := query.ParseChains(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	asked := listRequest{operation: "chains", List: q.List, sort: q.Sort, directed: true, ascending: q.Ascending}
	return h.listReply(e, r, asked, func() snapshot.Result { return e.snapshot.Chains(q) })
}

func (h *Handler) cards(e *edition, r request) (reply, error) {
	q, err := query.ParseCards(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	q = e.snapshot.ResolveCards(q)
	asked := listRequest{operation: "nav/cards", List: q.List, sort: q.Sort, menu: q.Menu, chain: q.Chain}
	return h.listReply(e, r, asked, func() snapshot.Result { return e.snapshot.Cards(q) })
}

func (h *Handler) apps(e *edition, r request) (reply, error) {
	q, err := query.ParseApps(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	q = e.snapshot.ResolveApps(q)
	asked := listRequest{operation: "apps", List: q.List, chain: q.Chain, platform: string(q.Platform)}
	return h.listReply(e, r, asked, func() snapshot.Result { return e.snapshot.Apps(q) })
}

func (h *Handler) chain(e *edition, r request) (reply, error) {
	return h.recordReply(e, r, "chains/", query.KindChain, e.snapshot.Chain,
		"there is no chain with this slug, id or name; /api/open/chains?status=all lists all")
}

func (h *Handler) app(e *edition, r request) (reply, error) {
	return h.recordReply(e, r, "apps/", query.KindApp, e.snapshot.App,
		"there is no app with this key or name; /api/open/apps?status=all lists all")
}

func (h *Handler) user(e *edition, r request) (reply, error) {
	return h.recordReply(e, r, "twitter/users/", query.KindUser, e.snapshot.User,
		"there is no account with this handle or name; /api/open/twitter/users lists those whose followers are known")
}

func (h *Handler) channel(e *edition, r request) (reply, error) {
	return h.recordReply(e, r, "youtube/channels/", query.KindChannel, e.snapshot.Channel,
		"there is no channel with this id or name; /api/open/youtube/channels lists all")
}

// recordReply replies with the record that the path names; whole returns its body by key.
// If no record has the name, the error has candidates.
func (h *Handler) recordReply(e *edition, r request, operation string, kind query.Kind,
	whole func(key string, q query.Localized) ([]byte, bool), none string,
) (reply, error) {
	q, err := query.ParseLocalized(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	key, ok := e.snapshot.Named(kind, r.segment)
	if !ok {
		return reply{}, &response.Problem{
			Code: response.NotFound, Detail: none,
			Candidates: e.snapshot.Candidates(kind, query.ForName(r.segment, q.Locale)),
		}
	}
	return h.namedReply(e, r, namedBody{operation, key, q, response.Once}, func() []byte {
		body, _ := whole(key, q)
		return body
	})
}

// namedBody is the body of an operation whose path names a record.
type namedBody struct {
	operation string // its path up to the name
	key       string // the canonical name
	query.Localized
	effort response.Effort
}

// namedReply replies with the body of a record. All names of the record share the cache
// entry. For names other than the canonical one it sets Content-Location.
func (h *Handler) namedReply(e *edition, r request, of namedBody, produce func() []byte) (reply, error) {
	k := e.key(of.operation, of.Locale, of.key)
	found, ok := h.cachedReply(r, k, of.effort)
	if !ok {
		var err error
		a := &entry{fields: response.Fields{ContentLanguage: e.language(of.Locale)}}
		if found, err = h.planned(r, k, a, wholePlan(produce(), of.effort)); err != nil {
			return reply{}, err
		}
	}
	if r.segment != of.key {
		found.fields.ContentLocation = []string{e.recordPath(of, r.query)}
	}
	return found, nil
}

// recordPath returns the canonical path of a record, with the locale if the query has one.
func (e *edition) recordPath(of namedBody, rawQuery string) string {
	path := "/api/open/" + of.operation + of.key
	if query.Has(rawQuery, "locale") {
		path += "?locale=" + e.snapshot.Locales().Name(of.Locale)
	}
	return path
}

func (h *Handler) navGroups(e *edition, r request) (reply, error) {
	q, err := query.ParseLocalized(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	return h.bodyReply(r, e.key("nav/groups", q.Locale, ""), e.language(q.Locale),
		func() []byte { return e.snapshot.NavGroups(q) })
}

func (h *Handler) navGroup(e *edition, r request) (reply, error) {
	q, err := query.ParseLocalized(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	slug, ok := e.snapshot.NavGroupSlug(query.Slug(r.segment))
	if !ok {
		return reply{}, &response.Problem{
			Code:   response.NotFound,
			Detail: "there is no navigation group with this slug; /api/open/nav/groups lists all",
		}
	}
	return h.namedReply(e, r, namedBody{"nav/groups/", slug, q, response.Often}, func() []byte {
		body, _ := e.snapshot.NavGroup(slug, q)
		return body
	})
}

func (h *Handler) navMenu(e *edition, r request) (reply, error) {
	q, err := query.ParseLocalized(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	pathSlug, ok := e.snapshot.Named(query.KindMenu, query.Slug(r.segment))
	if !ok {
		return reply{}, &response.Problem{
			Code:   response.NotFound,
			Detail: "there is no menu with this pathSlug; take the segment after /nav/ of a navs[].href of /api/open/nav/groups",
		}
	}
	return h.namedReply(e, r, namedBody{"nav/menus/", pathSlug, q, response.Often}, func() []byte {
		body, _ := e.snapshot.Menu(pathSlug, q)
		return body
	})
}

func (h *Handler) meta(e *edition, r request) (reply, error) {
	q, err := query.ParseLocalized(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	return h.bodyReply(r, e.key("meta", q.Locale, ""), e.language(q.Locale),
		func() []byte { return e.snapshot.Meta(q) })
}

// index is the body of the index, which says where everything else is.
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

// indexName is the operation in the keys of the index.
const indexName = "index"

func indexKey(e *edition, r request) (key, error) {
	if e == nil {
		return key{}, errNotReady
	}
	q, err := query.ParseLocalized(r.query, e.snapshot.Locales())
	return e.key(indexName, q.Locale, ""), err
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
		panic("api: an index that JSON cannot say: " + err.Error())
	}
	return bytes.TrimSuffix(body.Bytes(), []byte("\n"))
}

func specKey(*edition, request) (key, error) { return key{operation: "spec"}, nil }

func (h *Handler) spec(*edition, request) (reply, error) {
	return reply{body: h.document}, nil
}

// bodyReply replies with a body that the snapshot holds as a whole.
func (h *Handler) bodyReply(r request, k key, language []string, produce func() []byte) (reply, error) {
	if found, ok := h.cachedReply(r, k, response.Often); ok {
		return found, nil
	}
	return h.planned(r, k, &entry{fields: response.Fields{ContentLanguage: language}}, wholePlan(produce(), response.Often))
}

// wholePlan is the plan of a body that is there.
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

// effort returns how hard to compress the answer to a query. Whole lists are few,
// and often asked for; of searches and pages there is no end.
func effort(q query.List) response.Effort {
	if q.Page.On || len(q.Terms)+len(q.Tags) > 0 {
		return response.Once
	}
	return response.Often
}
