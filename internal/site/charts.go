package site

import (
	"cmp"
	"math"
	"slices"

	"vitrine/internal/domain"
	"vitrine/internal/query"
)

// chart is a table of counts with bars.
type chart struct {
	Title, Desc string
	Head        [2]string
	Rows        []chartRow
}

type chartRow struct {
	Label string
	Count int
	Share float64 // of the largest count, in per cent
}

// scaled returns rows with their shares.
func scaled(rows []chartRow) []chartRow {
	largest := 1
	for _, row := range rows {
		largest = max(largest, row.Count)
	}
	for i, row := range rows {
		rows[i].Share = 100 * float64(row.Count) / float64(largest)
	}
	return rows
}

// Bounds of the chart of the TVL.
const (
	fewestChains = 5
	mostDecades  = 12 // the last row also has smaller values
)

// tvlChart returns the distribution of the TVL of live chains by powers of ten, nil for too
// few chains.
func (v *view) tvlChart() *chart {
	values, largest := v.tvls()
	if len(values) < fewestChains {
		return nil
	}
	high := int(math.Ceil(math.Log10(values[0])))
	low := max(int(math.Floor(math.Log10(values[len(values)-1]))), high-mostDecades)
	rows := make([]chartRow, max(high-low, 1))
	for i := range rows {
		from, to := math.Pow10(high-i-1), math.Pow10(high-i)
		rows[i].Label = v.T("chart.range", "from", v.Money(from), "to", v.Money(to))
	}
	for _, value := range values {
		i := high - int(math.Floor(math.Log10(value))) - 1
		rows[min(max(i, 0), len(rows)-1)].Count++
	}
	return &chart{
		Title: v.T("chart.tvl.title"), Head: [2]string{v.T("column.llama_tvl"), v.T("nav.chains")}, Rows: scaled(rows),
		Desc: v.T("chart.tvl.desc", "n", len(values), "first", largest, "money", v.Money(values[0])),
	}
}

// tvls returns the positive TVL of live chains in descending order, and the name of the
// first chain.
func (v *view) tvls() (values []float64, largest string) {
	list := v.one(query.KindChain, "")
	list.Page = query.Page{}
	for _, key := range v.snapshot.Keys(list) {
		figure, ok := v.snapshot.ListedFigure(query.KindChain, key, domain.FigureTVL)
		if !ok || figure.Value <= 0 {
			break
		}
		if values = append(values, figure.Value); len(values) == 1 {
			largest = v.snapshot.TitleOf(query.KindChain, key, v.locale)
		}
	}
	return values, largest
}

// mostCategories is the number of categories in the chart of apps.
const mostCategories = 12

// appsChart returns the number of apps, or of cards without apps, of the largest categories of apps, nil for none.
func (v *view) appsChart() *chart {
	var rows []chartRow
	for _, facet := range v.snapshot.Facets(v.one(v.classified(domain.ModuleItem).kind, "")) {
		for _, category := range facet.Categories {
			rows = append(rows, chartRow{Label: category.Name, Count: category.Count})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	slices.SortStableFunc(rows, func(a, b chartRow) int { return cmp.Compare(b.Count, a.Count) })
	rows, _ = most(rows, mostCategories)
	return &chart{
		Title: v.T("chart.apps.title"), Head: [2]string{v.T("fact.categories"), v.T("section.apps")}, Rows: scaled(rows),
		Desc: v.T("chart.apps.desc", "name", rows[0].Label, "n", rows[0].Count),
	}
}
