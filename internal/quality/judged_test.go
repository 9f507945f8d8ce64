package quality_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// judgedFile has queries as people type them, each with the one record that is
// wanted.
const judgedFile = "testdata/judged.json"

type judgement struct {
	Query string `json:"q"`
	Kind  string `json:"kind"`
	Key   string `json:"key"` // of a card: menu/item/link
}

// Of a hundred queries, what is wanted comes first for so many, and among the first
// three for so many. The goal is 90 and 95.
const (
	wantFirst    = 86
	wantTopThree = 93
)

// A search over everything finds what was meant. One that finds nothing is followed by
// a search for the first suggestion, as a reader would.
func TestJudgedQueries(t *testing.T) {
	var judged []judgement
	decodeFile(t, judgedFile, &judged)
	catalogue := readBundled(t).Catalog
	s, err := snapshot.Compile(nil, catalogue, snapshot.Revision{Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	cards := cardNames(catalogue)
	first, topThree := 0, 0
	for _, j := range judged {
		found := searchAll(t, s, j.Query)
		if len(found.Results) == 0 && len(found.DidYouMean) > 0 {
			found = searchAll(t, s, found.DidYouMean[0])
		}
		place := slices.IndexFunc(found.Results, func(r result) bool {
			return r.Kind == j.Kind && (r.Key == j.Key || r.Kind == string(query.KindCard) && cards[r.Key] == j.Key)
		})
		if place == 0 {
			first++
		} else {
			t.Logf("%q: %s %s is at place %d of %+v", j.Query, j.Kind, j.Key, place+1, found.Results[:min(3, len(found.Results))])
		}
		if 0 <= place && place < 3 {
			topThree++
		}
	}
	t.Logf("of %d queries, what is wanted comes first for %d, and among the first three for %d", len(judged), first, topThree)
	if 100*first < wantFirst*len(judged) || 100*topThree < wantTopThree*len(judged) {
		t.Error("that is not enough")
	}
}

type results struct {
	Results    []result
	DidYouMean []string
}

type result struct{ Kind, Key, Title string }

func searchAll(t *testing.T, s *snapshot.Snapshot, q string) results {
	t.Helper()
	asked, err := query.ParseSearch(url.Values{"q": {q}}.Encode(), s.Locales())
	if err != nil {
		t.Fatal(err)
	}
	body, _ := s.Search(asked)
	var found results
	if err := json.Unmarshal(body, &found); err != nil {
		t.Fatal(err)
	}
	return found
}

// cardNames returns menu/item/link of every card by its id.
func cardNames(c *domain.Catalog) map[string]string {
	names := map[string]string{}
	apps := c.AppsByKey()
	for _, menu := range c.Menus {
		menu = menu.Complete(apps).WithIDs()
		add := func(items []domain.Item) {
			for _, item := range items {
				for _, card := range item.Cards {
					names[card.ID] = menu.PathSlug + "/" + item.Slug + "/" + card.Link
				}
			}
		}
		for _, group := range menu.Groups {
			add(group.Items)
		}
		add(menu.Standalone)
	}
	return names
}
