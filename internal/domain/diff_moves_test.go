package domain_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

// menusOf returns the menus of a drawing, one per line: `key: item[card card] item[…] / group:
// item[…]`, standalone items first. A card is its link, followed by = and its title if that
// differs; likewise an item its slug.
func menusOf(drawing string) *domain.Catalog {
	c := &domain.Catalog{DefaultLocale: "en", Locales: []string{"en"}}
	for line := range strings.Lines(strings.TrimSpace(drawing)) {
		key, rest, _ := strings.Cut(strings.TrimSpace(line), ": ")
		menu := domain.Menu{PathSlug: key, Title: en(key)[:1]}
		for i, part := range strings.Split(rest, " / ") {
			if i == 0 {
				menu.Standalone = itemsOf(part)
				continue
			}
			group, items, _ := strings.Cut(part, ": ")
			menu.Groups = append(menu.Groups, domain.MenuGroup{Slug: group, Name: en(group)[:1], Items: itemsOf(items)})
		}
		c.Menus = append(c.Menus, menu)
	}
	return c
}

func itemsOf(drawing string) []domain.Item {
	var items []domain.Item
	for _, one := range strings.Split(drawing, "]") {
		slug, cards, ok := strings.Cut(strings.TrimSpace(one), "[")
		if !ok {
			continue
		}
		slug, name, ok := strings.Cut(slug, "=")
		if !ok {
			name = slug
		}
		item := domain.Item{Slug: slug, Name: en(name)[:1], Type: domain.ItemCategory}
		for _, card := range strings.Fields(cards) {
			link, title, ok := strings.Cut(card, "=")
			if !ok {
				title = link
			}
			item.Cards = append(item.Cards, domain.Card{Link: link, Title: en(title)[:1]})
		}
		items = append(items, item)
	}
	return items
}

func TestDiffNamesMoves(t *testing.T) {
	for _, tt := range []struct {
		name, old, new string
		want           []string // menu, path, old → new; moves with =>
	}{
		{"to the end of its item", "m: i[/a /b /c /d]", "m: i[/b /c /d /a]",
			[]string{"m standalone[i].cards[/a] place 1 => place 4"}},
		{"one that is gone moves no other", "m: i[/a /b /c]", "m: i[/b /c]",
			[]string{"m standalone[i].cards[/a] /a → "}},
		{"to another item", "m: i[/a /b] j[/c]", "m: i[/b] j[/a /c]",
			[]string{"m standalone[j].cards[/a] standalone[i].cards => standalone[j].cards"}},
		{"to another group, with another title", "m: i[/x] / g: j[/a /b] / h: k[/c]", "m: i[/x] / g: j[/a] / h: k[/c /b=B]", []string{
			"m groups[h].items[k].cards[/b] groups[g].items[j].cards => groups[h].items[k].cards",
			"m groups[h].items[k].cards[/b].title.en /b → B",
		}},
		{"to another menu", "m: i[/a /b]\nn: j[/c]", "m: i[/b]\nn: j[/c /a]", []string{
			"m standalone[i].cards[/a] standalone[i].cards => menu n: standalone[j].cards",
			"n standalone[j].cards[/a] menu m: standalone[i].cards => standalone[j].cards",
		}},
		{"another card of that link in another menu", "m: i[/a /b]\nn: j[/c]", "m: i[/b]\nn: j[/c /a=A]", []string{
			"m standalone[i].cards[/a] /a → ",
			"n standalone[j].cards[/a]  → A",
		}},
		{"out of an item that is gone", "m: i[/a /b] j[/c]", "m: j[/c /a]", []string{
			"m standalone[i] i → ",
			"m standalone[j].cards[/a] standalone[i].cards => standalone[j].cards",
		}},
		{"into an item that is new", "m: j[/c /a]", "m: i[/a] j[/c]", []string{
			"m standalone[j].cards[/a] standalone[j].cards => standalone[i].cards",
			"m standalone[i]  → i",
		}},
		{"an item to another group, with a card more", "m: i[/a] / g: j[/b]", "m: j[/b /c] / g: i[/a]", []string{
			"m groups[g].items[i] standalone => groups[g].items",
			"m standalone[j] groups[g].items => standalone",
			"m standalone[j].cards[/c]  → /c",
		}},
		{"an item of another name", "m: i[/a /b]", "m: j[/a /b]", []string{"m standalone[i] i → ", "m standalone[j]  → j"}},
		{"the first of a link", "m: i[/a=A /a=B /a=C]", "m: i[/a=B /a=C]", []string{"m standalone[i].cards[/a] A → "}},
		{"a swap of one link", "m: i[/a=A /a=B]", "m: i[/a=B /a=A]", []string{"m standalone[i].cards[/a#2] place 1 => place 2"}},
		{"another title beside one of that link", "m: i[/a=A /a=B]", "m: i[/a=B /a=C]", []string{
			"m standalone[i].cards[/a#2].title.en A → C",
			"m standalone[i].cards[/a#2] place 1 => place 2",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, c := range domain.Diff(menusOf(tt.old), menusOf(tt.new)) {
				for _, f := range c.Fields {
					arrow := " → "
					if f.Moved {
						arrow = " => "
					}
					got = append(got, c.Key+" "+f.Path+" "+f.Old+arrow+f.New)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
