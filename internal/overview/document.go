package overview

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
	"time"
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

// table has row names in its first column.
type table struct {
	Caption string
	Head    []column
	Rows    [][]cell
	Empty   string // text of an empty table
}

type column struct {
	Name   string
	Number bool
}

type cell struct {
	Text, Note string
	Number     bool
	Bad        bool
	Code       bool
}

// Class returns the CSS classes of a cell. Long texts wrap.
func (c cell) Class() string {
	const short = 32 // bytes
	var classes []string
	if c.Number {
		classes = append(classes, "number")
	}
	if c.Bad {
		classes = append(classes, "bad")
	}
	if len(c.Text) > short || len(c.Note) > short {
		classes = append(classes, "long")
	}
	return strings.Join(classes, " ")
}

func words(text string) cell             { return cell{Text: text} }
func noted(text, note string) cell       { return cell{Text: text, Note: note} }
func number(text string) cell            { return cell{Text: text, Number: true} }
func numberNoted(text, note string) cell { return cell{Text: text, Note: note, Number: true} }
func bad(c cell, is bool) cell           { c.Bad = is; return c }
func columns(names ...string) []column   { return named(false, names) }
func numbers(names ...string) []column   { return named(true, names) }
func named(number bool, names []string) []column {
	all := make([]column, len(names))
	for i, name := range names {
		all[i] = column{name, number}
	}
	return all
}

func newDocument(r Report) document {
	d := document{
		Style: template.CSS(style), Refresh: r.Refresh, Now: at(r.Now), Headline: "No revision is served",
		About: strings.Join(slices.DeleteFunc([]string{
			join("vitrine ", r.Build.Version), join("commit ", r.Build.Commit), r.Build.Toolchain,
			join("running for ", lastedSince(r.Now, r.Started)),
		}, func(s string) bool { return s == "" }), " · "),
	}
	if r.Served != nil {
		d.Headline = fmt.Sprintf("Revision %d of %s", r.Served.Number, cmp.Or(r.Served.Title, "a catalogue without a title"))
	}
	d.State, d.Class = state(r)
	for _, p := range r.Problems {
		since := ""
		if !p.Since.IsZero() {
			since = "since " + at(p.Since) + ", " + ago(r.Now, p.Since)
		}
		d.Problems = append(d.Problems, problem{p.What, p.Text, since, p.Remedy})
	}
	for _, part := range []func(Report) section{
		served, figures, syncs, publishes, directory, storage, traffic, slowest, limits, keys, cache, memories, coverage,
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

func lastedSince(now, since time.Time) string {
	if since.IsZero() {
		return ""
	}
	return lasted(now.Sub(since))
}

// state returns the state in one or two words, and its class.
func state(r Report) (words, class string) {
	switch {
	case r.Draining:
		return "shutting down", "bad"
	case !r.Ready:
		return "not ready", "bad"
	case r.Store.Stale:
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
		{Name: "Published", Value: at(v.At), Note: ago(r.Now, v.At)},
		{Name: "By", Value: byWhom(v.Publish)},
		{Name: "Note", Value: cmp.Or(v.Message, "none")},
		{Name: "Commit", Value: cmp.Or(commit(v.Commit, v.Modified), unknown)},
		{Name: "Served since", Value: at(v.Since), Note: ago(r.Now, v.Since)},
		{Name: "Checked and compiled in", Value: seconds(v.Compiled)},
		{Name: "Languages", Value: strings.Join(v.Locales, ", ")},
	}
	if v.Demonstration {
		s.Note = "This is the bundled catalogue of the demonstration."
	}
	t := table{Caption: "Records by kind", Head: append(columns("Kind"), numbers("Records")...), Empty: "There are none."}
	for _, c := range v.Records {
		t.Rows = append(t.Rows, []cell{words(c.Name), number(whole(float64(c.N)))})
	}
	s.Tables = []table{t}
	return s
}

func byWhom(p Publish) string {
	return cmp.Or(p.Actor, "unknown") + join(", by ", p.Op)
}

func syncs(r Report) section {
	if len(r.Syncs) == 0 {
		return section{}
	}
	t := table{Caption: "Scheduled syncs", Head: columns("Source", "Last success", "State")}
	for _, s := range r.Syncs {
		state := cmp.Or(s.Problem, join("runs in ", s.Runs), "waits")
		t.Rows = append(t.Rows, []cell{words(s.Source), noted(at(s.Succeeded), ago(r.Now, s.Succeeded)), bad(words(state), s.Problem != "")})
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
	for _, f := range r.Served.Figures {
		t.Rows = append(t.Rows, []cell{
			words(f.Name), words(f.Source), number(whole(float64(f.Records))),
			numberNoted(cmp.Or(f.Oldest, "no date"), old(r.Now, f.Oldest)), numberNoted(cmp.Or(f.Newest, "no date"), old(r.Now, f.Newest)),
		})
	}
	if p, ok := agePlot(r.Now, r.Served.Figures, t); ok {
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
			number(fmt.Sprint(p.Number)), noted(at(p.At), ago(r.Now, p.At)), words(p.Op), words(cmp.Or(p.Actor, unknown)),
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
	read := fact{Name: "Last reading", Value: at(d.Read), Note: ago(r.Now, d.Read)}
	if d.Read.IsZero() {
		read.Value = "not read yet"
	}
	s.Facts = []fact{{Name: "Directory", Value: d.Dir}, read}
	if !d.Read.IsZero() {
		s.Facts = append(s.Facts,
			fact{Name: "Errors", Value: whole(float64(d.Errors)), Bad: d.Errors > 0},
			fact{Name: "Warnings", Value: whole(float64(d.Warnings))},
			fact{Name: "Commit", Value: cmp.Or(commit(d.Commit, d.Modified), unknown), Note: d.CommitProblem})
	}
	s.Facts = append(s.Facts,
		fact{Name: "Changes published, held, not published", Value: whole(r.Store.Published) + ", " + whole(r.Store.Held) + ", " + whole(r.Store.NotPublished)})
	t := table{
		Caption: "Results of its last changes since this process started", Empty: "There was nothing to publish.",
		Head: columns("When", "Result", "Why"),
	}
	for _, e := range d.Events {
		result := e.Result
		if e.Revision != 0 {
			result = fmt.Sprintf("%s as revision %d", e.Result, e.Revision)
		}
		t.Rows = append(t.Rows, []cell{noted(at(e.At), ago(r.Now, e.At)), bad(words(result), e.Revision == 0), words(strings.Join(e.Reasons, "; "))})
	}
	s.Tables = []table{t}
	return s
}

func storage(r Report) section {
	v := r.Store
	return section{ID: "store", Title: "The store", Facts: []fact{
		{Name: "Store", Value: cmp.Or(v.Name, unknown)},
		{Name: "Answered the last query", Value: yes(v.Up), Bad: !v.Up},
		{Name: "Damage found", Value: yes(v.Damaged), Bad: v.Damaged},
		{Name: "Served revision may be outdated", Value: yes(v.Stale), Bad: v.Stale},
		{Name: "Served from the last good file", Value: yes(v.LastGoodServed), Bad: v.LastGoodServed},
		{Name: "Revision of the last good file", Value: cmp.Or(strings.TrimPrefix(whole(v.LastGood), "0"), "none")},
		{Name: "Revisions loaded, failed", Value: whole(v.Loads) + ", " + whole(v.LoadsFailed)},
	}}
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

func traffic(r Report) section {
	v := r.Traffic
	s := section{ID: "traffic", Title: "Requests", Facts: []fact{
		rateOver("Now", v.Samples, 10*time.Second), rateOver("1 minute", v.Samples, time.Minute),
		rateOver("5 minutes", v.Samples, 5*time.Minute), rateOver("15 minutes", v.Samples, 15*time.Minute),
		{Name: "In flight", Value: whole(v.InFlight)},
		{Name: "Connections", Value: whole(v.Connections), Note: "of " + whole(v.MaxConnections)},
		{Name: "Bodies sent", Value: memory(v.Bytes)},
	}}
	s.Plots = []plot{requestPlot(v.Samples)}
	t := table{
		Caption: "Requests since the process started, by operation and status", Empty: "There were none yet.",
		Head: slices.Concat(columns("Operation"), numbers("Requests"), columns("By status"), numbers("p50", "p95", "p99")),
	}
	for _, o := range slices.SortedStableFunc(slices.Values(v.Operations), func(a, b Operation) int { return cmp.Compare(b.Requests, a.Requests) }) {
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
	v := r.Limits
	s := section{ID: "limits", Title: "Limits", Facts: []fact{
		{Name: "Over quota (429)", Value: whole(v.Limited)},
		{Name: "of these, with a valid API key", Value: whole(v.LimitedKeys)},
		{Name: "of these, without one", Value: whole(math.Max(0, v.Limited-v.LimitedKeys))},
		{Name: "Shed (503)", Value: whole(v.Shed), Note: "overload, or no memory for the response"},
		{Name: "Connections displaced", Value: whole(v.Displaced)},
		{Name: "Clients with a partly used quota", Value: whole(v.Callers)},
	}}
	if !math.IsNaN(v.Redis) {
		s.Facts = append(s.Facts, fact{Name: "Quotas shared in Redis", Value: yes(v.Redis == 1), Bad: v.Redis != 1})
	}
	if len(v.Tiers) > 0 {
		t := table{Caption: "Quotas", Head: columns("Clients", "Limit")}
		for _, tier := range v.Tiers {
			t.Rows = append(t.Rows, []cell{words(tier.Name), words(tier.Limit)})
		}
		s.Tables = []table{t}
	}
	if len(v.Refusals) > 0 {
		t := table{
			Caption: "Most limited clients of the last hour, by minute",
			Head:    slices.Concat(columns("Since"), numbers("Refused (429)"), columns("Most limited clients, with counts")),
		}
		for _, minute := range v.Refusals[:min(maxRefusals, len(v.Refusals))] {
			t.Rows = append(t.Rows, []cell{
				noted(minute.Since.UTC().Format("15:04:05"), ago(r.Now, minute.Since)), number(fmt.Sprint(minute.Total)),
				words(cmp.Or(strings.Join(minute.Callers, ", "), "not named (--limited-clients none)")),
			})
		}
		s.Tables = append(s.Tables, t)
	}
	return s
}

// maxRefusals is the maximum number of minutes with rejected requests on a page.
const maxRefusals = 15

// maxKeys is the maximum number of keys on a page.
const maxKeys = 200

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
		t.Rows = append(t.Rows, []cell{words(k.Name), used, ends, words(cmp.Or(k.Limit, "default")), number(whole(k.Admitted)), number(whole(k.Refused))})
	}
	s := section{ID: "keys", Title: "API keys", Tables: []table{t}}
	if len(shown) < len(r.Keys) {
		s.Note = fmt.Sprintf("The first %d of %d by name; vitrine keys list prints all.", len(shown), len(r.Keys))
	}
	if !math.IsNaN(r.KeysAge) {
		s.Facts = []fact{{Name: "Read from the store", Value: lasted(time.Duration(r.KeysAge*float64(time.Second))) + " ago"}}
	}
	return s
}

func cache(r Report) section {
	v := r.Cache
	return section{ID: "cache", Title: "Response cache", Facts: []fact{
		{Name: "Memory", Value: memory(v.Bytes), Note: join("of "+memory(v.Limit)+", ", percent(v.Bytes, v.Limit))},
		{Name: "Responses", Value: whole(v.Answers)},
		{Name: "Different bodies", Value: whole(v.Bodies)},
		{Name: "Hits", Value: whole(v.Hits), Note: join("", percent(v.Hits, v.Hits+v.Misses))},
		{Name: "Misses", Value: whole(v.Misses), Note: "including prepared bodies after a publish"},
	}}
}

func memories(r Report) section {
	v := r.Memory
	limit := memory(v.Limit)
	if v.Limit >= 1<<60 {
		limit = "none"
	}
	s := section{ID: "memory", Title: "Memory", Facts: []fact{
		{Name: "Process", Value: memory(v.Resident)},
		{Name: "Go heap in use", Value: memory(v.Heap)},
		{Name: "Limit of the garbage collector", Value: limit},
		{Name: "Goroutines", Value: whole(v.Goroutines)},
		{Name: "Processor time", Value: seconds(v.CPUSeconds)},
	}}
	t := table{
		Caption: "Responses in progress", Head: append(columns("Size"), numbers("Memory", "Limit", "Requests waiting")...),
		Empty: "Unknown.",
	}
	for _, a := range v.Answers {
		t.Rows = append(t.Rows, []cell{words(a.Name), number(memory(a.Held)), number(memory(a.Limit)), number(whole(a.Waiting))})
	}
	s.Tables = []table{t}
	return s
}

func coverage(r Report) section {
	if r.Served == nil || len(r.Coverage.Kinds) == 0 {
		return section{}
	}
	t := table{
		Caption: "Texts in each language", Head: append(columns("Texts"), numbers(append([]string{"All"}, r.Coverage.Locales...)...)...),
	}
	for _, k := range r.Coverage.Kinds {
		row := []cell{words(k.title()), number(whole(float64(k.Texts)))}
		for _, n := range k.Written {
			row = append(row, numberNoted(whole(float64(n)), percent(float64(n), float64(k.Texts))))
		}
		t.Rows = append(t.Rows, row)
	}
	return section{
		ID: "coverage", Title: "Translations", Plots: []plot{coveragePlot(r.Coverage, t)},
		Note: "Missing texts fall back to another language. Names are often the same in all languages and written once.",
	}
}

func (c Covered) title() string {
	if c.Names {
		return c.Name + ": names"
	}
	return c.Name + ": other texts"
}
