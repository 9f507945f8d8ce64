package domain_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/domain"
)

// chainsOf returns a catalogue with a chain for each word: `slug`, `slug<former,former`,
// `slug#id`.
func chainsOf(words string) *domain.Catalog {
	c := &domain.Catalog{DefaultLocale: "en", Locales: []string{"en"}, Title: text("en", "T")}
	for word := range strings.FieldsSeq(words) {
		word, id, _ := strings.Cut(word, "#")
		slug, former, renamed := strings.Cut(word, "<")
		chain := domain.Chain{Slug: slug, ChainID: slug, ID: id, Name: text("en", slug)}
		if renamed {
			chain.Former = strings.Split(former, ",")
		}
		c.Chains = append(c.Chains, chain)
	}
	return c
}

func derivedID(slug string) string { return domain.Chain{Slug: slug}.StableID() }

func stableIDs(c *domain.Catalog) map[string]string {
	ids := map[string]string{}
	for _, chain := range c.Chains {
		ids[chain.Slug] = chain.StableID()
	}
	return ids
}

func TestKeepChainIDs(t *testing.T) {
	d := derivedID
	for _, tt := range []struct {
		name    string
		steps   []string // consecutive imports
		want    map[string]string
		denied  string // chains of the last step that do not get the ids of their slugs
		earlier domain.Earlier
	}{
		{name: "a rename", steps: []string{"base", "base2<base"}, want: map[string]string{"base2": d("base")}},
		{name: "former is removed later", steps: []string{"base", "base2<base", "base2", "base2"}, want: map[string]string{"base2": d("base")}},
		{name: "renamed twice", steps: []string{"a", "b<a", "c<a,b", "c"}, want: map[string]string{"c": d("a")}},
		{name: "and back again", steps: []string{"a", "b<a", "a<b"}, want: map[string]string{"a": d("a")}},
		{name: "another chain under the slug between", steps: []string{"a", "b<a", "a<b", "a b", "b"}, want: map[string]string{"b": d("b")}},
		{name: "after the chain that was renamed back is gone", steps: []string{"c", "b<c", "c<b", "", "b"}, want: map[string]string{"b": d("b")}},
		{name: "renamed back after it was gone", steps: []string{"a", "b<a", "x", "x a<b", "x", "x b"},
			want: map[string]string{"x": d("x"), "b": d("b")}},
		{name: "a rename without former", steps: []string{"base", "base2"}, want: map[string]string{"base2": d("base2")}},
		{name: "a new chain under the old slug", steps: []string{"base", "base2<base", "base2 base"},
			want: map[string]string{"base2": d("base"), "base": "another"}, denied: "base"},
		{name: "which keeps its id", steps: []string{"base", "base2<base", "base2 base", "base2 base", "base"},
			want: map[string]string{"base": "another"}},
		{name: "after the renamed one is gone", steps: []string{"base", "base2<base", "x", "x base"},
			want: map[string]string{"x": d("x"), "base": "another"}, denied: "base"},
		{name: "and long gone", steps: []string{"base", "base2<base", "x", "x", "x y", "y", "y base"},
			want: map[string]string{"y": d("y"), "base": "another"}, denied: "base"},
		{name: "a third chain under the old slug", steps: []string{"base", "b2<base", "b2 base", "b2 b3<base", "b2 b3", "b2 b3 base"},
			want: map[string]string{"b2": d("base"), "b3": "another", "base": "another"}, denied: "base"},
		{name: "gone and back", steps: []string{"base x", "x", "base x"}, want: map[string]string{"base": d("base"), "x": d("x")}},
		{name: "renamed, gone and back", steps: []string{"base", "base2<base", "x", "x base2"}, want: map[string]string{"x": d("x"), "base2": d("base")}},
		{name: "a written id wins", steps: []string{"base", "base2<base#mine"}, want: map[string]string{"base2": "mine"}},
		{name: "a written id stays", steps: []string{"base#mine", "base"}, want: map[string]string{"base": "mine"}},
		{name: "a rename by id", steps: []string{"base", "base2#" + d("base"), "base2", "base2 base"},
			want: map[string]string{"base2": d("base"), "base": "another"}, denied: "base"},
		{name: "another chain writes the kept id", steps: []string{"base", "base2<base", "base2 x#" + d("base")},
			want: map[string]string{"base2": d("base2"), "x": d("base")}},
		{name: "the id of a chain that is merged into another", steps: []string{"a b", "b<a"}, want: map[string]string{"b": d("b")}},
		{name: "a kept id that became the slug of another", steps: []string{"base#mine", "base mine"}, want: map[string]string{"base": d("base"), "mine": d("mine")}},
		{name: "a kept id that another one writes in another case", steps: []string{"base#mine", "base x#MINE"}, want: map[string]string{"base": d("base"), "x": "MINE"}},
		{name: "a former slug that another chain had later", steps: []string{"a", "b<a", "b", "b a", "b", "c<a,b"}, want: map[string]string{"c": d("a")}},
		{name: "two former ones", steps: []string{"a b", "c<b,a"}, want: map[string]string{"c": d("b")}},
		{name: "removed first, renamed later", steps: []string{"x base", "x", "x base2<base"}, earlier: domain.Earlier{"base": {{Slug: "base"}}},
			want: map[string]string{"x": d("x"), "base2": d("base")}},
		{name: "an explicit id replaced the derived one before the rename", steps: []string{"base", "base#mine", "b2<base", "b2 base"},
			want: map[string]string{"b2": "mine", "base": "another"}, denied: "base"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var served *domain.Catalog
			var denied []string
			given := map[string]string{}
			for i, step := range tt.steps {
				var earlier domain.Earlier
				if i == len(tt.steps)-1 {
					earlier = tt.earlier
				}
				next, notes := domain.KeepIDs(served, chainsOf(step), earlier)
				again, more := domain.KeepIDs(next, chainsOf(step), nil)
				if !cmp.Equal(again, next) || more != nil {
					t.Errorf("importing %q once more changes it: %s", step, cmp.Diff(next, again))
				}
				served, denied = next, nil
				for _, n := range notes {
					denied = append(denied, n.Chain)
				}
				for slug, id := range stableIDs(served) {
					given[id+" "+slug] = step
				}
			}
			got := stableIDs(served)
			for slug, id := range tt.want {
				if id != "another" {
					if got[slug] != id {
						t.Errorf("%s has the id %s, want %s", slug, got[slug], id)
					}
					continue
				}
				if got[slug] == derivedID(slug) {
					t.Errorf("%s has the id of a different chain", slug)
				}
			}
			if len(got) != len(tt.want) {
				t.Errorf("ids %v", got)
			}
			if strings.Join(denied, " ") != tt.denied {
				t.Errorf("denied %v, want %q", denied, tt.denied)
			}
			for _, p := range domain.Check(served, domain.Reading{}).Problems {
				if p.Rule.Severity() == domain.Error {
					t.Errorf("the published catalogue is invalid: %s", p.Message)
				}
			}
			// The export has the same ids in an empty store.
			elsewhere, _ := domain.KeepIDs(nil, served, nil)
			if diff := cmp.Diff(got, stableIDs(elsewhere)); diff != "" {
				t.Errorf("in an empty store (-want +got):\n%s", diff)
			}
		})
	}
}

// TestNoIDIsGivenTwice checks that for any edits, a chain has one constant id, ids are unique,
// and no id is assigned to another chain. The oracle tracks each chain through renames by a
// serial number.
func TestNoIDIsGivenTwice(t *testing.T) {
	type chain struct {
		serial int
		former []string
	}
	rapid.Check(t, func(t *rapid.T) {
		slugs := []string{"a", "b", "c", "d"}
		present := map[string]chain{}
		lastOf := map[string]int{} // slug → serial of the last removed chain with it
		owner := map[string]int{}
		serials := 0
		// Check rejects a key in use as a former key.
		occupy := func(slug string) {
			for s, c := range present {
				c.former = slices.DeleteFunc(slices.Clone(c.former), func(f string) bool { return f == slug })
				present[s] = c
			}
		}
		var served *domain.Catalog
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			slug := rapid.SampledFrom(slugs).Draw(t, "slug")
			was, there := present[slug]
			switch action := rapid.SampledFrom([]string{"toggle", "rename", "forget"}).Draw(t, "action"); {
			case action == "toggle" && there:
				delete(present, slug)
				lastOf[slug] = was.serial
			case action == "toggle":
				serial, returns := lastOf[slug]
				if !returns {
					serials++
					serial = serials
				}
				occupy(slug)
				present[slug] = chain{serial: serial}
			case action == "rename" && there:
				to := rapid.SampledFrom(slugs).Draw(t, "to")
				if _, taken := present[to]; taken {
					continue
				}
				if _, returns := lastOf[to]; returns {
					continue // both a rename and a return: either result is correct
				}
				delete(present, slug)
				delete(lastOf, slug)
				occupy(to)
				present[to] = chain{was.serial, append(slices.DeleteFunc(slices.Clone(was.former), func(f string) bool { return f == to }), slug)}
			case there:
				present[slug] = chain{serial: was.serial}
			}
			c := chainsOf("")
			for _, s := range slugs {
				if ch, ok := present[s]; ok {
					c.Chains = append(c.Chains, domain.Chain{Slug: s, ChainID: s, Name: text("en", s), Former: ch.former})
				}
			}
			served, _ = domain.KeepIDs(served, c, nil)
			seen := map[string]bool{}
			for s, id := range stableIDs(served) {
				if seen[id] {
					t.Fatalf("two chains have the id %s", id)
				}
				seen[id] = true
				if first, known := owner[id]; known && first != present[s].serial {
					t.Fatalf("%s has the id %s of chain %d, and is chain %d", s, id, first, present[s].serial)
				}
				owner[id] = present[s].serial
			}
			for id, serial := range owner {
				for s, ch := range present {
					if ch.serial == serial && stableIDs(served)[s] != id {
						t.Fatalf("chain %d lost its id %s under %s", serial, id, s)
					}
				}
			}
		}
	})
}

func TestKeepPastIDs(t *testing.T) {
	first, _ := domain.KeepIDs(nil, chainsOf("base"), nil)
	second, _ := domain.KeepIDs(first, chainsOf("base2<base"), nil)
	third, _ := domain.KeepIDs(second, chainsOf("base2 base"), nil)
	back := domain.KeepPastIDs(third, first)
	if got := stableIDs(back); got["base"] != derivedID("base") {
		t.Errorf("ids %v", got)
	}
	again, _ := domain.KeepIDs(back, chainsOf("base2"), nil)
	if got := stableIDs(again); got["base2"] != derivedID("base") {
		t.Errorf("published again it has the ids %v", got)
	}
	other, _ := domain.KeepIDs(back, chainsOf("base other"), nil)
	for slug, id := range stableIDs(other) {
		if slug != "base" && id == stableIDs(third)["base"] {
			t.Errorf("%s has an id that was given", slug)
		}
	}
}

// TestRenamedMenuKeepsIDs checks that a renamed menu keeps the ids of its parts.
func TestRenamedMenuKeepsIDs(t *testing.T) {
	before := menusOf("m: i[/a=A /b=B] / g: j[/c=C]")
	renamed := menusOf("n: i[/a=A /b=B] / g: j[/c=C]")
	renamed.Menus[0].Former = []string{"m"}
	want := idsOf(before)
	group := before.Menus[0].WithIDs().Groups[0].ID
	served, _ := domain.KeepIDs(before, renamed, nil)
	for i, c := range []*domain.Catalog{renamed, menusOf("n: i[/a=A /b=B] / g: j[/c=C]"), menusOf("n: i[/b=B /a=A] / g: j[/c=C]")} {
		served, _ = domain.KeepIDs(served, c, nil)
		if diff := cmp.Diff(want, idsOf(served)); diff != "" {
			t.Errorf("import %d (-want +got):\n%s", i, diff)
		}
		if got := served.Menus[0].WithIDs().Groups[0].ID; got != group {
			t.Errorf("import %d: the group has the id %s, want %s", i, got, group)
		}
	}
}

func TestSuggestFormer(t *testing.T) {
	chain := func(slug, id, name string, former ...string) domain.Chain {
		return domain.Chain{Slug: slug, ChainID: id, Name: text("en", name), Former: former}
	}
	for _, tt := range []struct {
		name     string
		old, new []domain.Chain
		want     []string
	}{
		{"the same chain id", []domain.Chain{chain("base", "8453", "Base")}, []domain.Chain{chain("base2", "8453", "Base Mainnet")},
			[]string{`base2: former: [base] (chain_id "8453")`}},
		{"the same name", []domain.Chain{chain("base", "1", "Base")}, []domain.Chain{chain("base2", "2", "BASE")},
			[]string{`base2: former: [base] (name "base")`}},
		{"it has a former key", []domain.Chain{chain("b", "1", "Base", "a")}, []domain.Chain{chain("c", "1", "Base", "a")},
			[]string{`c: former: [a, b] (chain_id "1")`}},
		{"it says so", []domain.Chain{chain("base", "1", "Base")}, []domain.Chain{chain("base2", "1", "Base", "base")}, nil},
		{"another one says so", []domain.Chain{chain("base", "1", "Base"), chain("x", "2", "X")},
			[]domain.Chain{chain("base2", "1", "Base"), chain("x", "2", "X", "base")}, nil},
		{"nothing in common", []domain.Chain{chain("a", "1", "A")}, []domain.Chain{chain("b", "2", "B")}, nil},
		{"an id that others have", []domain.Chain{chain("a", "1", "A"), chain("x", "1", "X")},
			[]domain.Chain{chain("b", "1", "B"), chain("x", "1", "X")}, nil},
		{"nothing is gone", []domain.Chain{chain("a", "1", "A")}, []domain.Chain{chain("a", "1", "A"), chain("b", "1", "A")}, nil},
		{"everything is new", nil, []domain.Chain{chain("a", "1", "A")}, nil},
	} {
		old, c := chainsOf(""), chainsOf("")
		old.Chains, c.Chains = tt.old, tt.new
		var got []string
		for _, s := range domain.DeltaOf(old, c).SuggestFormer() {
			got = append(got, fmt.Sprintf("%s: %s (%s)", s.Key, s.Line, s.Evidence))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestUndeclaredRenamesKeepIDs checks that a chain with a new slug keeps its `_id` if its chain
// id and name are unchanged, even without former, and that no other chain gets that id.
func TestUndeclaredRenamesKeepIDs(t *testing.T) {
	type chains = [][3]string // slug<former,former, chain id, name
	d := derivedID
	for _, tt := range []struct {
		name   string
		steps  []chains
		want   map[string]string
		denied []string
	}{
		{"a rename", []chains{{{"base", "8453", "Base"}}, {{"base2", "8453", "BASE"}}}, map[string]string{"base2": d("base")}, nil},
		{"another chain under the old slug at once", []chains{{{"base", "8453", "Base"}}, {{"base", "5555", "New"}, {"base2", "8453", "Base"}}},
			map[string]string{"base2": d("base")}, []string{"base"}},
		{"another chain under the old slug later", []chains{{{"base", "8453", "Base"}}, {{"base2", "8453", "Base"}}, {{"base2", "8453", "Base"}, {"base", "5555", "New"}}},
			map[string]string{"base2": d("base")}, []string{"base"}},
		{"another name", []chains{{{"base", "8453", "Base"}}, {{"base2", "8453", "Cellar"}}}, map[string]string{"base2": d("base2")}, nil},
		{"another chain id", []chains{{{"base", "8453", "Base"}}, {{"base2", "8454", "Base"}}}, map[string]string{"base2": d("base2")}, nil},
		{"two that were alike", []chains{{{"a", "1", "X"}, {"b", "1", "X"}}, {{"c", "1", "X"}}}, map[string]string{"c": d("c")}, nil},
		{"two that are alike", []chains{{{"a", "1", "X"}}, {{"b", "1", "X"}, {"c", "1", "X"}}}, map[string]string{"b": d("b"), "c": d("c")}, nil},
		{"renamed back without the former slug", []chains{{{"base<b", "8453", "Base"}}, {{"base2<b,base", "8453", "Base"}}, {{"base<b", "8453", "Base"}}},
			map[string]string{"base": d("base")}, nil},
		{"with an older former slug", []chains{{{"base<b", "8453", "Base"}}, {{"base2<b", "8453", "Base"}}}, map[string]string{"base2": d("base")}, nil},
		{"with the former slug of a chain that stays", []chains{{{"a", "1", "A"}, {"b", "2", "B"}}, {{"a", "1", "A"}, {"c<a", "2", "B"}}},
			map[string]string{"a": d("a"), "c": d("b")}, nil},
		{"with the former slug of another chain", []chains{{{"a", "1", "A"}, {"b", "2", "B"}}, {{"c<a", "2", "B"}}}, map[string]string{"c": d("a")}, nil},
		{"a copy beside the chain", []chains{{{"a", "1", "X"}}, {{"a", "1", "X"}, {"b", "1", "X"}}}, map[string]string{"a": d("a"), "b": d("b")}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var served *domain.Catalog
			var denied []string
			for _, step := range tt.steps {
				c := &domain.Catalog{DefaultLocale: "en", Locales: []string{"en"}}
				for _, chain := range step {
					slug, former, renamed := strings.Cut(chain[0], "<")
					record := domain.Chain{Slug: slug, ChainID: chain[1], Name: domain.Text{{Locale: "en", Value: chain[2]}}}
					if renamed {
						record.Former = strings.Split(former, ",")
					}
					c.Chains = append(c.Chains, record)
				}
				var notes []domain.NewID
				served, notes = domain.KeepIDs(served, c, nil)
				denied = nil
				for _, n := range notes {
					denied = append(denied, n.Chain)
				}
			}
			got := stableIDs(served)
			for slug, id := range tt.want {
				if got[slug] != id {
					t.Errorf("%s has the id %s, want %s", slug, got[slug], id)
				}
			}
			if !slices.Equal(denied, tt.denied) {
				t.Errorf("denied %q, want %q", denied, tt.denied)
			}
		})
	}
}
