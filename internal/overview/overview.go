// Package overview renders the operator's page: HTML with its style and plots, without scripts or
// further requests.
//
// Its input is what the follower and the metrics say. The package must not know HTTP or the clock.
// Texts may be hostile; the template escapes them.
package overview

import (
	"crypto/sha256"
	_ "embed" // the template and its style
	"encoding/base64"
	"html/template"
	"io"
	"time"

	"vitrine/internal/admission"
	"vitrine/internal/domain"
	"vitrine/internal/follow"
	"vitrine/internal/snapshot"
	"vitrine/internal/store"
)

// Report is the content of a page. Unknown times are zero.
type Report struct {
	Now     time.Time
	Refresh int // refresh interval in seconds, 0 for none
	Build   Build

	Status   follow.Status
	Problems []Problem
	// Metric returns the sum of a metric over all values of the labels that are not given, in pairs
	// of name and value; NaN if there is none.
	Metric func(name string, labels ...string) float64

	Served    *Served // nil if nothing is served
	Publishes []store.Revision
	Directory *follow.Watched // nil if none is watched
	Store     string          // its name without a password
	Keys      []follow.KeyUse
	Coverage  []domain.Coverage // of the served catalogue

	Operations []Operation
	Samples    []Sample // oldest first, the last one now
	Slowest    []Slow   // slowest first
	Tiers      []Tier
	Refusals   []admission.Refusals // of the last hour, newest first
	Empty      []Search             // without results, newest first
}

// is reports whether a metric is 1.
func (r *Report) is(name string) bool { return r.Metric(name) == 1 }

// count formats a metric as a whole number.
func (r *Report) count(name string, labels ...string) string { return whole(r.Metric(name, labels...)) }

// Build is the running program.
type Build struct{ Version, Commit, Toolchain string }

// Problem is a problem that an operator should know about.
type Problem struct {
	What, Text string
	Since      time.Time
	Remedy     string // a command, "" for none
}

// Served is the served revision.
type Served struct {
	store.Revision
	Meta    snapshot.Meta
	Since   time.Time // start of serving it in this process
	Records []Count
}

// Count is the number of records of a kind.
type Count struct {
	Name string
	N    int
}

// Operation has the requests of an operation.
type Operation struct {
	Name     string
	Codes    []Code
	Latency  Histogram
	Requests float64
}

// Code is the number of requests with a status.
type Code struct {
	Status string
	N      float64
}

// Sample is the number of requests since the process began, at a time.
type Sample struct {
	At                        time.Time
	Answered, Refused, Failed float64 // by status: up to 399, up to 499, others
}

// Slow is a slow request, without its client.
type Slow struct {
	At        time.Time // when it ended
	Operation string
	Target    string // path and query; "" if not kept
	Status    int
	Took      time.Duration
}

// Tier is a quota.
type Tier struct{ Name, Limit string }

// Search is a search without results.
type Search struct {
	At   time.Time
	Text string
}

var (
	//go:embed page.html
	source string
	//go:embed style.css
	style string

	page = template.Must(template.New("page").Parse(source))
)

// Policy returns the Content-Security-Policy of the page, which allows only its style.
func Policy() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// Write writes the page of a report.
func Write(w io.Writer, r Report) error { return page.Execute(w, newDocument(r)) }
