// Package overview makes the page that tells an operator how a server is: HTML with
// its style and plots, which asks for nothing else and runs nothing.
//
// It is made of plain values. The package must not know where they come from, nor
// HTTP, nor the clock. All texts may be hostile: they are escaped where they stand.
package overview

import (
	"crypto/sha256"
	_ "embed" // the template and its style
	"encoding/base64"
	"html/template"
	"io"
	"time"
)

// Report is what a page tells. Of its numbers, NaN says that one is not known, and of
// its times the zero one.
type Report struct {
	Now     time.Time
	Refresh int // seconds after which a browser asks again; 0 for never

	Build   Build
	Started time.Time

	Ready    bool
	Draining bool
	Problems []Problem

	Served    *Served // nil while nothing is
	Publishes []Publish
	Directory *Directory // nil where none is watched
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

// Build says what the binary was built from.
type Build struct{ Version, Commit, Toolchain string }

// Problem is something that an operator should see to.
type Problem struct {
	What, Text string
	Since      time.Time
	Remedy     string // a command, "" for none
}

// Served is what is served.
type Served struct {
	Publish
	Title         string
	Since         time.Time
	Compiled      float64 // seconds that it took
	Demonstration bool
	Locales       []string
	Records       []Count
	Figures       []Figure
}

// Count is a number of something.
type Count struct {
	Name string
	N    int
}

// Figure sums up the figures of one name and source. The dates are written
// YYYY-MM-DD, "" where none has one.
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
	Modified                   bool // the files were not quite those of Commit
}

// Directory is the one that is watched.
type Directory struct {
	Dir              string
	Read             time.Time // when it was read last
	Errors, Warnings int       // that were found then
	Commit           string
	Modified         bool
	CommitProblem    string
	Events           []Event // newest first
}

// Event is a change of the directory and what became of it.
type Event struct {
	At       time.Time
	Result   string
	Revision int64 // 0 for none
	Reasons  []string
}

// Store is how the store is.
type Store struct {
	Name                          string // without a password
	Up, Damaged, Stale            bool
	LastGood                      float64 // revision in the file of the last good state
	LastGoodServed                bool
	Loads, LoadsFailed            float64
	Published, Held, NotPublished float64 // changes of the directory
}

// Traffic is what clients asked for.
type Traffic struct {
	InFlight, Connections, MaxConnections, Bytes float64
	Operations                                   []Operation
	Samples                                      []Sample // oldest first, the last one of now
}

// Operation sums up the requests of one operation since the process began.
type Operation struct {
	Name     string
	Codes    []Code
	Latency  Histogram
	Requests float64
}

// Code counts the requests that were answered with a status.
type Code struct {
	Status string
	N      float64
}

// Sample is what was counted at a moment, since the process began.
type Sample struct {
	At                        time.Time
	Answered, Refused, Failed float64 // by status: up to 399, up to 499, others
}

// Slow is a request that took long.
type Slow struct {
	At        time.Time
	Operation string
	Target    string // path and query; "" where they are not told
	Status    int
	Took      time.Duration
}

// Limits are what callers may take, and who was turned away.
type Limits struct {
	Tiers       []Tier
	Limited     float64 // requests beyond a quota, of whomever
	LimitedKeys float64 // of these with an API key that is still valid
	Shed        float64 // requests that came while too much was to do
	Displaced   float64 // connections that made room for others
	Callers     float64 // that have spent something of a quota
	Refusals    []Refusals
	Redis       float64 // 1 while servers count together, 0 while they do not; NaN where they never do
}

// Tier is a sort of callers and their quota.
type Tier struct{ Name, Limit string }

// Refusals are the requests of a minute that were beyond a quota.
type Refusals struct {
	Since   time.Time
	Total   uint64
	Callers []string // those with the most, named as the operator wants, with their counts
}

// Key is an API key: its name, never the key.
type Key struct {
	Name              string
	Limit             string // "" for that of all keys
	Until, Used       time.Time
	Admitted, Refused float64 // requests of the name since the process began
}

// Cache is what the kept answers take and bring.
type Cache struct{ Bytes, Limit, Answers, Bodies, Hits, Misses float64 }

// Memory is what the process takes of it, and may.
type Memory struct {
	Resident, Heap, Limit  float64
	Goroutines, CPUSeconds float64
	Answers                []Share
}

// Share is the memory of answers of one size that are being made and sent.
type Share struct {
	Name                 string
	Held, Limit, Waiting float64
}

// Coverage says in how many of its texts a catalogue speaks each language.
type Coverage struct {
	Locales []string
	Kinds   []Covered
}

// Covered is the coverage of one kind of texts.
type Covered struct {
	Name    string
	Names   bool // they are what people call records by, which may be the same in all languages
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

// Policy is the Content-Security-Policy of the page: its own style, and nothing else.
func Policy() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// Write writes the page of a report.
func Write(w io.Writer, r Report) error { return page.Execute(w, newDocument(r)) }
