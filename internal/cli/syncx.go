package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"vitrine/internal/connector"
	"vitrine/internal/connector/x"
	"vitrine/internal/convert"
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
	if err := convert.CheckDate("--as-of", c.AsOf); err != nil {
		return could{err}
	}
	source, err := newXAccounts(c.From, c.TokenFile, c.AsOf, c.AllowPrivate)
	if err != nil {
		return could{err}
	}
	return c.run(ctx, source, "followers of X", args, to)
}

// xAccounts observes the followers of accounts.
type xAccounts struct {
	fetcher
	from  string // address or file
	asOf  string // "" for the date of the response
	token string // never printed
	turns turns
}

func newXAccounts(from, tokenFile, asOf string, allowPrivate bool) (*xAccounts, error) {
	source := &xAccounts{fetcher: newFetcher(allowPrivate), from: strings.TrimRight(from, "/"), asOf: asOf}
	if !isAddress(from) {
		return source, nil
	}
	var err error
	source.token, err = secret("VITRINE_X_TOKEN", "--x-token-file", tokenFile)
	if err == nil && strings.HasPrefix(from, "http://") && !allowPrivate {
		err = errors.New("the token of X is sent to https addresses only")
	}
	return source, err
}

// secret reads a secret from a file or a variable. Errors do not contain it.
func secret(variable, flag, path string) (string, error) {
	text := os.Getenv(variable)
	if path != "" {
		const most = 64 << 10
		file, err := os.Open(path)
		if err != nil {
			return "", err
		}
		defer file.Close()
		data, err := io.ReadAll(io.LimitReader(file, most))
		if err != nil {
			return "", err
		}
		text = string(data)
	}
	text = strings.TrimSpace(text)
	if text == "" {
		return "", fmt.Errorf("there is no key for the upstream: pass %s FILE, or set %s", flag, variable)
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("the key of %s or %s has characters that no key has", flag, variable)
	}
	return text, nil
}

func (a *xAccounts) observe(ctx context.Context, s store.Store, head *store.State) (answer, error) {
	found := answer{from: shownAddress(a.from), kind: "accounts"}
	var handles []string
	for i := range head.Editors().Accounts {
		handles = append(handles, head.Editors().Accounts[i].Handle)
	}
	if len(handles) == 0 {
		return found, &observe.RejectedError{Reason: "the catalogue has no accounts; nothing was changed"}
	}
	got, asked, err := a.ask(ctx, a.turns.leastRecent(head, domain.KindAccount, x.Source, handles))
	if err != nil {
		return found, err
	}
	a.turns.asked(asked)
	known, err := knownIDs(ctx, s, asked)
	if err != nil {
		return found, err
	}
	lost := a.explain(ctx, got, known)
	found.Result, err = observe.Accounts(got.rows, asked, known, head.Observed())
	found.Lost = append(lost, found.Lost...)
	return found, err
}

// turns order requests for records, so that a quota of the upstream does not always leave out the
// same. It is safe for concurrent use.
type turns struct {
	mu   sync.Mutex
	last map[string]domain.Date // day of the last request of this process by folded key
}

// asked notes that records were requested today, with or without a result.
func (t *turns) asked(keys []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last == nil {
		t.last = map[string]domain.Date{}
	}
	for _, key := range keys {
		t.last[fold.Text(key)] = domain.DateOf(time.Now())
	}
}

// leastRecent sorts keys of records of a kind: those with the oldest request or observation of a
// source come first.
func (t *turns) leastRecent(head *store.State, kind domain.Kind, source string, keys []string) []string {
	t.mu.Lock()
	newest := maps.Clone(t.last)
	t.mu.Unlock()
	if newest == nil {
		newest = map[string]domain.Date{}
	}
	for _, o := range head.Observed() {
		if o.Kind == kind && o.Source == source {
			newest[fold.Text(o.Key)] = max(newest[fold.Text(o.Key)], o.AsOf)
		}
	}
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(newest[fold.Text(a)], newest[fold.Text(b)]), cmp.Compare(a, b))
	})
	return keys
}

// xAnswer is what X returned in all batches.
type xAnswer struct {
	rows    []observe.Account
	missing []x.Missing
	lost    []connector.Loss
}

// ask requests accounts in batches, and returns those that were asked for: fewer if the quota of
// the token ends.
func (a *xAccounts) ask(ctx context.Context, handles []string) (xAnswer, []string, error) {
	var all xAnswer
	if !isAddress(a.from) {
		recorded, err := a.fetch(ctx, a.from, a.asOf)
		if err != nil {
			return all, nil, err
		}
		return all, handles, all.add(recorded.body, recorded.asOf)
	}
	asked := 0
	for batch := range slices.Chunk(handles, x.BatchSize) {
		document, err := a.request(ctx, x.ByHandle(batch))
		if limited := (*upstream.StatusError)(nil); asked > 0 && errors.As(err, &limited) && limited.After > 0 {
			break // what is there counts; the next sync begins with the others
		}
		if err != nil {
			return all, nil, err
		}
		if err := all.add(bytes.NewReader(document.Body), domain.Date(cmp.Or(a.asOf, string(dayOf(document))))); err != nil {
			return all, nil, err
		}
		if asked += len(batch); asked == len(handles) || !a.client.Rest(ctx, document.Header) {
			break
		}
	}
	return all, handles[:asked], nil
}

func (a *xAccounts) request(ctx context.Context, target string) (*upstream.Document, error) {
	return a.get(ctx, upstream.Request{URL: a.from + target, Header: map[string][]string{"Authorization": {"Bearer " + a.token}}})
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

// knownIDs returns the ids under which accounts were observed last.
func knownIDs(ctx context.Context, s store.Store, handles []string) (map[string]string, error) {
	known := map[string]string{}
	for _, handle := range handles {
		observed, err := s.Observations(ctx, domain.KindAccount, handle, 0)
		if err != nil {
			return nil, err
		}
		for _, o := range observed {
			if o.Observation.Source == x.Source && o.Observation.UpstreamID != "" {
				known[handle] = o.Observation.UpstreamID
				break
			}
		}
	}
	return known, nil
}

// explain returns the accounts that X did not return, with the reason. It asks for the present
// handles of those whose ids are known.
func (a *xAccounts) explain(ctx context.Context, got xAnswer, known map[string]string) []connector.Loss {
	byID := map[string]string{}
	for handle, id := range known {
		if slices.ContainsFunc(got.missing, func(m x.Missing) bool { return m.Reason == x.NotFound && fold.Text(m.Name) == fold.Text(handle) }) {
			byID[id] = fold.Text(handle)
		}
	}
	now := map[string]string{} // present handles by folded former ones
	ids := make([]string, 0, len(byID))
	for id := range byID {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for batch := range slices.Chunk(ids, x.BatchSize) {
		if !isAddress(a.from) {
			break
		}
		document, err := a.request(ctx, x.ByID(batch))
		if err != nil {
			break // then the reason is less exact; the figures of the others are known
		}
		renamed, err := x.Users(bytes.NewReader(document.Body))
		if err != nil {
			break
		}
		for _, u := range renamed.Users {
			now[byID[u.ID]] = u.Handle
		}
	}
	lost := got.lost
	for _, m := range got.missing {
		reason := string(m.Reason)
		if handle := now[fold.Text(m.Name)]; handle != "" {
			reason = fmt.Sprintf("the account was renamed to %s; write handle: %s and former: [%s]", handle, handle, m.Name)
		}
		lost = append(lost, connector.Loss{Name: m.Name, Reason: reason})
	}
	return lost
}
