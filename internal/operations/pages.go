package operations

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"

	"vitrine/internal/query"
)

// pageURL returns a function that returns the address of a page: the request's own
// parameters, canonically spelled, with another offset and limit.
func (e *edition) pageURL(operation string, q query.Chains) func(offset, limit int) string {
	values := url.Values{}
	locales := e.snapshot.Locales()
	if q.Locale != locales.Default() {
		values.Set("locale", locales.Name(q.Locale))
	}
	if q.Search != "" {
		values.Set("q", q.Search)
	}
	if len(q.Tags) > 0 {
		values.Set("tag", strings.Join(q.Tags, ","))
	}
	if q.Sort != "" {
		values.Set("sort", string(q.Sort))
		values.Set("sortDir", direction(q.Ascending))
	}
	return func(offset, limit int) string {
		values.Set("offset", strconv.Itoa(offset))
		values.Set("limit", strconv.Itoa(limit))
		return "/api/open/" + operation + "?" + values.Encode()
	}
}

func direction(ascending bool) string {
	if ascending {
		return "asc"
	}
	return "desc"
}

// links returns the Link header (RFC 8288) of a page: `next` where records
// follow, `prev` where offset is above 0; "" for neither. The page before ends
// where this one begins, or at the end of the list if that comes earlier. It has
// fewer records where there are fewer before it.
func links(address func(offset, limit int) string, page query.Page, total int) string {
	var links []string
	if page.Limit > 0 && page.Offset < total-page.Limit {
		links = append(links, "<"+address(page.Offset+page.Limit, page.Limit)+`>; rel="next"`)
	}
	if page.Offset > 0 {
		end := min(page.Offset, total)
		limit := max(1, min(end, cmp.Or(page.Limit, query.MaxLimit)))
		links = append(links, "<"+address(max(0, end-limit), limit)+`>; rel="prev"`)
	}
	return strings.Join(links, ", ")
}
