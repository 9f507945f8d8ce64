package sources

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"

	"vitrine/internal/connector"
	"vitrine/internal/connector/youtube"
	"vitrine/internal/domain"
	"vitrine/internal/observe"
	"vitrine/internal/store"
	"vitrine/internal/upstream"
)

const youtubeAPI = "https://www.googleapis.com"

// youtubeChannels observes the subscribers of channels.
type youtubeChannels struct{ batches }

// YouTube returns the source of subscribers, channels.list of YouTube. It needs an API key.
func YouTube(c Config) (Source, error) {
	y := &youtubeChannels{batches{kind: domain.KindChannel, source: youtube.Source, size: youtube.BatchSize}}
	if err := y.open(c, youtubeAPI, "the key of YouTube"); err != nil {
		return nil, err
	}
	return y, nil
}

// Observe implements [Source].
func (y *youtubeChannels) Observe(ctx context.Context, _ store.Store, head *store.State) (Observed, error) {
	found := Observed{From: Shown(y.from), Kind: "channels"}
	var got youtubeAnswer
	asked, err := y.ask(ctx, head, y.request, got.add)
	if err != nil {
		return found, err
	}
	found.Result, err = observe.Requested(y.kind, domain.FigureSubscribers, got.rows, asked.keys, nil, head.Observed())
	found.Lost = append(append(got.lost, got.missing(asked.keys)...), found.Lost...)
	return y.settle(found, asked, head, err)
}

// youtubeAnswer is what YouTube returned in all batches.
type youtubeAnswer struct {
	rows []connector.KeyedRow
	lost []connector.Loss
}

// request requests a batch with the key, which its error does not have.
func (y *youtubeChannels) request(ctx context.Context, batch []string) (*upstream.Document, error) {
	document, err := y.get(ctx, upstream.Request{URL: y.from + youtube.ByID(batch) + "&key=" + url.QueryEscape(y.secret)})
	status, ok := errors.AsType[*upstream.StatusError](err)
	if !ok {
		return document, err
	}
	switch reason := youtube.ReasonOf(status.Body); reason {
	case youtube.Unknown:
		return nil, err
	case youtube.QuotaExceeded, youtube.RateLimited:
		return nil, quotaError{fmt.Errorf("%w: %s", err, reason)}
	default:
		return nil, fmt.Errorf("%w: %s", err, reason)
	}
}

// add adds a response.
func (all *youtubeAnswer) add(body io.Reader, asOf domain.Date) error {
	got, err := youtube.Channels(body, asOf)
	all.rows, all.lost = append(all.rows, got.Rows...), append(all.lost, got.Lost...)
	return err
}

// missing returns the requested channels that no response has.
func (all *youtubeAnswer) missing(asked []string) []connector.Loss {
	seen := map[string]bool{}
	for _, row := range all.rows {
		seen[row.ID] = true
	}
	for _, loss := range all.lost {
		seen[loss.Name] = true
	}
	var lost []connector.Loss
	for _, id := range asked {
		if !seen[id] {
			lost = append(lost, connector.Loss{Name: id, Reason: "YouTube has no channel with the id: it was deleted or terminated"})
		}
	}
	return lost
}
