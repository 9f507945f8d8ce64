package operations

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"

	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// listRequest is what the key and the links of a list's answer depend on.
type listRequest struct {
	query.List
	operation   string
	sort        query.Sort // "" where the list has one order
	directed    bool       // the order has a direction
	ascending   bool
	menu, chain string
	platform    string
}

// listReply replies with the result of a query of a list.
func (h *Handler) listReply(e *edition, r request, q listRequest, produce func() snapshot.Result) (reply, error) {
	k := e.key(q.operation, q.Locale, q.variant())
	k.sort, k.ascending, k.page = q.sort, q.ascending, q.Page
	found, ok := h.cachedReply(r, k, effort(q.List))
	if !ok {
		result := produce()
		a := &entry{search: strings.Clone(q.Search), total: result.Total, fields: e.listFields(q, result.Total)}
		var err error
		if found, err = h.planned(r, k, a, plan{size: result.Size, effort: effort(q.List), body: result.Body, pieces: result.Pieces}); err != nil {
			return reply{}, err
		}
	}
	if q.Page.On && found.entry.search != q.Search { // links have the search as the client spelled it
		found.fields = e.listFields(q, found.entry.total)
	}
	return found, nil
}

// variant says in a key what the request asks for beside its order and page; "" where
// it asks for nothing.
func (q listRequest) variant() string {
	if len(q.Terms)+len(q.Tags) == 0 && q.Status == "" && !q.Facets && q.menu == "" && q.chain == "" && q.platform == "" {
		return ""
	}
	facets := ""
	if q.Facets {
		facets = "facets"
	}
	// None of these holds a control character.
	return strings.Join([]string{
		strings.Join(q.Terms, " "), q.Phrase, strings.Join(q.Tags, ","), string(q.Match), string(q.Status), facets, q.menu, q.chain, q.platform,
	}, "\n")
}

func (e *edition) listFields(q listRequest, total int) response.Fields {
	return e.pageFields(q.Locale, q.Page, query.MaxLimit, total, func() *pageURL { return e.listURL(q) })
}

// listURL returns the address of the pages of a list: the request's own parameters,
// canonically spelled.
func (e *edition) listURL(q listRequest) *pageURL {
	address := e.newPageURL(q.operation, q.Locale, q.Search)
	if len(q.Tags) > 0 {
		address.set("tag", strings.Join(q.Tags, ","))
	}
	address.set("match", string(q.Match))
	address.set("status", string(q.Status))
	if q.Facets {
		address.set("facets", "1")
	}
	address.set("menu", q.menu)
	address.set("chain", q.chain)
	address.set("platform", q.platform)
	switch {
	case q.Relevance:
		address.set("sort", string(query.SortRelevance))
	case q.directed:
		address.set("sort", string(q.sort))
		address.set("sortDir", direction(q.ascending))
	case q.sort == query.SortTitle:
		address.set("sort", string(q.sort))
	}
	return address
}

func (h *Handler) search(e *edition, r request) (reply, error) {
	q, err := query.ParseSearch(r.query, e.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	asked := kindsOf(q)
	k := e.key("search", q.Locale, q.Phrase+"\n"+asked+"\n"+q.Written)
	k.page = q.Page
	fields := func(total int) response.Fields {
		return e.pageFields(q.Locale, q.Page, query.Results, total, func() *pageURL {
			address := e.newPageURL("search", q.Locale, q.Search)
			address.set("kind", asked)
			return address
		})
	}
	found, ok := h.cachedReply(r, k, response.Once)
	if !ok {
		body, total := e.snapshot.Search(q)
		a := &entry{search: strings.Clone(q.Search), total: total, fields: fields(total)}
		if found, err = h.planned(r, k, a, wholePlan(body, response.Once)); err != nil {
			return reply{}, err
		}
	}
	if found.entry.search != q.Search {
		found.fields = fields(found.entry.total)
	}
	return found, nil
}

// kindsOf returns the kinds that a search names, in one spelling; "" where it names none.
// All kinds by name are not the same as none: see [query.Search].
func kindsOf(q query.Search) string {
	if len(q.Kinds) == len(query.Kinds()) && !q.AppCards {
		return ""
	}
	kinds := make([]string, len(q.Kinds))
	for i, kind := range q.Kinds {
		kinds[i] = string(kind)
	}
	return strings.Join(kinds, ",")
}

// pageURL is the address of the pages of a list.
type pageURL struct {
	path   string
	values url.Values
}

func (e *edition) newPageURL(operation string, id locale.ID, search string) *pageURL {
	address := &pageURL{e.publicURL + "/api/open/" + operation, url.Values{}}
	locales := e.snapshot.Locales()
	if id != locales.Default() {
		address.set("locale", locales.Name(id))
	}
	address.set("q", search)
	return address
}

// set sets a parameter, unless it is empty.
func (u *pageURL) set(name, value string) {
	if value != "" {
		u.values.Set(name, value)
	}
}

func (u *pageURL) at(offset, limit int) string {
	u.values.Set("offset", strconv.Itoa(offset))
	u.values.Set("limit", strconv.Itoa(limit))
	return u.path + "?" + u.values.Encode()
}

func direction(ascending bool) string {
	if ascending {
		return "asc"
	}
	return "desc"
}

// pageFields returns the headers of a list's answer. The page before one without a
// limit has most records.
func (e *edition) pageFields(id locale.ID, page query.Page, most, total int, address func() *pageURL) response.Fields {
	fields := response.Fields{ContentLanguage: e.language(id), TotalCount: []string{strconv.Itoa(total)}}
	if !page.On {
		return fields
	}
	if link := links(address(), page, most, total); link != "" {
		fields.Link = []string{link}
	}
	return fields
}

// links returns the Link header (RFC 8288) of a page: `next` where records
// follow, `prev` where offset is above 0; "" for neither. The page before ends
// where this one begins, or at the end of the list if that comes earlier. It has
// fewer records where there are fewer before it.
func links(address *pageURL, page query.Page, most, total int) string {
	var links []string
	if page.Limit > 0 && page.Offset < total-page.Limit {
		links = append(links, "<"+address.at(page.Offset+page.Limit, page.Limit)+`>; rel="next"`)
	}
	if page.Offset > 0 {
		end := min(page.Offset, total)
		limit := max(1, min(end, cmp.Or(page.Limit, most)))
		links = append(links, "<"+address.at(max(0, end-limit), limit)+`>; rel="prev"`)
	}
	return strings.Join(links, ", ")
}
