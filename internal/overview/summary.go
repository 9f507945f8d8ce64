package overview

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"vitrine/internal/snapshot"
)

// panel is a part of the first screen. It links to the section with the details.
type panel struct {
	ID, Title string // ID of the section, "" for none
	Value     string
	Bad       bool
	Lines     []string
}

// maxLines is the maximum number of lines of a panel.
const maxLines = 4

// summary returns the first screen: what an operator looks at first, in this order.
func summary(r Report) []panel {
	all := []panel{readiness(r), revisionPanel(r), oldest(r), requests(r), failed(r), holds(r), talkers(r), withoutResults(r)}
	for i := range all {
		all[i].Lines = all[i].Lines[:min(maxLines, len(all[i].Lines))]
	}
	return all
}

func readiness(r Report) panel {
	value, class := state(r)
	p := panel{Title: "Readiness", Value: value, Bad: class != "good"}
	for _, problem := range r.Problems {
		p.ID = "problems"
		p.Lines = append(p.Lines, problem.What+": "+problem.Text)
	}
	return p
}

func revisionPanel(r Report) panel {
	if r.Served == nil {
		return panel{ID: "served", Title: "Revision", Value: "none", Bad: true}
	}
	return panel{ID: "served", Title: "Revision", Value: fmt.Sprint(r.Served.Number), Lines: []string{
		"published " + ago(r.Now, r.Served.PublishedAt), "served since " + at(r.Served.Since),
	}}
}

// oldest has the figures by the age of their newest date, oldest first.
func oldest(r Report) panel {
	p := panel{Title: "Figures", Value: "none"}
	if r.Served == nil {
		return p
	}
	ages := slices.Clone(r.Served.Meta.Figures)
	slices.SortStableFunc(ages, func(a, b snapshot.FigureAge) int { return cmp.Compare(a.Newest, b.Newest) })
	dated := 0
	for _, f := range ages {
		if f.Newest == "" {
			continue
		}
		if dated++; dated == 1 {
			p.ID, p.Value = "figures", "oldest "+old(r.Now, f.Newest)
		}
		p.Lines = append(p.Lines, fmt.Sprintf("%s: %s (%s)", f.Figure, old(r.Now, f.Newest), f.Source))
	}
	return p
}

func requests(r Report) panel {
	recent := rateOver("", r.Samples, 5*time.Minute)
	p := panel{ID: "traffic", Title: "Requests", Value: recent.Value}
	if recent.Note != "" {
		p.Lines = append(p.Lines, recent.Note)
	}
	total := 0.0
	for _, o := range r.Operations {
		total += o.Requests
	}
	p.Lines = append(p.Lines, whole(total)+" since the start", r.count("vitrine_http_requests_in_flight")+" in flight")
	return p
}

// failed has the responses with a status of 500 or more, and the rejected requests.
func failed(r Report) panel {
	broken := 0.0
	for _, o := range r.Operations {
		for _, c := range o.Codes {
			if strings.HasPrefix(c.Status, "5") {
				broken += c.N
			}
		}
	}
	return panel{ID: "traffic", Title: "Errors", Value: whole(broken), Bad: broken > 0, Lines: []string{
		"responses with 5xx since the start", r.count("vitrine_http_requests_total", "code", "429") + " over quota (429)",
		r.count("vitrine_http_requests_shed_total") + " shed (503)",
	}}
}

func holds(r Report) panel {
	p := panel{ID: "directory", Title: "Holds", Value: "none"}
	if held := r.Status.PublishHeld; held != nil {
		p.Value, p.Bad = "since "+ago(r.Now, held.Since), true
		p.Lines = append(p.Lines, held.Reasons...)
	}
	if n := r.Metric("vitrine_publishes_total", "result", "held"); !math.IsNaN(n) {
		p.Lines = append([]string{whole(n) + " since the start"}, p.Lines...)
	}
	return p
}

// talkers has the clients with the most requests over quota in the last minute with such requests, and
// the API key with the most requests. Clients within their quota are not recorded.
func talkers(r Report) panel {
	p := panel{ID: "limits", Title: "Top talkers", Value: "none over quota"}
	if len(r.Refusals) > 0 {
		last := r.Refusals[0]
		p.Value, p.Bad = whole(float64(last.Total))+" refused", true
		p.Lines = append(p.Lines, "in the minute from "+last.Since.UTC().Format("15:04"))
		p.Lines = append(p.Lines, callers(last.Top[:min(2, len(last.Top))])...)
	}
	busiest, most := "", 0.0
	for _, k := range r.Keys {
		if n := r.Metric(keyRequests, "key", k.Name, "result", "admitted"); n > most { // false for NaN
			busiest, most = k.Name, n
		}
	}
	if busiest != "" {
		p.Lines = append(p.Lines, "API key "+busiest+" "+whole(most)+" admitted")
	}
	return p
}

func withoutResults(r Report) panel {
	p := panel{Title: "Empty searches", Value: "none"}
	if len(r.Empty) > 0 {
		p.ID, p.Value = "empty", fmt.Sprintf("%d recent", len(r.Empty))
	}
	for _, q := range r.Empty {
		p.Lines = append(p.Lines, q.Text)
	}
	return p
}

func emptySearches(r Report) section {
	if len(r.Empty) == 0 {
		return section{}
	}
	t := table{Caption: "The last searches without results", Head: columns("Search", "When")}
	for _, q := range r.Empty {
		t.Rows = append(t.Rows, []cell{words(q.Text), noted(q.At.UTC().Format("15:04:05"), ago(r.Now, q.At))})
	}
	return section{ID: "empty", Title: "Empty searches", Tables: []table{t}, Note: "Repeated searches are listed once, with the last time that the search ran. Cached responses do not run it."}
}
