package domain_test

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
)

// TestCheckIsTotal checks that Check accepts any catalogue, modifies nothing, is deterministic,
// and returns complete, printable and sorted problems.
func TestCheckIsTotal(t *testing.T) {
	kinds := domain.Kinds()
	rapid.Check(t, func(t *rapid.T) {
		c := detailed()
		for range rapid.IntRange(0, 8).Draw(t, "mutations") {
			mutate(t, c)
		}
		unread := domain.Unread{Kinds: rapid.MapOf(rapid.SampledFrom(kinds), rapid.Just(true)).Draw(t, "unread")}
		before := deepCopy(c)
		problems := domain.Check(c, domain.Reading{Unread: unread}).Problems
		if !reflect.DeepEqual(before, deepCopy(c)) {
			t.Fatalf("Check changed the catalogue (-before +after):\n%s", gocmp.Diff(before, c))
		}
		if again := domain.Check(before, domain.Reading{Unread: unread}).Problems; !reflect.DeepEqual(problems, again) {
			t.Fatalf("Check returns %q, then %q", lines(problems), lines(again))
		}
		if !slices.IsSortedFunc(problems, func(a, b domain.Problem) int {
			return cmp.Or(cmp.Compare(slices.Index(kinds, a.At.Kind), slices.Index(kinds, b.At.Kind)), cmp.Compare(a.At.Index, b.At.Index))
		}) {
			t.Fatalf("out of order: %q", lines(problems))
		}
		for _, p := range problems {
			if !slices.Contains(domain.Rules(), p.Rule) || !fit(p.Message) || !fit(p.Remedy) {
				t.Fatalf("not fit for people: %+v", p)
			}
		}
	})
}

// fit reports whether a message is printable on one line of a terminal.
func fit(s string) bool {
	return s != "" && len(s) < 2000 && !strings.HasSuffix(s, ".") &&
		!strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar })
}

// TestCheckedCatalogCompiles checks that a valid catalogue compiles: locales form a set, numbers
// are valid JSON, ids are unique.
func TestCheckedCatalogCompiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := detailed()
		for range rapid.IntRange(0, 4).Draw(t, "mutations") {
			mutate(t, c)
		}
		for _, p := range domain.Check(c, domain.Reading{}).Problems {
			if p.Rule.Severity() == domain.Error {
				return
			}
		}
		if _, err := locale.NewSet(c.DefaultLocale, c.Locales); err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(c); err != nil {
			t.Fatal(err)
		}
		seen := make(map[string]bool)
		for _, id := range allIDs(c) {
			if seen[id] {
				t.Fatalf("%s is there twice", id)
			}
			seen[id] = true
		}
	})
}

// allIDs returns the ids of chains, and of groups, items and cards of every menu, each with its
// scope.
func allIDs(c *domain.Catalog) []string {
	var ids []string
	for _, chain := range c.Chains {
		ids = append(ids, "chain "+chain.StableID())
	}
	for _, m := range c.Menus {
		m = m.WithIDs()
		items := slices.Clone(m.Standalone)
		for _, g := range m.Groups {
			ids = append(ids, m.PathSlug+" group "+g.ID)
			items = append(items, g.Items...)
		}
		for _, it := range items {
			ids = append(ids, m.PathSlug+" item "+it.ID)
			for _, card := range it.Cards {
				ids = append(ids, m.PathSlug+" card "+card.ID)
			}
		}
	}
	return ids
}
