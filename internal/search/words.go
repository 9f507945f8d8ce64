package search

import (
	"math"
	"slices"
	"strings"
)

// words has the distinct words of all texts, each with a number, and the records of each. If
// [cut] cuts a word, its parts are the words.
type words struct {
	text      string   // of all words, a space after each
	ends      []uint32 // by word: its end in text, without the space
	blockWord []uint32 // by block of text: the word at its beginning
	suffixes  suffixes
	records   recordLists // by word
	of        packed      // by record: its words, those of labels first; parts are in their order; see labelled and glued
}

const (
	// glued marks a word of a record that the record's next word continues: both are parts of one
	// word.
	glued = 1 << 31
	// labelled marks a word of a record, and a record of a word, if the record has the word in a
	// label.
	labelled = 1 << 30

	flags    = glued | labelled
	flagBits = 2
)

// scope selects the texts of records in which a term is searched.
type scope uint32

const (
	everywhere scope = 0
	inLabels   scope = labelled
)

// has reports whether a scope has an element of [words.of] or [recordLists.few].
func (s scope) has(element uint32) bool { return element&uint32(s) == uint32(s) }

// blockSize is the length of a block of the text in bytes.
const blockSize = 64

// newWords indexes words, by number. Each of parts has the words of consecutive records.
func newWords(all []string, parts []lists) words {
	size := 0
	for _, word := range all {
		size += len(word) + 1
	}
	mustFit(size)
	if max(len(all), recordsOf(parts)) > labelled {
		panic("search: more words or records than can be numbered")
	}
	w := words{ends: make([]uint32, len(all)), blockWord: make([]uint32, 0, size/blockSize+1)}
	var text strings.Builder
	text.Grow(size)
	for i, word := range all {
		text.WriteString(word)
		w.ends[i] = uint32(text.Len())
		text.WriteByte(' ')
		for len(w.blockWord)*blockSize < text.Len() {
			w.blockWord = append(w.blockWord, uint32(i))
		}
	}
	w.text = text.String()
	w.suffixes = newSuffixes(w.text, eachPlace(w.text), ' ')
	w.of, w.records = packWords(parts), invert(parts, len(all))
	return w
}

// mustFit panics if an array of the index has more bytes than its places can number.
func mustFit(size int) {
	if size > math.MaxUint32 {
		panic("search: an array of the index exceeds 4 GiB")
	}
}

// word returns the word of a number.
func (w *words) word(word uint32) string {
	from := uint32(0)
	if word > 0 {
		from = w.ends[word-1] + 1
	}
	return w.text[from:w.ends[word]]
}

// wordOf returns the number of the word that contains a place.
func (w *words) wordOf(place uint32) uint32 {
	word := w.blockWord[place/blockSize]
	for w.ends[word] < place {
		word++
	}
	return word
}

// wordsAt returns the distinct numbers of the words that contain places, ascending, which is the
// order of their records in memory.
func (w *words) wordsAt(places []uint32) []uint32 {
	const few = 256 // sorted; more use a bitset
	if len(places) <= few {
		words := make([]uint32, len(places))
		for i, place := range places {
			words[i] = w.wordOf(place)
		}
		slices.Sort(words)
		return slices.Compact(words)
	}
	seen := newBitset(len(w.ends))
	for _, place := range places {
		seen.set(w.wordOf(place))
	}
	return seen.appendTo(make([]uint32, 0, min(len(places), len(w.ends))))
}

// lists are many lists of numbers in one array.
type lists struct {
	ends []uint32 // the end of each in all
	all  []uint32
}

func (l *lists) at(i uint32) []uint32 {
	from := uint32(0)
	if i > 0 {
		from = l.ends[i-1]
	}
	return l.all[from:l.ends[i]]
}

// cut returns the length of the first part of a word. In languages without spaces, a whole
// sentence would be a word, which no other text has. Such words are cut after punctuation. Only
// the characters next to a cut matter, so a term that spans the cut is cut at the same place.
func cut(word string) int {
	for i := 0; i+1 < len(word); i++ {
		switch c := word[i]; {
		case c >= 0x80: // 、 and 。
			if (c == 0x81 || c == 0x82) && i >= 2 && word[i-1] == 0x80 && word[i-2] == 0xE3 {
				return i + 1
			}
		case word[i+1] >= 0x80 && isPunctuation(c):
			return i + 1
		}
	}
	return len(word)
}

// isPunctuation reports whether a character ends a part of a sentence. Folding maps full-width
// characters to these.
func isPunctuation(c byte) bool {
	switch c {
	case ',', '.', '!', '?', ':', ';':
		return true
	}
	return false
}
