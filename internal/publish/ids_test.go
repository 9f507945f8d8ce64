package publish_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/publish"
)

// sharing returns a directory with a menu whose cards share a link.
func sharing(digest string, titles ...string) *bundle.Directory {
	item := domain.Item{Slug: "i", Name: domain.Text{{Locale: "en", Value: "I"}}, Type: domain.ItemCategory}
	for _, title := range titles {
		item.Cards = append(item.Cards, domain.Card{Link: "/a", Title: domain.Text{{Locale: "en", Value: title}}})
	}
	c := titled("A")
	c.Menus = []domain.Menu{{PathSlug: "m", Title: c.Title, Standalone: []domain.Item{item}}}
	return &bundle.Directory{Catalog: c, Digest: digest}
}

// TestImportKeepsIDs checks that cards keep their ids over imports, and that importing the same
// directory again changes nothing.
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
		if _, err := publish.Directory(t.Context(), &m, dir, publish.From{}, note); err != nil {
			t.Fatal(err)
		}
		for title, id := range ids() {
			if was, ok := before[title]; ok && was != id {
				t.Errorf("import %d: the id of %s changed from %s to %s", i+1, title, was, id)
			}
		}
		again, err := publish.Import(t.Context(), &m, dir, publish.From{})
		if err != nil || again.Changes != nil {
			t.Errorf("import %d: the same import changes %v, %v", i+1, again.Changes, err)
		}
	}
}

// TestImportKeepsChainIDs checks that the `_id` of a chain survives a rename, and that no other
// chain gets it after removals.
func TestImportKeepsChainIDs(t *testing.T) {
	var m memory
	for i, step := range []struct {
		chains []domain.Chain
		notes  int
		want   map[string]string // slug → slug that the id derives from, "" for neither
	}{
		{[]domain.Chain{{Slug: "base"}, {Slug: "x"}}, 0, map[string]string{"base": "base"}},
		{[]domain.Chain{{Slug: "base2", Former: []string{"base"}}, {Slug: "x"}}, 0, map[string]string{"base2": "base"}},
		{[]domain.Chain{{Slug: "base2"}, {Slug: "x"}}, 0, map[string]string{"base2": "base"}},
		{[]domain.Chain{{Slug: "x"}}, 0, nil},
		{[]domain.Chain{{Slug: "x"}, {Slug: "base"}}, 1, map[string]string{"base": ""}},
		{[]domain.Chain{{Slug: "base"}}, 0, map[string]string{"base": ""}},
		{[]domain.Chain{{Slug: "base"}, {Slug: "y", Former: []string{"x"}}}, 0, map[string]string{"base": "", "y": "x"}},
	} {
		c := titled("A")
		for _, chain := range step.chains {
			chain.ChainID, chain.Name = chain.Slug, c.Title
			c.Chains = append(c.Chains, chain)
		}
		plan, err := publish.Import(t.Context(), &m, &bundle.Directory{Catalog: c, Digest: fmt.Sprint(i)}, publish.From{})
		if err != nil {
			t.Fatal(err)
		}
		if len(plan.Notes) != step.notes {
			t.Errorf("import %d: notes %q, want %d", i, plan.Notes, step.notes)
		}
		if _, err := plan.Publish(t.Context(), &m, note); err != nil {
			t.Fatal(err)
		}
		for _, chain := range m.head().Merged().Chains {
			from, checked := step.want[chain.Slug]
			own := domain.Chain{Slug: chain.Slug}.StableID()
			switch id := chain.StableID(); {
			case !checked:
			case from == "" && id == own:
				t.Errorf("import %d: %s has the id of a different chain", i, chain.Slug)
			case from != "" && id != (domain.Chain{Slug: from}).StableID():
				t.Errorf("import %d: %s has the id %s, not that of %s", i, chain.Slug, id, from)
			}
		}
	}
}

// TestAnotherChainUnderAFreedSlug checks that a chain that returns after its removal keeps its
// `_id`, and that a different chain with the same slug never gets it.
func TestAnotherChainUnderAFreedSlug(t *testing.T) {
	chain := func(id, name string) domain.Chain {
		return domain.Chain{Slug: "base", ChainID: id, Name: domain.Text{{Locale: "en", Value: name}}}
	}
	var m memory
	id := func(chains ...domain.Chain) (string, int) {
		c := titled("A")
		c.Chains = append(chains, domain.Chain{Slug: "x", ChainID: "x", Name: c.Title})
		plan, err := publish.Import(t.Context(), &m, &bundle.Directory{Catalog: c, Digest: fmt.Sprint(chains)}, publish.From{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := plan.Publish(t.Context(), &m, note); err != nil {
			t.Fatal(err)
		}
		for _, chain := range m.head().Merged().Chains {
			if chain.Slug == "base" {
				return chain.StableID(), len(plan.Notes)
			}
		}
		return "", len(plan.Notes)
	}
	given := map[string]string{} // id → chain
	for i, step := range []struct {
		chains []domain.Chain
		same   string // name of the chain whose id it has
		notes  int
	}{
		{[]domain.Chain{chain("8453", "Base")}, "Base", 0},
		{nil, "", 0},
		{[]domain.Chain{chain("8453", "Base Mainnet")}, "Base", 0},
		{nil, "", 0},
		{[]domain.Chain{chain("0x2105", "base")}, "Base", 0},
		{nil, "", 0},
		{[]domain.Chain{chain("7", "Ground")}, "Ground", 1},
		{[]domain.Chain{chain("7", "Ground")}, "Ground", 0},
		{nil, "", 0},
		{[]domain.Chain{chain("8453", "Base")}, "Base", 0},
		{nil, "", 0},
		{[]domain.Chain{chain("9", "Third")}, "Third", 1},
		{nil, "", 0},
		{[]domain.Chain{chain("7", "Ground")}, "Ground", 0},
		{[]domain.Chain{chain("7", "Soil")}, "Ground", 0},
		{[]domain.Chain{chain("8", "Soil")}, "Ground", 0},
		{[]domain.Chain{chain("10", "Fourth")}, "Ground", 1}, // possibly the same chain: a note asks
	} {
		got, notes := id(step.chains...)
		if notes != step.notes {
			t.Errorf("import %d: %d notes, want %d", i, notes, step.notes)
		}
		if step.same == "" {
			continue
		}
		if owner := given[got]; owner != "" && owner != step.same {
			t.Errorf("import %d: %s has the id of %s", i, step.same, owner)
		}
		for id, owner := range given {
			if owner == step.same && id != got {
				t.Errorf("import %d: the id of %s is %s, was %s", i, owner, got, id)
			}
		}
		given[got] = step.same
	}
}

// TestTakenAddresses checks the note on a new record at the former address of another one.
func TestTakenAddresses(t *testing.T) {
	var m memory
	named := func(records ...domain.Category) *bundle.Directory {
		c := titled("A")
		c.Categories = records
		return &bundle.Directory{Catalog: c, Digest: fmt.Sprint(records)}
	}
	for _, step := range []struct {
		records []domain.Category
		notes   []string
	}{
		{[]domain.Category{{Key: "new", Former: []string{"old"}}}, nil},
		{[]domain.Category{{Key: "new"}}, nil},
		{[]domain.Category{{Key: "new", Former: []string{"old"}}}, nil},
		{[]domain.Category{{Key: "new"}, {Key: "old"}}, []string{"category old now answers at an address that led to new under a former name"}},
		{[]domain.Category{{Key: "new"}, {Key: "old"}}, nil},
	} {
		plan, err := publish.Import(t.Context(), &m, named(step.records...), publish.From{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(step.notes, plan.Notes); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if _, err := plan.Publish(t.Context(), &m, note); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSwappedChains checks that chains that swap slugs keep their `_id`s. If only chain ids or
// names were swapped, a note names each chain.
func TestSwappedChains(t *testing.T) {
	two := func(a, b domain.Chain) *bundle.Directory {
		c := titled("A")
		c.Chains = []domain.Chain{a, b}
		return &bundle.Directory{Catalog: c, Digest: fmt.Sprint(a, b)}
	}
	of := func(slug, id, name string) domain.Chain {
		return domain.Chain{Slug: slug, ChainID: id, Name: domain.Text{{Locale: "en", Value: name}}}
	}
	idA, idB := new(domain.Chain{Slug: "a"}).StableID(), new(domain.Chain{Slug: "b"}).StableID()
	for _, tt := range []struct {
		name  string
		a, b  domain.Chain
		ids   [2]string
		notes []string
	}{
		{"slugs", of("a", "2", "B"), of("b", "1", "A"), [2]string{idB, idA}, []string{
			`chain a has the chain_id "2" of chain b and gets its _id ` + idB + `; readers who know a by its slug find the other chain`,
			`chain b has the chain_id "1" of chain a and gets its _id ` + idA + `; readers who know b by its slug find the other chain`,
		}},
		{"chain ids", of("a", "2", "A"), of("b", "1", "B"), [2]string{idA, idB}, []string{
			`chain a has the chain_id "2" of chain b and keeps the _id ` + idA + "; readers who know it by that find another chain; if the two were swapped, write the `id` of each",
			`chain b has the chain_id "1" of chain a and keeps the _id ` + idB + "; readers who know it by that find another chain; if the two were swapped, write the `id` of each",
		}},
		{"names", of("a", "1", "B"), of("b", "2", "A"), [2]string{idA, idB}, []string{
			`chain a has the name "b" of chain b and keeps the _id ` + idA + "; readers who know it by that find another chain; if the two were swapped, write the `id` of each",
			`chain b has the name "a" of chain a and keeps the _id ` + idB + "; readers who know it by that find another chain; if the two were swapped, write the `id` of each",
		}},
		{"nothing", of("a", "1", "A2"), of("b", "3", "B"), [2]string{idA, idB}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var m memory
			publishedFrom(t, &m, two(of("a", "1", "A"), of("b", "2", "B")), publish.From{})
			_, outcome := publishedFrom(t, &m, two(tt.a, tt.b), publish.From{})
			if diff := cmp.Diff(tt.notes, outcome.Notes); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
			for range 2 {
				chains := m.head().Editors().Chains
				if got := [2]string{chains[0].StableID(), chains[1].StableID()}; got != tt.ids {
					t.Errorf("ids %v, want %v", got, tt.ids)
				}
				again := two(tt.a, tt.b)
				again.Catalog.Title = titled("B").Title
				again.Digest = "again"
				publishedFrom(t, &m, again, publish.From{}) // the ids stay
			}
			publishedFrom(t, &m, two(of("a", "1", "A"), of("b", "2", "B")), publish.From{})
			chains := m.head().Editors().Chains
			if got := [2]string{chains[0].StableID(), chains[1].StableID()}; got != [2]string{idA, idB} {
				t.Errorf("ids after swapping back: %v", got)
			}
		})
	}
}
