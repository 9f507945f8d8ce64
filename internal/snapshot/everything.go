package snapshot

import (
	"cmp"
	"iter"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/fold"
	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/search"
)

// SearchView returns the results of a search over everything
// (docs/api.md#search-over-everything).
func (s *Snapshot) SearchView(q query.Search) *SearchResults {
	m, in := s.meaning(q), s.in(q.Locale)
	view := &SearchResults{Corrected: m.corrected, Relaxed: m.relaxed, Total: m.total}
	for of, number := range m.results() {
		view.Results = append(view.Results, of.result(number, m.Search, in))
	}
	for _, f := range m.kinds {
		view.Totals = append(view.Totals, Member[int]{string(f.kind), f.count(q.Locale)})
	}
	if m.missed {
		view.DidYouMean = s.didYouMean(q)
	}
	return view
}

// kinds returns the searchable forms of the kinds that a search covers. Cards of apps are
// included only if the search names their kind, because their app is a result already. The result
// is for one search and one goroutine.
func (s *Snapshot) kinds(q query.Search) []*searchable {
	var kinds []*searchable
	chains := labelled(s.searchable(query.KindChain).index)
	for _, kind := range s.searchables {
		if !slices.Contains(q.Kinds, kind.kind) {
			continue
		}
		if kind.chains = chains; !q.AppCards {
			kind.within = kind.results
		}
		kinds = append(kinds, &kind)
	}
	return kinds
}

// labelled returns a function that returns the records of an index with a term in a label. It
// searches for each term once. The sets are shared and must not be modified.
func labelled(index func() *search.Index) func(term string) *roaring.Bitmap {
	known := map[string]*roaring.Bitmap{}
	return func(term string) *roaring.Bitmap {
		set, ok := known[term]
		if !ok {
			set = index().LabelMatches([]string{term})
			known[term] = set
		}
		return set
	}
}

// kind returns the searchable form of the records of one kind.
func (s *Snapshot) kind(kind query.Kind) *searchable {
	return s.kinds(query.Search{Kinds: []query.Kind{kind}, AppCards: true})[0]
}

// matching returns the records with all terms in their texts that may be results.
func (s *searchable) matching(terms []string) *roaring.Bitmap {
	set := s.index().Matches(terms)
	if s.within != nil {
		set.And(s.within)
	}
	return set
}

// kindMatches are the matches of a search among the records of one kind.
type kindMatches struct {
	*searchable
	set  *roaring.Bitmap            // nil for all
	also map[string]*roaring.Bitmap // by term: further matches, not by texts
	own  map[string]*roaring.Bitmap // by term of also: the matches by texts
}

// count returns the number of matches.
func (f kindMatches) count(id locale.ID) int {
	if f.set == nil {
		return len(f.order(id).numbers)
	}
	return int(f.set.GetCardinality())
}

// search returns the matches of terms, in texts or otherwise; all records for no terms.
func (s *searchable) search(terms []string) kindMatches {
	f := kindMatches{searchable: s, set: s.within}
	if len(terms) == 0 { // the index may have numbers without a record
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
		f.set = s.index().Matches(terms)
	case len(plain) > 0:
		f.set.And(s.index().Matches(plain))
	}
	if s.within != nil {
		f.set.And(s.within)
	}
	return f
}

// extend narrows the matches to the records that have a term or are in set.
func (f *kindMatches) extend(term string, set *roaring.Bitmap) {
	if f.also == nil {
		f.also, f.own = map[string]*roaring.Bitmap{}, map[string]*roaring.Bitmap{}
	}
	f.also[term], f.own[term] = set, f.index().Matches([]string{term})
	having := roaring.Or(f.own[term], set)
	if f.set == nil {
		f.set = having
		return
	}
	f.set.And(having)
}

// ranked splits the matches into seven sets, the most relevant first. The first five are the
// classes of [search.Index.Ranked], in which the symbol of a chain's coin is a label of the
// second class. Matches with a term only in labels of their chains follow, those of the main
// chain first.
func (f kindMatches) ranked(q query.Search) iter.Seq[*roaring.Bitmap] {
	return func(yield func(*roaring.Bitmap) bool) {
		class, better := 0, roaring.New()
		last := roaring.New()
		for set := range f.index().Ranked(q.Terms, q.Phrase, f.set) {
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

// mainly returns the subset of last whose main chains have labels with all terms that their own
// texts lack.
func (f kindMatches) mainly(last *roaring.Bitmap) *roaring.Bitmap {
	main := last.Clone()
	if f.onMain == nil || last.IsEmpty() {
		return main
	}
	for term, own := range f.own {
		main.And(roaring.Or(own, f.onMain(f.chains(term))))
	}
	return main
}

// symbolic returns the records that match a class if symbols count as labels.
func (f kindMatches) symbolic(class int, terms []string) *roaring.Bitmap {
	switch {
	case class == 2 && len(terms) == 1:
		return roaring.And(f.also[terms[0]], f.set)
	case class != 4 || len(terms) == 1:
		return roaring.New()
	}
	matches := f.set.Clone()
	for _, term := range terms {
		labelled := f.index().LabelMatches([]string{term})
		if set := f.also[term]; set != nil {
			labelled.Or(set)
		}
		matches.And(labelled)
	}
	return matches
}

// best yields the records on the page of a search with at most total matches. They are in the
// order of [parts], and within a part in the order of the list of the kind.
func best(kinds []kindMatches, q query.Search, total int) iter.Seq2[*searchable, uint32] {
	return func(yield func(*searchable, uint32) bool) {
		for p, numbers := range cut(parts(kinds, q), q.Page, total) {
			for _, number := range numbers {
				if !yield(p.kind, number) {
					return
				}
			}
		}
	}
}

// parts yields the matches of a search by class of relevance, in a class the demoted records
// last, then by kind. Without terms there is one class without demotion.
func parts(kinds []kindMatches, q query.Search) iter.Seq[part] {
	return func(yield func(part) bool) {
		if len(q.Terms) == 0 {
			for _, f := range kinds {
				if !yield(part{f.searchable, f.order(q.Locale), f.set}) {
					return
				}
			}
			return
		}
		classes := make([]func() (*roaring.Bitmap, bool), len(kinds))
		for i, f := range kinds {
			next, stop := iter.Pull(f.ranked(q))
			defer stop()
			classes[i] = next
		}
		sets := make([][2]*roaring.Bitmap, len(kinds))
		for {
			for i, next := range classes {
				set, ok := next()
				if !ok { // the same for all kinds
					return
				}
				sets[i] = halves(set, kinds[i].demoted)
			}
			for half := range sets[0] {
				for i, f := range kinds {
					if !yield(part{f.searchable, f.order(q.Locale), sets[i][half]}) {
						return
					}
				}
			}
		}
	}
}

// result returns the view of a record as a result of a search.
func (s *searchable) result(number uint32, q query.Search, in language) SearchResult {
	h := s.record(number)
	view := h.view(s.kind, in)
	view.Matched = matched(s.document(number), view.Title, h.symbol, q)
	return view
}

// view returns the view of the record in one locale.
func (h searchRecord) view(kind query.Kind, in language) SearchResult {
	return SearchResult{
		Kind: kind, Key: h.key, Title: cmp.Or(h.name, in.text(h.title)), Description: in.text(h.description), Image: in.picture(h.image),
		URL: h.url, Href: h.href, Menus: h.menus,
	}
}

// matched returns the label that matched, "" if the title matches or no single label does. A
// symbol is a label of the second class.
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
