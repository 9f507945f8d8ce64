package operations_test

// The oracle's search over everything for queries without a full match.

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitrine/internal/domain"
	"vitrine/internal/fold"
)

// oracleWord is a word of a query.
type oracleWord struct {
	term, written string
	corrected     bool
}

// meaning is the interpretation of a query.
type meaning struct {
	terms     []string
	matching  []record[string] // best first
	missed    bool
	corrected string
	relaxed   []string
}

// searchAll returns the records that match terms, best first.
func (o oracle) searchAll(all []record[string], q string, terms []string) []record[string] {
	matching := slices.DeleteFunc(slices.Clone(all), func(r record[string]) bool { return r.searchClass(terms) == 0 })
	if len(terms) == 0 {
		return matching
	}
	slices.SortStableFunc(matching, func(a, b record[string]) int {
		order := cmp.Or(cmp.Compare(a.searchClass(terms), b.searchClass(terms)), cmp.Compare(o.last(a.categories, a.status), o.last(b.categories, b.status)))
		if order == 0 && strings.HasPrefix(strings.TrimSpace(q), "@") {
			order = cmp.Compare(asInt(a.hit.Kind != "user"), asInt(b.hit.Kind != "user"))
		}
		return order
	})
	return matching
}

func asInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// searchClass is the class in the search over everything.
func (r record[T]) searchClass(terms []string) int {
	isSymbol := func(term string) bool { return r.symbol != "" && folded(r.symbol) == term }
	labelled := func(term string) bool {
		return (record[T]{labels: r.labels, ids: r.ids}).class([]string{term}) != 0 || isSymbol(term)
	}
	onChain := record[T]{labels: r.chainLabels, ids: r.chainIDs}
	class := r.class(terms)
	switch {
	case len(terms) == 0 || class == 1:
		return class
	case (class == 0 || class > 2) && every(terms, func(term string) bool { return term == terms[0] }) && isSymbol(terms[0]):
		return 2
	case (class == 0 || class > 4) && every(terms, labelled):
		return 4
	case class == 0 && every(terms, func(term string) bool {
		return r.class([]string{term}) != 0 || isSymbol(term) || onChain.class([]string{term}) != 0
	}):
		main := record[T]{labels: r.mainLabels, ids: r.mainIDs}
		switch {
		case r.symbol != "":
			return 5
		case every(terms, func(term string) bool { return r.class([]string{term}) != 0 || main.class([]string{term}) != 0 }):
			return 6
		}
		return 7
	}
	return class
}

// meaning follows docs/search.md.
func (o oracle) meaning(all, whole []record[string], q, locale string) meaning {
	m := meaning{terms: searchTerms(q)}
	if len(m.terms) == 0 {
		m.matching = o.searchAll(all, q, nil)
		return m
	}
	words := oracleWords(q)
	if m.matching = o.searchAll(all, q, m.terms); len(m.matching) > 0 {
		return m
	}
	if rest, out := o.question(all, words); len(rest) > 0 {
		return meaning{terms: termsIn(rest), relaxed: out, matching: o.searchAll(all, q, termsIn(rest))}
	}
	found := func(cut []oracleWord) bool {
		words = cut
		m.terms = termsIn(words)
		m.matching = o.searchAll(all, q, m.terms)
		return len(m.matching) > 0
	}
	frequency := func(term string) int { return len(o.searchAll(all, "", []string{term})) }
	inLabels := o.inLabels(all)
	corrected := func(words []oracleWord) string {
		phrase := ""
		for _, w := range words {
			if w.corrected {
				w.written = cmp.Or(o.written(all, w.term, locale), w.term)
			}
			phrase += " " + w.written
		}
		return strings.TrimSpace(phrase)
	}
	isCorrected := func(w oracleWord) bool { return w.corrected }
	if !found(respelled(words, frequency, inLabels)) {
		if cut := cutUnknown(words, whole, frequency, inLabels); !slices.Equal(termsIn(cut), termsIn(words)) {
			found(respelled(cut, frequency, inLabels))
		}
	}
	if len(m.matching) > 0 {
		if slices.ContainsFunc(words, isCorrected) {
			m.corrected = corrected(words)
		}
		return m
	}
	m.missed = true
	if cut := cutKnown(words, whole, frequency); len(cut) > len(words) && found(cut) {
		return m
	} else if len(cut) > len(words) {
		words = cut
	}
	words = o.correct(all, q, words, frequency)
	shown := corrected(words)
	m.terms = termsIn(words)
	if m.matching = o.searchAll(all, q, m.terms); len(m.matching) == 0 {
		if left, out := o.relax(all, words, o.parts(all, words, frequency)); len(left) > 0 {
			words, m.relaxed = left, out
			m.terms = termsIn(words)
			m.matching = o.searchAll(all, q, m.terms)
		}
	}
	if slices.ContainsFunc(words, isCorrected) {
		m.corrected = shown
	}
	return m
}

// labelled reports whether a record has all terms in its labels or those of its chains.
func (r record[T]) labelled(terms []string) bool {
	labels := record[T]{labels: slices.Concat(r.labels, r.chainLabels), ids: slices.Concat(r.ids, r.chainIDs), symbol: r.symbol}
	return every(terms, func(term string) bool { return labels.searchClass([]string{term}) != 0 })
}

// cutUnknown splits the words that no record has.
func cutUnknown(words []oracleWord, whole []record[string], frequency func(string) int, inLabels func(string) bool) []oracleWord {
	var all []oracleWord
	for _, w := range words {
		parts := []oracleWord{w}
		if len(all) < 20 && frequency(w.term) == 0 {
			bare := withoutPunctuation(w)
			if parts = []oracleWord{bare}; frequency(bare.term) == 0 {
				parts = cutWord(bare, whole, frequency, inLabels)
			}
		}
		all = append(all, parts...)
	}
	return all
}

// cutKnown splits known words in East Asian scripts into labels.
func cutKnown(words []oracleWord, whole []record[string], frequency func(string) int) []oracleWord {
	var all []oracleWord
	for _, w := range words {
		if len(all) >= 20 || !inEastAsian(w.term) || frequency(w.term) == 0 {
			all = append(all, w)
			continue
		}
		for _, piece := range byLabels(w, whole) {
			if isLabel(whole, piece.term) || isFunctionWord(piece.term) {
				all = append(all, piece)
			} else {
				all = append(all, withoutFunctionWords(piece)...)
			}
		}
	}
	return all
}

func inEastAsian(term string) bool {
	return strings.ContainsFunc(term, func(r rune) bool { return script(r, false) == "East Asian" })
}

// isLabel reports whether any of records has a label.
func isLabel(records []record[string], text string) bool {
	return slices.ContainsFunc(records, func(r record[string]) bool {
		return slices.ContainsFunc(r.labels, func(l string) bool { return folded(l) == text })
	})
}

// question returns the subject of a question, and the function words around it.
func (o oracle) question(all []record[string], words []oracleWord) (rest []oracleWord, out []string) {
	if len(words) > 20 {
		return nil, nil
	}
	asks := false
	for _, w := range words {
		parts := []oracleWord{withoutPunctuation(w)}
		if inEastAsian(parts[0].term) && !isFunctionWord(parts[0].term) {
			parts = withoutFunctionWords(parts[0])
		}
		for _, part := range parts {
			asks = asks || isQuestionWord(part.term)
			if !isFunctionWord(part.term) {
				rest = append(rest, part)
			} else if !slices.Contains(out, part.written) {
				out = append(out, part.written)
			}
		}
	}
	if !asks || len(rest) == 0 || o.weight(all, rest) > 2 || o.weight(all, words) < 5 {
		return nil, nil
	}
	return rest, out
}

// weight is the rank of a part: 0 for the name of an app, an account, a channel or a card, or a
// name of a chain with several words; 1 for a topic; 2 for a chain; 3 for whole words of a label;
// 4 for other matches in labels; 5 for the rest.
func (o oracle) weight(all []record[string], words []oracleWord) int {
	terms, least := termsIn(words), 5
	for _, r := range all {
		own := map[string]int{"chain": 2, "menu": 1, "category": 1}[r.hit.Kind]
		if r.hit.Kind == "chain" && len(words) > 1 {
			own = 0
		}
		isSymbol := r.symbol != "" && every(terms, func(term string) bool { return term == folded(r.symbol) })
		of := 5
		switch class := r.class(terms); {
		case o.last(r.categories, r.status) != 0 || class == 0 && !isSymbol:
		case class == 1 || isSymbol:
			of = own
		case class == 2:
			of = 3
		case class <= 4:
			of = 4
		}
		if r.hit.Kind == "chain" && of == 2 {
			return 2
		}
		least = min(least, of)
	}
	return least
}

func termsIn(words []oracleWord) []string {
	var terms []string
	for _, w := range words {
		terms = append(terms, w.term)
	}
	return terms
}

// oracleWords returns the words as written, or as folded if folding splits or joins them.
func oracleWords(q string) []oracleWord {
	var words []oracleWord
	for _, written := range strings.Fields(q) {
		for _, term := range searchTerms(written) {
			words = append(words, oracleWord{term: term, written: written})
		}
	}
	if len(words) == len(strings.Fields(q)) && slices.Equal(termsIn(words), searchTerms(q)) {
		return words
	}
	words = nil
	for _, term := range searchTerms(q) {
		words = append(words, oracleWord{term: term, written: term})
	}
	return words
}

// script returns the script of a letter, "" for other characters.
func script(r rune, fine bool) string {
	for _, name := range []string{"Han", "Hiragana", "Katakana", "Hangul"} {
		if !unicode.Is(unicode.Scripts[name], r) && (r != 'ー' || name != "Katakana") {
			continue
		}
		if fine && (name == "Katakana" || name == "Hangul") {
			return name
		}
		return "East Asian"
	}
	if !unicode.IsLetter(r) {
		return ""
	}
	if unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic) {
		return "alike"
	}
	for name, table := range unicode.Scripts {
		if name != "Common" && name != "Inherited" && unicode.Is(table, r) {
			return name
		}
	}
	return ""
}

// byScript splits a word at changes of script.
func byScript(w oracleWord, fine bool) []oracleWord {
	var places []int
	last := ""
	for i, r := range []rune(w.term) {
		if s := script(r, fine); s != "" {
			if last != "" && s != last {
				places = append(places, i)
			}
			last = s
		}
	}
	return divided(w, places)
}

// divided splits a word before some of its code points. The written form is split too if it has
// as many code points.
func divided(w oracleWord, places []int) []oracleWord {
	if len(places) == 0 {
		return []oracleWord{w}
	}
	term, written := []rune(w.term), []rune(strings.TrimLeft(w.written, "@"))
	if len(term) != len(written) {
		written = term
	}
	var parts []oracleWord
	from := 0
	for _, to := range append(places, len(term)) {
		parts = append(parts, oracleWord{term: string(term[from:to]), written: string(written[from:to])})
		from = to
	}
	return parts
}

// withoutPunctuation trims all characters but letters, digits and marks from both ends of a word.
func withoutPunctuation(w oracleWord) oracleWord {
	around := regexp.MustCompile(`^([^\pL\pN\pM]*)(.*?)[^\pL\pN\pM]*$`).FindStringSubmatch(w.term)
	if around[2] == "" {
		return w
	}
	begin := utf8.RuneCountInString(around[1])
	var places []int
	for _, place := range []int{begin, begin + utf8.RuneCountInString(around[2])} {
		if 0 < place && place < utf8.RuneCountInString(w.term) {
			places = append(places, place)
		}
	}
	parts := divided(w, places)
	if begin > 0 {
		return parts[1]
	}
	return parts[0]
}

// cutWord splits a word that no record has.
func cutWord(w oracleWord, whole []record[string], frequency func(string) int, inLabels func(string) bool) []oracleWord {
	isSpelled := func(term string) bool { return frequency(term) > 0 || otherSpelling(term, inLabels) != "" }
	var all []oracleWord
	for _, part := range byScript(w, false) {
		if !inEastAsian(part.term) || isSpelled(part.term) {
			all = append(all, part)
			continue
		}
		for _, piece := range byLabels(part, whole) {
			if len(all) >= 20 || isSpelled(piece.term) || isFunctionWord(piece.term) {
				all = append(all, piece)
				continue
			}
			for _, piece := range withoutFunctionWords(piece) {
				for _, piece := range byScript(piece, true) {
					all = append(all, cutHan(piece, whole, frequency)...)
				}
			}
		}
	}
	return all
}

// cutHan splits a Han word that no record has into parts that labels have.
func cutHan(w oracleWord, whole []record[string], frequency func(string) int) []oracleWord {
	letters := []rune(w.term)
	if frequency(w.term) > 0 || slices.ContainsFunc(letters, func(r rune) bool { return !unicode.Is(unicode.Han, r) }) {
		return []oracleWord{w}
	}
	inLabel := func(text string) bool {
		return slices.ContainsFunc(whole, func(r record[string]) bool {
			return slices.ContainsFunc(r.labels, func(l string) bool { return strings.Contains(folded(l), text) }) || slices.Contains(r.ids, text)
		})
	}
	var places []int
	for from := 0; from < len(letters); {
		size := 0
		for n := 2; n <= 24 && from+n <= len(letters); n++ {
			if inLabel(string(letters[from : from+n])) {
				size = n
			}
		}
		if size > 0 {
			places = append(places, from, from+size)
		}
		from += max(size, 1)
	}
	places = slices.DeleteFunc(slices.Compact(places), func(place int) bool { return place == 0 || place == len(letters) })
	return divided(w, places)
}

// withoutFunctionWords trims one East Asian function word from each end of a word, unless nothing
// remains.
func withoutFunctionWords(w oracleWord) []oracleWord {
	letters := []rune(w.term)
	begin, end := 0, len(letters)
	for i := 1; i < len(letters); i++ {
		if text := string(letters[:i]); inEastAsian(text) && isFunctionWord(text) {
			begin = i
		}
	}
	for i := len(letters) - 1; i > begin; i-- {
		if text := string(letters[i:]); inEastAsian(text) && isFunctionWord(text) {
			end = i
		}
	}
	var places []int
	for _, place := range []int{begin, end} {
		if 0 < place && place < len(letters) {
			places = append(places, place)
		}
	}
	return divided(w, places)
}

// byLabels splits a word around its longest label, the first of equally long ones, and then
// splits the rest before and after it.
func byLabels(w oracleWord, whole []record[string]) []oracleWord {
	n := utf8.RuneCountInString(w.term)
	for size := min(n, 24); size >= 2; size-- {
		for from := 0; from+size <= n; from++ {
			label := string([]rune(w.term)[from : from+size])
			is := func(l string) bool { return folded(l) == label }
			if strings.Contains(label, " ") || !slices.ContainsFunc(whole, func(r record[string]) bool { return slices.ContainsFunc(r.labels, is) }) {
				continue
			}
			var places []int
			for _, place := range []int{from, from + size} {
				if 0 < place && place < n {
					places = append(places, place)
				}
			}
			var all []oracleWord
			for _, part := range divided(w, places) {
				if part.term == label && len(all) == asInt(from > 0) {
					all = append(all, part)
				} else {
					all = append(all, byLabels(part, whole)...)
				}
			}
			return all
		}
	}
	return []oracleWord{w}
}

// correct replaces misspelt words, last word first.
func (o oracle) correct(all []record[string], q string, words []oracleWord, frequency func(string) int) []oracleWord {
	var unknown []int
	for i, w := range words {
		if i < 20 && frequency(w.term) == 0 {
			unknown = append(unknown, i)
		}
	}
	if len(unknown) > 4 {
		return words
	}
	slices.Reverse(unknown)
	for _, i := range unknown {
		if to, ok := o.correction(all, q, words, i); ok {
			words = put(words, i, to)
		}
	}
	return words
}

func put(words []oracleWord, i int, text string) []oracleWord {
	var by []oracleWord
	for _, term := range searchTerms(text) {
		by = append(by, oracleWord{term: term, written: words[i].written, corrected: true})
	}
	return slices.Concat(words[:i], by, words[i+1:])
}

func (o oracle) correction(all []record[string], q string, words []oracleWord, i int) (string, bool) {
	near := nearestTexts(all, words[i].term, len(words) == 1)
	if other := otherSpelling(words[i].term, o.inLabels(all)); other != "" {
		return other, true
	}
	if len(near) == 0 || len(near) > 5 {
		return "", false
	}
	if len(near) == 1 {
		return near[0], true
	}
	leading := func(search func(text string) []string) (texts, records []string) {
		for _, text := range near {
			if found := o.searchAll(all, q, search(text)); len(found) > 0 {
				texts, records = append(texts, text), append(records, found[0].hit.Kind+" "+found[0].hit.Key)
			}
		}
		return texts, records
	}
	texts, records := leading(func(text string) []string { return termsIn(put(words, i, text)) })
	if len(texts) == 0 {
		texts, records = leading(searchTerms)
	}
	if len(texts) == 0 {
		return "", false
	}
	return texts[0], every(records, func(r string) bool { return r == records[0] })
}

// inLabels returns a function that reports whether labels have a word.
func (o oracle) inLabels(all []record[string]) func(string) bool {
	return func(term string) bool { return o.weight(all, []oracleWord{{term: term}}) < 5 }
}

// respelled returns other spellings of the words that no record has.
func respelled(words []oracleWord, frequency func(string) int, inLabels func(string) bool) []oracleWord {
	words = slices.Clone(words)
	for i, w := range words {
		if to := otherSpelling(w.term, inLabels); to != "" && i < 20 && frequency(w.term) == 0 {
			words[i].term, words[i].corrected = to, true
		}
	}
	return words
}

// otherSpelling returns a spelling of a word that some record has, "" for none.
func otherSpelling(term string, inLabels func(string) bool) string {
	for _, other := range append(otherKatakana(fold.Katakana(term)), fold.Simplified(term)) {
		if other != term && inLabels(other) {
			return other
		}
	}
	return ""
}

// otherKatakana returns a word and its variants with small vowels and without a final long vowel
// mark.
func otherKatakana(term string) []string {
	small := regexp.MustCompile(`[ウヴフ][アイエオ]|[テデ]イ|[チシジ]エ`).ReplaceAllStringFunc(term, func(pair string) string {
		if pair == "ウア" {
			return pair
		}
		runes := []rune(pair)
		return string([]rune{runes[0], runes[1] - 1})
	})
	short := func(s string) string { return strings.TrimSuffix(s, "ー") }
	return slices.DeleteFunc([]string{term, small, short(term), short(small)}, func(s string) bool { return s == "" })
}

// nearestTexts returns the words of labels that are nearest to a term, with whole also labels.
func nearestTexts(all []record[string], term string, whole bool) []string {
	least := changes(term)
	if least == 0 {
		return nil
	}
	var texts []string
	for _, r := range all {
		for _, label := range r.labels {
			candidates := strings.Fields(folded(label))
			if whole && len(candidates) > 1 {
				candidates = append(candidates, folded(label))
			}
			for _, text := range candidates {
				d := alignment(fold.Latin(term), fold.Latin(text))
				if d < least {
					least, texts = d, nil
				}
				if d == least {
					texts = append(texts, text)
				}
			}
		}
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// oraclePart is a word of a query, or successive words that form a label.
type oraclePart struct {
	weight, at int
	terms      []string
	frequency  int
}

// parts returns the parts of a query in the order in which relaxation keeps them.
func (o oracle) parts(all []record[string], words []oracleWord, frequency func(string) int) []oraclePart {
	var parts []oraclePart
	known := words[:min(len(words), 20)]
	for from := range known {
		for to := from + 1; to <= min(len(known), from+4) && frequency(known[to-1].term) > 0; to++ {
			span := known[from:to]
			terms := slices.Compact(slices.Sorted(slices.Values(termsIn(span))))
			weight := o.weight(all, span)
			if every(terms, isFunctionWord) || len(span) > 1 && (weight > 2 || !isLabel(all, strings.Join(termsIn(span), " "))) {
				continue
			}
			parts = append(parts, oraclePart{weight, from, terms, len(o.searchAll(all, "", terms))})
		}
	}
	slices.SortFunc(parts, func(a, b oraclePart) int {
		return cmp.Or(a.weight-b.weight, len(b.terms)-len(a.terms), a.frequency-b.frequency, a.at-b.at)
	})
	return parts
}

// relax keeps parts of a query while some record has all kept parts.
func (o oracle) relax(all []record[string], words []oracleWord, parts []oraclePart) (left []oracleWord, out []string) {
	var kept, anchors []string
	for _, p := range parts {
		first := parts[0].weight
		terms, anchored := append(slices.Clone(kept), p.terms...), anchors
		if p.weight == first && first <= 2 {
			anchored = append(slices.Clone(anchors), p.terms...)
		}
		matching := o.searchAll(all, "", terms)
		isAnchored := slices.ContainsFunc(matching, func(r record[string]) bool { return r.labelled(anchored) })
		switch {
		case isAnchored:
			kept, anchors = terms, anchored
		case len(matching) > 0 && first != 0 && p.weight == 2:
			kept, anchors = terms, nil
		}
	}
	for _, w := range words {
		if slices.Contains(kept, w.term) {
			left = append(left, w)
		} else if !slices.Contains(out, w.written) {
			out = append(out, w.written)
		}
	}
	return left, out
}

func isQuestionWord(term string) bool {
	return slices.Contains(strings.Fields(`
		cual como donde how que quien what where which who とは とは何 どう どこ 什么 什么是 什麼 什麼是 何 何ですか 使い方 哪个 哪個 如何
		怎么 怎么样 怎么用 怎样 怎樣 怎麼 怎麼樣 怎麼用 是什么 是什麼`), term)
}

// isFunctionWord reports whether docs/search.md lists a function word.
func isFunctionWord(term string) bool {
	return slices.Contains(strings.Fields(`
		a al algun alguna algunos an and any are as at be best by can como con cual cuales cuando de del desde do does donde
		el en es esta este esto find for from get give good hacer has have hay how i in into is it la las list lo los mas me
		mejor mejores mi mis my necesito need no o of on or our para please por puedo que quien quiero recommend recommended
		s se ser should show sin sobre some son su sus tener that the their them there these they this to todos top tu un
		una unas uno unos usar use using ver want was we what when where which who why will with without y you your おすすめ から
		が ください こと したい する って です と とは とは何 どう どこ どの な なに に の のは は へ まで も や やり方 より を オススメ ランキング 一个 一個 一覧 与 个 了 人気 什么 什么是 什麼 什麼是
		介紹 介绍 从 仕方 何 何ですか 使い方 使う 個 列表 吗 呢 和 哪个 哪些 哪個 哪裡 哪里 嗎 在 大全 好用的 如何 始め方 对 對 常用的 從 怎么 怎么样 怎么用 怎样 怎樣 怎麼 怎麼樣 怎麼用 我 我要 或 把
		排名 排行 排行榜 探す 推荐 推薦 教えて 方法 是 是什么 是什麼 最好 最好的 有 有哪些 有沒有 有没有 比較 比较 清单 清單 用 的 知りたい 給 给 能 與 被 請 讓 让 请 跟 还 这 這 選び方 還 那`), term)
}

// isKnownName reports whether a label is a name of a record for readers of a locale.
func (o oracle) isKnownName(r record[string], label, locale string) bool {
	other := false
	for _, translation := range r.title {
		if folded(translation.Value) != label {
			continue
		}
		alone := domain.Text{translation}
		if inLocale(o.catalog, alone, locale) != "" {
			return true
		}
		other = true
	}
	return !other
}
