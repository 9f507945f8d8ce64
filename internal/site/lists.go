package site

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// listMain is the data of a list.
type listMain struct {
	pager
	List        string // name of the section
	Rows        []entry
	All         int    // records of the list with the requested status, without filters
	Asked       string // q
	Sorts       []sorting
	Facets      []choice
	Selects     []selectFilter
	Statuses    []statusOption
	Chosen      int      // filters that are set
	Unlisted    []string // chosen categories without a checkbox: no row has them
	Chips       []chip
	Above       *named // the page above the list, nil for none
	Compare     string // address of the comparison of the first rows, "" for none
	Compared    int    // rows that it compares
	Lead        string // the text of the category, "" for that of the list
	Suggestions []string
	Column      string   // label of the figure in the rows, "" for none
	Figures     []string // sentences about the figures: sources with dates, total, ages
	Chart       *chart
}

// entry is a record in a list, a card in a menu, or a result of a search.
type entry struct {
	Title, Description string
	Link               string // "" for an address that pages do not link to
	Out                bool   // Link leads to another host
	Host               string
	Logo               logo
	Status, State      string // "" for live, and its words
	Key, ID, Handle    string // Key is set for chains and apps
	Categories         []string
	Figure             *figureItem
	More               string // a further line, "" for none
}

// figureItem is a figure with its share of the largest one.
type figureItem struct {
	Label, Value, Date string
	Source             value
	Share              float64 // per cent of the largest
	HasBar             bool
	Part               string // of the total, "" for figures without a total
}

// sorting is an order of a list.
type sorting struct {
	Key, Path string
	On        bool
	Plain     bool // it has one direction
	Ascending bool
}

// selectFilter is a filter of which one option can be selected.
type selectFilter struct {
	Name    string
	Options []selectable
}

// statusOption is a value of the filter by status, "" for all but retired records.
type statusOption struct {
	Key, Name string
	On        bool
}

// choice is a dimension group with its categories.
type choice struct {
	Group, Name string
	Open        bool
	Options     []option
	Others      int // categories that the list does not offer
}

type option struct {
	Key, Name string
	Count     int
	On        bool
}

// largest keeps the n options with the most records and the selected ones.
func (c *choice) largest(n int) {
	all := len(c.Options)
	c.Options = largest(c.Options, n, func(o option) (int, bool) { return o.Count, o.On })
	c.Others = all - len(c.Options)
}

// asked returns the query string of the API for this page: its parameters, its locale and
// more pairs of name and value.
func (v *view) asked(more ...string) string {
	values := url.Values{"locale": {v.snapshot.Locales().Name(v.locale)}}
	for i := 0; i+1 < len(more); i += 2 {
		values.Set(more[i], more[i+1])
	}
	return strings.TrimPrefix(v.query+"&"+values.Encode(), "&")
}

// asList returns the query string of the API for this page of a list. Tags of one dimension
// group are alternatives, dimension groups are conditions.
func (v *view) asList() string {
	return v.asked("limit", strconv.Itoa(pageSize), "facets", "1", "match", string(query.MatchGroups))
}

// one is the page of a list with one record, for its total.
func (v *view) one(kind query.Kind, status query.Status) query.List {
	return query.List{Kind: kind, Locale: v.locale, Status: status, Page: query.Page{On: true, Limit: 1}}
}

// showList sets the data of a page of a list, to which sections lead. The API's parser
// checked the query.
func (v *view) showList(of section, m listMain, total int, facets []snapshot.Facet, through ...section) {
	m.pager, m.List, m.Asked = v.pager(total, pageSize), of.name, v.Query("q")
	for _, name := range []string{"menu", "chain", "platform", "status"} {
		if v.Query(name) != "" {
			m.Chosen++
		}
	}
	if slices.Contains(v.route.known, "status") {
		m.Statuses = v.statuses()
	}
	chosen := v.tags()
	m.Chosen += len(chosen)
	m.Unlisted = slices.Clone(chosen)
	for i, facet := range facets {
		c := choice{Group: facet.Group, Name: facet.Name, Open: i < openFacets}
		for _, category := range facet.Categories {
			o := option{category.Key, category.Name, category.Count, slices.Contains(chosen, category.Key)}
			if o.On {
				c.Open = true
			}
			c.Options = append(c.Options, o)
		}
		c.largest(optionsOfFacet)
		isChosen := slices.ContainsFunc(c.Options, func(o option) bool { return o.On })
		if len(c.Options) > 0 && (i < facetsOfList || isChosen) {
			m.Facets = append(m.Facets, c)
			m.Unlisted = slices.DeleteFunc(m.Unlisted, func(tag string) bool {
				return slices.ContainsFunc(c.Options, func(o option) bool { return o.Key == tag })
			})
		}
	}
	if m.Total == 0 && m.Asked != "" {
		m.Suggestions = v.suggestions(m.Asked, of.kind)
	}
	m.Chips = v.chips(&m)
	v.Title, v.JSON = v.T("title."+of.name), withQuery(of.api, v.asList())
	v.state(of, &m)
	v.Main = m
	v.link(itemList(v, m.Rows), through...)
}

// openFacets is the number of dimension groups that are open at first.
const openFacets = 2

func (v *view) statuses() []statusOption {
	var all []statusOption
	for _, status := range append([]query.Status{""}, query.Statuses()...) {
		name := v.T("statuses." + cmp.Or(string(status), "current"))
		all = append(all, statusOption{Key: string(status), Name: name, On: v.Query("status") == string(status)})
	}
	return all
}

// tagsOf returns the tags in the values of `tag`.
func tagsOf(values []string) []string {
	var all []string
	for _, value := range values {
		for tag := range strings.SplitSeq(value, ",") {
			all = append(all, strings.ToLower(strings.TrimSpace(tag)))
		}
	}
	return all
}

// sorts returns the orders of a list as links. In a directed list, the link of the current
// order reverses it.
func (v *view) sorts(directed bool, keys ...query.Sort) []sorting {
	now, searched := v.Query("sort"), v.Query("q") != ""
	if now == "" || now == string(query.SortRelevance) && !searched {
		now = string(keys[0])
	}
	if searched {
		keys = append([]query.Sort{query.SortRelevance}, keys...)
	}
	var all []sorting
	for _, key := range keys {
		s := sorting{Key: string(key), On: string(key) == now, Plain: !directed || key == query.SortRelevance, Ascending: v.Query("sortDir") == "asc"}
		ascending := !s.Ascending
		if !s.On { // names and IDs begin with the first, figures with the largest
			ascending = key == query.SortName || key == query.SortChainID
		}
		direction := map[bool]string{true: "asc", false: "desc"}[ascending]
		if s.Plain {
			direction = ""
		}
		s.Path = v.With("sort", string(key), "sortDir", direction)
		all = append(all, s)
	}
	return all
}

// suggestions returns suggestions for a search without results, of one kind, or of all
// kinds if kind is "".
func (v *view) suggestions(q string, kind query.Kind) []string {
	values := url.Values{"q": {q}, "kind": {string(kind)}}
	asked, err := query.ParseSearch(values.Encode(), v.snapshot.Locales())
	if err != nil {
		return nil // the path of an error page may not be a valid search
	}
	asked.Locale = v.locale
	return v.snapshot.SearchView(asked).DidYouMean
}

// listRows sets the rows of a list that a query selects, and what the list of one kind has beside them. It
// returns the number of all of them, and their facets.
type listRows func(v *view, asked query.List, m *listMain) (total int, facets []snapshot.Facet)

// listPage returns the function of the page of a list, to which sections lead.
func listPage(of section, rows listRows, through ...section) func(*view) error {
	return func(v *view) error {
		if of.kind != query.KindApp && of.kind != query.KindCard && !v.Has(of.name) && v.hasRecords() {
			return errUnknown
		}
		asked, err := query.ParseList(of.kind, v.asList(), v.snapshot.Locales())
		if err != nil {
			return err
		}
		all := v.one(of.kind, asked.Status)
		all.Unlisted = true
		m := listMain{All: v.snapshot.List(all).Total}
		total, facets := rows(v, asked, &m)
		v.showList(of, m, total, facets, through...)
		return nil
	}
}

func chainRows(v *view, asked query.List, m *listMain) (total int, facets []snapshot.Facet) {
	found := snapshot.Rows[snapshot.ChainRow](v.snapshot, asked)
	figures := v.figuresOf(asked, figureOfSort(asked.Sort))
	m.Rows, m.Figures = v.chainEntries(found.Rows, figures), v.sentences(figures, found.Total)
	orders := []query.Sort{query.SortTVL, query.SortName, query.SortChainID, query.SortPlatforms}
	m.Sorts = v.sorts(true, slices.DeleteFunc(orders, func(order query.Sort) bool {
		return order == query.SortTVL && !v.Has(string(domain.FigureTVL)) || order == query.SortPlatforms && !v.Has(string(domain.FigurePlatforms))
	})...)
	if v.Has(string(figures.name)) {
		m.Column = v.T("column." + string(figures.name))
	}
	if m.Compared = min(len(m.Rows), comparedMost); m.Compared > 1 {
		var first []string
		for _, row := range m.Rows[:m.Compared] {
			first = append(first, row.Key)
		}
		m.Compare = v.comparison(comparedChains.parameter, first)
	}
	if v.query == "" {
		m.Chart = v.tvlChart()
	}
	v.Description = v.T("chains.description", "n", v.Meta.Counts.Chains)
	return found.Total, found.Facets
}

// chainEntries returns chains as rows with a figure of the list that they are of.
func (v *view) chainEntries(rows []snapshot.ChainRow, figures listFigures) []entry {
	var entries []entry
	for _, chain := range rows {
		e := entry{
			Title: chain.Name, Link: v.At("/chains/" + chain.Slug), Logo: v.Logo(chain.Name, chain.Logo), Key: chain.Slug, ID: chain.ChainID,
			Categories: few(v.summary(chain.Categories)),
		}
		e.Status, e.State = v.stateOf(chain.Slug)
		if figure, ok := v.snapshot.ListedFigure(query.KindChain, chain.Slug, figures.name); ok {
			e.Figure = v.figureIn(figures, figure)
		}
		entries = append(entries, e)
	}
	return entries
}

// summary returns the labels of the categories in the summary groups of the catalogue, in
// the order of the groups.
func (v *view) summary(categories []string) []string {
	groups, labels := v.common.groups[domain.ModuleChain], v.common.labels
	var said []string
	for _, group := range v.snapshot.Roles().Summary {
		for _, key := range categories {
			if groups[key] == group {
				said = append(said, labels[key])
			}
		}
	}
	return said
}

// few returns the first categories of a row.
func few(categories []string) []string {
	first, _ := most(categories, categoriesOfRow)
	return first
}

// stateOf returns the status of a chain that is not live, and its words with the date.
func (v *view) stateOf(slug string) (status, state string) {
	of, since := v.snapshot.ChainStatus(slug)
	if of == domain.StatusLive {
		return "", ""
	}
	state = v.T("status." + string(of))
	if since != "" {
		state += " · " + v.Date(string(since))
	}
	return string(of), state
}

func accountRows(v *view, asked query.List, m *listMain) (total int, facets []snapshot.Facet) {
	asked.Unlisted = true // most accounts have no known followers, and a handle is worth listing without
	found := snapshot.Rows[snapshot.AccountRow](v.snapshot, asked)
	figures := v.figuresOf(asked, domain.FigureFollowers)
	m.Column, m.Figures = v.Figure(figures.name), v.agesIn(figures)
	for _, account := range found.Rows {
		e := entry{
			Title: account.Name, Handle: "@" + account.Handle, Link: v.At("/twitter/" + account.Handle),
			Description: cutShort(account.Description), Categories: few(account.Labels),
		}
		if figure, ok := v.snapshot.ListedFigure(query.KindUser, account.Handle, figures.name); ok {
			e.Figure = v.figureIn(figures, figure)
			e.Figure.Source, e.Figure.Date = v.Source(figure.Source), v.Date(string(figure.AsOf))
		}
		m.Rows = append(m.Rows, e)
	}
	v.Description = v.T("accounts.description", "n", m.All)
	return found.Total, found.Facets
}

// plainPage returns the function of the page of a list whose rows show the texts and categories of
// records. description is the key of the words for search engines.
func plainPage(of section, description string) func(*view) error {
	return listPage(of, func(v *view, asked query.List, m *listMain) (total int, facets []snapshot.Facet) {
		found := v.snapshot.Summaries(asked)
		for _, record := range found.Rows {
			m.Rows = append(m.Rows, entry{
				Title: record.Title, Link: v.At(of.records + "/" + record.Key),
				Description: cutShort(record.Description), Categories: few(record.Categories),
			})
		}
		v.Description = v.T(description, "n", m.All)
		return found.Total, found.Facets
	})
}

func cardRows(v *view, asked query.List, m *listMain) (total int, facets []snapshot.Facet) {
	found, index := snapshot.Rows[snapshot.CardRow](v.snapshot, asked), v.cardIndex()
	m.Above, m.Sorts = v.byPurpose(), v.sorts(false, query.SortMenu, query.SortTitle)
	m.Selects = []selectFilter{{"chain", options(index.on.chains, v.Query("chain"))}, {"menu", options(index.menus, v.Query("menu"))}}
	for _, card := range found.Rows {
		e := v.cardEntry(card.MenuCard, card.Status)
		e.More = v.runsOn(card.Platforms, card.Chains, index.on)
		m.Rows = append(m.Rows, e)
	}
	v.Description = v.T("lead.cards")
	return found.Total, found.Facets
}

// cardEntry returns a card whose app has a status, "" for none.
func (v *view) cardEntry(c snapshot.MenuCard, status domain.Status) entry {
	e := entry{Title: c.Title, Description: cutShort(c.Description), Host: hostOf(c.Link), Logo: v.Logo(c.Title, c.Image)}
	if followable(c.Link) {
		e.Link, e.Out = c.Link, e.Host != ""
	}
	e.Status, e.State = v.stateOfApp(status)
	return e
}

// stateOfApp returns the status of an app that is not live, and its words.
func (v *view) stateOfApp(status domain.Status) (key, state string) {
	if status == "" || status == domain.StatusLive {
		return "", ""
	}
	return string(status), v.T("status." + string(status))
}

func appRows(v *view, asked query.List, m *listMain) (total int, facets []snapshot.Facet) {
	found, index := snapshot.Rows[snapshot.AppRow](v.snapshot, asked), v.appIndex()
	m.Above = v.byPurpose()
	m.Selects = []selectFilter{{"chain", options(index.on.chains, v.Query("chain"))}, {"platform", options(index.platforms, v.Query("platform"))}}
	if v.Query("q") != "" { // otherwise there is one order
		m.Sorts = v.sorts(false, query.SortTitle)
	}
	for _, app := range found.Rows {
		m.Rows = append(m.Rows, v.appEntry(app, index.on))
	}
	v.Description = v.T("apps.description", "n", m.All)
	return found.Total, found.Facets
}

// byPurpose returns the page of all menus, nil for none.
func (v *view) byPurpose() *named {
	if !v.Has(menus.name) {
		return nil
	}
	return &named{v.T("title.menus"), v.At(menus.path)}
}

// appEntry returns an app as a row, which leads to its page.
func (v *view) appEntry(app snapshot.AppRow, on chainIndex) entry {
	e := entry{
		Title: app.Title, Description: cutShort(app.Description), Link: v.At(apps.records + "/" + app.Key), Host: hostOf(app.Link),
		Logo: v.Logo(app.Title, app.Image), Key: app.Key, More: v.runsOn(app.Platforms, app.Chains, on),
	}
	e.Status, e.State = v.stateOfApp(app.Status)
	return e
}

// chainsSaid is the number of chains that an app or card names; it counts the others.
const chainsSaid = 3

// runsOn returns the platforms and chains of an app or card.
func (v *view) runsOn(platforms []domain.Platform, chains []string, index chainIndex) string {
	comma := v.T("list.comma")
	var under, on []string
	for _, platform := range platforms {
		under = append(under, v.T("platform."+string(platform)))
	}
	for _, slug := range chains[:min(chainsSaid, len(chains))] {
		on = append(on, cmp.Or(index.names[slug], slug))
	}
	said := strings.Join(on, comma)
	if more := len(chains) - len(on); more > 0 {
		said = v.T("cards.more", "names", said, "n", more)
	}
	return strings.Trim(strings.Join(under, comma)+" · "+said, " ·")
}
