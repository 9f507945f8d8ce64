package site

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/query"
)

// Thousands of categories are put below their parents in a moment.
func TestTreeOfManyCategories(t *testing.T) {
	const many = 20_000
	var order []string
	parents, lines := map[string]string{}, map[string]categoryLine{}
	for i := range many {
		key := strconv.Itoa(i)
		order, lines[key] = append(order, key), categoryLine{Key: key}
		parents[key] = "elsewhere"
		if i > 0 {
			parents[key] = strconv.Itoa((i - 1) / 10)
		}
	}
	began := time.Now()
	roots := tree(order, parents, lines)
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("it took %s", took)
	}
	if len(roots) != 1 || len(roots[0].Children) != 10 || roots[0].Children[9].Children[9].Key != "110" {
		t.Errorf("%d roots", len(roots))
	}
}

// A list offers so many categories of a dimension, those with most records and the chosen
// ones, and leads to the others.
func TestManyFacets(t *testing.T) {
	c := choice{}
	for i := range 500 {
		c.Options = append(c.Options, option{Key: strconv.Itoa(i), Count: i / 50, On: i == 7})
	}
	c.largest(60)
	if len(c.Options) != 61 || c.Others != 439 || c.Options[0].Key != "7" || c.Options[1].Key != "400" || c.Options[60].Key != "499" {
		t.Errorf("%d options, others: %d, %v", len(c.Options), c.Others, c.Options)
	}
	text := func(s string) domain.Text { return domain.Text{{Locale: "en", Value: s}} }
	catalogue := &domain.Catalog{Title: text("Many"), DefaultLocale: "en", Locales: []string{"en"}, Groups: []domain.Group{{Key: "g", Module: domain.ModuleTwitter, Name: text("G")}}}
	for i := range 1000 {
		key := fmt.Sprintf("c%d", i)
		catalogue.Categories = append(catalogue.Categories, domain.Category{
			Key: key, Name: text(key), Scopes: []domain.Module{domain.ModuleTwitter}, Groups: []domain.ModuleGroups{{Module: domain.ModuleTwitter, Keys: []string{"g"}}},
		})
		catalogue.Accounts = append(catalogue.Accounts, domain.Account{
			Handle: "a" + strconv.Itoa(i), Name: "A", Categories: []string{key}, Followers: &domain.Figure{Value: 1, Source: "s", AsOf: "2025-08-17"},
		})
	}
	s, of := siteOf(t, Config{}), compile(t, catalogue)
	page := pageAt(t, s, of, "/en/twitter", "tag=c999")
	if n := strings.Count(page, `type="checkbox"`); n != optionsOfFacet+1 || !strings.Contains(page, `value="c999" checked`) || !strings.Contains(page, "+939<") {
		t.Errorf("%d categories are offered; the chosen one: %t", n, strings.Contains(page, `value="c999" checked`))
	}
	if page := pageAt(t, s, of, "/en/twitter.md", ""); strings.Count(page, "tag=c") > optionsOfFacet {
		t.Errorf("Markdown offers %d categories", strings.Count(page, "tag=c"))
	}
}

// Beyond the end of a list there is a way back to its last page.
func TestBeyondTheEnd(t *testing.T) {
	s, of := siteOf(t, Config{}), theBundled(t)
	total := of.Chains(query.Chains{Sort: query.SortTVL}).Total
	if page := pageAt(t, s, of, "/en/cards", "offset=10000000"); !strings.Contains(page, `rel="prev"`) {
		t.Error("no way back to the cards")
	}
	for _, offset := range []int{total, total + 1, 10_000_000} {
		page := pageAt(t, s, of, "/en/chains", "offset="+strconv.Itoa(offset))
		want := "/en/chains?offset=" + strconv.Itoa((total-1)/pageSize*pageSize)
		if back := captured(page, `rel="prev" href="([^"]*)"`); !slices.Contains(back, want) {
			t.Errorf("from %d back to %v; want %s", offset, back, want)
		}
	}
}

// Pages of cards do not read every card again for each question.
func TestCardsAreReadOnce(t *testing.T) {
	s, of := siteOf(t, Config{}), theBundled(t)
	pageAt(t, s, of, "/en/cards", "")
	page := testing.AllocsPerRun(5, func() { pageAt(t, s, of, "/en/cards", "q=nothing-of-this-name") })
	list := testing.AllocsPerRun(5, func() { read[cardsBody](of.Cards(query.Cards{}).Body()) })
	if page > list {
		t.Errorf("a page without a card makes %.0f allocations; to read all cards makes %.0f", page, list)
	}
	for _, chain := range []string{"base", "akash"} {
		page := pageAt(t, s, of, "/en/cards", "chain="+chain)
		if got := captured(page, `<option value="([^"]+)" selected`); !slices.Contains(got, chain) {
			t.Errorf("%s is asked for, %v is chosen", chain, got)
		}
	}
}

// Templates that are not there are told of, not passed over.
func TestTemplatesThatAreNotThere(t *testing.T) {
	if _, err := New(Config{Look: Look{Templates: t.TempDir() + "/nowhere"}}); err == nil {
		t.Error("a directory that is not there is no error")
	}
}
