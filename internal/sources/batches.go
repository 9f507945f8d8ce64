package sources

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/fold"
	"vitrine/internal/observe"
	"vitrine/internal/store"
	"vitrine/internal/upstream"
)

// batches asks an upstream with a quota for records of one kind by their keys, a batch at a time.
type batches struct {
	Fetcher
	kind   domain.Kind
	source string
	size   int    // of a batch
	from   string // address or file
	asOf   string // "" for the date of the response
	secret string // never printed

	mu   sync.Mutex
	last map[string]domain.Date // day of the last request of this process by folded key
}

// open sets the origin. api is the address of the upstream, and secret names what it requires.
func (b *batches) open(c Config, api, secret string) error {
	b.from = strings.TrimRight(cmp.Or(c.From, api), "/")
	if err := c.check(); err != nil {
		return err
	}
	if strings.HasPrefix(b.from, "http://") && !c.AllowPrivate {
		return fmt.Errorf("%s is sent to https addresses only", secret)
	}
	b.Fetcher, b.asOf, b.secret = NewFetcher(c.Agent, c.AllowPrivate), c.AsOf, c.Secret
	return nil
}

// getBatch requests records by their keys. Its error is a [quotaError] if the quota is used up.
type getBatch func(ctx context.Context, batch []string) (*upstream.Document, error)

// quotaError reports that the quota of the secret is used up.
type quotaError struct{ error }

func (e quotaError) Unwrap() error { return e.error }

// requested are the keys that an upstream was asked for.
type requested struct {
	keys      []string
	unchanged map[string]bool // folded keys of responses that have not changed since the last request
}

// ask requests the records of head and passes each response to add. It returns those that were asked for, fewer
// if the quota ends: the others come first at the next call. It is safe for concurrent use.
func (b *batches) ask(
	ctx context.Context, head *store.State, get getBatch, add func(io.Reader, domain.Date) error,
) (requested, error) {
	keys := domain.Describe(b.kind).Keys(head.Editors())
	if len(keys) == 0 {
		return requested{}, &observe.RejectedError{Reason: fmt.Sprintf("the catalogue has no %s; nothing was changed", domain.Describe(b.kind).Plural)}
	}
	if !IsAddress(b.from) {
		recorded, err := b.fetch(ctx, b.from, b.asOf)
		if err != nil {
			return requested{}, err
		}
		return requested{keys: keys}, add(recorded.body, recorded.asOf)
	}
	b.leastRecent(head, keys)
	asked, err := b.each(ctx, keys, get, add)
	if err == nil {
		b.note(asked.keys)
	}
	return asked, err
}

// each requests keys in batches until the quota ends.
func (b *batches) each(ctx context.Context, keys []string, get getBatch, add func(io.Reader, domain.Date) error) (requested, error) {
	asked := requested{unchanged: map[string]bool{}}
	for batch := range slices.Chunk(keys, b.size) {
		document, err := get(ctx, batch)
		if _, ok := errors.AsType[quotaError](err); ok && len(asked.keys) > 0 {
			break // what is there counts
		}
		if err == nil {
			err = add(bytes.NewReader(document.Body), domain.Date(cmp.Or(b.asOf, string(dayOf(document)))))
		}
		if err != nil {
			b.kept.Forget()
			return requested{}, err
		}
		asked.keys = append(asked.keys, batch...)
		if document.NotModified {
			for _, key := range batch {
				asked.unchanged[fold.Text(key)] = true
			}
		}
		if len(asked.keys) == len(keys) || !b.client.Rest(ctx, document.Header) {
			break
		}
	}
	return asked, nil
}

// settle ends a sync with the observations of the upstream's responses. An error of observing makes
// the next requests unconditional, so that they do not depend on these responses.
func (b *batches) settle(found Observed, asked requested, head *store.State, err error) (Observed, error) {
	if err != nil {
		b.kept.Forget()
		return found, err
	}
	found.DropDates(head.Observed(), func(key string) bool { return asked.unchanged[fold.Text(key)] })
	return found, nil
}

// note notes that records were requested today, with or without a result.
func (b *batches) note(keys []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.last == nil {
		b.last = map[string]domain.Date{}
	}
	for _, key := range keys {
		b.last[fold.Text(key)] = domain.DateOf(time.Now())
	}
}

// leastRecent sorts keys: those with the oldest request or observation come first, so that a quota
// does not always leave out the same.
func (b *batches) leastRecent(head *store.State, keys []string) {
	b.mu.Lock()
	newest := maps.Clone(b.last)
	b.mu.Unlock()
	if newest == nil {
		newest = map[string]domain.Date{}
	}
	for _, o := range head.Observed() {
		if o.Kind == b.kind && o.Source == b.source {
			newest[fold.Text(o.Key)] = max(newest[fold.Text(o.Key)], o.AsOf)
		}
	}
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(newest[fold.Text(a)], newest[fold.Text(b)]), cmp.Compare(a, b))
	})
}
