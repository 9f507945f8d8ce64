// Package overview renders the operator's page: HTML with its style and plots, without scripts or
// further requests.
//
// Its input is plain values. The package must not know their origin, HTTP or the clock. Texts may
// be hostile; the template escapes them.
package overview

import (
	"crypto/sha256"
	_ "embed" // the template and its style
	"encoding/base64"
	"html/template"
	"io"
	"time"
)

// Report is the content of a page. Unknown numbers are NaN, unknown times zero.
type Report struct {
	Now     time.Time
	Refresh int // refresh interval in seconds, 0 for none

	Build   Build
	Started time.Time

	Ready    bool
	Draining bool
	Problems []Problem

	Served    *Served // nil if nothing is served
	Publishes []Publish
	Syncs     []Sync     // scheduled ones
	Directory *Directory // nil if none is watched
	Store     Store

	Traffic  Traffic
	Slowest  []Slow // slowest first
	Limits   Limits
	Keys     []Key
	KeysAge  float64 // seconds since they were read
	Cache    Cache
	Memory   Memory
	Coverage Coverage
}

// Build describes the build of the binary.
type Build struct{ Version, Commit, Toolchain string }

// Problem is a problem that needs an operator.
type Problem struct {
	What, Text string
	Since      time.Time
	Remedy     string // a command, "" for none
}

// Served describes the served revision.
type Served struct {
	Publish
	Title         string
	Since         time.Time
	Compiled      float64 // duration in seconds
	Demonstration bool
	Locales       []string
	Records       []Count
	Figures       []Figure
}

// Count is a number with its name.
type Count struct {
	Name string
	N    int
}

// Figure summarises the figures of a name and source. Dates are YYYY-MM-DD, "" if there are none.
type Figure struct {
	Name, Source   string
	Records        int
	Oldest, Newest string
}

// Publish is a revision.
type Publish struct {
	Number                     int64
	At                         time.Time
	Op, Actor, Message, Commit string
	Modified                   bool // the files differed from Commit
}

// Sync is a scheduled sync of figures.
type Sync struct {
	Source    string
	Succeeded time.Time // last success of any process
	Problem   string    // of the last run, "" for none
	Runs      string    // process that runs it now, "" for none
}

// Directory is the watched catalogue directory.
type Directory struct {
	Dir              string
	Read             time.Time // last reading
	Errors, Warnings int       // of the last reading
	Commit           string
	Modified         bool
	CommitProblem    string
	Events           []Event // newest first
}

// Event is a change of the directory and its result.
type Event struct {
	At       time.Time
	Result   string
	Revision int64 // 0 for none
	Reasons  []string
}

// Store is the state of the store.
type Store struct {
	Name                          string // without a password
	Up, Damaged, Stale            bool
	LastGood                      float64 // revision in the file of the last good state
	LastGoodServed                bool
	Loads, LoadsFailed            float64
	Published, Held, NotPublished float64 // changes of the directory
}

// Traffic describes the requests of clients.
type Traffic struct {
	InFlight, Connections, MaxConnections, Bytes float64
	Operations                                   []Operation
	Samples                                      []Sample // oldest first, the last one now
}

// Operation summarises the requests of an operation since the process began.
type Operation struct {
	Name     string
	Codes    []Code
	Latency  Histogram
	Requests float64
}

// Code is the number of responses with a status.
type Code struct {
	Status string
	N      float64
}

// Sample has the counts at a time, since the process began.
type Sample struct {
	At                        time.Time
	Answered, Refused, Failed float64 // by status: up to 399, up to 499, others
}

// Slow is a slow request.
type Slow struct {
	At        time.Time
	Operation string
	Target    string // path and query; "" if not kept
	Status    int
	Took      time.Duration
}

// Limits describe quotas and rejected requests.
type Limits struct {
	Tiers       []Tier
	Limited     float64 // requests over quota
	LimitedKeys float64 // of these, with a valid API key
	Shed        float64 // requests rejected because of overload
	Displaced   float64 // connections closed for new ones
	Callers     float64 // clients that have spent part of a quota
	Refusals    []Refusals
	Redis       float64 // 1 while quotas are shared, 0 while not; NaN without Redis
}

// Tier is a group of clients and its quota.
type Tier struct{ Name, Limit string }

// Refusals are the requests over quota of a minute.
type Refusals struct {
	Since   time.Time
	Total   uint64
	Callers []string // those with the most, with counts
}

// Key describes an API key, without the key itself.
type Key struct {
	Name              string
	Limit             string // "" for the default
	Until, Used       time.Time
	Admitted, Refused float64 // requests of the name since the process began
}

// Cache describes the response cache.
type Cache struct{ Bytes, Limit, Answers, Bodies, Hits, Misses float64 }

// Memory describes the memory of the process.
type Memory struct {
	Resident, Heap, Limit  float64
	Goroutines, CPUSeconds float64
	Answers                []Share
}

// Share is the memory of responses in progress of one size.
type Share struct {
	Name                 string
	Held, Limit, Waiting float64
}

// Coverage is the number of texts in each language.
type Coverage struct {
	Locales []string
	Kinds   []Covered
}

// Covered is the coverage of one kind of texts.
type Covered struct {
	Name    string
	Names   bool // names, which may be the same in all languages
	Texts   int
	Written []int // in the order of Coverage.Locales
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
