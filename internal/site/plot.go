package site

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"

	"vitrine/internal/query"
)

// A plot is an SVG that the server makes, with a title, a description and its numbers in a
// table behind it. What lies along it is in per cent of its width and what stands up in
// pixels, so that its letters have one size on every screen.

// plot is what the template "plot" shows.
type plot struct {
	ID          string // on its page
	Title, Desc string
	Note        string // beneath it, "" for nothing
	Behind      string // what the table behind it is called
	Height      int
	Bars        []plotBar
	Dots        []plotDot
	Lines       []plotLine
	Labels      []plotLabel
	Tables      []plotTable
}

type plotBar struct {
	X, Width  percent
	Y, Height int
}

type plotDot struct {
	X percent
	Y int
}

type plotLine struct {
	X1, X2 percent
	Y1, Y2 int
	Strong bool // part of what is shown, not of the axis
}

type plotLabel struct {
	X      percent
	Y, DX  int
	Anchor string // start, middle or end
	Text   string
	Spare  bool // is left out where there is little room
}

type plotTable struct {
	Head []string
	Rows [][]string
}

// percent is a part of the width of a plot.
type percent float64

func (p percent) String() string { return strconv.FormatFloat(float64(p), 'f', 2, 64) + "%" }

// Measures of plots in pixels.
const (
	plotLine1   = 20 // a line of text
	plotBottom  = 24 // the axis and its labels
	plotColumns = 96 // the highest column
	plotRow     = 40 // a label and what it tells of, one below the other
)

// Bounds of the distribution of the TVL.
const (
	namedChains = 5
	mostDecades = 12 // what is less than that below the largest is in the first column
)

// tvlPlot returns how the TVL of the live chains is spread, nil where hardly any is known.
func (v *view) tvlPlot() (*plot, error) {
	chains, err := v.chainsWithTVL()
	if err != nil || len(chains) < namedChains {
		return nil, err
	}
	first, last := *chains[len(chains)-1].TVL, *chains[0].TVL
	high := math.Ceil(math.Log10(last))
	low := max(math.Floor(math.Log10(first)), high-mostDecades)
	if low == high {
		low--
	}
	step := 1.0 // decades in a column
	if high-low <= mostDecades/2 {
		step = 0.5
	}
	place := func(value float64) percent {
		return percent(100 * min(max(math.Log10(value)-low, 0), high-low) / (high - low))
	}
	counts := make([]int, int((high-low)/step))
	for _, chain := range chains {
		column := int((math.Log10(*chain.TVL) - low) / step)
		counts[min(max(column, 0), len(counts)-1)]++
	}

	p := &plot{ID: "tvl", Height: namedChains*plotLine1 + plotLine1 + plotColumns + plotBottom}
	base := p.Height - plotBottom
	width := percent(100 / float64(len(counts)))
	spread := plotTable{}
	if spread.Head, err = v.texts("plot.tvl.range", "plot.tvl.chains"); err != nil {
		return nil, err
	}
	for i, n := range counts {
		from, to := math.Pow(10, low+float64(i)*step), math.Pow(10, low+float64(i+1)*step)
		span, err := v.T("plot.range", "from", v.amountOf(from), "to", v.amountOf(to))
		if err != nil {
			return nil, err
		}
		spread.Rows = append(spread.Rows, []string{span, v.Int(n)})
		if n == 0 {
			continue
		}
		height := max(plotColumns*n/slices.Max(counts), 2)
		x := percent(i) * width
		p.Bars = append(p.Bars, plotBar{X: x + width*0.06, Width: width * 0.88, Y: base - height, Height: height})
		p.Labels = append(p.Labels, plotLabel{X: x + width/2, Y: base - height - 4, Anchor: "middle", Text: v.Int(n)})
	}
	p.Lines = append(p.Lines, plotLine{X2: 100, Y1: base, Y2: base})
	spare := false
	for i := 0.0; i <= high-low; i += math.Ceil((high - low) / 4) {
		label := axisLabel(percent(100*i/(high-low)), p.Height-6, v.amountOf(math.Pow(10, low+i)))
		label.Spare, spare = spare, !spare // every other one, from the second on
		p.Labels = append(p.Labels, label)
	}
	largest := plotTable{}
	if largest.Head, err = v.texts("column.name", "column.tvl"); err != nil {
		return nil, err
	}
	for i, chain := range chains[:namedChains] {
		money, err := v.Money(chain.TVL)
		if err != nil {
			return nil, err
		}
		x, y := place(*chain.TVL), (i+1)*plotLine1
		label := plotLabel{X: x, Y: y - 4, DX: -6, Anchor: "end", Text: chain.Name + " " + money}
		if x < 50 {
			label.DX, label.Anchor = 6, "start"
		}
		p.Labels = append(p.Labels, label)
		p.Lines = append(p.Lines, plotLine{X1: x, X2: x, Y1: y - 14, Y2: base})
		largest.Rows = append(largest.Rows, []string{chain.Name, money})
	}
	p.Tables = []plotTable{largest, spread}
	if p.Title, err = v.T("plot.tvl.title"); err != nil {
		return nil, err
	}
	if p.Desc, err = v.T("plot.tvl.desc", "n", len(chains), "first", largest.Rows[0][0], "money", largest.Rows[0][1]); err != nil {
		return nil, err
	}
	return v.told(p)
}

// chainsWithTVL returns the live chains whose TVL is known and more than nothing, the
// largest first.
func (v *view) chainsWithTVL() ([]chainRow, error) {
	var all []chainRow
	for {
		page, total, err := v.chains(v.locales("sort=tvl&limit=" + strconv.Itoa(query.MaxLimit) + "&offset=" + strconv.Itoa(len(all))))
		if err != nil {
			return nil, err
		}
		for _, chain := range page.Chains {
			if chain.TVL == nil || *chain.TVL <= 0 {
				return all, nil
			}
			all = append(all, chain)
		}
		if len(page.Chains) == 0 || len(all) >= total {
			return all, nil
		}
	}
}

// locales adds the reader's language to a query string of the API.
func (v *view) locales(raw string) string {
	return raw + "&locale=" + v.snapshot.Locales().Name(v.locale)
}

// amountOf writes an amount of US dollars on an axis.
func (v *view) amountOf(n float64) string {
	if money, err := v.Money(&n); err == nil {
		return money
	}
	return v.Amount(n)
}

// told gives a plot the words that all have.
func (v *view) told(p *plot) (*plot, error) {
	var err error
	p.Behind, err = v.T("plot.behind")
	return p, err
}

// texts returns texts of the interface by their keys.
func (v *view) texts(keys ...string) ([]string, error) {
	var all []string
	for _, key := range keys {
		text, err := v.T(key)
		if err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, nil
}

// axisLabel is a label of an axis that does not leave the plot at its ends.
func axisLabel(x percent, y int, text string) plotLabel {
	anchor := "middle"
	if x < 5 {
		anchor = "start"
	} else if x > 95 {
		anchor = "end"
	}
	return plotLabel{X: x, Y: y, Anchor: anchor, Text: text}
}

// amount is something with a name that is counted.
type amount struct {
	Name  string
	Count int
}

// rankingPlot returns amounts as bars below each other, in their order. Names says what
// they are, counts what is counted of them.
func (v *view) rankingPlot(id, title, desc, names, counts string, amounts []amount) *plot {
	p := &plot{ID: id, Title: title, Desc: desc, Height: len(amounts) * plotRow, Tables: []plotTable{{Head: []string{names, counts}}}}
	most := 1
	for _, a := range amounts {
		most = max(most, a.Count)
	}
	for i, a := range amounts {
		top := i * plotRow
		p.Labels = append(p.Labels,
			plotLabel{Y: top + 16, Anchor: "start", Text: a.Name},
			plotLabel{X: 100, Y: top + 16, Anchor: "end", Text: v.Int(a.Count)})
		p.Bars = append(p.Bars, plotBar{Width: percent(100 * float64(a.Count) / float64(most)), Y: top + 22, Height: 8})
		p.Tables[0].Rows = append(p.Tables[0].Rows, []string{a.Name, v.Int(a.Count)})
	}
	return p
}

// mostCategories is how many categories the plot of apps shows.
const mostCategories = 12

// appsPlot returns how many cards there are in the largest categories of apps, nil where
// there are none.
func (v *view) appsPlot() (*plot, error) {
	asked, err := query.ParseCards(v.locales("facets=1&limit=1"), v.snapshot.Locales())
	if err != nil {
		return nil, err
	}
	var amounts []amount
	for _, f := range read[cardsBody](v.snapshot.Cards(asked).Body()).Facets {
		for _, c := range f.Categories {
			amounts = append(amounts, amount{c.Name, c.Count})
		}
	}
	if len(amounts) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(amounts, func(a, b amount) int { return cmp.Compare(b.Count, a.Count) })
	amounts = amounts[:min(len(amounts), mostCategories)]
	words, err := v.texts("plot.apps.title", "fact.categories", "figure.platforms")
	if err != nil {
		return nil, err
	}
	desc, err := v.T("plot.apps.desc", "name", amounts[0].Name, "n", amounts[0].Count)
	if err != nil {
		return nil, err
	}
	return v.told(v.rankingPlot("apps-plot", words[0], desc, words[1], words[2], amounts))
}

// agesPlot returns of which days figures are, by what they say and by their source, up to
// the day on which the revision was published; nil where no figure has a date.
func (v *view) agesPlot() (*plot, error) {
	published := v.Meta.PublishedAt[:len(time.DateOnly)]
	last, ok := day(published)
	start := last
	var dated []figureAge
	figures, _ := most(v.Meta.Figures, figuresOfFirst)
	for _, f := range figures {
		if oldest, known := day(f.Oldest); known {
			dated = append(dated, f)
			start = min(start, oldest)
		}
	}
	if !ok || len(dated) == 0 || start >= last {
		return nil, nil
	}
	place := func(date string) percent {
		at, _ := day(date) // those of the records are days, as the oldest is
		return percent(100 * max(min(at, last)-start, 0) / (last - start))
	}
	p := &plot{ID: "ages", Height: len(dated)*plotRow + plotBottom}
	base := p.Height - plotBottom
	table := plotTable{}
	var err error
	if table.Head, err = v.texts("column.figure", "column.source", "column.records", "column.oldest", "column.newest"); err != nil {
		return nil, err
	}
	for i, f := range dated {
		top := i * plotRow
		name, err := v.T("figure." + f.Figure)
		if err != nil {
			return nil, err
		}
		source, err := v.Source(f.Source)
		if err != nil {
			return nil, err
		}
		p.Labels = append(p.Labels,
			plotLabel{Y: top + 16, Anchor: "start", Text: name + " · " + source},
			plotLabel{X: 100, Y: top + 16, Anchor: "end", Text: v.Date(f.Newest), Spare: true})
		p.Lines = append(p.Lines,
			plotLine{X2: 100, Y1: top + 28, Y2: top + 28},
			plotLine{X1: place(f.Oldest), X2: place(f.Newest), Y1: top + 28, Y2: top + 28, Strong: true})
		p.Dots = append(p.Dots, plotDot{place(f.Oldest), top + 28}, plotDot{place(f.Newest), top + 28})
		table.Rows = append(table.Rows, []string{name, source, v.Int(f.Records), v.Date(f.Oldest), v.Date(f.Newest)})
	}
	oldest := slices.MinFunc(dated, func(a, b figureAge) int { return cmp.Compare(a.Oldest, b.Oldest) }).Oldest
	p.Labels = append(p.Labels, axisLabel(0, base+16, v.Date(oldest)), axisLabel(100, base+16, v.Date(published)))
	p.Tables = []plotTable{table}
	if p.Title, err = v.T("plot.ages.title"); err != nil {
		return nil, err
	}
	if p.Desc, err = v.T("plot.ages.desc", "from", v.Date(oldest), "to", v.Date(published)); err != nil {
		return nil, err
	}
	return v.told(p)
}

// day returns a day as a number that grows by one a day.
func day(date string) (float64, bool) {
	at, err := time.Parse(time.DateOnly, date)
	return float64(at.Unix()) / (24 * 3600), err == nil
}
