package site

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/query"
)

// listing is what every page of a list shows around its rows.
type listing struct {
	pager
	Shown       int // rows here
	Facets      []choice
	Chosen      int // filters that are set
	Suggestions []string
	Notes       []string // how a search over everything differs from the query
	Asked       string   // q
	Statuses    []statusOption
}

// statusOption is a value of the filter by status: "" for all but retired records.
type statusOption struct {
	Key, Name string
	On        bool
}

// statuses returns the choice between statuses. The API checked the one that the page was
// asked for.
func (v *view) statuses() ([]statusOption, error) {
	var all []statusOption
	for _, status := range append([]query.Status{""}, query.Statuses()...) {
		name, err := v.T("statuses." + cmp.Or(string(status), "current"))
		if err != nil {
			return nil, err
		}
		all = append(all, statusOption{Key: string(status), Name: name, On: v.Query("status") == string(status)})
	}
	return all, nil
}

// choice is a dimension and the categories that may be chosen in it.
type choice struct {
	Group, Name string
	Open        bool
	Options     []option
	Others      int // categories that are not offered
}

type option struct {
	Key, Name string
	Count     int
	On        bool
}

// largest leaves out all options of a dimension but those with most records and those
// that are chosen; the order stays.
func (c *choice) largest(n int) {
	all := len(c.Options)
	c.Options = largest(c.Options, n, func(o option) (int, bool) { return o.Count, o.On })
	c.Others = all - len(c.Options)
}

// openFacets is how many dimensions are unfolded at first.
const openFacets = 2

// listing returns what stands around a page of a list. Kind is what to look for where
// nothing is found.
func (v *view) listing(shown, total int, facets []facet, kind query.Kind) (listing, error) {
	values, err := url.ParseQuery(v.query)
	if err != nil {
		return listing{}, err
	}
	offset, _ := strconv.Atoi(values.Get("offset")) // the API read it before
	l := listing{Shown: shown, Asked: values.Get("q")}
	if l.pager, err = v.pagerAt(offset, total, pageSize); err != nil {
		return listing{}, err
	}
	if slices.Contains(v.route.known, "status") {
		if l.Statuses, err = v.statuses(); err != nil {
			return listing{}, err
		}
	}
	chosen := tags(values["tag"])
	for i, f := range facets {
		c := choice{Group: f.Group, Name: f.Name, Open: i < openFacets}
		for _, category := range f.Categories {
			on := slices.Contains(chosen, category.Key)
			if on {
				l.Chosen++
				c.Open = true
			}
			c.Options = append(c.Options, option{category.Key, category.Name, category.Count, on})
		}
		c.largest(optionsOfFacet)
		isChosen := slices.ContainsFunc(c.Options, func(o option) bool { return o.On })
		if len(c.Options) > 0 && (i < facetsOfList || isChosen) {
			l.Facets = append(l.Facets, c)
		}
	}
	if total == 0 && l.Asked != "" {
		l.Suggestions = v.suggestions(l.Asked, kind)
	}
	return l, nil
}

// tags returns the single ones of the values of `tag`.
func tags(values []string) []string {
	var all []string
	for _, value := range values {
		for tag := range strings.SplitSeq(value, ",") {
			all = append(all, strings.ToLower(strings.TrimSpace(tag)))
		}
	}
	return all
}

// page returns the address of the page of this list that begins at an offset, "" where
// there is none.
func (v *view) page(offset int, exists bool) (string, error) {
	if !exists {
		return "", nil
	}
	if offset <= 0 {
		return v.With()
	}
	return v.With("offset", strconv.Itoa(offset))
}

// suggestions returns suggestions for a search without results, of one kind, or of all
// kinds if kind is "".
func (v *view) suggestions(q string, kind query.Kind) []string {
	values := url.Values{"q": {q}, "kind": {string(kind)}}
	asked, err := query.ParseSearch(values.Encode(), v.snapshot.Locales())
	if err != nil {
		return nil // a search that the list understood and this does not suggests nothing
	}
	asked.Locale = v.locale
	body, _ := v.snapshot.Search(asked)
	return read[searchBody](body).DidYouMean
}

// searchBody is a search over everything.
type searchBody struct {
	Results    []result       `json:"results"`
	Totals     map[string]int `json:"totals"`
	DidYouMean []string       `json:"didYouMean"`
	Corrected  string         `json:"corrected"`
	Relaxed    []string       `json:"relaxed"`
}

type result struct {
	Kind        string `json:"kind"`
	Key         string `json:"key"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Image       string `json:"image"`
	URL         string `json:"url"`
	Href        string `json:"href"`
	Matched     string `json:"matched"`
}

// chains answers a query of chains from the API's own list.
func (v *view) chains(raw string) (chainsBody, int, error) {
	q, err := query.ParseChains(raw, v.snapshot.Locales())
	if err != nil {
		return chainsBody{}, 0, err
	}
	body, total := listOf[chainsBody](v.snapshot.Chains(q))
	return body, total, nil
}
