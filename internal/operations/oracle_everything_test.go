package operations_test

// The oracle's search over everything.

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitrine/internal/domain"
	"vitrine/internal/fold"
)

// result is what a search tells of a record.
type result struct {
	Kind        string `json:"kind"`
	Key         string `json:"key"`
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
	Image       string `json:"image,omitempty"`
	URL         string `json:"url,omitempty"`
	Href        string `json:"href"`
	Matched     string `json:"matched,omitempty"`
}

func kindNames() []string { return []string{"chain", "user", "channel", "card", "menu", "category"} }

func (o oracle) search(query oracleQuery) answer {
	if query.value("q") == "" {
		*query.bad = append(*query.bad, "q")
	}
	kinds := items(query.value("kind"))
	if slices.ContainsFunc(kinds, func(kind string) bool { return !slices.Contains(kindNames(), kind) }) {
		*query.bad = append(*query.bad, "kind")
	}
	limit, _ := query.whole("limit", 1, 100)
	offset, _ := query.whole("offset", 0, 1<<30)
	if len(*query.bad) > 0 {
		return badRequest(query)
	}
	locale, terms := resolveLocale(o.catalog, query.value("locale")), searchTerms(query.value("q"))
	asked := slices.DeleteFunc(kindNames(), func(kind string) bool { return len(kinds) > 0 && !slices.Contains(kinds, kind) })
	all := o.everything(locale, asked)
	matching := slices.DeleteFunc(slices.Clone(all), func(r record[string]) bool { return r.class(terms) == 0 })
	if len(terms) > 0 {
		byRelevance(o, matching, terms)
	}
	totals := members{}
	for _, kind := range asked {
		totals = append(totals, member{kind, 0})
		for _, r := range matching {
			if r.hit.Kind == kind {
				totals[len(totals)-1].Value = totals[len(totals)-1].Value.(int) + 1
			}
		}
	}
	results := []result{}
	for _, r := range cut(matching, offset, cmp.Or(limit, 20)) {
		r.hit.Matched = r.matched(terms)
		results = append(results, r.hit)
	}
	meant := []string{}
	if len(matching) == 0 {
		meant = didYouMean(all, terms)
	}
	parameters := url.Values{}
	o.linkParameters(query, parameters, false)
	if len(asked) < len(kindNames()) {
		parameters.Set("kind", strings.Join(asked, ","))
	}
	return answer{
		status: 200, language: locale, body: encode(members{{"results", results}, {"totals", totals}, {"didYouMean", meant}}),
		page: &page{true, offset, cmp.Or(limit, 20), len(matching), 20, parameters},
	}
}

// everything returns the records of some kinds, each kind in its default order.
func (o oracle) everything(locale string, kinds []string) []record[string] {
	var all []record[string]
	for _, kind := range kinds {
		switch kind {
		case "chain":
			all = append(all, bare(o.chainRecords(locale, "tvl", "desc"))...)
		case "user":
			all = append(all, bare(o.userRecords(locale))...)
		case "channel":
			all = append(all, bare(o.channelRecords(locale))...)
		case "card":
			all = append(all, bare(o.cardRecords(locale))...)
		case "menu":
			for _, m := range o.menus() {
				all = append(all, o.entry("menu", m.PathSlug, m.Title, m.Aliases, m.Description, m.OGImage, "/api/open/nav/menus/"+m.PathSlug, locale))
			}
		case "category":
			for _, c := range o.sortedCategories() {
				all = append(all, o.entry("category", c.Key, c.Name, c.Aliases, c.Description, "", "/api/open/categories", locale))
			}
		}
	}
	return all
}

// entry is a menu or a category: found by title, aliases, description and key.
func (o oracle) entry(kind, key string, title domain.Text, aliases []string, description domain.Text, image, href, locale string) record[string] {
	return record[string]{
		labels: slices.Concat([]string{key}, values(title), aliases), texts: values(description),
		hit: result{kind, key, inLocale(o.catalog, title, locale), inLocale(o.catalog, description, locale), image, "", href, ""},
	}
}

// bare returns records without what is their own.
func bare[T any](records []record[T]) []record[string] {
	var all []record[string]
	for _, r := range records {
		all = append(all, record[string]{r.labels, r.ids, r.texts, r.categories, r.retired, "", r.hit})
	}
	return all
}

// matched returns the label that matched, "" where the title does by itself.
func (r record[T]) matched(terms []string) string {
	if own, _ := (record[T]{labels: []string{r.hit.Title}}).match(terms); own != 0 && len(terms) > 0 {
		return ""
	}
	_, label := r.match(terms)
	return label
}

// near is a label that a search may have meant.
type near struct {
	label           string
	distance, spare int
}

// didYouMean looks at every label.
func didYouMean(all []record[string], terms []string) []string {
	var found []near
	for _, r := range all {
		for _, label := range r.labels {
			if n, ok := nearTo(terms, label); ok {
				found = append(found, n)
			}
		}
	}
	slices.SortFunc(found, func(a, b near) int {
		return cmp.Or(a.distance-b.distance, a.spare-b.spare,
			utf8.RuneCountInString(a.label)-utf8.RuneCountInString(b.label), strings.Compare(a.label, b.label))
	})
	labels := []string{}
	for _, n := range found {
		if len(labels) < 5 && !slices.Contains(labels, n.label) {
			labels = append(labels, n.label)
		}
	}
	return labels
}

// nearTo reports whether every term is near to a word of a label, or the only one to
// the label; terms that have no near ones must be found in it. One must have some.
func nearTo(terms []string, label string) (near, bool) {
	text := folded(label)
	words := strings.Split(text, " ")
	n, doubtful := near{label: text, spare: max(0, len(words)-len(terms))}, false
	for _, term := range terms {
		most := changes(term)
		if most == 0 {
			if !matches(term, label) {
				return n, false
			}
			continue
		}
		doubtful = true
		least := most + 1
		for _, word := range words {
			least = min(least, alignment(fold.Latin(term), fold.Latin(word)))
		}
		if whole := alignment(fold.Latin(term), fold.Latin(text)); len(terms) == 1 && whole <= least {
			least, n.spare = whole, 0
		}
		if least > most {
			return n, false
		}
		n.distance += least
	}
	return n, doubtful && text != ""
}

// changes is how many changes away a word is near to a term.
func changes(term string) int {
	letters := 0
	for _, r := range term {
		if unicode.IsNumber(r) || r == 'ー' || unicode.IsLetter(r) && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			return 0
		}
		if !unicode.Is(unicode.M, r) {
			letters++
		}
	}
	switch {
	case letters < 5:
		return 0
	case letters < 9:
		return 1
	}
	return 2
}

// alignment is the optimal string alignment distance, by its definition.
func alignment(left, right string) int {
	a, b := []rune(left), []rune(right)
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j-1], d[i-1][j], d[i][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
