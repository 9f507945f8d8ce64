package search

import "math/bits"

// bitset is a set of numbers, one bit for each.
type bitset []uint64

// newBitset returns an empty set with room for the numbers below n.
func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) set(n uint32) { b[n/64] |= 1 << (n % 64) }

func (b bitset) has(n uint32) bool { return b[n/64]&(1<<(n%64)) != 0 }

// add adds the numbers of another set of the same size, or of nil.
func (b bitset) add(more bitset) {
	for i, word := range more {
		b[i] |= word
	}
}

// appendTo appends the numbers, ascending.
func (b bitset) appendTo(to []uint32) []uint32 {
	for i, word := range b {
		for ; word != 0; word &= word - 1 {
			to = append(to, uint32(i*64+bits.TrailingZeros64(word)))
		}
	}
	return to
}
