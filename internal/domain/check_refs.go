package domain

import (
	"fmt"
	"slices"
)

// references is what refers to chains and apps is looked up in. It is made when it
// is first needed: most long lists refer to nothing.
type references struct {
	index   *index
	renamed map[string]string // from former keys to present ones
}

func newReferences(n int, key func(i int) string, former func(i int) []string) *references {
	r := &references{index: newIndex(), renamed: map[string]string{}}
	for i := range n {
		r.index.add(key(i), i)
		for _, old := range former(i) {
			r.renamed[old] = key(i)
		}
	}
	return r
}

func (ck *checker) chainIndex() *references {
	if ck.chainKeys == nil {
		all := ck.cat.Chains
		ck.chainKeys = newReferences(len(all), func(i int) string { return all[i].Slug }, func(i int) []string { return all[i].Former })
	}
	return ck.chainKeys
}

func (ck *checker) appIndex() *references {
	if ck.appKeys == nil {
		all := ck.cat.Apps
		ck.appKeys = newReferences(len(all), func(i int) string { return all[i].Key }, func(i int) []string { return all[i].Former })
	}
	return ck.appKeys
}

// chainRefs checks a field that names chains.
func (ck *checker) chainRefs(at Ref, f *Field, record any) {
	at = at.in(f.Name)
	if f.IsLine() {
		if slug := *f.line(record); slug != "" {
			ck.chainRef(at, f.Name, slug)
		}
		return
	}
	seen := make(firsts)
	for i, slug := range f.lines(record) {
		first, repeated := seen.repeatsExactly(slug, i)
		switch {
		case slug == "":
			ck.emptyEntry(at.at(i), f.Name)
		case repeated:
			ck.repeats(at.at(i), at.at(first), RuleDuplicate, fmt.Sprintf("chain %s is listed twice", quote(slug)), "remove one of them")
		default:
			ck.chainRef(at.at(i), "chain", slug)
		}
	}
}

func (ck *checker) chainRef(at Ref, what, slug string) {
	if ck.unread.Chains {
		return
	}
	if fault, remedy := ck.chainIndex().fault(slug, "chain", "slug"); fault != "" {
		ck.report(at, RuleUnknownChain, fmt.Sprintf("%s %s %s", what, quote(slug), fault), remedy)
	}
}

// fault says what is wrong with a reference and what to do about it, nothing when
// it is fine.
func (r *references) fault(key, what, keyName string) (fault, remedy string) {
	if _, ok := r.index.lookup(key); ok {
		return "", ""
	}
	if now, ok := r.renamed[key]; ok {
		return "is called otherwise now", fmt.Sprintf("write %s", now)
	}
	if near := r.index.suggest(key); near != "" {
		return "does not exist", fmt.Sprintf("did you mean %q? If not, add a %s with that %s", near, what, keyName)
	}
	return "does not exist", fmt.Sprintf("add a %s with that %s, or remove it here", what, keyName)
}

// chainParents reports chains that are their own parents or successors, by however
// many others.
func (ck *checker) chainParents() {
	ck.chainCycles("parent", func(c *Chain) string { return c.Parent })
	ck.chainCycles("successor", func(c *Chain) string { return c.Successor })
}

// chainCycles reports each cycle of references from chain to chain once, at its
// first chain.
func (ck *checker) chainCycles(field string, of func(*Chain) string) {
	all := ck.cat.Chains
	if ck.unread.Chains || !slices.ContainsFunc(all, func(c Chain) bool { return of(&c) != "" }) {
		return
	}
	next := func(i int) (int, bool) {
		to := of(&all[i])
		if to == "" {
			return 0, false
		}
		return ck.chainIndex().index.lookup(to)
	}
	walk := make([]int, len(all)) // the walk that first came by, plus one
	for start := range all {
		i, ok := start, true
		for ok && walk[i] == 0 {
			walk[i] = start + 1
			i, ok = next(i)
		}
		if !ok || walk[i] != start+1 {
			continue
		}
		cycle := []int{i}
		for j, _ := next(i); j != i; j, _ = next(j) {
			cycle = append(cycle, j)
		}
		first := slices.Min(cycle)
		ck.report(Ref{Kind: KindChain, Index: first}.in(field), RuleParentCycle,
			fmt.Sprintf("%s of %s leads back to it", field, quote(all[first].Slug)), "remove one of these "+field+"s")
	}
}

// apps checks the list of apps.
func (ck *checker) apps() {
	keys := make(firsts, len(ck.cat.Apps))
	for i := range ck.cat.Apps {
		a := &ck.cat.Apps[i]
		at := Ref{Kind: KindApp, Index: i}
		ck.key(at, "key", a.Key)
		if first, repeated := keys.repeats(a.Key, i); repeated {
			ck.repeats(at.in("key"), Ref{Kind: KindApp, Index: first}, RuleDuplicate,
				taken("key", a.Key, "app", ck.cat.Apps[first].Key), "give one of them another key, or remove it")
		}
		ck.fields(at, appShape, a)
	}
	ck.usedApps = make([]bool, len(ck.cat.Apps))
}

// card checks a card, whose app must be there.
func (ck *checker) card(at Ref, c *Card) {
	ck.fields(at, cardShape, c)
	if c.App == "" || ck.unread.Apps {
		return
	}
	if i, ok := ck.appIndex().index.lookup(c.App); ok {
		ck.usedApps[i] = true
		return
	}
	fault, remedy := ck.appIndex().fault(c.App, "app", "key")
	ck.report(at.in("app"), RuleUnknownApp, fmt.Sprintf("app %s %s", quote(c.App), fault), remedy)
}

// unusedApps reports the apps that no card names.
func (ck *checker) unusedApps() {
	for i, used := range ck.usedApps {
		if !used {
			ck.report(Ref{Kind: KindApp, Index: i}.in("key"), RuleUnusedApp, fmt.Sprintf("no card names app %s, so nobody sees it", quote(ck.cat.Apps[i].Key)),
				"name it in a card of a menu, or remove it")
		}
	}
}
