package site

import (
	"math"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// listFigures are the figures of the records that a list selects, on all its pages.
type listFigures struct {
	snapshot.FigureSummary
	name domain.FigureName
}

// figuresOf returns the figures of a name in a list.
func (v *view) figuresOf(list query.List, name domain.FigureName) listFigures {
	return listFigures{v.snapshot.FigureSummary(list, name), name}
}

// figureOfSort returns the figure by which chains are ordered, the TVL for other orders.
func figureOfSort(by query.Sort) domain.FigureName {
	if by == query.SortPlatforms {
		return domain.FigurePlatforms
	}
	return domain.FigureTVL
}

// adds reports whether a sum of the figure has a meaning. Apps and followers of several records
// are partly the same.
func (f listFigures) adds() bool { return f.name == domain.FigureTVL && f.Total > 0 }

// figureIn returns a figure of a row: with a bar relative to the largest of the list, its part of
// the total, and its date if it is not the newest of the list.
func (v *view) figureIn(list listFigures, f snapshot.Figure) *figureItem {
	item := &figureItem{Value: v.valueOf(list.name, f.Value)}
	item.Share, item.HasBar = share(f.Value, list.Largest)
	if list.adds() {
		item.Part = v.percent(f.Value / list.Total)
	}
	if _, newest := list.Dates(); f.AsOf != newest {
		item.Date = v.Date(string(f.AsOf))
	}
	return item
}

// valueOf returns the value of a figure with its unit.
func (v *view) valueOf(name domain.FigureName, n float64) string {
	if name == domain.FigureTVL {
		return v.Money(n)
	}
	return v.number(n)
}

// percent returns a part of 1 in per cent: 45%, 4.5%, <0.1%.
func (v *view) percent(part float64) string {
	switch {
	case part <= 0:
		return v.T("percent", "n", "0")
	case part < 0.001:
		return v.T("percent.less", "n", v.words.significant(0.1))
	case part < 0.0995:
		return v.T("percent", "n", v.words.significant(math.Round(part*1000)/10))
	}
	return v.T("percent", "n", v.words.significant(math.Round(part*100)))
}

// sentences returns what a list says of its figures: sources and dates, the total, and whether
// dates differ much.
func (v *view) sentences(list listFigures, records int) []string {
	var all []string
	column := v.T("column." + string(list.name))
	sources, _ := most(list.Sources, sourcesOfList)
	for _, s := range sources {
		if s.Newest == "" {
			all = append(all, v.T("figure.editors", "figure", column))
			continue
		}
		all = append(all, v.T("figure.from", "figure", column, "source", v.Source(s.Source).Text, "date", v.dates(s.Oldest, s.Newest)))
	}
	if list.adds() && records > 1 {
		all = append(all, v.T("figure.total", "n", list.Records, "all", records, "total", v.valueOf(list.name, list.Total)))
	}
	return append(all, v.agesIn(list)...)
}

// farApart are the days between figures that a ranking should not compare without a word.
const farApart = 365

// agesIn returns a sentence if the dates of the figures of a list differ much.
func (v *view) agesIn(list listFigures) []string {
	oldest, newest := list.Dates()
	from, wrongFrom := time.Parse(time.DateOnly, string(oldest))
	to, wrongTo := time.Parse(time.DateOnly, string(newest))
	if wrongFrom != nil || wrongTo != nil || to.Sub(from) < farApart*24*time.Hour {
		return nil
	}
	return []string{v.T("figure.mixed", "from", v.Date(string(oldest)), "to", v.Date(string(newest)))}
}

// dates returns a date, or the range of two.
func (v *view) dates(oldest, newest domain.Date) string {
	if oldest == newest {
		return v.Date(string(newest))
	}
	return v.T("chart.range", "from", v.Date(string(oldest)), "to", v.Date(string(newest)))
}

// share returns a value as a percentage of the largest; ok is false without a bar.
func share(value, largest float64) (percent float64, ok bool) {
	if largest <= 0 || value < 0 {
		return 0, false
	}
	return min(100*value/largest, 100), true
}

// figures returns the figures of a record with their shares of the largest values.
func (v *view) figures(all snapshot.Object[snapshot.Figure], largest map[string]float64) []figureItem {
	var items []figureItem
	for _, f := range all {
		items = append(items, v.figure(f.Name, f.Value, largest))
	}
	return items
}

func (v *view) figure(name string, f snapshot.Figure, largest map[string]float64) figureItem {
	of := domain.FigureName(name)
	item := figureItem{Label: v.Figure(of), Value: v.valueOf(of, f.Value), Source: v.Source(f.Source), Date: v.Date(string(f.AsOf))}
	item.Share, item.HasBar = share(f.Value, largest[name])
	return item
}
