package server

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/follow"
	"vitrine/internal/overview"
	"vitrine/internal/query"
	"vitrine/internal/store"
)

// About is the overview's data from other sources than the metrics and the follower. The zero
// value is valid.
type About struct {
	Store string                 // its DSN without password
	Tiers func() []overview.Tier // the current quotas; may be nil
	// Refusals returns the requests over quota of the last hour, newest first; may be nil.
	Refusals func(now time.Time) []overview.Refusals
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
	result  overview.Coverage
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
		Now: now, Ready: status.Ready, Draining: all.is("vitrine_draining"), Problems: problemsOf(status, err),
		Build: buildOf(all), Started: startedAt(all),
		Store: storeOf(all, status, p.about), Traffic: p.traffic(all, now), Limits: p.limits(all, now),
		Keys: p.keys(all, now), KeysAge: all.of("vitrine_api_keys_age_seconds"), Cache: cacheOf(all), Memory: memoryOf(all),
	}
	for _, s := range p.metrics.slowest.list() {
		if now.Sub(s.at) <= slowFor {
			r.Slowest = append(r.Slowest, overview.Slow{At: s.at, Operation: s.operation, Target: s.target, Status: s.status, Took: s.took})
		}
	}
	for _, rev := range p.follower.Recent() {
		r.Publishes = append(r.Publishes, publishOf(rev))
	}
	for _, s := range status.Syncs {
		r.Syncs = append(r.Syncs, syncOf(s))
	}
	if watched, ok := p.follower.Watched(); ok {
		r.Directory = directoryOf(watched)
	}
	if served, ok := p.follower.Served(); ok {
		s, err := servedOf(served, all)
		if err != nil {
			r.Problems = append(r.Problems, overview.Problem{What: "The overview", Text: err.Error()})
		}
		s.Demonstration = status.Demonstration
		r.Served = s
		r.Coverage = p.coverage(served)
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

func startedAt(all gathered) time.Time {
	started := all.of("process_start_time_seconds")
	if math.IsNaN(started) {
		return time.Time{}
	}
	return time.UnixMilli(int64(started * 1000))
}

func storeOf(all gathered, status follow.Status, about About) overview.Store {
	return overview.Store{
		Name: about.Store, Up: all.is("vitrine_store_up"), Damaged: all.is("vitrine_store_damaged"), Stale: status.Stale,
		LastGood: all.of("vitrine_last_good_revision"), LastGoodServed: all.is("vitrine_last_good_served"),
		Loads: all.of("vitrine_loads_total", "result", "ok"), LoadsFailed: all.of("vitrine_loads_total", "result", "failed"),
		Published: all.of("vitrine_publishes_total", "result", "ok"), Held: all.of("vitrine_publishes_total", "result", "held"),
		NotPublished: all.of("vitrine_publishes_total", "result", "failed"),
	}
}

func publishOf(r store.Revision) overview.Publish {
	return overview.Publish{
		Number: r.Number, At: r.PublishedAt, Op: string(r.Op), Actor: r.Actor, Message: r.Message, Commit: r.Commit, Modified: r.Modified,
	}
}

func syncOf(s follow.JobStatus) overview.Sync {
	out := overview.Sync{Source: s.Source, Problem: s.Problem, Runs: s.Runs}
	if s.LastSuccess != nil {
		out.Succeeded = *s.LastSuccess
	}
	return out
}

func directoryOf(w follow.Watched) *overview.Directory {
	d := &overview.Directory{
		Dir: w.Dir, Read: w.Read.At, Errors: w.Read.Errors, Warnings: w.Read.Warnings,
		Commit: w.Read.Commit, Modified: w.Read.Modified, CommitProblem: w.Read.CommitProblem,
	}
	for _, e := range w.Events {
		d.Events = append(d.Events, overview.Event{At: e.At, Result: string(e.Result), Revision: e.Revision, Reasons: e.Reasons})
	}
	return d
}

// meta is the part of the meta operation's body that the page shows.
type meta struct {
	Title   string
	Figures []struct {
		Figure, Source string
		Records        int
		Oldest, Newest string
	}
}

// servedOf describes the served revision. With an error, parts are missing.
func servedOf(served follow.Served, all gathered) (*overview.Served, error) {
	locales := served.Snapshot.Locales()
	s := &overview.Served{
		Publish: publishOf(served.Revision), Since: served.Since, Compiled: all.of("vitrine_last_compile_seconds"), Locales: locales.Names(),
	}
	for _, d := range domain.Descriptions() {
		if n := d.Size(served.Catalog); d.Kind != domain.KindCatalog && n > 0 {
			s.Records = append(s.Records, overview.Count{Name: d.Plural, N: n})
		}
	}
	var m meta
	if err := json.Unmarshal(served.Snapshot.Meta(query.Localized{Locale: locales.Default()}), &m); err != nil {
		return s, fmt.Errorf("meta cannot be read: %w", err)
	}
	s.Title = m.Title
	for _, f := range m.Figures {
		s.Figures = append(s.Figures, overview.Figure{Name: f.Figure, Source: f.Source, Records: f.Records, Oldest: f.Oldest, Newest: f.Newest})
	}
	return s, nil
}

// coverage computes the coverage once per revision.
func (p *overviewPage) coverage(served follow.Served) overview.Coverage {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.covered == served.Revision {
		return p.result
	}
	c := overview.Coverage{Locales: served.Catalog.Locales}
	for _, k := range domain.Cover(served.Catalog) {
		name := cmp.Or(domain.Describe(k.Kind).Plural, "the catalogue itself")
		c.Kinds = append(c.Kinds, overview.Covered{Name: name, Names: k.Names, Texts: k.Texts, Written: k.Written})
	}
	p.covered, p.result = served.Revision, c
	return c
}

func (p *overviewPage) traffic(all gathered, now time.Time) overview.Traffic {
	t := overview.Traffic{
		InFlight: all.of("vitrine_http_requests_in_flight"), Connections: all.of("vitrine_connections"),
		MaxConnections: all.of("vitrine_connections_limit"), Bytes: all.of("vitrine_http_response_body_bytes_total"),
		Samples: p.metrics.samples.list(now),
	}
	for _, one := range all[durationMetric] {
		name := one.labels["operation"]
		o := overview.Operation{Name: name, Latency: one.histogram, Requests: all.of(requestsMetric, "operation", name)}
		for _, code := range all[requestsMetric] {
			if code.labels["operation"] == name {
				o.Codes = append(o.Codes, overview.Code{Status: code.labels["code"], N: code.value})
			}
		}
		t.Operations = append(t.Operations, o)
	}
	return t
}

func (p *overviewPage) limits(all gathered, now time.Time) overview.Limits {
	limited := all.of("vitrine_api_key_requests_total", "result", "limited")
	if math.IsNaN(limited) {
		limited = 0 // no key was used, so there is no metric
	}
	l := overview.Limits{
		Limited: all.of(requestsMetric, "code", "429"), LimitedKeys: limited, Shed: all.of("vitrine_http_requests_shed_total"),
		Displaced: all.of("vitrine_connections_displaced_total"), Callers: all.of("vitrine_limiter_clients"),
		Redis: all.of("vitrine_limiter_redis_up"),
	}
	if p.about.Tiers != nil {
		l.Tiers = p.about.Tiers()
	}
	if p.about.Refusals != nil {
		l.Refusals = p.about.Refusals(now)
	}
	return l
}

// keys describes the valid API keys. Keys of one name share their counts.
func (p *overviewPage) keys(all gathered, now time.Time) []overview.Key {
	type use struct{ name, result string }
	requests := map[use]float64{}
	for _, one := range all["vitrine_api_key_requests_total"] {
		requests[use{one.labels["key"], one.labels["result"]}] = one.value
	}
	count := func(name, result string) float64 {
		if n, ok := requests[use{name, result}]; ok {
			return n
		}
		return math.NaN()
	}
	var keys []overview.Key
	for _, k := range p.follower.KeyUses(now) {
		keys = append(keys, overview.Key{
			Name: k.Name, Limit: k.Limit, Until: k.Until, Used: k.Used,
			Admitted: count(k.Name, "admitted"), Refused: count(k.Name, "limited"),
		})
	}
	return keys
}

func cacheOf(all gathered) overview.Cache {
	return overview.Cache{
		Bytes: all.of("vitrine_cache_bytes"), Limit: all.of("vitrine_cache_limit_bytes"),
		Answers: all.of("vitrine_cache_answers"), Bodies: all.of("vitrine_cache_bodies"),
		Hits: all.of("vitrine_cache_hits_total"), Misses: all.of("vitrine_cache_misses_total"),
	}
}

func memoryOf(all gathered) overview.Memory {
	m := overview.Memory{
		Resident: all.of("process_resident_memory_bytes"), Heap: all.of("go_memstats_heap_inuse_bytes"),
		Limit: all.of("go_gc_gomemlimit_bytes"), Goroutines: all.of("go_goroutines"), CPUSeconds: all.of("process_cpu_seconds_total"),
	}
	for _, size := range []struct{ label, name string }{
		{"middle", "from 16 KiB"}, {"large", "from 1 MiB"},
	} {
		if slices.ContainsFunc(all["vitrine_answers_bytes"], func(one measured) bool { return one.labels["size"] == size.label }) {
			m.Answers = append(m.Answers, overview.Share{
				Name: size.name, Held: all.of("vitrine_answers_bytes", "size", size.label),
				Limit: all.of("vitrine_answers_limit_bytes", "size", size.label), Waiting: all.of("vitrine_answers_waiting", "size", size.label),
			})
		}
	}
	return m
}
