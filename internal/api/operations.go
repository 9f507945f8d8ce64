package api

import (
	"strconv"
	"strings"

	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// key names a body among those of all editions. Two requests that have the same
// body by the contract have the same key, however they are spelled.
type key struct {
	generation uint64
	operation  string
	locale     locale.ID
	variant    string // what else of the request the body depends on
	page       query.Page
}

// weight returns the memory that the key takes, in bytes, roughly.
func (k key) weight() int { return 128 + len(k.variant) }

// entry is a body that is kept.
type entry struct {
	body  *response.Body
	total int // records that match, for lists
}

func (h *Handler) categories(e *edition, r request) (reply, error) {
	q, err := query.ParseCategories(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	produce := func() []byte { return e.snapshot.Categories(q) }
	if q.Full { // the same in every locale, so it has none
		return h.single(e.key("categories/full", 0, string(q.Scope)), "", produce)
	}
	return h.single(e.key("categories", q.Locale, string(q.Scope)), e.language(q.Locale), produce)
}

func (h *Handler) categoryGroups(e *edition, r request) (reply, error) {
	q, err := query.ParseCategoryGroups(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	return h.single(e.key("category-groups", q.Locale, string(q.Module)), e.language(q.Locale),
		func() []byte { return e.snapshot.CategoryGroups(q) })
}

func (h *Handler) users(e *edition, r request) (reply, error) {
	q, err := query.ParseList(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	return h.list(e, "twitter/users", "", q, nil, func() snapshot.Part { return e.snapshot.Users(q) })
}

func (h *Handler) channels(e *edition, r request) (reply, error) {
	q, err := query.ParseList(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	return h.list(e, "youtube/channels", "", q, nil, func() snapshot.Part { return e.snapshot.Channels(q) })
}

func (h *Handler) chains(e *edition, r request) (reply, error) {
	q, err := query.ParseChains(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	direction := "desc"
	if q.Ascending {
		direction = "asc"
	}
	order := []string{"sort", string(q.Sort), "sortDir", direction}
	return h.list(e, "chains", string(q.Sort)+" "+direction, q.List, order,
		func() snapshot.Part { return e.snapshot.Chains(q) })
}

func (h *Handler) navGroups(e *edition, r request) (reply, error) {
	q, err := query.ParseLocalized(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	return h.single(e.key("nav/groups", q.Locale, ""), e.language(q.Locale),
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
	return h.single(e.key("nav/groups/", q.Locale, r.segment), e.language(q.Locale),
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
	return h.single(e.key("nav/menus/", q.Locale, r.segment), e.language(q.Locale),
		func() []byte { return body })
}

func (h *Handler) meta(e *edition, r request) (reply, error) {
	q, err := query.ParseLocalized(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	return h.single(e.key("meta", q.Locale, ""), e.language(q.Locale),
		func() []byte { return e.snapshot.Meta(q) })
}

func (h *Handler) spec(*edition, request) (reply, error) {
	return reply{body: h.document}, nil
}

// single replies with a body that the snapshot holds as a whole.
func (h *Handler) single(k key, language string, produce func() []byte) (reply, error) {
	kept, err := h.kept(k, func() *entry { return &entry{body: response.NewBody(produce())} })
	if err != nil {
		return reply{}, err
	}
	return reply{kept.body, response.Fields{ContentLanguage: language}}, nil
}

// list replies with a part of a list. order has the names and values of the
// parameters that order it, for the links to other pages.
func (h *Handler) list(
	e *edition, operation, variant string, q query.List, order []string, produce func() snapshot.Part,
) (reply, error) {
	k := e.key(operation, q.Locale, variant)
	k.page = q.Page
	if len(q.Terms)+len(q.Tags) > 0 {
		// Neither a term nor a tag holds a control character.
		k.variant += "\n" + strings.Join(q.Terms, " ") + "\n" + strings.Join(q.Tags, ",")
	}
	kept, err := h.kept(k, func() *entry {
		part := produce()
		return &entry{body: response.NewBody(part.Body), total: part.Total}
	})
	if err != nil {
		return reply{}, err
	}
	fields := response.Fields{ContentLanguage: e.language(q.Locale)}
	if q.Page.On {
		fields.TotalCount = strconv.Itoa(kept.total)
		fields.Link = links(e.pageURL(operation, q, order), q.Page, kept.total)
	}
	return reply{kept.body, fields}, nil
}

func (e *edition) key(operation string, id locale.ID, variant string) key {
	return key{generation: e.generation, operation: operation, locale: id, variant: variant}
}

func (e *edition) language(id locale.ID) string {
	return e.snapshot.Locales().Name(id)
}
