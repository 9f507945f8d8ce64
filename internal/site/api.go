package site

import (
	"encoding/json"
	"net/url"
	"strconv"

	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// What pages show is what the API answers. The types here are its bodies as pages read
// them; members that no page shows are left out.

type chainsBody struct {
	Chains []chainRow `json:"chains"`
	Facets []facet    `json:"facets"`
}

// chainRow is a chain as its list has it.
type chainRow struct {
	Slug       string   `json:"slug"`
	Name       string   `json:"name"`
	Logo       string   `json:"logo"`
	ChainID    string   `json:"chain_id"`
	Categories []string `json:"categorySlugs"`
	TVL        *float64 `json:"llama_tvl"`
}

type facet struct {
	Group      string       `json:"group"`
	Name       string       `json:"name"`
	Categories []facetCount `json:"categories"`
}

type facetCount struct {
	Key   string `json:"key"`
	Name  string `json:"name"`
	Count int    `json:"count"`
}

type cardsBody struct {
	Cards  []cardRow `json:"cards"`
	Facets []facet   `json:"facets"`
}

// cardRow is a card as the list of cards has it.
type cardRow struct {
	menuCard
	Menu      string   `json:"menu"`
	Item      string   `json:"item"`
	App       string   `json:"app"`
	Chains    []string `json:"chains"`
	Platforms []string `json:"platforms"`
	Status    string   `json:"status"`
}

// menuCard is a card as its menu has it.
type menuCard struct {
	ID          string `json:"id"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Link        string `json:"link"`
	Image       string `json:"image"`
}

type metaBody struct {
	Title         string         `json:"title"`
	Revision      int            `json:"revision"`
	PublishedAt   string         `json:"publishedAt"`
	Counts        map[string]int `json:"counts"`
	Figures       []figureAge    `json:"figures"`
	Demonstration bool           `json:"demonstration"`
}

type figureAge struct {
	Figure  string `json:"figure"`
	Source  string `json:"source"`
	Records int    `json:"records"`
	Oldest  string `json:"oldest"`
	Newest  string `json:"newest"`
}

type navGroupsBody struct {
	Groups      []navGroup `json:"groups"`
	TotalGroups int        `json:"totalGroups"`
	TotalMenus  int        `json:"totalMenus"`
}

type navGroup struct {
	Slug        string `json:"slug"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Navs        []struct {
		Title       string `json:"title"`
		Description string `json:"description"`
		Href        string `json:"href"`
	} `json:"navs"`
}

type categoriesBody struct {
	Categories []category `json:"categories"`
}

type category struct {
	Key    string   `json:"key"`
	Name   string   `json:"name"`
	Parent *string  `json:"parent"`
	Scopes []string `json:"scopes"`
}

// read reads a body of the API. The bodies are our own: what does not fit is a fault of
// this program.
func read[T any](body []byte) T {
	var into T
	if err := json.Unmarshal(body, &into); err != nil {
		panic("site: a body of the API that pages cannot read: " + err.Error())
	}
	return into
}

// pageSize is how many rows a page of a list has.
const pageSize = 50

// asked returns the query string of the API for what a page was asked: the page's own
// parameters, its locale, and what pages always ask for.
func (v *view) asked(more ...string) string {
	values := url.Values{"locale": {v.snapshot.Locales().Name(v.locale)}}
	for i := 0; i+1 < len(more); i += 2 {
		values.Set(more[i], more[i+1])
	}
	return joinQueries(v.query, values.Encode())
}

// asList is [view.asked] for a page of a list with its facets. Tags of one dimension
// are alternatives, dimensions are conditions. The order is the API's for the same
// parameters: forms that search say that they want the best first.
func (v *view) asList() string {
	return v.asked("limit", strconv.Itoa(pageSize), "facets", "1", "match", string(query.MatchGroups))
}

// inLanguage is the query string of the API that says in which language this page is.
func (v *view) inLanguage() string { return "locale=" + v.snapshot.Locales().Name(v.locale) }

func joinQueries(a, b string) string {
	if a == "" {
		return b
	}
	return a + "&" + b
}

func (v *view) localized() query.Localized { return query.Localized{Locale: v.locale} }

// listOf reads a page of a list, and how many records it has in all.
func listOf[T any](found snapshot.Result) (T, int) { return read[T](found.Body()), found.Total }
