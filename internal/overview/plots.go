package overview

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/snapshot"
)

// plot is a chart with a description and a table. Positions are in percent of the width and pixels
// of the height, so that it fits any screen and text keeps its size.
type plot struct {
	ID, Title, About string
	Height           int
	Bars             []bar
	Labels           []label
	Legend           []legend
	Table            table
	Folded           bool // the table is collapsed
}

type bar struct {
	X, Width  string // in percent
	Y, Height string // in pixels
	Class     string
}

type label struct {
	X      string
	Y      int
	Anchor string
	Text   string
}

type legend struct{ Class, Text string }

func share(of float64) string { return strconv.FormatFloat(100*of, 'f', 2, 64) + "%" }
func px(n float64) string     { return strconv.FormatFloat(n, 'f', 1, 64) }

// Minutes of the plot of requests.
const minutes = 60

// minute has the counts of a minute.
type minute struct {
	from                      time.Time
	known                     bool
	answered, refused, failed float64
}

func (m minute) all() float64 { return m.answered + m.refused + m.failed }

// perMinute returns the counts of the minutes before the last sample, oldest first. Counts between
// two samples belong to the minute of the later one.
func perMinute(samples []Sample) []minute {
	if len(samples) == 0 {
		return make([]minute, minutes)
	}
	all := make([]minute, minutes)
	end := samples[len(samples)-1].At
	for i := range all {
		all[i].from = end.Add(time.Duration(i-minutes) * time.Minute)
	}
	for i := 1; i < len(samples); i++ {
		before, s := samples[i-1], samples[i]
		place := minutes - 1 - int(end.Sub(s.At)/time.Minute)
		if place < 0 || place >= minutes {
			continue
		}
		m := &all[place]
		m.known = true
		m.answered += s.Answered - before.Answered
		m.refused += s.Refused - before.Refused
		m.failed += s.Failed - before.Failed
	}
	return all
}

// perSecond returns the request rate since the newest sample of at least that age, or else the
// first one, and the duration; NaN with less than two samples.
func perSecond(samples []Sample, back time.Duration) (rate float64, over time.Duration) {
	if len(samples) < 2 {
		return math.NaN(), 0
	}
	now, from := samples[len(samples)-1], samples[0]
	for _, s := range slices.Backward(samples[:len(samples)-1]) {
		if now.At.Sub(s.At) >= back {
			from = s
			break
		}
	}
	over = now.At.Sub(from.At)
	if over <= 0 {
		return math.NaN(), 0
	}
	return (now.Answered + now.Refused + now.Failed - from.Answered - from.Refused - from.Failed) / over.Seconds(), over
}

func requestPlot(samples []Sample) plot {
	const top, tall = 18.0, 90.0
	all := perMinute(samples)
	most, total := 0.0, 0.0
	for _, m := range all {
		most, total = math.Max(most, m.all()), total+m.all()
	}
	p := plot{
		ID: "requests", Title: "Requests a minute in the last hour",
		About:  fmt.Sprintf("%s requests in the last hour, or since the start of this process; at most %s in a minute.", whole(total), whole(most)),
		Height: int(top+tall) + 18, Folded: true,
		Legend: []legend{{"a", "answered (up to 399)"}, {"b", "refused (400 to 499)"}, {"c", "failed (500 and more, or aborted)"}},
		Table: table{
			Caption: "Requests a minute, newest first", Empty: "There are no counts yet.",
			Head: append(columns("Minute from (UTC)"), numbers("Answered", "Refused", "Failed")...),
		},
		Labels: []label{
			{"0", 12, "start", whole(most) + " at most"},
			{"0", int(top+tall) + 15, "start", "60 minutes ago"}, {"100%", int(top+tall) + 15, "end", "now"},
		},
	}
	p.Bars = append(p.Bars, bar{"0%", "100%", px(top + tall), "1", "axis"})
	for i, m := range all {
		if !m.known {
			continue
		}
		y := top + tall
		for _, part := range []struct {
			n     float64
			class string
		}{{m.failed, "c"}, {m.refused, "b"}, {m.answered, "a"}} {
			if part.n <= 0 {
				continue
			}
			h := math.Max(1, tall*part.n/most)
			y -= h
			p.Bars = append(p.Bars, bar{share(float64(i) / minutes), share(0.8 / minutes), px(y), px(h), part.class})
		}
		p.Table.Rows = append(p.Table.Rows, []cell{
			words(m.from.UTC().Format("15:04:05")), number(whole(m.answered)), number(whole(m.refused)), number(whole(m.failed)),
		})
	}
	slices.Reverse(p.Table.Rows)
	return p
}

// Sizes of a bar chart's rows in pixels: text with the bar below.
const (
	lineHeight = 18
	barHeight  = 8
	rowSpace   = 12
)

// row is a row of a bar chart. Its bar covers a range of the width.
type row struct {
	name, value string // in one line
	note        string // under it, "" for none
	from, to    float64
	class       string
}

func (p *plot) add(r row) {
	y := p.Height + lineHeight - 4
	p.Labels = append(p.Labels, label{"0", y, "start", r.name}, label{"100%", y, "end", r.value})
	if r.note != "" {
		y += lineHeight
		p.Labels = append(p.Labels, label{"0", y, "start", r.note})
	}
	y += 6
	const least = 0.004 // makes a day visible next to years
	from := math.Min(r.from, 1-least)
	p.Bars = append(p.Bars,
		bar{"0%", "100%", px(float64(y)), px(barHeight), "track"},
		bar{share(from), share(math.Max(least, r.to-from)), px(float64(y)), px(barHeight), r.class})
	p.Height = y + barHeight + rowSpace
}

// agePlot shows the age of figures. ok is false if none has a date.
func agePlot(now time.Time, figures []snapshot.FigureAge, t table) (plot, bool) {
	oldest, dated := 1, 0 // at least a day, for the scale
	for _, f := range figures {
		if n, ok := days(now, f.Oldest); ok {
			oldest, dated = max(oldest, n), dated+1
		}
	}
	p := plot{
		ID: "ages", Title: "Age of figures", Table: t,
		About: fmt.Sprintf("Each bar goes from the newest date of a figure and its source to the oldest; the left edge is today, the right one %s days ago.", whole(float64(oldest))),
	}
	for _, f := range figures {
		far, ok := days(now, f.Oldest)
		near, also := days(now, f.Newest)
		if !ok || !also {
			continue
		}
		value := whole(float64(near)) + " to " + whole(float64(far)) + " days"
		if near == far {
			value = old(now, f.Oldest)
		}
		from, to := float64(max(0, near))/float64(oldest), float64(max(0, far))/float64(oldest)
		p.add(row{name: string(f.Figure), value: value, note: f.Source, from: from, to: to, class: "a"})
	}
	return p, dated > 0
}

func coveragePlot(locales []string, kinds []domain.Coverage, t table) plot {
	p := plot{
		ID: "languages", Title: "Texts in each language", Table: t,
		About:  "For each language, how many of the names and how many of the other texts exist in it.",
		Legend: []legend{{"a", "other texts"}, {"d", "names"}},
	}
	for _, names := range []bool{false, true} {
		for i, l := range locales {
			written, texts := 0, 0
			for _, k := range kinds {
				if k.Names == names {
					written, texts = written+k.Written[i], texts+k.Texts
				}
			}
			if texts == 0 {
				continue
			}
			name, class := l, "a"
			if names {
				name, class = l+", names", "d"
			}
			of := float64(written) / float64(texts)
			value := fmt.Sprintf("%s of %s · %s", whole(float64(written)), whole(float64(texts)), percent(float64(written), float64(texts)))
			p.add(row{name: name, value: value, to: of, class: class})
		}
	}
	return p
}
