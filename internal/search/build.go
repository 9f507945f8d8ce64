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
func build(n int, texts Texts) *body {
	builders := make([]*builder, parallel.SharesOf(n, minShare))
	parallel.Shares(n, minShare, func(share, from, to int) {
		b := &builder{vocabulary: map[string]uint32{}}
		for number := from; number < to; number++ {
			b.add(uint32(number), texts(uint32(number)))
		}
		builders[share] = b
	})
	b := &body{size: n}
	parallel.Do(2, func(half int) {
		if half == 0 {
			b.words = gathered(builders)
			return
		}
		var prefixes []*prefixTable
		var symbols []*symbolTable
		for _, part := range builders {
			prefixes = append(prefixes, &part.prefixes)
			symbols = append(symbols, &part.symbols)
		}
		b.prefixes, b.symbols = merged(prefixes), merged(symbols)
	})
	return b
}

// minShare is up to how many records are not worth a second goroutine.
const minShare = 1024

// builder indexes a range of records.
type builder struct {
	prefixes   prefixTable
	symbols    symbolTable
	vocabulary map[string]uint32 // the number of each word here
	words      []string          // by number
	last       []uint32          // by word: one more than the record that had it last
	of         lists             // by record: its words
}

// add indexes a record. Numbers come in ascending order.
func (b *builder) add(number uint32, texts []string) {
	for i, text := range texts {
		if slices.Contains(texts[:i], text) {
			continue
		}
		for word := range strings.SplitSeq(b.fold(number, text), " ") {
			if word != "" { // of an empty text
				b.addWord(number, word)
			}
		}
	}
	b.of.ends = append(b.of.ends, uint32(len(b.of.all)))
}

// addWord adds a word in one piece, or in as many as it is cut into.
func (b *builder) addWord(number uint32, word string) {
	size := cut(word)
	if size == len(word) {
		if w := b.addPart(number, word); b.last[w] != number+1 {
			b.last[w] = number + 1
			b.of.all = append(b.of.all, w)
		}
		return
	}
	for ; word != ""; size = cut(word) {
		w := b.addPart(number, word[:size])
		word = word[size:]
		b.last[w] = number + 1
		if word != "" {
			w |= glued
		}
		b.of.all = append(b.of.all, w)
	}
}

// addPart returns the number of a part of a word, or of a whole one.
func (b *builder) addPart(number uint32, part string) uint32 {
	w := b.number(part)
	if b.last[w] == number+1 {
		return w
	}
	for i := range len(part) {
		if !beginsSymbol(part[i:]) {
			continue
		}
		b.symbols.list(symbolOf(part[i : i+1])).add(number)
		if i+2 <= len(part) {
			b.symbols.list(symbolOf(part[i : i+2])).add(number)
		}
	}
	return w
}

// number returns the number of a word, a new one if it has none.
func (b *builder) number(word string) uint32 {
	if number, known := b.vocabulary[word]; known {
		return number
	}
	number := uint32(len(b.words))
	word = strings.Clone(word)
	b.words, b.last = append(b.words, word), append(b.last, 0)
	b.vocabulary[word] = number
	return number
}

// gathered makes one vocabulary of those of several builders, whose records
// follow each other.
func gathered(builders []*builder) words {
	all := builders[0]
	for _, next := range builders[1:] {
		numbers := make([]uint32, len(next.words)) // of its words, in all
		for i, word := range next.words {
			numbers[i] = all.number(word)
		}
		before := uint32(len(all.of.all))
		for _, w := range next.of.all {
			all.of.all = append(all.of.all, numbers[w&^glued]|w&glued)
		}
		for _, end := range next.of.ends {
			all.of.ends = append(all.of.ends, before+end)
		}
	}
	return newWords(all.words, lists{ends: slices.Clip(all.of.ends), all: slices.Clip(all.of.all)})
}

// fold returns a text folded, and adds the beginnings of its words.
func (b *builder) fold(number uint32, text string) string {
	folded, ok := fold.SimpleText(text, func(first, second rune) { b.addPrefix(number, prefix{first, second}) })
	if ok {
		return folded
	}
	for _, start := range fold.WordStarts(text) {
		b.addPrefix(number, head(text[start:]))
	}
	return fold.Text(text)
}

func (b *builder) addPrefix(number uint32, two prefix) {
	b.prefixes.list(prefix{two[0], ' '}).add(number)
	b.prefixes.list(two).add(number)
}

// beginsSymbol reports whether s, which is not empty, begins with what a term
// that matches anywhere may begin with and be shorter than three bytes: a code
// point of one or two bytes that is neither letter nor digit, nor a space, which
// no term holds.
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

// head returns the prefix of the folded rest of a text, without folding all of
// it: folding never changes what stands before a boundary of NFKC by what stands
// after it, and a third code point shows that the first two are whole.
func head(rest string) prefix {
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

// simpleHead is head where the first three code points, or all, are simple.
func simpleHead(rest string) (p prefix, ok bool) {
	p = prefix{' ', ' '}
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

// growing is a list in the making.
type growing struct {
	numbers []uint32        // those that are not in the bitmap yet
	bitmap  *roaring.Bitmap // nil while there are few
	next    uint32          // all numbers are below it
}

// maxPending bounds the numbers that wait for the bitmap, a list: it takes many
// at once much faster than one by one.
const maxPending = 1024

// add puts a record on the list. Records come in ascending order, so that one
// which is there already is the last.
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

// joined returns the finished list of g and of the lists that follow it, whose
// numbers are all higher.
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

// symbolTable finds the list of a symbol without a map.
type symbolTable struct {
	pages [1 << 9]*[1 << 8]*growing // by all but the last byte
}

func (t *symbolTable) list(s symbol) *growing {
	page := t.pages[s>>8]
	if page == nil {
		page = new([1 << 8]*growing)
		t.pages[s>>8] = page
	}
	list := page[s&0xFF]
	if list == nil {
		list = new(growing)
		page[s&0xFF] = list
	}
	return list
}

func (t *symbolTable) all(yield func(symbol, *growing) bool) {
	for high, page := range t.pages {
		if page == nil {
			continue
		}
		for low, list := range page {
			if list != nil && !yield(symbol(high<<8|low), list) {
				return
			}
		}
	}
}

// prefixTable finds the list of a prefix, of two ASCII characters without a map.
type prefixTable struct {
	ascii  [1 << 14]*growing
	others map[prefix]*growing
}

func (t *prefixTable) list(p prefix) *growing {
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
			t.others = make(map[prefix]*growing)
		}
		list = new(growing)
		t.others[p] = list
	}
	return list
}

func (t *prefixTable) all(yield func(prefix, *growing) bool) {
	for i, list := range t.ascii {
		if list != nil && !yield(prefix{rune(i >> 7), rune(i & 0x7F)}, list) {
			return
		}
	}
	for p, list := range t.others {
		if !yield(p, list) {
			return
		}
	}
}

// merged finishes the lists of tables, whose numbers ascend from one table to
// the next.
func merged[K comparable, T interface{ all(func(K, *growing) bool) }](tables []T) map[K]postings {
	parts := map[K][]*growing{}
	for _, table := range tables {
		for key, list := range table.all {
			parts[key] = append(parts[key], list)
		}
	}
	keys := slices.Collect(maps.Keys(parts))
	finished := make([]postings, len(keys))
	parallel.Shares(len(keys), minShare, func(_, from, to int) {
		for i := from; i < to; i++ {
			part := parts[keys[i]]
			finished[i] = part[0].joined(part[1:])
		}
	})
	lists := make(map[K]postings, len(keys))
	for i, key := range keys {
		lists[key] = finished[i]
	}
	return lists
}
