package snapshot

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/domain"
	"vitrine/internal/fold"
	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/search"
)

// searched is one kind of what a search over everything finds.
type searched struct {
	kind    query.Kind
	index   *search.Index
	order   func(locale.ID) *order // the default one of its list
	within  *roaring.Bitmap        // the records that can be results; nil for all
	demoted *roaring.Bitmap        // nil for nothing
	finding func(number uint32) domain.Finding
	hit     func(number uint32) hit

	bySymbol func(term string) *roaring.Bitmap // chains by the symbol of their coin; nil for other kinds
	// onChains returns the records on any of some chains, onMain those whose first chain is,
	// which is their main one. The sets are the caller's. Both are nil for records without chains.
	onChains, onMain func(chains *roaring.Bitmap) *roaring.Bitmap
	// chains returns the chains that have a term in a label, once for all kinds of a search.
	chains func(term string) *roaring.Bitmap
}

// beyond returns the records that match a term otherwise than by their texts, nil for none:
// by a symbol, which counts as a label, or by a label of their chains.
func (s *searched) beyond(term string) *roaring.Bitmap {
	switch {
	case s.bySymbol != nil:
		return s.bySymbol(term)
	case s.onChains != nil:
		return s.onChains(s.chains(term))
	}
	return nil
}

// hit is what a result tells of a record.
type hit struct {
	key                string
	name               string      // the same in every language; "" if there is a title
	title, description domain.Text //
	image, url, href   string      // "" for none
	menus              []string    // of an app: where it has cards
	symbol             string      // of a chain's coin; "" for none
}

// searched returns all kinds, in the order of [query.Kinds]; categories are as the
// registry lists them.
func (c *compiler) searched(s *Snapshot, categories []domain.Category) []searched {
	everywhere := func(o *order) func(locale.ID) *order { return func(locale.ID) *order { return o } }
	knownChains, knownApps := s.chains.byProminence(), s.apps.byProminence(&s.cards)
	chains := foundIn(query.KindChain, s.chains.list, everywhere(&knownChains), func(c *domain.Chain) hit {
		return hit{
			key: c.Slug, title: c.Name, description: c.Description, image: c.Logo, url: c.Website, href: "/api/open/chains/" + c.Slug,
			symbol: symbolOf(c),
		}
	})
	chains.bySymbol = s.chains.bySymbol()
	cards := foundIn(query.KindCard, s.cards.list, everywhere(&s.cards.byMenu), func(c *card) hit {
		return hit{key: c.ID, title: c.Title, description: c.Description, image: c.Image, url: c.Link, href: "/api/open/nav/menus/" + c.menu}
	})
	cards.onChains = s.chains.of(s.cards.chains)
	cards.onMain = s.chains.of(mainChains(s.cards.list, func(c *card) []string { return c.Chains }))
	apps := foundIn(query.KindApp, s.apps.list, everywhere(&knownApps), func(a *domain.App) hit {
		return hit{
			key: a.Key, title: a.Title, description: a.Description, image: a.Image, url: a.Link,
			href: "/api/open/apps/" + a.Key, menus: s.apps.menus(a.Key),
		}
	})
	apps.onChains = s.chains.of(s.apps.chains)
	apps.onMain = s.chains.of(mainChains(s.apps.list, func(a *domain.App) []string { return a.Chains }))
	return []searched{
		chains,
		apps,
		foundIn(query.KindUser, s.users.list, everywhere(&s.users.byFollowers), func(a *domain.Account) hit {
			return hit{key: a.Handle, name: a.Name, description: a.Description, url: a.Website, href: "/api/open/twitter/users/" + a.Handle}
		}),
		foundIn(query.KindChannel, s.channels.list, func(id locale.ID) *order { return &s.channels.byName[id] }, func(c *domain.Channel) hit {
			return hit{key: c.ChannelID, name: c.Name, description: c.Description, url: c.Website, href: "/api/open/youtube/channels/" + c.ChannelID}
		}),
		cards,
		c.foundMenus(),
		foundCategories(categories),
	}
}

// symbolOf returns the symbol of a chain's coin, "" for none.
func symbolOf(c *domain.Chain) string {
	if c.Currency == nil {
		return ""
	}
	return c.Currency.Symbol
}

// bySymbol returns what finds chains by the symbols of their coins, as a whole.
func (c *chains) bySymbol() func(term string) *roaring.Bitmap {
	numbers := map[string][]uint32{}
	for _, number := range c.byKey {
		if symbol := fold.Text(symbolOf(c.records[number])); symbol != "" {
			numbers[symbol] = append(numbers[symbol], number)
		}
	}
	return func(term string) *roaring.Bitmap {
		if numbers[term] == nil {
			return nil
		}
		return roaring.BitmapOf(numbers[term]...)
	}
}

// of returns what finds the records that are on any of some chains. The records are given
// by slug of the chain.
func (c *chains) of(records map[string]*roaring.Bitmap) func(chains *roaring.Bitmap) *roaring.Bitmap {
	used, on := roaring.New(), map[uint32]*roaring.Bitmap{}
	for _, number := range c.byKey {
		if set := records[c.records[number].Slug]; set != nil {
			used.Add(number)
			on[number] = set
		}
	}
	return func(chains *roaring.Bitmap) *roaring.Bitmap {
		found := roaring.New()
		for it := roaring.And(chains, used).Iterator(); it.HasNext(); {
			found.Or(on[it.Next()])
		}
		return found
	}
}

// labelled returns a function that returns the chains that have a term in a label. It looks
// for each term once. The sets are shared and read only.
func (c *chains) labelled() func(term string) *roaring.Bitmap {
	known := map[string]*roaring.Bitmap{}
	return func(term string) *roaring.Bitmap {
		set, ok := known[term]
		if !ok {
			set = c.index.FindLabels([]string{term})
			known[term] = set
		}
		return set
	}
}

// mainChains returns the records of a list by the slug of the first of their chains.
func mainChains[R any](l *list[R], chains func(*R) []string) map[string]*roaring.Bitmap {
	sets := map[string]*roaring.Bitmap{}
	for _, number := range l.byKey {
		if slugs := chains(l.records[number]); len(slugs) > 0 {
			addTo(sets, slugs[0], number)
		}
	}
	return sets
}

// foundIn is of the records of a list.
func foundIn[R any](kind query.Kind, l *list[R], order func(locale.ID) *order, tell func(*R) hit) searched {
	return searched{
		kind: kind, index: l.index, order: order, demoted: l.demoted,
		finding: func(number uint32) domain.Finding { return l.finding(l.records[number]) },
		hit:     func(number uint32) hit { return tell(l.records[number]) },
	}
}

// foundMenus is of all menus: those of the groups in their order, then the others.
func (c *compiler) foundMenus() searched {
	menus := pointers(c.catalog.Menus, every, func(a, b *domain.Menu) int { return cmp.Compare(c.menuRanks[a.PathSlug], c.menuRanks[b.PathSlug]) })
	return foundAmong(query.KindMenu, domain.Describe(domain.KindMenu).Shape, menus, func(m *domain.Menu) hit {
		return hit{key: m.PathSlug, title: m.Title, description: m.Description, image: m.OGImage, href: "/api/open/nav/menus/" + m.PathSlug}
	})
}

// foundCategories is of all categories as the registry lists them.
func foundCategories(categories []domain.Category) searched {
	all := pointers(categories, every, func(a, b *domain.Category) int { return 0 })
	return foundAmong(query.KindCategory, domain.Describe(domain.KindCategory).Shape, all, func(c *domain.Category) hit {
		return hit{key: c.Key, title: c.Name, description: c.Description, href: "/api/open/categories"}
	})
}

// foundAmong is of few records that are in their order.
func foundAmong[R any](kind query.Kind, shape *domain.Shape, records []*R, tell func(*R) hit) searched {
	finding := func(number uint32) domain.Finding { return shape.Finding(records[number]) }
	standing := ranked(ascending[uint32](len(records)), len(records))
	return searched{
		kind: kind, order: func(locale.ID) *order { return &standing }, finding: finding,
		index: search.New(len(records), func(number uint32) search.Document { return search.Document(finding(number)) }),
		hit:   func(number uint32) hit { return tell(records[number]) },
	}
}

// maxSuggestions is how many labels are suggested where nothing is found.
const maxSuggestions = 5

// Search returns the body of a search over everything (docs/api.md#search-over-everything),
// and how many records it finds of all the kinds that were asked for.
func (s *Snapshot) Search(q query.Search) (body []byte, total int) {
	m := s.meaning(q)
	resolve := s.resolver(q.Locale)
	var w writer
	w.open('{')
	w.key("results")
	w.open('[')
	for of, number := range m.results() {
		w.comma()
		of.encode(&w, number, m.Search, resolve)
	}
	w.close(']')
	w.key("totals")
	w.open('{')
	for _, f := range m.finds {
		w.number(string(f.kind), float64(f.count(q.Locale)))
	}
	w.close('}')
	var suggestions []string
	if m.missed {
		suggestions = s.didYouMean(q)
	}
	w.strings("didYouMean", suggestions)
	w.optional("corrected", m.corrected)
	if len(m.relaxed) > 0 {
		w.strings("relaxed", m.relaxed)
	}
	w.close('}')
	return w.buf, m.total
}

// kinds returns what a search looks at: the kinds that it asks for. Cards that have an app
// are left out unless the search names their kind: their app is a result already. What it
// returns is for one search and one goroutine.
func (s *Snapshot) kinds(q query.Search) []*searched {
	var kinds []*searched
	labelled := s.chains.labelled()
	for _, kind := range s.found {
		if !slices.Contains(q.Kinds, kind.kind) {
			continue
		}
		if kind.chains = labelled; kind.kind == query.KindCard && !q.AppCards {
			kind.within = s.cards.appless
		}
		kinds = append(kinds, &kind)
	}
	return kinds
}

// kind returns what a search for records of one kind looks at.
func (s *Snapshot) kind(kind query.Kind) *searched {
	return s.kinds(query.Search{Kinds: []query.Kind{kind}, AppCards: true})[0]
}

// find returns the records that have all terms in their texts, of those that can be results.
func (s *searched) find(terms []string) *roaring.Bitmap {
	set := s.index.Find(terms)
	if s.within != nil {
		set.And(s.within)
	}
	return set
}

// find is what a search finds of one kind.
type find struct {
	*searched
	set  *roaring.Bitmap            // nil for all
	also map[string]*roaring.Bitmap // by term: what matches it otherwise than by its texts
	own  map[string]*roaring.Bitmap // by term of also: what matches it by its texts
}

// count returns how many records were found.
func (f find) count(id locale.ID) int {
	if f.set == nil {
		return len(f.order(id).numbers)
	}
	return int(f.set.GetCardinality())
}

// search returns what terms find, also otherwise than by texts; none find all.
func (s *searched) search(terms []string) find {
	f := find{searched: s, set: s.within}
	if len(terms) == 0 { // or the index counts numbers that no record has any more
		return f
	}
	f.set = nil
	plain := terms
	if s.bySymbol != nil || s.onChains != nil {
		plain = nil
		for _, term := range terms {
			if set := s.beyond(term); set == nil || set.IsEmpty() {
				plain = append(plain, term)
			} else {
				f.extend(term, set)
			}
		}
	}
	switch {
	case f.also == nil:
		f.set = s.index.Find(terms)
	case len(plain) > 0:
		f.set.And(s.index.Find(plain))
	}
	if s.within != nil {
		f.set.And(s.within)
	}
	return f
}

// extend narrows what is found to the records that have a term, or are in set.
func (f *find) extend(term string, set *roaring.Bitmap) {
	if f.also == nil {
		f.also, f.own = map[string]*roaring.Bitmap{}, map[string]*roaring.Bitmap{}
	}
	f.also[term], f.own[term] = set, f.index.Find([]string{term})
	having := roaring.Or(f.own[term], set)
	if f.set == nil {
		f.set = having
		return
	}
	f.set.And(having)
}

// ranked divides what was found into seven sets, the most relevant first: the five classes of
// [search.Index.Ranked], where the symbol of a chain's coin is a label of the second
// class, and what has a term in the labels of its chains alone, first what has it in
// those of its main chain.
func (f find) ranked(q query.Search) iter.Seq[*roaring.Bitmap] {
	return func(yield func(*roaring.Bitmap) bool) {
		class, better := 0, roaring.New()
		last := roaring.New()
		for set := range f.index.Ranked(q.Terms, q.Phrase, f.set) {
			if class++; f.also != nil {
				set.AndNot(better)
				if f.bySymbol != nil {
					set.Or(roaring.AndNot(f.symbolic(class, q.Terms), better))
				} else if class == 5 {
					last = set.Clone()
					for _, own := range f.own { // all of set have the other terms
						set.And(own)
					}
					last.AndNot(set)
				}
				better.Or(set)
			}
			if !yield(set) {
				return
			}
		}
		main := f.mainly(last)
		last.AndNot(main)
		_ = yield(main) && yield(last)
	}
}

// mainly returns those of last that have every term that they lack in their texts in the
// labels of their main chain.
func (f find) mainly(last *roaring.Bitmap) *roaring.Bitmap {
	main := last.Clone()
	if f.onMain == nil || last.IsEmpty() {
		return main
	}
	for term, own := range f.own {
		main.And(roaring.Or(own, f.onMain(f.chains(term))))
	}
	return main
}

// symbolic returns the records of which the rule of a class holds with symbols as labels.
func (f find) symbolic(class int, terms []string) *roaring.Bitmap {
	switch {
	case class == 2 && len(terms) == 1:
		return roaring.And(f.also[terms[0]], f.set)
	case class != 4 || len(terms) == 1:
		return roaring.New()
	}
	found := f.set.Clone()
	for _, term := range terms {
		labelled := f.index.FindLabels([]string{term})
		if set := f.also[term]; set != nil {
			labelled.Or(set)
		}
		found.And(labelled)
	}
	return found
}

// best yields the records on the page of a search that finds total records at most, in the
// order of [parts]; in a part as the list of the kind has them.
func best(finds []find, q query.Search, total int) iter.Seq2[*searched, uint32] {
	return func(yield func(*searched, uint32) bool) {
		for p, numbers := range cut(parts(finds, q), q.Page, total) {
			for _, number := range numbers {
				if !yield(p.kind, number) {
					return
				}
			}
		}
	}
}

// parts yields what a search found: by class of relevance; in a class those that are put
// last behind the others; then by kind. Without terms there are no classes, and nothing is
// put last.
func parts(finds []find, q query.Search) iter.Seq[part] {
	return func(yield func(part) bool) {
		if len(q.Terms) == 0 {
			for _, f := range finds {
				if !yield(part{f.searched, f.order(q.Locale), f.set}) {
					return
				}
			}
			return
		}
		classes := make([]func() (*roaring.Bitmap, bool), len(finds))
		for i, f := range finds {
			next, stop := iter.Pull(f.ranked(q))
			defer stop()
			classes[i] = next
		}
		sets := make([][2]*roaring.Bitmap, len(finds))
		for {
			for i, next := range classes {
				set, ok := next()
				if !ok { // and so it is for all kinds
					return
				}
				sets[i] = halves(set, finds[i].demoted)
			}
			for half := range sets[0] {
				for i, f := range finds {
					if !yield(part{f.searched, f.order(q.Locale), sets[i][half]}) {
						return
					}
				}
			}
		}
	}
}

func (s *searched) encode(w *writer, number uint32, q query.Search, resolve func(domain.Text) string) {
	h := s.hit(number)
	title := cmp.Or(h.name, resolve(h.title))
	w.open('{')
	w.text("kind", string(s.kind))
	w.text("key", h.key)
	w.text("title", title)
	w.optional("description", resolve(h.description))
	w.optional("image", h.image)
	w.optional("url", h.url)
	w.text("href", h.href)
	if s.kind == query.KindApp {
		w.strings("menus", h.menus)
	}
	w.optional("matched", matched(search.Document(s.finding(number)), title, h.symbol, q))
	w.close('}')
}

// matched returns the label that matched, "" where the title matches by itself, and
// where no single label does. A symbol is a label of the second class.
func matched(d search.Document, title, symbol string, q query.Search) string {
	if own, _ := search.Match(search.Document{Labels: []string{title}}, q.Terms, q.Phrase); own != 0 {
		return ""
	}
	class, label := search.Match(d, q.Terms, q.Phrase)
	if (class == 0 || class > 2) && len(q.Terms) == 1 && symbol != "" && fold.Text(symbol) == q.Terms[0] {
		return symbol
	}
	return label
}

// didYouMean returns up to five names that a query may have meant, as readers of its locale
// know them and as they are written, the nearest first: for each near label the name of the
// record that a search for it finds first. A label that is not that name counts only if every
// word of it is near. For several words, the query with its misspelt words corrected
// follows, if all are words of labels then.
func (s *Snapshot) didYouMean(q query.Search) []string {
	kinds, locales := s.kinds(q), s.locales.Fallback(q.Locale)
	var names []string
	add := func(name string) {
		if name != "" && len(names) < maxSuggestions && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	const aliases = 4 // labels that may lead to one record
	for _, near := range s.near(kinds, q, aliases*maxSuggestions) {
		name := near.kind.nameOf(near.Label, q.Locale, locales)
		if near.Spare == 0 || fold.Text(name) == near.Label {
			add(name)
		}
	}
	if words := wordsOf(q.Search); len(words) > 1 && len(names) < maxSuggestions {
		add(newVocabulary(kinds).corrected(q, words, locales))
	}
	return names
}

// nearLabel is a label of a kind that a query may have meant.
type nearLabel struct {
	search.Suggestion
	kind *searched
}

// near returns up to n labels of each kind that are near a query and that its readers know
// (see [hit.isNameIn]), the nearest first.
func (s *Snapshot) near(kinds []*searched, q query.Search, n int) []nearLabel {
	var all []nearLabel
	locales := s.locales.Fallback(q.Locale)
	for _, kind := range kinds {
		for _, suggestion := range kind.index.Suggest(q.Terms, n, func(label string, number uint32) bool {
			return (kind.within == nil || kind.within.Contains(number)) && kind.hit(number).isNameIn(label, locales)
		}) {
			all = append(all, nearLabel{suggestion, kind})
		}
	}
	slices.SortStableFunc(all, func(a, b nearLabel) int { return a.Suggestion.Compare(b.Suggestion) })
	return all
}

// nameOf returns the name of the first record that a search finds by a label: the
// translation that is the label where it has one in locales, else its title in them; the key
// of an account that is the label. It returns "" where a search finds none.
func (s *searched) nameOf(label string, id locale.ID, locales []string) string {
	number, ok := s.first(query.ForLabel(label, id))
	if !ok {
		return ""
	}
	return s.hit(number).nameIn(label, locales)
}

func (h hit) nameIn(label string, locales []string) string {
	if h.name != "" {
		if fold.Text(h.name) != label && fold.Text(h.key) == label {
			return h.key
		}
		return h.name
	}
	for _, locale := range locales {
		if title, ok := h.title.In(locale); ok && fold.Text(title) == label {
			return title
		}
	}
	return h.title.Resolve(locales)
}

// isNameIn reports whether readers of the first of locales, or those that it falls back to,
// know a record by one of its labels, which is folded: not if it is its title in
// another locale alone.
func (h hit) isNameIn(label string, locales []string) bool {
	other := false
	for _, title := range h.title {
		if fold.Text(title.Value) != label {
			continue
		}
		if slices.Contains(locales, title.Locale) {
			return true
		}
		other = true
	}
	return !other
}

// first returns the first record that a search finds by the words of one label.
func (s *searched) first(q query.Search) (uint32, bool) {
	for _, number := range s.inLabel(q, 1) {
		return number, true
	}
	return 0, false
}

// Candidates returns the keys of up to five records of a kind that an unknown name may
// mean, the likeliest first: records with a label in which every word of the name begins a
// word, else records with a label close to the name (see closeTo). It is nil for none.
func (s *Snapshot) Candidates(kind query.Kind, name query.Search) []string {
	keys, _ := s.candidates(kind, name)
	return keys
}

// candidates is [Snapshot.Candidates]. It also returns the key that is clearly the closest:
// the only one, or the only one with a label at the smallest distance from the name as a
// whole. It is "" for none, and where several records share that label.
func (s *Snapshot) candidates(kind query.Kind, name query.Search) (keys []string, nearest string) {
	if len(name.Terms) == 0 {
		return nil, ""
	}
	of := s.kind(kind)
	keys = of.called(name, maxSuggestions)
	known := len(keys) > 0
	more := func(key string) {
		if key != "" && len(keys) < maxSuggestions && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	if kind == query.KindUser {
		more(s.users.near(name.Search))
	}
	if known {
		return keys, only(keys)
	}
	least := math.MaxInt
	for _, near := range s.near([]*searched{of}, name, maxSuggestions) {
		if !closeTo(name, near.Label) {
			continue
		}
		for _, key := range of.called(query.ForLabel(near.Label, name.Locale), 1) {
			more(key)
		}
		switch d, ok := editsTo(name.Phrase, strings.ReplaceAll(near.Label, " ", "")); {
		case !ok || d > least:
		case d < least:
			nearest, _ = s.Named(kind, near.Label)
			least = d
		default:
			if key, _ := s.Named(kind, near.Label); key != nearest {
				nearest = ""
			}
		}
	}
	return keys, cmp.Or(nearest, only(keys))
}

// only returns the key if there is one, "" for none and for several.
func only(keys []string) string {
	if len(keys) != 1 {
		return ""
	}
	return keys[0]
}

// called returns the keys of the first n records that a search finds by the words of one
// label.
func (s *searched) called(q query.Search, n int) []string {
	var keys []string
	for _, number := range s.inLabel(q, n) {
		keys = append(keys, s.hit(number).key)
	}
	return keys
}

// inLabel returns the first n records that a search finds by the words of one label.
func (s *searched) inLabel(q query.Search, n int) []uint32 {
	const byWords = 3 // the last class of relevance in which terms begin words of one label
	parts := func(yield func(part) bool) {
		class := 0
		for set := range s.index.Ranked(q.Terms, q.Phrase, s.find(q.Terms)) {
			if class++; class > byWords {
				return
			}
			for _, half := range halves(set, s.demoted) {
				if !yield(part{s, s.order(q.Locale), half}) {
					return
				}
			}
		}
	}
	var all []uint32
	for _, numbers := range cut(parts, query.Page{Limit: n}, n) {
		all = append(all, numbers...)
	}
	return all
}
