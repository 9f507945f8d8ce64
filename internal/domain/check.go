package domain

import (
	"cmp"
	"slices"
	"strconv"
)

// Unread says what of a catalogue could not be read, so that nothing that
// follows from it is reported (docs/check.md): a reference into what is
// unread may well be right.
type Unread struct {
	Catalog    bool            // default locale, locales and link schemes are not known
	Categories bool            // neither are categories and dimension groups
	Nav        bool            // nor which menus are listed
	Chains     bool            // chains that others refer to may be among what is unread
	Apps       bool            // so may apps
	Menus      map[string]bool // path slugs of menus that exist and could not be read
}

func (u Unread) some() bool {
	return u.Catalog || u.Categories || u.Nav || u.Chains || u.Apps || len(u.Menus) > 0
}

// Reading is what whoever read a catalogue knows beside it. The zero value is of
// one that was read whole, from nowhere in particular.
type Reading struct {
	Unread Unread
	// Files are the names by which remedies call files.
	Files Files
	// Today is the day in UTC on which the catalogue is checked: no figure may be
	// of a later day than the next, which it is already in the east. "" is any day,
	// for what was published once stays valid.
	Today Date
	// Broken says that there were errors in reading: nobody knows then what is
	// used by nothing.
	Broken bool
	// EveryGap has each missing translation reported by itself, rather than their
	// sum by kind and locale.
	EveryGap bool
	// Reported says of a place that what is wrong with it was said already; nil
	// is of no place.
	Reported func(Ref) bool
}

// Files are names of files, "" being that of the YAML file.
type Files struct {
	Catalog, Categories, Nav string
	MenuExt                  string // the ending of menus, with its dot
}

func (f Files) orYAML() Files {
	return Files{
		Catalog:    cmp.Or(f.Catalog, "catalog.yaml"),
		Categories: cmp.Or(f.Categories, "categories.yaml"),
		Nav:        cmp.Or(f.Nav, "nav.yaml"),
		MenuExt:    cmp.Or(f.MenuExt, ".yaml"),
	}
}

// Check finds all problems of a catalogue. It is pure and total: it takes what
// a damaged store returns as well as what editors write. A nil catalogue is an
// empty one, and c is not changed. A catalogue without a problem of severity
// Error can be compiled and served.
func Check(c *Catalog, r Reading) Findings {
	return newChecker(orEmpty(c), r).run()
}

func (ck *checker) run() Findings {
	ck.catalog()
	ck.groups()
	ck.categories()
	ck.chains()
	ck.apps()
	ck.accounts()
	ck.channels()
	ck.navGroups()
	ck.menus()
	ck.names()
	ck.confusableNames()
	ck.oldFigures()
	ck.translationGaps()
	ck.unused()
	slices.SortStableFunc(ck.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.At.Kind.rank(), b.At.Kind.rank()), cmp.Compare(a.At.Index, b.At.Index))
	})
	return Findings{Problems: ck.problems, Found: ck.found, Accepted: ck.accepted}
}

// rank is the place of the kind among the fields of Catalog.
func (k Kind) rank() int { return slices.Index(Kinds(), k) }

// checker is one run of Check: the catalogue, what references are looked up
// in, and what was found so far.
type checker struct {
	cat      *Catalog
	reading  Reading
	unread   Unread
	files    Files
	known    known
	problems []Problem
	found    Count
	accepted Count
	accept   acceptances
	used     []bool // categories, by their places in the list
	latest   Date   // that a figure may be of, "" for any
	stored   bool   // what is checked was published before
	reports  int    // so far, those included that are not said again

	locales       map[string]bool   // that texts may have; nil when not known
	wanted        []string          // that texts should have beside the default; nil when not known
	nearLocales   map[string]string // what undeclared locales were meant to be
	schemes       map[string]bool   // that links may have beside http(s)
	scopeSets     []moduleSet       // of each category
	categoryIndex *index
	groupIndex    map[Module]*index
	menuIndex     *index
	byKind        map[Kind]*references // see references
	usedApps      []bool               // by their places in the list
	gaps          gaps
}

func newChecker(c *Catalog, r Reading) *checker {
	ck := &checker{
		cat:           c,
		reading:       r,
		unread:        r.Unread,
		files:         r.Files.orYAML(),
		latest:        r.Today.dayAfter(),
		found:         make(Count),
		accepted:      make(Count),
		accept:        newAcceptances(c.Accept),
		used:          make([]bool, len(c.Categories)),
		nearLocales:   make(map[string]string),
		schemes:       make(map[string]bool),
		categoryIndex: newIndex(),
		groupIndex:    make(map[Module]*index),
		menuIndex:     newIndex(),
		byKind:        make(map[Kind]*references),
		gaps:          gaps{texts: make(map[Kind]int), of: make(map[gapID]*gap)},
	}
	if !r.Unread.Catalog && c.DefaultLocale != "" && len(c.Locales) > 0 {
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
	ck.add(Problem{At: at, Rule: rule, Message: message, Remedy: remedy})
}

// repeats reports what repeats something that stands at first.
func (ck *checker) repeats(at, first Ref, rule Rule, message, remedy string) {
	ck.add(Problem{At: at, Rule: rule, Message: message, Remedy: remedy, First: &first})
}

func (ck *checker) add(p Problem) {
	ck.reports++
	if ck.reading.Reported != nil && ck.reading.Reported(p.At) {
		return
	}
	if p.Rule.Severity() == Warning && p.Rule != RuleMissingTranslation { // which tells locales apart
		p.Accepted = ck.accepts(p.Rule, p.At, "")
	}
	ck.keep(p)
}

func (ck *checker) keep(p Problem) {
	count := ck.found
	if p.Accepted {
		count = ck.accepted
	}
	if count.Keep(p.Rule) {
		ck.problems = append(ck.problems, p)
	}
}

// in points at a field below r. It never shares r's path.
func (r Ref) in(path ...string) Ref {
	r.Path = slices.Concat(r.Path, path)
	return r
}

// at points at an element of the list that r points at.
func (r Ref) at(i int) Ref { return r.in(strconv.Itoa(i)) }
