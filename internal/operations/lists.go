package operations

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// list replies with the result of a query of a list.
func (h *Handler) list(g *generation, r request) (reply, error) {
	q, err := query.ParseList(r.operation.list, r.query, g.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	q = g.snapshot.Resolve(q)
	k := g.key(r.operation.name, q.Locale, variant(q))
	k.sort, k.ascending, k.page = q.Sort, q.Ascending, q.Page
	fields := func(total int) response.Fields {
		return g.pageFields(q.Locale, q.Page, query.MaxLimit, total, func() *pageURL { return g.listURL(r.operation, q) })
	}
	found, ok := h.cachedReply(r, k, effort(q))
	if !ok {
		result := g.snapshot.List(q)
		a := &cacheEntry{search: strings.Clone(q.Search), total: result.Total, fields: fields(result.Total)}
		p := plan{size: result.Size, effort: effort(q), body: result.Body, pieces: result.Pieces}
		if found, err = h.planned(r, k, a, p); err != nil {
			return reply{}, err
		}
	}
	if q.Page.On && found.entry.search != q.Search { // links have the search as the client spelled it
		found.fields = fields(found.entry.total)
	}
	return found, nil
}

// effort returns how hard to compress the response to a query. Whole lists are few and
// requested often; searches and pages are many.
func effort(q query.List) response.Effort {
	if q.Page.On || len(q.Terms)+len(q.Tags)+len(q.Names) > 0 {
		return response.Once
	}
	return response.Often
}

// variant returns the part of a key that depends on the conditions of a query; "" for none.
func variant(q query.List) string {
	if len(q.Terms)+len(q.Tags)+len(q.Names)+len(q.Filters) == 0 && q.Status == "" && !q.Facets && !q.Details && !q.Unlisted {
		return ""
	}
	// No part has a control character.
	parts := []string{
		strings.Join(q.Terms, " "), q.Phrase, strings.Join(q.Tags, ","), string(q.Match), string(q.Status), strings.Join(q.Names, ","),
		mark(q.Facets), mark(q.Details), mark(q.Unlisted),
	}
	for _, f := range q.Filters {
		parts = append(parts, f.Name, f.Value)
	}
	return strings.Join(parts, "\n")
}

func mark(on bool) string {
	if on {
		return "1"
	}
	return ""
}

// listURL returns the address of the pages of a list: the parameters of the request in
// canonical form.
func (g *generation) listURL(op *operation, q query.List) *pageURL {
	address := g.newPageURL(op, q.Locale, q.Search)
	address.set("tag", strings.Join(q.Tags, ","))
	address.set("match", string(q.Match))
	address.set("status", string(q.Status))
	address.set("id", strings.Join(q.Names, ","))
	address.set("facets", mark(q.Facets))
	if q.Details {
		address.set("view", "full")
	}
	if q.Unlisted {
		address.set("followers", "any")
	}
	for _, f := range q.Filters {
		address.set(f.Name, f.Value)
	}
	directed := op.takes.Find("sortDir") != nil
	switch {
	case q.Relevance:
		address.set("sort", string(query.SortRelevance))
	case directed:
		address.set("sort", string(q.Sort))
		address.set("sortDir", direction(q.Ascending))
	case string(q.Sort) != op.takes.Find("sort").Default:
		address.set("sort", string(q.Sort))
	}
	return address
}

func (h *Handler) search(g *generation, r request) (reply, error) {
	q, err := query.ParseSearch(r.query, g.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	asked := kindsOf(q)
	k := g.key(r.operation.name, q.Locale, q.Phrase+"\n"+asked+"\n"+q.Written)
	k.page = q.Page
	fields := func(total int) response.Fields {
		return g.pageFields(q.Locale, q.Page, query.Results, total, func() *pageURL {
			address := g.newPageURL(r.operation, q.Locale, q.Search)
			address.set("kind", asked)
			return address
		})
	}
	found, ok := h.cachedReply(r, k, response.Once)
	if !ok {
		results := g.snapshot.SearchView(q)
		if results.Total == 0 && h.emptySearch != nil {
			h.emptySearch(q.Search)
		}
		a := &cacheEntry{search: strings.Clone(q.Search), total: results.Total, fields: fields(results.Total)}
		if found, err = h.planned(r, k, a, wholePlan(snapshot.Encode(results), response.Once)); err != nil {
			return reply{}, err
		}
	}
	if found.entry.search != q.Search {
		found.fields = fields(found.entry.total)
	}
	return found, nil
}

// kindsOf returns the canonical value of `kind`, "" if it is absent. Naming all kinds differs
// from naming none: see [query.Search].
func kindsOf(q query.Search) string {
	if q.AppCards {
		return namesOf(q.Kinds, nil)
	}
	return namesOf(q.Kinds, query.Kinds())
}

// namesOf returns the canonical value of a list of kinds, "" for all.
func namesOf(kinds, all []query.Kind) string {
	if len(kinds) == len(all) {
		return ""
	}
	return strings.Join(domain.Convert[string](kinds), ",")
}

// pageURL is the address of the pages of a list.
type pageURL struct {
	path   string
	values url.Values
}

func (g *generation) newPageURL(op *operation, id locale.ID, search string) *pageURL {
	address := &pageURL{g.publicURL + op.template, url.Values{}}
	locales := g.snapshot.Locales()
	if id != locales.Default() {
		address.set("locale", locales.Name(id))
	}
	address.set("q", search)
	address.set("revision", g.revision[0])
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

// pageFields returns the headers of a list. most is the limit of the previous page if the
// request has none.
func (g *generation) pageFields(id locale.ID, page query.Page, most, total int, address func() *pageURL) response.Fields {
	fields := response.Fields{ContentLanguage: g.languages[id], TotalCount: []string{strconv.Itoa(total)}}
	if !page.On {
		return fields
	}
	if link := links(address(), page, most, total); link != "" {
		fields.Link = []string{link}
	}
	return fields
}

// links returns the Link header (RFC 8288) of a page: `next` if records follow, `prev` if
// the offset is above 0; "" for neither. The previous page ends at the offset or at the end
// of the list. It is shorter if fewer records precede it.
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
