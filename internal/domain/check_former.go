package domain

import (
	"fmt"
	"slices"

	"vitrine/internal/fold"
)

// former checks the keys that the records of a kind had: a former key leads to its
// record, so it is nobody's present one and that of no other record. keys gives the
// key by which the i-th record answers, what says what one is called.
func (ck *checker) former(d *Description, what string, keys func(i int) string, formers func(i int) []string) {
	n := d.size(ck.cat)
	if !slices.ContainsFunc(ascending(n), func(i int) bool { return len(formers(i)) > 0 }) {
		return
	}
	present := make(firsts, n)
	for i := range n {
		present.repeats(keys(i), i)
	}
	seen := make(firsts)
	for i := range n {
		for j, key := range formers(i) {
			at := Ref{Kind: d.Kind, Index: i}.in("former").at(j)
			if key == "" {
				ck.emptyEntry(at, "former")
				continue
			}
			if !validKey(key) {
				ck.report(at, RuleMalformedKey, fmt.Sprintf("former %s is not well-formed", quote(key)), keyRemedy(key))
				continue
			}
			if owner, taken := present[fold.Text(key)]; taken {
				ck.repeats(at, Ref{Kind: d.Kind, Index: owner}, RuleDuplicate,
					fmt.Sprintf("former %s is that of %s %s today", quote(key), what, quote(keys(owner))), "remove it here: what has a name today answers under it")
				continue
			}
			if first, repeated := seen.repeats(key, i); repeated {
				ck.repeats(at, Ref{Kind: d.Kind, Index: first}, RuleDuplicate,
					fmt.Sprintf("former %s is already that of %s %s", quote(key), what, quote(keys(first))), "keep it in one place")
			}
		}
	}
}

func ascending(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// formerKeys checks the former keys of all kinds.
func (ck *checker) formerKeys() {
	c := ck.cat
	ck.former(Describe(KindCategory), "category", func(i int) string { return c.Categories[i].Key }, func(i int) []string { return c.Categories[i].Former })
	ck.former(Describe(KindChain), "chain", func(i int) string { return c.Chains[i].Slug }, func(i int) []string { return c.Chains[i].Former })
	ck.former(Describe(KindApp), "app", func(i int) string { return c.Apps[i].Key }, func(i int) []string { return c.Apps[i].Former })
	ck.former(Describe(KindNavGroup), "nav group", func(i int) string { return c.NavGroups[i].Slug }, func(i int) []string { return c.NavGroups[i].Former })
	ck.former(Describe(KindMenu), "menu", func(i int) string { return c.Menus[i].PathSlug }, func(i int) []string { return c.Menus[i].Former })
}
