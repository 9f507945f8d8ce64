package search

import (
	"math"
	"math/bits"
	"slices"
	"strings"
)

// words are the different words of all texts, by number, where in them a term
// can be found, and which records have them.
type words struct {
	text     string   // of all words, a space after each
	ends     []uint32 // where each ends in text, without the space
	marks    []uint32 // by block of text: the word that the block begins in
	suffixes suffixes
	records  lists // by word: the records that have it, ascending
	of       lists // by record: its words; with glued, those that the next one continues
}

// glued marks a word of a record that goes on in the record's next one: both are
// parts of what stands between two spaces.
const glued = 1 << 31

// block is how many bytes of the text have one mark.
const block = 64

// newWords puts together the words that are given by number, and those of each
// record.
func newWords(all []string, of lists) words {
	size := 0
	for _, word := range all {
		size += len(word) + 1
	}
	if size > math.MaxUint32 || len(all) >= glued || len(of.all) > math.MaxUint32 {
		panic("search: the different words of all texts, or of all records together, are more than 32 bits can number")
	}
	w := words{ends: make([]uint32, len(all)), marks: make([]uint32, 0, size/block+1), of: of}
	var text strings.Builder
	text.Grow(size)
	for i, word := range all {
		text.WriteString(word)
		w.ends[i] = uint32(text.Len())
		text.WriteByte(' ')
		for len(w.marks)*block < text.Len() {
			w.marks = append(w.marks, uint32(i))
		}
	}
	w.text = text.String()
	w.suffixes = newSuffixes(w.text)
	w.records = of.inverted(len(all))
	return w
}

// at returns a word.
func (w *words) at(word uint32) string {
	from := uint32(0)
	if word > 0 {
		from = w.ends[word-1] + 1
	}
	return w.text[from:w.ends[word]]
}

// wordOf returns the word that has a place.
func (w *words) wordOf(place uint32) uint32 {
	word := w.marks[place/block]
	for w.ends[word] < place {
		word++
	}
	return word
}

// having returns the words that have places, each once: a term may stand at
// many places of one word. Many words are in ascending order, in which their
// records lie in memory.
func (w *words) having(places []uint32) []uint32 {
	const few = 256
	if len(places) <= few {
		found := make([]uint32, len(places))
		for i, place := range places {
			found[i] = w.wordOf(place)
		}
		slices.Sort(found)
		return slices.Compact(found)
	}
	seen := make([]uint64, (len(w.ends)+63)/64)
	for _, place := range places {
		word := w.wordOf(place)
		seen[word/64] |= 1 << (word % 64)
	}
	found := make([]uint32, 0, min(len(places), len(w.ends)))
	for i, word := range seen {
		for ; word != 0; word &= word - 1 {
			found = append(found, uint32(i*64+bits.TrailingZeros64(word)))
		}
	}
	return found
}

// lists are lists of numbers in one array.
type lists struct {
	ends []uint32 // where each ends in all
	all  []uint32
}

func (l *lists) at(i uint32) []uint32 {
	from := uint32(0)
	if i > 0 {
		from = l.ends[i-1]
	}
	return l.all[from:l.ends[i]]
}

// inverted returns the lists of which i has j, once, where j has i here; n is
// how many. It does not look at glued.
func (l *lists) inverted(n int) lists {
	out := lists{ends: make([]uint32, n)}
	last := make([]uint32, n) // one more than what the list has last
	for from := range l.ends {
		for _, to := range l.at(uint32(from)) {
			if to &^= glued; last[to] != uint32(from)+1 {
				last[to] = uint32(from) + 1
				out.ends[to]++
			}
		}
	}
	next := uint32(0)
	for i, count := range out.ends {
		out.ends[i] = next // where the list begins, until it is filled
		next += count
	}
	out.all = make([]uint32, next)
	clear(last)
	for from := range l.ends {
		for _, to := range l.at(uint32(from)) {
			if to &^= glued; last[to] != uint32(from)+1 {
				last[to] = uint32(from) + 1
				out.all[out.ends[to]] = uint32(from)
				out.ends[to]++
			}
		}
	}
	return out
}

// cut returns how long the first part of a word is: words of languages that are
// written without spaces are cut behind punctuation, since parts of sentences
// are shared by texts and sentences are not. Where a word is cut is decided by the
// characters at that place alone, so that it shows in a term, too.
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

// isPunctuation reports whether a character ends a part of a sentence. Those of
// full width are folded to these.
func isPunctuation(c byte) bool {
	switch c {
	case ',', '.', '!', '?', ':', ';':
		return true
	}
	return false
}
