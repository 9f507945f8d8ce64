package operations

import (
	"errors"
	"strconv"

	"vitrine/internal/query"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// changes replies with what changed since a revision or a time. Requests for the same revision share
// a cache entry.
func (h *Handler) changes(g *generation, r request) (reply, error) {
	q, err := query.ParseChanges(r.query, g.snapshot.Locales())
	if err != nil {
		return reply{}, err
	}
	since, err := g.snapshot.Since(q)
	if err != nil {
		return reply{}, h.unknownChanges(err)
	}
	from, kinds := strconv.FormatInt(since, 10), namesOf(q.Kinds, query.ChangeKinds())
	k := g.key(r.operation.name, q.Locale, from+"\n"+kinds)
	k.page = q.Page
	found, ok := h.cachedReply(r, k, response.Once)
	if ok {
		return found, nil
	}
	view := g.snapshot.ChangesView(q, since)
	fields := g.pageFields(q.Locale, q.Page, q.Page.Limit, view.Total, func() *pageURL {
		address := g.newPageURL(r.operation, q.Locale, "")
		address.set("since", from)
		address.set("kind", kinds)
		return address
	})
	return h.planned(r, k, &cacheEntry{total: view.Total, fields: fields}, wholePlan(snapshot.Encode(view), response.Once))
}

// unknownChanges returns the reply to an error of [snapshot.Snapshot.Since], with the address of
// the bulk data.
func (h *Handler) unknownChanges(err error) error {
	unknown, ok := errors.AsType[*snapshot.UnknownChanges](err)
	if !ok {
		return err
	}
	if unknown.Oldest == nil {
		return &response.Problem{Code: response.NotReady, Detail: unknown.Error()}
	}
	if unknown.Bulk != "" {
		unknown.Bulk = h.publicURL + unknown.Bulk
	}
	return &response.Problem{Code: response.Gone, Detail: unknown.Error(), Parameter: "since", Oldest: unknown.Oldest.Number, Bulk: unknown.Bulk}
}
