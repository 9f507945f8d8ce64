package site

import (
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/fold"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// searchMain is the data of the search over everything.
type searchMain struct {
	pager
	Asked       string // q, "" before a search
	Kinds       []kindOption
	Rows        []result
	Corrected   string // the query that was run instead, "" for none
	Relaxed     string // the words that the search dropped, "" for none
	Suggestions []string
}

// kindOption is a kind of results, changes or events that filters a page.
type kindOption struct {
	Key   string // "" for all
	Count int
	Path  string
	On    bool
}

// result is a result with its page.
type result struct {
	entry
	Kind, Matched, URL string
	Exact              bool   // a label of the record is the query
	Where              string // end of the key of the words for the list of a category
}

func searchPage(v *view) error {
	q := v.Query("q")
	v.Title, v.Description = v.T("search.title"), v.T("search.lead")
	if strings.TrimSpace(q) == "" {
		v.Main = searchMain{}
		return nil
	}
	raw := v.asked("limit", strconv.Itoa(resultsOnPage))
	asked, err := query.ParseSearch(raw, v.snapshot.Locales())
	if err != nil {
		return err
	}
	asked.AppCards = false // an app is one result, even if the kind card is selected
	found := v.snapshot.SearchView(asked)
	if found.Total == 0 && v.site.emptySearch != nil {
		v.site.emptySearch(q)
	}
	m := searchMain{
		Asked: q, pager: v.pager(found.Total, resultsOnPage), Kinds: v.kinds(asked, found),
		Corrected: without(found.Corrected, found.Relaxed), Relaxed: strings.Join(found.Relaxed, ", "), Suggestions: found.DidYouMean,
	}
	phrase := fold.Phrase(q)
	for _, r := range found.Results {
		m.Rows = append(m.Rows, v.result(r, phrase))
	}
	v.Title, v.JSON, v.Main = v.T("search.title.of", "q", q), withQuery("/api/open/search", raw), m
	return nil
}

// without returns a text without some of its words.
func without(text string, words []string) string {
	all := slices.DeleteFunc(strings.Fields(text), func(word string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return fold.Text(w) == fold.Text(word) })
	})
	return strings.Join(all, " ")
}

// kinds returns the kinds of results of a search.
func (v *view) kinds(asked query.Search, found *snapshot.SearchResults) []kindOption {
	totals := found.Totals
	if v.Query("kind") != "" { // totals has only the selected kinds
		asked.Kinds, asked.Page = query.Kinds(), query.Page{On: true, Limit: 1}
		totals = v.snapshot.SearchView(asked).Totals
	}
	return v.kindOptions(query.Kinds(), func(kind query.Kind) int {
		count, _ := totals.Get(string(kind))
		return count
	})
}

// kindOptions returns all kinds together, and each kind that is selected or has a count, with links that
// filter this page.
func (v *view) kindOptions(kinds []query.Kind, count func(query.Kind) int) []kindOption {
	chosen := strings.Split(v.Query("kind"), ",")
	all := []kindOption{{On: v.Query("kind") == "", Path: v.With("kind", "")}}
	for _, kind := range kinds {
		n, on := count(kind), slices.Contains(chosen, string(kind))
		all[0].Count += n
		if n > 0 || on {
			all = append(all, kindOption{Key: string(kind), Count: n, On: on, Path: v.With("kind", string(kind))})
		}
	}
	return all
}

// result returns a result with the page that has it.
func (v *view) result(r snapshot.SearchResult, phrase string) result {
	isExact := func(label string) bool { return label != "" && fold.Text(label) == phrase }
	row := result{
		entry: entry{Title: r.Title, Description: cutShort(r.Description), Logo: v.Logo(r.Title, r.Image)},
		Kind:  string(r.Kind), Matched: r.Matched, URL: r.URL, Exact: slices.ContainsFunc([]string{r.Title, r.Key, r.Matched}, isExact),
	}
	row.Link, row.Where = v.recordPath(r.Kind, r.Key)
	switch r.Kind {
	case query.KindChain:
		row.Status, row.State = v.stateOf(r.Key)
	case query.KindApp:
		if app := snapshot.Details[snapshot.App](v.snapshot, query.KindApp, r.Key, v.locale); app != nil {
			row.Status, row.State = v.stateOfApp(app.Status)
		}
	case query.KindCard:
		menu := lastSegment(r.Href)
		row.Link = v.itemPath(menu, v.snapshot.ItemOfCard(menu, r.Key))
	}
	return row
}

// recordPath returns the page of a record, for a category the list that it filters and the end of the
// key of its words in the navigation. Cards have no page: the path is "".
func (v *view) recordPath(kind query.Kind, key string) (path, where string) {
	switch kind {
	case query.KindMenu:
		return v.At("/nav/" + key), ""
	case query.KindCategory:
		return v.categoryPath(key)
	}
	for _, of := range sections() {
		if of.kind == kind && of.records != "" {
			return v.At(of.records + "/" + key), ""
		}
	}
	return "", ""
}

// categoryPath returns the list that a category filters, and the end of the key of its
// words in the navigation.
func (v *view) categoryPath(key string) (path, where string) {
	i := slices.IndexFunc(v.common.categories, func(c snapshot.Category) bool { return c.Key == key })
	if i < 0 || len(v.common.categories[i].Scopes) == 0 {
		return v.At("/categories"), ""
	}
	of := v.listOf(v.common.categories[i].Scopes[0], key)
	return v.tagged(of, key), of.nav
}
