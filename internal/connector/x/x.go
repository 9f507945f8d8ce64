// Package x reads responses of X API v2: GET /2/users/by and GET /2/users, with the field
// public_metrics.
//
// It fetches nothing and knows no token. All functions are pure and safe for concurrent use.
package x

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"vitrine/internal/connector"
	"vitrine/internal/domain"
)

// Source is the source of X's figures.
const Source = "x"

// BatchSize is the maximum number of accounts of a request.
const BatchSize = 100

// Reason is the reason why X does not return an account.
type Reason string

// The reasons.
const (
	NotFound  Reason = "X has no account of that name: it was renamed or deleted"
	Suspended Reason = "X has suspended the account"
	Withheld  Reason = "X does not return the account"
)

// Missing is a requested account that is not in a response.
type Missing struct {
	Name   string // handle or id, as requested
	Reason Reason
}

// Response is a response to a request for accounts. It may be partial.
type Response struct {
	Rows    []connector.KeyedRow // by handle, each id once, in the order of the response
	Missing []Missing
	Lost    []connector.Loss // elements without a row
}

// ByHandle returns path and query of the request for accounts by handle, at most [BatchSize].
func ByHandle(handles []string) string {
	return "/2/users/by?usernames=" + strings.Join(handles, ",") + "&user.fields=public_metrics"
}

// ByID returns path and query of the request for accounts by id, at most [BatchSize].
func ByID(ids []string) string {
	return "/2/users?ids=" + strings.Join(ids, ",") + "&user.fields=public_metrics"
}

// user is an element of data.
type user struct {
	ID       json.RawMessage `json:"id"` // a string; tolerated as a number
	Username string          `json:"username"`
	Metrics  struct {
		Followers json.RawMessage `json:"followers_count"`
	} `json:"public_metrics"`
}

// problem is an element of errors.
type problem struct {
	Value      string `json:"value"`
	ResourceID string `json:"resource_id"`
	Title      string `json:"title"`
	Detail     string `json:"detail"`
	Type       string `json:"type"`
}

// response is the body of a response.
type response struct {
	Data   []json.RawMessage `json:"data"`
	Errors []problem         `json:"errors"`
}

func (body *response) read(r io.Reader) error {
	if err := connector.Object(r, body); err != nil {
		return fmt.Errorf("x users: %w", err)
	}
	if len(body.Data) == 0 && len(body.Errors) == 0 {
		return errors.New("x users: the response has neither accounts nor errors")
	}
	return nil
}

// Users reads a response with the followers on a date. It returns an error if the response cannot be
// read to its end, or has neither accounts nor errors.
func Users(r io.Reader, asOf domain.Date) (Response, error) {
	var body response
	if err := body.read(r); err != nil {
		return Response{}, err
	}
	var a Response
	a.Rows, a.Lost = connector.KeyedRows(domain.KindAccount, body.Data, func(element json.RawMessage) (connector.KeyedRow, error) {
		return readUser(element, asOf)
	})
	for _, p := range body.Errors {
		if name := cmp.Or(p.Value, p.ResourceID); name != "" {
			a.Missing = append(a.Missing, Missing{name, p.reason()})
		}
	}
	return a, nil
}

// Handles reads the response to a request of [ByID] and returns the present handles by id. Its errors are
// those of [Users].
func Handles(r io.Reader) (map[string]string, error) {
	var body response
	if err := body.read(r); err != nil {
		return nil, err
	}
	handles := map[string]string{}
	for _, element := range body.Data {
		row, _ := readUser(element, "") // a number of followers is not needed
		handles[row.ID] = row.Key
	}
	return handles, nil
}

func readUser(element json.RawMessage, asOf domain.Date) (connector.KeyedRow, error) {
	var in user
	if err := json.Unmarshal(element, &in); err != nil {
		return connector.KeyedRow{}, errors.New("it is of the wrong type")
	}
	row := connector.KeyedRow{ID: connector.Text(in.ID), Key: strings.TrimPrefix(strings.TrimSpace(in.Username), "@")}
	if row.ID == "" || row.Key == "" {
		return row, errors.New("it has no id or no username")
	}
	text := connector.Text(in.Metrics.Followers)
	if text == "" {
		return row, connector.NoFigure("the response has no followers_count")
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !connector.IsCount(n) {
		return row, fmt.Errorf("followers_count %.40q is not a count", text)
	}
	row.Figure = domain.Figure{Value: n, Source: Source, AsOf: asOf}
	return row, nil
}

func (p problem) reason() Reason {
	switch {
	case strings.Contains(strings.ToLower(p.Detail), "suspended"):
		return Suspended
	case strings.HasSuffix(p.Type, "resource-not-found"):
		return NotFound
	}
	return Withheld
}
