package cli

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

// syncXCmd observes the followers of accounts with GET /2/users/by of X.
type syncXCmd struct {
	From      string `default:"https://api.x.com" placeholder:"FILE|URL" help:"Address of the API, or a file with a recorded response (default ${default})." env:"-"`
	TokenFile string `name:"x-token-file" placeholder:"FILE" help:"File with the bearer token of the API (default: the variable VITRINE_X_TOKEN)."`
	syncFlags
}

func (c *syncXCmd) Run(ctx context.Context, args arguments, to streams) error {
	source, err := newXAccounts(c.From, c.TokenFile, c.AsOf, c.AllowPrivate)
	if err != nil {
		return could{err}
	}
	return c.run(ctx, source, "followers of X", args, to)
}

// xAccounts observes the followers of accounts.
type xAccounts struct{ batches }

func newXAccounts(from, tokenFile, asOf string, allowPrivate bool) (*xAccounts, error) {
	a := &xAccounts{batches{kind: domain.KindAccount, source: x.Source, size: x.BatchSize}}
	return a, a.open(from, asOf, credential{"the token of X", "VITRINE_X_TOKEN", "--x-token-file"}, tokenFile, allowPrivate)
}

func (a *xAccounts) observe(ctx context.Context, s store.Store, head *store.State) (answer, error) {
	found := answer{from: shownAddress(a.from), kind: "accounts"}
	var handles []string
	for i := range head.Editors().Accounts {
		handles = append(handles, head.Editors().Accounts[i].Handle)
	}
	var got xAnswer
	asked, err := a.ask(ctx, head, handles, a.request(x.ByHandle), got.add)
	if err != nil {
		return found, err
	}
	known, err := s.UpstreamIDs(ctx, domain.KindAccount, x.Source)
	if err != nil {
		return found, err
	}
	lost := a.explain(ctx, got, known)
	found.Result, err = observe.Accounts(got.rows, asked.keys, known, head.Observed())
	found.Lost = append(lost, found.Lost...)
	return a.settle(found, asked, head, err)
}

// xAnswer is what X returned in all batches.
type xAnswer struct {
	rows    []observe.Account
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
	got, err := x.Users(body)
	if err != nil {
		return err
	}
	all.missing, all.lost = append(all.missing, got.Missing...), append(all.lost, got.Lost...)
	for _, u := range got.Users {
		if u.Followers == nil {
			all.lost = append(all.lost, connector.Loss{Name: u.Handle, Reason: "the response has no followers_count"})
			continue
		}
		all.rows = append(all.rows, observe.Account{Handle: u.Handle, ID: u.ID, Figure: domain.Figure{Value: *u.Followers, Source: x.Source, AsOf: asOf}})
	}
	return nil
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
	if isAddress(a.from) {
		_, unknown = a.each(ctx, slices.Sorted(maps.Keys(former)), a.request(x.ByID), func(body io.Reader, _ domain.Date) error {
			renamed, err := x.Users(body)
			for _, u := range renamed.Users {
				now[former[u.ID]] = u.Handle
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
