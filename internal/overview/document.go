package overview

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
	"time"

	"vitrine/internal/admission"
	"vitrine/internal/domain"
	"vitrine/internal/follow"
)

// document is the input of the template: only texts.
type document struct {
	Style    template.CSS
	Refresh  int
	Now      string
	State    string // one or two words
	Class    string // of the state
	Headline string
	About    string
	Summary  []panel
	Problems []problem
	Sections []section
}

type problem struct{ What, Text, Since, Remedy string }

type section struct {
	ID, Title, Note string
	Facts           []fact
	Plots           []plot
	Tables          []table
}

type fact struct {
	Name, Value, Note string
	Bad               bool
}

func newDocument(r Report) document {
	d := document{
		Style: template.CSS(style), Refresh: r.Refresh, Now: at(r.Now), Headline: "No revision is served",
		About: strings.Join(slices.DeleteFunc([]string{
			join("vitrine ", r.Build.Version), join("commit ", r.Build.Commit), r.Build.Toolchain,
			join("running for ", lastedSince(r.Now, r.Metric("process_start_time_seconds"))),
		}, func(s string) bool { return s == "" }), " · "),
	}
	if r.Served != nil {
		d.Headline = fmt.Sprintf("Revision %d of %s", r.Served.Number, cmp.Or(r.Served.Meta.Title, "a catalogue without a title"))
	}
	d.State, d.Class = state(r)
	d.Summary = summary(r)
	for _, p := range r.Problems {
		since := ""
		if !p.Since.IsZero() {
			since = "since " + at(p.Since) + ", " + ago(r.Now, p.Since)
		}
		d.Problems = append(d.Problems, problem{p.What, p.Text, since, p.Remedy})
	}
	for _, part := range []func(Report) section{
		served, figures, syncs, publishes, directory, storage, traffic, emptySearches, slowest, limits, keys, cache, memories, coverage,
	} {
		if s := part(r); s.ID != "" {
			d.Sections = append(d.Sections, s)
		}
	}
	return d
}

func join(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}

func lastedSince(now time.Time, unix float64) string {
	if math.IsNaN(unix) {
		return ""
	}
	return lasted(now.Sub(time.UnixMilli(int64(unix * 1000))))
}

// state returns the state in one or two words, and its class.
func state(r Report) (words, class string) {
	switch {
	case r.is("vitrine_draining"):
		return "shutting down", "bad"
	case !r.Status.Ready:
		return "not ready", "bad"
	case r.Status.Stale:
		return "ready, stale", "warn"
	case len(r.Problems) > 0:
		return "ready, with problems", "warn"
	}
	return "ready", "good"
}

func served(r Report) section {
	s := section{ID: "served", Title: "Served catalogue"}
	v := r.Served
	if v == nil {
		s.Note = "Nothing yet: requests get 503 until a revision is published."
		return s
	}
	s.Facts = []fact{
		{Name: "Revision", Value: fmt.Sprint(v.Number)},
		{Name: "Published", Value: at(v.PublishedAt), Note: ago(r.Now, v.PublishedAt)},
		{Name: "By", Value: cmp.Or(v.Actor, "unknown") + join(", by ", string(v.Op))},
		{Name: "Note", Value: cmp.Or(v.Message, "none")},
		{Name: "Commit", Value: cmp.Or(commit(v.Commit, v.Modified), unknown)},
		{Name: "Served since", Value: at(v.Since), Note: ago(r.Now, v.Since)},
		{Name: "Checked and compiled in", Value: seconds(r.Metric("vitrine_last_compile_seconds"))},
		{Name: "Languages", Value: strings.Join(v.Meta.Locales, ", ")},
	}
	if r.Status.Demonstration {
		s.Note = "This is the bundled catalogue of the demonstration."
	}
	t := table{Caption: "Records by kind", Head: append(columns("Kind"), numbers("Records")...), Empty: "There are none."}
	for _, c := range v.Records {
		t.Rows = append(t.Rows, []cell{words(c.Name), number(whole(float64(c.N)))})
	}
	s.Tables = []table{t}
	return s
}
func syncs(r Report) section {
	if len(r.Status.Syncs) == 0 {
		return section{}
	}
	t := table{Caption: "Scheduled syncs", Head: columns("Source", "Last success", "State")}
	for _, s := range r.Status.Syncs {
		state := cmp.Or(s.Problem, join("runs in ", s.Runs), "waits")
		succeeded := *cmp.Or(s.LastSuccess, new(time.Time))
		t.Rows = append(t.Rows, []cell{words(s.Source), noted(at(succeeded), ago(r.Now, succeeded)), bad(words(state), s.Problem != "")})
	}
	return section{ID: "syncs", Title: "Syncs", Note: "One of the processes with this store runs each sync.", Tables: []table{t}}
}

func figures(r Report) section {
	s := section{ID: "figures", Title: "Figures, their sources and age"}
	if r.Served == nil {
		return section{}
	}
	t := table{
		Caption: "Figures by source", Empty: "The catalogue has no figures.",
		Head: slices.Concat(columns("Figure", "Source"), numbers("Records", "Oldest", "Newest")),
	}
	for _, f := range r.Served.Meta.Figures {
		t.Rows = append(t.Rows, []cell{
			words(string(f.Figure)), words(f.Source), number(whole(float64(f.Records))),
			dated(r.Now, f.Oldest), dated(r.Now, f.Newest),
		})
	}
	if p, ok := agePlot(r.Now, r.Served.Meta.Figures, t); ok {
		s.Plots = []plot{p}
		return s
	}
	s.Tables = []table{t}
	return s
}

func publishes(r Report) section {
	t := table{
		Caption: "The newest revisions of the store", Empty: "The revisions have not been read since this process started.",
		Head: append(numbers("Revision"), columns("Published", "How", "By", "Note", "Commit")...),
	}
	for _, p := range r.Publishes {
		t.Rows = append(t.Rows, []cell{
			number(fmt.Sprint(p.Number)), noted(at(p.PublishedAt), ago(r.Now, p.PublishedAt)), words(string(p.Op)), words(cmp.Or(p.Actor, unknown)),
			words(p.Message), words(commit(p.Commit, p.Modified)),
		})
	}
	return section{ID: "publishes", Title: "Last publishes", Tables: []table{t}}
}

func directory(r Report) section {
	s := section{ID: "directory", Title: "The catalogue directory"}
	d := r.Directory
	if d == nil {
		s.Note = "No directory is watched (--catalog): revisions come from vitrine import."
		return s
	}
	read := fact{Name: "Last reading", Value: at(d.Read.At), Note: ago(r.Now, d.Read.At)}
	if d.Read.At.IsZero() {
		read.Value = "not read yet"
	}
	s.Facts = []fact{{Name: "Directory", Value: d.Dir}, read}
	if !d.Read.At.IsZero() {
		s.Facts = append(s.Facts,
			fact{Name: "Errors", Value: whole(float64(d.Read.Errors)), Bad: d.Read.Errors > 0},
			fact{Name: "Warnings", Value: whole(float64(d.Read.Warnings))},
			fact{Name: "Commit", Value: cmp.Or(commit(d.Read.Commit, d.Read.Modified), unknown), Note: d.Read.CommitProblem})
	}
	const publishes = "vitrine_publishes_total"
	s.Facts = append(s.Facts,
		fact{Name: "Changes published, held, not published", Value: r.count(publishes, "result", "ok") + ", " + r.count(publishes, "result", "held") + ", " + r.count(publishes, "result", "failed")})
	t := table{
		Caption: "Results of its last changes since this process started", Empty: "There was nothing to publish.",
		Head: columns("When", "Result", "Why"),
	}
	for _, e := range d.Events {
		result := string(e.Result)
		if e.Revision != 0 {
			result = fmt.Sprintf("%s as revision %d", e.Result, e.Revision)
		}
		t.Rows = append(t.Rows, []cell{noted(at(e.At), ago(r.Now, e.At)), bad(words(result), e.Revision == 0), words(strings.Join(e.Reasons, "; "))})
	}
	s.Tables = []table{t}
	return s
}

func storage(r Report) section {
	const loads = "vitrine_loads_total"
	up, damaged, lastGood := r.is("vitrine_store_up"), r.is("vitrine_store_damaged"), r.is("vitrine_last_good_served")
	s := section{ID: "store", Title: "The store", Facts: []fact{
		{Name: "Role of this server", Value: role(r)},
		{Name: "Store", Value: cmp.Or(r.Store, unknown)},
		{Name: "Newest known revision", Value: revision(r, "vitrine_newest_revision")},
		{Name: "Lag", Value: seconds(r.Metric("vitrine_lag_seconds")), Note: "since the served revision was last known to be the newest"},
		{Name: "Answered the last query", Value: yes(up), Bad: !up},
		{Name: "Damage found", Value: yes(damaged), Bad: damaged},
		{Name: "Served revision may be outdated", Value: yes(r.Status.Stale), Bad: r.Status.Stale},
		{Name: "Served from the last good file", Value: yes(lastGood), Bad: lastGood},
		{Name: "Revision of the last good file", Value: revision(r, "vitrine_last_good_revision")},
		{Name: "Revisions loaded, failed", Value: r.count(loads, "result", "ok") + ", " + r.count(loads, "result", "failed")},
	}}
	if r.is("vitrine_distribution_failing") || r.Metric("vitrine_distribution_revision") > 0 {
		s.Facts = append(s.Facts, fact{
			Name: "Revision of the distribution at /bulk/", Value: revision(r, "vitrine_distribution_revision"), Bad: r.is("vitrine_distribution_failing"),
		})
	}
	return s
}

// role describes the role of the server.
func role(r Report) string {
	for _, one := range follow.Roles() {
		if r.Metric("vitrine_role", "role", string(one)) == 1 {
			return map[follow.Role]string{
				follow.Standalone: "standalone", follow.Publisher: "publisher: it writes a distribution", follow.Reader: "reader of a distribution",
			}[one]
		}
	}
	return unknown
}

// revision formats a metric that is the number of a revision, 0 for none.
func revision(r Report, metric string) string {
	if r.Metric(metric) == 0 {
		return "none"
	}
	return r.count(metric)
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

func traffic(r Report) section {
	s := section{ID: "traffic", Title: "Requests", Facts: []fact{
		rateOver("Now", r.Samples, 10*time.Second), rateOver("1 minute", r.Samples, time.Minute),
		rateOver("5 minutes", r.Samples, 5*time.Minute), rateOver("15 minutes", r.Samples, 15*time.Minute),
		{Name: "In flight", Value: r.count("vitrine_http_requests_in_flight")},
		{Name: "Connections", Value: r.count("vitrine_connections"), Note: "of " + r.count("vitrine_connections_limit")},
		{Name: "Bodies sent", Value: memory(r.Metric("vitrine_http_response_body_bytes_total"))},
	}}
	s.Plots = []plot{requestPlot(r.Samples)}
	t := table{
		Caption: "Requests since the process started, by operation and status", Empty: "There were none yet.",
		Head: slices.Concat(columns("Operation"), numbers("Requests"), columns("By status"), numbers("p50", "p95", "p99")),
	}
	for _, o := range slices.SortedStableFunc(slices.Values(r.Operations), func(a, b Operation) int { return cmp.Compare(b.Requests, a.Requests) }) {
		if o.Requests == 0 {
			continue
		}
		var codes []string
		for _, c := range o.Codes {
			if c.N > 0 {
				codes = append(codes, c.Status+" × "+whole(c.N))
			}
		}
		t.Rows = append(t.Rows, []cell{
			words(o.Name), number(whole(o.Requests)), words(strings.Join(codes, ", ")),
			number(latency(o.Latency, 0.5)), number(latency(o.Latency, 0.95)), number(latency(o.Latency, 0.99)),
		})
	}
	s.Tables = []table{t}
	return s
}

// rateOver returns the request rate over a duration, or the nearest one that samples allow.
func rateOver(name string, samples []Sample, back time.Duration) fact {
	perSecond, over := perSecond(samples, back)
	f := fact{Name: name, Value: rate(perSecond)}
	if over > 0 {
		f.Note = "over " + lasted(over)
	}
	return f
}

// latency formats a quantile of durations.
func latency(h Histogram, share float64) string {
	q := h.quantile(share)
	if math.IsInf(q, 1) {
		return "over " + seconds(h.last())
	}
	return seconds(q)
}

func slowest(r Report) section {
	t := table{
		Caption: "The slowest requests of the last hour", Empty: "There were none.",
		Head: slices.Concat(numbers("Took"), columns("When", "Operation", "Request"), numbers("Status")),
	}
	for _, q := range r.Slowest {
		status := number(fmt.Sprint(q.Status))
		if q.Status == 0 {
			status = number("none")
		}
		target := cell{Text: q.Target, Code: true}
		if q.Target == "" {
			target = words("not kept for errors")
		}
		t.Rows = append(t.Rows, []cell{number(seconds(q.Took.Seconds())), noted(q.At.UTC().Format("15:04:05"), ago(r.Now, q.At)), words(q.Operation), target, status})
	}
	return section{
		ID: "slowest", Title: "Slowest requests", Tables: []table{t},
		Note: "From the header of a request to the last byte of its response, including the time of slow clients. Queries have known parameters only.",
	}
}

func limits(r Report) section {
	limited, ofKeys := r.Metric("vitrine_http_requests_total", "code", "429"), r.Metric(keyRequests, "result", "limited")
	if math.IsNaN(ofKeys) {
		ofKeys = 0 // no key was used, so there is no metric
	}
	s := section{ID: "limits", Title: "Limits", Facts: []fact{
		{Name: "Over quota (429)", Value: whole(limited)},
		{Name: "of these, with a valid API key", Value: whole(ofKeys)},
		{Name: "of these, without one", Value: whole(math.Max(0, limited-ofKeys))},
		{Name: "Shed (503)", Value: r.count("vitrine_http_requests_shed_total"), Note: "overload, or no memory for the response"},
		{Name: "Connections displaced", Value: r.count("vitrine_connections_displaced_total")},
		{Name: "Clients with a partly used quota", Value: r.count("vitrine_limiter_clients")},
	}}
	if up := r.Metric("vitrine_limiter_redis_up"); !math.IsNaN(up) {
		s.Facts = append(s.Facts, fact{Name: "Quotas shared in Redis", Value: yes(up == 1), Bad: up != 1})
	}
	if len(r.Tiers) > 0 {
		t := table{Caption: "Quotas", Head: columns("Clients", "Limit")}
		for _, tier := range r.Tiers {
			t.Rows = append(t.Rows, []cell{words(tier.Name), words(tier.Limit)})
		}
		s.Tables = []table{t}
	}
	if len(r.Refusals) > 0 {
		t := table{
			Caption: "Most limited clients of the last hour, by minute",
			Head:    slices.Concat(columns("Since"), numbers("Refused (429)"), columns("Most limited clients, with counts")),
		}
		for _, minute := range r.Refusals[:min(maxRefusals, len(r.Refusals))] {
			t.Rows = append(t.Rows, []cell{
				noted(minute.Since.UTC().Format("15:04:05"), ago(r.Now, minute.Since)), number(fmt.Sprint(minute.Total)),
				words(cmp.Or(strings.Join(callers(minute.Top), ", "), "not named (--limited-clients none)")),
			})
		}
		s.Tables = append(s.Tables, t)
	}
	return s
}

// callers returns the callers with their counts.
func callers(refused []admission.RefusedCaller) []string {
	var all []string
	for _, c := range refused {
		all = append(all, c.String())
	}
	return all
}

// maxRefusals is the maximum number of minutes with rejected requests on a page.
const maxRefusals = 15

// maxKeys is the maximum number of keys on a page.
const maxKeys = 200

// keyRequests is the metric of requests with a valid API key.
const keyRequests = "vitrine_api_key_requests_total"

func keys(r Report) section {
	t := table{
		Caption: "Valid API keys", Empty: "There are none, or they are unknown.",
		Head: slices.Concat(columns("Name", "Last use", "Expires", "Limit"), numbers("Admitted", "Limited")),
	}
	shown := r.Keys[:min(maxKeys, len(r.Keys))]
	for _, k := range shown {
		used, ends := noted(at(k.Used), ago(r.Now, k.Used)), noted(at(k.Until), ago(r.Now, k.Until))
		if k.Used.IsZero() {
			used = words("no known use")
		}
		if k.Until.IsZero() {
			ends = words("never")
		}
		t.Rows = append(t.Rows, []cell{words(k.Name), used, ends, words(cmp.Or(k.Limit, "default")), number(r.count(keyRequests, "key", k.Name, "result", "admitted")), number(r.count(keyRequests, "key", k.Name, "result", "limited"))})
	}
	s := section{ID: "keys", Title: "API keys", Tables: []table{t}}
	if len(shown) < len(r.Keys) {
		s.Note = fmt.Sprintf("The first %d of %d by name; vitrine keys list prints all.", len(shown), len(r.Keys))
	}
	if age := r.Metric("vitrine_api_keys_age_seconds"); !math.IsNaN(age) {
		s.Facts = []fact{{Name: "Read from the store", Value: lasted(time.Duration(age*float64(time.Second))) + " ago"}}
	}
	return s
}

func cache(r Report) section {
	bytes, limit := r.Metric("vitrine_cache_bytes"), r.Metric("vitrine_cache_limit_bytes")
	hits, misses := r.Metric("vitrine_cache_hits_total"), r.Metric("vitrine_cache_misses_total")
	return section{ID: "cache", Title: "Response cache", Facts: []fact{
		{Name: "Memory", Value: memory(bytes), Note: join("of "+memory(limit)+", ", percent(bytes, limit))},
		{Name: "Responses", Value: r.count("vitrine_cache_answers")},
		{Name: "Different bodies", Value: r.count("vitrine_cache_bodies")},
		{Name: "Hits", Value: whole(hits), Note: join("", percent(hits, hits+misses))},
		{Name: "Misses", Value: whole(misses), Note: "including prepared bodies after a publish"},
	}}
}

func memories(r Report) section {
	limit := r.Metric("go_gc_gomemlimit_bytes")
	s := section{ID: "memory", Title: "Memory", Facts: []fact{
		{Name: "Process", Value: memory(r.Metric("process_resident_memory_bytes"))},
		{Name: "Go heap in use", Value: memory(r.Metric("go_memstats_heap_inuse_bytes"))},
		{Name: "Limit of the garbage collector", Value: memory(limit)},
		{Name: "Goroutines", Value: r.count("go_goroutines")},
		{Name: "Processor time", Value: seconds(r.Metric("process_cpu_seconds_total"))},
	}}
	if limit >= 1<<60 {
		s.Facts[2].Value = "none"
	}
	t := table{
		Caption: "Responses in progress", Head: append(columns("Size"), numbers("Memory", "Limit", "Requests waiting")...),
		Empty: "Unknown.",
	}
	for _, of := range []struct{ label, name string }{{"middle", "from 16 KiB"}, {"large", "from 1 MiB"}} {
		if held := r.Metric("vitrine_answers_bytes", "size", of.label); !math.IsNaN(held) {
			most := r.Metric("vitrine_answers_limit_bytes", "size", of.label)
			t.Rows = append(t.Rows, []cell{words(of.name), number(memory(held)), number(memory(most)), number(r.count("vitrine_answers_waiting", "size", of.label))})
		}
	}
	s.Tables = []table{t}
	return s
}

func coverage(r Report) section {
	if r.Served == nil || len(r.Coverage) == 0 {
		return section{}
	}
	t := table{
		Caption: "Texts in each language", Head: append(columns("Texts"), numbers(append([]string{"All"}, r.Served.Meta.Locales...)...)...),
	}
	for _, k := range r.Coverage {
		row := []cell{words(titleOf(k)), number(whole(float64(k.Texts)))}
		for _, n := range k.Written {
			row = append(row, numberNoted(whole(float64(n)), percent(float64(n), float64(k.Texts))))
		}
		t.Rows = append(t.Rows, row)
	}
	return section{
		ID: "coverage", Title: "Translations", Plots: []plot{coveragePlot(r.Served.Meta.Locales, r.Coverage, t)},
		Note: "Missing texts fall back to another language. Names are often the same in all languages and written once.",
	}
}

func titleOf(c domain.Coverage) string {
	name := cmp.Or(domain.Describe(c.Kind).Plural, "the catalogue itself")
	if c.Names {
		return name + ": names"
	}
	return name + ": other texts"
}

// dated returns the cell for a date of a figure.
func dated(now time.Time, date domain.Date) cell {
	return numberNoted(cmp.Or(string(date), "no date"), old(now, date))
}
