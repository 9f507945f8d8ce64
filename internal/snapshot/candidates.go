package snapshot

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"vitrine/internal/fold"
	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/search"
)

// maxSuggestions is how many labels are suggested for a query without matches.
const maxSuggestions = 5

// didYouMean returns up to five names that a query may mean, nearest first, as readers of its
// locale write them, without names that differ in case alone. For each near label, it has the name of the record that a search for the
// label ranks first. A label that differs from that name counts only if all its words are near.
// For several words, the query with corrected words follows if labels have all of them.
func (s *Snapshot) didYouMean(q query.Search) []string {
	kinds, locales := s.kinds(q), s.locales.Fallback(q.Locale)
	var names []string
	add := func(name string) {
		same := func(other string) bool { return fold.Text(other) == fold.Text(name) }
		if name != "" && len(names) < maxSuggestions && !slices.ContainsFunc(names, same) {
			names = append(names, name)
		}
	}
	const aliases = 4 // labels that may belong to one record
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

// nearLabel is a label of a kind that a query may mean.
type nearLabel struct {
	search.Suggestion
	kind *searchable
}

// near returns up to n labels of each kind that are near a query and known to its readers (see
// [searchRecord.isNameIn]), nearest first.
func (s *Snapshot) near(kinds []*searchable, q query.Search, n int) []nearLabel {
	var all []nearLabel
	locales := s.locales.Fallback(q.Locale)
	for _, kind := range kinds {
		for _, suggestion := range kind.index().Suggest(q.Terms, n, func(label string, number uint32) bool {
			return (kind.within == nil || kind.within.Contains(number)) && kind.record(number).isNameIn(label, locales)
		}) {
			all = append(all, nearLabel{suggestion, kind})
		}
	}
	slices.SortStableFunc(all, func(a, b nearLabel) int { return a.Suggestion.Compare(b.Suggestion) })
	return all
}

// nameOf returns the name of the first record that a search returns for a label: the translation
// in locales that equals the label, else its title in them, or the key of an account. It returns
// "" without matches.
func (s *searchable) nameOf(label string, id locale.ID, locales []string) string {
	number, ok := s.first(query.ForLabel(label, id))
	if !ok {
		return ""
	}
	return s.record(number).nameIn(label, locales)
}

func (h searchRecord) nameIn(label string, locales []string) string {
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

// isNameIn reports whether a folded label is a name of the record for readers of the first of
// locales or its fallbacks. It is false for a title in another locale.
func (h searchRecord) isNameIn(label string, locales []string) bool {
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

// first returns the first record that a search returns for the words of one label.
func (s *searchable) first(q query.Search) (uint32, bool) {
	for _, number := range s.inLabel(q, 1) {
		return number, true
	}
	return 0, false
}

// Candidates returns the keys of up to five records of a kind that an unknown name may mean,
// likeliest first. These are records with a label in which every word of the name begins a word,
// else records with a label close to the name (see CloseTo). It returns nil for none.
func (s *Snapshot) Candidates(kind query.Kind, name query.Search) []string {
	keys, _ := s.candidates(kind, name)
	return keys
}

// candidates is [Snapshot.Candidates]. It also returns the key that is clearly the closest: the
// only one, or the only one with a label at the smallest distance from the whole name. It is ""
// for none, and if several records share that label.
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
	if of.nearKey != nil {
		more(of.nearKey(name.Search))
	}
	if known {
		return keys, only(keys)
	}
	least := math.MaxInt
	for _, near := range s.near([]*searchable{of}, name, maxSuggestions) {
		if !CloseTo(name, near.Label) {
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

// only returns the only key, "" for none or several.
func only(keys []string) string {
	if len(keys) != 1 {
		return ""
	}
	return keys[0]
}

// called returns the keys of the first n records that a search returns for the words of one
// label.
func (s *searchable) called(q query.Search, n int) []string {
	var keys []string
	for _, number := range s.inLabel(q, n) {
		keys = append(keys, s.record(number).key)
	}
	return keys
}

// inLabel returns the first n records that a search returns for the words of one label.
func (s *searchable) inLabel(q query.Search, n int) []uint32 {
	const byWords = 3 // the last class of relevance in which terms begin words of one label
	parts := func(yield func(part) bool) {
		class := 0
		for set := range s.index().Ranked(q.Terms, q.Phrase, s.matching(q.Terms)) {
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
