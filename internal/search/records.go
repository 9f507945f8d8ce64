package search

// recordLists has the records of each word, ascending.
type recordLists struct {
	few  lists // of most words; see labelled. Lists of the words in many are empty
	many map[uint32]*frequent
}

// frequent has the records of a frequent word. Bitsets take less memory for these, and are joined faster.
type frequent struct {
	count      int
	everywhere bitset
	inLabels   bitset // nil for none
}

// isFrequent reports whether a word with a number of records is frequent.
func isFrequent(count uint32, records int) bool {
	const least, share = 64, 32 // below 1/32, a bitset is larger than a list
	return count >= least && int(count)*share >= records
}

// invert returns the records of n words. Each part has the words of consecutive records. A record has a word
// in a label if its first occurrence in the record is labelled.
func invert(parts []lists, n int) recordLists {
	counts := make([]uint32, n)
	eachWord(parts, n, func(word, _ uint32) { counts[word&^flags]++ })
	r := recordLists{few: lists{ends: make([]uint32, n)}, many: map[uint32]*frequent{}}
	size, records := uint32(0), recordsOf(parts)
	for word, count := range counts {
		r.few.ends[word] = size // until the list is filled, its beginning
		if isFrequent(count, records) {
			r.many[uint32(word)] = &frequent{count: int(count), everywhere: newBitset(records)}
			continue
		}
		size += count
	}
	r.few.all = make([]uint32, size)
	eachWord(parts, n, func(word, record uint32) {
		label := word & labelled
		word &^= flags
		if isFrequent(counts[word], records) {
			r.many[word].add(record, label != 0)
			return
		}
		r.few.all[r.few.ends[word]] = record | label
		r.few.ends[word]++
	})
	return r
}

// eachWord calls do with each of n words of the records, once for each record, which are ascending.
func eachWord(parts []lists, n int, do func(word, record uint32)) {
	last := make([]uint32, n) // by word: its last record, plus one
	record := uint32(0)
	for _, part := range parts {
		for i := range part.ends {
			for _, word := range part.at(uint32(i)) {
				if last[word&^flags] != record+1 {
					last[word&^flags] = record + 1
					do(word, record)
				}
			}
			record++
		}
	}
}

func (f *frequent) add(record uint32, isLabelled bool) {
	f.everywhere.set(record)
	if !isLabelled {
		return
	}
	if f.inLabels == nil {
		f.inLabels = make(bitset, len(f.everywhere))
	}
	f.inLabels.set(record)
}

// count returns the number of records of a word.
func (r *recordLists) count(word uint32) int {
	if few := r.few.at(word); len(few) > 0 {
		return len(few)
	}
	if f := r.many[word]; f != nil {
		return f.count
	}
	return 0
}

// of returns the records of some words, in any order.
func (r *recordLists) of(words []uint32, in scope) []uint32 {
	var records []uint32
	for _, word := range words {
		few := r.few.at(word)
		if len(few) == 0 {
			records = r.bitset(word, in).appendTo(records)
		}
		for _, record := range few {
			if in.has(record) {
				records = append(records, record&^flags)
			}
		}
	}
	return records
}

// addTo adds the records of some words to a set. For many records, this is faster than sorting them.
func (r *recordLists) addTo(set bitset, words []uint32, in scope) {
	for _, word := range words {
		few := r.few.at(word)
		if len(few) == 0 {
			set.add(r.bitset(word, in))
		}
		for _, record := range few {
			if in.has(record) {
				set.set(record &^ flags)
			}
		}
	}
}

// bitset returns the records of a word that few lacks, nil for none.
func (r *recordLists) bitset(word uint32, in scope) bitset {
	switch f := r.many[word]; {
	case f == nil:
		return nil
	case in == inLabels:
		return f.inLabels
	default:
		return f.everywhere
	}
}
