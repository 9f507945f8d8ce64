package snapshot

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/query"
)

// TestResultsHaveTheirSize checks that all ways to make a body give the same bytes, no more than
// announced.
func TestResultsHaveTheirSize(t *testing.T) {
	c := &domain.Catalog{DefaultLocale: "en", Locales: []string{"en", "ja"}}
	for i := range 300 {
		c.Accounts = append(c.Accounts, &domain.Account{
			Handle: fmt.Sprintf("a%d", i), Name: strings.Repeat("name ", i%7), Followers: &domain.Figure{Value: float64(i % 10)},
			Description: domain.Text{{Locale: "en", Value: strings.Repeat("x", 3*i)}, {Locale: "ja", Value: `"` + strings.Repeat("日", i%50)}},
		})
	}
	s, err := Compile(nil, c, Revision{})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		q := query.List{Kind: query.KindUser, Page: query.Page{Limit: rapid.IntRange(0, 40).Draw(t, "limit"), Offset: rapid.IntRange(0, 310).Draw(t, "offset")}}
		q.Page.On = q.Page.Limit+q.Page.Offset > 0
		q.Details, q.Facets = rapid.Bool().Draw(t, "details"), rapid.Bool().Draw(t, "facets")
		if term := rapid.SampledFrom([]string{"", "a1", "x", "none"}).Draw(t, "term"); term != "" {
			q.Terms = []string{term}
		}
		result, size := s.List(q), rapid.IntRange(1, 5000).Draw(t, "size")
		want := string(result.Body())
		if len(want) > result.Size || len(want) < result.Size-3*len(c.Accounts) {
			t.Fatalf("%d bytes, %d announced", len(want), result.Size)
		}
		if want != string(result.Body()) {
			t.Fatal("the second body differs")
		}
		var got []byte
		short := false
		result.Pieces(size, func(piece []byte) {
			if short || len(piece) == 0 || len(piece) > size {
				t.Fatalf("a piece of %d bytes of %d", len(piece), size)
			}
			short = len(piece) < size
			got = append(got, piece...)
			clear(piece) // the caller may reuse it
		})
		if string(got) != want {
			t.Fatalf("pieces of %d bytes are\n%s, want\n%s", size, got, want)
		}
	})
}

// TestListWithoutModule checks that a list without categories has no facets and matches no tag.
func TestListWithoutModule(t *testing.T) {
	locales, err := locale.NewSet("en", []string{"en"})
	if err != nil {
		t.Fatal(err)
	}
	catalog := &domain.Catalog{Chains: []domain.Chain{{Slug: "one", Name: domain.Text{{Locale: "en", Value: "One"}}, ChainID: "1"}}}
	c := &compiler{
		catalog: catalog, whole: catalog, locales: locales, fallbacks: [][]string{{"en"}}, texts: newLocalizer([]string{"en"}, [][]string{{"en"}}, newPictures(nil, nil)),
	}
	of := c.chainSource().withDefaults()
	of.module = ""
	l := compileList(c, of, nil)
	if got := string(l.matches(query.List{Facets: true}).result().Body()); !strings.HasSuffix(got, `"chain_id":"1"}],"facets":[]}`) {
		t.Errorf("all with facets: %s", got)
	}
	for _, match := range []query.Match{"", query.MatchAll, query.MatchGroups} {
		if got := string(l.matches(query.List{Facets: true, Tags: []string{"x"}, Match: match}).result().Body()); got != `{"chains":[],"facets":[]}` {
			t.Errorf("match %q: %s", match, got)
		}
	}
	if known, nearest := new(Snapshot).Means(query.Reviewed{Names: query.KindCategory, Value: "x"}, query.KindMenu); known || nearest != "" {
		t.Errorf("a tag of a list without a module is known: %v, nearest %q", known, nearest)
	}
}
