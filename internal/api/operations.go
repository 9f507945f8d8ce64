package api

import (
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
		return h.single(r, e.key("categories/full", 0, string(q.Scope)), nil, produce)
	}
	return h.single(r, e.key("categories", q.Locale, string(q.Scope)), e.language(q.Locale), produce)
}

func (h *Handler) categoryGroups(e *edition, r request) (reply, error) {
	q, err := query.ParseCategoryGroups(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	return h.single(r, e.key("category-groups", q.Locale, string(q.Module)), e.language(q.Locale),
		func() []byte { return e.snapshot.CategoryGroups(q) })
}

func (h *Handler) users(e *edition, r request) (reply, error) {
	q, err := query.ParseList(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	return h.list(e, r, "twitter/users", query.Chains{List: q}, func() snapshot.Part { return e.snapshot.Users(q) })
}

func (h *Handler) channels(e *edition, r request) (reply, error) {
	q, err := query.ParseList(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	return h.list(e, r, "youtube/channels", query.Chains{List: q}, func() snapshot.Part { return e.snapshot.Channels(q) })
}

func (h *Handler) chains(e *edition, r request) (reply, error) {
	q, err := query.ParseChains(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	return h.list(e, r, "chains", q, func() snapshot.Part { return e.snapshot.Chains(q) })
}

func (h *Handler) navGroups(e *edition, r request) (reply, error) {
	q, err := query.ParseLocalized(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	return h.single(r, e.key("nav/groups", q.Locale, ""), e.language(q.Locale),
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
	return h.single(r, e.key("nav/groups/", q.Locale, r.segment), e.language(q.Locale),
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
	return h.single(r, e.key("nav/menus/", q.Locale, r.segment), e.language(q.Locale),
		func() []byte { return body })
}

func (h *Handler) meta(e *edition, r request) (reply, error) {
	q, err := query.ParseLocalized(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	return h.single(r, e.key("meta", q.Locale, ""), e.language(q.Locale),
		func() []byte { return e.snapshot.Meta(q) })
}

func (h *Handler) spec(*edition, request) (reply, error) {
	return reply{body: h.document}, nil
}

// single replies with a body that the snapshot holds as a whole.
func (h *Handler) single(r request, k key, language []string, produce func() []byte) (reply, error) {
	a, body, err := h.kept.find(k, h.packer, func() found {
		a := &answer{fields: response.Fields{ContentLanguage: language}, first: r.clone()}
		return found{a, produce(), response.Often}
	})
	if err != nil {
		return reply{}, err
	}
	return reply{key: k, answer: a, body: body, fields: a.fields}, nil
}

// list replies with a part of a list. q has an order for chains only.
func (h *Handler) list(e *edition, r request, operation string, q query.Chains, produce func() snapshot.Part) (reply, error) {
	k := e.key(operation, q.Locale, "")
	k.sort, k.ascending, k.page = q.Sort, q.Ascending, q.Page
	if len(q.Terms)+len(q.Tags) > 0 {
		// Neither a term nor a tag holds a control character.
		k.variant = strings.Join(q.Terms, " ") + "\n" + strings.Join(q.Tags, ",")
	}
	a, body, err := h.kept.find(k, h.packer, func() found {
		part := produce()
		a := &answer{search: strings.Clone(q.Search), total: part.Total, first: r.clone()}
		a.fields = e.listFields(operation, q, part.Total)
		return found{a, part.Body, effort(q.List)}
	})
	if err != nil {
		return reply{}, err
	}
	fields := a.fields
	if a.search != q.Search { // links have it as the client spelled it
		fields = e.listFields(operation, q, a.total)
	}
	return reply{key: k, answer: a, body: body, fields: fields}, nil
}

// effort returns what it is worth to compress a list: there are few whole lists,
// and more searches and pages than can be counted.
func effort(q query.List) response.Effort {
	if q.Page.On || len(q.Terms)+len(q.Tags) > 0 {
		return response.Once
	}
	return response.Often
}

func (e *edition) listFields(operation string, q query.Chains, total int) response.Fields {
	fields := response.Fields{ContentLanguage: e.language(q.Locale)}
	if !q.Page.On {
		return fields
	}
	fields.TotalCount = []string{strconv.Itoa(total)}
	if link := links(e.pageURL(operation, q), q.Page, total); link != "" {
		fields.Link = []string{link}
	}
	return fields
}
