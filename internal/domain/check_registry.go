package domain

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"vitrine/internal/locale"
)

// catalog checks the catalogue's own fields.
func (ck *checker) catalog() {
	if ck.unread.Catalog {
		return
	}
	at := Ref{Kind: KindCatalog}
	ck.fields(at, catalogShape, ck.cat)
	ck.catalogLocales(at)
	ck.linkSchemes(at)
	ck.demoted(at)
	ck.roles(at.in("roles"))
	if ck.cat.MaxAge != nil {
		ck.ages(at)
	}
	if !ck.stored { // they are about writing, and rules may be gone that were accepted once
		ck.acceptances(at)
		ck.pastIDs(at)
	}
}

// demoted checks the categories that a search puts last.
func (ck *checker) demoted(at Ref) {
	if ck.cat.Search == nil || ck.unread.Categories {
		return
	}
	at = at.in("search", "demote")
	ck.entries(at.at, "demote", "category", ck.cat.Search.Demote, func(i int, key string) {
		if _, unknown := ck.category("category", key, "category"); unknown != nil {
			ck.reportFault(at.at(i), unknown)
		}
	})
}

// roles checks the categories and groups that have a role: they exist, and are of chains.
func (ck *checker) roles(at Ref) {
	if ck.cat.Roles == nil || ck.unread.Categories {
		return
	}
	evm, summary := at.in("evm"), at.in("summary")
	ck.entries(evm.at, "evm", "category", ck.cat.Roles.EVM, func(n int, key string) {
		i, unknown := ck.category("category", key, "category of scope chain")
		switch {
		case unknown != nil:
			ck.reportFault(evm.at(n), unknown)
		case !ck.inScope(i, ModuleChain):
			ck.report(evm.at(n), RuleWrongScope, fmt.Sprintf("category %s of the role evm does not have the scope chain", quote(key)),
				"name a category of chains, or remove it here")
		}
	})
	ck.entries(summary.at, "summary", "group", ck.cat.Roles.Summary, func(i int, key string) {
		if _, ok := ck.groupIndex[ModuleChain].lookup(key); !ok {
			ck.unknownGroup(summary.at(i), ModuleChain, key)
		}
	})
}

// category returns the place of the category with a key, which is used then, or says that
// there is none. Field is what names it, what is what the remedy calls it.
func (ck *checker) category(field, key, what string) (i int, unknown *fault) {
	if i, found := ck.categoryIndex.lookup(key); found {
		ck.used[i] = true
		return i, nil
	}
	if now, ok := ck.references(KindCategory).renamed[key]; ok {
		return 0, &fault{RuleUnknownCategory, fmt.Sprintf("%s %s is called otherwise now", field, quote(key)), "write " + now}
	}
	return 0, &fault{RuleUnknownCategory, fmt.Sprintf("%s %s does not exist", field, quote(key)),
		ck.unknownRemedy(ck.categoryIndex, key, what, "in "+ck.files.Categories)}
}

func (ck *checker) catalogLocales(at Ref) {
	before := ck.reports
	if len(ck.cat.Locales) > maxLocales {
		ck.report(at.in("locales"), RuleTooLong,
			fmt.Sprintf("locales has %d entries, the limit is %d", len(ck.cat.Locales), maxLocales), "declare fewer locales")
		return
	}
	seen := make(firsts)
	for i, l := range ck.cat.Locales {
		ck.catalogLocale(at.in("locales").at(i), l, seen, i)
	}
	if ck.reports > before || ck.cat.DefaultLocale == "" || len(ck.cat.Locales) == 0 {
		return
	}
	if !slices.Contains(ck.cat.Locales, ck.cat.DefaultLocale) {
		remedy := fmt.Sprintf("add %s to locales", quote(ck.cat.DefaultLocale))
		if near := ck.nearLocale(ck.cat.DefaultLocale); near != "" {
			remedy = fmt.Sprintf("did you mean %s? If not, %s", quote(near), remedy)
		}
		ck.report(at.in("default_locale"), RuleUndeclaredLocale,
			fmt.Sprintf("default_locale %s is not among locales", quote(ck.cat.DefaultLocale)), remedy)
		return
	}
	ck.wanted = slices.DeleteFunc(slices.Clone(ck.cat.Locales), func(l string) bool { return l == ck.cat.DefaultLocale })
}

func (ck *checker) catalogLocale(at Ref, tag string, seen firsts, i int) {
	if tag == "" {
		ck.emptyEntry(at, "locales")
		return
	}
	if err := locale.Valid(tag); err != nil {
		ck.report(at, RuleMalformedLocale, fmt.Sprintf("locale %s is not well-formed", quote(tag)),
			"write a BCP 47 tag, as en, pt-br or zh-hans")
		return
	}
	if first, repeated := seen.repeatsExactly(foldLocale(tag), i); repeated {
		ck.repeats(at, Ref{Kind: KindCatalog}.in("locales").at(first), RuleDuplicate,
			fmt.Sprintf("locale %s is declared already, as %s", quote(tag), quote(ck.cat.Locales[first])), "remove one of them")
	}
}

// groups checks the dimension groups.
func (ck *checker) groups() {
	seen := make(map[Module]firsts)
	for i, g := range ck.cat.Groups {
		at := Ref{Kind: KindGroup, Index: i}
		ck.fields(at, groupShape, &g)
		if seen[g.Module] == nil {
			seen[g.Module] = make(firsts)
		}
		if first, repeated := seen[g.Module].repeats(g.Key, i); repeated {
			ck.repeats(at.in("key"), Ref{Kind: KindGroup, Index: first}, RuleDuplicate,
				fmt.Sprintf("%s of module %s", taken("key", g.Key, "group", ck.cat.Groups[first].Key), quote(string(g.Module))),
				"give one of them another key, or remove it")
		}
	}
}

// uniqueKey reports the key of the record at a place if an earlier record of its
// kind has it, and whether one has. Field is what the key is called.
func (ck *checker) uniqueKey(at Ref, seen firsts, field, remedy string) (repeated bool) {
	key := ck.keyOf(at)
	index, repeated := seen.repeats(key, at.Index)
	if repeated {
		first := Ref{Kind: at.Kind, Index: index}
		ck.repeats(at.in(field), first, RuleDuplicate, taken(field, key, Describe(at.Kind).name(), ck.keyOf(first)), remedy)
	}
	return repeated
}

// taken says that a key is that of a record before, which is named where its
// key is spelled in another way.
func taken(field, key, what, first string) string {
	if key == first {
		return fmt.Sprintf("%s %s is already that of another %s", field, quote(key), what)
	}
	return fmt.Sprintf("%s %s is already that of %s %s", field, quote(key), what, quote(first))
}

func (ck *checker) module(at Ref, field string, m Module) bool {
	if m == "" {
		ck.missing(at, field)
		return false
	}
	if slices.Contains(Modules(), m) {
		return true
	}
	ck.unknownValue(at, field, string(m), convert[string](Modules()))
	return false
}

func (ck *checker) unknownValue(at Ref, field, value string, allowed []string) {
	remedy := "write one of " + strings.Join(allowed, ", ")
	if near := nearest(value, allowed); near != "" {
		remedy = fmt.Sprintf("write %s; allowed are %s", near, strings.Join(allowed, ", "))
	}
	ck.report(at, RuleUnknownValue, fmt.Sprintf("%s %s is not known", field, quote(value)), remedy)
}

func (ck *checker) number(at Ref, f *Field, v float64) {
	switch fault := valueFault(v, f.Count); {
	case math.IsNaN(v) || math.IsInf(v, 0):
		ck.report(at.in(f.Name), RuleMalformedFigure, f.Name+" is not a finite number", "write a number, as 10")
	case f.Max > 0 && v > f.Max && !ck.stored:
		ck.report(at.in(f.Name), RuleMalformedFigure, fmt.Sprintf("%s %s is too large", f.Name, formatNumber(v)), "write at most "+formatNumber(f.Max))
	case f.Count && fault != "":
		ck.report(at.in(f.Name), RuleMalformedFigure, fmt.Sprintf("%s %s %s", f.Name, formatNumber(v), fault), "write a whole number, as 18")
	}
}

// categories checks the category registry.
func (ck *checker) categories() {
	seen := make(firsts)
	for i, c := range ck.cat.Categories {
		at := Ref{Kind: KindCategory, Index: i}
		ck.fields(at, categoryShape, &c)
		ck.uniqueKey(at, seen, "key", "give one of them another key, or remove it")
		ck.parent(at, c, ck.scopeSets[i])
		ck.scopes(at, c)
		ck.moduleGroups(at, c, ck.scopeSets[i])
	}
	ck.parentCycles()
}

func (ck *checker) scopes(at Ref, c Category) {
	at = at.in("scopes")
	ck.entries(at.at, "scopes", "scope", convert[string](c.Scopes), func(i int, s string) { ck.module(at.at(i), "scope", Module(s)) })
}

// moduleSet is a set of modules: bit i is Modules()[i].
type moduleSet uint8

func (s moduleSet) has(m Module) bool { return s&moduleBit(m) != 0 }

// moduleBit returns the set of m alone, 0 if it is not one of Modules.
func moduleBit(m Module) moduleSet {
	if i := slices.Index(Modules(), m); i >= 0 {
		return 1 << i
	}
	return 0
}

// scopeSet returns the scopes of a category, 0 if they cannot be held against
// others because one of them is not known or none is there; that is reported
// where they stand.
func scopeSet(c Category) moduleSet {
	var set moduleSet
	for _, s := range c.Scopes {
		bit := moduleBit(s)
		if bit == 0 {
			return 0
		}
		set |= bit
	}
	return set
}

// inScope reports whether a category has a scope, or has scopes that cannot be held against
// others (see scopeSet).
func (ck *checker) inScope(category int, scope Module) bool {
	scopes := ck.scopeSets[category]
	return scopes == 0 || scopes.has(scope)
}

func (ck *checker) parent(at Ref, c Category, scopes moduleSet) {
	if c.Parent == "" || ck.unread.Categories {
		return
	}
	at = at.in("parent")
	i, unknown := ck.category("parent", c.Parent, "category")
	if unknown != nil {
		ck.reportFault(at, unknown)
		return
	}
	parents := ck.scopeSets[i]
	if scopes == 0 || parents == 0 {
		return
	}
	switch lacking := scopes &^ parents; {
	case lacking == scopes:
		ck.report(at, RuleWrongScope, fmt.Sprintf("parent %s has none of the scopes of %s", quote(c.Parent), quote(c.Key)),
			"choose another parent, or give the two a scope in common")
	case lacking != 0:
		names := slices.DeleteFunc(Modules(), func(m Module) bool { return !lacking.has(m) })
		ck.report(at, RuleParentScope, fmt.Sprintf("parent %s lacks the scope %s", quote(c.Parent), joinList(names)),
			fmt.Sprintf("add it to the scopes of %s, or leave it: lists of that scope show %s without its parent", quote(c.Parent), quote(c.Key)))
	}
}

func (ck *checker) unknownRemedy(x *index, key, what, where string) string {
	near := x.suggest(key)
	switch {
	case near != "" && !validKey(key):
		return fmt.Sprintf("write %q", near)
	case near != "":
		return fmt.Sprintf("did you mean %q? If not, add a %s with that key %s", near, what, where)
	case validKey(key):
		return fmt.Sprintf("add a %s with key %s %s, or remove it here", what, key, where)
	}
	return fmt.Sprintf("write the key of a %s %s", what, where)
}

// moduleGroups checks that a category has dimension groups in each of its
// scopes, and in no other module.
func (ck *checker) moduleGroups(at Ref, c Category, scopes moduleSet) {
	at = at.in("groups")
	seen := make(firsts)
	var named moduleSet
	for i, g := range c.Groups {
		here := at.in(string(g.Module))
		if _, repeated := seen.repeatsExactly(string(g.Module), i); repeated {
			ck.report(here, RuleDuplicate, fmt.Sprintf("groups has module %s twice", quote(string(g.Module))), "make one list of the two")
		}
		if !ck.module(here, "module", g.Module) {
			continue
		}
		if len(g.Keys) > 0 {
			named |= moduleBit(g.Module)
		}
		if scopes != 0 && !scopes.has(g.Module) {
			ck.report(here, RuleWrongScope, fmt.Sprintf("category %s has groups for module %s, which is not among its scopes", quote(c.Key), g.Module),
				fmt.Sprintf("add %s to scopes, or remove these groups", g.Module))
		}
		ck.groupRefs(here, g)
	}
	for _, m := range Modules() {
		if slices.Contains(c.Scopes, m) && !named.has(m) {
			ck.report(at.in(string(m)), RuleMissingGroup, fmt.Sprintf("category %s has no dimension group for its scope %s", quote(c.Key), m),
				ck.missingGroupRemedy(m))
		}
	}
}

func (ck *checker) missingGroupRemedy(m Module) string {
	if keys := ck.groupIndex[m].keys; len(keys) > 0 {
		return fmt.Sprintf("name one under groups, as %s: [%s], or remove the scope", m, keys[0])
	}
	return fmt.Sprintf("add a group of module %s to %s and name it here under %s, or remove the scope", m, ck.files.Categories, m)
}

func (ck *checker) groupRefs(at Ref, g ModuleGroups) {
	if ck.unread.Categories {
		return
	}
	ck.entries(at.at, "groups", "group", g.Keys, func(i int, key string) {
		if _, ok := ck.groupIndex[g.Module].lookup(key); !ok {
			ck.unknownGroup(at.at(i), g.Module, key)
		}
	})
}

func (ck *checker) unknownGroup(at Ref, m Module, key string) {
	for _, other := range Modules() {
		if _, ok := ck.groupIndex[other].lookup(key); ok {
			ck.report(at, RuleWrongScope, fmt.Sprintf("group %s is one of module %s, not of %s", quote(key), other, m),
				fmt.Sprintf("name a group of module %s, or add one with key %s and module %s in %s", m, quote(key), m, ck.files.Categories))
			return
		}
	}
	ck.report(at, RuleUnknownGroup, fmt.Sprintf("group %s of module %s does not exist", quote(key), m),
		ck.unknownRemedy(ck.groupIndex[m], key, fmt.Sprintf("group of module %s", m), "under groups in "+ck.files.Categories))
}

// parentCycles reports every cycle of parents once, at its first category.
func (ck *checker) parentCycles() {
	if ck.unread.Categories {
		return
	}
	parent := func(i int) (int, bool) { return ck.categoryIndex.lookup(ck.cat.Categories[i].Parent) }
	for _, cycle := range cycles(len(ck.cat.Categories), parent) {
		ck.parentCycle(append(cycle, cycle[0]))
	}
}

// parentCycle reports a cycle of categories, which ends with the one that it
// begins with.
func (ck *checker) parentCycle(cycle []int) {
	var keys []string
	for n, j := range cycle {
		if n == 10 && len(cycle) > 12 {
			keys = append(keys, "…")
			break
		}
		keys = append(keys, quote(ck.cat.Categories[j].Key))
	}
	ck.report(Ref{Kind: KindCategory, Index: cycle[0]}.in("parent"), RuleParentCycle,
		"the parents form a cycle: "+strings.Join(keys, " → "), "remove one of these parents")
}

// categoryRefs checks that a record's categories exist and have its scope.
func (ck *checker) categoryRefs(at Ref, slugs []string, scope Module) {
	if ck.unread.Categories {
		return
	}
	here := func(n int) Ref { return at.in("categories").at(n) }
	what := "category of scope " + string(scope)
	ck.entries(here, "categories", "category", slugs, func(n int, slug string) {
		i, unknown := ck.category("category", slug, what)
		switch {
		case unknown != nil:
			ck.reportFault(here(n), unknown)
		case !ck.inScope(i, scope):
			ck.report(here(n), RuleWrongScope, fmt.Sprintf("category %s does not have the scope %s", quote(slug), scope),
				fmt.Sprintf("add %s to the scopes of %s in %s, or choose another category", scope, quote(slug), ck.files.Categories))
		}
	})
}
