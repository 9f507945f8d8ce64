package snapshot_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vitrine/internal/domain"
	"vitrine/internal/fold"
	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// What is served does not depend on the snapshot that work was taken over from,
// whatever changed since: records, their order, labels, locales.
func TestPreviousOnlySavesWork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := history{t}.first()
		before, err := snapshot.Compile(nil, c, revision)
		if err != nil {
			t.Fatal(err)
		}
		was := served(before)
		s := before
		for range rapid.IntRange(1, 4).Draw(t, "revisions") {
			c = history{t}.next(c)
			if s, err = snapshot.Compile(s, c, revision); err != nil {
				t.Fatal(err)
			}
			fresh, err := snapshot.Compile(nil, c, revision)
			if err != nil {
				t.Fatal(err)
			}
			compareServed(t, served(s), served(fresh))
		}
		compareServed(t, served(before), was) // it has not changed
	})
}

func compareServed(t *rapid.T, got, want map[string]string) {
	for what, body := range want {
		if got[what] != body {
			t.Fatalf("%s:\n%s\nwant:\n%s", what, got[what], body)
		}
	}
}

// history draws catalogues of which each is an edit of the one before. Nothing
// that a catalogue holds is ever changed, as in states of a store.
type history struct{ *rapid.T }

func (h history) first() *domain.Catalog {
	c := &domain.Catalog{DefaultLocale: "en", Locales: []string{"en", "zh-hans", "sv"}}
	for _, key := range []string{"l1", "l2", "defi"} {
		c.Categories = append(c.Categories, domain.Category{Key: key, Name: h.text()})
	}
	n := rapid.IntRange(0, 60).Draw(h.T, "records")
	for i := range n {
		c.Chains = append(c.Chains, h.chain(i))
		c.Accounts = append(c.Accounts, h.account(i))
		c.Channels = append(c.Channels, h.channel(i))
		c.Apps = append(c.Apps, h.app(i))
	}
	for i := range rapid.IntRange(0, 4).Draw(h.T, "menus") {
		c.Menus = append(c.Menus, h.menu(i))
	}
	return c
}

// next edits some of the lists. Most edits are small, so that the lists before
// are brought up to date rather than made anew.
func (h history) next(c *domain.Catalog) *domain.Catalog {
	edited := *c
	edited.Chains = edits(h, c.Chains, h.chain)
	edited.Accounts = edits(h, c.Accounts, h.account)
	edited.Channels = edits(h, c.Channels, h.channel)
	edited.Apps = edits(h, c.Apps, h.app)
	edited.Menus = edits(h, c.Menus, h.menu)
	switch rapid.IntRange(0, 10).Draw(h.T, "what else") {
	case 0:
		edited.Categories = slices.Clone(c.Categories)
		edited.Categories[0].Name = h.text()
	case 1:
		edited.Locales = rapid.Permutation([]string{"en", "zh-hans", "sv", "de"}).Draw(h.T, "locales")
	case 2:
		edited.DefaultLocale = "sv"
	case 3:
		edited.NavGroups = []domain.NavGroup{{Key: "g", Slug: "g", Name: h.text(), Menus: []string{"menu-1", "menu-0"}}}
	}
	return &edited
}

func edits[R any](h history, records []R, draw func(i int) R) []R {
	out := slices.Clone(records)
	for range rapid.IntRange(0, 3).Draw(h.T, "edits") {
		i := rapid.IntRange(0, 70).Draw(h.T, "which")
		switch {
		case i < len(out) && rapid.Bool().Draw(h.T, "remove"):
			out = slices.Delete(out, i, i+1)
		case i < len(out):
			out[i] = draw(i)
		default:
			out = append(out, draw(i))
		}
	}
	return rapid.Permutation(distinct(out)).Draw(h.T, "shuffled")
}

// distinct keeps the first record of each key.
func distinct[R any](records []R) []R {
	seen := map[string]bool{}
	return slices.DeleteFunc(records, func(r R) bool {
		key := ""
		switch r := any(r).(type) {
		case domain.Chain:
			key = r.Slug
		case domain.Account:
			key = strings.ToLower(r.Handle)
		case domain.Channel:
			key = r.ChannelID
		case domain.App:
			key = r.Key
		case domain.Menu:
			key = r.PathSlug
		}
		had := seen[key]
		seen[key] = true
		return had
	})
}

func (h history) chain(i int) domain.Chain {
	return domain.Chain{
		Slug: fmt.Sprintf("chain-%d", i), Name: h.text(), ChainID: rapid.SampledFrom([]string{"1", "007", "7", "a:b", "90"}).Draw(h.T, "id"),
		Logo: rapid.SampledFrom([]string{"", "https://example.org/l"}).Draw(h.T, "logo"), Categories: h.categories(),
		TVL: h.figure(), Platforms: h.figure(), Aliases: rapid.SliceOfN(rapid.SampledFrom([]string{"ETH", "AI", "$"}), 0, 2).Draw(h.T, "aliases"),
	}
}

func (h history) account(i int) domain.Account {
	handle := rapid.SampledFrom([]string{"Handle_%d", "handle_%d"}).Draw(h.T, "handle")
	return domain.Account{Handle: fmt.Sprintf(handle, i), Name: h.name(), Description: h.text(), Categories: h.categories(), Followers: h.figure()}
}

func (h history) channel(i int) domain.Channel {
	return domain.Channel{ChannelID: fmt.Sprintf("UC%d", i), Name: h.name(), Description: h.text(), Categories: h.categories()}
}

func (h history) app(i int) domain.App {
	return domain.App{
		Key: fmt.Sprintf("app-%d", i), Title: h.text(), Description: h.text(), Categories: h.categories(),
		Link:   rapid.SampledFrom([]string{"https://zoo.example/", "/zoo"}).Draw(h.T, "link"),
		Image:  rapid.SampledFrom([]string{"", "https://example.org/i"}).Draw(h.T, "image"),
		Chains: h.some("chains", []string{"chain-0", "chain-1", "chain-2"}), Platforms: rapid.SliceOfNDistinct(rapid.SampledFrom(domain.Platforms()), 0, 2, rapid.ID[domain.Platform]).Draw(h.T, "platforms"),
		Aliases: h.some("aliases", []string{"ETH", "AI", "$"}), Status: rapid.SampledFrom([]domain.Status{"", domain.StatusRetired, domain.StatusUpcoming}).Draw(h.T, "status"),
		Former: h.some("former", []string{fmt.Sprintf("was-%d", i)}),
	}
}

// menu has cards of apps, of apps that there may not be, and of no app.
func (h history) menu(i int) domain.Menu {
	menu := domain.Menu{PathSlug: fmt.Sprintf("menu-%d", i), Title: h.text()}
	for j := range rapid.IntRange(0, 2).Draw(h.T, "items") {
		item := domain.Item{Slug: fmt.Sprintf("i%d", j), Name: h.text(), Type: domain.ItemCategory}
		for k := range rapid.IntRange(0, 3).Draw(h.T, "cards") {
			card := domain.Card{ID: fmt.Sprintf("c%d-%d-%d", i, j, k), Title: h.text(), Link: "https://openai.example/"}
			if rapid.Bool().Draw(h.T, "of an app") {
				card = domain.Card{ID: card.ID, App: fmt.Sprintf("app-%d", rapid.IntRange(0, 5).Draw(h.T, "app"))}
			}
			item.Cards = append(item.Cards, card)
		}
		menu.Standalone = append(menu.Standalone, item)
	}
	return menu
}

func (h history) some(what string, of []string) []string {
	return rapid.SliceOfNDistinct(rapid.SampledFrom(of), 0, len(of), rapid.ID[string]).Draw(h.T, what)
}

func (h history) name() string {
	return rapid.SampledFrom([]string{"OpenAI", "Öl", "Zoo", "zoo", "AI Arena", "以太坊"}).Draw(h.T, "name")
}

func (h history) text() domain.Text {
	text := domain.Text{{Locale: "en", Value: h.name()}}
	if rapid.Bool().Draw(h.T, "translated") {
		text = append(text, domain.Translation{Locale: "sv", Value: h.name()})
	}
	if rapid.Bool().Draw(h.T, "translated") {
		text = append(text, domain.Translation{Locale: "zh-hans", Value: "测试 " + h.name()})
	}
	return text
}

func (h history) categories() []string {
	return rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"l1", "l2", "defi"}), 0, 2, rapid.ID[string]).Draw(h.T, "categories")
}

func (h history) figure() *domain.Figure {
	if rapid.Bool().Draw(h.T, "unknown") {
		return nil
	}
	return bare(rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, 2, 3.5}).Draw(h.T, "value"))
}

// served returns everything that a snapshot serves of its lists, by what was
// asked, and its meta.
func served(s *snapshot.Snapshot) map[string]string {
	bodies := map[string]string{}
	add := func(what string, result snapshot.Result) {
		bodies[what] = fmt.Sprintf("%d %s", result.Total, result.Body())
	}
	for id := range locale.ID(s.Locales().Len()) {
		for _, q := range []string{"", "ai", "o", "zoo", "open", "测", "$", "handle_1", "chain-2", "zoo arena"} {
			for _, tags := range [][]string{nil, {"l1"}, {"l1", "l2"}, {"none"}} {
				for _, page := range []query.Page{{}, {On: true, Limit: 3, Offset: 2}} {
					list := query.List{Locale: id, Terms: fold.Terms(q), Tags: tags, Page: page}
					what := fmt.Sprintf("%s q=%s tag=%v page=%v", s.Locales().Name(id), q, tags, page)
					add("users "+what, s.Users(list))
					add("channels "+what, s.Channels(list))
					add("chains "+what, s.Chains(query.Chains{List: list, Sort: query.SortTVL}))
					if page.On {
						add("apps "+what, s.Apps(query.Apps{List: list}))
						add("cards "+what, s.Cards(query.Cards{List: list, Sort: query.SortTitle}))
					}
				}
			}
		}
		for _, sort := range query.ChainSorts() {
			for _, ascending := range []bool{true, false} {
				add(fmt.Sprintf("chains %d %s %t", id, sort, ascending),
					s.Chains(query.Chains{List: query.List{Locale: id}, Sort: sort, Ascending: ascending}))
			}
		}
		for _, status := range []query.Status{"", query.StatusLive, query.StatusUpcoming, query.StatusRetired, query.StatusAll} {
			add(fmt.Sprintf("apps %d %s", id, status), s.Apps(query.Apps{List: query.List{Locale: id, Status: status, Facets: true}, Chain: "chain-1", Platform: "web"}))
		}
		for i := range 6 {
			for _, key := range []string{fmt.Sprintf("app-%d", i), fmt.Sprintf("was-%d", i)} {
				body, _ := s.App(key, query.Localized{Locale: id})
				bodies[fmt.Sprintf("app %s %d", key, id)] = string(body)
			}
		}
		for _, q := range []string{"ai", "测试"} {
			for _, appCards := range []bool{false, true} {
				asked := query.ForLabel(q, id)
				asked.AppCards, asked.Page = appCards, query.Page{On: true, Limit: 100}
				body, total := s.Search(asked)
				bodies[fmt.Sprintf("search %s %t %d", q, appCards, id)] = fmt.Sprintf("%d %s", total, body)
			}
		}
		bodies[fmt.Sprintf("meta %d", id)] = string(s.Meta(query.Localized{Locale: id}))
	}
	return bodies
}
