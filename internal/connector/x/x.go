// Package x reads responses of X API v2: GET /2/users/by and GET /2/users, with the field
// public_metrics.
//
// It fetches nothing and knows no token. All functions are pure and safe for concurrent use.
package x

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"vitrine/internal/connector"
	"vitrine/internal/fold"
)

// Source is the source of X's figures.
const Source = "x"

// BatchSize is the maximum number of accounts of a request.
const BatchSize = 100

// User is an account at X.
type User struct {
	ID        string   // never changes
	Handle    string   // as X spells it
	Followers *float64 // nil if the response has none
}

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
	Users   []User // each id once, in the order of the response
	Missing []Missing
	Lost    []connector.Loss // elements that cannot be used
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

// Users reads a response. It returns an error if the response cannot be read to its end, or has
// neither accounts nor errors.
func Users(r io.Reader) (Response, error) {
	var body struct {
		Data   []json.RawMessage `json:"data"`
		Errors []problem         `json:"errors"`
	}
	if err := connector.Object(r, &body); err != nil {
		return Response{}, fmt.Errorf("x users: %w", err)
	}
	if len(body.Data) == 0 && len(body.Errors) == 0 {
		return Response{}, errors.New("x users: the response has neither accounts nor errors")
	}
	var a Response
	seen := map[string]bool{}
	for i, element := range body.Data {
		u, err := readUser(element)
		switch {
		case err != nil:
			a.Lost = append(a.Lost, connector.Loss{Name: u.Handle, Reason: fmt.Sprintf("row %d: %v", i, err)})
		case seen[u.ID] || seen["@"+fold.Text(u.Handle)]:
			a.Lost = append(a.Lost, connector.Loss{Name: u.Handle, Reason: fmt.Sprintf("row %d: the response has the account twice", i)})
		default:
			seen[u.ID], seen["@"+fold.Text(u.Handle)] = true, true
			a.Users = append(a.Users, u)
		}
	}
	for _, p := range body.Errors {
		if name := p.name(); name != "" {
			a.Missing = append(a.Missing, Missing{name, p.reason()})
		}
	}
	return a, nil
}

func readUser(element json.RawMessage) (User, error) {
	var in user
	if err := json.Unmarshal(element, &in); err != nil {
		return User{}, errors.New("it is of the wrong type")
	}
	u := User{ID: strings.Trim(string(in.ID), `"`), Handle: strings.TrimPrefix(strings.TrimSpace(in.Username), "@")}
	if u.ID == "" || u.ID == "null" || u.Handle == "" {
		return u, errors.New("it has no id or no username")
	}
	if text := strings.Trim(string(in.Metrics.Followers), `"`); text != "" && text != "null" {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || n < 0 || n > 1<<53 || n != math.Trunc(n) {
			return u, fmt.Errorf("followers_count %.40q is not a count", text)
		}
		u.Followers = &n
	}
	return u, nil
}

func (p problem) name() string {
	if p.Value != "" {
		return p.Value
	}
	return p.ResourceID
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
