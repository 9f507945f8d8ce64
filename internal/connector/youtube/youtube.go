// Package youtube reads responses of YouTube Data API v3: channels.list with the part statistics.
//
// It fetches nothing and knows no key. All functions are pure and safe for concurrent use.
package youtube

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/connector"
	"vitrine/internal/domain"
)

// Source is the source of YouTube's figures.
const Source = "youtube"

// BatchSize is the maximum number of channels of a request.
const BatchSize = 50

// Response is a response to a request for channels. It omits channels that do not exist, and may
// have another order than the request.
type Response struct {
	Rows []connector.KeyedRow // each id once, in the order of the response; rounded by YouTube to three digits
	Lost []connector.Loss     // elements without a row
}

// ByID returns path and query of the request for channels by id, at most [BatchSize], without the
// key.
func ByID(ids []string) string {
	return fmt.Sprintf("/youtube/v3/channels?part=statistics&maxResults=%d&id=%s", BatchSize, strings.Join(ids, ","))
}

// channel is an element of items.
type channel struct {
	ID         json.RawMessage `json:"id"`
	Statistics struct {
		Subscribers json.RawMessage `json:"subscriberCount"` // a string; tolerated as a number
		Hidden      bool            `json:"hiddenSubscriberCount"`
	} `json:"statistics"`
}

// Channels reads a response with the subscribers on a date. Without any channel it has no items. It
// returns an error if the response cannot be read to its end or is no list of channels.
func Channels(r io.Reader, asOf domain.Date) (Response, error) {
	var body struct {
		Items    []json.RawMessage `json:"items"`
		PageInfo json.RawMessage   `json:"pageInfo"`
	}
	if err := connector.Object(r, &body); err != nil {
		return Response{}, fmt.Errorf("youtube channels: %w", err)
	}
	if body.Items == nil && body.PageInfo == nil {
		return Response{}, errors.New("youtube channels: the response is no list of channels")
	}
	var all Response
	all.Rows, all.Lost = connector.KeyedRows(domain.KindChannel, body.Items, func(element json.RawMessage) (connector.KeyedRow, error) {
		return readChannel(element, asOf)
	})
	return all, nil
}

func readChannel(element json.RawMessage, asOf domain.Date) (connector.KeyedRow, error) {
	var in channel
	if err := json.Unmarshal(element, &in); err != nil {
		return connector.KeyedRow{}, errors.New("it is of the wrong type")
	}
	id, text := connector.Text(in.ID), connector.Text(in.Statistics.Subscribers)
	row := connector.KeyedRow{Key: id, ID: id}
	switch {
	case id == "":
		return row, errors.New("it has no id")
	case in.Statistics.Hidden:
		return row, connector.NoFigure("the channel hides its number of subscribers")
	case text == "":
		return row, errors.New("it has no subscriberCount")
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !connector.IsCount(n) {
		return row, fmt.Errorf("subscriberCount %.40q is not a count", text)
	}
	row.Figure = domain.Figure{Value: math.Abs(n), Source: Source, AsOf: asOf} // -0 is 0
	return row, nil
}

// Reason says why YouTube rejects a request.
type Reason string

// The reasons.
const (
	QuotaExceeded Reason = "the quota of the key is used up; it is renewed at midnight, Pacific time"
	RateLimited   Reason = "the requests come too fast"
	KeyInvalid    Reason = "the API key is not valid"
	Forbidden     Reason = "the API key may not request channels"
	Unknown       Reason = "" // anything else
)

// ReasonOf returns the reason that the body of an unsuccessful response names.
func ReasonOf(body []byte) Reason {
	var response struct {
		Error struct {
			Errors  []struct{ Reason string }
			Details []struct{ Reason string }
		}
	}
	if err := json.Unmarshal(body, &response); err != nil {
		return Unknown
	}
	for _, e := range slices.Concat(response.Error.Errors, response.Error.Details) {
		if reason := reasons[e.Reason]; reason != Unknown {
			return reason
		}
	}
	return Unknown
}

// reasons are the reasons by their names at YouTube.
var reasons = map[string]Reason{
	"quotaExceeded": QuotaExceeded, "dailyLimitExceeded": QuotaExceeded,
	"rateLimitExceeded": RateLimited, "userRateLimitExceeded": RateLimited, "RATE_LIMIT_EXCEEDED": RateLimited,
	"keyInvalid": KeyInvalid, "keyExpired": KeyInvalid, "API_KEY_INVALID": KeyInvalid,
	"forbidden": Forbidden, "accessNotConfigured": Forbidden, "ipRefererBlocked": Forbidden,
}
