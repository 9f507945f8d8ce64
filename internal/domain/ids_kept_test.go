package domain_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/domain"
)

// idsOf returns the ids of the cards of the first menu by title, and of its items by name.
func idsOf(c *domain.Catalog) map[string]string {
	ids := map[string]string{}
	m := c.Menus[0].WithIDs()
	lists := [][]domain.Item{m.Standalone}
	for _, g := range m.Groups {
		lists = append(lists, g.Items)
	}
	for _, it := range slices.Concat(lists...) {
		ids["item "+it.Name.Resolve([]string{"en"})] = it.ID
		for _, card := range it.Cards {
			ids[card.Title.Resolve([]string{"en"})] = card.ID
		}
	}
	return ids
}

// afterImports publishes drawings one after another, and returns the ids of the first and the
// last.
func afterImports(t *testing.T, drawings ...string) (first, last map[string]string) {
	t.Helper()
	var served *domain.Catalog
	for _, drawing := range drawings {
		written := menusOf(drawing)
		before := deepCopy(written)
		next, _ := domain.KeepIDs(served, written, nil)
		if diff := cmp.Diff(before, deepCopy(written)); diff != "" {
			t.Errorf("an argument was modified:\n%s", diff)
		}
		for _, p := range domain.Check(next, domain.Reading{}).Problems {
			if p.Rule == domain.RuleDuplicate {
				t.Errorf("%s: %s", drawing, p.Message)
			}
		}
		if served = next; first == nil {
			first = idsOf(served)
		}
	}
	return first, idsOf(served)
}

func TestKeepIDs(t *testing.T) {
	for _, tt := range []struct {
		name     string
		drawings []string
	}{
		{"the first of two goes", []string{"m: i[/a=A /a=B]", "m: i[/a=B]"}},
		{"the first of three, then the second", []string{"m: i[/a=A /a=B /a=C]", "m: i[/a=B /a=C]", "m: i[/a=C]"}},
		{"one more in front", []string{"m: i[/a=A]", "m: i[/a=New /a=A]"}},
		{"gone, and back, and one more", []string{"m: i[/a=A /a=B]", "m: i[/a=B]", "m: i[/a=A /a=B]", "m: i[/a=C /a=A /a=B]"}},
		{"a swap", []string{"m: i[/a=A /a=B]", "m: i[/a=B /a=A]"}},
		{"of other groups none", []string{"m: x[/a=X] / g: i[/a=A /a=B]", "m: x[/a=X] / g: i[/a=B]"}},
		{"the first of two items of a slug", []string{"m: i=I[/a=A] i=J[/a=B /b=C]", "m: i=J[/a=B /b=C]"}},
		{"one more item in front, with the same links", []string{"m: i=I[/a=A /a=B]", "m: i=New[/a=N /a=M] i=I[/a=A /a=B]"}},
		{"items gone and back, with cards more", []string{"m: i=I[/a=A] i=J[/a=B]", "m: i=J[/a=B]", "m: i=J[/a=B /a=D]", "m: i=K[/a=E /a=F] i=J[/a=B /a=D]"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before, after := afterImports(t, tt.drawings...)
			for title, id := range after {
				if was, ok := before[title]; ok && was != id {
					t.Errorf("the id of %s moved from %s to %s", title, was, id)
				}
			}
		})
	}
	t.Run("a title changes alone", func(t *testing.T) {
		before, after := afterImports(t, "m: i[/a=A /b=B]", "m: i[/a=A2 /b=B]")
		if before["A"] != after["A2"] {
			t.Errorf("the id was %s, is %s", before["A"], after["A2"])
		}
	})
	t.Run("a title changes among several", func(t *testing.T) {
		before, after := afterImports(t, "m: i[/a=A /a=B /a=C]", "m: i[/a=B /a=C2 /a=A]")
		want := map[string]string{"A": before["A"], "B": before["B"], "C2": before["C"], "item i": before["item i"]}
		if diff := cmp.Diff(want, after); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("an id that is no longer written stays", func(t *testing.T) {
		served, written := menusOf("m: i[/a=A /b=B]"), menusOf("m: i[/a=A /b=B]")
		served.Menus[0].Standalone[0].Cards[0].ID = "mine"
		if kept, _ := domain.KeepIDs(served, written, nil); idsOf(kept)["A"] != "mine" {
			t.Errorf("the id is %s", idsOf(kept)["A"])
		}
	})
	t.Run("an id that is in use elsewhere", func(t *testing.T) {
		served, written := menusOf("m: i[/a=A /a=B] j[/c]"), menusOf("m: i[/a=B] j[/c]")
		written.Menus[0].Standalone[1].Cards[0].ID = idsOf(served)["B"]
		if kept, _ := domain.KeepIDs(served, written, nil); !cmp.Equal(kept, written) {
			t.Error("it was given twice")
		}
	})
}

// TestPreservedIDsAreValid checks that publishing random edits of menus keeps them valid, and does not
// change catalogues without shared links.
func TestPreservedIDsAreValid(t *testing.T) {
	draw := rapid.Custom(func(t *rapid.T) *domain.Catalog {
		c := menusOf("m: ")
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			item := domain.Item{Slug: rapid.SampledFrom([]string{"i", "j"}).Draw(t, "slug"), Type: domain.ItemCategory}
			item.Name = text("en", rapid.SampledFrom([]string{"I", "J"}).Draw(t, "name"))
			for range rapid.IntRange(0, 4).Draw(t, "cards") {
				item.Cards = append(item.Cards, domain.Card{
					Link:  rapid.SampledFrom([]string{"/a", "/b"}).Draw(t, "link"),
					Title: text("en", rapid.SampledFrom([]string{"A", "B", "C"}).Draw(t, "title")),
				})
			}
			c.Menus[0].Standalone = append(c.Menus[0].Standalone, item)
		}
		return c
	})
	rapid.Check(t, func(t *rapid.T) {
		var served *domain.Catalog
		for range 5 {
			served, _ = domain.KeepIDs(served, draw.Draw(t, "written"), nil)
			for _, p := range domain.Check(served, domain.Reading{}).Problems {
				if p.Rule == domain.RuleDuplicate {
					t.Fatal(p.Message)
				}
			}
			if again, _ := domain.KeepIDs(served, served, nil); !cmp.Equal(again, served) {
				t.Fatal("publishing the same again changes it")
			}
		}
	})
	first, last := afterImports(t, "m: i[/a=A /b=B] j[/a=C]", "m: j[/a=C /c=D] i[/b=B]")
	maps.DeleteFunc(first, func(title, _ string) bool { return last[title] == "" })
	for title, id := range first {
		if last[title] != id {
			t.Errorf("the id of %s moved", title)
		}
	}
}
