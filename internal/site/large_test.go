package site

import (
	"fmt"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/snapshot"
)

// The tree of thousands of categories takes no noticeable time.
func TestTreeOfManyCategories(t *testing.T) {
	const many = 20_000
	var all []snapshot.FullCategory
	for i := range many {
		c := snapshot.FullCategory{Key: strconv.Itoa(i), Parent: "elsewhere"}
		if i > 0 {
			c.Parent = strconv.Itoa((i - 1) / 10)
		}
		all = append(all, c)
	}
	began := time.Now()
	lines := descending(all, func(c snapshot.FullCategory) categoryLine { return categoryLine{Key: c.Key} })
	indent(lines)
	roots := nested(lines)
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("it took %s", took)
	}
	if len(roots) != 1 || len(roots[0].Children) != 10 || roots[0].Children[9].Children[9].Key != "110" {
		t.Errorf("%d roots", len(roots))
	}
}

// A list offers the largest categories of a dimension group and the selected ones, and links
// to the others.
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
		catalogue.Accounts = append(catalogue.Accounts, &domain.Account{
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

// A page beyond the end of a list, filtered or not, states where the list ends and links to
// its last page, in HTML and Markdown. It does not say that nothing matches.
func TestBeyondTheEnd(t *testing.T) {
	s, bundled, paged := siteOf(t, Config{}), theBundled(t), pagedCatalogue(t, 1203)
	for _, list := range []struct {
		of          *snapshot.Snapshot
		path, query string
		size        int
	}{
		{bundled, "/chains", "", pageSize},
		{bundled, "/chains", "tag=evm&status=all", pageSize},
		{bundled, "/chains", "q=base", pageSize},
		{bundled, "/apps", "", pageSize},
		{bundled, "/apps", "chain=solana", pageSize},
		{bundled, "/cards", "", pageSize},
		{bundled, "/cards", "chain=base", pageSize},
		{bundled, "/twitter", "", pageSize},
		{bundled, "/youtube", "", pageSize},
		{bundled, "/search", "q=ethereum", resultsOnPage},
		{bundled, "/search", "q=ethereum&kind=chain", resultsOnPage},
		{bundled, "/search", "q=etherium+wallet", resultsOnPage},
		{bundled, "/categories", "", categoriesOfPage},
		{bundled, "/nav", "", menusOfPage},
		{bundled, "/nav/wallets", "", cardsOfPage},
		{paged, "/categories", "", categoriesOfPage},
		{paged, "/nav", "", menusOfPage},
		{paged, "/nav/m", "", cardsOfPage},
	} {
		for _, locale := range []string{"en", "es", "ja", "zh-hans", "zh-hant"} {
			if !slices.Contains(list.of.Locales().Names(), locale) {
				continue
			}
			words := s.words.of(locale)
			said := words.text
			path := "/" + locale + list.path
			total := endOf(t, s, list.of, "/en"+list.path, list.query)
			at := func(offset int) string { return strings.TrimPrefix(list.query+"&offset="+strconv.Itoa(offset), "&") }
			values, err := url.ParseQuery(list.query)
			if err != nil {
				t.Fatal(err)
			}
			if offset := (total - 1) / list.size * list.size; offset > 0 {
				values.Set("offset", strconv.Itoa(offset))
			}
			last := withQuery(path, values.Encode())
			for _, offset := range []int{total, total + 1, 10_000_000} {
				page := html.UnescapeString(pageAt(t, s, list.of, path, at(offset)))
				if !strings.Contains(page, said("beyond.title", "n", total)) {
					t.Errorf("%s?%s does not say that the list ends at %d", path, at(offset), total)
				}
				if want := `<a rel="prev" href="` + last + `">` + said("beyond.last"); !strings.Contains(page, want) {
					t.Errorf("%s?%s lacks %s", path, at(offset), want)
				}
				for _, key := range []string{"empty.title", "menus.none", "categories.none"} {
					if strings.Contains(page, said(key)) {
						t.Errorf("%s?%s says %q", path, at(offset), said(key))
					}
				}
				markdown := pageAt(t, s, list.of, withMarkdown(path), at(offset))
				if !strings.Contains(markdown, "["+said("beyond.last")+"](") || strings.Contains(markdown, said("pager.prev")) {
					t.Errorf("%s?%s leads elsewhere than to the last page:\n%s", withMarkdown(path), at(offset), markdown)
				}
			}
			if page := pageAt(t, s, list.of, path, at(total-1)); strings.Contains(page, said("beyond.last")) {
				t.Errorf("%s?%s has row %d, and is called beyond the end", path, at(total-1), total)
			}
		}
	}
	if page := pageAt(t, s, bundled, "/en/chains", "q=nothing-of-this-name&offset=50"); !strings.Contains(page, "Nothing matches") || strings.Contains(page, "does not exist") {
		t.Error("a search without matches is reported as a page beyond the end")
	}
}

// endOf returns where an English list ends, as a page far beyond the end says.
func endOf(t *testing.T, s *Site, of *snapshot.Snapshot, path, raw string) int {
	t.Helper()
	said := captured(pageAt(t, s, of, path, raw+"&offset=9999999"), `The list ends at ([0-9,]+)\.`)
	if len(said) != 1 {
		t.Fatalf("%s?%s does not say once where it ends", path, raw)
	}
	end, err := strconv.Atoi(strings.ReplaceAll(said[0], ",", ""))
	if err != nil || end == 0 {
		t.Fatalf("%s?%s ends at %s", path, raw, said[0])
	}
	return end
}

// Pages of cards share one index of all cards.
func TestCardsAreReadOnce(t *testing.T) {
	s, of := siteOf(t, Config{}), theBundled(t)
	pageAt(t, s, of, "/en/cards", "")
	index := s.cards.cached(of, of.Locales().Match("en"))
	pageAt(t, s, of, "/en/cards", "q=nothing-of-this-name")
	if index == nil || s.cards.cached(of, of.Locales().Match("en")) != index {
		t.Error("the cards are indexed again")
	}
	for _, chain := range []string{"base", "akash"} {
		page := pageAt(t, s, of, "/en/cards", "chain="+chain)
		if got := captured(page, `<option value="([^"]+)" selected`); !slices.Contains(got, chain) {
			t.Errorf("%s is requested, %v is selected", chain, got)
		}
	}
}

// A template directory that does not exist is an error.
func TestMissingTemplates(t *testing.T) {
	if _, err := New(Config{Look: Look{Templates: t.TempDir() + "/nowhere"}}); err == nil {
		t.Error("a missing directory is not an error")
	}
}
