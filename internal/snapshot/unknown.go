package snapshot

import (
	"iter"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"vitrine/internal/domain"
	"vitrine/internal/fold"
	"vitrine/internal/query"
	"vitrine/internal/spelling"
)

// Means reports whether a filter value of a list query is known: as a category of the list's
// module, or as a record of another kind. Otherwise nearest is the key that was probably meant,
// "" if none is clearly closest.
func (s *Snapshot) Means(value query.Reviewed, list query.Kind) (known bool, nearest string) {
	name := value.Value
	switch value.Names {
	case query.KindCategory:
		of, ok := s.lists[list]
		if !ok {
			return false, ""
		}
		return s.meansTag(name, of.moduleOf())
	case query.KindMenu:
		name = strings.ToLower(name)
	}
	if _, ok := s.Named(value.Names, name); ok {
		return true, ""
	}
	_, nearest = s.candidates(value.Names, query.ForName(name, s.locales.Default()))
	return false, nearest
}

// closest returns the key with the smallest distance from a name, "" for none or several. Keys
// with different digits have another meaning and do not count.
func closest(name string, keys iter.Seq[string], distance func(key string) (int, bool)) string {
	best, least, digits := "", math.MaxInt, digitsOf(name)
	for key := range keys {
		switch d, ok := distance(key); {
		case !ok || d > least || digitsOf(key) != digits:
		case d == least:
			best = ""
		default:
			best, least = key, d
		}
	}
	return best
}

// digitsOf returns the digits of a text in their order.
func digitsOf(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsNumber(r) {
			return r
		}
		return -1
	}, text)
}

// meansTag is [Snapshot.Means] of a tag.
func (s *Snapshot) meansTag(tag string, module domain.Module) (known bool, nearest string) {
	scoped, ok := s.registry.scoped[module]
	if !ok {
		return false, ""
	}
	lower := strings.ToLower(tag)
	now, ok := s.keys[query.KindCategory][lower]
	if ok && slices.Contains(scoped.keys, now) {
		return true, ""
	}
	if key := scoped.called()[separated(tag)]; key != "" {
		return false, key
	}
	if ok { // a valid category of another scope
		return false, ""
	}
	return false, closest(lower, slices.Values(scoped.keys), func(key string) (int, bool) { return near(lower, key) })
}

// scope has the categories of a module.
type scope struct {
	keys []string // in the order of the registry
	// called returns the keys by the labels of categories; see [calledBy]. The map is made at the
	// first call, because few requests have an unknown tag. It is shared and must not be
	// modified.
	called func() map[string]string
}

// scopesOf returns the categories of each module.
func scopesOf(categories []domain.Category) map[domain.Module]scope {
	all := map[domain.Module]scope{}
	for _, module := range domain.Modules() {
		s := scope{called: sync.OnceValue(func() map[string]string { return calledBy(inScope(categories, module)) })}
		for _, category := range inScope(categories, module) {
			s.keys = append(s.keys, category.Key)
		}
		all[module] = s
	}
	return all
}

// calledBy returns the keys of categories by their keys, names and aliases in the form of
// [separated]. The key is "" if several share a name. Keys take precedence over names.
func calledBy(categories []domain.Category) map[string]string {
	called := map[string]string{}
	for _, category := range categories {
		for _, name := range slices.Concat(category.Aliases, values(category.Name)) {
			name = separated(name)
			if key, taken := called[name]; taken && key != category.Key {
				called[name] = ""
			} else {
				called[name] = category.Key
			}
		}
	}
	for _, category := range categories {
		called[separated(category.Key)] = category.Key
	}
	return called
}

func values(t domain.Text) []string {
	all := make([]string, len(t))
	for i, translation := range t {
		all[i] = translation.Value
	}
	return all
}

// separated returns a folded name without the separators of words.
func separated(name string) string {
	return separators.Replace(fold.Text(name))
}

var separators = strings.NewReplacer("-", "", "_", "", ".", "", " ", "")

// CloseTo reports whether a folded label is close to an unknown name: the whole label is near it
// (see near), or each term of the name is in a word of the label or near one. A single term may
// have a distance of two from the first word only, since later words such as mainnet or chain are
// generic. Digits, Han and kana must be exact.
func CloseTo(name query.Search, label string) bool {
	words := strings.Fields(label)
	if _, ok := editsTo(name.Phrase, strings.Join(words, "")); ok {
		return true
	}
	return !slices.ContainsFunc(name.Terms, func(term string) bool {
		for i, word := range words {
			if strings.Contains(word, term) {
				return false
			}
			if n, ok := editsTo(term, word); ok && (n < 2 || i == 0 || len(name.Terms) > 1) {
				return false
			}
		}
		return true
	})
}

// editsTo is [near] for text whose digits, Han and kana must be exact. It ignores spaces in text,
// and treats confusable letters of other scripts as Latin.
func editsTo(text, known string) (distance int, ok bool) {
	exact := func(r rune) bool {
		return unicode.IsNumber(r) || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
	}
	if strings.ContainsFunc(text, exact) || digitsOf(known) != "" {
		return 0, false
	}
	return near(fold.Latin(strings.ReplaceAll(text, " ", "")), fold.Latin(known))
}

// near returns the edit distance between a word and a known one. ok is false if it is too large
// for a suggestion: above one for words of five characters and more, or above two if both have
// nine and the same first character (docs/api.md#notices).
func near(word, known string) (distance int, ok bool) {
	const shortest, long = 5, 9
	n := utf8.RuneCountInString(word)
	if n < shortest {
		return 0, false
	}
	most := 1
	first, _ := utf8.DecodeRuneInString(word)
	if min(n, utf8.RuneCountInString(known)) >= long && strings.HasPrefix(known, string(first)) {
		most = 2
	}
	distance = spelling.Distance(word, known, most+1)
	return distance, distance <= most
}
