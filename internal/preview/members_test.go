package preview_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
	"vitrine/internal/preview"
)

// TestElements checks that elements of lists are compared one by one, in the record and in its response.
func TestElements(t *testing.T) {
	rpc := func(urls ...string) (all []domain.Endpoint) {
		for _, url := range urls {
			all = append(all, domain.Endpoint{URL: url})
		}
		return all
	}
	chain := func(aliases []string, urls ...string) *domain.Catalog {
		return chains(domain.Chain{Slug: "a", ChainID: "1", Name: text("en", "A"), Aliases: aliases, RPC: rpc(urls...)})
	}
	const one, two, three = "https://one.example.org/", "https://two.example.org/", "https://three.example.org/"
	for _, tt := range []struct {
		name       string
		base, head *domain.Catalog
		record     []preview.Member
		response   []preview.Member
	}{
		{"a removed alias", chain([]string{"x", "y", "z"}), chain([]string{"y", "z"}), []preview.Member{{Name: "aliases", Before: "x"}}, nil},
		{"two added aliases", chain([]string{"x"}), chain([]string{"x", "y", "z"}),
			[]preview.Member{{Name: "aliases", After: "y"}, {Name: "aliases", After: "z"}}, nil},
		{"another alias", chain([]string{"x", "y"}), chain([]string{"x", "z"}), []preview.Member{{Name: "aliases", Before: "y", After: "z"}}, nil},
		{"aliases in another order", chain([]string{"x", "y"}), chain([]string{"y", "x"}),
			[]preview.Member{{Name: "aliases (order)", Before: "x, y", After: "y, x"}}, nil},
		{"the first endpoint is removed", chain(nil, one, two, three), chain(nil, two, three),
			[]preview.Member{{Name: "rpc[" + one + "]", Before: one}}, []preview.Member{{Name: "rpc", Before: `{"url":"` + one + `"}`}}},
		{"another endpoint", chain(nil, one, two), chain(nil, three, two),
			[]preview.Member{{Name: "rpc[" + one + "]", Before: one}, {Name: "rpc[" + three + "]", After: three}},
			[]preview.Member{{Name: "rpc", Before: `{"url":"` + one + `"}`}, {Name: "rpc", After: `{"url":"` + three + `"}`}}},
		{"the order of endpoints", chain(nil, one, two), chain(nil, two, one), nil,
			[]preview.Member{{Name: "rpc (order)", Before: `[{"url":"` + one + `"},{"url":"` + two + `"}]`, After: `[{"url":"` + two + `"},{"url":"` + one + `"}]`}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			report := preview.Compare(version(t, tt.base), version(t, tt.head))
			if tt.record != nil {
				if diff := cmp.Diff(tt.record, report.Records[0].Changed.Examples[0].Members); diff != "" {
					t.Errorf("record: %s", diff)
				}
			}
			if tt.response == nil {
				return
			}
			if diff := cmp.Diff(tt.response, changesOf(report, "getChain")[0].Changed.Examples[0].Members); diff != "" {
				t.Errorf("response: %s", diff)
			}
		})
	}
}

// TestStale checks that a text that changes in the default locale alone is named with its translations.
func TestStale(t *testing.T) {
	chain := func(slug string, name, description domain.Text) domain.Chain {
		return domain.Chain{Slug: slug, ChainID: slug, Name: name, Description: description}
	}
	card := func(title domain.Text) *domain.Catalog {
		c := chains()
		c.Menus = []domain.Menu{{PathSlug: "m", Title: text("en", "M", "ja", "メ"), Standalone: []domain.Item{{Slug: "i", Name: text("en", "I"),
			Type: domain.ItemLink, Cards: []domain.Card{{Title: title, Link: "https://example.org/"}}}}}}
		return c
	}
	named := func(name, description domain.Text) *domain.Catalog { return chains(chain("a", name, description)) }
	stale := func(kind domain.Kind, field, key string) []preview.Stale {
		return []preview.Stale{{Kind: kind, Field: field, Locales: []string{"ja"}, Records: preview.Rows{Total: 1, Examples: []preview.Row{{Key: key}}}}}
	}
	for _, tt := range []struct {
		name       string
		base, head *domain.Catalog
		want       []preview.Stale
	}{
		{"only the default locale", named(text("en", "A", "ja", "ア"), nil), named(text("en", "B", "ja", "ア"), nil), stale(domain.KindChain, "name", "a")},
		{"both", named(text("en", "A", "ja", "ア"), nil), named(text("en", "B", "ja", "ブ"), nil), []preview.Stale{}},
		{"only the translation", named(text("en", "A", "ja", "ア"), nil), named(text("en", "A", "ja", "ブ"), nil), []preview.Stale{}},
		{"no translation", named(text("en", "A"), nil), named(text("en", "B"), nil), []preview.Stale{}},
		{"the translation is removed", named(text("en", "A", "ja", "ア"), nil), named(text("en", "B"), nil), []preview.Stale{}},
		{"a new text", named(text("en", "A"), nil), named(text("en", "A"), text("en", "D", "ja", "デ")), []preview.Stale{}},
		{"a new record", chains(), named(text("en", "A", "ja", "ア"), nil), []preview.Stale{}},
		{"a card", card(text("en", "C", "ja", "カ")), card(text("en", "D", "ja", "カ")), stale(domain.KindMenu, "standalone.cards.title", "m")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, preview.Compare(version(t, tt.base), version(t, tt.head)).Stale); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestRelinkedCards checks that a card whose link alone changes is one changed row, with both links.
func TestRelinkedCards(t *testing.T) {
	menu := func(cards ...domain.Card) *domain.Catalog {
		c := chains()
		c.Menus = []domain.Menu{{PathSlug: "m", Title: text("en", "M"), Standalone: []domain.Item{{Slug: "i", Name: text("en", "I"), Type: domain.ItemCategory, Cards: cards}}}}
		c.NavGroups = []domain.NavGroup{{Slug: "g", Name: text("en", "G"), Menus: []string{"m"}}}
		return c
	}
	card := func(title, link string) domain.Card {
		return domain.Card{Title: text("en", title), Description: text("en", "About "+title), Link: link}
	}
	stays := card("Stays", "https://stays.example.org/")
	report := preview.Compare(version(t, menu(stays, card("Forum", "https://old.example.org/"))),
		version(t, menu(stays, card("Forum", "https://new.example.org/"))))
	for name, want := range map[string]preview.Member{
		"listCards":  {Name: "link", Before: `"https://old.example.org/"`, After: `"https://new.example.org/"`},
		"getNavMenu": {Name: "standalone.cards.link", Before: `"https://old.example.org/"`, After: `"https://new.example.org/"`},
	} {
		changes := changesOf(report, name)
		if len(changes) != 1 || changes[0].Changed.Total != 1 || changes[0].Added.Total+changes[0].Removed.Total != 0 {
			t.Errorf("%s: %+v, want one changed row", name, changes)
			continue
		}
		members := changes[0].Changed.Examples[0].Members
		if !slices.Contains(members, want) {
			t.Errorf("%s: %+v, want %+v", name, members, want)
		}
	}
	report = preview.Compare(version(t, menu(stays, card("Forum", "https://old.example.org/"))),
		version(t, menu(stays, card("Board", "https://new.example.org/"))))
	if changes := changesOf(report, "listCards"); len(changes) != 1 || changes[0].Added.Total != 1 || changes[0].Removed.Total != 1 {
		t.Errorf("another card: %+v, want one removed and one added row", changes)
	}
}
