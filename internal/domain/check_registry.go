package domain

import (
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/locale"
)

// catalog checks the rules of the catalogue's own fields.
func (ck *checker) catalog(at Ref, _ *Catalog) {
	ck.catalogLocales(at)
	if !ck.stored { // rules for editors only: accepted rules may have been removed since
		ck.acceptances(at)
		ck.gate(at.in("gate"))
		ck.expectations(at)
		ck.pastIDs(at)
		ck.words(at.in("site", "words"))
	}
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
		return
	}
	if !ck.stored && strings.Contains(tag, "_") { // published locales stay valid
		ck.report(at, RuleMalformedLocale, fmt.Sprintf("locale %s has an underscore", quote(tag)), "write "+quote(foldLocale(tag)))
	}
}

// taken returns the message that an earlier record has a key, with that key if it is spelled
// differently.
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
	ck.reportFault(at, unknownValue(field, string(m), formScope.values))
	return false
}

// category checks the parent and the groups of a category.
func (ck *checker) category(at Ref, c *Category) {
	scopes := ck.scopes[at.Index]
	ck.parent(at, c, scopes)
	ck.moduleGroups(at, c, scopes)
}

// knownScopes returns the scopes of a category, nil if they are missing or one is unknown. Such faults
// are reported at the category.
func knownScopes(c Category) []Module {
	if slices.ContainsFunc(c.Scopes, func(m Module) bool { return !slices.Contains(Modules(), m) }) {
		return nil
	}
	return c.Scopes
}

// inScope reports whether a category has a scope, or has faulty scopes (see knownScopes).
func (ck *checker) inScope(category int, scope Module) bool {
	scopes := ck.scopes[category]
	return len(scopes) == 0 || slices.Contains(scopes, scope)
}

func (ck *checker) parent(at Ref, c *Category, scopes []Module) {
	if c.Parent == "" || ck.unread.Kinds[KindCategory] {
		return
	}
	at = at.in("parent")
	i, known := ck.categoryRef(at, "", "parent", c.Parent)
	if !known || len(scopes) == 0 || len(ck.scopes[i]) == 0 {
		return
	}
	isShared := func(m Module) bool { return slices.Contains(ck.scopes[i], m) }
	lacking := slices.DeleteFunc(Modules(), func(m Module) bool { return !slices.Contains(scopes, m) || isShared(m) })
	switch {
	case !slices.ContainsFunc(scopes, isShared):
		ck.report(at, RuleWrongScope, fmt.Sprintf("parent %s has none of the scopes of %s", quote(c.Parent), quote(c.Key)),
			"choose another parent, or give the two a scope in common")
	case len(lacking) > 0:
		ck.report(at, RuleParentScope, fmt.Sprintf("parent %s lacks the scope %s", quote(c.Parent), joinList(lacking)),
			fmt.Sprintf("add it to the scopes of %s, or leave it: lists of that scope show %s without its parent", quote(c.Parent), quote(c.Key)))
	}
}

// moduleGroups checks that a category has dimension groups in each of its
// scopes, and in no other module.
func (ck *checker) moduleGroups(at Ref, c *Category, scopes []Module) {
	at = at.in("groups")
	seen := make(firsts)
	var named []Module
	for i, g := range c.Groups {
		here := at.in(string(g.Module))
		if _, repeated := seen.repeatsExactly(string(g.Module), i); repeated {
			ck.report(here, RuleDuplicate, fmt.Sprintf("groups has module %s twice", quote(string(g.Module))), "make one list of the two")
		}
		if !ck.module(here, "module", g.Module) {
			continue
		}
		if len(g.Keys) > 0 {
			named = append(named, g.Module)
		}
		if len(scopes) > 0 && !slices.Contains(scopes, g.Module) {
			ck.report(here, RuleWrongScope, fmt.Sprintf("category %s has groups for module %s, which is not among its scopes", quote(c.Key), g.Module),
				fmt.Sprintf("add %s to scopes, or remove these groups", g.Module))
		}
		if !ck.unread.Kinds[KindCategory] {
			ck.entries(here, "groups", "group", g.Keys, true, func(i int, key string) { ck.groupRef(here.at(i), g.Module, key) })
		}
	}
	for _, m := range Modules() {
		if slices.Contains(c.Scopes, m) && !slices.Contains(named, m) {
			ck.report(at.in(string(m)), RuleMissingGroup, fmt.Sprintf("category %s has no dimension group for its scope %s", quote(c.Key), m),
				ck.missingGroupRemedy(m))
		}
	}
}

func (ck *checker) missingGroupRemedy(m Module) string {
	if keys := ck.groups[m].keys; len(keys) > 0 {
		return fmt.Sprintf("name one under groups, as %s: [%s], or remove the scope", m, keys[0])
	}
	return fmt.Sprintf("add a group of module %s to %s and name it here under %s, or remove the scope", m, ck.files.Categories, m)
}

// groupRef checks that a dimension group of a module exists.
func (ck *checker) groupRef(at Ref, m Module, key string) {
	if _, ok := ck.groups[m].lookup(key); ok {
		return
	}
	for _, other := range Modules() {
		if _, ok := ck.groups[other].lookup(key); ok {
			ck.report(at, RuleWrongScope, fmt.Sprintf("group %s is one of module %s, not of %s", quote(key), other, m),
				fmt.Sprintf("name a group of module %s, or add one with key %s and module %s in %s", m, quote(key), m, ck.files.Categories))
			return
		}
	}
	ck.report(at, RuleUnknownGroup, fmt.Sprintf("group %s of module %s does not exist", quote(key), m),
		ck.groups[m].remedy(key, "group of module "+string(m), "key", " under groups in "+ck.files.Categories))
}

// categoryRef checks that a category exists and, unless scope is "", has the scope. what is the
// name of the key in messages.
func (ck *checker) categoryRef(at Ref, scope Module, what, key string) (index int, known bool) {
	index, known = ck.categories.lookup(key)
	switch {
	case !known:
		kind := "category"
		if scope != "" {
			kind += " of scope " + string(scope)
		}
		ck.unknownKey(at, Describe(KindCategory), what, key, kind, " in "+ck.files.Categories)
		return 0, false
	case scope != "" && !ck.inScope(index, scope):
		ck.report(at, RuleWrongScope, fmt.Sprintf("category %s does not have the scope %s", quote(key), scope),
			fmt.Sprintf("add %s to the scopes of %s in %s, or choose another category", scope, quote(key), ck.files.Categories))
	}
	ck.usedCategories[index] = true
	return index, true
}
