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
	"vitrine/internal/query"
)

// result is a search result.
type result struct {
	Kind        string    `json:"kind"`
	Key         string    `json:"key"`
	Title       string    `json:"title"`
	Description string    `json:"description,omitempty"`
	Image       string    `json:"image,omitempty"`
	URL         string    `json:"url,omitempty"`
	Href        string    `json:"href"`
	Menus       *[]string `json:"menus,omitempty"`
	Matched     string    `json:"matched,omitempty"`
}

func kindNames() []string { return domain.Convert[string](query.Kinds()) }

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
	all := o.everything(locale, asked, slices.Contains(kinds, "card"))
	m := o.meaning(all, o.everything(locale, kindNames(), true), query.value("q"), locale)
	matching := m.matching
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
		r.hit.Matched = r.matched(m.terms)
		results = append(results, r.hit)
	}
	meant := []string{}
	if m.missed {
		meant = o.didYouMean(all, query.value("q"), terms, locale)
	}
	body := members{{"results", results}, {"totals", totals}, {"didYouMean", meant}}
	if m.corrected != "" {
		body = append(body, member{"corrected", m.corrected})
	}
	if len(m.relaxed) > 0 {
		body = append(body, member{"relaxed", m.relaxed})
	}
	parameters := url.Values{}
	o.linkParameters(query, parameters, query.value("status"), false)
	if len(kinds) > 0 {
		parameters.Set("kind", strings.Join(asked, ","))
	}
	return answer{
		status: 200, language: locale, body: encode(body),
		page: &page{true, offset, cmp.Or(limit, 20), len(matching), 20, parameters},
	}
}

// everything returns the records of the given kinds, each kind in its default order. It includes
// cards of apps only with appCards.
func (o oracle) everything(locale string, kinds []string, appCards bool) []record[string] {
	var all []record[string]
	for _, kind := range kinds {
		switch kind {
		case "chain":
			all = append(all, o.prominentChains(locale)...)
		case "app":
			all = append(all, o.prominentApps(locale)...)
		case "user":
			all = append(all, bare(o.userRecords(locale))...)
		case "channel":
			all = append(all, bare(o.channelRecords(locale))...)
		case "card":
			all = append(all, bare(slices.DeleteFunc(o.cardRecords(locale), func(r record[listedCard]) bool { return r.row.App != "" && !appCards }))...)
		case "menu":
			for _, m := range o.menus() {
				all = append(all, o.entry("menu", m.PathSlug, m.Title, m.Aliases, m.Description, m.OGImage, "/api/open/nav/menus/"+m.PathSlug, locale))
			}
		case "category":
			for _, c := range o.sortedCategories() {
				all = append(all, o.entry("category", c.Key, c.Name, c.Aliases, c.Description, "", "/api/open/categories", locale))
			}
		default:
			k := plainKinds[slices.IndexFunc(plainKinds, func(k plainKind) bool { return string(k.Kind) == kind })]
			all = append(all, bare(k.records(o, locale))...)
		}
	}
	return all
}

// entry is a menu or a category. It matches by title, aliases, description and key.
func (o oracle) entry(kind, key string, title domain.Text, aliases []string, description domain.Text, image, href, locale string) record[string] {
	return record[string]{
		labels: slices.Concat([]string{key}, values(title), aliases), texts: values(description),
		title: title,
		hit:   result{Kind: kind, Key: key, Title: inLocale(o.catalog, title, locale), Description: inLocale(o.catalog, description, locale), Image: image, Href: href},
	}
}

// bare returns records without the value of their kind.
func bare[T any](records []record[T]) []record[string] {
	var all []record[string]
	for _, r := range records {
		all = append(all, record[string]{r.labels, r.ids, r.texts, r.categories, r.status, "", r.hit, r.title, r.symbol, r.chainLabels, r.chainIDs, r.mainLabels, r.mainIDs})
	}
	return all
}

// matched returns the label that matched, "" if it is the title.
func (r record[T]) matched(terms []string) string {
	if own, _ := (record[T]{labels: []string{r.hit.Title}}).match(terms); own != 0 && len(terms) > 0 {
		return ""
	}
	class, label := r.match(terms)
	if (class == 0 || class > 2) && len(terms) > 0 && r.symbol != "" && every(terms, func(term string) bool { return term == folded(r.symbol) }) {
		return r.symbol
	}
	return label
}

// near is a label near to a search term.
type near struct {
	label           string
	distance, spare int
	kind            string
}

// didYouMean returns the name of the record with the nearest label.
func (o oracle) didYouMean(all []record[string], q string, terms []string, locale string) []string {
	var found []near
	unique := slices.Compact(slices.Sorted(slices.Values(terms)))
	for _, r := range all {
		for _, label := range r.labels {
			if n, ok := nearTo(unique, label); ok && len(unique) <= 8 && o.isKnownName(r, n.label, locale) {
				n.kind = r.hit.Kind
				found = append(found, n)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b near) int {
		return cmp.Or(a.distance-b.distance, a.spare-b.spare,
			utf8.RuneCountInString(a.label)-utf8.RuneCountInString(b.label), strings.Compare(a.label, b.label))
	})
	names, labels := []string{}, map[string][]string{}
	add := func(name string) {
		if len(names) < 5 && name != "" && !slices.ContainsFunc(names, func(other string) bool { return folded(other) == folded(name) }) {
			names = append(names, name)
		}
	}
	for _, n := range found {
		if len(labels[n.kind]) < 20 && !slices.Contains(labels[n.kind], n.label) {
			labels[n.kind] = append(labels[n.kind], n.label)
			if name := o.nameOf(all, n.kind, n.label, locale); n.spare == 0 || folded(name) == n.label {
				add(name)
			}
		}
	}
	words := oracleWords(q)
	if len(words) < 2 || len(names) == 5 {
		return names
	}
	frequency := func(term string) int { return len(o.searchAll(all, "", []string{term})) }
	words = o.correct(all, q, words, frequency)
	for i, w := range words {
		if o.weight(all, words[i:i+1]) > 3 {
			return names
		}
		if w.corrected {
			if words[i].written = o.written(all, w.term, locale); words[i].written == "" {
				return names
			}
		}
	}
	if slices.ContainsFunc(words, func(w oracleWord) bool { return w.corrected }) {
		phrase := ""
		for _, w := range words {
			phrase += " " + w.written
		}
		add(phrase[1:])
	}
	return names
}

// written returns the name of a folded word as readers of a locale write it, "" for none.
func (o oracle) written(all []record[string], term, locale string) string {
	for _, kind := range kindNames() {
		for _, written := range strings.Fields(o.nameOf(all, kind, term, locale)) {
			if folded(written) == term {
				return written
			}
		}
	}
	return ""
}

// nameOf returns the name, for readers of a locale, of the record of a kind that a label matches
// best.
func (o oracle) nameOf(all []record[string], kind, label, locale string) string {
	terms := searchTerms(label)
	best, least := record[string]{}, 8
	for _, r := range all {
		if class := r.class(terms); r.hit.Kind == kind && 0 < class && class <= 3 && 2*class+asInt(o.last(r.categories, r.status) != 0) < least {
			best, least = r, 2*class+asInt(o.last(r.categories, r.status) != 0)
		}
	}
	if len(best.title) == 0 { // an account or a channel, or nothing found
		if folded(best.hit.Key) == label && folded(best.hit.Title) != label {
			return best.hit.Key
		}
		return best.hit.Title
	}
	for _, translation := range best.title {
		if alone := (domain.Text{translation}); folded(translation.Value) == label && inLocale(o.catalog, alone, locale) != "" &&
			folded(best.hit.Title) != label {
			return translation.Value
		}
	}
	return best.hit.Title
}

// prominentChains returns all chains by descending prominence.
func (o oracle) prominentChains(locale string) []record[string] {
	chains, _ := o.listed()
	of := map[string]domain.Chain{}
	children := map[string]int{}
	for _, c := range chains {
		of[c.Slug] = c
		children[c.Parent]++
	}
	all := bare(o.chainRecords(locale, "tvl", "desc"))
	figures := func(c domain.Chain) (known [2]bool, values [2]float64) {
		for i, f := range []*domain.Figure{c.TVL, c.Platforms} {
			if f != nil {
				known[i], values[i] = true, f.Value
			}
		}
		return known, values
	}
	slices.SortFunc(all, func(a, b record[string]) int {
		x, y := of[a.hit.Key], of[b.hit.Key]
		k, v := figures(x)
		l, w := figures(y)
		return cmp.Or(
			cmp.Compare(asInt(l[0]), asInt(k[0])), cmp.Compare(w[0], v[0]), cmp.Compare(asInt(l[1]), asInt(k[1])), cmp.Compare(w[1], v[1]),
			cmp.Compare(children[y.Slug], children[x.Slug]), strings.Compare(x.Slug, y.Slug),
		)
	})
	return all
}

// prominentApps returns all apps by descending prominence.
func (o oracle) prominentApps(locale string) []record[string] {
	count, best := map[string]int{}, map[string]int{}
	inItem := map[[2]string]int{}
	cards := o.cardRecords(locale)
	for _, r := range cards {
		item := [2]string{r.row.Menu, r.row.Item}
		if known, ok := best[r.row.App]; !ok || inItem[item] < known {
			best[r.row.App] = inItem[item]
		}
		inItem[item]++
		count[r.row.App]++
	}
	of := map[string]domain.App{}
	for _, a := range o.catalog.Apps {
		of[a.Key] = a
	}
	all := bare(o.appRecords(locale))
	slices.SortFunc(all, func(a, b record[string]) int {
		x, y := of[a.hit.Key], of[b.hit.Key]
		place := func(key string) int {
			if at, ok := best[key]; ok {
				return at
			}
			return len(cards)
		}
		return cmp.Or(place(x.Key)-place(y.Key), count[y.Key]-count[x.Key], len(y.Chains)-len(x.Chains), len(y.Platforms)-len(x.Platforms), strings.Compare(x.Key, y.Key))
	})
	return all
}

// ofChains returns the labels and ids of chains.
func (o oracle) ofChains(slugs []string) (labels, ids []string) {
	for _, c := range o.catalog.Chains {
		if slices.Contains(slugs, c.Slug) {
			labels = append(labels, slices.Concat([]string{c.Slug}, values(c.Name), c.Aliases)...)
			ids = append(ids, spellings(c.ChainID)...)
		}
	}
	return labels, ids
}

// nearTo reports whether every term is near to a word of a label, or a single term to the whole
// label. The label must contain terms that have no near words. At least one term must have some.
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

// changes is the maximum edit distance between a term and a near word.
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
