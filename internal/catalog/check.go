package catalog

import (
	"cmp"
	"slices"
	"strconv"
)

// Unread says what of a catalogue could not be read, so that nothing that
// follows from it is reported (contract, "`check`"): a reference into what is
// unread may well be right.
type Unread struct {
	Catalog    bool            // default locale, locales and link schemes are not known
	Categories bool            // neither are categories and dimension groups
	Nav        bool            // nor which menus are listed
	Menus      map[string]bool // path slugs of menus that exist and could not be read
}

// Check returns all problems of a catalogue: in the order of its kinds, of its
// records, and of the fields of a record. It is pure and total: it takes what
// a damaged store returns as well as what editors write. A nil catalogue is an
// empty one, and c is not changed. A catalogue without a problem of severity
// Error can be compiled and served.
func Check(c *Catalog, unread Unread) []Problem {
	return newChecker(orEmpty(c), unread).run()
}

func (ck *checker) run() []Problem {
	ck.catalog()
	ck.groups()
	ck.categories()
	ck.chains()
	ck.accounts()
	ck.channels()
	ck.navGroups()
	ck.menus()
	ck.translationGaps()
	slices.SortStableFunc(ck.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.At.Kind.rank(), b.At.Kind.rank()), cmp.Compare(a.At.Index, b.At.Index))
	})
	return ck.problems
}

// rank is the place of the kind among the fields of Catalog.
func (k Kind) rank() int {
	switch k {
	case KindCatalog:
		return 0
	case KindGroup:
		return 1
	case KindCategory:
		return 2
	case KindChain:
		return 3
	case KindAccount:
		return 4
	case KindChannel:
		return 5
	case KindNavGroup:
		return 6
	}
	return 7
}

// checker is one run of Check: the catalogue, what references are looked up
// in, and what was found so far.
type checker struct {
	cat      *Catalog
	unread   Unread
	known    known
	problems []Problem

	locales       map[string]bool   // that texts may have; nil when not known
	wanted        []string          // that texts should have beside the default; nil when not known
	nearLocales   map[string]string // what undeclared locales were meant to be
	schemes       map[string]bool   // that links may have beside http(s)
	scopeSets     []moduleSet       // of each category
	categoryIndex *index
	groupIndex    map[Module]*index
	menuIndex     *index
	gaps          gaps
}

func newChecker(c *Catalog, unread Unread) *checker {
	ck := &checker{
		cat:           c,
		unread:        unread,
		nearLocales:   make(map[string]string),
		schemes:       make(map[string]bool),
		categoryIndex: newIndex(),
		groupIndex:    make(map[Module]*index),
		menuIndex:     newIndex(),
		gaps:          gaps{of: make(map[gapField]*gap)},
	}
	if !unread.Catalog && c.DefaultLocale != "" && len(c.Locales) > 0 {
		ck.locales = map[string]bool{c.DefaultLocale: true}
		for _, l := range c.Locales {
			ck.locales[l] = true
		}
	}
	for _, s := range c.LinkSchemes {
		ck.schemes[s] = true
	}
	for i, cat := range c.Categories {
		ck.categoryIndex.add(cat.Key, i)
		ck.scopeSets = append(ck.scopeSets, scopeSet(cat))
	}
	for _, m := range Modules() {
		ck.groupIndex[m] = newIndex()
	}
	for i, g := range c.Groups {
		if x := ck.groupIndex[g.Module]; x != nil {
			x.add(g.Key, i)
		}
	}
	for i, m := range c.Menus {
		ck.menuIndex.add(m.PathSlug, i)
	}
	return ck
}

func (ck *checker) report(at Ref, rule Rule, message, remedy string) {
	ck.problems = append(ck.problems, Problem{At: at, Rule: rule, Message: message, Remedy: remedy})
}

// in points at a field below r. It never shares r's path.
func (r Ref) in(path ...string) Ref {
	r.Path = slices.Concat(r.Path, path)
	return r
}

// at points at an element of the list that r points at.
func (r Ref) at(i int) Ref { return r.in(strconv.Itoa(i)) }
