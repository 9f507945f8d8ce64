package site

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/snapshot"
)

// pagedCatalogue returns a catalogue with many cards in a menu, menus, and categories with
// chains of parents.
func pagedCatalogue(t *testing.T, many int) *snapshot.Snapshot {
	text := func(s string) domain.Text { return domain.Text{{Locale: "en", Value: s}} }
	c := &domain.Catalog{Title: text("Paged"), DefaultLocale: "en", Locales: []string{"en"}}
	menu := domain.Menu{PathSlug: "m", Title: text("M"), Groups: []domain.MenuGroup{{Slug: "g", Name: text("G")}}}
	for i := range many {
		name := strconv.Itoa(i)
		card := domain.Card{Title: text("card-" + name + "."), Link: "https://card.example/" + name, Categories: []string{"c" + name}}
		item := domain.Item{Slug: "i" + name, Name: text("I " + name), Type: domain.ItemCategory, Cards: []domain.Card{card}}
		last := &menu.Groups[0].Items
		if i%7 == 0 || i > many/2 { // items of seven, then of one
			*last = append(*last, item)
		} else {
			(*last)[len(*last)-1].Cards = append((*last)[len(*last)-1].Cards, card)
		}
		category := domain.Category{Key: "c" + name, Name: text("category-" + name + "."), Scopes: []domain.Module{domain.ModuleItem}}
		if i%4 != 0 {
			category.Parent = "c" + strconv.Itoa(i-1)
		}
		c.Categories = append(c.Categories, category)
		c.Menus = append(c.Menus, domain.Menu{PathSlug: "m" + name, Title: text("menu-" + name + ".")})
	}
	c.NavGroups = []domain.NavGroup{{Key: "g", Slug: "g", Name: text("G"), Menus: []string{"m"}}, {Key: "none", Slug: "none", Name: text("None")}, {Key: "h", Slug: "h", Name: text("H")}}
	for i := range many {
		c.NavGroups[2].Menus = append(c.NavGroups[2].Menus, "m"+strconv.Itoa(i))
	}
	menu.Standalone = []domain.Item{{Slug: "empty", Name: text("Empty"), Type: domain.ItemCategory}}
	c.Menus = append(c.Menus, menu)
	return compile(t, c)
}

// Large menus and lists are divided into pages: each row once, in order. Search engines
// index only the first page.
func TestPagesOfMuch(t *testing.T) {
	const many = 1203
	s, of := siteOf(t, Config{}), pagedCatalogue(t, many)
	for _, c := range []struct {
		path, thing string
		pages       int
	}{{"/en/nav/m", "card", 3}, {"/en/nav", "menu", 3}, {"/en/categories", "category", 3}} {
		for _, path := range []string{c.path, withMarkdown(c.path)} {
			next := `rel="next" href="[^"]*\?([^"]*)"`
			prev := `rel="prev" href="([^"]*)"`
			if path != c.path {
				next, prev = `\[Next\]\([^)]*\?([^)]*)\)`, `\[Previous\]\(([^)]*)\)`
			}
			var things []string
			raw, before := "", ""
			for n := range c.pages {
				page := pageAt(t, s, of, path, raw)
				body := page[max(0, strings.Index(page, "<main")):]
				things = append(things, slices.Compact(captured(body, `[>\[](`+c.thing+`-[0-9]+\.)`))...)
				if path == c.path && strings.Contains(page, `<meta name="robots" content="noindex`) != (n > 0) {
					t.Errorf("%s?%s: wrong robots meta element", path, raw)
				}
				back, on := captured(page, prev), captured(page, next)
				if (len(back) == 1) != (n > 0) || n > 0 && back[0] != withQuery(path, before) {
					t.Errorf("%s?%s leads back to %v; want %s", path, raw, back, withQuery(path, before))
				}
				if (len(on) == 1) != (n+1 < c.pages) {
					t.Fatalf("%s?%s leads on to %v", path, raw, on)
				}
				if len(on) > 0 {
					before, raw = raw, on[0]
				}
			}
			var want []string
			for i := range many {
				want = append(want, fmt.Sprintf("%s-%d.", c.thing, i))
			}
			if c.thing == "category" { // the registry has an order of its own
				slices.Sort(things)
				slices.Sort(want)
			}
			if !slices.Equal(things, want) {
				t.Errorf("%s has %d things on its pages, in all; want %d", path, len(things), len(want))
			}
			if beyond := pageAt(t, s, of, path, "offset=99999999"); strings.Contains(beyond, c.thing+"-") || len(captured(beyond, next)) != 0 {
				t.Errorf("%s: a page beyond the end has rows", path)
			}
			if _, err := s.Page(of, path, "offset=-1"); err == nil {
				t.Errorf("%s accepts a negative offset", path)
			}
		}
	}
}

// A menu of up to 500 cards is one page.
func TestOrdinaryMenuIsOnePage(t *testing.T) {
	page := pageAt(t, siteOf(t, Config{}), pagedCatalogue(t, cardsOfPage-1), "/en/nav/m", "")
	if n := strings.Count(page, "<strong>card-"); n != cardsOfPage-1 || strings.Contains(page, `rel="next"`) || strings.Contains(page, "pager") {
		t.Errorf("%d cards, or more than one page", n)
	}
}

// Links to an item of a menu lead to its page of the menu.
func TestPlacesOfItems(t *testing.T) {
	s, of := siteOf(t, Config{}), pagedCatalogue(t, 1203)
	for q, want := range map[string]string{"card-3.": "/en/nav/m#i0", "card-700.": "/en/nav/m?offset=500#i700", "card-1200.": "/en/nav/m?offset=1000#i1200"} {
		page := pageAt(t, s, of, "/en/search", "q="+q)
		if got := captured(page, `<a href="(/en/nav/m[^"]*)"`); len(got) == 0 || got[0] != want {
			t.Errorf("%s leads to %v; want %s", q, got, want)
		}
		path, item, _ := strings.Cut(want, "#")
		path, raw, _ := strings.Cut(path, "?")
		if !strings.Contains(pageAt(t, s, of, path, raw), ` id="`+item+`"`) {
			t.Errorf("%s is not at %s", item, want)
		}
	}
}
