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

// judgedSets are queries as people and programs type them, each with the one record that
// it ought to find first (catalog/README.md#what-people-look-for). Of a hundred queries of a set, what is wanted
// comes first for so many at least, and among the first three for so many. The goal is 90 and 95.
var judgedSets = []struct {
	file            string
	first, topThree int
}{
	{"judged.json", 91, 97},
	{"judged-more.json", 90, 94},
}

type judgement struct {
	Query string `json:"q"`
	Kind  string `json:"kind"` // chain, user, channel, card, menu or category
	Key   string `json:"key"`  // of a card: path slug, slug of the item and link, with slashes between
}

func readJudged(t *testing.T, file string) []judgement {
	t.Helper()
	var judged []judgement
	decodeFile(t, "testdata/"+file, &judged)
	return judged
}

// A search over everything finds what was meant. One that finds nothing is followed by
// a search for the first suggestion, as a reader would.
func TestJudgedQueries(t *testing.T) {
	catalogue := readBundled(t).Catalog
	s, err := snapshot.Compile(nil, catalogue, snapshot.Revision{Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	cards := cardNames(catalogue)
	for _, set := range judgedSets {
		t.Run(set.file, func(t *testing.T) {
			judged := readJudged(t, set.file)
			first, topThree := 0, 0
			for _, j := range judged {
				found := searchAsReader(t, s, j.Query)
				place := slices.IndexFunc(found, func(r result) bool {
					return r.Kind == j.Kind && (r.Key == j.Key || r.Kind == string(query.KindCard) && cards[r.Key] == j.Key)
				})
				if place == 0 {
					first++
				} else {
					t.Logf("%q: %s %s is at place %d of %+v", j.Query, j.Kind, j.Key, place+1, found[:min(3, len(found))])
				}
				if 0 <= place && place < 3 {
					topThree++
				}
			}
			t.Logf("of %d queries, what is wanted comes first for %d, and among the first three for %d", len(judged), first, topThree)
			if 100*first < set.first*len(judged) || 100*topThree < set.topThree*len(judged) {
				t.Errorf("want %d and %d of a hundred", set.first, set.topThree)
			}
		})
	}
}

func searchAsReader(t *testing.T, s *snapshot.Snapshot, q string) []result {
	t.Helper()
	found := searchAll(t, s, q)
	if len(found.Results) == 0 && len(found.DidYouMean) > 0 {
		found = searchAll(t, s, found.DidYouMean[0])
	}
	return found.Results
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
