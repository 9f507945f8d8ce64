package admission

import (
	"net/http"
	"strconv"
	"time"

	"vitrine/internal/ratelimit"
)

// The response headers of draft-ietf-httpapi-ratelimit-headers: each is a list
// of structured fields (RFC 9651) with an item for each policy.

// The names of the policies.
const (
	nameAnonymous = "anonymous"
	namePages     = "pages"
	nameFeeds     = "feeds"
	nameKey       = "key"
)

// maxInteger is the largest integer of a structured field.
const maxInteger = 999_999_999_999_999

// quota is a policy and what the headers say of it.
type quota struct {
	policy    ratelimit.Policy
	described string // its item of RateLimit-Policy
	remaining string // its item of RateLimit, up to the number of what is left
}

// newQuota prepares a policy; further are parameters of its description.
func newQuota(name string, policy ratelimit.Policy, further string) quota {
	item := strconv.Quote(name) // a name of plain letters
	return quota{
		policy: policy,
		described: item + ";q=" + strconv.FormatInt(min(policy.Quota, maxInteger), 10) +
			";w=" + strconv.FormatInt(seconds(policy.Window), 10) + further,
		remaining: item + ";r=",
	}
}

// limits reports whether there is a limit at all.
func (q *quota) limits() bool { return q.policy.Quota > 0 }

// wait returns the whole seconds until there is a unit, 0 if there is one.
func (q *quota) wait(d ratelimit.Decision) int64 {
	if !q.limits() || d.Remaining > 0 {
		return 0
	}
	return seconds(d.Next)
}

// seconds rounds up.
func seconds(d time.Duration) int64 {
	return int64(d/time.Second) + min(int64(d%time.Second), 1)
}

// lane is what limits one kind of caller.
type lane struct {
	requests, bytes quota
	policies        []string // the value of RateLimit-Policy; nil without limits
}

func newLane(requests, bytes quota) lane {
	l := lane{requests: requests, bytes: bytes}
	switch {
	case requests.limits() && bytes.limits():
		l.policies = []string{requests.described + ", " + bytes.described}
	case requests.limits():
		l.policies = []string{requests.described}
	case bytes.limits():
		l.policies = []string{bytes.described}
	}
	return l
}

// describe sets the headers; the lane has a limit.
func (l *lane) describe(header http.Header, requests, bytes ratelimit.Decision) {
	header["Ratelimit-Policy"] = l.policies
	var buffer [128]byte
	b := buffer[:0]
	if l.requests.limits() {
		b = l.requests.append(b, requests)
	}
	if l.bytes.limits() {
		if len(b) > 0 {
			b = append(b, ", "...)
		}
		b = l.bytes.append(b, bytes)
	}
	header["Ratelimit"] = []string{string(b)}
}

// append appends the item of RateLimit.
func (q *quota) append(b []byte, d ratelimit.Decision) []byte {
	b = append(b, q.remaining...)
	b = strconv.AppendInt(b, min(d.Remaining, maxInteger), 10)
	b = append(b, ";t="...)
	return strconv.AppendInt(b, seconds(d.Next), 10)
}
