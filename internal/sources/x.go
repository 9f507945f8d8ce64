package sources

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"vitrine/internal/connector"
	"vitrine/internal/connector/x"
	"vitrine/internal/domain"
	"vitrine/internal/fold"
	"vitrine/internal/observe"
	"vitrine/internal/store"
	"vitrine/internal/upstream"
)

const xAPI = "https://api.x.com"

// xAccounts observes the followers of accounts.
type xAccounts struct{ batches }

// X returns the source of followers, GET /2/users/by of X. It needs a bearer token.
func X(c Config) (Source, error) {
	a := &xAccounts{batches{kind: domain.KindAccount, source: x.Source, size: x.BatchSize}}
	if err := a.open(c, xAPI, "the token of X"); err != nil {
		return nil, err
	}
	return a, nil
}

// Observe implements [Source].
func (a *xAccounts) Observe(ctx context.Context, s store.Store, head *store.State) (Observed, error) {
	found := Observed{From: Shown(a.from), Kind: "accounts"}
	var got xAnswer
	asked, err := a.ask(ctx, head, a.request(x.ByHandle), got.add)
	if err != nil {
		return found, err
	}
	known, err := s.UpstreamIDs(ctx, domain.KindAccount, x.Source)
	if err != nil {
		return found, err
	}
	lost := a.explain(ctx, got, known)
	found.Result, err = observe.Requested(a.kind, domain.FigureFollowers, got.rows, asked.keys, known, head.Observed())
	found.Lost = append(lost, found.Lost...)
	return a.settle(found, asked, head, err)
}

// xAnswer is what X returned in all batches.
type xAnswer struct {
	rows    []connector.KeyedRow
	missing []x.Missing
	lost    []connector.Loss
}

// request returns a function that requests the path of a batch.
func (a *xAccounts) request(path func(batch []string) string) getBatch {
	return func(ctx context.Context, batch []string) (*upstream.Document, error) {
		document, err := a.get(ctx, upstream.Request{URL: a.from + path(batch), Header: map[string][]string{"Authorization": {"Bearer " + a.secret}}})
		if status, ok := errors.AsType[*upstream.StatusError](err); ok && status.After > 0 {
			err = quotaError{err}
		}
		return document, err
	}
}

// add adds a response.
func (all *xAnswer) add(body io.Reader, asOf domain.Date) error {
	got, err := x.Users(body, asOf)
	all.rows, all.missing, all.lost = append(all.rows, got.Rows...), append(all.missing, got.Missing...), append(all.lost, got.Lost...)
	return err
}

// explain returns the accounts that X did not return, with the reason. It asks for the present
// handles of those whose ids are known.
func (a *xAccounts) explain(ctx context.Context, got xAnswer, known map[string]string) []connector.Loss {
	former := map[string]string{} // folded handles by id
	for _, m := range got.missing {
		if id := known[store.FigureKey(m.Name)]; id != "" && m.Reason == x.NotFound {
			former[id] = fold.Text(m.Name)
		}
	}
	now := map[string]string{} // present handles by folded former ones
	var unknown error
	if IsAddress(a.from) {
		_, unknown = a.each(ctx, slices.Sorted(maps.Keys(former)), a.request(x.ByID), func(body io.Reader, _ domain.Date) error {
			handles, err := x.Handles(body)
			for id, handle := range handles {
				now[former[id]] = handle
			}
			return err
		})
	}
	lost := got.lost
	for _, m := range got.missing {
		reason := string(m.Reason)
		if unknown != nil && m.Reason == x.NotFound && known[store.FigureKey(m.Name)] != "" {
			reason = fmt.Sprintf("%s (the request by its id failed: %v)", reason, unknown)
		}
		if handle := now[fold.Text(m.Name)]; handle != "" {
			reason = fmt.Sprintf("the account was renamed to %s; write handle: %s and former: [%s]", handle, handle, m.Name)
		}
		lost = append(lost, connector.Loss{Name: m.Name, Reason: reason})
	}
	return lost
}
