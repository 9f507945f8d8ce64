package domain

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Unread is the part of a catalogue that could not be read. [Check] does not report
// references into it, nor other consequences (docs/check.md).
type Unread struct {
	Kinds map[Kind]bool   // kinds with a file that could not be read; KindCategory includes KindGroup
	Menus map[string]bool // path slugs of menus that exist and could not be read
}

func (u Unread) some() bool { return len(u.Kinds) > 0 || len(u.Menus) > 0 }

// Reading has information about the files of a catalogue for [Check]. The zero value means that
// all files were read.
type Reading struct {
	Unread Unread
	// Files are the names of files in remedies.
	Files Files
	// Today is the current day in UTC. A figure may be one day ahead of it, because of time
	// zones. "" allows any day.
	Today Date
	// Broken means that reading had errors, so unused records are not reported.
	Broken bool
	// EveryGap reports each missing translation, rather than their number by kind and locale.
	EveryGap bool
	// Reported reports whether reading has reported a problem at a place; nil means nowhere.
	Reported func(Ref) bool
	// Clean has, for long lists and assets, whether each record is among [Findings.Clean] of a check by the same
	// rules (see [SameRules]) and on the same day, and of a catalogue without errors. Check then
	// only checks what depends on other records. Further records are not clean.
	Clean map[Kind][]bool
}

// Files are the names of files; "" means the YAML file.
type Files struct {
	Catalog, Categories, Nav string
	MenuExt                  string // extension of menus, with its dot
}

func (f Files) orYAML() Files {
	return Files{
		Catalog:    cmp.Or(f.Catalog, "catalog.yaml"),
		Categories: cmp.Or(f.Categories, "categories.yaml"),
		Nav:        cmp.Or(f.Nav, "nav.yaml"),
		MenuExt:    cmp.Or(f.MenuExt, ".yaml"),
	}
}

// Check returns all problems of a catalogue. The catalogue may have any content, such as that of
// a damaged store. nil is an empty catalogue, and c is not modified. A catalogue without a
// problem of severity Error can be compiled and served.
func Check(c *Catalog, r Reading) Findings {
	return newChecker(orEmpty(c), r).run()
}

func (ck *checker) run() Findings {
	for _, d := range descriptions {
		if !(d.Kind == KindCatalog && ck.unread.Kinds[d.Kind]) {
			ck.kind(d)
		}
	}
	ck.names()
	ck.confusableNames()
	ck.oldFigures()
	ck.translationGaps()
	ck.unused()
	slices.SortStableFunc(ck.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.At.Kind.rank(), b.At.Kind.rank()), cmp.Compare(a.At.Index, b.At.Index))
	})
	return Findings{Problems: ck.problems, Found: ck.found, Accepted: ck.accepted, Clean: ck.clean}
}

// rank is the index of the kind in [Kinds].
func (k Kind) rank() int { return slices.Index(Kinds(), k) }

// rules are the rules of a kind other than those of its fields, keys, names and references.
type rules struct {
	record func(ck *checker, at Ref, record any) // of each record; nil for none
	list   func(ck *checker)                     // of all records together; nil for none
}

var kindRules = map[Kind]rules{
	KindCatalog:  {record: recordRule((*checker).catalog)},
	KindCategory: {record: recordRule((*checker).category)},
	KindChain:    {list: (*checker).sharedChainIDs},
	KindAccount:  {record: recordRule((*checker).heldBack)},
	KindNavGroup: {list: (*checker).navGroups},
	KindMenu:     {record: recordRule((*checker).menu)},
	KindAsset:    {list: (*checker).assets},
}

func recordRule[R any](check func(ck *checker, at Ref, record *R)) func(*checker, Ref, any) {
	return func(ck *checker, at Ref, record any) { check(ck, at, record.(*R)) }
}

// kind checks the records of a kind. Of records that were checked before, it checks only keys and what
// depends on other records.
func (ck *checker) kind(d *Description) {
	if edited, ok := ck.editedOnly(d); ok {
		for _, i := range edited {
			ck.record(d, Ref{Kind: d.Kind, Index: i})
		}
		return
	}
	own := kindRules[d.Kind]
	known, dependent := ck.known(d), d.Shape.dependent(ck.stored)
	keys := make(firsts, d.Size(ck.cat))
	for i := range d.Size(ck.cat) {
		at, record := Ref{Kind: d.Kind, Index: i}, d.Record(ck.cat, i)
		isKnown := i < len(known) && known[i]
		before := ck.reports
		if isKnown {
			ck.dependentFields(at, dependent, record)
		} else {
			ck.values(d, at, record)
		}
		reports := ck.reports - before
		ck.uniqueKey(d, at, keys, record)
		before = ck.reports
		if own.record != nil && !isKnown {
			own.record(ck, at, record)
		}
		if d.Long || d.Raw {
			ck.clean[d.Kind] = append(ck.clean[d.Kind], isKnown || reports+ck.reports-before == 0)
		}
	}
	for _, f := range d.Shape.Fields {
		if f.Type == TypeLine && f.Refers == d.Kind && !ck.unread.Kinds[d.Kind] {
			ck.referenceCycles(d, f)
		}
	}
	if own.list != nil {
		own.list(ck)
	}
}

// record checks a record without its key.
func (ck *checker) record(d *Description, at Ref) {
	record := d.Record(ck.cat, at.Index)
	ck.values(d, at, record)
	if own := kindRules[d.Kind]; own.record != nil {
		own.record(ck, at, record)
	}
}

// values checks the fields of a record.
func (ck *checker) values(d *Description, at Ref, record any) {
	ck.fields(at, d.Shape, record)
	if d.Shape.Field("status") != nil {
		ck.status(at, d.Shape, record)
	}
}

// uniqueKey reports a record with the key of an earlier record of its kind. keys has the first
// record of each key.
func (ck *checker) uniqueKey(d *Description, at Ref, keys firsts, record any) {
	f := d.KeyField
	if f == nil || *f.Line(record) == "" {
		return
	}
	key := d.Key(record)
	index, repeated := keys.repeatsExactly(d.NameForm(key), at.Index)
	if !repeated {
		return
	}
	first := Ref{Kind: at.Kind, Index: index}
	what, remedy := f.Name, "give one of them another "+f.Name+", or remove it"
	if f.InFileName {
		what, remedy = strings.ReplaceAll(f.Name, "_", " "), "rename or remove one of the files"
	} else {
		at = at.in(f.Name)
	}
	ck.repeats(at, first, RuleDuplicate, taken(what, key, d.name(), ck.keyOf(first)), remedy)
}

// checker is the state of one run of Check: the catalogue, its indexes and the problems found so
// far.
type checker struct {
	cat      *Catalog
	before   *Catalog         // without errors by the same rules; nil for none
	differ   map[Kind]unequal // see since
	reading  Reading
	unread   Unread
	files    Files
	problems []Problem
	found    Count
	accepted Count
	accept   acceptances
	latest   Date // of figures, "" for any
	stored   bool // the catalogue was published before
	reports  int  // so far, including those at places that are Reported

	locales        map[string]bool   // allowed ones; nil if unknown
	wanted         []string          // declared ones except the default; nil if unknown
	nearLocales    map[string]string // declared locales that are similar to undeclared ones
	schemes        map[string]bool   // allowed ones in addition to http(s)
	scopes         [][]Module        // of each category, see knownScopes
	categories     *index
	groups         map[Module]*index
	byKind         map[Kind]*references // see references
	usedCategories []bool               // by index
	usedApps       []bool               // by index
	usedAssets     []bool               // by index
	gaps           gaps
	clean          map[Kind][]bool // see [Findings]
}

func newChecker(c *Catalog, r Reading) *checker {
	ck := &checker{
		cat:            c,
		differ:         map[Kind]unequal{},
		reading:        r,
		unread:         r.Unread,
		files:          r.Files.orYAML(),
		latest:         r.Today.dayAfter(),
		found:          make(Count),
		accepted:       make(Count),
		accept:         newAcceptances(c.Accept),
		nearLocales:    make(map[string]string),
		schemes:        make(map[string]bool),
		groups:         make(map[Module]*index),
		byKind:         make(map[Kind]*references),
		usedCategories: make([]bool, len(c.Categories)),
		usedApps:       make([]bool, len(c.Apps)),
		usedAssets:     make([]bool, len(c.Assets)),
		gaps:           gaps{texts: make(map[Kind]int), of: make(map[gapID]*gap)},
		clean:          make(map[Kind][]bool),
	}
	if !r.Unread.Kinds[KindCatalog] && c.DefaultLocale != "" && len(c.Locales) > 0 {
		ck.locales = map[string]bool{c.DefaultLocale: true}
		for _, l := range c.Locales {
			ck.locales[l] = true
		}
	}
	for _, s := range c.LinkSchemes {
		ck.schemes[s] = true
	}
	ck.categories = ck.references(KindCategory).index
	for _, category := range c.Categories {
		ck.scopes = append(ck.scopes, knownScopes(category))
	}
	for _, m := range Modules() {
		ck.groups[m] = newIndex()
	}
	for i, g := range c.Groups {
		if x := ck.groups[g.Module]; x != nil {
			x.add(g.Key, i)
		}
	}
	return ck
}

func (ck *checker) report(at Ref, rule Rule, message, remedy string) {
	ck.add(Problem{At: at, Rule: rule, Message: message, Remedy: remedy})
}

// repeats reports that the value at a place repeats that at first.
func (ck *checker) repeats(at, first Ref, rule Rule, message, remedy string) {
	ck.add(Problem{At: at, Rule: rule, Message: message, Remedy: remedy, First: &first})
}

func (ck *checker) add(p Problem) {
	ck.reports++
	if ck.reading.Reported != nil && ck.reading.Reported(p.At) {
		return
	}
	if p.Rule.Severity() == Warning && p.Rule != RuleMissingTranslation { // of a missing translation, each locale counts
		p.Accepted = ck.accepts(p.Rule, p.At, "")
		if p.First != nil { // the order of files decides which of two records is the first
			p.Accepted = ck.accepts(p.Rule, *p.First, "") || p.Accepted
		}
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

// in returns the place of a field below r. It never shares r's path.
func (r Ref) in(path ...string) Ref {
	r.Path = slices.Concat(r.Path, path)
	return r
}

// at returns the place of an element of the list at r.
func (r Ref) at(i int) Ref { return r.in(strconv.Itoa(i)) }
