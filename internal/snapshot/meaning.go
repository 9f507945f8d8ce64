package snapshot

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/fold"
	"vitrine/internal/locale"
	"vitrine/internal/query"
)

// meaning is the interpretation of a search over everything (docs/search.md), with its matches.
type meaning struct {
	query.Search // with the searched terms and phrase
	kinds        []kindMatches
	total        int
	missed       bool     // no record has every word of the query as written
	corrected    string   // the query with corrected words; "" without corrections
	relaxed      []string // the omitted words, as written
}

// Limits of the interpretation of a query without matches.
const (
	maxWords        = 20 // words of a query that are tried; further ones are omitted first
	maxCorrections  = 4  // unknown words; a query with more is not corrected
	maxAlternatives = 5  // equally near words for a misspelt one
)

// word is a word of a query.
type word struct {
	term    string // folded
	written string // as the client wrote it
	changed bool   // the term is a correction
}

// meaning returns the interpretation of a query. If no record has every word, a question about a
// label becomes a search for the label. In other queries, words are split, then corrected, then
// left out.
func (s *Snapshot) meaning(q query.Search) meaning {
	m := meaning{Search: q}
	kinds := s.kinds(q)
	known, words := newVocabulary(kinds), wordsOf(q.Search)
	m.match(kinds)
	if m.total > 0 || len(q.Terms) == 0 {
		return m
	}
	if rest, out := known.question(words); rest != nil {
		m.ask(rest)
		m.relaxed = out
		return m
	}
	words = known.respelled(words)
	m.ask(words)
	if m.total == 0 {
		if cut, ok := s.cutWords(known, words); ok {
			words = known.respelled(cut)
			m.ask(words)
		}
	}
	if m.total > 0 {
		m.corrected = s.correctedQuery(known, q, words)
		return m
	}
	m.missed = true
	if finer, cut := s.cutFiner(known, words); cut {
		if m.ask(finer); m.total > 0 {
			return m
		}
		words = finer
	}
	words = known.correct(q, words)
	whole := words
	if m.ask(words); m.total == 0 {
		words, m.relaxed = known.relax(words)
		m.ask(words)
	}
	if slices.ContainsFunc(words, func(w word) bool { return w.changed }) {
		m.corrected = s.correctedQuery(known, q, whole)
	}
	return m
}

// results yields the records on the page. For a query with a leading `@`, as in handles, accounts
// precede other kinds of the same class.
func (m *meaning) results() iter.Seq2[*searchable, uint32] {
	kinds := m.kinds
	if len(m.Terms) > 0 && strings.HasPrefix(strings.TrimSpace(m.Search.Search), "@") {
		kinds = slices.Clone(kinds)
		slices.SortStableFunc(kinds, func(a, b kindMatches) int {
			return compareBool(a.kind != query.KindUser, b.kind != query.KindUser)
		})
	}
	return best(kinds, m.Search, m.total)
}

// match searches kinds for the terms.
func (m *meaning) match(kinds []*searchable) {
	m.kinds, m.total = make([]kindMatches, len(kinds)), 0
	for i, kind := range kinds {
		m.kinds[i] = kind.search(m.Terms)
		m.total += m.kinds[i].count(m.Locale)
	}
}

// ask searches for words instead of those of the query.
func (m *meaning) ask(words []word) {
	if terms := termsOf(words); m.total == 0 && slices.Equal(terms, m.Terms) {
		return // they were searched already
	}
	kinds := make([]*searchable, len(m.kinds))
	for i, f := range m.kinds {
		kinds[i] = f.searchable
	}
	m.Terms, m.Phrase = termsOf(words), phraseOf(words)
	m.match(kinds)
}

// wordsOf returns the words of a query. If folding joins or splits words, they are the folded
// ones.
func wordsOf(q string) []word {
	var words []word
	for _, written := range strings.Fields(q) {
		for _, term := range strings.Fields(fold.Phrase(written)) {
			words = append(words, word{term: term, written: written})
		}
	}
	if phraseOf(words) == fold.Phrase(q) && len(words) == len(strings.Fields(q)) {
		return words
	}
	words = nil
	for _, term := range strings.Fields(fold.Phrase(q)) {
		words = append(words, word{term: term, written: term})
	}
	return words
}

// termsOf returns the terms of words in the form of [query.Search].
func termsOf(words []word) []string {
	terms := strings.Fields(phraseOf(words)) // terms have no space
	slices.Sort(terms)
	return slices.Compact(terms)
}

func phraseOf(words []word) string {
	terms := make([]string, len(words))
	for i, w := range words {
		terms[i] = w.term
	}
	return strings.Join(terms, " ")
}

// correctedQuery returns the query with corrected words, written as names in the locales of the
// query have them, else folded; "" without corrections.
func (s *Snapshot) correctedQuery(known *vocabulary, q query.Search, words []word) string {
	if !slices.ContainsFunc(words, func(w word) bool { return w.changed }) {
		return ""
	}
	locales := s.locales.Fallback(q.Locale)
	all := make([]string, len(words))
	for i, w := range words {
		if all[i] = w.written; w.changed {
			all[i] = cmp.Or(known.spelled(w.term, q.Locale, locales), w.term)
		}
	}
	return strings.Join(all, " ")
}

// vocabulary caches the matches of single terms.
type vocabulary struct {
	kinds []*searchable
	sets  map[string][]*roaring.Bitmap // by term, then by kind
	count map[string]uint64            // the records of all kinds
}

func newVocabulary(kinds []*searchable) *vocabulary {
	return &vocabulary{kinds: kinds, sets: map[string][]*roaring.Bitmap{}, count: map[string]uint64{}}
}

// of returns the matches of a term by kind. The sets are shared and must not be modified.
func (v *vocabulary) of(term string) []*roaring.Bitmap {
	sets, known := v.sets[term]
	if known {
		return sets
	}
	for _, kind := range v.kinds {
		set := kind.search([]string{term}).set
		sets = append(sets, set)
		v.count[term] += set.GetCardinality()
	}
	v.sets[term] = sets
	return sets
}

// frequency returns the number of records with a term.
func (v *vocabulary) frequency(term string) uint64 {
	v.of(term)
	return v.count[term]
}

// correct replaces each unknown word by the only nearest word, or by the first of several if they
// lead to the same record. Other unknown words are unchanged.
func (v *vocabulary) correct(q query.Search, words []word) []word {
	var unknown []int
	for i, w := range words[:min(len(words), maxWords)] {
		if v.frequency(w.term) == 0 {
			unknown = append(unknown, i)
		}
	}
	if len(unknown) > maxCorrections {
		return words
	}
	for _, i := range slices.Backward(unknown) { // keeps the indices of the others
		near := v.near(words[i].term, len(words) == 1)
		if to, ok := v.unambiguous(q, words, i, near); ok {
			words = replaced(words, i, to)
		}
	}
	return words
}

// corrected returns the query with unknown words replaced, as readers of locales write them. It
// returns "" if a word is then in no label, or a replaced one in no name in locales.
func (v *vocabulary) corrected(q query.Search, words []word, locales []string) string {
	words = v.correct(q, words)
	changed := false
	for i, w := range words {
		if v.weightOf(words[i:i+1]) > isWord {
			return ""
		}
		if !w.changed {
			continue
		}
		changed = true
		if words[i].written = v.spelled(w.term, q.Locale, locales); words[i].written == "" {
			return ""
		}
	}
	if !changed {
		return ""
	}
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = w.written
	}
	return strings.Join(all, " ")
}

// spelled returns a folded word as the name in locales of the first record with it in a label has
// it; "" for none.
func (v *vocabulary) spelled(term string, id locale.ID, locales []string) string {
	for _, kind := range v.kinds {
		number, ok := kind.first(query.ForLabel(term, id))
		if !ok {
			continue
		}
		for _, word := range strings.Fields(kind.record(number).nameIn(term, locales)) {
			if fold.Text(word) == term {
				return word
			}
		}
	}
	return ""
}

// near returns the words of labels nearest to a term in the order of code points. whole includes
// whole labels. A term with another spelling in labels has only that.
func (v *vocabulary) near(term string, whole bool) []string {
	if spelling := v.spelling(term); spelling != "" {
		return []string{spelling}
	}
	var all []string
	least := 0
	for _, kind := range v.kinds {
		texts, distance := kind.index().Near(term, whole, kind.within)
		switch {
		case len(texts) == 0 || len(all) > 0 && distance > least:
		case len(all) == 0 || distance < least:
			all, least = texts, distance
		default:
			all = append(all, texts...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// unambiguous returns the replacement of the word at i. That is the only text in near, or the
// first of several with the same first match, together with the other words or, if none match so,
// alone.
func (v *vocabulary) unambiguous(q query.Search, words []word, i int, near []string) (string, bool) {
	if len(near) == 0 || len(near) > maxAlternatives {
		return "", false
	}
	if len(near) == 1 {
		return near[0], true
	}
	for _, of := range [][]word{words, words[i : i+1]} {
		at := i
		if len(of) == 1 {
			at = 0
		}
		leading, first, same := "", "", true
		for _, text := range near {
			record, ok := v.first(q, replaced(of, at, text))
			switch {
			case !ok:
			case leading == "":
				leading, first = record, text
			default:
				same = same && record == leading
			}
		}
		if leading != "" {
			return first, same
		}
	}
	return "", false
}

// first returns the kind and key of the first match of words, and whether there is one.
func (v *vocabulary) first(q query.Search, words []word) (string, bool) {
	m := meaning{Search: q}
	m.Page = query.Page{On: true, Limit: 1}
	m.Terms, m.Phrase = termsOf(words), phraseOf(words)
	m.match(v.kinds)
	for of, number := range m.results() {
		return string(of.kind) + " " + of.record(number).key, true
	}
	return "", false
}

// replaced returns words with the word at i replaced by those of a folded text.
func replaced(words []word, i int, text string) []word {
	var by []word
	for _, term := range strings.Fields(fold.Phrase(text)) {
		by = append(by, word{term: term, written: words[i].written, changed: true})
	}
	return slices.Concat(words[:i], by, words[i+1:])
}
