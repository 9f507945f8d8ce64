package quality_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// judgedSets are queries with the records that answer them
// (catalog/README.md#search-queries), and the minimum percentages of a set with such a
// record first, and among the first three.
var judgedSets = []struct {
	file            string
	first, topThree int
}{
	{"judged.json", 97, 99},
	{"judged-more.json", 96, 96},
	{"judged-intents.json", 95, 97},
	{"judged-held-out.json", 96, 96},
	{"judged-unseen.json", 95, 95},
	{"judged-fresh.json", 80, 85},
	{"judged-first.json", 90, 92},
	{"judged-last.json", 91, 95},
	{"judged-other.json", 82, 83},
	{"judged-next.json", 85, 88},
}

// judgement is a query and its answers.
type judgement struct {
	Lang  string // of the reader; "" where the set does not say
	Query string `json:"q"`
	Want  []want // any of them; the first is the usual one
}

// want names a record. The key of a card is path slug, slug of the item and link, with slashes between.
type want struct{ Kind, Key string }

// UnmarshalJSON reads "kind key".
func (w *want) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	w.Kind, w.Key, _ = strings.Cut(text, " ")
	return nil
}

func readJudged(t *testing.T, file string) []judgement {
	t.Helper()
	var judged []judgement
	decodeFile(t, "testdata/"+file, &judged)
	return judged
}

// A search over everything finds the wanted record. If it finds nothing, the test
// searches for the first suggestion, as a reader would.
func TestJudgedQueries(t *testing.T) {
	catalogue := readBundled(t).Catalog
	s, err := snapshot.Compile(nil, catalogue, snapshot.Revision{Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	cards := cardNames(catalogue)
	for _, set := range judgedSets {
		t.Run(set.file, func(t *testing.T) {
			var all score
			byLang := map[string]*score{}
			for _, j := range readJudged(t, set.file) {
				if byLang[j.Lang] == nil {
					byLang[j.Lang] = new(score)
				}
				found := searchAsReader(t, s, j.Query)
				place := slices.IndexFunc(found, func(r result) bool { return cards.answers(r, j.Want) })
				all.add(place)
				byLang[j.Lang].add(place)
				if place != 0 {
					t.Logf("%q: %v is at place %d of %+v", j.Query, j.Want, place+1, found[:min(3, len(found))])
				}
			}
			for lang, s := range byLang {
				t.Logf("%s: %+v", lang, *s)
			}
			t.Logf("all: %+v", all)
			if 100*all.first < set.first*all.queries || 100*all.topThree < set.topThree*all.queries {
				t.Errorf("want %d and %d of a hundred", set.first, set.topThree)
			}
		})
	}
}

// score counts queries by the rank of the first correct result.
type score struct{ queries, first, topThree int }

func (s *score) add(place int) {
	s.queries++
	if place == 0 {
		s.first++
	}
	if 0 <= place && place < 3 {
		s.topThree++
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
	body := snapshot.Encode(s.SearchView(asked))
	var found results
	if err := json.Unmarshal(body, &found); err != nil {
		t.Fatal(err)
	}
	return found
}

// cardIndex maps cards between the names of judgements and those of results.
type cardIndex struct {
	names map[string]string // from ids to menu/item/link
	apps  map[string]string // from ids and from menu/item/link to the key of the app, "" for none
}

// answers reports whether a result is wanted. A card and its app are equivalent.
func (c cardIndex) answers(r result, wanted []want) bool {
	return slices.ContainsFunc(wanted, func(w want) bool {
		if r.Kind == w.Kind && (r.Key == w.Key || r.Kind == "card" && c.names[r.Key] == w.Key) {
			return true
		}
		app := c.appOf(r.Kind, r.Key)
		return app != "" && app == c.appOf(w.Kind, w.Key)
	})
}

func (c cardIndex) appOf(kind, key string) string {
	switch kind {
	case "app":
		return key
	case "card":
		return c.apps[key]
	}
	return ""
}

func cardNames(c *domain.Catalog) cardIndex {
	index := cardIndex{names: map[string]string{}, apps: map[string]string{}}
	apps := c.AppsByKey()
	for _, menu := range c.Menus {
		menu = menu.Complete(apps).WithIDs()
		add := func(items []domain.Item) {
			for _, item := range items {
				for _, card := range item.Cards {
					name := menu.PathSlug + "/" + item.Slug + "/" + card.Link
					index.names[card.ID] = name
					index.apps[card.ID], index.apps[name] = card.App, card.App
				}
			}
		}
		for _, group := range menu.Groups {
			add(group.Items)
		}
		add(menu.Standalone)
	}
	return index
}
