package search

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"
	"golang.org/x/text/unicode/norm"

	"vitrine/internal/fold"
	"vitrine/internal/parallel"
)

// build indexes the records from 0 to below n.
func build(n int, documents Documents) *body {
	builders := make([]*builder, parallel.SharesOf(n, minShare))
	parallel.Shares(n, minShare, func(share, from, to int) {
		b := &builder{vocabulary: map[string]uint32{}}
		for number := from; number < to; number++ {
			b.addRecord(uint32(number), documents(uint32(number)))
		}
		builders[share] = b
	})
	b := &body{size: n}
	parallel.Do(2, func(half int) {
		if half == 0 {
			b.words = joinWords(builders)
			return
		}
		b.labels = joinLabels(builders)
		b.prefixes = joinLists(builders, func(b *builder) *pairTable { return &b.prefixes })
		b.symbols = joinLists(builders, func(b *builder) *pairTable { return &b.symbols })
		b.labelSymbols = joinLists(builders, func(b *builder) *pairTable { return &b.labelSymbols })
	})
	return b
}

// minShare is the minimum number of records, or of lists, for a separate goroutine.
const minShare = 1024

// builder indexes a range of records.
type builder struct {
	prefixes     pairTable
	symbols      pairTable
	labelSymbols pairTable
	vocabulary   map[string]uint32 // the number of each word
	words        []string          // by number
	lastRecord   []uint32          // by word: the last record that has it, plus one
	of           lists             // by record: its words
	labels       labelBuilder
}

// addRecord indexes a record. Numbers must be ascending.
func (b *builder) addRecord(number uint32, d Document) {
	for i, label := range d.Labels {
		if !slices.Contains(d.Labels[:i], label) {
			b.addText(number, label, inLabels)
		}
	}
	for i, text := range d.Texts {
		if !slices.Contains(d.Texts[:i], text) && !slices.Contains(d.Labels, text) {
			b.addText(number, text, everywhere)
		}
	}
	b.of.ends = append(b.of.ends, uint32(len(b.of.all)))
	b.labels.addRecord(d)
}

func (b *builder) addText(number uint32, text string, in scope) {
	for word := range strings.SplitSeq(b.fold(number, text), " ") {
		if word != "" { // of an empty text
			b.addWord(number, word, in)
		}
	}
}

// addWord adds a word of a record: as a whole or, if [cut] cuts it, as its parts.
func (b *builder) addWord(number uint32, word string, in scope) {
	size := cut(word)
	if size == len(word) {
		if w := b.addPart(number, word, in); b.lastRecord[w] != number+1 {
			b.lastRecord[w] = number + 1
			b.of.all = append(b.of.all, w|uint32(in))
		}
		return
	}
	for ; word != ""; size = cut(word) {
		w := b.addPart(number, word[:size], in)
		word = word[size:]
		b.lastRecord[w] = number + 1
		if word != "" {
			w |= glued
		}
		b.of.all = append(b.of.all, w|uint32(in))
	}
}

// addPart adds the symbols of a part of a word, or of a whole word, and returns its number.
// Labels of a record must be added first.
func (b *builder) addPart(number uint32, part string, in scope) uint32 {
	w := b.wordNumber(part)
	if b.lastRecord[w] == number+1 { // its symbols are indexed
		return w
	}
	for i := range len(part) {
		if !beginsSymbol(part[i:]) {
			continue
		}
		b.addSymbol(number, part[i:i+1], in)
		if i+2 <= len(part) {
			b.addSymbol(number, part[i:i+2], in)
		}
	}
	return w
}

func (b *builder) addSymbol(number uint32, symbol string, in scope) {
	b.symbols.listOf(symbolOf(symbol)).add(number)
	if in == inLabels {
		b.labelSymbols.listOf(symbolOf(symbol)).add(number)
	}
}

// wordNumber returns the number of a word, which it adds if necessary.
func (b *builder) wordNumber(word string) uint32 {
	if number, known := b.vocabulary[word]; known {
		return number
	}
	number := uint32(len(b.words))
	word = strings.Clone(word)
	b.words, b.lastRecord = append(b.words, word), append(b.lastRecord, 0)
	b.vocabulary[word] = number
	return number
}

// joinWords joins the words of builders with consecutive ranges of records.
func joinWords(builders []*builder) words {
	all := builders[0]
	parts := []lists{all.of}
	for _, next := range builders[1:] {
		numbers := make([]uint32, len(next.words)) // of the words of next in the joined words
		for i, word := range next.words {
			numbers[i] = all.wordNumber(word)
		}
		for i, w := range next.of.all {
			next.of.all[i] = numbers[w&^flags] | w&flags
		}
		parts = append(parts, next.of)
	}
	return newWords(all.words, parts)
}

// fold folds a text, and adds the beginnings of its words.
func (b *builder) fold(number uint32, text string) string {
	folded, ok := fold.SimpleText(text, func(first, second rune) { b.addPrefix(number, pair{first, second}) })
	if ok {
		return folded
	}
	for _, start := range fold.WordStarts(text) {
		b.addPrefix(number, head(text[start:]))
	}
	return fold.Text(text)
}

func (b *builder) addPrefix(number uint32, two pair) {
	b.prefixes.listOf(pair{two[0], ' '}).add(number)
	b.prefixes.listOf(two).add(number)
}

// beginsSymbol reports whether non-empty s begins with a code point of one or two bytes other
// than a letter, digit or space. All terms of one or two bytes that match anywhere within a word
// do.
func beginsSymbol(s string) bool {
	if c := s[0]; c < utf8.RuneSelf {
		return c != ' ' && (c < '0' || '9' < c) && (c < 'a' || 'z' < c)
	}
	if s[0] < 0xC0 || s[0] >= 0xE0 { // within a code point, or of three bytes and more
		return false
	}
	r, _ := utf8.DecodeRuneInString(s)
	return !unicode.IsLetter(r) && !unicode.IsNumber(r)
}

// head returns the prefix of the folded rest of a text without folding all of it. Text after a
// boundary of NFKC never changes the folding of the text before. If a third code point follows,
// the first two are complete.
func head(rest string) pair {
	if p, ok := simpleHead(rest); ok {
		return p
	}
	end := 0
	for segments := 3; ; segments *= 2 {
		for range segments {
			end += max(0, norm.NFKC.NextBoundaryInString(rest[end:], true))
		}
		folded := fold.Text(rest[:end])
		if end == len(rest) || utf8.RuneCountInString(folded) > 2 {
			return prefixOf(folded)
		}
	}
}

// simpleHead is head if the first three code points, or all, are simple.
func simpleHead(rest string) (p pair, ok bool) {
	p = pair{' ', ' '}
	n := 0
	for _, r := range rest {
		folded, ok := fold.Simple(r)
		if !ok {
			return p, false
		}
		if n == 2 {
			break
		}
		p[n] = folded
		n++
	}
	return p, true
}

// growing is a list of numbers under construction.
type growing struct {
	numbers []uint32        // not in the bitmap yet, ascending
	bitmap  *roaring.Bitmap // nil while there are few numbers
	next    uint32          // all numbers are below it
}

// maxPending is the number of numbers of a list that are added to its bitmap at once, which is
// much faster than one by one.
const maxPending = 1024

// add adds a number, unless it is present. Numbers must be ascending.
func (g *growing) add(number uint32) {
	if number < g.next {
		return
	}
	g.next = number + 1
	if len(g.numbers) == maxPending {
		g.flush()
	}
	g.numbers = append(g.numbers, number)
}

func (g *growing) flush() {
	if g.bitmap == nil {
		g.bitmap = roaring.New()
	}
	g.bitmap.AddMany(g.numbers)
	g.numbers = g.numbers[:0]
}

func (g *growing) finished() postings {
	if g.bitmap == nil {
		return postingsOf(g.numbers)
	}
	g.flush()
	return manyOf(g.bitmap)
}

// joined returns one list of the numbers of g and of following.
func (g *growing) joined(following []*growing) postings {
	if len(following) == 0 {
		return g.finished()
	}
	g.flush()
	for _, next := range following {
		next.flush()
		g.bitmap.Or(next.bitmap)
	}
	return manyOf(g.bitmap)
}

// pairTable has the list of each pair. Pairs of two ASCII characters, the most frequent, need no
// map: building looks one up for each word.
type pairTable struct {
	ascii  [1 << 14]*growing
	others map[pair]*growing
}

func (t *pairTable) listOf(p pair) *growing {
	if p[0] < utf8.RuneSelf && p[1] < utf8.RuneSelf {
		list := t.ascii[p[0]<<7|p[1]]
		if list == nil {
			list = new(growing)
			t.ascii[p[0]<<7|p[1]] = list
		}
		return list
	}
	list := t.others[p]
	if list == nil {
		if t.others == nil {
			t.others = make(map[pair]*growing)
		}
		list = new(growing)
		t.others[p] = list
	}
	return list
}

func (t *pairTable) all(yield func(pair, *growing) bool) {
	for i, list := range t.ascii {
		if list != nil && !yield(pair{rune(i >> 7), rune(i & 0x7F)}, list) {
			return
		}
	}
	for p, list := range t.others {
		if !yield(p, list) {
			return
		}
	}
}

// joinLists finishes the lists of one table of each builder, joining those of one pair.
// The numbers of a table are all above those of the table before.
func joinLists(builders []*builder, tableOf func(*builder) *pairTable) map[pair]postings {
	parts := map[pair][]*growing{}
	for _, builder := range builders {
		for p, list := range tableOf(builder).all {
			parts[p] = append(parts[p], list)
		}
	}
	pairs := slices.Collect(maps.Keys(parts))
	finished := make([]postings, len(pairs))
	parallel.Shares(len(pairs), minShare, func(_, from, to int) {
		for i := from; i < to; i++ {
			part := parts[pairs[i]]
			finished[i] = part[0].joined(part[1:])
		}
	})
	lists := make(map[pair]postings, len(pairs))
	for i, p := range pairs {
		lists[p] = finished[i]
	}
	return lists
}
