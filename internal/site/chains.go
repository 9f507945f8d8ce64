package site

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/response"
)

// chainsMain is what the page of the list of chains shows.
type chainsMain struct {
	listing
	Rows  []chainItem
	All   int // chains of the status that was asked for
	Sorts []sorting
	TVL   []figureAge
	Plot  *plot // how the TVL is spread; on the list that nothing was asked of
}

// chainItem is a row.
type chainItem struct {
	chainRow
	chainState
	Facts string  // what kind of chain it is, in a few words
	Share float64 // of the largest TVL, in per cent
}

// sorting is an order that may be chosen.
type sorting struct {
	Key, Path string
	On        bool
	Plain     bool // it has one direction
	Ascending bool
}

func chainsPage(v *view) (response.Document, error) {
	body, total, err := v.chains(v.asList())
	if err != nil {
		return response.Document{}, err
	}
	main := chainsMain{}
	if main.listing, err = v.listing(len(body.Chains), total, body.Facets, query.KindChain); err != nil {
		return response.Document{}, err
	}
	if _, main.All, err = v.chains(url.Values{"limit": {"1"}, "status": {v.Query("status")}}.Encode()); err != nil {
		return response.Document{}, err
	}
	if main.Sorts, err = v.sorts(query.SortTVL, query.SortName, query.SortChainID, query.SortPlatforms); err != nil {
		return response.Document{}, err
	}
	if v.query == "" {
		if main.Plot, err = v.tvlPlot(); err != nil {
			return response.Document{}, err
		}
	}
	if main.Rows, err = v.chainItems(body.Chains); err != nil {
		return response.Document{}, err
	}
	main.TVL = v.agesOf(domain.FigureTVL)
	if v.Title, err = v.T("chains.title"); err != nil {
		return response.Document{}, err
	}
	if v.Description, err = v.T("chains.description", "n", v.Meta.Counts["chains"]); err != nil {
		return response.Document{}, err
	}
	v.JSON = withQuery("/api/open/chains", v.asList())
	if err := v.tell(nil, main.linked(v)); err != nil {
		return response.Document{}, err
	}
	return v.show("chains", main, main.twin)
}

// chainItems returns chains as rows, each with its share of the largest.
func (v *view) chainItems(chains []chainRow) ([]chainItem, error) {
	largest, _, err := v.chains("sort=tvl&limit=1&status=all")
	if err != nil {
		return nil, err
	}
	groups, labels := v.common.groups[domain.ModuleChain], v.common.labels
	var items []chainItem
	for _, chain := range chains {
		item := chainItem{chainRow: chain, Facts: facts(chain.Categories, v.snapshot.Roles().Summary, groups, labels)}
		if item.chainState, err = v.stateOf(chain.Slug); err != nil {
			return nil, err
		}
		if chain.TVL != nil && len(largest.Chains) > 0 && largest.Chains[0].TVL != nil {
			item.Share, _ = share(*chain.TVL, *largest.Chains[0].TVL)
		}
		items = append(items, item)
	}
	return items, nil
}

// chainState is what is said of a chain beside its name when it is not live.
type chainState struct {
	Status string // "" for a live one
	State  string // the same in words, since when with it
}

// stateOf returns the state of a chain, which lists and searches of the API do not tell.
func (v *view) stateOf(slug string) (chainState, error) {
	status, since := v.snapshot.ChainStatus(slug)
	if status == domain.StatusLive {
		return chainState{}, nil
	}
	said, err := v.T("status." + string(status))
	if since != "" {
		said += " · " + v.Date(string(since))
	}
	return chainState{string(status), said}, err
}

// largest returns the chains with the most value locked, as many as there are up to n.
func (v *view) largest(n int) ([]chainItem, error) {
	body, _, err := v.chains(url.Values{
		"sort": {"tvl"}, "limit": {strconv.Itoa(n)}, "locale": {v.snapshot.Locales().Name(v.locale)},
	}.Encode())
	if err != nil {
		return nil, err
	}
	known := slices.DeleteFunc(body.Chains, func(c chainRow) bool { return c.TVL == nil })
	return v.chainItems(known)
}

// sorts returns the orders of a list as links: another order, or the same in the other
// direction.
func (v *view) sorts(keys ...query.Sort) ([]sorting, error) {
	now, direction := v.Query("sort"), v.Query("sortDir")
	searched := v.Query("q") != ""
	if now == "" || now == string(query.SortRelevance) && !searched { // where nothing is searched for, both are the same
		now = string(keys[0])
	}
	if searched {
		keys = append([]query.Sort{query.SortRelevance}, keys...)
	}
	var all []sorting
	for _, key := range keys {
		s := sorting{Key: string(key), On: string(key) == now, Ascending: direction == "asc"}
		next := map[bool]string{true: "desc", false: "asc"}[s.Ascending]
		if !s.On { // names and ids begin with the first, figures with the largest
			next = map[bool]string{true: "asc", false: "desc"}[key == query.SortName || key == query.SortChainID]
		}
		if s.Plain = key == query.SortRelevance; s.Plain {
			next = ""
		}
		var err error
		if s.Path, err = v.With("sort", string(key), "sortDir", next); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// facts returns a short summary of a chain: the labels of its categories in the summary
// groups, in their order. groups maps each category to the group that shows it.
func facts(categories, summary []string, groups, labels map[string]string) string {
	var said []string
	for _, group := range summary {
		for _, key := range categories {
			if groups[key] == group {
				said = append(said, labels[key])
			}
		}
	}
	return strings.Join(few(said), " · ")
}
