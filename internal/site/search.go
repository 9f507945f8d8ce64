package site

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/fold"
	"vitrine/internal/query"
	"vitrine/internal/response"
)

// searchMain is what the page of the search over everything shows.
type searchMain struct {
	listing
	Kinds []kindOption
	All   int // results of all kinds
	Rows  []resultItem
}

// kindOption is a kind that results may be narrowed to.
type kindOption struct {
	Key   string // "" for all
	Count int
	Path  string
	On    bool
}

// resultItem is a result as the page shows it.
type resultItem struct {
	result
	Path  string // of its page
	Out   bool   // the path leads out
	Exact bool   // it is called what was searched for
	chainState
	Where string // the list that a category filters, as the navigation calls it; "" for other kinds
}

// resultsOnPage is how many results a page of a search has.
const resultsOnPage = 30

func searchPage(v *view) (response.Document, error) {
	main := searchMain{}
	var err error
	if v.Title, err = v.T("search.title"); err != nil {
		return response.Document{}, err
	}
	if v.Description, err = v.T("search.lead"); err != nil {
		return response.Document{}, err
	}
	q := v.Query("q")
	if strings.TrimSpace(q) == "" {
		return v.show("search", main, main.twin)
	}
	v.JSON = withQuery("/api/open/search", v.asked("limit", strconv.Itoa(resultsOnPage)))
	found, total, err := v.search(v.asked("limit", strconv.Itoa(resultsOnPage)))
	if err != nil {
		return response.Document{}, err
	}
	if main.listing, err = v.results(len(found.Results), total); err != nil {
		return response.Document{}, err
	}
	main.Asked, main.Suggestions = q, found.DidYouMean
	totals := found.Totals
	if v.Query("kind") != "" { // what there is of the other kinds
		all, _, err := v.search(url.Values{"q": {q}, "limit": {"1"}, "locale": {v.snapshot.Locales().Name(v.locale)}}.Encode())
		if err != nil {
			return response.Document{}, err
		}
		totals = all.Totals
	}
	if main.Kinds, main.All, err = v.kinds(totals); err != nil {
		return response.Document{}, err
	}
	if main.Notes, err = v.notes(found); err != nil {
		return response.Document{}, err
	}
	for _, r := range found.Results {
		item, err := v.resultItem(r, q)
		if err != nil {
			return response.Document{}, err
		}
		main.Rows = append(main.Rows, item)
	}
	if v.Title, err = v.T("search.title.of", "q", q); err != nil {
		return response.Document{}, err
	}
	return v.show("search", main, main.twin)
}

// search runs a search over everything. Apps are one result each, even if the kind card
// is selected.
func (v *view) search(raw string) (searchBody, int, error) {
	asked, err := query.ParseSearch(raw, v.snapshot.Locales())
	if err != nil {
		return searchBody{}, 0, err
	}
	asked.AppCards = false
	body, total := v.snapshot.Search(asked)
	return read[searchBody](body), total, nil
}

// notes returns how the search differs from the query.
func (v *view) notes(found searchBody) ([]string, error) {
	var notes []string
	if found.Corrected != "" {
		note, err := v.T("search.corrected", "words", found.Corrected)
		if err != nil {
			return nil, err
		}
		notes = append(notes, note)
	}
	if len(found.Relaxed) > 0 {
		note, err := v.T("search.relaxed", "words", strings.Join(found.Relaxed, ", "))
		if err != nil {
			return nil, err
		}
		notes = append(notes, note)
	}
	return notes, nil
}

// kinds returns the kinds that anything was found of, with links that narrow the results,
// and how much there is of all.
func (v *view) kinds(totals map[string]int) ([]kindOption, int, error) {
	chosen := strings.Split(v.Query("kind"), ",")
	all, sum := []kindOption{{On: v.Query("kind") == ""}}, 0
	for _, kind := range query.Kinds() {
		sum += totals[string(kind)]
		on := slices.Contains(chosen, string(kind))
		if totals[string(kind)] > 0 || on {
			all = append(all, kindOption{Key: string(kind), Count: totals[string(kind)], On: on})
		}
	}
	all[0].Count = sum
	for i := range all {
		var err error
		if all[i].Path, err = v.With("kind", all[i].Key); err != nil {
			return nil, 0, err
		}
	}
	return all, sum, nil
}

// results returns what stands around a page of results.
func (v *view) results(shown, total int) (listing, error) {
	offset, _ := strconv.Atoi(v.Query("offset")) // the API read it before
	p, err := v.pagerAt(offset, total, resultsOnPage)
	return listing{pager: p, Shown: shown}, err
}

// resultItem returns a result with the page that has it.
func (v *view) resultItem(r result, q string) (resultItem, error) {
	r.Description = cutShort(r.Description)
	item := resultItem{result: r, Exact: isExact(r, q)}
	switch query.Kind(r.Kind) {
	case query.KindChain:
		item.Path = v.At("/chains/" + r.Key)
		var err error
		if item.chainState, err = v.stateOf(r.Key); err != nil {
			return resultItem{}, err
		}
	case query.KindApp:
		var err error
		if item.Path, item.Out, err = v.appPath(r); err != nil {
			return resultItem{}, err
		}
	case query.KindUser:
		item.Path = v.At("/twitter/" + r.Key)
	case query.KindChannel:
		item.Path = v.At("/youtube/" + r.Key)
	case query.KindMenu:
		item.Path = v.At("/nav/" + r.Key)
	case query.KindCard:
		item.Path = v.cardPath(r, q)
	case query.KindCategory:
		item.Path, item.Where = v.categoryPath(r.Key)
	}
	return item, nil
}

// isExact reports whether a record is called, or has the id, that was searched for.
func isExact(r result, q string) bool {
	phrase := fold.Phrase(q)
	return slices.ContainsFunc([]string{r.Title, r.Key, r.Matched}, func(label string) bool {
		return label != "" && fold.Text(label) == phrase
	})
}

// appPath returns the path of the first card of an app in its menu. If no menu has the
// app, it is the link of the app, and out is true unless the link is on this site.
func (v *view) appPath(r result) (path string, out bool, err error) {
	if place, ok := v.snapshot.FirstPlace(r.Key); ok {
		path, err = v.itemPath(place.Menu, place.Item)
		return path, false, err
	}
	if followable(r.URL) {
		return r.URL, isWeb(r.URL), nil
	}
	return v.At("/cards"), false, nil
}

// cardPath returns the place of a card in its menu.
func (v *view) cardPath(r result, q string) string {
	menu := lastSegment(r.Href)
	path := v.At("/nav/" + menu)
	values := url.Values{"menu": {menu}, "q": {q}, "sort": {string(query.SortRelevance)}, "status": {string(query.StatusAll)}, "limit": {"100"}}
	asked, err := query.ParseCards(values.Encode(), v.snapshot.Locales())
	if err != nil {
		return path // the menu as a whole
	}
	for _, card := range read[cardsBody](v.snapshot.Cards(asked).Body()).Cards {
		if card.ID == r.Key {
			if of, err := v.itemPath(menu, card.Item); err == nil {
				return of
			}
		}
	}
	return path
}

// categoryPath returns the list that a category filters, and what the navigation calls it.
func (v *view) categoryPath(key string) (path, where string) {
	lists := map[string][2]string{
		"chain": {"/chains", "chains"}, "twitter": {"/twitter", "accounts"}, "youtube": {"/youtube", "channels"}, "item": {"/cards", "apps"},
	}
	for _, c := range v.common.categories {
		if c.Key == key && len(c.Scopes) > 0 {
			list := lists[c.Scopes[0]]
			return withQuery(v.At(list[0]), url.Values{"tag": {key}}.Encode()), list[1]
		}
	}
	return v.At("/categories"), ""
}
