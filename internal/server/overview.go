package server

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"vitrine/internal/admission"
	"vitrine/internal/domain"
	"vitrine/internal/follow"
	"vitrine/internal/overview"
	"vitrine/internal/store"
)

// About is the overview's data from other sources than the metrics and the follower. The zero
// value is valid.
type About struct {
	Store string                 // its DSN without password
	Tiers func() []overview.Tier // the current quotas; may be nil
	// Refusals returns the requests over quota, newest first; may be nil.
	Refusals func(now time.Time) []admission.Refusals
}

// Limits of the refresh interval, in seconds.
const (
	minRefresh = 5
	maxRefresh = 3600
)

// overviewPage is the page at the root of the admin listener.
type overviewPage struct {
	follower *follow.Follower
	metrics  *Metrics
	about    About

	mu      sync.Mutex
	covered store.Revision // revision of result
	result  []domain.Coverage
}

func (p *overviewPage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var page bytes.Buffer
	report := p.report(time.Now())
	report.Refresh = refreshOf(r.URL.Query().Get("refresh"))
	if err := overview.Write(&page, report); err != nil {
		http.Error(w, "the overview cannot be written: "+err.Error(), http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", overview.Policy())
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cache-Control", "no-store")
	_, _ = page.WriteTo(w) // fails if the client has disconnected
}

// refreshOf returns the refresh interval in seconds, 0 for none.
func refreshOf(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n <= 0 {
		return 0
	}
	return min(max(n, minRefresh), maxRefresh)
}

// report collects the data of the page.
func (p *overviewPage) report(now time.Time) overview.Report {
	all, err := gather(p.metrics.registry)
	status := p.follower.Status()
	r := overview.Report{
		Now: now, Build: buildOf(all), Status: status, Problems: problemsOf(status, err), Metric: all.of,
		Publishes: p.follower.Recent(), Store: p.about.Store, Keys: p.follower.KeyUses(now),
		Operations: operationsOf(all), Samples: p.metrics.samples.list(now), Slowest: p.metrics.slowest.list(now),
		Empty: p.metrics.empty.list(),
	}
	if p.about.Tiers != nil {
		r.Tiers = p.about.Tiers()
	}
	if p.about.Refusals != nil {
		r.Refusals = slices.DeleteFunc(p.about.Refusals(now), func(r admission.Refusals) bool { return now.Sub(r.Until) > time.Hour })
	}
	if watched, ok := p.follower.Watched(); ok {
		r.Directory = &watched
	}
	if served, ok := p.follower.Served(); ok {
		r.Served, r.Coverage = servedOf(served), p.coverage(served)
	}
	return r
}

// problemsOf lists the problems. err is the error of reading the metrics.
func problemsOf(status follow.Status, err error) []overview.Problem {
	var all []overview.Problem
	add := func(what, text string, since *time.Time) {
		if text == "" {
			return
		}
		p := overview.Problem{What: what, Text: text}
		if since != nil {
			p.Since = *since
		}
		all = append(all, p)
	}
	add("The store", status.StoreProblem, status.StaleSince)
	add("The API keys", status.APIKeysProblem, status.APIKeysStaleSince)
	add("The last good state", status.LastGoodProblem, nil)
	add("The log of changes", status.ChangesProblem, nil)
	add("The distribution", status.DistributionProblem, nil)
	add("The purge of caches", status.PurgeProblem, nil)
	add("The catalogue directory", status.CatalogProblem, nil)
	add("The catalogue directory", status.CatalogChanging, nil)
	add("Another publisher", status.PublishRival, nil)
	for _, s := range status.Syncs {
		add("The sync of "+s.Source, s.Problem, s.Since)
	}
	if held := status.PublishHeld; held != nil {
		for _, reason := range held.Reasons {
			all = append(all, overview.Problem{What: "A publish is held", Text: reason, Since: held.Since, Remedy: held.Accept})
		}
		all = append(all, overview.Problem{What: "Edits wait", Text: held.Waiting.Note, Since: held.Since})
	}
	if err != nil {
		add("The metrics", err.Error(), nil)
	}
	return all
}

func buildOf(all gathered) overview.Build {
	for _, info := range all["vitrine_build_info"] {
		return overview.Build{Version: info.labels["version"], Commit: info.labels["revision"], Toolchain: info.labels["goversion"]}
	}
	return overview.Build{}
}

// servedOf describes the served revision.
func servedOf(served follow.Served) *overview.Served {
	in := served.Snapshot.Locales().Default()
	s := &overview.Served{Revision: served.Revision, Meta: *served.Snapshot.MetaView(in), Since: served.Since}
	for _, d := range domain.Descriptions() {
		if n := d.Size(served.Catalog); d.Kind != domain.KindCatalog && n > 0 {
			s.Records = append(s.Records, overview.Count{Name: d.Plural, N: n})
		}
	}
	return s
}

// coverage counts the texts of the served catalogue, once for each revision.
func (p *overviewPage) coverage(served follow.Served) []domain.Coverage {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.covered != served.Revision {
		p.covered, p.result = served.Revision, domain.Cover(served.Catalog)
	}
	return p.result
}

// operationsOf returns the requests of each operation.
func operationsOf(all gathered) []overview.Operation {
	var operations []overview.Operation
	for _, one := range all[durationMetric] {
		name := one.labels["operation"]
		o := overview.Operation{Name: name, Latency: one.histogram, Requests: all.of(requestsMetric, "operation", name)}
		for _, code := range all[requestsMetric] {
			if code.labels["operation"] == name {
				o.Codes = append(o.Codes, overview.Code{Status: code.labels["code"], N: code.value})
			}
		}
		operations = append(operations, o)
	}
	return operations
}
