package domain

import (
	"fmt"
	"slices"
)

// references finds the records of a kind by their keys, former ones included.
type references struct {
	index   *index
	renamed map[string]string // from former keys to present ones
}

// references returns those of a kind. They are made when they are first needed,
// because most long lists refer to nothing.
func (ck *checker) references(kind Kind) *references {
	if r := ck.byKind[kind]; r != nil {
		return r
	}
	r := &references{index: newIndex(), renamed: map[string]string{}}
	d := Describe(kind)
	former := d.Shape.Field(formerField)
	for i, record := range d.records(ck.cat) {
		key := d.key(record)
		r.index.add(key, i)
		for _, old := range former.lines(record) {
			r.renamed[old] = key
		}
	}
	ck.byKind[kind] = r
	return r
}

// chainRefs checks a field that names chains.
func (ck *checker) chainRefs(at Ref, f *Field, record any) {
	if f.IsLine() {
		if slug := *f.line(record); slug != "" {
			ck.chainRef(at.in(f.Name), f.Name, slug)
		}
		return
	}
	at = at.in(f.Name)
	ck.entries(at.at, f.Name, "chain", f.lines(record), func(i int, slug string) { ck.chainRef(at.at(i), "chain", slug) })
}

// entries reports the entries of a list that are empty or stand there already,
// and has check look at all others. At returns the place of an entry, what is what an
// entry names.
func (ck *checker) entries(at func(i int) Ref, field, what string, list []string, check func(i int, entry string)) {
	seen := firstsFor(list)
	for i, entry := range list {
		first, repeated := seen(entry, i)
		switch {
		case entry == "":
			ck.emptyEntry(at(i), field)
		case repeated:
			ck.repeats(at(i), at(first), RuleDuplicate, fmt.Sprintf("%s %s is listed twice", what, quote(entry)), "remove one of them")
		default:
			check(i, entry)
		}
	}
}

// firstsFor returns firsts.repeatsExactly for the entries of a list. Most lists are
// short, and comparing their entries costs less than a map.
func firstsFor(list []string) func(entry string, i int) (first int, repeated bool) {
	const short = 16
	if len(list) > short {
		return make(firsts, len(list)).repeatsExactly
	}
	return func(entry string, i int) (first int, repeated bool) {
		first = slices.Index(list[:i], entry)
		return max(first, 0), first >= 0 && entry != ""
	}
}

func (ck *checker) chainRef(at Ref, what, slug string) {
	if ck.unread.Chains {
		return
	}
	if fault, remedy := ck.references(KindChain).fault(slug, "chain", "slug"); fault != "" {
		ck.report(at, RuleUnknownChain, fmt.Sprintf("%s %s %s", what, quote(slug), fault), remedy)
	}
}

// fault says what is wrong with a reference and what to do about it. Both are "" for
// one that is fine.
func (r *references) fault(key, what, keyName string) (fault, remedy string) {
	if _, ok := r.index.lookup(key); ok {
		return "", ""
	}
	if now, ok := r.renamed[key]; ok {
		return "is called otherwise now", fmt.Sprintf("write %s", now)
	}
	if near := r.index.suggest(key); near != "" {
		return "does not exist", fmt.Sprintf("did you mean %q? If not, add %s with that %s", near, article(what), keyName)
	}
	return "does not exist", fmt.Sprintf("add %s with that %s, or remove it here", article(what), keyName)
}

// cyclesOf reports each cycle of references from record to record of a kind, by a field that
// names one record, once: at the first record of the cycle.
func (ck *checker) cyclesOf(kind Kind, field string) {
	d := Describe(kind)
	target := d.Shape.Field(field).line
	all := d.records(ck.cat)
	if !slices.ContainsFunc(all, func(record any) bool { return *target(record) != "" }) {
		return
	}
	known := ck.references(kind).index
	for _, cycle := range cycles(len(all), func(i int) (int, bool) { return known.lookup(*target(all[i])) }) {
		first := cycle[0]
		ck.report(Ref{Kind: kind, Index: first}.in(field), RuleParentCycle,
			fmt.Sprintf("%s of %s leads back to it", field, quote(d.key(all[first]))), "remove one of these "+field+"s")
	}
}

// cycles returns the cycles of a graph of n nodes, each of which has at most one
// edge: next returns where it leads. A cycle begins with its smallest node.
func cycles(n int, next func(i int) (int, bool)) [][]int {
	var found [][]int
	const unseen = 0
	walk := make([]int, n) // of each node, the number of the walk that first came by
	for start := range n {
		i, ok := start, true
		for ok && walk[i] == unseen {
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
		first := slices.Index(cycle, slices.Min(cycle))
		found = append(found, slices.Concat(cycle[first:], cycle[:first]))
	}
	return found
}

// apps checks the list of apps.
func (ck *checker) apps() {
	keys := make(firsts, len(ck.cat.Apps))
	for i := range ck.cat.Apps {
		a := &ck.cat.Apps[i]
		at := Ref{Kind: KindApp, Index: i}
		ck.fields(at, appShape, a)
		ck.status(at, appShape, a)
		ck.uniqueKey(at, keys, "key", "give one of them another key, or remove it")
	}
	if !ck.unread.Apps {
		ck.cyclesOf(KindApp, "successor")
	}
	ck.usedApps = make([]bool, len(ck.cat.Apps))
}

// card checks a card, whose app must be there.
func (ck *checker) card(at Ref, c *Card) {
	ck.fields(at, cardShape, c)
	if c.App == "" || ck.unread.Apps {
		return
	}
	apps := ck.references(KindApp)
	if i, ok := apps.index.lookup(c.App); ok {
		ck.usedApps[i] = true
		return
	}
	ck.unknownApp(at.in("app"), "app", c.App)
}

// appRef checks a field that names an app, if any.
func (ck *checker) appRef(at Ref, f *Field, record any) {
	if key := *f.line(record); key != "" && !ck.unread.Apps {
		ck.unknownApp(at.in(f.Name), f.Name, key)
	}
}

// unknownApp reports a key that no app has. What is what names the app.
func (ck *checker) unknownApp(at Ref, what, key string) {
	if fault, remedy := ck.references(KindApp).fault(key, "app", "key"); fault != "" {
		ck.report(at, RuleUnknownApp, fmt.Sprintf("%s %s %s", what, quote(key), fault), remedy)
	}
}

// unusedApps reports the apps that no card names.
func (ck *checker) unusedApps() {
	for i, used := range ck.usedApps {
		if !used {
			ck.report(Ref{Kind: KindApp, Index: i}.in("key"), RuleUnusedApp, fmt.Sprintf("no card names app %s, so no menu shows it", quote(ck.cat.Apps[i].Key)),
				"name it in a card of a menu, or remove it")
		}
	}
}
