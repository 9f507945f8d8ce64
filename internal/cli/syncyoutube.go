package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"vitrine/internal/connector"
	"vitrine/internal/connector/youtube"
	"vitrine/internal/convert"
	"vitrine/internal/domain"
	"vitrine/internal/observe"
	"vitrine/internal/store"
	"vitrine/internal/upstream"
)

const youtubeAPI = "https://www.googleapis.com"

// syncYouTubeCmd observes the subscribers of channels with channels.list of YouTube.
type syncYouTubeCmd struct {
	From    string `default:"https://www.googleapis.com" placeholder:"FILE|URL" help:"Address of the API, or a file with a recorded response (default ${default})." env:"-"`
	KeyFile string `name:"youtube-key-file" placeholder:"FILE" help:"File with the key of the API (default: the variable VITRINE_YOUTUBE_KEY)."`
	syncFlags
}

func (c *syncYouTubeCmd) Run(ctx context.Context, args arguments, to streams) error {
	if err := convert.CheckDate("--as-of", c.AsOf); err != nil {
		return could{err}
	}
	source, err := newYouTubeChannels(c.From, c.KeyFile, c.AsOf, c.AllowPrivate)
	if err != nil {
		return could{err}
	}
	return c.run(ctx, source, "subscribers of YouTube", args, to)
}

// youtubeChannels observes the subscribers of channels.
type youtubeChannels struct {
	fetcher
	from string // address or file
	asOf string // "" for the date of the response
	key  string // never printed

	turns turns
}

func newYouTubeChannels(from, keyFile, asOf string, allowPrivate bool) (*youtubeChannels, error) {
	source := &youtubeChannels{fetcher: newFetcher(allowPrivate), from: strings.TrimRight(from, "/"), asOf: asOf}
	if !isAddress(from) {
		return source, nil
	}
	var err error
	source.key, err = secret("VITRINE_YOUTUBE_KEY", "--youtube-key-file", keyFile)
	if err == nil && strings.HasPrefix(from, "http://") && !allowPrivate {
		err = errors.New("the key of YouTube is sent to https addresses only")
	}
	return source, err
}

func (y *youtubeChannels) observe(ctx context.Context, _ store.Store, head *store.State) (answer, error) {
	found := answer{from: shownAddress(y.from), kind: "channels"}
	var ids []string
	for i := range head.Editors().Channels {
		ids = append(ids, head.Editors().Channels[i].ChannelID)
	}
	if len(ids) == 0 {
		return found, &observe.RejectedError{Reason: "the catalogue has no channels; nothing was changed"}
	}
	got, asked, err := y.ask(ctx, y.turns.leastRecent(head, domain.KindChannel, youtube.Source, ids))
	if err != nil {
		return found, err
	}
	y.turns.asked(asked)
	found.Result, err = observe.Channels(got.rows, asked, head.Observed())
	found.Lost = append(append(got.lost, got.missing(asked)...), found.Lost...)
	return found, err
}

// youtubeAnswer is what YouTube returned in all batches.
type youtubeAnswer struct {
	rows []observe.Channel
	lost []connector.Loss
	seen map[string]bool // ids of the response
}

// ask requests channels in batches, and returns those that were asked for: fewer if the quota of
// the key ends.
func (y *youtubeChannels) ask(ctx context.Context, ids []string) (*youtubeAnswer, []string, error) {
	all := &youtubeAnswer{seen: map[string]bool{}}
	if !isAddress(y.from) {
		recorded, err := y.fetch(ctx, y.from, y.asOf)
		if err != nil {
			return nil, nil, err
		}
		return all, ids, all.add(recorded.body, recorded.asOf)
	}
	asked := 0
	for batch := range slices.Chunk(ids, youtube.BatchSize) {
		document, reason, err := y.request(ctx, youtube.ByID(batch))
		if asked > 0 && (reason == youtube.QuotaExceeded || reason == youtube.RateLimited) {
			break // what is there counts; the next sync begins with the others
		}
		if err != nil {
			return nil, nil, err
		}
		if err := all.add(bytes.NewReader(document.Body), domain.Date(cmp.Or(y.asOf, string(dayOf(document))))); err != nil {
			return nil, nil, err
		}
		asked += len(batch)
	}
	return all, ids[:asked], nil
}

// request requests a path and query with the key. Its error has neither; reason is why YouTube
// rejects the request.
func (y *youtubeChannels) request(ctx context.Context, target string) (document *upstream.Document, reason youtube.Reason, err error) {
	document, err = y.get(ctx, upstream.Request{URL: y.from + target + "&key=" + url.QueryEscape(y.key)})
	status, ok := errors.AsType[*upstream.StatusError](err)
	if !ok {
		return document, youtube.Unknown, err
	}
	if reason = youtube.ReasonOf(status.Body); reason != youtube.Unknown {
		err = fmt.Errorf("%w: %s", err, reason)
	}
	return nil, reason, err
}

// add adds a response.
func (all *youtubeAnswer) add(body io.Reader, asOf domain.Date) error {
	got, err := youtube.Channels(body)
	if err != nil {
		return err
	}
	all.lost = append(all.lost, got.Lost...)
	for _, loss := range got.Lost {
		all.seen[loss.Name] = true
	}
	for _, id := range got.Hidden {
		all.seen[id] = true
		all.lost = append(all.lost, connector.Loss{Name: id, Reason: "the channel hides its number of subscribers"})
	}
	for _, c := range got.Channels {
		all.seen[c.ID] = true
		all.rows = append(all.rows, observe.Channel{ID: c.ID, Figure: domain.Figure{Value: c.Subscribers, Source: youtube.Source, AsOf: asOf}})
	}
	return nil
}

// missing returns the requested channels that no response has.
func (all *youtubeAnswer) missing(asked []string) []connector.Loss {
	var lost []connector.Loss
	for _, id := range asked {
		if !all.seen[id] {
			lost = append(lost, connector.Loss{Name: id, Reason: "YouTube has no channel with the id: it was deleted or terminated"})
		}
	}
	return lost
}
