package snapshot

import (
	"cmp"
	"iter"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/domain"
	"vitrine/internal/fold"
	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/search"
)

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
