package response

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"strconv"

	"vitrine/internal/query"
)

// allow lists the methods of every operation.
const allow = "GET, HEAD, OPTIONS"

// challenge describes both ways to send a key, as RFC 9110, section 11.6.1, demands of a
// 401. A header of one's own has no registered scheme.
const challenge = `Bearer error="invalid_token", ApiKey header="X-API-Key"`

// Code is the stable name of a kind of error (docs/api.md#errors).
type Code string

// The codes of the errors.
const (
	InvalidParameter Code = "invalid_parameter"
	InvalidAPIKey    Code = "invalid_api_key"
	InvalidRequest   Code = "invalid_request" // of /mcp, as the next two
	Forbidden        Code = "forbidden"
	TooLarge         Code = "too_large"
	NotFound         Code = "not_found"
	Gone             Code = "gone"
	MethodNotAllowed Code = "method_not_allowed"
	NotAcceptable    Code = "not_acceptable"
	URITooLong       Code = "uri_too_long"
	HeadersTooLarge  Code = "headers_too_large"
	RateLimited      Code = "rate_limited"

	RangeNotSatisfiable Code = "range_not_satisfiable" // of files of the distribution

	Overloaded Code = "overloaded"
	NotReady   Code = "not_ready"
	Internal   Code = "internal"
)

// Problem is an error for the client. Detail is a sentence for readers and must not reveal
// internals.
type Problem struct {
	Code       Code
	Detail     string
	Parameter  string   // for InvalidParameter
	Allowed    []string // for a parameter that is an enumeration
	Candidates []string // for NotFound: near names, the likeliest first
	Oldest     int64    // for Gone: the oldest revision whose later changes are known
	Bulk       string   // for Gone: the address of the bulk data, "" for none
	Allow      string   // for MethodNotAllowed: the methods, comma-separated; "" for those of the operations
	RetryAfter int64    // whole seconds; 0 for the default of the code
}

func (p *Problem) Error() string { return string(p.Code) + ": " + p.Detail }

// traits defines how a kind of error is sent.
type traits struct {
	status     int
	title      string
	cache      string
	retryAfter string // whole seconds, "" for none
}

// traitsOf has all codes.
var traitsOf = map[Code]traits{
	InvalidParameter:    {http.StatusBadRequest, "Invalid parameter", cacheError, ""},
	InvalidRequest:      {http.StatusBadRequest, "Invalid request", cacheNever, ""},
	Forbidden:           {http.StatusForbidden, "Forbidden", cacheNever, ""},
	TooLarge:            {http.StatusRequestEntityTooLarge, "Too large", cacheNever, ""},
	InvalidAPIKey:       {http.StatusUnauthorized, "Invalid API key", cacheNever, ""},
	NotFound:            {http.StatusNotFound, "Not found", cacheError, ""},
	Gone:                {http.StatusGone, "Gone", cacheError, ""},
	MethodNotAllowed:    {http.StatusMethodNotAllowed, "Method not allowed", cacheNever, ""},
	NotAcceptable:       {http.StatusNotAcceptable, "Not acceptable", cacheNever, ""},
	URITooLong:          {http.StatusRequestURITooLong, "URI too long", cacheNever, ""},
	HeadersTooLarge:     {http.StatusRequestHeaderFieldsTooLarge, "Headers too large", cacheNever, ""},
	RangeNotSatisfiable: {http.StatusRequestedRangeNotSatisfiable, "Range not satisfiable", cacheNever, ""},
	RateLimited:         {http.StatusTooManyRequests, "Rate limited", cacheNever, "1"},
	Overloaded:          {http.StatusServiceUnavailable, "Overloaded", cacheNever, "1"},
	NotReady:            {http.StatusServiceUnavailable, "Not ready", cacheNever, "5"},
	Internal:            {http.StatusInternalServerError, "Internal error", cacheNever, ""},
}

// document is the body of an error: the members of RFC 9457, and those of Vitrine.
type document struct {
	Type      string   `json:"type"`
	Title     string   `json:"title"`
	Status    int      `json:"status"`
	Detail    string   `json:"detail"`
	Code      Code     `json:"code"`
	Parameter string   `json:"parameter,omitempty"`
	Allowed   []string `json:"allowed,omitempty"`

	Candidates []string `json:"candidates,omitempty"`
	Oldest     int64    `json:"oldest,omitempty"`
	Bulk       string   `json:"bulk,omitempty"`
	RequestID  string   `json:"requestId"`
}

// Failure is an error for an error page.
type Failure struct {
	*Problem
	Status    int
	Title     string // in English, as in the JSON document
	RequestID string
}

// FailureOf returns the error of a code without details of a request, for a prepared page.
func FailureOf(code Code) Failure {
	traits := traitsOf[code]
	return Failure{Problem: &Problem{Code: code}, Status: traits.status, Title: traits.title}
}

// Fail sends an error. A [*Problem] or a [*query.Error] is reported in full. Any other error is
// internal, and only the request id is reported. Fail takes the id from the response's
// X-Request-Id.
func Fail(w http.ResponseWriter, r *http.Request, err error) Sent { return FailAs(w, r, err, nil) }

// FailAs is [Fail] with a body that page makes; nil means JSON.
func FailAs(w http.ResponseWriter, r *http.Request, err error, page func(Failure) Document) Sent {
	problem := problemOf(err)
	traits := traitsOf[problem.Code]
	header := w.Header()
	for _, name := range []string{"Etag", "Content-Encoding", "Content-Language", "Total-Count", "Link"} {
		header.Del(name) // they described a body that is not sent now
	}
	header.Set("Cache-Control", traits.cache)
	if problem.RetryAfter > 0 {
		header.Set("Retry-After", strconv.FormatInt(problem.RetryAfter, 10))
	} else if traits.retryAfter != "" {
		header.Set("Retry-After", traits.retryAfter)
	}
	switch problem.Code {
	case MethodNotAllowed:
		header.Set("Allow", cmp.Or(problem.Allow, allow))
	case InvalidAPIKey:
		header.Set("WWW-Authenticate", challenge)
	}
	var body []byte
	if page != nil {
		made := page(Failure{problem, traits.status, traits.title, header.Get("X-Request-Id")})
		body = made.Body
		maps.Copy(header, made.Fields.More)
		if made.Fields.ContentLanguage != nil {
			header["Content-Language"] = made.Fields.ContentLanguage
		}
	} else {
		body = problem.document(traits, header.Get("X-Request-Id"))
		header["Content-Type"] = []string{contentType}
	}
	header["Content-Length"] = []string{strconv.Itoa(len(body))}
	sent := write(w, r, traits.status, body)
	sent.Code = problem.Code
	return sent
}

// document returns the problem as JSON.
func (p *Problem) document(traits traits, requestID string) []byte {
	body, err := json.Marshal(document{
		Type:      "urn:vitrine:problem:" + string(p.Code),
		Title:     traits.title,
		Status:    traits.status,
		Detail:    p.Detail,
		Code:      p.Code,
		Parameter: p.Parameter,
		Allowed:   p.Allowed,

		Candidates: p.Candidates,
		Oldest:     p.Oldest,
		Bulk:       p.Bulk,
		RequestID:  requestID,
	})
	if err != nil {
		panic("response: encode a problem: " + err.Error())
	}
	return body
}

func problemOf(err error) *Problem {
	var problem *Problem
	if errors.As(err, &problem) {
		return problem
	}
	var parameter *query.Error
	if errors.As(err, &parameter) {
		return &Problem{
			Code:      InvalidParameter,
			Detail:    parameter.Detail,
			Parameter: parameter.Parameter,
			Allowed:   parameter.Allowed,
		}
	}
	return &Problem{Code: Internal, Detail: "something went wrong on our side; quote the requestId when you report it"}
}
