package publish_test

import (
	"testing"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/publish"
)

// sharing is a directory with a menu whose cards share a link.
func sharing(digest string, titles ...string) *bundle.Directory {
	item := domain.Item{Slug: "i", Name: domain.Text{{Locale: "en", Value: "I"}}, Type: domain.ItemCategory}
	for _, title := range titles {
		item.Cards = append(item.Cards, domain.Card{Link: "/a", Title: domain.Text{{Locale: "en", Value: title}}})
	}
	c := titled("A")
	c.Menus = []domain.Menu{{PathSlug: "m", Title: c.Title, Standalone: []domain.Item{item}}}
	return &bundle.Directory{Catalog: c, Digest: digest}
}

// The id of a card stays with it over imports, and importing again what holds
// it changes nothing.
func TestImportKeepsIDs(t *testing.T) {
	var m memory
	ids := func() map[string]string {
		out := map[string]string{}
		for _, card := range m.head().Merged().Menus[0].WithIDs().Standalone[0].Cards {
			out[card.Title[0].Value] = card.ID
		}
		return out
	}
	for i, dir := range []*bundle.Directory{sharing("1", "A", "B", "C"), sharing("2", "B", "C"), sharing("3", "B", "C", "A")} {
		before := map[string]string{}
		if i > 0 {
			before = ids()
		}
		if _, err := publish.Directory(t.Context(), &m, dir, note); err != nil {
			t.Fatal(err)
		}
		for title, id := range ids() {
			if was, ok := before[title]; ok && was != id {
				t.Errorf("import %d: the id of %s moved from %s to %s", i+1, title, was, id)
			}
		}
		again, err := publish.Import(t.Context(), &m, dir)
		if err != nil || again.Changes != nil {
			t.Errorf("import %d: once more it changes %v, %v", i+1, again.Changes, err)
		}
	}
}
