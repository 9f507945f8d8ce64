package snapshot_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"vitrine/internal/domain"
	"vitrine/internal/domain/domaintest"
	"vitrine/internal/fold"
	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// TestPreviousOnlySavesWork checks that responses do not depend on the previous snapshot, for
// changes of any field, of the order of records and of locales.
func TestPreviousOnlySavesWork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := domaintest.Valid(24).Draw(t, "catalogue")
		c := first
		compiled := func(c *domain.Catalog) *snapshot.Snapshot {
			s, err := snapshot.Compile(nil, c, revision)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		before, was := compiled(c), served(compiled(c), c) // before may be unfinished when s is compiled
		s := before
		var err error
		for range rapid.IntRange(1, 2).Draw(t, "revisions") {
			shared := rapid.SliceOfDistinct(rapid.SampledFrom(domain.Kinds()[1:]), rapid.ID).Draw(t, "shared")
			c = withListsOf(c, domaintest.Edited(c).Draw(t, "edited"), shared)
			now := *c
			switch rapid.IntRange(0, 9).Draw(t, "what else") {
			case 0:
				now.Locales = rapid.Permutation(append(slices.Clone(domaintest.Locales), "de")).Draw(t, "locales")
			case 1:
				now.DefaultLocale = "sv"
			}
			if s, err = snapshot.Compile(s, &now, revision); err != nil {
				t.Fatal(err)
			}
			if rapid.Bool().Draw(t, "finished") {
				s.Finish()
			}
			compareServed(t, served(s, &now), served(compiled(&now), &now))
		}
		compareServed(t, was, served(before, first)) // unchanged
	})
}

// withListsOf returns the edited catalogue with some lists of the catalogue before the edit, or the edited
// catalogue if that has errors.
func withListsOf(before, edited *domain.Catalog, kinds []domain.Kind) *domain.Catalog {
	shared := *edited
	for _, kind := range kinds {
		domain.Describe(kind).Take(&shared, before)
	}
	for _, p := range domain.Check(&shared, domain.Reading{}).Problems {
		if p.Rule.Severity() == domain.Error {
			return edited
		}
	}
	return &shared
}

// TestPreviousKeepsNoField checks that a changed field of some records is served, whatever else
// is unchanged.
func TestPreviousKeepsNoField(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles for each field")
	}
	c := domaintest.Valid(24).Filter(func(c *domain.Catalog) bool {
		return len(c.Chains) > 15 && len(c.Apps) > 15 && len(c.Menus) > 15 && len(c.Accounts) > 8 && len(c.Channels) > 8
	}).Example(1)
	before, err := snapshot.Compile(nil, c, revision)
	if err != nil {
		t.Fatal(err)
	}
	domaintest.EachField(func(d *domain.Description, f *domain.Field) {
		var edited *domain.Catalog
		for seed := 0; seed < 4 && (edited == nil || domain.Diff(c, edited) == nil); seed++ {
			edited = domaintest.WithField(c, d, f, seed)
		}
		s, err := snapshot.Compile(before, edited, revision)
		if err != nil {
			t.Fatal(err)
		}
		fresh, err := snapshot.Compile(nil, edited, revision)
		if err != nil {
			t.Fatal(err)
		}
		got, want := map[string]string{}, map[string]string{}
		servedIn(s, edited, 0, got)
		servedIn(fresh, edited, 0, want)
		for what, body := range want {
			if got[what] != body {
				t.Errorf("after a change of %s of %s, %s is\n%s, want\n%s", f.Name, d.Plural, what, got[what], body)
				return
			}
		}
	})
}

func compareServed(t *rapid.T, got, want map[string]string) {
	for what, body := range want {
		if got[what] != body {
			t.Fatalf("%s:\n%s\nwant:\n%s", what, got[what], body)
		}
	}
}

// served returns the responses of a snapshot by request: the records of a catalogue, lists,
// navigation and meta.
func served(s *snapshot.Snapshot, c *domain.Catalog) map[string]string {
	bodies := map[string]string{}
	for id := range locale.ID(s.Locales().Len()) {
		servedIn(s, c, id, bodies)
	}
	return bodies
}

func servedIn(s *snapshot.Snapshot, c *domain.Catalog, id locale.ID, bodies map[string]string) {
	servedLists(s, id, bodies)
	servedRecords(s, c, id, bodies)
	for i := range c.Menus {
		for _, card := range cardsOf(&c.Menus[i]) {
			bodies[fmt.Sprintf("cards %s %d", card.ID, id)] = string(s.List(query.List{Kind: query.KindCard, Locale: id, Names: []string{card.ID}}).Body())
		}
	}
}

// cardsOf returns the cards of a menu.
func cardsOf(menu *domain.Menu) []domain.Card {
	var all []domain.Card
	items := slices.Clone(menu.Standalone)
	for _, group := range menu.Groups {
		items = append(items, group.Items...)
	}
	for _, item := range items {
		all = append(all, item.Cards...)
	}
	return all
}

func servedLists(s *snapshot.Snapshot, id locale.ID, bodies map[string]string) {
	add := func(what string, result snapshot.Result) {
		bodies[what] = fmt.Sprintf("%d %s", result.Total, result.Body())
	}
	for _, q := range []string{"", "o", "zoo", "太", "account_1", "chain_2", "zoo arena"} {
		for _, tags := range [][]string{nil, {"category_0", "category_1"}} {
			for _, page := range []query.Page{{}, {On: true, Limit: 3, Offset: 2}} {
				list := query.List{Locale: id, Terms: fold.Terms(q), Tags: tags, Page: page, Sort: query.SortTitle}
				for _, kind := range s.ListKinds() {
					list.Kind = kind
					add(fmt.Sprintf("%s %s q=%s tag=%v page=%v", kind, s.Locales().Name(id), q, tags, page), s.List(list))
				}
			}
		}
	}
	for _, sort := range query.ListParameters(query.KindChain).Find("sort").Allowed {
		for _, ascending := range []bool{true, false} {
			add(fmt.Sprintf("chains %d %s %t", id, sort, ascending),
				s.List(query.List{Kind: query.KindChain, Locale: id, Sort: query.Sort(sort), Ascending: ascending}))
		}
	}
	for _, status := range []query.Status{"", query.StatusLive, query.StatusUpcoming, query.StatusRetired, query.StatusAll} {
		list := query.List{Locale: id, Status: status, Facets: true, Sort: query.SortTitle}
		for _, kind := range s.ListKinds() {
			list.Kind = kind
			add(fmt.Sprintf("%s %d %s", kind, id, status), s.List(list))
		}
		list.Details, list.Unlisted = true, true
		for _, kind := range s.ListKinds() {
			list.Kind = kind
			add(fmt.Sprintf("details of %s %d %s", kind, id, status), s.List(list))
		}
		list.Details, list.Unlisted = false, false
		list.Kind, list.Filters = query.KindApp, []query.Filter{{Name: "chain", Value: "chain_1"}, {Name: "platform", Value: "web"}}
		add(fmt.Sprintf("apps of a chain %d %s", id, status), s.List(list))
		list.Kind, list.Filters = query.KindCard, []query.Filter{{Name: "menu", Value: "menu_1"}}
		add(fmt.Sprintf("cards of a menu %d %s", id, status), s.List(list))
	}
	for _, q := range []string{"ai", "openai", "以太坊", "chain_1"} {
		for _, appCards := range []bool{false, true} {
			asked := query.ForLabel(q, id)
			asked.AppCards, asked.Page = appCards, query.Page{On: true, Limit: 100}
			body, total := s.Search(asked)
			bodies[fmt.Sprintf("search %s %t %d", q, appCards, id)] = fmt.Sprintf("%d %s", total, body)
		}
	}
}

// servedRecords has the bodies of all kinds for the key and the former keys of each record.
func servedRecords(s *snapshot.Snapshot, c *domain.Catalog, id locale.ID, bodies map[string]string) {
	in := id
	for _, d := range domain.Descriptions() {
		for i := range d.Size(c) {
			record := d.Record(c, i)
			for _, name := range append(slices.Clip(d.FormerKeys(record)), d.Address(record)) {
				for _, kind := range s.RecordKinds() {
					body, ok := s.Record(kind, name, in)
					bodies[fmt.Sprintf("%s %s %d", kind, name, id)] = fmt.Sprintf("%t %s", ok, body)
				}
			}
		}
	}
	for _, module := range domain.Modules() {
		bodies[fmt.Sprintf("groups %s %d", module, id)] = string(s.CategoryGroups(query.CategoryGroups{Locale: id, Module: module}))
	}
	for _, full := range []bool{true, false} {
		bodies[fmt.Sprintf("categories %t %d", full, id)] = string(s.Categories(query.Categories{Locale: id, Full: full}))
	}
	bodies[fmt.Sprintf("nav %d", id)] = string(s.NavGroups(in))
	bodies[fmt.Sprintf("meta %d", id)] = string(s.Meta(in))
}
