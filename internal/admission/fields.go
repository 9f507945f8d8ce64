package admission

import (
	"net/http"
	"strconv"
	"time"

	"vitrine/internal/ratelimit"
)

// The response headers of draft-ietf-httpapi-ratelimit-headers are lists of structured fields
// (RFC 9651) with one item per policy.

// The names of the policies.
const (
	nameAnonymous = "anonymous"
	namePages     = "pages"
	nameFeeds     = "feeds"
	nameKey       = "key"
	nameBytes     = "bytes"
	nameBulk      = "bulk"
	nameBulkBytes = "bulk-bytes"
)

// ofBytes is the parameter of a policy that counts bytes.
const ofBytes = `;qu="content-bytes"`

// bulkAdvice is what clients of bulk data can do about an exhausted quota.
const bulkAdvice = "; to use less of it, send If-None-Match, and get the delta from your revision instead of the full set; API keys have a larger one"

// maxInteger is the largest integer of a structured field.
const maxInteger = 999_999_999_999_999

// quota is a policy with the constant parts of its header items.
type quota struct {
	policy    ratelimit.Policy
	described string // its item of RateLimit-Policy
	remaining string // its item of RateLimit, up to the number
}

// newQuota prepares a policy. further has more parameters for its description.
func newQuota(name string, policy ratelimit.Policy, further string) quota {
	item := strconv.Quote(name) // names are plain letters
	return quota{
		policy: policy,
		described: item + ";q=" + strconv.FormatInt(min(policy.Quota, maxInteger), 10) +
			";w=" + strconv.FormatInt(seconds(policy.Window), 10) + further,
		remaining: item + ";r=",
	}
}

// limits reports whether there is a limit.
func (q *quota) limits() bool { return q.policy.Quota > 0 }

// wait returns the whole seconds until a unit is available, 0 if one is.
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

// lane has the quotas of one class of callers.
type lane struct {
	requests, bytes quota
	policies        []string // the value of RateLimit-Policy; nil without limits
	advice          string   // for the detail of a refusal, "" for none
}

// advising returns the lane with advice.
func (l lane) advising(advice string) lane {
	l.advice = advice
	return l
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

// describe sets the headers. The lane must have a limit.
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
