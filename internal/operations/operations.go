package operations

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

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
	return h.listReply(e, r, "twitter/users", query.Chains{List: q}, func() snapshot.Result { return e.snapshot.Users(q) })
}

func (h *Handler) channels(e *edition, r request) (reply, error) {
	q, err := query.ParseList(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	return h.listReply(e, r, "youtube/channels", query.Chains{List: q}, func() snapshot.Result { return e.snapshot.Channels(q) })
}

func (h *Handler) chains(e *edition, r request) (reply, error) {
	q, err := query.ParseChains(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	return h.listReply(e, r, "chains", q, func() snapshot.Result { return e.snapshot.Chains(q) })
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
	body, ok := e.snapshot.NavGroup(r.segment, q)
	if !ok {
		return reply{}, &response.Problem{
			Code:   response.NotFound,
			Detail: "there is no navigation group with this slug; /api/open/nav/groups lists all",
		}
	}
	return h.bodyReply(r, e.key("nav/groups/", q.Locale, r.segment), e.language(q.Locale),
		func() []byte { return body })
}

func (h *Handler) navMenu(e *edition, r request) (reply, error) {
	q, err := query.ParseLocalized(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	body, ok := e.snapshot.Menu(r.segment, q)
	if !ok {
		return reply{}, &response.Problem{
			Code:   response.NotFound,
			Detail: "there is no menu with this pathSlug; take the segment after /nav/ of a navs[].href of /api/open/nav/groups",
		}
	}
	return h.bodyReply(r, e.key("nav/menus/", q.Locale, r.segment), e.language(q.Locale),
		func() []byte { return body })
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

func (h *Handler) index(e *edition, r request) (reply, error) {
	q, err := query.ParseLocalized(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	return h.bodyReply(r, e.key("index", q.Locale, ""), e.language(q.Locale), func() []byte { return h.indexOf(e, q) })
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

func (h *Handler) spec(*edition, request) (reply, error) {
	return reply{body: h.document}, nil
}

// bodyReply replies with a body that the snapshot holds as a whole.
func (h *Handler) bodyReply(r request, k key, language []string, produce func() []byte) (reply, error) {
	if found, ok := h.cachedReply(r, k, response.Often); ok {
		return found, nil
	}
	document := produce()
	return h.planned(r, k, &entry{fields: response.Fields{ContentLanguage: language}}, plan{
		size: len(document), effort: response.Often,
		body: func() []byte { return document },
		pieces: func(size int, take func([]byte)) {
			for piece := range slices.Chunk(document, size) {
				take(piece)
			}
		},
	})
}

// listReply replies with the result of a query of a list. Only for chains has q an
// order.
func (h *Handler) listReply(e *edition, r request, operation string, q query.Chains, produce func() snapshot.Result) (reply, error) {
	k := e.key(operation, q.Locale, "")
	k.sort, k.ascending, k.page = q.Sort, q.Ascending, q.Page
	if len(q.Terms)+len(q.Tags) > 0 {
		// Neither a term nor a tag holds a control character.
		k.variant = strings.Join(q.Terms, " ") + "\n" + strings.Join(q.Tags, ",")
	}
	found, ok := h.cachedReply(r, k, effort(q.List))
	if !ok {
		result := produce()
		a := &entry{search: strings.Clone(q.Search), total: result.Total, fields: e.listFields(operation, q, result.Total)}
		var err error
		if found, err = h.planned(r, k, a, plan{size: result.Size, effort: effort(q.List), body: result.Body, pieces: result.Pieces}); err != nil {
			return reply{}, err
		}
	}
	if q.Page.On && found.entry.search != q.Search { // links have the search as the client spelled it
		found.fields = e.listFields(operation, q, found.entry.total)
	}
	return found, nil
}

// effort returns how hard to compress the answer to a query. Whole lists are few,
// and often asked for; of searches and pages there is no end.
func effort(q query.List) response.Effort {
	if q.Page.On || len(q.Terms)+len(q.Tags) > 0 {
		return response.Once
	}
	return response.Often
}

func (e *edition) listFields(operation string, q query.Chains, total int) response.Fields {
	fields := response.Fields{ContentLanguage: e.language(q.Locale), TotalCount: []string{strconv.Itoa(total)}}
	if !q.Page.On {
		return fields
	}
	if link := links(e.pageURL(operation, q), q.Page, total); link != "" {
		fields.Link = []string{link}
	}
	return fields
}
