package site

import (
	"net/url"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// Bounds of the comparison of records.
const (
	comparedMost  = 4
	valuesOfCell  = 6
	peersOfRecord = 6 // that are suggested for a comparison
)

// compareMain is the data of the comparison of chains or of apps.
type compareMain struct {
	Parameter   string // "chain" or "app"; it ends the keys of words
	Records     []compared
	Rows        []comparedRow
	Unknown     []string // names without a record
	More        bool     // there are records beyond the bound
	Suggestions []named  // records to add
}

// compared is a record of a comparison.
type compared struct {
	named
	Key, Remove string // Remove is the address of the comparison without the record
	Logo        logo
	facts       []fact
	categories  []string
}

// comparedRow has a fact of all records. Differs says that records contradict each other; it is
// not set for facts that are different for any two records, such as links.
type comparedRow struct {
	Label   string
	Differs bool
	Cells   []comparedCell
}

// comparedCell has the values of one record, none if the fact is unknown.
type comparedCell struct {
	Of     string // name of the record
	Fact   fact
	Figure *figureItem
	Left   int // values that the cell omits
}

// comparedKind is a kind whose records can be compared.
type comparedKind struct {
	recordPage
	parameter string
	load      func(v *view, key string) *compared
}

var (
	comparedChains = comparedKind{chainRecord, "chain", comparedChain}
	comparedApps   = comparedKind{appRecord, "app", comparedApp}
)

func comparePage(v *view) error {
	of, keys, unknown, more := choose(v.snapshot, v.values)
	m := compareMain{Parameter: of.parameter, Unknown: unknown, More: more != ""}
	for i, key := range keys {
		record := of.load(v, key)
		record.Key, record.Remove = key, v.comparison(of.parameter, slices.Concat(keys[:i], keys[i+1:]))
		m.Records = append(m.Records, *record)
	}
	m.Rows = comparedRows(v, of, m.Records)
	m.Suggestions = v.toAdd(of, &m, keys)
	v.present(of, &m, keys)
	return nil
}

// choose returns what a query compares: the kind, the keys of the records in the order of the query, each
// once, and the names without a record. Both are bounded. more is the first key beyond the bound, "" for
// none.
func choose(of *snapshot.Snapshot, values url.Values) (kind comparedKind, keys, unknown []string, more string) {
	kind = comparedChains
	if values.Get(comparedChains.parameter) == "" && (values.Get(comparedApps.parameter) != "" || !hasChains(of)) {
		kind = comparedApps
	}
	for _, value := range append(slices.Clone(values[kind.parameter]), values.Get("add")) {
		for name := range strings.SplitSeq(value, ",") {
			name = strings.TrimSpace(name)
			key, ok := of.Named(kind.kind, name)
			switch {
			case name == "" || slices.Contains(keys, key) || slices.Contains(unknown, name):
			case !ok && len(unknown) < comparedMost:
				unknown = append(unknown, name)
			case ok && len(keys) < comparedMost:
				keys = append(keys, key)
			case ok && more == "":
				more = key
			}
		}
	}
	return kind, keys, unknown, more
}

// hasChains reports whether a catalogue has chains, of any status.
func hasChains(of *snapshot.Snapshot) bool {
	return of.List(query.List{Kind: query.KindChain, Status: query.StatusAll, Unlisted: true, Page: query.Page{On: true, Limit: 1}}).Total > 0
}

// canonicalComparison returns the query string of a comparison with keys in place of other names, so that
// spellings share a page. The order of records stays, because the page shows them in it.
func canonicalComparison(of *snapshot.Snapshot, raw string) string {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return raw // the page reports it
	}
	kind, keys, unknown, more := choose(of, values)
	all := slices.Concat(keys, unknown)
	if more != "" {
		all = append(all, more)
	}
	if len(all) == 0 && kind.parameter == comparedApps.parameter {
		all = []string{","} // a comparison of apps without one
	}
	return url.Values{kind.parameter: all}.Encode()
}

// present sets the title, the addresses and the description of a comparison. Its canonical address
// has the keys in alphabetical order.
func (v *view) present(of comparedKind, m *compareMain, keys []string) {
	v.NoIndex = true // there are too many comparisons for search engines
	v.Title = v.T("compare.title." + of.parameter)
	if len(keys) > 0 {
		names := make([]string, len(m.Records))
		for i, record := range m.Records {
			names[i] = record.Name
		}
		v.Title = v.T("compare.of", "names", strings.Join(names, v.T("list.comma")))
		v.JSON = withQuery(of.api, url.Values{"id": {strings.Join(keys, ",")}, "view": {"full"}, "locale": {v.snapshot.Locales().Name(v.locale)}}.Encode())
		v.canonical = url.Values{of.parameter: slices.Sorted(slices.Values(keys))}.Encode()
	}
	v.Description, v.Main = v.T("compare.lead"), *m
	v.link(nil, of.section)
}

// comparison returns the address of the comparison of records.
func (v *view) comparison(parameter string, keys []string) string {
	return withQuery(v.At("/compare"), url.Values{parameter: keys}.Encode())
}

// toAdd returns records that a comparison may be extended with: what an unknown name may mean, else
// the first records with the first categories of the first record.
func (v *view) toAdd(of comparedKind, m *compareMain, keys []string) []named {
	if len(keys) >= comparedMost {
		return nil
	}
	var found []named
	add := func(key string) {
		if len(found) == peersOfRecord || slices.Contains(keys, key) {
			return
		}
		if record := of.load(v, key); record != nil {
			found = append(found, named{record.Name, v.comparison(of.parameter, append(slices.Clone(keys), key))})
		}
	}
	for _, name := range m.Unknown {
		for _, key := range v.snapshot.Candidates(of.kind, query.ForName(name, v.locale)) {
			add(key)
		}
	}
	if len(m.Unknown) > 0 {
		return found
	}
	list := v.one(of.kind, query.StatusLive)
	list.Page.Limit = peersOfRecord + comparedMost
	if len(m.Records) > 0 {
		list.Tags, list.Match = m.Records[0].categories, query.MatchAll
	}
	for _, key := range v.snapshot.Keys(list) {
		add(key)
	}
	return found
}

// comparedChain returns a chain for a comparison, nil if it is unknown.
func comparedChain(v *view, key string) *compared {
	chain := snapshot.Details[snapshot.Chain](v.snapshot, query.KindChain, key, v.locale)
	if chain == nil {
		return nil
	}
	facts := []fact{textFact(v.T("status.label"), value{Text: v.T("status." + string(chain.Status))})}
	own := v.factsOfChain(chain)
	own["aliases"], own["chain_id"][0].Label = nil, v.T("id.plain")
	for i := range own["chain_id"][0].Values {
		own["chain_id"][0].Values[i].Copy = nil
	}
	own["website"] = []fact{textFact(v.T("link.website"), v.out("", chain.Website))}
	of, _ := chainRecord.factsOf(v, snapshot.Values(chain), own)
	facts = append(facts, of...)
	endpoints := fact{Label: v.T("section.rpc"), IsList: true, Values: []value{{Text: v.T("rpc.none")}}}
	for i, e := range chain.RPC {
		if i == 0 {
			endpoints.Values = nil
		}
		endpoints.Values = append(endpoints.Values, value{Text: e.URL, IsCode: true})
	}
	facts = append(append(facts, endpoints), v.linksByType(chain.Links)...)
	var categories []string
	for _, group := range v.snapshot.Roles().Summary {
		for _, category := range chain.Categories {
			if v.common.groups[domain.ModuleChain][category] == group && len(categories) == 0 {
				categories = append(categories, category)
			}
		}
	}
	return &compared{named: named{chain.Name, v.At("/chains/" + chain.Slug)}, Logo: v.Logo(chain.Name, chain.Logo), facts: facts, categories: categories}
}

// comparedApp returns an app for a comparison, nil if it is unknown.
func comparedApp(v *view, key string) *compared {
	app := snapshot.Details[snapshot.App](v.snapshot, query.KindApp, key, v.locale)
	if app == nil {
		return nil
	}
	facts := []fact{
		textFact(v.T("column.about"), value{Text: app.Description}),
		textFact(v.T("status.label"), value{Text: v.T("status." + string(app.Status))}),
	}
	website := []fact{textFact(v.T("link.website"), v.out("", app.Link))}
	of, _ := appRecord.factsOf(v, snapshot.Values(app), map[string][]fact{"platforms": {v.platformsOf(app)}, "aliases": nil, "link": website})
	categories, _ := most(app.Categories, 1)
	return &compared{
		named: named{app.Title, v.At("/apps/" + app.Key)}, Logo: v.Logo(app.Title, app.Image),
		facts: append(append(facts, of...), v.linksByType(app.Links)...), categories: categories,
	}
}

// comparedRows returns the rows of a comparison: figures first, then facts in the order of the records.
func comparedRows(v *view, of comparedKind, records []compared) []comparedRow {
	if len(records) == 0 {
		return nil
	}
	rows := figureRows(v, of, records)
	var labels []string
	for _, record := range records {
		at := 0
		for _, f := range record.facts {
			if i := slices.Index(labels, f.Label); i >= 0 {
				at = i + 1
				continue
			}
			labels = slices.Insert(labels, at, f.Label)
			at++
		}
	}
	always := []string{v.T("id.plain"), v.T("section.rpc"), v.T("column.about")}
	for _, label := range labels {
		row := comparedRow{Label: label}
		var texts []string
		isOwn := slices.Contains(always, label)
		for _, record := range records {
			cell := comparedCell{Of: record.Name}
			for _, f := range record.facts {
				if f.Label == label && cell.Fact.Values == nil {
					cell.Fact = f
				}
			}
			var text []string
			for _, x := range cell.Fact.Values {
				text = append(text, x.Text)
				isOwn = isOwn || x.URL != ""
			}
			slices.Sort(text)
			texts = append(texts, strings.Join(text, "\n"))
			cell.Fact.Values, cell.Left = most(cell.Fact.Values, valuesOfCell)
			row.Cells = append(row.Cells, cell)
		}
		row.Differs = !isOwn && len(slices.Compact(texts)) > 1
		rows = append(rows, row)
	}
	return rows
}

// figureRows returns the rows of figures, with bars relative to the largest of the records.
func figureRows(v *view, of comparedKind, records []compared) []comparedRow {
	var rows []comparedRow
	for _, field := range of.shape.Figures() {
		row, largest := comparedRow{Label: v.Figure(domain.FigureName(field.Name))}, 0.0
		figures := make([]*snapshot.Figure, len(records))
		for i, record := range records {
			if f, ok := v.snapshot.ListedFigure(of.kind, record.Key, domain.FigureName(field.Name)); ok {
				figures[i], largest = &f, max(largest, f.Value)
			}
		}
		known := false
		for i, f := range figures {
			cell := comparedCell{Of: records[i].Name}
			if f != nil {
				item := v.figure(field.Name, *f, map[string]float64{field.Name: largest})
				cell.Figure, known = &item, true
			}
			row.Cells = append(row.Cells, cell)
		}
		if known {
			rows = append(rows, row)
		}
	}
	return rows
}
